/** What a unit can do now, at one glance: whether it fights, how many it may fire at and charge, how far it may go; each leads to its place below. */

import { openOrders } from "./actions.js";
import { h } from "./dom.js";
import { mayFight } from "./melee.js";
import { state } from "./store.js";
import { leftMm } from "./todo.js";
import { count, lengthOf, shortLength } from "./words.js";

/** How far a unit may still go, in the players' words; empty where it may not. */
export function farLeft(answer) {
  const { move, unit } = answer;
  const spent = state().spent?.[unit];
  const bounds = move?.allowance_bounds > 0;
  if (!move || move.legal === false || !(move.allowance_mm > 0 || bounds) || (spent && leftMm(answer) === 0)) return "";
  return bounds ? lengthOf(move.allowance_bounds) : shortLength(spent ? leftMm(answer) : (move.left_mm ?? move.allowance_mm));
}

/** The row: what is not open is left out, and where nothing is that is said. */
export function canNow(one, answer) {
  const aims = new Set(answer.fire.filter(({ legal }) => legal).map(({ target }) => target)).size;
  const charges = answer.charge.filter(({ legal }) => legal).length;
  const acting = one.side === state().game.turn.active_side;
  const far = acting && farLeft(answer);
  const orders = openOrders(one.id);
  const parts = [
    mayFight(one, answer) && jump("melee", "Fight", "#orders .card--melee"),
    aims > 0 && jump("fire", `Fire at ${aims}`, "#orders .card:not(.card--charge)"),
    charges > 0 && jump("charge", `Charge ${charges}`, "#orders .card--charge"),
    far && jump("move", `Move ${far}`, "#orders .move"),
    orders > 0 && jump("more", count(orders, "order"), "#orders [data-key='part-more']"),
  ].filter(Boolean);
  if (!parts.length) return orders === null ? null : h("p", { class: "quiet" }, "It can do nothing just now; below stands why.");
  return h("ul", { class: "can", "aria-label": "What it can do now" }, parts.map((part) => h("li", {}, part)));
}

/** A button that brings a part of the panel up, and takes the keyboard there. */
function jump(key, words, place) {
  return h("button", { class: "can__go", type: "button", data: { key: `can-${key}` }, on: { click: () => goTo(place) } }, words);
}

function goTo(place) {
  const found = document.querySelector(place);
  if (!found) return;
  found.scrollIntoView({ block: "start" });
  found.querySelector("button, summary")?.focus({ preventScroll: true });
}
