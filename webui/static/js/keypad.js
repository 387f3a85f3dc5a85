/** The dice of one roll: the faces to touch, what has been typed, and what it comes to. */

import { h } from "./dom.js";
import { dieFace } from "./faces.js";
import { type, untype } from "./play.js";
import { succeeds, verb } from "./words.js";

/** How many sides a die has: `d6` → 6. */
export const sides = (die) => Number(die.slice(1));

/** What a full roll comes to, in words. */
export function tally({ success: wanted, for: purpose }, typed) {
  if (!wanted) return `Total ${typed.reduce((sum, score) => sum + score, 0)}`;
  const passed = typed.filter((score) => succeeds(wanted, score)).length;
  return `${passed || "None"} of ${typed.length} ${verb(purpose)}`;
}

/** The dice that have been typed, and gaps for the rest; a die that is touched is taken out. */
export function tray({ request, typed }) {
  const dice = typed.map((score, index) =>
    h(
      "button",
      {
        class: `die ${face(request.success, score)}`,
        type: "button",
        "aria-label": `Take out the ${score}`,
        data: { key: `die-${index}` },
        on: { click: () => untype(index) },
      },
      dieFace(request.die, score),
    ),
  );
  const gaps = Array.from({ length: Math.max(0, request.count - typed.length) }, () =>
    h("span", { class: "die die--gap", "aria-hidden": "true" }),
  );
  return h("div", { class: "tray", role: "group", "aria-label": "Dice typed" }, dice, gaps);
}

/** The faces of the die, to touch. */
export function keypad(request, shut) {
  const low = request.die === "d100" ? 0 : 1;
  const high = request.die === "d100" ? 99 : sides(request.die);
  if (high > 20) return numberField(low, high, shut);
  const faces = Array.from({ length: high }, (_, index) => index + 1);
  return h(
    "div",
    { class: `keypad keypad--${request.die}`, role: "group", "aria-label": "Faces of the dice" },
    faces.map((score) =>
      h(
        "button",
        {
          class: `key ${face(request.success, score)}`,
          type: "button",
          "aria-label": String(score),
          data: { key: `key-${score}` },
          disabled: shut,
          on: { click: () => type(score) },
        },
        dieFace(request.die, score),
      ),
    ),
  );
}

function numberField(low, high, shut) {
  const add = (event) => {
    event.preventDefault();
    const input = event.currentTarget.querySelector("input");
    const score = input.value === "" ? NaN : Number(input.value);
    if (!Number.isInteger(score) || score < low || score > high) return;
    input.value = "";
    type(score);
  };
  return h(
    "form",
    { class: "number", on: { submit: add } },
    h("label", { for: "dice-number" }, `Score, ${low} to ${high}`),
    h("input", {
      class: "field",
      id: "dice-number",
      type: "number",
      inputmode: "numeric",
      min: low,
      max: high,
      required: true,
      disabled: shut,
      data: { key: "dice-number" },
    }),
    h("button", { class: "button", type: "submit", disabled: shut }, "Add"),
  );
}

const face = (wanted, score) => (succeeds(wanted, score) ? "die--counts" : "");
