/** Step 5: the armies, by pointing at a base of each; and the empty table, against which rims without paint are found. */

import { h } from "../dom.js";
import { button, buttons, field, first, numberIn, select, swatch, worded } from "./parts.js";
import { act, change, own, say, view } from "./store.js";

const BARE = { plain: true, kind: { name: "foot", shape: "round", diameter_mm: 25, height_mm: 3 } };
const CLEAR = { pointed: null, army: undefined, kindname: undefined, shape: undefined, one: undefined, two: undefined, height: undefined, mark: undefined, was: null, aim: null, base_colour: undefined };

export const shows = () => [view().armies, view().empty, view().table.markers.length, own().pointed, own().aim, own().was, own().shape, own().mark, own().sure];

/** Lets go of what was begun with an army that is there no more. */
export function open() {
  if (own().was && !view().armies.some((army) => army.name === own().was)) change(CLEAR);
}

export function panel() {
  const { armies, empty, table } = view();
  if (!table.markers.length) return [first("First the markers must have their places", "table", "find them")];
  return [
    h("p", {}, "Put figures of both armies on the table. Touch one base of an army in the picture: its colour, shape and size are read off."),
    armies.length > 0 && h("ul", { class: "eve-list" }, armies.map(line)),
    own().pointed ? form(own().pointed) : buttons(
      button(own().aim === "base" ? "Stop pointing" : "Point at a base", () => change({ aim: own().aim === "base" ? null : "base" }), { key: "point", "aria-pressed": String(own().aim === "base") }),
      button("An army without painted rims", () => change({ ...CLEAR, pointed: BARE }), { quiet: true, key: "bare" })),
    !own().pointed && (empty.kept || armies.some((army) => !army.base_colour)) && emptyTable(empty),
  ];
}

/** The photo of the empty table: when it was taken, and the way to take it. */
function emptyTable(empty) {
  const since = empty.taken_s ? ` on ${new Date(empty.taken_s * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}` : "";
  return [
    h("h3", { class: "eve-sub" }, "The empty table"),
    h("p", {}, empty.kept
      ? `Its photo was taken${since}. Take it again whenever terrain is laid otherwise or the camera hangs elsewhere.`
      : "Bases whose rims have no paint are found by what has changed since the table was empty. Lay the terrain, take all figures off, and keep your hands away."),
    buttons(
      button(empty.kept ? "Take it again" : "Take the photo now", () => act("The photo is taken …", "empty", { do: "take" }), { quiet: empty.kept, key: "take-empty" }),
      empty.kept && button(own().sure === "empty" ? "Really forget it" : "Forget it", forgetEmpty, { quiet: true, key: "forget-empty" })),
  ];
}

async function forgetEmpty() {
  if (own().sure !== "empty") return change({ sure: "empty" });
  if (await act("…", "empty", { do: "forget" })) change({ sure: null });
}

export function shapes() {
  const pointed = own().pointed;
  if (!pointed) return [];
  return [
    { kind: "dot", look: "over--alike", at: pointed.at ?? [] },
    ...(pointed.touched ? [{ kind: "dot", look: "over--picked", at: [pointed.touched] }] : []),
  ];
}

export function touch() {
  if (!view().table.markers.length) return null;
  if (own().aim === "mark") return { hint: "Touch the painted mark at the front of a base.", take: mark };
  if (own().aim === "base" || (!own().pointed && !view().armies.length)) return { hint: "Touch the middle of a base.", take: point };
  return null;
}

function line(army) {
  const kinds = army.bases.map((kind) => `${kind.name}: ${sizeOf(kind)}`).join(", ");
  return h("li", { class: "eve-item" },
    army.base_colour && swatch(army.base_colour),
    h("div", { class: "eve-item__words" }, h("strong", {}, worded(army.name)), h("span", { class: "quiet" }, `${kinds}. ${army.base_colour ? (army.seen === null ? "Looking …" : `${army.seen} seen.`) : "Rims without paint."}`)),
    button("Change", () => change({ ...CLEAR, was: army.name, pointed: { ...army, plain: !army.base_colour, colour: army.base_colour, kind: army.bases[0], others: army.bases.slice(1), known: true } }), { quiet: true, key: `change-${army.name}` }));
}

function form(pointed) {
  const round = (own().shape ?? pointed.kind.shape) === "round";
  const kind = pointed.kind;
  const [one, two] = round ? [kind.diameter_mm ?? kind.width_mm, null] : [kind.width_mm ?? kind.diameter_mm, kind.depth_mm ?? kind.diameter_mm];
  const mark = own().mark === undefined ? (pointed.front_mark ?? null) : own().mark;
  return h("div", { class: "eve-form", role: "group", "aria-label": "The army" },
    pointed.plain && h("p", { class: "eve-good" }, "Rims without paint tell no army: its bases are found by their shape and size, against a photo of the empty table."),
    !pointed.known && !pointed.plain && h("p", { class: "eve-good" }, `A ${round ? "round" : "rectangular"} base of ${sizeOf(kind)} was read (measured ${pointed.measured_mm.join(" × ")} mm), and ${pointed.like_it} like it are seen: ringed in the picture.`),
    !pointed.plain && h("p", { class: "eve-colour" }, swatch(colour(pointed)), h("span", {}, `Its rim: ${colour(pointed)}`), button("Point again", () => change({ aim: "base" }), { quiet: true, key: "again" })),
    field("What is this army called?", "army", pointed.known ? pointed.name : "", { type: "text", maxlength: 40, placeholder: "British" }),
    h("div", { class: "eve-two" },
      field("Its bases", "kindname", kind.name, { type: "text", maxlength: 20, hint: "foot, horse, gun …" }),
      select("Shape", "shape", kind.shape, [["round", "round"], ["rect", "rectangle"]])),
    round ? field("Across", "one", one, { type: "number", unit: "mm", step: "any" })
      : h("div", { class: "eve-two" }, field("Along its front", "one", one, { type: "number", unit: "mm", step: "any" }), field("Front to back", "two", two, { type: "number", unit: "mm", step: "any" })),
    field("Height of the rim", "height", kind.height_mm ?? 3, { type: "number", unit: "mm", step: "any", hint: "From the table to the rim's top: 2 to 5 for most." }),
    !pointed.plain && h("div", { class: "eve-row" },
      h("p", { class: "eve-label" }, "A mark at the front (tells which way figures face)"),
      mark ? h("p", { class: "eve-colour" }, swatch(mark), h("span", {}, mark), button("None", () => change({ mark: null }), { quiet: true, key: "no-mark" }))
        : buttons(button(own().aim === "mark" ? "Stop" : "Point at the mark", () => change({ aim: own().aim === "mark" ? null : "mark" }), { quiet: true, key: "mark" }))),
    buttons(
      button(pointed.known ? "Keep it so" : "Add the army", () => keep(pointed, round), { key: "keep-army" }),
      button("Leave it", () => change(CLEAR), { quiet: true, key: "leave-army" }),
      pointed.known && !pointed.used && button(own().sure === pointed.name ? "Really take it out" : "Take it out", () => remove(pointed.name), { quiet: true, key: "remove-army" })));
}

async function point(place) {
  const answer = await act("The base is read …", "point", { at: place });
  if (!answer) return;
  const before = own().pointed;
  const read = { ...answer.base, touched: place };
  const known = before?.known ? { known: true, name: before.name, front_mark: before.front_mark, used: before.used, others: before.others } : {};
  change({ pointed: { ...read, ...known }, aim: null, shape: undefined, one: undefined, two: undefined });
}

async function mark(place) {
  const answer = await act("…", "point", { at: place, what: "mark" });
  if (answer) change({ mark: answer.colour, aim: null });
}

async function keep(pointed, round) {
  const name = (own().army ?? (pointed.known ? pointed.name : "")).trim();
  if (!name) return say("Give the army a name first.", true);
  const [one, two] = [numberIn("one", round ? pointed.kind.diameter_mm ?? pointed.kind.width_mm : pointed.kind.width_mm ?? pointed.kind.diameter_mm), numberIn("two", pointed.kind.depth_mm ?? pointed.kind.diameter_mm)];
  const height = numberIn("height", pointed.kind.height_mm ?? 3);
  if (![one, height, round ? 1 : two].every(Number.isFinite)) return say("Type the base's sizes in millimetres.", true);
  const base = { name: (own().kindname ?? pointed.kind.name).trim() || "foot", height_mm: height, shape: round ? "round" : "rect", ...(round ? { diameter_mm: one } : { width_mm: one, depth_mm: two }) };
  const front = own().mark === undefined ? (pointed.front_mark ?? null) : own().mark;
  const body = { name, ...(pointed.plain ? {} : { base_colour: colour(pointed), front_mark: front }), bases: [base, ...(pointed.others ?? [])], was: own().was ?? null };
  if (await act("The army is looked for …", "army", body)) change(CLEAR);
}

async function remove(name) {
  if (own().sure !== name) return change({ sure: name });
  if (await act("…", "army/remove", { name })) change({ ...CLEAR, sure: null });
}

const colour = (pointed) => pointed.colour ?? pointed.base_colour;
const sizeOf = (kind) => (kind.shape === "round" ? `${kind.diameter_mm} mm` : `${kind.width_mm} × ${kind.depth_mm} mm`);
