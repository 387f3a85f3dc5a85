/** The squares or hexes of the table, over the picture: each base's cell lit, the doubtful ones flagged. */

import { getGrid } from "./api.js";
import { fill, h, s } from "./dom.js";
import { layers, pin } from "./map.js";
import { look, sideIndex, state, view } from "./store.js";

let known = { key: "", cells: new Map() };
let asked = "";
let drawn = "";
let flags = [];

/** Draws the grid and what stands in it. */
export function drawGrid() {
  const { game, cells } = state();
  const { grid } = game.table;
  const key = grid ? JSON.stringify(grid) : "";
  if (key !== known.key && key !== asked) fetchGrid(key);
  const plain = view().ground !== "photo" || !state().picture;
  const shown = JSON.stringify([known.key, cells, view().unit, view().quarter, plain]);
  if (shown === drawn) return;
  drawn = shown;
  for (const flag of flags) flag.remove();
  flags = [];
  if (!key || known.key !== key) {
    fill(layers.cells);
    return;
  }
  fill(
    layers.cells,
    s("g", { class: plain ? "cells cells--plain" : "cells" }, [...known.cells.values()].map(({ outline }) => polygon(outline, "cell"))),
    game.units.map((unit) => stands(unit, cells?.[unit.id])),
  );
}

/** The cell under a point: the one whose middle is nearest; null where there is no grid, or the point is off it. */
export function cellAt([x, y]) {
  let best = null;
  for (const cell of known.cells.values()) {
    const away = Math.hypot(cell.centre[0] - x, cell.centre[1] - y);
    if (!best || away < best.away) best = { ...cell, away };
  }
  return best && best.away <= best.reach ? best.cell : null;
}

/** A cell of the grid with its middle and its outline; undefined where it is not on the table. */
export const cellOf = (cell) => known.cells.get(String(cell));

/** The outline of a cell as an element; null for one that is not on the table. */
export function cellShape(cell, name) {
  const found = cellOf(cell);
  return found ? polygon(found.outline, name) : null;
}

function stands(unit, where) {
  if (!where) return null;
  const side = `side-${sideIndex(unit.side) % 4}`;
  const chosen = unit.id === view().unit ? "cell--chosen" : "";
  const doubtful = where.doubts.length > 0 ? "cell--doubtful" : "";
  if (doubtful) flag(where.cells[0], where.doubts);
  return s(
    "g",
    { class: `${side}`, "data-cells-of": unit.id },
    chosen && where.over.map((cell) => cellShape(cell, "cell cell--over")),
    where.cells.map((cell) => cellShape(cell, `cell cell--lit ${chosen} ${doubtful}`)),
  );
}

function flag(cell, doubts) {
  const found = cellOf(cell);
  if (!found) return;
  const corner = found.outline.reduce((best, point) => (point[1] - point[0] > best[1] - best[0] ? point : best));
  const at = [corner[0] * 0.82 + found.centre[0] * 0.18, corner[1] * 0.82 + found.centre[1] * 0.18];
  flags.push(pin(at, h("span", { class: "pin__text pin--doubt", title: doubts.join("\n") }, "?")));
}

async function fetchGrid(key) {
  asked = key;
  const found = key ? await getGrid().catch(() => null) : null;
  if (key && !found) {
    asked = "";
    return;
  }
  const cells = (found?.cells ?? []).map((cell) => [String(cell.cell), { ...cell, reach: reachOf(cell) }]);
  known = { key, cells: new Map(cells) };
  look({ known: view().known + 1 });
}

const reachOf = ({ centre, outline }) =>
  Math.max(...outline.map(([x, y]) => Math.hypot(x - centre[0], y - centre[1])));

const polygon = (outline, name) => s("polygon", { class: name, points: outline.map((p) => p.join(",")).join(" ") });
