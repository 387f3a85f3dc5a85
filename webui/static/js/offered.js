/** What a form offers for a value: first what the rules allow as things stand and, of units, who is nearest; the rest is folded away. */

import { h } from "./dom.js";
import { openFor } from "./forms.js";
import { apart, at } from "./geometry.js";
import { ruleChip } from "./note.js";
import { unit } from "./store.js";
import { named } from "./words.js";

const SHOWN = 6; // as many chips as one reads at a glance

/**
 * The chips of what may be chosen, and those that the rules refuse as things stand, or that are many, one touch away.
 * @param {any} order
 * @param {(string | number)[]} path of the value
 * @param {(string | number)[]} values
 * @param {(string | number)[]} chosen what is always shown
 * @param {(value: any) => HTMLElement} chip
 * @param {HTMLElement} [last] what stands behind the chips
 */
export function offered(order, path, values, chosen, chip, last) {
  const refused = refusedAt(order, path);
  const able = values.filter((one) => !refused.has(String(one)));
  const known = refused.size > 0 && able.length > 0;
  const first = known ? able : unit(values[0]) ? values.slice(0, SHOWN) : values;
  const [shown, rest] = [true, false].map((now) =>
    values.filter((one) => (first.includes(one) || chosen.includes(one)) === now),
  );
  return [
    h("div", { class: "picks" }, shown.map(chip), last),
    known
      ? folded(path, "Not now", rest, "reasoned", (one) => [chip(one), why(refused.get(String(one)))])
      : folded(path, unit(order.unit)?.figures.length ? "Farther away" : "Others", rest, "picks", chip),
  ];
}

/** Units by how far they are from the one that acts, the nearest first; as they came where none does. */
export function nearestFirst(order, units) {
  const own = unit(order.unit)?.figures ?? [];
  const away = (one) => Math.min(...one.figures.flatMap((theirs) => own.map((mine) => apart(at(theirs), at(mine)))));
  return own.length ? units.map((one) => ({ one, far: away(one) })).sort((a, b) => a.far - b.far).map(({ one }) => one) : units;
}

/** The words that there are for a key in this game as the order stands, where its form has more; undefined: all. */
export const wordsHere = (order, [key]) => order.tried?.choices?.[key] ?? opened(order)?.choices?.[key];

const opened = (order) => openFor(order.unit)?.find((one) => one.action === order.action);

/** The values of an order that the rules refuse, whatever else it says, each with the reasons. */
export function refusedAt(order, path) {
  const aims = path.length > 1 ? [] : (opened(order)?.aims ?? []);
  return new Map(aims.filter((aim) => aim.key === path[0] && !aim.allowed).map((aim) => [aim.value, aim]));
}

function folded(path, called, values, look, shown) {
  if (!values.length) return null;
  return h(
    "details",
    { class: "not", data: { key: `rest-${path.join("-")}` } },
    h("summary", { class: "not__head" }, called, h("span", { class: "not__count" }, values.length)),
    h("div", { class: `${look} not__picks` }, values.map(shown)),
  );
}

/** Why a value is refused. */
function why(aim) {
  const { why_not: reasons = [], why_rules: rules = [] } = aim ?? {};
  return h("p", { class: "quiet" }, reasons.map((text, index) => [index > 0 && "; ", named(text), rules[index] && [" ", ruleChip(rules[index])]]));
}
