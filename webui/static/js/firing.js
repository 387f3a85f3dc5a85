/** From an option of the answer to the action that it stands for, and to the form of that action. */

import { h } from "./dom.js";
import { formOf } from "./forms.js";
import { openOrder } from "./order.js";
import { mode } from "./words.js";

/**
 * The action that an option of firing stands for: one of its mode's own, or `fire`, with those of its keys that the
 * option says (its mode, its weapon …).
 */
export function fireAction(one, option) {
  const action = formOf(`fire-${option.mode}`) ? `fire-${option.mode}` : "fire";
  const keys = (formOf(action)?.fields ?? []).map((field) => field.key);
  const said = Object.entries(option).filter(
    ([key, value]) => keys.includes(key) && value !== null && typeof value !== "object",
  );
  return { action, unit: one.id, target: option.target, ...Object.fromEntries(said) };
}

/** What an action asks for beside what is said already: opens its form. */
export function moreButton(card) {
  const { action, unit: unitId, ...given } = card.action;
  const form = formOf(action);
  if (!form?.fields.some((field) => !(field.key in given))) return null;
  return h(
    "button",
    {
      class: "link",
      type: "button",
      data: { key: `more-${card.key}` },
      "aria-label": `More about: ${card.title}`,
      on: { click: () => openOrder(action, unitId, given) },
    },
    "More …",
  );
}

/** What the form calls a way of firing, where there are several and the card's title does not say it already. */
export function wayOfFire(option) {
  if (mode(option.mode) !== "Fire") return "";
  const ways = formOf("fire")?.fields.find((field) => field.key === "mode")?.choices ?? [];
  return ways.find(({ value }) => value === option.mode)?.label.toLowerCase() ?? "";
}
