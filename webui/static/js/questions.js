/** What the other side asks of this page's player in the middle of its action: told at once, and answered here. */

import { answerQuestion, tryAction } from "./api.js";
import { h } from "./dom.js";
import { formOf } from "./forms.js";
import { look, mine, moment, pastOf, sideIndex, state, unit, view } from "./store.js";
import { theirFields } from "./theirs.js";
import { attempt, toast } from "./toast.js";
import { name, named } from "./words.js";

const drafts = new Map(); // number of a question → what is about to be said
let refusals = { key: "", found: new Map() }; // `key value` → why the rules do not allow that answer
let told = 0;

/** The questions for whoever reads this page, but for those that he asked himself just now. */
function open() {
  if (pastOf()) return [];
  const { order } = view();
  return (state()?.questions ?? []).filter(
    (one) =>
      one.answer === null && unit(one.unit) && unit(one.target) && formOf(one.action) && mine(one.target) &&
      !(order?.action === one.action && order.unit === one.unit),
  );
}

/** The plain value that the block shows. */
export const questionsShow = () => [open(), view().known];

/** Says once that somebody is waited for. */
export function callQuestions() {
  const fresh = open().filter(({ number }) => number > told);
  if (!fresh.length) return;
  told = Math.max(...fresh.map(({ number }) => number));
  toast(fresh.map((one) => `${happens(one)}. What is the answer of ${name(one.target)}?`).join(" "));
}

/** The questions, to be answered; null where there are none. */
export function questionsBlock() {
  const all = open();
  if (!all.length) return null;
  learn(all);
  return all.map((one) =>
    h(
      "section",
      { class: `theirs side-${sideIndex(unit(one.target).side) % 4}`, "aria-label": `The answer of ${name(one.target)}` },
      h("h3", { class: "theirs__title" }, `The answer of ${name(one.target)}`),
      h("p", { class: "theirs__who" }, `${happens(one)}. You are asked: it is your unit.`),
      theirFields(one.action).map((field) => choices(one, field)),
      h(
        "div",
        { class: "actions" },
        h("button", { class: "button", type: "button", data: { key: `answer-${one.number}` }, on: { click: () => say(one) } }, "Say so"),
      ),
    ),
  );
}

const happens = (one) => `${name(one.unit)}: ${formOf(one.action).title} at ${name(one.target)}`;

/** What is said of a question as it stands: what was chosen, and what is usual for the rest. */
const draft = ({ number, action }) => ({
  ...Object.fromEntries(theirFields(action).filter((one) => one.default !== null).map((one) => [one.key, one.default])),
  ...drafts.get(number),
});

function choices(one, field) {
  const now = draft(one)[field.key];
  const list = field.choices.length ? field.choices : [{ value: true, label: "Yes" }, { value: false, label: "No" }];
  const choose = (value) => {
    drafts.set(one.number, { ...drafts.get(one.number), [field.key]: value });
    look({ known: view().known + 1 });
  };
  return h(
    "div",
    { class: "field-row", role: "group", "aria-label": field.label },
    h("p", { class: "field-row__label" }, field.label),
    h(
      "div",
      { class: "picks" },
      list.map(({ value, label, hint }) => {
        const why = refusals.found.get(`${one.number} ${field.key} ${value}`);
        const more = why ? why.map(named).join(" ") : hint;
        return h(
          "button",
          {
            class: "pick",
            type: "button",
            "aria-pressed": now === value,
            disabled: Boolean(why),
            data: { key: `say-${field.key}-${value}` },
            on: { click: () => choose(value) },
          },
          h("span", {}, more ? h("b", {}, label) : label, more && h("span", { class: "pick__hint" }, more)),
        );
      }),
    ),
  );
}

async function say(one) {
  await attempt(answerQuestion(one.number, draft(one)));
}

/** Asks the server which answers the rules do not allow, once for each moment of the table. */
async function learn(all) {
  const key = JSON.stringify([moment(), all.map(({ number }) => number)]);
  if (refusals.key === key) return;
  refusals = { key, found: refusals.found };
  const found = new Map();
  for (const { number, action, unit: who, target } of all) {
    for (const field of theirFields(action)) {
      for (const { value } of field.choices) {
        const tried = await tryAction({ action, unit: who, target, [field.key]: value }).catch(() => null);
        if (tried?.state === "refused") found.set(`${number} ${field.key} ${value}`, tried.reasons);
      }
    }
  }
  if (refusals.key !== key) return;
  refusals = { key, found };
  look({ known: view().known + 1 });
}
