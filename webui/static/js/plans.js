/**
 * What the rules would have a unit do by itself, drawn: an answer's own keys may hold results with a `to_mm`, where
 * its lead figure would go. Equal goals are one arrow, labelled with what leads there.
 */

import { fill, h, s } from "./dom.js";
import { along, apart, at, bearingTo, overlap } from "./geometry.js";
import { boxOf, boxOfBase, layers, pin, seenBox } from "./map.js";
import { rangeTexts } from "./overlay.js";
import { answerFor, state, unit, view } from "./store.js";
import { plain } from "./words.js";

const KNOWN = ["unit", "fire", "charge", "move", "actions"];
const MOST_COVERED = 1; // figures, by what is written at a goal
let drawn = "";
let tags = []; // what is written at each goal, and the dice alone that lead there
let texts = []; // the rectangles on the screen that they take

/** Draws for the unit in hand; wipes everything where none is. */
export function drawPlans() {
  const one = unit(view().unit);
  const results = one?.figures.length && !view().order ? resultsOf(answerFor(one.id)) : [];
  const key = JSON.stringify([one?.figures, results, view().quarter]);
  if (key === drawn) return;
  drawn = key;
  for (const { marker } of tags) marker.remove();
  tags = [];
  fill(
    layers.plans,
    goals(results).map(({ to, words, dice }) => {
      const lead = one.figures.reduce((best, figure) => (apart(at(figure), to) < apart(at(best), to) ? figure : best));
      const text = h("span", { class: "pin__text pin--plan", "aria-hidden": "true" }, words);
      tags.push({ marker: pin(to, text, { zIndexOffset: 450 }), text, says: [words, dice] });
      return arrow(at(lead), to);
    }),
  );
  fitPlans();
}

/** Says at each goal as much as there is room for: all, the dice alone, or nothing, for the panel tells it. */
export function fitPlans() {
  const seen = seenBox();
  const figures = tags.length ? state().game.units.flatMap((one) => one.figures.map(boxOfBase)) : [];
  texts = [];
  for (const { marker, text, says } of tags) {
    const fits = (words) => {
      text.textContent = words;
      const box = boxOf(text);
      const inside = overlap(box, seen) > 0.99 * box.width * box.height;
      const covered = figures.filter((figure) => overlap(box, figure)).length;
      return inside && covered <= MOST_COVERED && ![...rangeTexts(), ...texts].some((other) => overlap(box, other));
    };
    marker.getElement().hidden = false;
    const room = says.some((words) => words && fits(words));
    marker.getElement().hidden = !room;
    if (room) texts.push(boxOf(text));
  }
}

/** The rectangles on the screen that the goals' words take. */
export const planTexts = () => texts;

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
  return [...byPlace.values()].map(({ to, all }) => ({ to, words: said(all), dice: diceOf(all) }));
}

const diceOf = (all) => all.map((one) => one.die).filter((die) => die !== undefined).join(", ");

/** `1, 2: run`: which dice lead to it, and what it is. */
function said(all) {
  const words = [...new Set(all.map((one) => plain(one.result ?? "")))].filter(Boolean).join(", ");
  return [diceOf(all), words].filter(Boolean).join(": ");
}

function arrow(from, to) {
  const way = bearingTo(from, to);
  const barbs = [150, 210].map((turn) => along(to, way + turn, 20));
  return s("path", {
    class: "plan",
    d: `M${from.join(" ")}L${to.join(" ")}M${barbs[0].join(" ")}L${to.join(" ")}L${barbs[1].join(" ")}`,
  });
}
