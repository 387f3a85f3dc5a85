/** The umpire's hand in a unit: every key of its state and its stats, to be set to what it is on the table. */

import { amendUnit, getUnitKeys } from "./api.js";
import { h } from "./dom.js";
import { closeNote, openNote } from "./note.js";
import { judges } from "./store.js";
import { attempt } from "./toast.js";
import { name, plain } from "./words.js";

const PARTS = ["state", "stats"];

/** The button that opens it; none for other seats. */
export const amendButton = (one) =>
  judges() &&
  h(
    "button",
    { class: "button button--quiet amend", type: "button", data: { key: "amend" }, on: { click: () => showKeys(one) } },
    "Change …",
  );

async function showKeys(one) {
  const told = await attempt(getUnitKeys(one.id));
  if (!told) return;
  const fields = PARTS.flatMap((part) =>
    Object.entries(told[part])
      .filter(([, value]) => simple(value))
      .map(([key, value]) => ({ part, key, said: says(value), ...(CONTROLS[typeof value] ?? words)(`amend-${part}-${key}`, called(key), value) })),
  ).sort((one, other) => Number(other.said) - Number(one.said)); // what says something first: the rest is long
  openNote(
    `Change ${name(one)}`,
    h("p", { class: "quiet" }, "As the umpire says. It stands in the log, and can be undone."),
    h(
      "form",
      { class: "amend__form", on: { submit: (event) => save(event, one, fields) } },
      fields.map(({ key, element }) =>
        h("label", { class: "amend__row" }, h("span", { class: "amend__label" }, called(key)), element),
      ),
      h("button", { class: "button amend__save", type: "submit", data: { key: "amend-save" } }, "Change"),
    ),
  );
}

async function save(event, one, fields) {
  event.preventDefault();
  const wanted = (part) =>
    Object.fromEntries(fields.filter((field) => field.part === part && field.changed()).map(({ key, read }) => [key, read()]));
  if (!fields.some((field) => field.changed())) return closeNote();
  if (await attempt(amendUnit(one.id, wanted("state"), wanted("stats")))) closeNote();
}

/** What one line can say: yes or no, a number, a word, nothing, or some of these in a row. */
const simple = (value) => (Array.isArray(value) ? value.every((one) => one === null || typeof one !== "object") : value === null || typeof value !== "object");

/** Whether there is anything to it: not no, nought or nothing. */
const says = (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value) && value !== "none");

const UNITS = { deg: "in degrees", cm: "in cm", mm: "in mm", mp: "movement points", nco: "NCO", ncos: "NCOs", pef: "PEF" };

/** `bearing_deg` → `Bearing in degrees`. */
function called(key) {
  const text = plain(key).split(" ").map((word) => UNITS[word] ?? word).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const CONTROLS = { boolean: yesNo, number };

function yesNo(key, label, value) {
  const element = h("input", { class: "amend__tick", type: "checkbox", "aria-label": label, data: { key } });
  element.checked = value;
  return { element, read: () => element.checked, changed: () => element.checked !== value };
}

function number(key, label, value) {
  const element = h("input", { class: "field stepper__value", type: "number", step: "any", value, required: true, "aria-label": label, data: { key } });
  return { element, read: () => Number(element.value), changed: () => Number(element.value) !== value };
}

/** A word, or several between commas; left empty where there is none. */
function words(key, label, value) {
  const several = Array.isArray(value);
  const before = several ? value.join(", ") : (value ?? "");
  const element = h("input", { class: "field amend__words", type: "text", value: before, "aria-label": label, data: { key } });
  const read = () => {
    const parts = element.value.split(",").map((part) => part.trim()).filter(Boolean);
    if (several) return parts.map((part) => (value.length ? typed(part, value[0]) : part));
    if (element.value.trim() === "") return typeof value === "string" ? "" : null;
    return value === null ? typed(element.value.trim()) : element.value.trim();
  };
  return { element, read, changed: () => element.value !== before };
}

/** A number where what stands there is one, or may be. */
const typed = (text, like = 0) => (typeof like === "number" && text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text);
