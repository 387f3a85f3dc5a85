/** What the camera has just seen move: where it stood before, how far it went, and whether the rules allowed it. */

import { fill, h, s } from "./dom.js";
import { base } from "./figures.js";
import { apart, at, overlap } from "./geometry.js";
import { boxOf, boxOfBase, layers, map, pin } from "./map.js";
import { around, ring } from "./room.js";
import { shortName } from "./shortnames.js";
import { pastOf, sideIndex, state, unit, view } from "./store.js";
import { length, name, named, shortLength } from "./words.js";

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

/** The line for one unit; null where it has not just moved. */
export function movedLine(id) {
  const move = seen().find((each) => each.unit === id);
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
const wrong = (move) => ["beyond", "may-not", "borderline"].includes(move.verdict);

function told(move) {
  const far = length(move.distance_mm);
  const may = move.allowance_mm === null ? "" : shortLength(move.allowance_mm);
  if (move.verdict === "within") return `moved ${far} of the ${may} that it may.`;
  if (move.verdict === "beyond") return `moved ${far}, farther than the ${may} that it may.`;
  if (move.verdict === "borderline")
    return `moved ${far} of ${may}: too near to call (${move.distance_mm.toFixed(1)} ± ${move.sigma_mm.toFixed(1)} mm of ${move.allowance_mm.toFixed(1)} mm).`;
  if (move.verdict === "may-not")
    return `moved ${far}, and may not move now${move.why_not.length ? `: ${move.why_not.map(named).join("; ")}` : ""}.`;
  return `moved ${far}.`;
}

const SIGNS = { within: " ✓", beyond: " ✗", borderline: " ?", "may-not": " ✗" };

function one(move) {
  const now = new Map(unit(move.unit).figures.map((figure) => [figure.id, figure]));
  const ways = move.before
    .filter((figure) => now.has(figure.id))
    .map((figure) => [at(figure), at(now.get(figure.id))])
    .sort((a, b) => apart(...b) - apart(...a));
  if (!ways.length) return null;
  const [from, to] = ways[0];
  const bad = ["beyond", "may-not"].includes(move.verdict);
  const may = move.allowance_mm === null ? "" : ` of ${shortLength(move.allowance_mm)}`;
  const words = [
    h("b", { class: "pin__who" }, shortName(unit(move.unit), state().game.units)),
    ` ${length(move.distance_mm)}`,
    may && h("span", { class: "pin__may" }, may),
    SIGNS[move.verdict] ?? "",
  ];
  const element = h("span", { class: `pin__text pin--tag pin--moved ${bad ? "pin--beyond" : ""}`, "aria-hidden": "true" }, words);
  tags.push({ element, marker: pin(from, element, { zIndexOffset: 400 }), figures: [...move.before, ...now.values()] });
  return [
    move.before.map((figure) => base(figure, sideIndex(unit(move.unit).side), "base--was")),
    s("path", { class: `track ${bad ? "track--beyond" : ""}`, d: `M${from.join(" ")}L${to.join(" ")}` }),
  ];
}
