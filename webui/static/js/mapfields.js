/** Values of an order that are touched on the map: units, figures, terrain, places and cells, shown as chips. */

import { chip } from "./chips.js";
import { h } from "./dom.js";
import { nearestFirst, offered } from "./offered.js";
import { pick, setValue } from "./order.js";
import { meant } from "./picking.js";
import { between, state, unit, view } from "./store.js";
import { figureName, length, name, titled } from "./words.js";

const LISTED = ["unit", "units", "terrain"];
const MANY = ["units", "figures", "points", "path", "cells", "steps"];

/** The control: what there is to choose from or has been chosen, and the button to touch it on the map. */
export function chosenOnMap({ order, field, path, value }) {
  const many = MANY.includes(field.ask);
  const list = value === undefined || value === null ? [] : many ? value : [value];
  if (field.ask === "steps")
    return h("div", { class: "picks" }, list.map((one, index) => stepChip(path, one, index, list)), onMap(path));
  const values = LISTED.includes(field.ask) ? candidates(order, field) : fighters(order, field, path) ?? list;
  const how = many ? "several" : LISTED.includes(field.ask) ? "one" : "placed";
  return offered(order, path, values, list, (one) => chip(path, list, one, how, said(field, one)), onMap(path));
}

function onMap(path) {
  const picking = JSON.stringify(view().order?.picking) === JSON.stringify(path);
  return h(
    "button",
    {
      class: "button button--quiet pick-on-map",
      type: "button",
      "aria-pressed": picking,
      data: { key: `map-${path.join("-")}` },
      on: { click: () => pick(picking ? null : path) },
    },
    picking ? "Done touching" : "Touch on the map",
  );
}

/** A step of a way; touched, the way ends before it. */
function stepChip(path, one, index, list) {
  const cut = () => setValue(path, index ? list.slice(0, index) : undefined);
  return h(
    "button",
    {
      class: "pick",
      type: "button",
      "aria-pressed": true,
      "aria-label": `${one}: end the way before this step`,
      data: { key: `pick-${path.join("-")}-${index}` },
      on: { click: cut },
    },
    one,
  );
}

function candidates(order, field) {
  if (field.ask === "terrain") return state().game.terrain.map((piece) => piece.id);
  const { units } = state().game;
  const meantNow = between
    ? units.filter((one) => ofSide(one, order))
    : nearestFirst(order, units.filter((one) => one.figures.length > 0 && meant(one, field)));
  return meantNow.map((one) => one.id);
}

/** The figures that may fight on a side of a pair: the unit's own, or its target's; null: it is no pair. */
function fighters(order, field, path) {
  if (!path.slice(-2).every(Number.isInteger)) return null;
  const one = unit(field.whose === "own" ? order.unit : order.values.target);
  return (one?.figures ?? []).map((figure) => figure.id);
}

/** Whether a unit is of the side that an order between battles names, if it names one. */
const ofSide = (one, order) => !order.values.side || one.side === order.values.side;

function said(field, value) {
  if (["point", "points", "path"].includes(field.ask)) return value.map((part) => length(part)).join(" × ");
  if (["cell", "cells"].includes(field.ask)) return `${value[0]}, ${value[1]}`;
  if (["figure", "figures"].includes(field.ask)) return figureName(value);
  return unit(value) ? name(value) : titled(value);
}
