/** The scale bar: a round number of the players' units, in a corner of the map where it lies on no figure. */

import { fill, h } from "./dom.js";
import { overlap } from "./geometry.js";
import { boxOf, boxOfBase, pxPerMm, scaleAbove, seenBox } from "./map.js";
import { state } from "./store.js";
import { lengthOf } from "./words.js";

const WANTED_PX = 110;
const EDGE_PX = 14;
const STEPS = [0.5, 1, 2, 3, 6, 12, 24, 36, 48]; // of the players' unit
let drawn = "";

/** Draws the scale bar for this zoom, in its corner. */
export function drawScale() {
  const { mm_per_unit: per } = state().ruleset;
  const wanted = WANTED_PX / pxPerMm() / per;
  const units = STEPS.reduce((best, step) => (Math.abs(step - wanted) < Math.abs(best - wanted) ? step : best));
  const bar = document.getElementById("scale");
  const width = units * per * pxPerMm();
  const key = `${lengthOf(units)} ${width.toFixed(1)}`;
  if (key !== drawn) {
    drawn = key;
    fill(bar, h("span", { class: "scale__words" }, lengthOf(units)), h("span", { class: "scale__bar" }));
    bar.lastChild.style.width = `${width}px`;
  }
  place(bar);
}

/** Puts it into the first corner where it covers no figure, else where it covers the fewest. */
function place(bar) {
  const { width, height } = boxOf(bar);
  const room = seenBox();
  const tools = boxOf(document.getElementById("tools"));
  const hint = document.getElementById("hint");
  const right = (tools.width ? tools.x : room.width) - EDGE_PX - width;
  const [above, below] = [8, room.height - 12 - height];
  const rows = scaleAbove() ? [above, below] : [below, above];
  const corners = rows.flatMap((y) => [EDGE_PX, right].map((x) => ({ x, y, width, height })));
  const figures = state().game.units.flatMap((one) => one.figures.map(boxOfBase));
  const over = hint.hidden ? figures : [...figures, boxOf(hint)];
  const covered = corners.map((corner) => over.filter((box) => overlap(corner, box)).length);
  const { x, y } = corners[covered.indexOf(Math.min(...covered))];
  bar.style.transform = `translate(${x}px, ${y}px)`;
}
