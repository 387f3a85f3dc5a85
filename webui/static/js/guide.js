/** What comes next, where the rules say so (an answer's `guide`): each step in words, with a button that begins it. */

import { setTurn } from "./api.js";
import { h } from "./dom.js";
import { formOf } from "./forms.js";
import { refresh as fetchState } from "./live.js";
import { ruleChip } from "./note.js";
import { openOrder } from "./order.js";
import { begin } from "./play.js";
import { mine, select, state, unit } from "./store.js";
import { attempt } from "./toast.js";
import { name, named, titled } from "./words.js";

/** The plain value that the card shows. */
export const guideShows = () => [state().answer?.guide, state().seat];

/** The card; null where the rules say nothing. Of `sections`, where they are given, are its steps' forms. */
export function guideCard(sections = null) {
  const here = ({ action }) => !sections || (action && sections.includes(formOf(action)?.section));
  const steps = (state().answer?.guide ?? []).filter(here);
  if (!steps.length) return null;
  return h(
    "section",
    { class: "guide", "aria-labelledby": "guide-title" },
    h("h3", { class: "guide__title", id: "guide-title" }, "What comes next"),
    h(
      "ol",
      { class: "guide__steps" },
      steps.map((step, place) => h("li", { class: "guide__step" }, words(step), button(step, place))),
    ),
  );
}

const words = (step) => h("p", {}, named(step.text), " ", ruleChip(step.rule));

function button(step, place) {
  const form = step.action ? formOf(step.action) : null;
  if (step.action && !form) return null;
  const label = form?.title ?? (step.pass ? `Pass to ${titled(step.keys.side)}` : `Show ${name(step.unit)}`);
  return h(
    "button",
    {
      class: place ? "button button--quiet" : "button",
      type: "button",
      disabled: !mine(form && step.unit ? step.unit : null) && Boolean(form || step.pass),
      data: { key: `guide-${step.step}` },
      on: { click: () => take(step, form) },
    },
    label,
  );
}

/** What the rules ask for just now of an action that comes next, wherever it is begun; nothing of any other. */
export const guidedKeys = (action, unitId) =>
  (state().answer?.guide ?? []).find((step) => step.action === action && (step.unit ?? null) === (unitId ?? null))?.keys ?? {};

/** Begins the step: at once where it has all that it needs, else by its form with what is known filled in. */
function take(step, form) {
  const keys = step.keys ?? {};
  if (step.pass) return passTo(keys.side);
  if (!form) return select(step.unit);
  const lacks = form.fields.some((field) => field.required && keys[field.key] === undefined);
  if (step.opens || lacks || form.target === "must") return openOrder(form.action, step.unit ?? null, keys, Object.keys(keys));
  const whose = step.unit ? { unit: step.unit } : {};
  const title = step.unit ? `${name(unit(step.unit) ?? step.unit)}: ${form.title}` : form.title;
  return begin({ action: form.action, ...whose, ...keys }, title);
}

async function passTo(side) {
  await attempt(setTurn(state().game.turn.number, side));
  await fetchState();
}
