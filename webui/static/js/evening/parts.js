/** The small parts that every step is made of: buttons, fields, notes. */

import { h } from "../dom.js";
import { whole } from "../renew.js";
import { busy, change, own } from "./store.js";

/** A button that does something. @param {string} words @param {() => void} act @param {Record<string, any>} [more] */
export function button(words, act, more = {}) {
  const { quiet, key, disabled, ...rest } = more;
  return h(
    "button",
    {
      class: quiet ? "button button--quiet" : "button",
      type: "button",
      disabled: disabled || Boolean(busy()),
      data: { key: key ?? words },
      on: { click: act },
      ...rest,
    },
    words,
  );
}

/** A row of buttons. */
export const buttons = (...children) => h("div", { class: "eve-buttons" }, children);

/**
 * A field whose value is kept under `key` of what somebody has begun, until it is sent.
 * @param {string} label
 * @param {string} key
 * @param {any} shown what stands there as long as nobody has typed
 * @param {Record<string, any>} [more] attributes of the input; `hint` stands below
 */
export function field(label, key, shown, more = {}) {
  const { hint, unit, ...rest } = more;
  const value = own()[key] ?? shown ?? "";
  const input = h("input", {
    class: "eve-field",
    id: `field-${key}`,
    value,
    data: { key: `field-${key}` },
    on: { input: (event) => change({ [key]: event.target.value }, true) },
    autocomplete: "off",
    ...rest,
  });
  return labelled(label, `field-${key}`, unit ? h("span", { class: "eve-unit" }, input, h("span", {}, unit)) : input, hint);
}

/** What somebody has typed into a number's field, else what stands there. */
export function numberIn(key, shown) {
  const typed = own()[key];
  if (typed === undefined || typed === "") return typed === "" ? Number.NaN : shown;
  return Number(String(typed).replace(",", "."));
}

/** A list to choose one of: `choices` are [value, words]. */
export function select(label, key, shown, choices, more = {}) {
  const { hint, onpick } = more;
  const value = String(own()[key] ?? shown ?? "");
  const pick = (event) => {
    change({ [key]: event.target.value });
    onpick?.(event.target.value);
  };
  const list = h(
    "select",
    { class: "eve-field", id: `field-${key}`, data: { key: `field-${key}` }, on: { change: pick } },
    choices.map(([one, words]) => h("option", { value: one, selected: String(one) === value }, words)),
  );
  return labelled(label, `field-${key}`, list, hint);
}

/** A box to tick. */
export function tick(label, key, shown) {
  const checked = own()[key] ?? shown;
  const input = h("input", {
    type: "checkbox", id: `field-${key}`, checked: Boolean(checked), data: { key: `field-${key}` },
    on: { change: (event) => change({ [key]: event.target.checked }) },
  });
  return h("label", { class: "eve-tick", for: `field-${key}` }, input, h("span", {}, label));
}

/** What must be done first, with the way there. */
export const first = (words, step, link) => h("p", {}, `${words}: `, h("a", { class: "link", href: `#${step}`, data: { key: `to-${step}` } }, link), ".");

/** The sheets to print: markers for the table, and the board for the lens. */
export const sheets = () =>
  h("p", {}, h("a", { class: "button button--quiet", href: "/api/evening/sheets.pdf", target: "_blank", rel: "noopener" }, "Sheets to print (PDF)"),
    " ", h("span", { class: "quiet" }, "At 100 %; check the printed ruler."));

/** Something folded away until it is wanted. */
export const folded = (title, key, ...children) =>
  h("details", { class: "eve-more", data: { key } }, h("summary", {}, title), ...children);

/** A swatch of a colour that was read off. */
export function swatch(colour) {
  const drawn = whole(h("span", { class: "eve-swatch", "aria-hidden": "true" }));
  if (/^#[0-9a-fA-F]{6}$/.test(colour)) drawn.style.setProperty("--swatch", colour);
  return drawn;
}

/** `first-foot` → `First foot`. */
export const worded = (key) => {
  const plain = String(key ?? "").replaceAll("-", " ").replaceAll("_", " ");
  return plain.slice(0, 1).toUpperCase() + plain.slice(1);
};

function labelled(label, id, control, hint) {
  return h(
    "div",
    { class: "eve-row" },
    h("label", { class: "eve-label", for: id }, label),
    control,
    hint && h("p", { class: "quiet eve-hint" }, hint),
  );
}
