/** What the selected unit can do, drawn: its fire arc in bands, its reach, and a line to each possible target. */

import { blocksOn, namedGround } from "./blocks.js";
import { fill, h, s } from "./dom.js";
import { fireArc } from "./firearc.js";
import { formOf } from "./forms.js";
import { cellOf, cellShape } from "./grid.js";
import { along, apart, at, bearingTo, centroid, gap, nearest, overlap } from "./geometry.js";
import { boxOf, boxOfBase, layers, ll, map, pin } from "./map.js";
import { answerFor, state, unit, view } from "./store.js";
import { aspect, length, named, range } from "./words.js";

const ASIDE_MM = 9;
const [BARB_MM, BARB_DEG] = [22, 28]; // of an arrow's head
const WAYS = ["point", "points", "path", "cell", "cells", "steps"]; // what is asked for where somebody moves
let drawn = "";
const ON_FIGURE = 20; // what is to be said against a range's place: that it covers a figure, or another range
const ON_ANOTHER = 500;
const MOST_COVERED = 1; // figures, by a range
const ROUNDS = 3;
/** Where along its line a range may stand, best first. */
const SHARES = [0.5, 0.65, 0.35, 0.58, 0.42, 0.72, 0.28, 0.8];
let pins = [];
let texts = []; // the rectangles on the screen that ranges take
let ranges = []; // of those, the ones that tell a range, with the ends of its line

/** Draws for the unit in hand; wipes everything where none is. */
export function drawOverlay() {
  const one = unit(view().unit);
  const answer = one && answerFor(one.id);
  const key = JSON.stringify([one, answer, view().lit, view().order?.action, view().quarter, view().ground, view().known, one && state().revision]);
  if (key === drawn) return;
  drawn = key;
  for (const old of pins) old.remove();
  pins = [];
  ranges = [];
  const usable = one?.figures.length ? one : null;
  const fields = view().order ? (formOf(view().order.action)?.fields ?? []) : null; // an order has the map to itself
  fill(layers.arc, !fields && usable && fireArc(answer?.arc, (point, text) => label(point, text, "pin--ring")));
  fill(layers.reach, answer?.move && (!fields || fields.some(({ ask }) => WAYS.includes(ask))) && reach(answer.move));
  fill(layers.lines, !fields && usable && answer && targetLines(usable, answer));
  markFigures(usable && view().lit);
  spreadRanges();
}

/**
 * Moves ranges along their lines until none lies on another, nor on a figure where that can be: after a zoom, too. One
 * for which there is no room but on others is not shown: its option's card tells it.
 */
export function spreadRanges() {
  for (const { marker } of ranges) marker.getElement().hidden = false;
  const figures = ranges.length ? state().game.units.flatMap((one) => one.figures.map(boxOfBase)) : [];
  const choices = ranges.map((one) => spotsAlong(one, figures));
  let chosen = choices.map((spots) => spots[0]);
  const cost = (spot, place) =>
    spot.cost + chosen.reduce((sum, other, at) => sum + (at !== place && overlap(spot, other) ? ON_ANOTHER : 0), 0);
  for (let round = 0; round < ROUNDS; round += 1)
    choices.forEach((spots, place) => {
      const best = spots.reduce((least, spot) => (cost(spot, place) < cost(least, place) ? spot : least));
      chosen = chosen.with(place, best);
    });
  texts = [];
  chosen.forEach((spot, place) => {
    const { marker, lit } = ranges[place];
    const room = lit || (spot.covered <= MOST_COVERED && !texts.some((other) => overlap(spot, other)));
    marker.setLatLng(spot.place);
    marker.getElement().hidden = !room;
    const { x, y, width, height } = spot;
    if (room) texts.push({ x, y, width, height });
  });
}

/** Where a range may stand, and how much is to be said against it: the figures that it covers, and not being amid. */
function spotsAlong({ marker, ends: { a, b } }, figures) {
  const { width, height } = boxOf(marker.getElement().firstElementChild);
  return SHARES.map((share, index) => {
    const place = ll([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
    const { x, y } = map.latLngToContainerPoint(place);
    const box = { place, x: x - width / 2, y: y - height / 2, width, height };
    const covered = figures.filter((figure) => overlap(box, figure)).length;
    return { ...box, covered, cost: index + ON_FIGURE * covered };
  });
}

/** The rectangles on the screen that ranges take. */
export const rangeTexts = () => texts;

/** The lines on the screen that the ranges are told of. */
export const rangeLines = () =>
  ranges.map(({ ends }) => {
    const [a, b] = [ends.a, ends.b].map((end) => map.latLngToContainerPoint(ll(end))).map(({ x, y }) => [x, y]);
    return { a, b, length: apart(a, b) };
  });

/** The ground in reach: cells of a grid, polygons with their holes, or one outline. */
function reach(move) {
  const cells = move.reach_squares ?? move.reach_hexes;
  if (cells) return cells.map((cell) => cellShape(cell.cell ?? cell.hex ?? cell, "reach"));
  const ring = (points) => `M${points.map((point) => point.join(" ")).join("L")}Z`;
  if (move.reach_polygons_mm?.length)
    return s("path", { class: "reach", "fill-rule": "evenodd", d: move.reach_polygons_mm.flat().map(ring).join("") });
  return move.reach_mm?.length ? s("path", { class: "reach", d: ring(move.reach_mm) }) : null;
}

function targetLines(one, answer) {
  const lines = [];
  for (const target of new Set([...answer.fire, ...answer.charge].map((option) => option.target))) {
    const foe = unit(target);
    if (!foe?.figures.length) continue;
    const fires = answer.fire.filter((option) => option.target === target);
    const charge = answer.charge.find((option) => option.target === target);
    const best = fires.find((option) => option.legal) ?? fires[0];
    const lit = view().lit?.target === target;
    const charging = lit && view().lit.key.startsWith("charge-");
    const legal = Boolean(best?.legal);
    const doubt = Boolean(legal && best.borderline?.length);
    const ends = best?.shooters.length ? firingEnds(one, foe, best) : nearest(one.figures, foe.figures);
    if (legal || lit || !charge?.legal)
      lines.push(line(ends, `aim ${legal ? "aim--legal" : "aim--not"} ${doubt ? "aim--doubt" : ""} ${lit && !charging ? "aim--lit" : ""}`));
    const against = lit ? view().lit.option : (best ?? charge);
    const barred = !against.legal && against;
    if (barred) lines.push(...blocksOn(barred, ends, lit));
    if (lit && barred) for (const ground of namedGround(barred, ends)) label(ground.place, named(ground.name), "pin--blocks");
    if (charge?.legal)
      lines.push(arrow(beside(nearest(one.figures, foe.figures)), `aim aim--charge ${charging ? "aim--lit" : ""}`));
    if (legal || charge?.legal || lit) {
      const far = charging && charge.aspect ? `${length(charge.distance_mm)} · ${aspect(charge.aspect)}` : (best && range(best)) || length(ends.distance);
      const open = Boolean(against.borderline?.length); // too close to call: said here as on its card
      const look = `pin--range ${legal || charge?.legal ? "" : "pin--faint"} ${open ? "pin--close" : ""}`;
      ranges.push({ ends, lit, marker: label(ends.a, open ? `${far} ?` : far, look) });
    }
  }
  return lines;
}

/** Marks the figures that fire by the option in hand, and those that they see. */
function markFigures(lit) {
  for (const element of layers.figures.querySelectorAll("[data-figure]")) {
    element.classList.toggle("base--fires", Boolean(lit?.shooters.includes(element.dataset.figure)));
    element.classList.toggle("base--aimed", Boolean(lit?.seen.includes(element.dataset.figure)));
  }
}

/** The ends of the shortest line between a figure that fires and one that it sees. */
function firingEnds(one, foe, option) {
  const from = one.figures.filter((figure) => option.shooters.includes(figure.id));
  const to = foe.figures.filter((figure) => option.targets_seen.includes(figure.id));
  return (
    nearest(from.length ? from : one.figures, to.length ? to : foe.figures) ?? gap(one.figures[0], foe.figures[0])
  );
}

const line = ({ a, b }, name) => s("path", { class: name, d: `M${a[0]} ${a[1]}L${b[0]} ${b[1]}` });

/** A line with a head: the way of a charge, to where it meets its target. */
function arrow({ a, b }, name) {
  const back = bearingTo(b, a);
  const barbs = [-BARB_DEG, BARB_DEG].map((turn) => along(b, back + turn, BARB_MM).join(" "));
  return [line({ a, b }, name), s("path", { class: `${name} aim--head`, d: `M${barbs[0]}L${b.join(" ")}L${barbs[1]}` })];
}

/** The same line a little to its right, so that it can be told from the line of fire. */
function beside({ a, b }) {
  const way = bearingTo(a, b) + 90;
  return { a: along(a, way, ASIDE_MM), b: along(b, way, ASIDE_MM) };
}

function label(point, text, name) {
  pins.push(
    pin(point, h("span", { class: `pin__text ${name}`, "aria-hidden": "true" }, text), { zIndexOffset: 400 }),
  );
  return pins.at(-1);
}

/** The points that should be in sight for a unit: its own and those of what it may fire at or charge; else of its reach. */
export function pointsOfInterest(one, answer) {
  const foes = [...(answer?.fire ?? []), ...(answer?.charge ?? [])]
    .filter((option) => option.legal)
    .map((option) => unit(option.target));
  const figures = [...one.figures, ...foes.flatMap((foe) => foe?.figures ?? [])];
  const reached = foes.length ? [] : reachPoints(answer?.move);
  return figures.length ? [...figures.map(at), ...reached] : [centroid(one.figures)];
}

/** The corners of the ground in reach. */
function reachPoints(move) {
  const cells = move?.reach_squares ?? move?.reach_hexes;
  if (cells) return cells.map((cell) => cellOf(cell.cell ?? cell.hex ?? cell)?.centre).filter(Boolean);
  return move?.reach_polygons_mm?.flat(2) ?? move?.reach_mm ?? [];
}
