/** The umpire's hand in a unit: every key of its state and its stats, to be set to what it is on the table. */

import { amendUnit, getUnitKeys } from "./api.js";
import { h } from "./dom.js";
import { closeNote, openNote } from "./note.js";
import { judges, state } from "./store.js";
import { attempt } from "./toast.js";
import { name, plain } from "./words.js";

const PARTS = ["state", "stats"];
const NAMED = "amend-named";
const LISTS = ["texts", "choices"];

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
      .map(([key, value]) => {
        const field = told.fields[part].find((one) => one.key === key);
        return { part, key, said: says(value), ...control(field)(`amend-${part}-${key}`, called(key), value, field) };
      }),
  );
  const row = ({ key, element }) => h("label", { class: "amend__row" }, h("span", { class: "amend__label" }, called(key)), element);
  const [said, silent] = [true, false].map((wanted) => fields.filter((field) => field.said === wanted).map(row));
  openNote(
    `Change ${name(one)}`,
    h("p", { class: "quiet" }, "As the umpire says. It stands in the log, and can be undone."),
    h(
      "form",
      { class: "amend__form", on: { submit: (event) => save(event, one, fields) } },
      h("datalist", { id: NAMED }, [...state().game.units, ...state().game.terrain].map((one) => h("option", { value: one.id }, name(one)))),
      said,
      h("details", { class: "amend__rest", data: { key: "amend-rest" } }, h("summary", {}, `All else that it may be (${silent.length})`), silent),
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

const YES_NO = [{ value: true, label: "Yes" }, { value: false, label: "No" }];
const CONTROLS = { "yes-no": yesNo, number, choice };
const control = (field) => CONTROLS[field?.ask] ?? words;

/** One of the words that the rules know; nothing, where it may be nothing. */
function choice(key, label, value, { required, default: usual, choices }) {
  const given = [...(required || usual !== undefined ? [] : [["", "–"]]), ...choices.map((one) => [String(one.value), one.label])];
  const before = value === null ? "" : String(value);
  const element = h("select", { class: "field amend__words", "aria-label": label, data: { key } },
    given.map(([one, words]) => h("option", { value: one, selected: one === before }, words)));
  const read = () => choices.find((one) => String(one.value) === element.value)?.value ?? null;
  return { element, read, changed: () => element.value !== before };
}

function yesNo(key, label, value, field) {
  if (field.default === undefined) return choice(key, label, value, { choices: YES_NO }); // or nobody has said
  const element = h("input", { class: "amend__tick", type: "checkbox", "aria-label": label, data: { key } });
  element.checked = value;
  return { element, read: () => element.checked, changed: () => element.checked !== value };
}

/** A number within its bounds; left empty where there may be none. */
function number(key, label, value, field) {
  const before = value ?? "";
  const { least, most, whole } = field;
  const element = h("input", {
    class: "field stepper__value", type: "number", step: whole ? 1 : "any", min: least, max: most, value: before,
    required: field.default !== undefined, "aria-label": label, data: { key },
  });
  const read = () => (element.value === "" ? null : Number(element.value));
  return { element, read, changed: () => element.value !== String(before) };
}

/** A word, or several between commas; left empty where there is none. What stands on the table is offered by name. */
function words(key, label, value, field) {
  const several = Array.isArray(value) || LISTS.includes(field?.ask);
  const before = Array.isArray(value) ? value.join(", ") : (value ?? "");
  const allowed = (field?.choices ?? []).map((one) => one.value).join(", ");
  const element = h("input", { class: "field amend__words", type: "text", value: before, list: several ? null : NAMED, placeholder: allowed && `any of ${allowed}`, "aria-label": label, data: { key } });
  const read = () => {
    const parts = element.value.split(",").map((part) => part.trim()).filter(Boolean);
    if (several) return parts.length ? parts.map((part) => typed(part, value?.[0] ?? "")) : (field?.default ?? null);
    const text = element.value.trim();
    return text ? (field?.ask === "other" ? typed(text, value ?? 0) : text) : (field?.default ?? null);
  };
  return { element, read, changed: () => element.value !== before };
}

/** A number where what stands there is one. */
const typed = (text, like) => (typeof like === "number" && !Number.isNaN(Number(text)) ? Number(text) : text);
