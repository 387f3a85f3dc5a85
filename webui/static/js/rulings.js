/** The rulings that the rulebook leaves to the players: how each is played, and, for the umpire, playing it otherwise. */

import { fitGrid, getOptions, setOption } from "./api.js";
import { h } from "./dom.js";
import { openNote, ruleChip } from "./note.js";
import { judges, state } from "./store.js";
import { attempt } from "./toast.js";

/** The button that opens them. */
export const rulingsButton = () =>
  h(
    "button",
    { class: "button button--quiet rulings", type: "button", data: { key: "rulings" }, on: { click: showRulings } },
    "House rulings …",
  );

async function showRulings() {
  const told = await attempt(getOptions());
  if (!told) return;
  const { options } = told;
  openNote(
    "House rulings",
    h(
      "p",
      { class: "quiet" },
      options.length
        ? "What the rulebook leaves open. A change counts from now on, stands in the log, and can be undone."
        : "These rules leave nothing open.",
    ),
    ...options.map(row),
    state().game.table.grid && judges() && mat(),
  );
}

/** The mat's own lines: a button that has them found in the picture, and what came of it. */
function mat() {
  const told = h("p", { class: "quiet", role: "status", data: { key: "mat-told" } });
  const size = h("input", {
    class: "field stepper__value",
    type: "number",
    step: "any",
    min: 1,
    placeholder: "size in mm",
    "aria-label": "Size of its cells in mm, if the picture alone does not tell",
    data: { key: "mat-size" },
  });
  const find = async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    told.textContent = "Looking for the lines of the mat …";
    const found = await attempt(fitGrid(Number(size.value) || null));
    button.disabled = false;
    told.textContent = found?.told ?? "";
  };
  return h(
    "div",
    { class: "field-row", role: "group", "aria-label": "The printed mat" },
    h("p", { class: "field-row__label" }, "The grid printed on the mat"),
    h(
      "div",
      { class: "picks" },
      size,
      h("button", { class: "pick", type: "button", data: { key: "mat-fit" }, on: { click: find } }, "Fit the grid to the mat"),
    ),
    told,
  );
}

function row(option) {
  const id = `ruling-${option.field.key}`;
  return h(
    "div",
    { class: "field-row", role: "group", "aria-labelledby": id },
    h(
      "p",
      { class: "field-row__label" },
      h("span", { id }, option.field.label),
      " ",
      option.rule && ruleChip(option.rule),
    ),
    option.field.ask === "number" ? number(option) : chips(option),
  );
}

const YES_NO = [
  { value: true, label: "Yes" },
  { value: false, label: "No" },
];

function chips(option) {
  const values = option.field.choices?.length ? option.field.choices : YES_NO;
  return h(
    "div",
    { class: "picks" },
    values.map(({ value, label }) =>
      h(
        "button",
        {
          class: "pick",
          type: "button",
          "aria-pressed": option.value === value,
          disabled: !judges(),
          data: { key: `ruling-${option.field.key}-${value}` },
          on: { click: () => change(option, value) },
        },
        label,
      ),
    ),
  );
}

function number(option) {
  const { least, most, label, key } = option.field;
  return h("input", {
    class: "field stepper__value",
    type: "number",
    step: "any",
    min: least,
    max: most,
    value: option.value,
    disabled: !judges(),
    "aria-label": label,
    data: { key: `ruling-${key}` },
    on: { change: (event) => change(option, Number(event.target.value)) },
  });
}

async function change(option, value) {
  if (value === option.value) return;
  if (await attempt(setOption(option.field.key, value))) await showRulings();
}
