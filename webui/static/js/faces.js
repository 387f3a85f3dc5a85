/** The faces of dice. */

import { h, s } from "./dom.js";

const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** A die as a picture: pips for six sides, a number for others. */
export function dieFace(die, score) {
  if (die !== "d6") return h("span", { class: "die__number" }, score);
  const pips = PIPS[score].map((place) =>
    s("circle", { cx: 6 + 6 * (place % 3), cy: 6 + 6 * Math.floor(place / 3), r: 2.1 }),
  );
  return s("svg", { class: "pips", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, pips);
}
