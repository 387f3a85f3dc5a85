/** Step 7: terrain that the camera sees, accepted, corrected, named or drawn. */

import { h } from "../dom.js";
import { button, buttons, field, first, folded, numberIn, select, swatch, worded } from "./parts.js";
import { act, change, own, say, view } from "./store.js";

const CLEAR = { aim: null, tone: null, kind: undefined, high: undefined, outline: [], piece: null, piecename: undefined, piecekind: undefined, piecehigh: undefined, sure: null };

export const shows = () => [view().ground, view().table.markers.length, own().aim, own().tone, own().outline, own().piece, own().sure];

export function panel() {
  const { ground, table } = view();
  if (!table.markers.length) return [first("First the markers must have their places", "table", "find them")];
  return [
    h("p", {}, "Terrain is known by its colour. Touch a wood, a hill or a road, say what it is, and all of its colour are found."),
    own().piece ? edit(ground) : own().tone ? named(ground) : own().aim === "draw" ? drawing(ground) : choosing(),
    !own().piece && !own().tone && own().aim !== "draw" && [kinds(ground), pieces(ground), accept(ground)],
  ];
}

export function shapes() {
  const { ground } = view();
  const drawn = ground.pieces.filter((one) => one.at.length).map((one) => ({ kind: "area", look: own().piece === one.id ? "over--picked-area" : "over--ground", at: one.at }));
  drawn.push(...ground.pieces.filter((one) => one.at.length).map((one) => ({ kind: "word", at: [middle(one.at)], text: worded(one.id), look: "over-word--piece" })));
  if (ground.accepted) drawn.push(...ground.seen.filter((one) => one.at.length).map((one) => ({ kind: "area", look: "over--unsaid", at: one.at })));
  const outline = own().outline ?? [];
  if (outline.length) drawn.push({ kind: "dot", look: "over--picked", at: outline });
  if (outline.length > 1) drawn.push({ kind: "line", look: "over--tape", at: [...outline, outline[0]] });
  return drawn;
}

export function touch() {
  if (own().aim === "draw") return { hint: "Touch the piece's corners, one after another.", take: (place) => change({ outline: [...(own().outline ?? []), place] }) };
  if (own().aim === "tone") return { hint: "Touch the middle of a piece of terrain, beside its trees.", take: tone };
  return null;
}

const choosing = () => buttons(
  button(own().aim === "tone" ? "Stop" : "Point at terrain", () => change({ ...CLEAR, aim: own().aim === "tone" ? null : "tone" }), { key: "tone", "aria-pressed": String(own().aim === "tone") }),
  button("Draw a piece by hand", () => change({ ...CLEAR, aim: "draw" }), { quiet: true, key: "draw" }));

function named(ground) {
  return h("div", { class: "eve-form", role: "group", "aria-label": "Terrain" },
    h("p", { class: "eve-colour" }, swatch(own().tone), h("span", {}, `This colour (${own().tone}) is`)),
    what("kind", ground),
    field("How high is its top?", "high", 0, { type: "number", unit: "mm", min: 0, max: 150, step: "any", hint: "A felt wood 2, a hill as high as it is, a house its roof." }),
    buttons(button("Find it all", () => sendTone(), { key: "find" }), button("Leave it", () => change(CLEAR), { quiet: true, key: "leave-tone" })));
}

function drawing(ground) {
  const count = (own().outline ?? []).length;
  return h("div", { class: "eve-form", role: "group", "aria-label": "A piece drawn by hand" },
    h("p", {}, count ? `${count} corner${count > 1 ? "s" : ""} so far.` : "Touch its corners in the picture, all the way round."),
    what("kind", ground),
    field("How high is its top?", "high", 0, { type: "number", unit: "mm", min: 0, max: 150, step: "any" }),
    buttons(
      button("Lay the piece", lay, { key: "lay-piece", disabled: count < 3 }),
      count > 0 && button("Take the last corner back", () => change({ outline: own().outline.slice(0, -1) }), { quiet: true, key: "corner-back" }),
      button("Leave it", () => change(CLEAR), { quiet: true, key: "leave-draw" })));
}

function kinds(ground) {
  if (!ground.kinds.length) return null;
  return [h("h3", { class: "eve-sub" }, "Looked for"), h("ul", { class: "eve-list" }, ground.kinds.map((kind) => h("li", { class: "eve-item" }, swatch(kind.colour),
    h("div", { class: "eve-item__words" }, h("strong", {}, worded(kind.kind)), h("span", { class: "quiet" }, `${kind.height_mm ?? 0} mm high${ground.known.length && !ground.known.includes(kind.kind) ? "; the rules have no word for it" : ""}`)),
    button("No more", () => act("…", "ground", { do: "forget", kind: kind.kind }), { quiet: true, key: `forget-${kind.kind}` }))))];
}

function pieces(ground) {
  if (!ground.pieces.length) return null;
  return [h("h3", { class: "eve-sub" }, "On the table"), h("ul", { class: "eve-list" }, ground.pieces.map((piece) => h("li", { class: "eve-item" },
    h("div", { class: "eve-item__words" }, h("strong", {}, worded(piece.id)), h("span", { class: "quiet" }, worded(piece.kind))),
    button("Change", () => change({ ...CLEAR, piece: piece.id }), { quiet: true, key: `piece-${piece.id}` }))))];
}

function edit(ground) {
  const piece = ground.pieces.find((one) => one.id === own().piece);
  if (!piece) return buttons(button("Back", () => change(CLEAR), { key: "leave-piece" }));
  return h("div", { class: "eve-form", role: "group", "aria-label": piece.id },
    field("Name", "piecename", piece.id, { type: "text", maxlength: 40 }),
    what("piecekind", ground, piece.kind),
    field("Height of its top", "piecehigh", piece.height_mm ?? 0, { type: "number", unit: "mm", min: 0, max: 150, step: "any" }),
    buttons(
      button("Keep it so", () => keep(piece), { key: "keep-piece" }),
      button("Leave it", () => change(CLEAR), { quiet: true, key: "leave-piece" }),
      button(own().sure === piece.id ? "Really take it off" : "Take it off", () => remove(piece), { quiet: true, key: "remove-piece" })));
}

const accept = (ground) => buttons(
  ground.accepted
    ? button("Look for terrain again", () => act("…", "ground", { do: "again" }), { quiet: true, key: "ground-again" })
    : button(ground.pieces.length ? "The ground is right" : "The table is bare", () => act("…", "ground", { do: "accept" }), { key: "accept" }));

/** A kind of terrain: one that the rules know. */
function what(key, ground, shown) {
  const known = ground.known.map((one) => [one, worded(one)]);
  if (!known.length) return field("What is it?", key, shown ?? "", { type: "text", placeholder: "woods" });
  return select("What is it?", key, shown ?? (ground.known.includes("woods") ? "woods" : known[0][0]), known);
}

const kindIn = (key, shown) => own()[key] ?? shown ?? (view().ground.known.includes("woods") ? "woods" : view().ground.known[0]);

async function tone(place) {
  const answer = await act("…", "point", { at: place, what: "ground" });
  if (answer) change({ tone: answer.colour, aim: null });
}

async function sendTone() {
  const high = numberIn("high", 0);
  if (!Number.isFinite(high)) return say("Type the height in millimetres.", true);
  if (await act("It is looked for …", "ground", { do: "colour", kind: kindIn("kind"), colour: own().tone, height_mm: high })) change(CLEAR);
}

async function lay() {
  const high = numberIn("high", 0);
  if (await act("…", "ground", { do: "draw", kind: kindIn("kind"), height_mm: Number.isFinite(high) ? high : 0, outline: own().outline })) change(CLEAR);
}

async function keep(piece) {
  const high = numberIn("piecehigh", piece.height_mm ?? 0);
  const body = { do: "change", id: piece.id, name: (own().piecename ?? piece.id).trim(), kind: kindIn("piecekind", piece.kind), height_mm: Number.isFinite(high) ? high : 0 };
  if (await act("…", "ground", body)) change(CLEAR);
}

async function remove(piece) {
  if (own().sure !== piece.id) return change({ sure: piece.id });
  if (await act("…", "ground", { do: "remove", id: piece.id })) change(CLEAR);
}

const middle = (corners) => [corners.reduce((sum, [x]) => sum + x, 0) / corners.length, corners.reduce((sum, [, y]) => sum + y, 0) / corners.length];
