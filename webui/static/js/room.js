/**
 * Where there is room on the screen for what is written beside the figures. Rectangles are `{x, y, width, height}`
 * in the map's pixels; nothing here knows of the page.
 */

import { overlap } from "./geometry.js";

const CLOSE = 4; // px from what a text belongs to
const RINGS = [14, 26, 40, 56, 74]; // px, farther off: with a line to what it belongs to
const CROSSED = 70; // px of way round that are better than a line across a figure
const GRAIN = 7; // px, between the points that a line is made of when others keep clear of it

/** The rectangle round several; null for none. */
export function around(boxes) {
  if (!boxes.length) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/** A rectangle that is larger by so much on all sides. */
export const grown = ({ x, y, width, height }, by) => ({ x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by });

/** Whether a rectangle lies in another. */
export const within = (box, room) =>
  box.x >= room.x && box.y >= room.y && box.x + box.width <= room.x + room.width && box.y + box.height <= room.y + room.height;

/** How far two rectangles are apart; 0 where they touch. */
export function distance(a, b) {
  const dx = Math.max(0, a.x - b.x - b.width, b.x - a.x - a.width);
  const dy = Math.max(0, a.y - b.y - b.height, b.y - a.y - a.height);
  return Math.hypot(dx, dy);
}

/** How far a rectangle is from the nearest of several. */
export const nearestOf = (box, boxes) => boxes.reduce((best, other) => Math.min(best, distance(box, other)), Infinity);

/**
 * The first place close by what a text belongs to that lies on nothing taken, and nearer to it than to what is
 * another's; null where there is none. `behind` is the side tried first: "below" or "above".
 */
export function closeBy({ bounds, own, others, behind }, size, free) {
  return ring(bounds, size, CLOSE, behind).find((spot) => free(spot) && nearestOf(spot, own) + 3 < nearestOf(spot, others)) ?? null;
}

/**
 * A place farther off, with the line from there to the nearest of what it belongs to, which crosses none of `lines`
 * and at most one of what is another's; null where there is none.
 */
export function fartherOff({ bounds, own, others, behind }, size, free, lines) {
  let best = null;
  const close = (box) => distance(box, bounds) < RINGS.at(-1);
  const foreign = others.filter(close);
  const between = lines.filter((box) => close(box) && own.every((one) => !overlap(one, box))); // on the unit, it is in no way
  for (const by of [CLOSE, ...RINGS]) {
    for (const spot of ring(bounds, size, by, behind)) {
      if (!free(spot)) continue;
      const line = leader(spot, own);
      if (line.length >= best?.cost || between.some((box) => crosses(line, box))) continue;
      const crossed = foreign.filter((box) => crosses(line, box)).length;
      const cost = line.length + CROSSED * crossed;
      if (crossed < 2 && !(cost >= best?.cost)) best = { spot, line, cost };
    }
  }
  return best;
}

/** What a line takes up, for what must keep clear of it. */
export function beads({ a, b, length }) {
  const count = Math.ceil(length / GRAIN);
  return Array.from({ length: count + 1 }, (_, index) => {
    const share = index / Math.max(1, count);
    return { x: a[0] + (b[0] - a[0]) * share - 2, y: a[1] + (b[1] - a[1]) * share - 2, width: 4, height: 4 };
  });
}

/** The places round a rectangle, best first: behind it, in front, at its sides, at its corners. */
export function ring(bounds, { width, height }, by, behind = "below") {
  const middle = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
  const end = bounds.x + bounds.width;
  const row = (y) => [
    { x: middle.x - width / 2, y },
    { x: bounds.x, y },
    { x: end - width, y },
    { x: bounds.x - width * 0.6, y },
    { x: end - width * 0.4, y },
  ];
  const under = row(bounds.y + bounds.height + by);
  const over = row(bounds.y - height - by);
  const column = (x) => [
    { x, y: middle.y - height / 2 },
    { x, y: bounds.y + bounds.height - height },
    { x, y: bounds.y },
    { x, y: bounds.y + bounds.height - height * 0.4 },
    { x, y: bounds.y - height * 0.6 },
  ];
  const left = column(bounds.x - width - by);
  const right = column(end + by);
  const first = behind === "below" ? [under, over] : [over, under];
  const corners = [under, over].flatMap(([{ y }]) => [{ x: bounds.x - width - by * 0.7, y }, { x: end + by * 0.7, y }]);
  return [...first[0], ...right, ...left, ...first[1], ...corners].map((spot) => ({ ...spot, width, height }));
}

/** The line from the edge of a text to the nearest of what it belongs to. */
function leader(spot, own) {
  const target = own.reduce((best, box) => (distance(spot, box) < distance(spot, best) ? box : best));
  const b = [target.x + target.width / 2, target.y + target.height / 2];
  const a = [clamp(b[0], spot.x, spot.x + spot.width), clamp(b[1], spot.y, spot.y + spot.height)];
  return { a, b, length: Math.hypot(b[0] - a[0], b[1] - a[1]) };
}

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** Whether a line passes through a rectangle. */
function crosses({ a, b }, box) {
  let [from, to] = [0, 1]; // the part of the line that lies in the box's column, then in its row as well
  for (const [axis, low, size] of [[0, box.x, box.width], [1, box.y, box.height]]) {
    const way = b[axis] - a[axis];
    if (Math.abs(way) < 1e-9) {
      if (a[axis] < low || a[axis] > low + size) return false;
      continue;
    }
    const [one, two] = [(low - a[axis]) / way, (low + size - a[axis]) / way];
    from = Math.max(from, Math.min(one, two));
    to = Math.min(to, Math.max(one, two));
    if (from >= to) return false;
  }
  return true;
}
