/** The order that a player is filling in: an action, the values of its keys, and what the server thinks of it. */

import { tryAction } from "./api.js";
import { formOf, formWhenHere } from "./forms.js";
import { begin } from "./play.js";
import { between, look, moment, state, unit, view } from "./store.js";
import { name } from "./words.js";

const [PAUSE_MS, AGAIN_MS] = [180, 1500];
const ON_TABLE = ["unit", "units", "figure", "figures", "point", "points", "path", "cell", "cells", "steps", "terrain"];
const MAP_ASKS = between ? ["piece", "hex", "hexes"] : ON_TABLE;
const SINGLE = ["unit", "figure", "point", "cell", "terrain", "piece", "hex"];
let timer = 0;

/**
 * @typedef {object} Order
 * @property {string} action
 * @property {string | null} unit
 * @property {Record<string, any>} values by key; `target` among them
 * @property {(string | number)[] | null} picking the path of the value that is touched on the map just now
 * @property {string[]} asked the keys for which the rules ask just now, though the form may leave them out
 * @property {any} tried what the server said of it as it stands
 */

/** Opens the form of an action, with some values given; the first thing to be touched on the map is asked for. */
export async function openOrder(action, unitId, values = {}, asked = []) {
  if (!formOf(action) && !(await formWhenHere(action))) return;
  show({ action, unit: unitId, values: { ...sideOf(formOf(action)), ...values }, picking: null, asked });
  const next = nextPick(view().order);
  if (next) pick(next);
  ask();
}

/** The side that a form begins with: a player's own, or whose turn it is where a turn begins or ends with it. */
function sideOf(form) {
  if (!form.fields.some((field) => field.key === "side" && field.required)) return {};
  const { seat, game } = state();
  const side = seat?.kind === "side" ? seat.side : form.passes !== "none" && game.turn.active_side;
  return side ? { side } : {};
}

/** Opens a form again as it was left, what was to be touched next included. */
export function resume({ action, unit: unitId, values, picking, asked }) {
  show({ action, unit: unitId, values, picking: null, asked });
  if (picking) pick(picking);
  ask();
}

const show = (order) => look({ order: { ...order, tried: null }, pane: "orders", sheet: "dice" });

/** Closes the form; nothing has happened. */
export function closeOrder() {
  clearTimeout(timer);
  look({ order: null, sheet: "half" });
}

/** The field of a value's path, `target` being one like the others. */
export function fieldAt(order, path) {
  const form = formOf(order.action);
  let fields = form ? fieldsOf(form) : [];
  let found = null;
  let inPair = false;
  for (const part of path) {
    if (found?.ask === "pairs" && inPair) {
      found = found.of[part];
      continue;
    }
    inPair = found?.ask === "pairs";
    if (typeof part === "number" || (found && found.ask.startsWith("each-"))) {
      if (found?.ask.startsWith("each-")) found = found.of[0];
      continue;
    }
    found = fields.find((field) => field.key === part) ?? null;
    if (!found) return null;
    fields = found.of;
  }
  return found;
}

/** All that a form asks for, its target first. */
export function fieldsOf(form) {
  if (form.target === "none") return form.fields;
  const target = { key: "target", label: "Target", ask: "unit", whose: form.whose, required: form.target === "must" };
  return [{ hint: "", default: null, choices: [], of: [], ...target }, ...form.fields];
}

/** The value at a path; undefined where none is given. */
export const valueAt = (order, path) => path.reduce((inside, part) => inside?.[part], order.values);

/** Sets a value, or takes it out where it is undefined. */
export function setValue(path, value) {
  const { order } = view();
  if (!order) return;
  const half = path.length > 2 && path.slice(-2).every(Number.isInteger); // of a pair, which keeps its two halves
  look({ order: { ...order, values: changed(order.values, path, value === undefined && half ? [] : value) } });
  ask();
}

/** Begins to touch a value on the map, or ends it with null. */
export function pick(path) {
  const { order, sheet } = view();
  if (!order) return;
  look({ order: { ...order, picking: path }, sheet: path ? "peek" : sheet === "peek" ? "dice" : sheet });
}

/** Takes what was touched on the map as the value in hand; one that is a list grows, or loses what it had. */
export function picked(value) {
  const { order } = view();
  const path = order.picking;
  const field = fieldAt(order, path);
  if (SINGLE.includes(field.ask)) {
    setValue(path, value);
    pick(nextPick(view().order));
    return;
  }
  const had = valueAt(order, path) ?? [];
  if (field.ask === "steps") {
    setValue(path, [...had, value]);
    return;
  }
  const same = had.findIndex((one) => JSON.stringify(one) === JSON.stringify(value));
  const list = same < 0 ? [...had, value] : had.filter((_, index) => index !== same);
  setValue(path, list.length ? list : undefined);
}

/** The action that the form stands for. */
export function actionOf({ action, unit: unitId, values }) {
  return { action, ...(unitId ? { unit: unitId } : {}), ...values };
}

/** What the order is called in the dice panel. */
export function titleOf(order) {
  const form = formOf(order.action);
  const at = order.values.target ? ` at ${name(order.values.target)}` : "";
  return order.unit ? `${name(unit(order.unit) ?? order.unit)}: ${form.title}${at}` : form.title;
}

/** Has it done; `override`: against the rules. */
export function go(override = false) {
  const { order } = view();
  const action = { ...actionOf(order), ...(override ? { override: true } : {}) };
  const title = titleOf(order);
  clearTimeout(timer);
  look({ order: null });
  begin(action, title);
}

/**
 * What is to be touched on the map next: the first of all things, or one that the action cannot do without; where
 * each figure has a place of its own, figure by figure.
 */
function nextPick(order) {
  const ways = fieldsOf(formOf(order.action))
    .filter((field, index) => field.required || index === 0)
    .flatMap((field) =>
      field.ask === "each-figure" && SINGLE.includes(field.of[0].ask)
        ? figuresOf(order).map((figure) => [field.key, figure])
        : MAP_ASKS.includes(field.ask) ? [[field.key]] : [],
    );
  return ways.find((path) => valueAt(order, path) === undefined) ?? null;
}

/** The figures of the order's unit, each of which may have a value of its own. */
export const figuresOf = (order) => (unit(order.unit)?.figures ?? []).map((figure) => figure.id);

function changed(inside, [part, ...rest], value) {
  const copy = Array.isArray(inside) ? [...inside] : { ...inside };
  const next = rest.length
    ? changed(inside?.[part] ?? (typeof rest[0] === "number" ? [] : {}), rest, value)
    : value;
  if (next === undefined && !Array.isArray(copy)) delete copy[part];
  else if (next === undefined) copy.splice(part, 1);
  else copy[part] = next;
  return copy;
}

/** Asks the server what it thinks of the order as it stands; again whenever the table has changed. */
export function ask(after = PAUSE_MS) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const { order } = view();
    if (!order) return;
    const { values } = order;
    const at = moment();
    const tried = await tryAction(actionOf(order)).catch((error) => error);
    if (view().order?.values !== values) return;
    if (!(tried instanceof Error)) return look({ order: { ...view().order, tried: { ...tried, at } } });
    look({ order: { ...view().order, tried: { state: "unready", lacks: tried.message, at } } });
    if (!tried.status) ask(AGAIN_MS); // not heard: until it is
  }, after);
}
