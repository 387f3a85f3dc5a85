/** Step 4: a length by tape, against what the camera makes of it. */

import { h } from "../dom.js";
import { button, buttons, field, first, numberIn, select } from "./parts.js";
import { act, change, own, say, view } from "./store.js";

export const shows = () => [view().table.seen, view().table.markers.length, view().tape, own().ends, own().touched, own().taped];

export function panel() {
  const { table } = view();
  if (!table.markers.length) return [first("First the markers must have their places", "table", "find them")];
  const ids = table.seen;
  const ends = chosen(ids);
  const touches = own().ends === "touch";
  return [
    h("p", {}, "Lay a tape over a long span, and type in what it says. If the camera makes it the same, all other measures are right too."),
    select("What was measured", "ends", "markers", [["markers", "From marker to marker, centre to centre"], ["touch", "Between two places that I touch"]]),
    !touches && h("div", { class: "eve-two" },
      select("From marker", "first", ends[0], ids.map((id) => [id, String(id)])),
      select("To marker", "second", ends[1], ids.map((id) => [id, String(id)]))),
    touches && h("p", { class: "quiet" }, (own().touched ?? []).length < 2 ? "Touch both ends in the picture." : "Both ends are touched; touch again to begin anew."),
    field("By the tape", "mm", view().tape.mm === null ? "" : String(Math.round(view().tape.mm * 10) / 10), { type: "text", inputmode: "decimal", unit: "mm" }),
    buttons(button("Compare", compare, { key: "compare" })),
    told(own().taped, touches),
  ];
}

export function shapes() {
  const { table } = view();
  const at = Object.fromEntries(table.outlines.map((one) => [one.id, middle(one.corners)]));
  const drawn = [];
  if (own().ends === "touch") {
    const touched = own().touched ?? [];
    if (touched.length) drawn.push({ kind: "dot", look: "over--picked", at: touched });
    if (touched.length === 2) drawn.push({ kind: "line", look: "over--tape", at: touched });
  } else {
    const [first, second] = chosen(table.seen);
    if (at[first] && at[second]) drawn.push({ kind: "line", look: "over--tape", at: [at[first], at[second]] });
    for (const one of table.outlines) drawn.push({ kind: "word", at: [at[one.id]], text: String(one.id), look: "over-word--marker" });
  }
  return drawn;
}

export function touch() {
  if (own().ends !== "touch" || !view().table.markers.length) return null;
  const touched = own().touched ?? [];
  return {
    hint: touched.length === 1 ? "Touch the other end." : "Touch one end of what you measured.",
    take: (place) => change({ touched: touched.length >= 2 ? [place] : [...touched, place], taped: null }),
  };
}

async function compare() {
  const mm = numberIn("mm", view().tape.mm);
  if (!Number.isFinite(mm) || mm === null) return say("Type what the tape says, in millimetres.", true);
  const touches = own().ends === "touch";
  if (touches && (own().touched ?? []).length < 2) return say("Touch both ends in the picture first.", true);
  const body = touches ? { mm, places: own().touched } : { mm, between: chosen(view().table.seen) };
  const answer = await act("…", "tape", body);
  change({ taped: answer ? { ...answer.taped, between: body.between } : null });
}

function told(taped, touches) {
  if (!taped) return null;
  const near = Math.abs(taped.factor - 1) <= 0.012;
  return [
    h("p", { class: taped.agrees ? "eve-good" : "flag", data: { key: "taped" } }, `${taped.said.slice(0, 1).toUpperCase()}${taped.said.slice(1)}${taped.said.endsWith("?") ? "" : "."}`),
    !taped.agrees && near && !touches && buttons(button("Scale the table to the tape", () => scale(taped), { key: "scale" })),
  ];
}

async function scale(taped) {
  const done = await act("The table is scaled …", "tape", { mm: taped.tape_mm, between: taped.between, scale: true });
  if (!done) return;
  change({ taped: null });
  say("The table is scaled to the tape. Measure another length to be sure.");
}

function chosen(ids) {
  if (ids.length < 2) return [ids[0] ?? 0, ids[1] ?? 1];
  const first = own().first === undefined ? ids[0] : Number(own().first);
  const second = own().second === undefined ? (ids.find((id) => id !== first && id === 2) ?? ids.find((id) => id !== first)) : Number(own().second);
  return [first, second];
}

const middle = (corners) => [corners.reduce((sum, [x]) => sum + x, 0) / corners.length, corners.reduce((sum, [, y]) => sum + y, 0) / corners.length];
