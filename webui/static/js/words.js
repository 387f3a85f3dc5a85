/** The engine's keys in the players' words. A key that is not listed is shown as it is, without its hyphens. */

import { state, unit } from "./store.js";

const MODES = { volley: "Volley", "at-will": "Fire at will", canister: "Canister", ball: "Ball" };
const VERBS = {
  volley: "Fire the volley",
  "at-will": "Fire at will",
  canister: "Fire canister",
  ball: "Fire ball",
};
const MOVES = {
  ahead: "straight on, up to 45° off its front",
  wheel: "wheel up to 90° about an end figure",
  turn: "change facing and move half",
  bounds: "from square to square",
  move: "from hex to hex",
  reform: "change formation and move half",
  back: "straight back, same facing",
  any: "any way, any facing at the end",
  stand: "stand up (takes the whole move)",
  fast: "or try a fast move",
};
const FORMATIONS = { "formed-line": "in line", mob: "in a mob", unformed: "unformed", square: "in square" };
const FRACTIONS = { 0.25: "¼", 0.5: "½", 0.75: "¾" };

/** `formed-line` → `formed line`. */
export const plain = (key) =>
  String(key ?? "")
    .replaceAll("-", " ")
    .replaceAll("_", " ");

/** `british` → `British`; `1st-foot` → `1st Foot`; `army-of-france` → `Army of France`. */
export const titled = (key) => plain(key).replace(/(?<=^|\s)\p{L}\S*/gu, (word, at) => (at > 0 && SMALL.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)));

const SMALL = new Set(["of", "the", "and", "at", "in", "on", "for", "to"]);

/** A unit's name for people. Takes the unit or its id. */
export function name(which) {
  const one = typeof which === "string" ? unit(which) : which;
  return one?.name || titled(one?.id ?? which);
}

/** A text of the engine, where units and sides are called by their ids: a sentence with their names, its keys without hyphens. */
export function named(words) {
  const told = within(words);
  return told.charAt(0).toUpperCase() + told.slice(1);
}

/** The same within a sentence of the page's own. */
export function within(words) {
  const { units = [], sides = [], table } = state()?.game ?? {};
  const text = table?.grid ? words.replace(/(?:\b(?:hex|square) )?\[(\d+, \d+)\]/g, `${table.grid.kind} $1`) : words;
  const ids = [...units.map((one) => one.id), ...sides.map((side) => side.name)].sort(
    (a, b) => b.length - a.length,
  );
  const unhyphened = (part) => part.replace(/(?<=[a-z])-(?=[a-z0-9])/g, " ").replace(/\b([a-z]+)( \d+)? \(\1\)/g, "$1$2");
  const parts = ids.length ? text.split(new RegExp(`(?<![\\w-])(${ids.map(escaped).join("|")})(-\\d+)?(?![\\w-])`)) : [text];
  const alone = (of, part) => unit(of)?.figures.length === 1 && unit(of).figures[0].id === of + part; // it is the unit
  const number = (part, of) => (!part || alone(of, part) ? "" : unit(of) ? ` no. ${part.slice(1)}` : ` ${part.slice(1)}`);
  return parts // by threes: what is between names, a name, the number of a figure of it
    .map((part, index) => [unhyphened, name, (one) => number(one, parts[index - 1])][index % 3](part))
    .join("");
}

/** A figure by its unit and number, and what it is where it is no ranker: `Gorham's Rangers no. 4 (NCO)`. */
export function figureName(id) {
  const one = state().game.units.flatMap((each) => each.figures).find((figure) => figure.id === id);
  const role = one?.role && one.role !== "rank" ? ` (${roleName(one.role)})` : "";
  return `${named(id)}${role}`;
}

/** `nco` → `NCO`; `lead-figure` → `lead figure`. */
export const roleName = (role) => (role === "nco" ? "NCO" : plain(role));

/** What the dice of a roll do when they succeed: hit, pass or count. */
export const verb = (purpose) =>
  /\b(tests?|checks?)\b|^Leader\b/.test(purpose) ? "pass" : /\bfires?\b/.test(purpose) ? "hit" : "count";

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export const mode = (key) => MODES[key] ?? "Fire";
export const fireVerb = (key) => VERBS[key] ?? "Fire";
/** A turn by its number: a game may stand at 0, before anybody has begun the first. */
export const turnName = (number) => (number === 0 ? "Before turn 1" : `Turn ${number}`);

/** A way of moving, of all that a unit has: on a grid a turn on the spot costs what the rules say, and not half. */
export const moveMode = (key, _place, all) => (key === "turn" && !all.includes("ahead") ? "turn where it stands" : (MOVES[key] ?? plain(key)));
export const formation = (key) => FORMATIONS[key] ?? plain(key);

/** A length in the players' unit: `15.8 in`. */
export function length(mm, digits = 1) {
  if (mm === null || mm === undefined) return "";
  const { mm_per_unit: per } = state().ruleset;
  return lengthOf((mm / per).toFixed(digits));
}

/** A number of the players' unit of length, which is one or several: `1 bound`, `2 bounds`, `2 in`. */
export function lengthOf(number) {
  const { unit: sign } = state().ruleset;
  const one = { bounds: "bound", hexes: "hex", squares: "square" }[sign];
  return `${number} ${one && Number(number) === 1 ? one : sign}`;
}

/** A length without needless zeros: `8 in`, `7.5 in`. */
export const shortLength = (mm) => (mm === null || mm === undefined ? "" : lengthOf(length(mm).split(" ")[0].replace(/\.0$/, "")));

/** How far an option reaches: in the cells that the rules count, else as a length. */
export function range(option) {
  const cells = option.range_bounds ?? option.range_hexes;
  return cells === undefined || cells === null ? length(option.range_mm) : lengthOf(cells);
}

/** `12d6`. */
export const pool = (count, die) => `${count}${die}`;

/** What a `die` must show, in words: `1s`, `1s and 2s`, `4 or less`, `12s`. */
export function success(text, die = "") {
  const found = /^(==|<=|>=|<|>)(-?\d+)$/.exec(text ?? "");
  if (!found) return "";
  const score = Number(found[2]);
  if (found[1] === "==") return `${score}s`;
  if (found[1] === "<=") return score === 1 ? "1s" : score === 2 ? "1s and 2s" : `${score} or less`;
  if (found[1] === ">=") return `d${score}` === die ? `${score}s` : `${score} or more`;
  return found[1] === "<" ? `under ${score}` : `over ${score}`;
}

/** Whether one score succeeds; null where scores are added. */
export function succeeds(text, score) {
  const found = /^(==|<=|>=|<|>)(-?\d+)$/.exec(text ?? "");
  if (!found) return null;
  const limit = Number(found[2]);
  return {
    "==": score === limit,
    "<=": score <= limit,
    ">=": score >= limit,
    "<": score < limit,
    ">": score > limit,
  }[found[1]];
}

/** `× ½`. */
export const times = (factor) => `×${FRACTIONS[factor] ?? factor}`;

/** `+2d6` as it is; `x0.5` → `×½`. */
export const effect = (text) => String(text).replace(/^x(\d+(?:\.\d+)?)$/, (_, factor) => times(Number(factor)));

/** Where an attack comes from. */
export const aspect = (key) =>
  key ? ({ front: "at the front", flank: "at the flank", rear: "at the rear" }[key] ?? plain(key)) : "";

/** What covers the target. */
export function cover(key) {
  if (key === "none") return "";
  const words = {
    prone: "prone",
    building: "in a building",
    crest: "behind a crest",
    wall: "behind a wall",
    fieldworks: "behind fieldworks",
    gully: "in a gully",
    creek: "in a creek",
    ford: "in a ford",
  };
  const degrees = ["incidental", "partial", "heavy", "full", "complete", "soft", "hard"];
  if (degrees.includes(key)) return `${key} cover`;
  return key ? (words[key] ?? `in ${plain(key)}`) : "";
}

/** Whether a unit is one base that stands for many men, as on a grid: that it has one figure tells nobody anything. */
export const isOneBase = (one) => Boolean(state().cells?.[one.id]) && one.figures.length === 1;

/** `1 figure`, `2 figures`. */
export const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/**
 * Which of a unit's figures the camera does not see just now (the state's `presence`): `one of its 8 figures`. Empty
 * where it sees all; never how many are left in sight, which would read like losses.
 */
export function missing({ seen, of } = { seen: 0, of: 0 }) {
  if (seen >= of) return "";
  if (of === 1) return "its figure";
  return `${seen ? (of - seen === 1 ? "one" : of - seen) : "all"} of its ${of} figures`;
}

/** The same in a sentence's words: `one of its 8 figures is out of the camera's sight`. */
export function outOfSight(presence) {
  const some = missing(presence);
  return some && `${some} ${presence.of - presence.seen === 1 ? "is" : "are"} out of the camera's sight`;
}
