/** Who a roll is about: the units that its text names, ringed on the map and brought into sight while it is asked for. */

import { fill, s } from "./dom.js";
import { at, radius } from "./geometry.js";
import { layers, showPoints } from "./map.js";
import { state, unit, view } from "./store.js";

const SHEET_MS = 220; // the sheet has made room by then
const WIDER_MM = 6;
let drawn = "";
let shown = "";
let soon = 0; // the map is about to be moved there

/** The units that the roll in hand names; none while nothing is asked for. */
function rollers() {
  const { request, entry, error } = view().play ?? {};
  return entry || error ? [] : (request?.units ?? []).map(unit).filter((one) => one?.figures.length);
}

/** The units that stand aside while others roll. */
export function notRolling() {
  const rolling = new Set(rollers());
  return rolling.size ? state().game.units.filter((one) => !rolling.has(one)).map(({ id }) => id) : [];
}

/** Rings those whom the roll in hand is about, and moves the map to them once for each roll. */
export function drawRollers() {
  const units = rollers();
  const key = JSON.stringify(units);
  if (key !== drawn) {
    drawn = key;
    fill(layers.rollers, units.flatMap(({ figures }) => figures).map(ring));
  }
  const asked = units.length ? view().play.request.for : "";
  if (asked === shown) return;
  shown = asked;
  clearTimeout(soon);
  if (asked) soon = setTimeout(showRollers, SHEET_MS);
}

/** Brings those into sight whom the roll in hand is about. Gives whether there is anybody. */
export function showRollers() {
  const units = rollers();
  if (units.length) showPoints(concerned(units));
  return units.length > 0;
}

/** Where those stand whom a roll is about, and those whom the action is: who charges does so at somebody. */
function concerned(units) {
  const { unit: actor, target } = view().play?.action ?? {};
  return [...units, unit(actor), unit(target)].flatMap((one) => (one?.figures ?? []).map(at));
}

const ring = (figure) =>
  s("circle", { class: "roller", cx: figure.x_mm, cy: figure.y_mm, r: radius(figure) + WIDER_MM });
