/**
 * Keeps the page in step with the server: server-sent events say that something changed, a fetch brings it.
 * Where events do not come through, the page asks every two seconds; it says so when nobody answers.
 */

import { getState } from "./api.js";
import { bigScreen, forget, look, state, takeState, view } from "./store.js";

const POLL_MS = 2000;
const SAFETY_MS = 12000; // a sleeping phone or a proxy may drop events without an error
const SILENT_MS = 8000; // the server is heard every few seconds: one that sleeps, or is out of reach, says nothing
const LOOK_MS = 1000;
const NOT_JOINED = 401;
const RETRY_MS = [500, 1000, 2000, 5000];

const tabs = new BroadcastChannel("vedette");
let source = null;
let failures = 0;
let retry = 0;
let running = null;
let again = false;
let heard = 0; // when the stream last said something, or this page last began to listen or was asleep itself
let looked = 0;

/** Starts, and never stops while the page is open. */
export function goLive() {
  refresh().finally(listen);
  setInterval(() => !["live", "closed"].includes(view().link) && !document.hidden && refresh(), POLL_MS);
  setInterval(() => view().link === "live" && !document.hidden && refresh(), SAFETY_MS);
  document.addEventListener("visibilitychange", comeAndGo);
  setInterval(watchSilence, LOOK_MS);
  addEventListener("online", refresh);
  addEventListener("offline", () => {
    link("offline");
    refresh(); // an answer that is on its way still says that all is well: ask once more after it
  });
  tabs.addEventListener("message", refresh);
}

/** Tells the other tabs of this browser that what they know is another's: they share the seat. */
export function tellTabs() {
  tabs.postMessage("seat");
}

function watchSilence() {
  const now = Date.now();
  if (now - looked > 3 * LOOK_MS) heard = now;
  looked = now;
  if (view().link !== "live" || document.hidden || now - heard < SILENT_MS) return;
  link("offline");
  refresh();
}

/** Begins anew as whoever has joined: what was known was another's. */
export async function goLiveAgain() {
  source?.close();
  forget();
  await refresh();
  listen();
}

/** Fetches the state if there is a newer one. Calls that overlap become one more fetch, and end together. */
export function refresh() {
  again = true;
  running ??= fetchNewer().finally(() => (running = null));
  return running;
}

async function fetchNewer() {
  try {
    while (again) {
      again = false;
      takeState(await getState(state(), bigScreen()));
      if (["offline", "closed"].includes(view().link)) link(source?.readyState === EventSource.OPEN ? "live" : "polling");
    }
  } catch (error) {
    link(error.status === NOT_JOINED ? "closed" : "offline");
  }
}

/** A page that nobody sees lets its connection go: a browser has only six for all its tabs, a phone one battery. */
function comeAndGo() {
  if (document.hidden) {
    source?.close();
    return;
  }
  listen();
  refresh();
}

function listen() {
  clearTimeout(retry);
  if (view().link === "closed") return;
  if (document.hidden || (source && source.readyState !== EventSource.CLOSED)) return;
  source = new EventSource("/api/events");
  heard = Date.now();
  source.addEventListener("open", () => {
    failures = 0;
    heard = Date.now();
    link("live");
    refresh();
  });
  source.addEventListener("still", () => {
    heard = Date.now();
    if (view().link === "offline") refresh();
  });
  source.addEventListener("revision", (event) => {
    heard = Date.now();
    if (JSON.parse(event.data).revision !== state()?.revision) refresh();
  });
  source.addEventListener("error", () => {
    if (view().link === "live") link("polling");
    if (view().link !== "closed") refresh();
    if (source.readyState !== EventSource.CLOSED) return;
    clearTimeout(retry);
    retry = setTimeout(listen, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
  });
}

function link(next) {
  if (view().link !== next) look({ link: next });
}
