/** What the first evening's page knows: the server's last view, and what somebody is doing on this page. */

import { call, Refused } from "../api.js";
import { keepUnfinished, leftUnfinished } from "./unfinished.js";

const POLL_MS = 1200;
const PATIENCE_MS = 90000; // a lens is worked out in seconds, on a slow laptop in many

const now = { view: null, link: "live", own: {}, busy: null };
const listeners = new Set();
let asked = false;
let timer = 0;
let fetching = null;

/** The server's view, null before it first came. */
export const view = () => now.view;

/** Whether the server answers: "live" or "offline"; "closed" where this page may not set the table up. */
export const link = () => now.link;

/** What is being done, in words; null: nothing. */
export const busy = () => now.busy;

/** What somebody has begun on this page and not sent yet. */
export const own = () => now.own;

/** Changes what somebody has begun. `quiet`: nothing is drawn for it. */
export function change(patch, quiet = false) {
  now.own = { ...now.own, ...patch };
  if (now.view) keepUnfinished(now.view, now.own);
  if (!quiet) tell();
}

/** Calls `draw` once a frame after any change. */
export const onChange = (draw) => listeners.add(draw);

/** Asks for the view now and then, as long as the page is in sight. */
export function goLive() {
  look();
  document.addEventListener("visibilitychange", () => !document.hidden && look());
  addEventListener("online", look);
}

/** Asks for the view. */
export function look() {
  clearTimeout(timer);
  fetching ??= fetchView().finally(() => {
    fetching = null;
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(look, now.link === "offline" ? 2 * POLL_MS : POLL_MS);
  });
  return fetching;
}

/**
 * Has the server do something, and looks anew. Gives its answer, or null where it refused; the reason is then said.
 * @param {string} words what is being done, for who waits
 * @param {string} path
 * @param {object} body
 */
export async function act(words, path, body) {
  if (now.busy) return null;
  now.busy = words;
  document.body.dataset.busy = words;
  change({ said: null });
  let answer = null;
  try {
    answer = await call(`/api/evening/${path}`, body, PATIENCE_MS);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    change({ said: { bad: true, text: error.message, step: now.own.step } });
  }
  now.busy = null;
  await look();
  delete document.body.dataset.busy;
  tell();
  return answer;
}

/** Says something in the step: what came of it. */
export const say = (text, bad = false) => change({ said: { bad, text, step: now.own.step } });

async function fetchView() {
  try {
    const seen = await call("/api/evening", undefined, PATIENCE_MS);
    if (!now.view) now.own = { ...leftUnfinished(seen), ...now.own };
    now.view = seen;
    now.link = "live";
  } catch (error) {
    now.link = error.status === 0 ? "offline" : "closed";
    now.why = error.message;
  }
  tell();
}

/** Why the page may not set the table up. */
export const why = () => now.why;

function tell() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    for (const draw of listeners) draw();
  });
}
