/** Touching the values of an order on the map, and showing there what has been touched. */

import { fill, s } from "./dom.js";
import { along, centroid, gap, radius } from "./geometry.js";
import { cellAt, cellShape } from "./grid.js";
import { stepTo, wayOf } from "./steps.js";
import { layers, map } from "./map.js";
import { refusedAt } from "./offered.js";
import { fieldAt, fieldsOf, picked, valueAt } from "./order.js";
import { formOf } from "./forms.js";
import { state, unit, view } from "./store.js";
import { titled } from "./words.js";

const DIAL_MM = 90;
let drawn = "";

/** The field whose value is touched on the map just now, or null. */
function pickingField() {
  const { order } = view();
  return order?.picking ? fieldAt(order, order.picking) : null;
}

/** What a player is to touch, in words; empty while nothing is asked for. */
export function pickHint() {
  const field = pickingField();
  if (!field) return "";
  const many = ["units", "figures", "points", "cells"].includes(field.ask);
  const last = view().order.picking.at(-1);
  const [cell, cells] = state().ruleset.unit === "hexes" ? ["hex", "hexes"] : ["square", "squares"];
  const label = last === field.key ? field.label : titled(last); // one figure's of many
  const what = {
    unit: "a unit", units: "the units", figure: "a figure", figures: "the figures", point: "the place",
    points: "the places", steps: `the ${cells}, one after the other`, path: "the way, point by point", cell: `the ${cell}`, cells: `the ${cells}`, terrain: "it",
  }[field.ask];
  return `${label}: touch ${what} on the map.${many ? " Touch again to take it out." : ""}`;
}

/** Takes a touch on the map for the order in hand. Returns whether it was one. */
export function pickTouch(point, slack) {
  const field = pickingField();
  if (!field) return false;
  if (field.ask === "steps") {
    const step = stepTo(unitCell(), valueAt(view().order, view().order.picking) ?? [], cellAt(point));
    if (step) picked(step);
    return true;
  }
  const found = {
    unit: unitAt, units: unitAt, figure: figureAt, figures: figureAt, terrain: terrainAt, cell: cellAt, cells: cellAt,
  }[field.ask];
  const value = found ? found(point, slack, field) : point.map((part) => Math.round(part * 10) / 10);
  if (value !== null && value !== undefined) picked(value);
  return true;
}

/** Takes a unit's label for the order in hand. Returns whether one was asked for. */
export function pickUnit(id) {
  const field = pickingField();
  if (!field?.ask.startsWith("unit")) return false;
  if (meant(unit(id), field)) picked(id);
  return true;
}

/** Whether a unit is of those that a field means. */
export function meant(one, field) {
  const { order } = view();
  const own = unit(order.unit)?.side;
  if (!one || (one.id === order.unit && field.ask.startsWith("unit"))) return false;
  if (!own || field.whose === "any") return true;
  if (field.whose === "same-cell") return one.side === own && inCellOf(one.id, order.unit);
  return (one.side === own) === (field.whose === "own");
}

/** The units that stand aside while one is touched on the map: those that are not meant, or that the rules refuse. */
export function aside() {
  const field = pickingField();
  if (!field?.ask.startsWith("unit")) return new Set();
  const { order } = view();
  const refused = refusedAt(order, order.picking);
  const all = state().game.units.filter((one) => one.id !== order.unit);
  const could = all.filter((one) => meant(one, field));
  const able = could.filter((one) => !refused.has(one.id));
  const asked = new Set(able.length ? able : could);
  return new Set(all.filter((one) => !asked.has(one)).map((one) => one.id));
}

/** Whether there is anybody whom a field could mean: where nobody shares a unit's cell, nobody goes along. */
export const meansSome = (field) =>
  field.whose !== "same-cell" || state().game.units.some((one) => meant(one, field));

/** Whether two units stand in one cell of the grid. */
function inCellOf(one, other) {
  const [mine, theirs] = [one, other].map((id) => state().cells?.[id]?.cells[0]);
  return mine !== undefined && String(mine) === String(theirs);
}

/** Draws on the map what the order in hand holds. */
export function drawPicks() {
  const { order, quarter } = view();
  const field = pickingField();
  map.getContainer().classList.toggle("map--picking", Boolean(field) && !field.ask.startsWith("unit"));
  const key = JSON.stringify([order?.action, order?.values, quarter, order && state().game.units]);
  if (key === drawn) return;
  drawn = key;
  const form = order && formOf(order.action);
  fill(layers.picks, form && fieldsOf(form).map((field) => marks(field, valueAt(order, [field.key]))));
}

function marks(field, value) {
  if (value === undefined || value === null) return null;
  switch (field.ask) {
    case "point":
      return spot(value);
    case "points":
      return value.map(spot);
    case "path":
      return [s("polyline", { class: "pick__way", points: value.map((p) => p.join(",")).join(" ") }), value.map(spot)];
    case "cell":
      return cellShape(value, "pick__cell");
    case "cells":
      return value.map((cell) => cellShape(cell, "pick__cell"));
    case "steps":
      return waySteps(value);
    case "unit":
      return rings(unit(value)?.figures ?? []);
    case "units":
      return value.map((id) => rings(unit(id)?.figures ?? []));
    case "figure":
      return rings(figures().filter((figure) => figure.id === value));
    case "figures":
      return rings(figures().filter((figure) => value.includes(figure.id)));
    case "pairs":
      return rings(figures().filter((figure) => value.flat(2).includes(figure.id)));
    case "each-figure":
      return Object.values(value).filter(Array.isArray).map(spot);
    case "bearing":
      return heading(value);
    default:
      return null;
  }
}

const unitCell = () => state().cells?.[view().order.unit]?.cells[0];

function waySteps(steps) {
  const cells = wayOf(unitCell(), steps);
  const points = cells.map((cell) => cell.centre.join(",")).join(" ");
  return [s("polyline", { class: "pick__way", points }), cells.slice(1).map((cell) => cellShape(cell.cell, "pick__cell"))];
}

function heading(bearing) {
  const one = unit(view().order.unit);
  if (!one?.figures.length) return null;
  const { order } = view();
  const from = Array.isArray(order.values.to) && !state().game.table.grid ? order.values.to : centroid(one.figures);
  const tip = along(from, bearing, DIAL_MM);
  const barbs = [150, 210].map((turn) => along(tip, bearing + turn, 22));
  return s("path", {
    class: "pick__way",
    d: `M${from.join(" ")}L${tip.join(" ")}M${barbs[0].join(" ")}L${tip.join(" ")}L${barbs[1].join(" ")}`,
  });
}

const figures = () => state().game.units.flatMap((one) => one.figures);

const spot = ([x, y]) => s("circle", { class: "pick__spot", cx: x, cy: y, r: 9 });

const rings = (some) =>
  some.map((figure) =>
    s("circle", { class: "pick__ring", cx: figure.x_mm, cy: figure.y_mm, r: radius(figure) + 6 }),
  );

function nearestFigure(point, slack, field) {
  const place = { x_mm: point[0], y_mm: point[1], base: { shape: "round", diameter_mm: 0 } };
  return state()
    .game.units.filter((one) => meant(one, field))
    .flatMap((one) => one.figures.map((figure) => ({ one, figure, away: gap(place, figure).distance })))
    .filter(({ away }) => away <= slack)
    .sort((a, b) => a.away - b.away)[0];
}

const unitAt = (point, slack, field) => nearestFigure(point, slack, field)?.one.id;
const figureAt = (point, slack, field) => nearestFigure(point, slack, field)?.figure.id;

/** The topmost piece of terrain with the point in it. */
function terrainAt([x, y]) {
  const inside = ({ polygon_mm: ring }) =>
    ring?.reduce((odd, [x1, y1], index) => {
      const [x0, y0] = ring.at(index - 1);
      return y1 > y !== y0 > y && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1 ? !odd : odd;
    }, false);
  return state().game.terrain.findLast(inside)?.id;
}
