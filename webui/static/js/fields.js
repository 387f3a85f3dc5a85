/** The controls of an order's form: one for each kind of thing that a key may be. */

import { chosenOnCountry } from "./campaignfields.js";
import { chip } from "./chips.js";
import { dial } from "./dial.js";
import { h } from "./dom.js";
import { chosenOnMap } from "./mapfields.js";
import { offered, wordsHere } from "./offered.js";
import { figuresOf, setValue, valueAt } from "./order.js";
import { answerFor, between, state, unit, view } from "./store.js";
import { named as sentence, plain, titled } from "./words.js";

const ONE_OF = ["choice", "yes-no", "side", "weapon", "unit", "terrain", "piece", "hex"]; // touched again, they stay chosen

/** A field with its label, its hint and its control. */
export function fieldRow(order, field, path) {
  const id = `field-${path.join("-")}`;
  return h(
    "div",
    { class: "field-row", role: "group", "aria-labelledby": id },
    h(
      "p",
      { class: "field-row__label", id },
      field.label,
      !field.required && field.said_by !== "target" && !order.asked?.includes(field.key) && optional(order, field, path),
    ),
    field.hint && h("p", { class: "quiet field-row__hint" }, field.hint),
    control(order, field, path),
  );
}

/** That a value may be left out; what was chosen is taken out here. */
function optional(order, field, path) {
  if (!ONE_OF.includes(field.ask) || valueAt(order, path) === undefined) return h("span", { class: "field-row__may" }, "if you like");
  return h("button", { class: "field-row__may link", type: "button", data: { key: `open-${path.join("-")}` }, on: { click: () => setValue(path, undefined) } }, "leave it open");
}

function control(order, field, path) {
  const value = valueAt(order, path);
  const make = CONTROLS[field.ask] ?? chosenOnMap;
  return make({ order, field, path, value });
}

const CONTROLS = {
  "yes-no": yesNo,
  choice: ({ order, field, path, value }) => choice(order, field, path, value ?? field.default),
  choices: ({ field, path, value }) => chips(path, value ?? [], field.choices, true),
  weapon: ({ order, path, value }) => chips(path, value, weapons(order).map(named), false),
  side: ({ path, value }) => chips(path, value, state().game.sides.map((side) => named(side.name)), false),
  number: stepper,
  bearing: ({ field, path }) =>
    dial({
      now: () => view().order && valueAt(view().order, path),
      key: path.join("-"),
      label: field.label,
      set: (bearing) => setValue(path, bearing),
    }),
  piece: between ? chosenOnCountry : elsewhere,
  hex: between ? chosenOnCountry : elsewhere,
  hexes: between ? chosenOnCountry : elsewhere,
  text: written,
  name: written,
  texts: written,
  other: written,
  record: ({ order, field, path }) => inner(order, field, path),
  rows,
  "each-side": ({ order, field, path }) => each(order, field, path, state().game.sides.map((side) => side.name)),
  "each-unit": ({ order, field, path }) => each(order, field, path, state().game.units.map((one) => one.id)),
  "each-choice": eachChoice,
  pairs,
  "each-figure": ({ order, field, path }) => each(order, field, path, figuresOf(order)),
};

const named = (value) => ({ value, label: titled(value) });
const listOf = (value) => (value === undefined || value === null ? [] : [value]);

/** One of the words that there are in this game; those that the rules refuse as things stand come last. */
function choice(order, field, path, value) {
  const chosen = listOf(value);
  const here = wordsHere(order, path);
  const some = field.choices.filter((one) => !here || here.includes(one.value) || chosen.includes(one.value));
  const words = new Map(some.map((one) => [one.value, one]));
  return offered(order, path, [...words.keys()], chosen, (one) => chip(path, chosen, one, "one", saying(words.get(one))));
}

/** Chips to choose from: one, or several where `many`. */
function chips(path, value, choices, many) {
  const chosen = many ? value : listOf(value);
  return h("div", { class: "picks" }, choices.map((one) => chip(path, chosen, one.value, many ? "several" : "one", saying(one))));
}

/** What stands on the chip of a word; a `hint` says more. */
const saying = ({ label, hint }) => h("span", {}, hint ? h("b", {}, label) : label, hint && h("span", { class: "pick__hint" }, hint));

function yesNo({ field, path, value }) {
  const shown = value ?? field.default;
  return chips(path, shown ?? undefined, [{ value: true, label: "Yes" }, { value: false, label: "No" }], false);
}

function stepper({ field, path, value }) {
  const shown = value ?? field.default;
  const { least, most } = field;
  const set = (next) => setValue(path, Math.min(most ?? next, Math.max(least ?? next, next)));
  const go = (by, from = shown) => set((from ?? (by > 0 ? (least ?? 1) - 1 : (least ?? 0) + 1)) + by);
  const step = (by, sign, words) =>
    h(
      "button",
      {
        class: "button button--quiet stepper__step",
        type: "button",
        "aria-label": words,
        data: { key: `step-${path.join("-")}-${by}` },
        on: { click: () => go(by) },
      },
      sign,
    );
  const take = (event) => {
    const text = event.target.value.trim().replace(",", ".").replace("−", "-");
    const next = Number(text);
    event.target.setCustomValidity(Number.isFinite(next) ? "" : "A number is asked for.");
    if (text === "") setValue(path, undefined);
    else if (event.target.reportValidity()) set(field.whole ? Math.round(next) : next);
  };
  const keys = (event) => {
    const text = event.target.value.trim();
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    go(by, /^-?\d+$/.test(text) ? Number(text) : shown);
  };
  const input = h("input", {
    class: "field stepper__value",
    type: "text", // of a number that is half typed, a field of numbers would tell nothing
    inputmode: field.whole ? "numeric" : "decimal",
    autocomplete: "off",
    value: shown ?? "",
    "aria-label": field.label,
    data: { key: `number-${path.join("-")}` },
    on: { change: take, keydown: keys },
  });
  return h("div", { class: "stepper" }, step(-1, "−", "One less"), input, step(1, "+", "One more"));
}

/** A text; a list of texts, with commas; anything else as JSON, for those who know the rulebook's keys. */
function written({ field, path, value }) {
  const json = field.ask === "other";
  const shown = value === undefined ? "" : json ? JSON.stringify(value) : String(value);
  const take = (event) => {
    const text = event.target.value.trim();
    event.target.setCustomValidity("");
    if (!text) return setValue(path, undefined);
    if (["text", "name"].includes(field.ask)) return setValue(path, text);
    if (!json) return setValue(path, text.split(",").map((part) => part.trim()));
    try {
      return setValue(path, JSON.parse(text));
    } catch {
      event.target.setCustomValidity("This is not well-formed JSON.");
      return event.target.reportValidity();
    }
  };
  return h("input", {
    class: "field field--wide",
    type: "text",
    value: shown,
    placeholder: json ? "as JSON" : null,
    "aria-label": field.label,
    data: { key: `text-${path.join("-")}` },
    on: { change: take },
  });
}

/** What is touched on the campaign's map stands on the campaign's page. */
function elsewhere() {
  return h("a", { class: "button button--quiet", href: "/campaign" }, "On the campaign's map …");
}

/** A value for each of the words that there are, word beside value. */
function eachChoice({ order, field, path }) {
  const value = { ...field.of[0], hint: "" };
  return h(
    "div",
    { class: "field-rows field-rows--tight" },
    field.choices.map(({ value: one, label }) => fieldRow(order, { ...value, label, required: true }, [...path, one])),
  );
}

const button = (words, key, act) =>
  h("button", { class: "button button--quiet", type: "button", data: { key }, on: { click: act } }, words);

/** Fights: in each, figures of ours against figures of theirs, touched here or on the map. */
function pairs({ order, field, path, value }) {
  const list = value ?? [];
  return h(
    "div",
    { class: "field-rows" },
    list.map((_, index) => [
      h(
        "div",
        { class: "field-rows" },
        field.of.map((one, place) => fieldRow(order, { ...one, required: true }, [...path, index, place])),
      ),
      button("Take this fight out", `out-${path.join("-")}-${index}`, () =>
        setValue(list.length > 1 ? [...path, index] : path, undefined),
      ),
    ]),
    button(list.length ? "Another fight" : "Say who fights whom", `add-${path.join("-")}`, () =>
      setValue([...path, list.length], [[], []]),
    ),
  );
}

function inner(order, field, path) {
  return h("div", { class: "field-rows" }, field.of.map((one) => fieldRow(order, one, [...path, one.key])));
}

function rows({ order, field, path, value }) {
  const list = value ?? [];
  return h(
    "div",
    { class: "field-rows" },
    list.map((_, index) => [
      inner(order, field, [...path, index]),
      button("Take it out", `out-${path.join("-")}-${index}`, () => setValue([...path, index], undefined)),
    ]),
    button("Add one", `add-${path.join("-")}`, () => setValue([...path, list.length], {})),
  );
}

function each(order, field, path, names) {
  const value = { ...field.of[0], hint: "" };
  return h(
    "div",
    { class: "field-rows" },
    names.map((one) => fieldRow(order, { ...value, label: sentence(one), required: true }, [...path, one])),
  );
}

/** The weapons that a unit carries, as the rules or its roster name them. */
function weapons(order) {
  const one = unit(view().order?.unit ?? order.unit);
  const fires = (answerFor(one?.id)?.fire ?? []).map((option) => option.weapon);
  const carried = [one?.weapon, one?.stats?.second_weapon, ...(one?.figures ?? []).map((figure) => figure.weapon)];
  return [...new Set([...carried, ...fires])].filter((name) => name && plain(name) !== "none");
}
