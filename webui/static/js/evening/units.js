/** Step 6: the rules, and the bases put into units: drawn round, in groups, or by their tags. */

import { h } from "../dom.js";
import { button, buttons, field, first, folded, select, worded } from "./parts.js";
import { near, within } from "./picture.js";
import { aimed, named, rolesSaid, same, shareRole, touchOne, whoIsWho } from "./roles.js";
import { act, change, own, say, view } from "./store.js";

const CLEAR = { chosen: [], unitname: undefined, type: undefined, weapon: undefined, formation: undefined, into: undefined, whose: undefined, facing: undefined, roles: undefined, part: undefined, stats: {}, editing: null, drawing: false, sure: null };
const FACINGS = [["", "as the camera sees it"], ["line", "as their line lies, to the enemy"], ["0", "the far edge"], ["90", "the right edge"], ["180", "the near edge"], ["270", "the left edge"]];

export const shows = () => [view().roster, own().chosen, own().drawing, own().editing, own().type, own().into, own().whose, own().sure, own().roles, own().part, own().stats, own().rules, own().anew];

/** Lets go of what was begun with bases, or with a unit, that are there no more. */
export function open() {
  const { camera, roster } = view();
  const looked = camera.frame !== null; // before the first picture nobody knows
  if (looked && own().chosen?.length && !chosenBases(roster).length) leave();
  if (own().editing && !edited(roster)) leave();
}

export function panel() {
  const { roster, armies } = view();
  const unit = edited(roster);
  return [
    rules(roster),
    !armies.length && first("No army is known yet", "armies", "point at a base of each"),
    unit ? edit(unit) : [loose(roster), own().chosen?.length ? form(roster) : null, units(roster)],
  ];
}

export function shapes() {
  const { roster } = view();
  const chosen = new Set(chosenKeys(roster));
  const unit = edited(roster);
  const whole = unit?.bases ?? chosenBases(roster);
  const parts = named(whole);
  if (unit) return [{ kind: "dot", look: "over--picked", at: whole.map((one) => one.at) }, ...parts];
  return [
    ...lettered(roster).filter((group) => group.letter).map(({ middle, letter }) => ({ kind: "word", at: [middle], text: letter, look: "over-word--piece" })),
    { kind: "dot", look: "over--loose", at: roster.strays.filter((one) => !chosen.has(keyOf(one))).map((one) => one.at) },
    { kind: "dot", look: "over--picked", at: whole.map((one) => one.at) },
    ...parts,
  ];
}

/** A line that is drawn takes the bases within it. */
export function loop() {
  if (!own().drawing) return null;
  return (outline) => {
    const inside = view().roster.strays.filter((one) => within(one.at, outline));
    if (!inside.length) return say("No free base is within the line: draw round those that are ringed.", true);
    choose(inside);
  };
}

export function touch() {
  if (own().drawing) return null;
  const whole = edited(view().roster)?.bases ?? chosenBases(view().roster);
  if (aimed() && whole.length) return touchOne(whole);
  if (own().editing || !view().roster.strays.length || !own().chosen?.length) return null;
  return { hint: "", take: toggle };
}

function rules(roster) {
  const picked = own().rules ?? roster.ruleset;
  const pick = (ruleset) => setRules(ruleset, false);
  return folded(`The rules: ${roster.title}`, "more-rules",
    select("Which rules are played", "rules", roster.ruleset, roster.rulesets.map((one) => [one.id, one.title]), { onpick: pick }),
    own().anew && h("div", {}, h("p", { class: "flag" }, "Units are mustered by other rules. A new game begins without them; the log keeps what was."),
      buttons(button("Begin a new game", () => setRules(picked, true), { key: "anew" }))));
}

async function setRules(ruleset, anew) {
  const had = view().roster.units.length > 0 && ruleset !== view().roster.ruleset && !anew;
  if (had) return change({ anew: true });
  const done = await act("…", "rules", { ruleset, anew });
  if (done) change({ ...CLEAR, anew: false, rules: undefined });
}

/** The groups to choose from; those that would be called the same have a letter, from left to right, which stands in the picture. */
function lettered(roster) {
  const groups = roster.groups.filter((group) => group.bases.length > 1 || roster.groups.length < 9);
  const words = groups.map((group) => `${group.bases.length} ${group.army ? worded(group.army) : "without paint"}${group.tag === null ? "" : `, tag ${group.tag}`}`);
  const named = groups.map((group, place) => ({ ...group, middle: middleOf(group.bases.map((index) => roster.strays[index].at)), words: words[place] }));
  const alike = named.filter((group) => words.filter((one) => one === group.words).length > 1).sort((a, b) => a.middle[0] - b.middle[0]);
  return named.map((group) => (alike.includes(group) ? { ...group, letter: letterOf(alike.indexOf(group)) } : group));
}

const middleOf = (places) => [0, 1].map((axis) => places.reduce((sum, at) => sum + at[axis], 0) / places.length);

/** A to Z, then A2 … */
const letterOf = (place) => String.fromCharCode(65 + (place % 26)) + (place < 26 ? "" : Math.floor(place / 26) + 1);

function loose(roster) {
  if (!roster.strays.length) return h("p", { class: "quiet" }, roster.units.length ? "Every base that is seen belongs to a unit." : "No free base is seen.");
  const groups = lettered(roster);
  return [
    h("h3", { class: "eve-sub" }, `${roster.strays.length} bases in no unit`),
    buttons(button(own().drawing ? "Stop drawing" : "Draw round a unit", () => change({ drawing: !own().drawing }), { key: "lasso", "aria-pressed": String(Boolean(own().drawing)) })),
    h("p", { class: "quiet" }, `Or take those that stand together${groups.some((group) => group.letter) ? " (the letters are in the picture)" : ""}:`),
    h("ul", { class: "eve-chips" }, groups.map((group, place) => h("li", {}, button(
      group.letter ? `${group.words}: ${group.letter}` : group.words,
      () => choose(group.bases.map((index) => roster.strays[index]), group.tag),
      { quiet: true, key: `group-${place}` })))),
  ];
}

function form(roster) {
  const chosen = chosenBases(roster);
  const army = armyOf(chosen);
  const side = sideOf(roster, chosen);
  const own_units = roster.units.filter((unit) => unit.side === side);
  const into = own().into ?? "";
  return h("div", { class: "eve-form", role: "group", "aria-label": "A unit" },
    h("p", { class: "eve-good", data: { key: "chosen" } }, chosen.length ? `${chosen.length} base${chosen.length === 1 ? "" : "s"} ${army ? `of ${worded(army)}` : "without paint"} chosen: filled in the picture. Touch one there to take it in or out.` : "The chosen bases are out of sight just now."),
    mixed(chosen) && h("p", { class: "flag" }, "They are of two armies: a unit has one. Draw again."),
    whoIsWho(chosen),
    !army && chosen.length > 0 && select("Whose are they?", "whose", side, roster.sides.map((one) => [one, worded(one)]), { onpick: () => change({ into: undefined }) }),
    own_units.length > 0 && select("They are", "into", "", [["", "a new unit"], ...own_units.map((unit) => [unit.id, `more of ${unit.name}`])]),
    !into && [
      field("The unit's name", "unitname", "", { type: "text", maxlength: 40, placeholder: "1st Foot" }),
      worth(roster, {}),
      chosen.some((one) => one.bearing_deg === null) && select("They face", "facing", "line", [...FACINGS.slice(1), ["", "not said"]], { hint: "These bases have no mark at the front that the camera could see." }),
    ],
    buttons(button(into ? "Add them" : "Muster the unit", () => muster(roster, chosen), { key: "muster", disabled: mixed(chosen) || !chosen.length }), button("Leave it", leave, { quiet: true, key: "leave-unit" })));
}

/** Type, weapon, formation and the worth of a unit, as the rules have them. */
function worth(roster, unit) {
  const types = roster.types;
  const name = own().type ?? unit.type ?? types[0]?.name ?? "";
  const type = types.find((one) => one.name === name) ?? { formations: [], weapons: [] };
  const list = (values) => values.map((one) => [one, worded(one)]);
  const first = mainOf(roster, name);
  const main = roster.fields.filter((one) => first.includes(one.key));
  const rest = roster.fields.filter((one) => !roster.main.includes(one.key));
  return [
    types.length ? select("Type", "type", name, list(types.map((one) => one.name))) : field("Type", "type", name, { type: "text" }),
    type.weapons.length > 1 && select("Weapon", "weapon", unit.weapon ?? type.weapons[0], list(type.weapons)),
    type.formations.length > 1 && select("Formation", "formation", unit.formation ?? type.formations[0], list(type.formations)),
    main.map((one) => stat(one, unit.stats ?? {})),
    rest.length > 0 && folded("More of its worth", "more-worth", rest.map((one) => stat(one, unit.stats ?? {}))),
  ];
}

/** The keys that a unit of a type is always asked for: a leader has no strength, foot no command. */
const mainOf = (roster, name) => roster.types.find((one) => one.name === name)?.main ?? roster.main;

function stat(one, has) {
  const key = `stat-${one.key}`;
  const value = has[one.key] ?? one.default ?? "";
  if (one.ask === "yes-no") return select(one.label, key, String(Boolean(value)), [["false", "No"], ["true", "Yes"]]);
  if (one.choices?.length && one.ask !== "choices") return select(one.label, key, value, [...(one.default === undefined || one.default === null ? [["", "–"]] : []), ...one.choices.map((choice) => [choice.value, choice.label])], { hint: one.hint });
  if (one.ask === "choices") return field(one.label, key, (has[one.key] ?? []).join(", "), { type: "text", hint: `Any of: ${(one.choices ?? []).map((choice) => choice.value).join(", ")}` });
  if (one.ask === "number") return field(one.label, key, value, { type: "number", min: one.least, max: one.most, step: one.whole ? 1 : "any", inputmode: "numeric", hint: one.hint });
  return field(one.label, key, value, { type: "text", hint: one.hint });
}

/** The stats that somebody gave; those of the rules' first rank are always written down. */
function statsGiven(roster, type) {
  const given = {};
  const [main, others] = [mainOf(roster, type), roster.main];
  for (const one of roster.fields) {
    if (others.includes(one.key) && !main.includes(one.key)) continue; // of a type that was chosen before
    let value = own()[`stat-${one.key}`];
    if (value === undefined && main.includes(one.key)) value = one.default ?? "";
    if (value === undefined || value === "" || value === null) continue;
    if (one.ask === "number") value = Number(value);
    else if (one.ask === "yes-no") value = value === true || value === "true";
    else if (one.ask === "choices") value = String(value).split(",").map((part) => part.trim()).filter(Boolean);
    else if (one.choices?.length) value = one.choices.find((choice) => String(choice.value) === String(value))?.value ?? value;
    given[one.key] = value;
  }
  return given;
}

async function muster(roster, chosen) {
  const bases = chosen.map((one) => ({ x_mm: one.x_mm, y_mm: one.y_mm, ...shareRole(one) }));
  const into = own().into;
  if (into) return done(await act("They join …", "muster", { assign: { unit: into, bases } }));
  const name = (own().unitname ?? "").trim();
  if (!name) return say("Give the unit a name first.", true);
  const types = roster.types;
  const type = types.find((one) => one.name === (own().type ?? types[0]?.name)) ?? { name: own().type, weapons: ["none"], formations: ["unformed"] };
  const pick = (key, values) => (values.includes(own()[key]) ? own()[key] : values[0]);
  const assign = { unit: freeId(name, roster.units), bases, side: sideOf(roster, chosen), type: type.name, name, weapon: pick("weapon", type.weapons), formation: pick("formation", type.formations), stats: statsGiven(roster, type.name) };
  const unseen = chosen.some((one) => one.bearing_deg === null);
  return done(await act("The unit is mustered …", "muster", { assign, ...facingIn(own().facing ?? (unseen ? "line" : "")) }));
}

function units(roster) {
  if (!roster.units.length) return null;
  return [
    h("h3", { class: "eve-sub" }, "The units"),
    h("ul", { class: "eve-list" }, roster.units.map((unit) => h("li", { class: "eve-item" },
      h("div", { class: "eve-item__words" }, h("strong", {}, unit.name), h("span", { class: "quiet" }, `${worded(unit.side)}, ${worded(unit.type)}, ${worded(unit.weapon)}; ${unit.seen < unit.figures ? `${unit.figures - unit.seen} of its ${unit.figures} figures out of sight` : `${unit.figures} seen`}.`)),
      button("Change", () => change({ ...CLEAR, ...noStats(roster), editing: unit.id }), { quiet: true, key: `unit-${unit.id}` })))),
  ];
}

function edit(unit) {
  const { roster } = view();
  return h("div", { class: "eve-form", role: "group", "aria-label": unit.name },
    h("h3", { class: "eve-sub" }, unit.name),
    field("Name", "unitname", unit.name, { type: "text", maxlength: 40 }),
    whoIsWho(unit.bases),
    worth(roster, unit),
    select("It faces", "facing", "", [...FACINGS, ["about", "the other way about"]]),
    buttons(
      button("Keep it so", () => keep(roster, unit), { key: "keep-unit" }),
      button("Leave it", leave, { quiet: true, key: "leave-unit" }),
      button(own().sure === unit.id ? "Really disband it" : "Disband it", () => disband(unit), { quiet: true, key: "disband" })));
}

async function keep(roster, unit) {
  const given = {};
  const said = statsGiven(roster, own().type ?? unit.type);
  for (const one of roster.fields) if (own()[`stat-${one.key}`] !== undefined) given[one.key] = said[one.key];
  const type = roster.types.find((one) => one.name === (own().type ?? unit.type)) ?? { weapons: [unit.weapon], formations: [unit.formation] };
  const held = (key) => (type[`${key}s`].includes(own()[key] ?? unit[key]) ? (own()[key] ?? unit[key]) : type[`${key}s`][0]);
  const body = { unit: unit.id, name: (own().unitname ?? unit.name).trim() || unit.name, type: own().type ?? unit.type, weapon: held("weapon"), formation: held("formation"), stats: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)), roles: rolesSaid() };
  done(await act("…", "unit", { ...body, ...facingIn(own().facing) }));
}

/** What was said of a facing: degrees, or a word for it. */
function facingIn(said) {
  if (!said) return {};
  return Number.isFinite(Number(said)) ? { facing_deg: Number(said) } : { facing: said };
}

async function disband(unit) {
  if (own().sure !== unit.id) return change({ sure: unit.id });
  return done(await act("…", "unit", { unit: unit.id, disband: true }));
}

function done(answer) {
  if (answer) leave();
}

const leave = () => change({ ...CLEAR, ...noStats(view().roster) });

const noStats = (roster) => Object.fromEntries(roster.fields.map((one) => [`stat-${one.key}`, undefined]));

function choose(bases, tag = null) {
  const name = tag === null ? {} : { unitname: own().unitname ?? `Unit ${tag}` };
  change({ chosen: bases.map(({ x_mm, y_mm }) => ({ x_mm, y_mm })), drawing: false, said: null, ...name });
}

function toggle(place) {
  const { roster } = view();
  const touched = near(roster.strays, place);
  if (!touched) return;
  const has = chosenBases(roster).map(({ x_mm, y_mm }) => ({ x_mm, y_mm }));
  const left = has.filter((one) => !same(one, touched));
  change({ chosen: left.length < has.length ? left : [...has, { x_mm: touched.x_mm, y_mm: touched.y_mm }] });
}

const keyOf = (one) => `${one.x_mm},${one.y_mm}`;
const chosenBases = (roster) => roster.strays.filter((one) => (own().chosen ?? []).some((other) => same(one, other)));
const edited = (roster) => roster.units.find((unit) => unit.id === own().editing);
const chosenKeys = (roster) => chosenBases(roster).map(keyOf);
const mixed = (bases) => new Set(bases.map((one) => one.army).filter(Boolean)).size > 1;
const armyOf = (bases) => bases.map((one) => one.army).find(Boolean);

/** The side of the bases' army; of those without paint, the one that somebody said. */
const sideOf = (roster, bases) =>
  roster.sides.find((one) => one.toLowerCase() === String(armyOf(bases) ?? own().whose ?? "").toLowerCase()) ?? roster.sides[0];

/** An id for a unit of that name that no other has. */
function freeId(name, units) {
  const bare = name.toLowerCase().normalize("NFD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "unit";
  const taken = new Set(units.map((unit) => unit.id));
  for (let number = 1; ; number++) {
    const id = number === 1 ? bare : `${bare}-${number}`;
    if (!taken.has(id)) return id;
  }
}
