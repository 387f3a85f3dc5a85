/** The measuring tape: two touches, from point to point or from base edge to base edge. */

import { fill, h, s } from "./dom.js";
import { gap, nearest } from "./geometry.js";
import { layers, pin } from "./map.js";
import { look, state, view } from "./store.js";
import { length } from "./words.js";

let ends = [];
let tag = null;

/** A touch on the map while the tape is out. */
export function tapeTouch(point, slack) {
  if (ends.length === 2) ends = [];
  ends = [...ends, snapped(point, slack)];
  draw();
}

/** Rolls the tape out or up. */
export function toggleTape() {
  look({ tool: view().tool === "tape" ? null : "tape" });
  if (view().tool !== "tape") rollUp();
}

/** Takes the tape off the map. */
export function rollUp() {
  ends = [];
  draw();
}

/** What to do next with the tape, in words. */
export const tapeHint = () =>
  ends.length === 1 ? "Touch where it ends." : "Touch where the tape begins: a base, or any point.";

/** The base under a touch, or the point itself as a base of no size. */
function snapped([x, y], slack) {
  const spot = { x_mm: x, y_mm: y, base: { shape: "round", diameter_mm: 0 } };
  const figures = state().game.units.flatMap((unit) => unit.figures);
  const close = figures
    .map((figure) => ({ figure, distance: gap(spot, figure).distance }))
    .sort((a, b) => a.distance - b.distance)[0];
  return close && close.distance < slack * 0.6 ? close.figure : spot;
}

function draw() {
  tag?.remove();
  tag = null;
  const dots = ends.map((end) =>
    s("circle", { class: "tape__end", cx: end.x_mm, cy: end.y_mm, r: Math.max(4, end.base.diameter_mm / 2 || 0) }),
  );
  if (ends.length < 2) {
    fill(layers.tape, dots);
    return;
  }
  const found = nearest([ends[0]], [ends[1]]);
  fill(layers.tape, dots, s("path", { class: "tape__line", d: `M${found.a.join(" ")}L${found.b.join(" ")}` }));
  const middle = [(found.a[0] + found.b[0]) / 2, (found.a[1] + found.b[1]) / 2];
  tag = pin(
    middle,
    h(
      "span",
      { class: "pin__text pin--tag", role: "status" },
      `${length(found.distance)} · ${Math.round(found.distance)} mm`,
    ),
    { zIndexOffset: 950 },
  );
}
