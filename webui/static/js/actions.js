/** Everything that a unit, a side or the game may do beside firing and charging: what is open first, then why not the rest. */

import { h } from "./dom.js";
import { formOf, openFor } from "./forms.js";
import { guidedKeys } from "./guide.js";
import { mayFight } from "./melee.js";
import { ruleChip } from "./note.js";
import { openOrder } from "./order.js";
import { askOverrule } from "./orderpanel.js";
import { passedAbove } from "./passing.js";
import { begin } from "./play.js";
import { answerFor, judges, mine, state, unit } from "./store.js";
import { effect, name, named, pool, success, titled } from "./words.js";

/** What stands in the answer, each target with a card of its own: firing, charging or whatever attacks instead, a melee. */
function onCards(unitId) {
  const answer = answerFor(unitId);
  const attacks = answer?.charge.map((option) => option.action ?? "charge") ?? [];
  const fights = unitId && answer && mayFight(unit(unitId), answer) ? ["melee"] : [];
  return new Set(["fire", ...(attacks.length ? attacks : ["charge"]), ...fights]);
}

const SECTIONS = { setup: "Before the battle", campaign: "Between battles" };

/**
 * The actions of a unit; null: those of the game. `main` is the section that stands first; what of it is open is
 * left out where it stands elsewhere already. Of that the forms come first that are `first`.
 */
export function actionLists(unitId, main, elsewhere = false, first = () => false) {
  const entries = entriesOf(unitId);
  if (!entries) return [h("p", { class: "quiet" }, "One moment …")];
  const here = entries
    .filter(({ form }) => form.section === main)
    .sort((a, b) => Number(first(b.form)) - Number(first(a.form)));
  const refused = here.filter(({ state }) => state === "refused");
  return [
    !elsewhere &&
      open(
        here.filter((entry) => !refused.includes(entry)),
        unitId,
      ),
    folded(`not-${main}`, "Not now", refused, refused.map((entry) => notNow(entry, unitId))),
    Object.entries(SECTIONS)
      .filter(([section]) => section !== main && (unitId || !watches()))
      .map(([section, words]) => later(section, words, entries, unitId)),
  ];
}

/** How the actions stand that have no card of their own, each with its form; null before the first answer. */
function entriesOf(unitId) {
  const cards = onCards(unitId);
  return openFor(unitId)
    ?.map((entry) => ({ ...entry, form: formOf(entry.action) }))
    .filter(({ action, form }) => form && !(unitId && cards.has(action))) ?? null;
}

/** How many orders are open to a unit beside those on cards; null before the first answer. */
export const openOrders = (unitId) =>
  entriesOf(unitId)?.filter(({ form, state }) => form.section === "orders" && state !== "refused").length ?? null;

/** Whoever only watches sets no game up. */
const watches = () => state().seat?.kind === "spectator";

/** The game's actions that are open now, as a row of buttons; what the button at the top does stands there alone. */
export function turnButtons() {
  const entries = (openFor(null) ?? [])
    .map((entry) => ({ ...entry, form: formOf(entry.action) }))
    .filter(({ form, state }) => form?.section === "turn" && state !== "refused" && !passedAbove(form));
  if (!entries.length || !mine(null)) return null;
  return h(
    "div",
    { class: "actions actions--turn", role: "group", "aria-label": "The turn" },
    entries.map((entry) =>
      h(
        "button",
        {
          class: "button button--quiet",
          type: "button",
          title: entry.form.hint,
          data: { key: `turn-${entry.action}` },
          on: { click: () => start(entry, null) },
        },
        entry.form.title,
      ),
    ),
  );
}

/** The plain value from which the lists follow. */
export const actionShows = (unitId) => openFor(unitId);

function later(section, words, entries, unitId) {
  const some = entries.filter(({ form }) => form.section === section);
  const able = some.filter(({ state }) => state !== "refused");
  const unable = some.filter(({ state }) => state === "refused");
  return folded(`section-${section}`, words, some, [
    h("li", { class: "not__one" }, open(able, unitId)),
    unable.map((entry) => notNow(entry, unitId)),
  ]);
}

function folded(key, words, counted, inside) {
  if (!counted.length) return null;
  return h(
    "details",
    { class: "not", data: { key } },
    h("summary", { class: "not__head" }, words, h("span", { class: "not__count" }, counted.length)),
    h("ul", { class: "not__list" }, inside),
  );
}

function open(entries, unitId) {
  if (!entries.length) return null;
  return h(
    "ul",
    { class: "acts" },
    entries.map((entry) => h("li", {}, act(entry, unitId))),
  );
}

function act(entry, unitId) {
  const { form } = entry;
  return h(
    "button",
    {
      class: "act",
      type: "button",
      data: { key: `act-${form.action}` },
      disabled: !mine(unitId),
      on: { click: () => start(entry, unitId) },
    },
    h("span", { class: "act__title" }, form.title),
    h("span", { class: "act__hint" }, whom(entry) || form.hint, diceOf(form.action, unitId)),
    h("span", { class: "act__more", "aria-hidden": "true" }, asksMore(form) ? "…" : "›"),
  );
}

/** The dice that it asks for at once, and what changes their number, where the answer tells them. */
function diceOf(action, unitId) {
  const { roll, modifiers = [] } = answerFor(unitId)?.actions?.find((one) => one.action === action) ?? {};
  if (!roll) return null;
  const changes = modifiers.map((one) => `${one.name} ${effect(one.effect)}`);
  return ` ${[`Rolls ${pool(roll.count, roll.die)} for ${success(roll.success, roll.die)}`, ...changes].join(", ")}.`;
}

const asksMore = (form) => form.fields.length > 0 || form.target !== "none";

/** At whom the action may be aimed, where that is known. */
function whom({ aims = [] }) {
  const able = aims.filter((aim) => aim.allowed).map((aim) => (unit(aim.value) ? name(aim.value) : titled(aim.value)));
  return able.length && able.length <= 3 ? able.join(", ") : "";
}

function start({ form, aims = [] }, unitId, override = false) {
  const able = aims.filter((aim) => aim.allowed);
  const next = guidedKeys(form.action, unitId);
  const given = able.length === 1 ? { ...next, [able[0].key]: able[0].value } : next;
  if (asksMore(form)) openOrder(form.action, unitId, given, Object.keys(next));
  else {
    const one = unitId && unit(unitId);
    const action = { action: form.action, ...(unitId ? { unit: unitId } : {}), ...(override ? { override } : {}) };
    begin(action, one ? `${name(one)}: ${form.title}` : form.title);
  }
}

/** What speaks against each aim; what is said alike of several is said once, of "it". */
function together(aims) {
  const found = new Map();
  for (const { value, why_not: why = [], why_rules: rules = [] } of aims)
    why.forEach((text, index) => {
      const alike = `${rules[index]} ${onTable(value) ? inWords(text, value, "it") : text}`;
      found.set(alike, [...(found.get(alike) ?? []), { value, text, rule: rules[index] }]);
    });
  return [...found.values()].map((some) => {
    const [{ value, text, rule }] = some;
    if (some.length === 1) return { text: `${value}: ${text}`, rule };
    return { text: `${some.map((one) => one.value).join(", ")}: ${inWords(text, value, "it")}`, rule };
  });
}

/** Whether an aim is a unit or a piece of the ground. */
const onTable = (id) => Boolean(unit(id)) || state().game.terrain.some((piece) => piece.id === id);

/** A text in which an id is another word. */
const inWords = (text, id, word) => text.split(/(?<![\w-])([\w-]+)(?![\w-])/).map((part) => (part === id ? word : part)).join("");

function notNow(entry, unitId) {
  const { form, why_not: why = [], why_rules: rules = [], aims = [] } = entry;
  const reasons = [...why.map((text, index) => ({ text, rule: rules[index] })), ...together(aims)];
  const title = form.title;
  const eased = why.length > 0 && form.fields.some((field) => !field.required && entry.asks?.includes(field.key));
  const more = eased ? "Say more" : "Overrule"; // a choice that allows it is not against the rules
  const overrule = () =>
    asksMore(form)
      ? openOrder(form.action, unitId)
      : askOverrule(
          title,
          reasons.map(({ text }) => text),
          () => start(entry, unitId, true),
        );
  return h(
    "li",
    { class: "not__one" },
    h(
      "div",
      { class: "not__row" },
      h("h4", { class: "not__title" }, title),
      !judges() && mine(unitId) && form.fields.length > 0 && h(
        "button",
        {
          class: "link",
          type: "button",
          data: { key: `look-${form.action}` },
          "aria-label": `Say more: ${title}`,
          on: { click: () => openOrder(form.action, unitId) },
        },
        "Say more …",
      ),
      judges() && h(
        "button",
        {
          class: "link",
          type: "button",
          data: { key: `overrule-${form.action}` },
          "aria-label": `${more}: ${title}`,
          on: { click: overrule },
        },
        `${more} …`,
      ),
    ),
    h(
      "ul",
      { class: "reasons" },
      reasons.map(({ text, rule }) => h("li", {}, named(text), " ", rule && ruleChip(rule))),
    ),
  );
}
