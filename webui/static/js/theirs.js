/** What the target's player says in an action of another's: a part of the form by itself, in his side's colour. */

import { askTarget, withdrawQuestion } from "./api.js";
import { h } from "./dom.js";
import { fieldRow } from "./fields.js";
import { formOf } from "./forms.js";
import { actionOf, ask } from "./order.js";
import { look, mine, side, sideIndex, state, unit, view } from "./store.js";
import { attempt } from "./toast.js";
import { name, titled } from "./words.js";

/** The fields of an action that are for the target's player to say. */
export const theirFields = (action) => (formOf(action)?.fields ?? []).filter((field) => field.said_by === "target");

/** The fields of which the target's player should have been asked: something happens to the target by them. */
const toBeAsked = (action) => theirFields(action).filter(({ choices, default: usual }) => choices.length > 0 && usual !== null);

/** Whether something happens to the target that its player should have been asked about: an action is not begun without. */
export const asksTarget = ({ action, ...given }) => toBeAsked(action).some(({ key }) => !(key in given));

/** Whether a page sits on one side and the target is the other's: it has no answer of its own to begin with. */
function forAnother(order) {
  const { seat } = state();
  const target = unit(order.values.target);
  return seat?.kind === "side" && Boolean(target) && target.side !== seat.side;
}

/** Whether the other side's answer has neither come nor been entered. */
export const unsaid = (order) => forAnother(order) && asksTarget(actionOf(order));

let waitedFor = null;

/** What was asked of the target's player for an order, on his page; undefined where nothing was. */
const questionOf = ({ action, unit: unitId, values }) =>
  (state().questions ?? []).find(
    (one) => one.action === action && one.unit === unitId && one.target === values.target,
  );

/** Whether an order waits for the target's player. */
export const waits = (order) => questionOf(order)?.answer === null;

/** The plain value from which the part follows. */
export const theirsShow = () => state().questions;

/** Keeps an order in step with its question: an answer becomes what it says, and one given up asks no longer. */
export function followQuestion() {
  const { order } = view();
  const open = order ? questionOf(order) : null;
  const there = (state().questions ?? []).some(({ number }) => number === waitedFor); // else the game has gone on
  if (there && waitedFor !== open?.number) withdrawQuestion(waitedFor).catch(() => null);
  waitedFor = open?.answer === null ? open.number : null;
  takeAnswer(order);
}

/** What the target's player has said, nobody else changes. */
function takeAnswer(order) {
  const answer = order && questionOf(order)?.answer;
  if (!answer) return;
  const keys = theirFields(order.action).map(({ key }) => key);
  if (keys.every((key) => order.values[key] === answer[key])) return;
  const own = Object.entries(order.values).filter(([key]) => !keys.includes(key));
  look({ order: { ...order, values: { ...Object.fromEntries(own), ...answer } } });
  ask();
}

/** The part of the form; null where the target has nothing to say. */
export function theirPart(order) {
  const fields = theirFields(order.action);
  if (!fields.length) return null;
  const target = unit(order.values.target);
  if (!target) return part(null, h("p", { class: "quiet theirs__who" }, "Its player says it, once you have said whom you mean."));
  const whose = titled(side(target.side)?.name ?? target.side);
  const question = questionOf(order);
  if (question) return part(target, asked(question, whose, fields));
  const { seat } = state();
  return part(
    target,
    h("p", { class: "quiet theirs__who" }, `Whoever plays ${whose} says it: ask, and enter the answer.`),
    mine(order.unit) &&
      seat?.side !== target.side &&
      h(
        "button",
        {
          class: "button button--quiet",
          type: "button",
          data: { key: "theirs-ask" },
          on: { click: () => attempt(askTarget(actionOf(order))) },
        },
        `Ask on the page of ${whose}`,
      ),
    fields.map((field) => fieldRow(order, shown(order, field), [field.key])),
  );
}

/** A field as it stands in the form: nothing is chosen for another side. */
const shown = (order, field) =>
  forAnother(order) && toBeAsked(order.action).includes(field) ? { ...field, default: null } : field;

const part = (target, ...children) =>
  h(
    "section",
    { class: `theirs ${target ? `side-${sideIndex(target.side) % 4}` : ""}`, "aria-labelledby": "theirs-title" },
    h("h3", { class: "theirs__title", id: "theirs-title" }, `The answer of ${target ? name(target) : "the target"}`),
    children,
  );

/** A question on the other side's page: that it is there, and what was answered. */
function asked({ number, answer }, whose, fields) {
  const said = fields.filter(({ key }) => answer && key in answer).map((field) => h("li", {}, saidOf(field, answer[field.key])));
  return [
    h(
      "div",
      { role: "status" },
      answer
        ? h("p", { class: "theirs__who" }, h("b", {}, `${whose} ${answers(whose)}:`))
        : h("p", { class: "theirs__who" }, `Asked on the page of ${whose}. The answer comes here by itself.`),
      answer && h("ul", { class: "theirs__said" }, said),
    ),
    h(
      "button",
      {
        class: "button button--quiet",
        type: "button",
        data: { key: "theirs-withdraw" },
        on: { click: () => attempt(withdrawQuestion(number)) },
      },
      answer ? "Ask again" : "Take it back",
    ),
  ];
}

const answers = (whose) => (/[^s']s$/.test(whose) ? "answer" : "answers");

/** `If it keeps its nerve: fires`. */
function saidOf({ label, choices }, value) {
  const word = typeof value === "boolean" ? (value ? "yes" : "no") : (choices.find((one) => one.value === value)?.label ?? String(value));
  return `${label}: ${word.charAt(0).toLowerCase()}${word.slice(1)}`;
}
