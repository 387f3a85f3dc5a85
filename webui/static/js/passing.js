/** How the turn passes on: by the button at the top, and nowhere else. */

import { passing } from "./forms.js";
import { state } from "./store.js";
import { verdict } from "./verdict.js";

/** Whose turn is next, and in which turn: before the first, that of the side that begins. */
export function next() {
  const { turn_order: order, game: { turn } } = state();
  if (turn.number === 0) return { number: 1, side: turn.active_side ?? order[0] };
  const place = order.indexOf(turn.active_side);
  const last = place === order.length - 1;
  return { number: (turn.number ?? 1) + (last ? 1 : 0), side: order[(place + 1) % order.length] };
}

/** The form of the action by which the turn passes on; undefined where the rules have none for it. */
export const passForm = () => passing("side") ?? (next().number !== state().game.turn.number ? passing("turn") : undefined);

/**
 * Whether an action is done by the button at the top, so that it needs none of its own. What begins a side's turn needs
 * one before the first: nobody has passed the turn on to that.
 */
export function passedAbove(form) {
  if (form.passes === "none" || verdict()) return false;
  return !(form.passes === "side" && passing("end") && unbegun(form.action));
}

/** Whether the first turn of all is still to be begun. */
function unbegun(action) {
  const { log, turn_order: order, game: { turn } } = state();
  const begun = log.some((entry) => entry.action?.action === action && !entry.undone);
  return !begun && (turn.number ?? 1) <= 1 && turn.active_side === order[0];
}
