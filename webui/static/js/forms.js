/** What every action asks of a player, and which are open now: asked of the server when somebody looks, and kept. */

import { getForms, openActions } from "./api.js";
import { look, moment, state, view } from "./store.js";

const PAUSE_MS = 120; // a table that moves on changes several times in a moment

let forms = { ruleset: null, byAction: new Map() };
/** @type {Promise<void> | null} */
let coming = null;
const open = new Map(); // unit id, "" for the game → {at, list}
const wanted = new Set();
let timer = 0;

/** The forms of the ruleset in play, in the order in which players are shown them; empty until they came. */
export function allForms() {
  const { ruleset } = state() ?? {};
  if (ruleset && forms.ruleset !== ruleset.id) coming ??= fetchForms().finally(() => (coming = null));
  return forms.ruleset === ruleset?.id ? [...forms.byAction.values()] : [];
}

/** The form of an action; null until it came, or where there is none such. */
export const formOf = (action) => (allForms().length ? (forms.byAction.get(action) ?? null) : null);

/** The form of an action, waited for where the page is quicker than the server; null where it does not come. */
export async function formWhenHere(action) {
  await formsHere();
  return formOf(action);
}

/** Waits for the forms where the page is quicker than the server. Gives whether they came. */
export async function formsHere() {
  if (!allForms().length) await coming;
  return forms.ruleset === state().ruleset?.id;
}

/**
 * How the actions of a unit stand (null: those of the game). What was so a moment ago is given until the newer
 * answer is there; null before the first.
 */
export function openFor(unit) {
  const key = unit ?? "";
  const known = open.get(key);
  if (known?.at !== moment()) {
    wanted.add(key);
    clearTimeout(timer);
    timer = setTimeout(fetchOpen, PAUSE_MS);
  }
  return known?.list ?? null;
}

/** The form that passes the turn on: to the next `side`, or to a new `turn`; undefined where the rules have none. */
export const passing = (what) => allForms().find((form) => form.passes === what);

async function fetchForms() {
  const found = await getForms().catch(() => null);
  if (!found) return;
  forms = { ruleset: found.ruleset, byAction: new Map(found.forms.map((form) => [form.action, whole(form)])) };
  open.clear();
  told();
}

async function fetchOpen() {
  for (const key of [...wanted]) {
    wanted.delete(key);
    const at = moment();
    const found = await openActions(key || null).catch(() => null);
    if (!found) continue;
    open.set(key, { at, list: found.open });
    told();
  }
}

const told = () => look({ known: view().known + 1 });

/** A form with what the server leaves out where it is as usual. */
function whole(form) {
  const fields = (form.fields ?? []).map(wholeField);
  const usual = { hint: "", scope: "unit", section: "orders", target: "none", whose: "enemy", passes: "none" };
  return { ...usual, ...form, fields };
}

function wholeField(field) {
  const usual = { hint: "", required: false, default: null, choices: [], least: null, most: null, whose: "any", said_by: "own" };
  return { ...usual, ...field, of: (field.of ?? []).map(wholeField) };
}
