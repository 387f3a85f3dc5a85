/** What is left to do this turn, and what hands have still to do on the table: take casualties off, set figures back. */

import { h } from "./dom.js";
import { answerFor, state, unit } from "./store.js";
import { count, name, titled } from "./words.js";

let waited = new Map(); // units of which casualties stand on the table, and how many figures they have left
let seenOff = { entry: 0, units: [] }; // of units the same

/** What a unit can do just now, in words of one kind each. */
export function possible(answer) {
  if (!answer) return [];
  const can = answer.melee?.length ? ["fight"] : [];
  if (answer.fire.some((option) => option.legal)) can.push("fire");
  if (answer.charge.some((option) => option.legal)) can.push("charge");
  const { move } = answer;
  if (move?.legal !== false && (leftMm(answer) > 0 || move?.allowance_bounds > 0)) can.push("move");
  return can;
}

/** How far a unit may still move: what the rules left it, less what it was moved by hand since; 0 within the error. */
export function leftMm({ unit, move }) {
  const spent = state().spent?.[unit];
  const may = move?.left_mm ?? move?.allowance_mm ?? 0;
  return !spent || spent.distance_mm < may - 2 * spent.sigma_mm ? may - (spent?.distance_mm ?? 0) : 0;
}

/** The active side's units that are on the table, and those of them that can still do something. */
export function leftToDo() {
  const { game } = state();
  const own = game.units.filter((one) => one.side === game.turn.active_side && one.figures.length > 0);
  return { own, left: own.filter((one) => !one.state?.activated && possible(answerFor(one.id)).length > 0) };
}

/** A line that says how many units can still act. */
export function leftLine() {
  const { own, left } = leftToDo();
  if (!own.length) return null;
  const { seat, game } = state();
  const whose = seat?.kind === "side" && seat.side !== game.turn.active_side ? `${titled(game.turn.active_side)}: ` : "";
  const words = left.length
    ? `${whose}${left.length} of ${count(own.length, "unit")} can still act.`
    : `${whose}${whose ? "nothing" : "Nothing"} is left to do this turn.`;
  return h("p", { class: "todo", role: "status" }, words);
}

/** Takes note of whose casualties stand on the table, and of those that the camera has just seen off it. */
export function watchCasualties() {
  const units = new Map(lost().map(({ lost_from: id }) => [id, left(id)]));
  const gone = [...waited].filter(([id]) => !units.has(id));
  if (gone.length) seenOff = { entry: lastEntry(), units: gone };
  waited = units;
}

/** The plain value that the lines about the table show. */
export const tableShows = () => [lost().map((stray) => stray.lost_from), recent(), state().set_back];

/** The casualties to take off, by unit; once the camera has seen them off, that it has; and whom to set back. */
export function tableLines() {
  const words = [...waited.keys()].map((id) => `${lost().filter((stray) => stray.lost_from === id).length} of ${name(id)}`);
  return [
    words.length > 0 &&
      h("p", { class: "flag" }, `To take off the table: ${words.join(", ")}. They are crossed out on the map.`),
    !words.length && recent().length > 0 &&
      h("p", { class: "quiet todo--off" }, `The camera has seen the casualties of ${recent().map(name).join(", ")} off the table.`),
    state().set_back?.length > 0 &&
      h("p", { class: "flag todo--back" }, `To set back on the table, as the map shows: ${state().set_back.map(name).join(", ")}.`),
  ];
}

const lost = () => (state().strays ?? []).filter((stray) => stray.lost_from);
const lastEntry = () => state().log.at(-1)?.number ?? 0;

const left = (id) => unit(id)?.figures.length ?? 0;

/** Whose casualties were seen off, as long as that is news; not those of a unit that has its men again. */
const recent = () =>
  lastEntry() - seenOff.entry < 2 ? seenOff.units.filter(([id, had]) => left(id) <= had).map(([id]) => id) : [];
