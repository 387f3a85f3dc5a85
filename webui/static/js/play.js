/**
 * Playing one action: the server asks for dice, the player types or has them rolled, until it is done.
 * The server keeps nothing in between; the scores so far live here, and survive a reload.
 */

import { resolve } from "./api.js";
import { refresh } from "./live.js";
import { look, state, view } from "./store.js";

const KEPT = "vedette-play";
const OUTDATED = 409; // the game changed after the state that the player acted on

/**
 * @typedef {object} Play
 * @property {object} action
 * @property {string} title
 * @property {number} revision the state that the player acted on
 * @property {number[]} dice scores that were sent
 * @property {number[]} typed scores of the present roll
 * @property {any} request the roll that is asked for, null while the server thinks
 * @property {any[]} rolls the rolls made so far
 * @property {any[]} events what would have happened so far
 * @property {any} entry the log's entry, once done
 * @property {{message: string, reasons: string[], status: number} | null} error
 * @property {boolean} busy
 */

/** Begins an action. */
export function begin(action, title) {
  start({ action, title, revision: state().revision, dice: [], typed: [] });
}

/** Takes up what was being typed before a reload. Returns whether there was something. */
export function takeUp() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    if (!kept?.action) return false;
    start(kept);
    return true;
  } catch {
    return false;
  }
}

/** Adds a score to the roll in hand. */
export function type(score) {
  const { typed, request, busy, entry } = view().play;
  if (busy || entry || !request || typed.length >= request.count) return;
  change({ typed: [...typed, score] });
}

/** Takes a typed score out again: the last one, or the one at `index`. */
export function untype(index = view().play.typed.length - 1) {
  change({ typed: view().play.typed.filter((_, place) => place !== index) });
}

/** Sends the roll in hand. */
export function confirm() {
  const { dice, typed, request, busy } = view().play;
  if (busy || !request || typed.length !== request.count) return;
  change({ dice: [...dice, ...typed], typed: [] });
  advance(false);
}

/** Lets the program roll whatever is left of the action. Scores already typed for this roll are let go. */
export function rollTheRest() {
  change({ typed: [] });
  advance(true);
}

/** Goes on after an error, on the table as it stands now. */
export function again() {
  change({ revision: state().revision });
  advance(false);
}

/** The umpire has it done against the rules; it is logged as such. */
export function overrule() {
  change({ action: { ...view().play.action, override: true }, revision: state().revision });
  advance(false);
}

/** Closes the dice: done, or given up. Nothing has changed unless it was done. */
export function leave() {
  keep(null);
  look({ play: null, sheet: "half" });
}

function start(play) {
  look({
    play: { ...play, request: null, rolls: [], events: [], entry: null, error: null, busy: true },
    pane: "orders",
    sheet: "dice",
  });
  advance(false);
}

async function advance(roll) {
  const { action } = view().play;
  change({ busy: true, error: null });
  const patch = await sent(roll).catch((error) => ({
    error: { message: error.message, reasons: error.reasons ?? [], status: error.status ?? 0 },
  }));
  if (view().play?.action === action) change({ ...patch, busy: false });
}

/** What becomes of the play when the scores so far are sent. Raises Refused. */
async function sent(roll) {
  const { action, dice, revision } = view().play;
  let answer;
  try {
    answer = await resolve({ action, dice, roll, revision });
  } catch (error) {
    if (error.status !== OUTDATED || dice.length > 0) throw error;
    await refresh(); // nobody has rolled yet: the table as it stands now is what the player means
    answer = await resolve({ action, dice, roll, revision: state().revision });
  }
  if (answer.status !== "done") return { request: answer.next, rolls: answer.rolls ?? [], events: answer.events ?? [] };
  refresh();
  return { entry: answer.entry, rolls: answer.entry.rolls ?? [], request: null };
}

function change(patch) {
  const play = { ...view().play, ...patch };
  keep(
    play.entry
      ? null
      : { action: play.action, title: play.title, revision: play.revision, dice: play.dice, typed: play.typed },
  );
  look({ play });
}

function keep(value) {
  try {
    if (value) sessionStorage.setItem(KEPT, JSON.stringify(value));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // Not kept: a private window.
  }
}
