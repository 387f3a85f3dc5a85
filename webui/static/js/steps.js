/** Ways over hexes, told as the sides that they lead through: `N`, `NE` …, clockwise from straight away. */

import { along, apart, bearingTo } from "./geometry.js";
import { cellOf, cellAt } from "./grid.js";

const BEARINGS = { N: 0, NE: 60, SE: 120, S: 180, SW: 240, NW: 300 };

/** The cells of a way from a cell through sides, the first among them; as far as the table reaches. */
export function wayOf(from, steps) {
  const way = [cellOf(from)].filter(Boolean);
  for (const step of steps) {
    const next = way.length && beyond(way.at(-1), step);
    if (!next) break;
    way.push(next);
  }
  return way;
}

/** The side through which a way goes on into a cell; null where that is not beside its end. */
export function stepTo(from, steps, goal) {
  const end = wayOf(from, steps).at(-1);
  const wanted = goal && cellOf(goal);
  if (!end || !wanted || wanted === end) return null;
  const side = Object.keys(BEARINGS).find((one) => beyond(end, one) === wanted);
  return side ?? null;
}

function beyond(cell, side) {
  const width = 2 * Math.min(...cell.outline.map((corner, index) => middleAway(cell, corner, index)));
  const next = cellAt(along(cell.centre, bearingOf(cell, side), width));
  return next ? cellOf(next) : null;
}

const middleAway = ({ centre, outline }, corner, index) => {
  const other = outline[(index + 1) % outline.length];
  return apart(centre, [(corner[0] + other[0]) / 2, (corner[1] + other[1]) / 2]);
};

/** A grid may lie askew: its sides are told by its own corners. Corner k is the clockwise end of side k. */
const bearingOf = ({ centre, outline }, side) => bearingTo(centre, outline[0]) - 30 + BEARINGS[side];
