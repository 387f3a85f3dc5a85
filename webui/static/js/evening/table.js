/** Step 3: how large the table is, and where its markers lie. */

import { h } from "../dom.js";
import { button, buttons, field, folded, numberIn, sheets } from "./parts.js";
import { act, change, own, say, view } from "./store.js";

const UNITS = [["6 × 4 ft", 1828.8, 1219.2], ["4 × 4 ft", 1219.2, 1219.2], ["8 × 5 ft", 2438.4, 1524], ["180 × 120 cm", 1800, 1200]];

export const shows = () => [view().table, view().camera.size_px, own().near, own().corner];

export function panel() {
  const { table } = view();
  return [
    h("p", {}, "Print the markers, and lay four to eight of them round the table: one beyond each corner, flat, in the light, none over another. They may lie as they like; then they stay."),
    sheets(),
    size(table),
    marks(table),
    where(table),
    listed(table),
  ];
}

export function shapes() {
  const { table } = view();
  const drawn = table.outlines.map((one) => ({ kind: "area", look: one.listed ? "over--good" : "over--new", at: one.corners }));
  drawn.push(...table.outlines.map((one) => ({ kind: "word", at: [middle(one.corners)], text: String(one.id), look: "over-word--marker" })));
  if (table.area.length === 4) {
    drawn.push({ kind: "area", look: "over--table", at: table.area });
    drawn.push({ kind: "word", at: [between(table.area[0], table.area[1])], text: "near edge", look: "over-word--edge" });
  }
  const near = own().near ?? [];
  if (near.length) drawn.push({ kind: "dot", look: "over--picked", at: near });
  return drawn;
}

/** What is done with a place that is touched, and the words beside the cross. */
export function touch() {
  if (!own().corner) return null;
  const first = (own().near ?? []).length === 0;
  return {
    hint: first ? "Touch the table's near LEFT corner." : "Now its near RIGHT corner.",
    take: async (place) => {
      const near = [...(own().near ?? []), place];
      change({ near });
      if (near.length < 2) return;
      change({ corner: false });
      await lay(near);
      change({ near: [] });
    },
  };
}

function size(table) {
  const usual = UNITS.map(([words, width, depth]) => button(words, () => {
    change({ width: width, depth: depth });
    keepSize();
  }, { quiet: true, key: `size-${width}-${depth}` }));
  const changed = ["width", "depth", "marker"].some((key) => own()[key] !== undefined && Number(own()[key]) !== { width: table.width_mm, depth: table.depth_mm, marker: table.marker_mm }[key]);
  return folded(
    `The table is ${round(table.width_mm)} × ${round(table.depth_mm)} mm, a marker ${round(table.marker_mm)} mm`,
    "more-size",
    buttons(usual),
    h("div", { class: "eve-two" },
      field("Left to right", "width", table.width_mm, { type: "number", unit: "mm", min: 200, step: "any" }),
      field("Near to far", "depth", table.depth_mm, { type: "number", unit: "mm", min: 200, step: "any" })),
    field("Black square of a marker", "marker", table.marker_mm, { type: "number", unit: "mm", step: "any", hint: "Measure one print, outer edge to outer edge." }),
    buttons(button("Keep these sizes", keepSize, { key: "keep-size", quiet: !changed })),
  );
}

function marks(table) {
  const row = (term, ids, bad) => ids.length > 0 && [h("dt", {}, term), h("dd", { class: bad ? "eve-bad" : "" }, ids.join(", "))];
  if (!table.seen.length && !table.missing.length && !table.others.length) return h("p", { class: "flag" }, table.trouble ?? "No marker is seen.");
  return h("dl", { class: "facts" }, row("Seen", table.seen), row("Missing", table.missing, true), row(table.markers.length ? "Not listed" : "Seen, not placed", table.others));
}

function where(table) {
  const placed = table.markers.length > 0;
  return [
    h("h3", { class: "eve-sub" }, "Where they lie"),
    h("p", { class: "quiet" }, placed
      ? "The outline in the picture is the table as Vedette has it. Does it lie on the table's edge? Else touch its two near corners."
      : "Touch the two near corners of the table in the picture: Vedette finds where all markers lie."),
    buttons(
      button(own().corner ? "Stop" : "Touch the near corners", () => change({ corner: !own().corner, near: [] }), { key: "corners", "aria-pressed": String(Boolean(own().corner)), quiet: placed }),
      button("They lie evenly round it", () => lay(null), { quiet: true, key: "lay" }),
    ),
  ];
}

function listed(table) {
  if (!table.markers.length) return null;
  return folded("Their places in millimetres", "more-places",
    h("table", { class: "eve-table" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Marker"), h("th", { scope: "col" }, "to the right"), h("th", { scope: "col" }, "away"))),
      h("tbody", {}, table.markers.map((one) => h("tr", {}, h("th", { scope: "row" }, one.id), h("td", {}, one.x_mm.toFixed(1)), h("td", {}, one.y_mm.toFixed(1)))))),
    h("p", { class: "quiet" }, "From the near left corner. More exactly, with photos from all sides: ", h("code", {}, "vedette survey"), "."));
}

async function keepSize() {
  const { table } = view();
  const asked = { width_mm: numberIn("width", table.width_mm), depth_mm: numberIn("depth", table.depth_mm), marker_mm: numberIn("marker", table.marker_mm) };
  if (!Object.values(asked).every(Number.isFinite)) return say("Type all three lengths in millimetres.", true);
  if (await act("The table changes …", "size", asked)) change({ width: undefined, depth: undefined, marker: undefined });
}

async function lay(near) {
  const done = await act("The markers' places are worked out …", "lay", { near });
  if (done) say(done.warnings.length ? done.warnings.join(" ") : "The markers' places are found. Look at the outline in the picture, then check a length.", done.warnings.length > 0);
}

const round = (mm) => Math.round(mm * 10) / 10;
const middle = (corners) => [corners.reduce((sum, [x]) => sum + x, 0) / corners.length, corners.reduce((sum, [, y]) => sum + y, 0) / corners.length];
const between = ([ax, ay], [bx, by]) => [(ax + bx) / 2, (ay + by) / 2];
