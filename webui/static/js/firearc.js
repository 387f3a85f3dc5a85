/** What a unit's fire covers, as the engine says it: sectors from its figures, or cells of a grid, by range bands. */

import { s } from "./dom.js";
import { cellShape } from "./grid.js";
import { along, sector } from "./geometry.js";
import { state } from "./store.js";
import { shortLength } from "./words.js";

/** The shapes of an arc of the answer; `label` is given a point and the range that is to stand there. */
export function fireArc(known, label) {
  if (known?.bands) return known.bands.map((_, index) => cellsOf(known.bands.slice(0, index + 1)));
  if (!known?.from) return null;
  const rings = known.bands_mm.toReversed();
  const corner = rightmost(known.from);
  for (const range of rings) label(ringPlace(known, corner, range), shortLength(range));
  return [rim(known, rings[0]), rings.map((range) => s("g", { class: "arc__band" }, sectors(known, range)))];
}

/** The cells out to a band: those of nearer bands lie one over the other, as rings do. */
const cellsOf = (bands) =>
  s(
    "g",
    { class: "arc__band", "data-band": bands.at(-1).band },
    bands.flatMap((band) => band.cells.map((cell) => cellShape(cell, "arc__cell"))),
  );

function sectors(known, range) {
  return known.from
    .map((one) => {
      const reach = Math.min(range, one.most_mm ?? range);
      const about = known.range_from_mm;
      return about ? sector(one, known.half_deg, reach, about) : sector(one, known.half_deg, reach + one.edge_mm);
    })
    .filter(Boolean)
    .map((d) => s("path", { d }));
}

function ringPlace(known, corner, range) {
  const from = known.range_from_mm ?? [corner.x_mm, corner.y_mm];
  const edge = known.range_from_mm ? 0 : corner.edge_mm;
  return along(from, corner.bearing_deg + Math.min(known.half_deg, 90), Math.min(range, corner.most_mm ?? range) + edge);
}

/** The one at the right end of a front: along the edge of its arc there is room for numbers. */
function rightmost(origins) {
  const sum = (value) => origins.reduce((total, one) => total + value((one.bearing_deg * Math.PI) / 180), 0);
  const [x, y] = along([0, 0], (Math.atan2(sum(Math.sin), sum(Math.cos)) * 180) / Math.PI + 90, 1);
  return origins.reduce((best, one) => (one.x_mm * x + one.y_mm * y > best.x_mm * x + best.y_mm * y ? one : best));
}

/** The outline of all sectors as one: their strokes, with whatever lies inside any of them masked out. */
function rim(known, range) {
  const { width_mm: width, depth_mm: depth } = state().table;
  const area = { x: -width, y: -depth, width: 3 * width, height: 3 * depth };
  return [
    s(
      "mask",
      { id: "outside-arc", maskUnits: "userSpaceOnUse", ...area },
      s("rect", { ...area, fill: "white" }),
      s("g", { fill: "black" }, sectors(known, range)),
    ),
    s("g", { class: "arc__rim", mask: "url(#outside-arc)" }, sectors(known, range)),
  ];
}
