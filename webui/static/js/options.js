/** The option cards: one line what, one line why; what is not possible stands below, with every reason. */

import { h } from "./dom.js";
import { fireAction, moreButton, wayOfFire } from "./firing.js";
import { formWhenHere } from "./forms.js";
import { ruleChip } from "./note.js";
import { oddsLine } from "./odds.js";
import { openOrder } from "./order.js";
import { askOverrule } from "./orderpanel.js";
import { begin } from "./play.js";
import { judges, look, mine, unit, view } from "./store.js";
import { asksTarget } from "./theirs.js";
import { aspect, cover, effect, fireVerb, length, mode, name, named, plain, pool, range, success, times } from "./words.js";

/** The cards of all that a unit may fire at and charge. */
export function optionCards(one, answer) {
  const fires = answer.fire.toSorted((a, b) => (a.target === b.target ? weight(b) - weight(a) : 0));
  const all = [
    ...fires.filter(there).map((option) => fireCard(one, option)),
    ...answer.charge.filter(there).map((option) => chargeCard(one, option)),
  ];
  const legal = all.filter((card) => card.legal);
  const not = all.filter((card) => !card.legal).sort((a, b) => Number(byAHair(b)) - Number(byAHair(a)));
  const hairs = not.filter(byAHair).length;
  return [
    legal.length > 0 && h("div", { class: "cards" }, legal.map(drawn)),
    not.length > 0 &&
      h(
        "details",
        { class: "not", data: { key: "not-possible" }, open: legal.length === 0 && not.length <= FEW },
        h(
          "summary",
          { class: "not__head" },
          "Not possible",
          hairs > 0 && h("span", { class: "not__doubt" }, `${hairs} too close to call`),
          h("span", { class: "not__count" }, not.length),
        ),
        h("ul", { class: "not__list" }, not.map(refused)),
      ),
  ];
}

/** Whether the target of an option is to be met at all: one that is off the table needs no reasons. */
const there = ({ legal, target }) => legal || !unit(target) || unit(target).figures.length > 0;

/** More refusals than this stay folded: the unit's orders stand below them. */
const FEW = 2;
const DOUBTS = 2; // that are shown at once: of a long front each base has its own

/** Whether the measurement leaves something of an option open. */
const inDoubt = ({ option }) => Boolean(option.borderline?.length);

/** Whether all that speaks against an option is one limit which the measurement cannot settle. */
function byAHair({ option: { borderline = [], why_not: why } }) {
  const limits = borderline.flatMap((text) => [...text.matchAll(/against (-?[\d.]*\d)/g)].map(([, limit]) => limit));
  return why.length === 1 && limits.some((limit) => (why[0].match(/-?[\d.]*\d/g) ?? []).includes(limit));
}

/** How heavy a fire is, on average; of two ways to fire at one enemy the heavier is shown first. */
const weight = ({ roll }) => (roll ? roll.count * roll.multiplier : 0);

function fireCard(one, option) {
  const { roll } = option;
  return {
    legal: option.legal,
    option,
    key: `fire-${option.target}-${option.mode}${option.weapon && option.weapon !== one.weapon ? `-${option.weapon}` : ""}`,
    target: option.target,
    title: fireTitle(option, one),
    dice: roll && pool(roll.count, roll.die),
    read: roll && reading(roll),
    why: [
      range(option),
      option.band && option.range_bounds !== undefined && `${plain(option.band)} range`,
      aspect(option.aspect),
      cover(option.cover),
            roll && roll.multiplier !== 1 ? `hits ${times(roll.multiplier)}` : "",
    ],
    verb: fireVerb(option.mode),
    action: fireAction(one, option),
  };
}

/** `Volley at Hurons`; a way of firing or a weapon that the unit may choose is named. */
function fireTitle(option, one) {
  const weapon = option.weapon && option.weapon !== one.weapon ? ` with ${plain(option.weapon)}` : "";
  const way = wayOfFire(option);
  return `${mode(option.mode)} at ${name(option.target)}${weapon}${way ? `: ${way}` : ""}`;
}

/** How the dice of a fire are read: compared one by one, or added to. */
function reading(roll) {
  if (roll.loss_high !== undefined) {
    const [low, mean, high] = [roll.loss_low, roll.loss_mean, roll.loss_high].map(Math.round);
    return `about ${mean} men lost, ${low} to ${high}`;
  }
  const add = roll.add ? (roll.add > 0 ? ` +${roll.add}` : ` −${-roll.add}`) : "";
  return roll.success ? `${success(roll.success, roll.die)} hit${add && `, die${add}`}` : `${add.trim()} hits`.trim();
}

function chargeCard(one, option) {
  const { roll } = option;
  const action = option.action ?? "charge"; // some rules charge first, and attack by another order
  const word = action === "charge" ? "Charge" : "Attack";
  const strength = (value) => String(Math.round(value));
  const strong = roll?.attack_strength !== undefined;
  return {
    legal: option.legal,
    option,
    key: `charge-${option.target}`,
    target: option.target,
    charge: true,
    title: `${word} ${name(option.target)}`,
    dice: roll && (strong ? strength(roll.attack_strength) : pool(roll.charger, roll.die)),
    read: roll && `against ${strong ? strength(roll.defence_strength) : pool(roll.target, roll.die)}`,
    why: [length(option.distance_mm), aspect(option.aspect)],
    verb: word,
    action: { action, unit: one.id, target: option.target },
  };
}

/** Takes an option in hand: the map shows its line, who fires, and what stands against it. */
function light({ key, target, option }) {
  const { shooters = [], targets_seen: seen = [] } = option;
  if (view().lit?.key !== key) look({ lit: { key, target, shooters, seen, option } });
}

function drawn(card) {
  const id = `card-${card.key}`;
  const lighten = () => light(card);
  return h(
    "article",
    {
      class: `card ${card.charge ? "card--charge" : ""} ${inDoubt(card) ? "card--doubt" : ""}`,
      "aria-labelledby": id,
      data: { key: id },
      on: { pointerenter: lighten, focusin: lighten },
    },
    h(
      "div",
      { class: "card__head" },
      h("h4", { class: "card__title", id }, card.title),
      card.dice && h("p", { class: "card__dice" }, h("strong", {}, card.dice), " ", card.read),
    ),
    h("p", { class: "card__why" }, card.why.filter(Boolean).join(" · ")),
    doubts(card.option),
    chips(card.option.modifiers),
    h(
      "div",
      { class: "card__foot" },
      oddsLine(card.action),
      mine(card.action.unit) && !asksTarget(card.action) && moreButton(card),
      mine(card.action.unit) && h(
        "button",
        {
          class: "button",
          type: "button",
          data: { key: `do-${card.key}` },
          "aria-describedby": id,
          on: { click: () => start(card) },
        },
        card.verb,
      ),
    ),
  );
}

/**
 * Begins what a card says; first of all the target's player is asked, where it is for him to say what it does. Its form
 * tells that: it is waited for where a player is quicker than it comes.
 */
async function start({ action: { action, unit, ...given }, title }) {
  await formWhenHere(action);
  if (asksTarget({ action, ...given })) openOrder(action, unit, given);
  else begin({ action, unit, ...given }, title);
}

function refused(card) {
  const rules = card.option.why_rules ?? [];
  return h(
    "li",
    { class: "not__one", on: { pointerenter: () => light(card), focusin: () => light(card) } },
    h(
      "div",
      { class: "not__row" },
      h("h4", { class: "not__title" }, card.title),
      judges() && h(
        "button",
        {
          class: "link",
          type: "button",
          data: { key: `overrule-${card.key}` },
          "aria-label": `Overrule: ${card.title}`,
          on: {
            click: () =>
              askOverrule(card.title, card.option.why_not, () => begin({ ...card.action, override: true }, card.title)),
          },
        },
        "Overrule …",
      ),
    ),
    h(
      "ul",
      { class: "reasons" },
      card.option.why_not.map((reason, index) =>
        h("li", {}, named(reason), " ", rules[index] && ruleChip(rules[index])),
      ),
    ),
    doubts(card.option),
  );
}

/** What the measurement cannot settle, with its figures. */
export function doubts(option) {
  if (!option.borderline?.length) return null;
  const lines = option.borderline.map((text) => h("li", {}, named(text)));
  const shown = lines.length > DOUBTS ? 1 : lines.length;
  const more = lines.slice(shown);
  return h(
    "div",
    { class: "doubt" },
    h("strong", {}, "Too close to call"),
    h("ul", {}, lines.slice(0, shown)),
    more.length > 0 &&
      h(
        "details",
        { class: "doubt__more", data: { key: `doubt-${option.target}-${option.mode}` } },
        h("summary", {}, `and ${more.length} more`),
        h("ul", {}, more),
      ),
  );
}

function chips(modifiers) {
  if (!modifiers.length) return null;
  return h(
    "ul",
    { class: "chips", "aria-label": "What changes the dice" },
    modifiers.map((one) => h("li", {}, ruleChip(one.rule, one.name, effect(one.effect)))),
  );
}
