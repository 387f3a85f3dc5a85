/** The option cards: one line what, one line why; what is not possible stands below, with every reason. */

import { cardsOfOne, light } from "./card.js";
import { h } from "./dom.js";
import { doubts } from "./doubt.js";
import { fireAction, wayOfFire } from "./firing.js";
import { ruleChip } from "./note.js";
import { askOverrule } from "./orderpanel.js";
import { begin } from "./play.js";
import { judges, unit } from "./store.js";
import { aspect, cover, fireVerb, length, mode, name, named, plain, pool, range, success, times } from "./words.js";

/** The cards of all that a unit may fire at and charge. */
export function optionCards(one, answer) {
  const all = [
    ...answer.fire.filter(there).map((option) => fireCard(one, option)),
    ...answer.charge.filter(there).map((option) => chargeCard(one, option)),
  ];
  const legal = all.filter((card) => card.legal);
  const not = all.filter((card) => !card.legal).sort((a, b) => Number(byAHair(b)) - Number(byAHair(a)));
  const hairs = not.filter(byAHair).length;
  return [
    legal.length > 0 && h("div", { class: "cards" }, byTarget(legal).map(cardsOfOne)),
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

/** Whether all that speaks against an option is one limit which the measurement cannot settle. */
function byAHair({ option: { borderline = [], why_not: why } }) {
  const limits = borderline.flatMap((text) => [...text.matchAll(/against (-?[\d.]*\d)/g)].map(([, limit]) => limit));
  return why.length === 1 && limits.some((limit) => (why[0].match(/-?[\d.]*\d/g) ?? []).includes(limit));
}

/** How heavy a fire is, on average; of the ways to fire at one enemy the heaviest is shown first. */
const weight = ({ option: { roll } }) => (roll ? roll.count * roll.multiplier : 0);

/** The cards with all ways to fire at one enemy together, the heaviest first; each charge for itself. */
function byTarget(cards) {
  const groups = new Map();
  for (const card of cards) {
    const key = card.charge ? card.key : card.target;
    groups.set(key, [...(groups.get(key) ?? []), card]);
  }
  return [...groups.values()].map((ways) => ways.sort((a, b) => weight(b) - weight(a)));
}

function fireCard(one, option) {
  const { roll } = option;
  return {
    legal: option.legal,
    option,
    key: `fire-${option.target}-${option.mode}${option.weapon && option.weapon !== one.weapon ? `-${option.weapon}` : ""}`,
    target: option.target,
    title: fireTitle(option, one, ` at ${name(option.target)}`),
    way: fireTitle(option, one),
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

/** `Volley at Hurons`, or `Volley` alone; a way of firing or a weapon that the unit may choose is named. */
function fireTitle(option, one, at = "") {
  const weapon = option.weapon && option.weapon !== one.weapon ? ` with ${plain(option.weapon)}` : "";
  const way = wayOfFire(option);
  return `${mode(option.mode)}${at}${weapon}${way ? `: ${way}` : ""}`;
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
