/** A form that is being filled in survives a reload of the page, as typed dice do (`play.js`). */

import { formWhenHere } from "./forms.js";
import { keep, kept } from "./kept.js";
import { resume } from "./order.js";
import { between, mine, pastOf, state, unit, view } from "./store.js";

const KEPT = between ? "vedette-order-between" : "vedette-order";
let keeping = false; // only once what was left has been taken up
let last = null;

/** Opens the form that was open before a reload, if what it is about is still there; else nothing. */
export async function takeUpOrder() {
  const left = kept(KEPT);
  const form = left && isOf(left, state()) && (await formWhenHere(left.action));
  keeping = true;
  const { play, order } = view();
  if (form && !play && !order && !pastOf() && mine(left.unit)) resume(left);
  keepOrder();
}

/** Keeps the open form as it stands; or forgets it, once it is closed or done. */
export function keepOrder() {
  const { order } = view();
  if (!keeping || order === last) return;
  last = order;
  keep(KEPT, order && { ...whatWasSaid(order), began: state().began });
}

const whatWasSaid = ({ action, unit: unitId, values, picking, asked }) => ({ action, unit: unitId, values, picking, asked });

/** Whether a form is of the game that is played here, and of a unit that is in it. */
const isOf = (left, { began }) => left.began === began && (left.unit === null || unit(left.unit) !== null);

/** What is half typed in a control is its value from now on, and what was given up just now stays so: the page may be
 * gone before the control is left, or anything is drawn again. */
function keepAsItStands() {
  const control = document.activeElement;
  const typing = control instanceof HTMLInputElement && view().order && control.value !== control.defaultValue;
  if (typing) control.dispatchEvent(new Event("change", { bubbles: true }));
  keepOrder();
}

addEventListener("pagehide", keepAsItStands);
document.addEventListener("visibilitychange", () => document.hidden && keepAsItStands());
