/** What the camera has just seen move: where it stood when its turn began, its way since, and whether the rules allow it. */

import { fill, h, s } from "./dom.js";
import { base } from "./figures.js";
import { apart, at, overlap } from "./geometry.js";
import { boxOf, boxOfBase, layers, map, pin } from "./map.js";
import { around, ring } from "./room.js";
import { shortName } from "./shortnames.js";
import { pastOf, sideIndex, state, unit, view } from "./store.js";
import { length, name, shortLength, within } from "./words.js";

const ASIDE = [4, 16, 30, 46]; // px between the figures that moved and what is written beside them
let drawn = "";
let tags = []; // what is written of each move, and the figures before and after it: {marker, element, figures}

/** Draws a ghost where each moved base stood, and the farthest one's way with its length. */
export function drawMoved() {
  const moves = seen();
  const key = JSON.stringify([moves, view().quarter]);
  if (key === drawn) return;
  drawn = key;
  for (const { marker } of tags) marker.remove();
  tags = [];
  fill(layers.moved, moves.map(one));
}

/** A line for each move, for the panel and the big screen. */
export const movedLines = () =>
  seen().map((move) => h("p", { class: `moved ${wrong(move) ? "flag" : "quiet"}` }, h("b", {}, name(move.unit)), ` ${told(move)}`));

/** The plain value that the lines show. */
export const movedShows = () => seen();

/** The move of one unit; undefined where it has not just moved. */
export const seenMove = (id) => seen().find((each) => each.unit === id);

/** The line for one unit; null where it has not just moved. */
export function movedLine(id) {
  const move = seenMove(id);
  return move ? h("p", { class: `moved ${wrong(move) ? "flag" : "quiet"}` }, `It ${told(move)}`) : null;
}

/**
 * Puts what is written of each move beside the figures that moved, where it lies on nothing: `free` says of a rectangle
 * on the screen whether it does. Where there is no such place it is not shown; the panel tells it all the same.
 * Gives the rectangles that were taken.
 */
export function placeTags(free) {
  const taken = [];
  for (const { marker, element, figures } of tags) {
    const bounds = around(figures.map(boxOfBase));
    const clear = (spot) => free(spot) && taken.every((other) => !overlap(spot, other));
    let spot = null;
    for (const short of [false, true]) {
      element.classList.toggle("pin--short", short);
      element.hidden = false;
      const size = boxOf(element);
      spot = ASIDE.flatMap((by) => ring(bounds, size, by, "above")).find(clear);
      if (spot) break;
    }
    element.hidden = !spot;
    if (!spot) continue;
    marker.setLatLng(map.containerPointToLatLng([spot.x + spot.width / 2, spot.y + spot.height / 2]));
    taken.push(spot);
  }
  return taken;
}

const seen = () => (pastOf() ? [] : (state().moves ?? []).filter((move) => unit(move.unit)?.figures.length));
const BAD = ["beyond", "may-not", "off-way"];
const wrong = (move) => BAD.includes(move.verdict) || move.verdict === "borderline";

function told(move) {
  const why = (move.why_not ?? []).map(within).join("; ");
  if (move.cells) return `moved ${toldCells(move.cells)}${ENDS[move.verdict]?.(why) ?? "."}`;
  const steps = move.steps > 1 ? ` in ${move.steps} steps this turn` : "";
  const far = `${length(move.distance_mm)}${steps}`;
  const may = move.allowance_mm === null ? "" : shortLength(move.allowance_mm);
  if (move.verdict === "within") return `moved ${far} of the ${may} that it may.`;
  if (move.verdict === "beyond") return `moved ${far}, farther than the ${may} that it may.`;
  if (move.verdict === "borderline" && why) return `moved ${far} of ${may}: too near to call (${why}).`;
  if (move.verdict === "borderline")
    return `moved ${far} of ${may}: too near to call (${move.distance_mm.toFixed(1)} ± ${move.sigma_mm.toFixed(1)} mm of ${move.allowance_mm.toFixed(1)} mm).`;
  if (move.verdict === "may-not")
    return `moved ${far}, and may not move now${why ? `: ${why}` : ""}.`;
  if (move.verdict === "off-way") return `moved ${far} of the ${may} that it may, but ${why}.`;
  if (move.verdict === "out-of-turn") return `moved ${far}. It was not its side's turn.`;
  return `moved ${far}.`;
}

const ENDS = {
  within: () => ": as it may.",
  beyond: () => ": farther than it may.",
  borderline: (why) => `: too near to call (${why}).`,
  "may-not": (why) => `, and may not move now${why ? `: ${why}` : ""}.`,
  "off-way": (why) => `: ${why}.`,
  "out-of-turn": () => ". It was not its side's turn.",
};

/** How far on squares or hexes, what that costs and what there was for it. */
function toldCells({ kind, moved, points, cost, allowance }) {
  const far = `${moved} ${moved === 1 ? kind : CELLS[kind]}`;
  return allowance === null ? far : `${far} (${cost === null ? "" : `${cost} of `}${allowance} ${points})`;
}

const CELLS = { square: "squares", hex: "hexes" };
const SIGNS = { within: " ✓", beyond: " ✗", borderline: " ?", "may-not": " ✗", "off-way": " ✗", "out-of-turn": " (not its turn)" };

function one(move) {
  const now = new Map(unit(move.unit).figures.map((figure) => [figure.id, figure]));
  const ways = move.before
    .filter((figure) => now.has(figure.id))
    .map((figure) => [at(figure), at(now.get(figure.id))])
    .sort((a, b) => apart(...b) - apart(...a));
  if (!ways.length) return null;
  const [from, to] = ways[0];
  const track = move.way_mm?.length > 1 ? move.way_mm.map(([x, y]) => at({ x_mm: x, y_mm: y })) : [from, to];
  const bad = BAD.includes(move.verdict);
  const may = move.allowance_mm === null ? "" : ` of ${shortLength(move.allowance_mm)}`;
  const words = [
    h("b", { class: "pin__who" }, shortName(unit(move.unit), state().game.units)),
    ` ${move.cells ? toldCells(move.cells) : length(move.distance_mm)}`,
    may && h("span", { class: "pin__may" }, may),
    SIGNS[move.verdict] ?? "",
  ];
  const element = h("span", { class: `pin__text pin--tag pin--moved ${bad ? "pin--beyond" : ""}`, "aria-hidden": "true" }, words);
  tags.push({ element, marker: pin(track[0], element, { zIndexOffset: 400 }), figures: [...move.before, ...now.values()] });
  return [
    move.before.map((figure) => base(figure, sideIndex(unit(move.unit).side), "base--was")),
    s("path", { class: `track ${bad ? "track--beyond" : ""}`, d: `M${track.map((place) => place.join(" ")).join("L")}` }),
  ];
}
