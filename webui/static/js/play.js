/**
 * Playing one action: the server asks for dice, the player types or has them rolled, until it is done.
 * The server keeps nothing in between; the scores so far live here, and survive a reload. The server is asked anew
 * whenever the table has changed; once dice were sent, a change that matters is for the player to look at.
 */

import { askAgain, resolve, sentence } from "./api.js";
import { refresh } from "./live.js";
import { look, moment, state, view } from "./store.js";
import { toast } from "./toast.js";

const KEPT = "vedette-play";
const OUTDATED = 409; // the game changed after the state that the player acted on
const FORBIDDEN = 422; // by the rules, or by the dice
const NOT_NOW = [0, 503]; // the laptop did not answer, or has its hands full
const NO_DICE = { message: "As the table stands now, it needs no dice.", reasons: [], status: 200 };
let answeredAt = ""; // the moment of the table that the last answer is of
let asking = false;

/**
 * @typedef {object} Play
 * @property {object} action
 * @property {string} title
 * @property {string} key by which the server knows it again, when its answer was lost
 * @property {number} revision the state that the player acted on
 * @property {number[]} dice scores that were sent
 * @property {number[]} typed scores of the present roll
 * @property {any} request the roll that is asked for, null while the server thinks
 * @property {any[]} rolls the rolls made so far
 * @property {any[]} events what would have happened so far
 * @property {any} entry the log's entry, once done
 * @property {{message: string, reasons: string[], status: number} | null} error
 * @property {{number: number, active_side: string} | null} passes the turn that passes on with it: only once, whoever does it
 * @property {boolean} changed whether the table has changed what was asked for, or allowed, since the player began
 * @property {boolean} busy
 */

/** Begins an action; `passes` is the turn that passes on with it, if one does. */
export function begin(action, title, passes = null) {
  start({ action, title, passes, revision: state().revision, dice: [], typed: [], key: newKey() });
}

/** Has an action done that asks nobody for dice, unless others did it first: `isDone` tells. Raises Refused. */
export async function atOnce(action, isDone) {
  const done = await sending({ action, dice: [], roll: true, revision: state().revision, key: newKey() }, isDone);
  await refresh();
  return done;
}

/** Takes up what was being typed before a reload. */
export function takeUp() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    if (kept?.action) start(kept);
  } catch {
    // Nothing was kept: a private window.
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

/**
 * Asks anew what the action would begin with, where the table has changed and no dice were sent: what the rules no
 * longer allow is told before anybody rolls for nothing, and what they allow again is asked for again. Of one whose
 * dice were sent it asks no more than whether they still hold: what they would come to now is for the player to see.
 */
export async function keepUp() {
  const { play } = view();
  if (asking || !play || play.busy || play.entry || answeredAt === moment()) return;
  const sent = play.dice.length;
  if (sent && play.error?.status === OUTDATED) return;
  const [at, { revision }] = [moment(), state()];
  asking = true;
  const answer = await askAgain(play.action, sent ? play.revision : null, play.key).catch((error) => error);
  asking = false;
  const now = view().play;
  if (now?.action !== play.action || now.busy || now.entry || now.dice.length !== sent) return;
  if (NOT_NOW.includes(answer.status)) return; // asked again as soon as there is more news
  answeredAt = at;
  if (answer.status === "done") take(wasDone(answer));
  else if (hasPassed(play)) passed();
  else if (!sent) take({ revision, ...asItStands(answer, now) });
  else if (answer.status === OUTDATED) take({ error: told(answer) });
}

/** What becomes of a play by the answer to what it would begin with now. */
function asItStands(answer, { request, error, changed }) {
  if (answer.status === "needs_dice") {
    const { next, rolls, events } = answer;
    return { request: next, rolls, events, error: null, changed: changed || Boolean(error) || !sameRoll(next, request) };
  }
  const why = answer instanceof Error ? told(answer) : answer.status === "refused" ? refusal(answer) : NO_DICE;
  return { request, error: why, changed: changed || !error };
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
    play: { request: null, ...play, rolls: [], events: [], entry: null, error: null, changed: false, busy: true },
    pane: "orders",
    sheet: "dice",
  });
  advance(false);
}

async function advance(roll) {
  const { action } = view().play;
  change({ busy: true, error: null, changed: false });
  const patch = await sent(roll).catch((error) => ({ error: told(error) }));
  if (view().play?.action === action) take({ ...patch, busy: false });
}

const newKey = () => [...crypto.getRandomValues(new Uint32Array(4))].join("-");

const refusal = ({ error, reasons }) => ({ message: sentence(error), reasons, status: FORBIDDEN });
const told = ({ message, reasons = [], status = 0 }) => ({ message, reasons, status });
const sameRoll = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Takes an answer over; what was typed for another roll than the one that is asked for now is let go. */
function take(patch) {
  const { typed, request } = view().play;
  change({ ...patch, typed: "request" in patch && !sameRoll(patch.request, request) ? [] : typed });
}

/** What becomes of the play when the scores so far are sent. Raises Refused. */
async function sent(roll) {
  const { action, dice, revision, key, passes } = view().play;
  answeredAt = moment();
  const answer = await sending({ action, dice, roll, revision, key }, () => hasPassed({ passes }));
  if (answer.status === "overtaken") return passed();
  if (answer.status !== "done") return { request: answer.next, rolls: answer.rolls ?? [], events: answer.events ?? [] };
  refresh();
  return wasDone(answer);
}

/** Sends what is wanted; where nobody has rolled yet, the table as it stands now is what the player means. */
async function sending(wanted, isDone = () => false) {
  try {
    return await resolve(wanted);
  } catch (error) {
    if (error.status !== OUTDATED || wanted.dice.length > 0) throw error;
    await refresh();
    answeredAt = moment();
    if (isDone()) return { status: "overtaken" };
    return resolve({ ...wanted, revision: state().revision });
  }
}

/** Whether the turn that was to pass on with an action has passed on without it. */
function hasPassed({ passes }) {
  const { number, active_side: side } = state().game.turn;
  return Boolean(passes) && (passes.number !== number || passes.active_side !== side);
}

/** Somebody else was quicker to pass the turn on. */
function passed() {
  leave();
  toast("The turn has been passed on already.");
}

const wasDone = ({ entry }) => ({ entry, rolls: entry.rolls ?? [], request: null, error: null });

function change(patch) {
  const play = { ...view().play, ...patch };
  keep(
    play.entry
      ? null
      : Object.fromEntries(["action", "title", "passes", "key", "revision", "dice", "typed", "request"].map((key) => [key, play[key]])),
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
