/**
 * What the rules would have a unit do by itself, drawn: an answer's own keys may hold results with a `to_mm`, where
 * its lead figure would go. Equal goals are one arrow, labelled with what leads there.
 */

import { fill, h, s } from "./dom.js";
import { along, apart, at, bearingTo } from "./geometry.js";
import { layers, pin } from "./map.js";
import { answerFor, unit, view } from "./store.js";
import { plain } from "./words.js";

const KNOWN = ["unit", "fire", "charge", "move", "actions"];
let drawn = "";
let tags = [];

/** Draws for the unit in hand; wipes everything where none is. */
export function drawPlans() {
  const one = unit(view().unit);
  const results = one?.figures.length && !view().order ? resultsOf(answerFor(one.id)) : [];
  const key = JSON.stringify([one?.figures, results, view().quarter]);
  if (key === drawn) return;
  drawn = key;
  for (const tag of tags) tag.remove();
  tags = [];
  fill(
    layers.plans,
    goals(results).map(({ to, words }) => {
      const lead = one.figures.reduce((best, figure) => (apart(at(figure), to) < apart(at(best), to) ? figure : best));
      tags.push(pin(to, h("span", { class: "pin__text pin--plan", "aria-hidden": "true" }, words), { zIndexOffset: 450 }));
      return arrow(at(lead), to);
    }),
  );
}

/** The results with a place in them, wherever they stand in an answer: `{die, result, to_mm}`. */
function resultsOf(answer) {
  const found = [];
  const look = (value) => {
    if (Array.isArray(value)) value.forEach(look);
    else if (value && typeof value === "object") {
      if (Array.isArray(value.to_mm)) found.push(value);
      else Object.values(value).forEach(look);
    }
  };
  for (const [key, value] of Object.entries(answer ?? {})) if (!KNOWN.includes(key)) look(value);
  return found;
}

function goals(results) {
  const byPlace = new Map();
  for (const one of results) {
    const key = one.to_mm.map(Math.round).join();
    byPlace.set(key, { to: one.to_mm, all: [...(byPlace.get(key)?.all ?? []), one] });
  }
  return [...byPlace.values()].map(({ to, all }) => ({ to, words: said(all) }));
}

/** `1, 2: run`: which dice lead to it, and what it is. */
function said(all) {
  const dice = all.map((one) => one.die).filter((die) => die !== undefined);
  const words = [...new Set(all.map((one) => plain(one.result ?? "")))].filter(Boolean).join(", ");
  return [dice.length ? dice.join(", ") : "", words].filter(Boolean).join(": ");
}

function arrow(from, to) {
  const way = bearingTo(from, to);
  const barbs = [150, 210].map((turn) => along(to, way + turn, 20));
  return s("path", {
    class: "plan",
    d: `M${from.join(" ")}L${to.join(" ")}M${barbs[0].join(" ")}L${to.join(" ")}L${barbs[1].join(" ")}`,
  });
}
