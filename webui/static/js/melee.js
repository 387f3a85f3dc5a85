/** The melee that a unit is in: the dice of both sides, what changes them, and the round to be fought. */

import { h } from "./dom.js";
import { formOf, openFor } from "./forms.js";
import { ruleChip } from "./note.js";
import { oddsLine } from "./odds.js";
import { openOrder, pick } from "./order.js";
import { begin } from "./play.js";
import { mine } from "./store.js";
import { effect, name, named, pool, success } from "./words.js";

const ROUND = "melee"; // the action that fights one

/** How the action that fights a round stands; undefined before that is known. */
const roundOf = (one) => openFor(one.id)?.find(({ action }) => action === ROUND);

/** Whether the unit is in a melee of which a round is to be fought now. */
export function mayFight(one, { melee = [] }) {
  const round = melee.length > 0 && formOf(ROUND) && roundOf(one);
  return Boolean(round) && round.state !== "refused";
}

/** The part of the panel; null for a unit that is in no melee. */
export function meleePart(one, answer) {
  const { melee: fights = [] } = answer;
  if (!fights.length) return null;
  const shared = fights.length > 1;
  return [
    h("h3", { class: "pane__sub pane__sub--first", data: { key: "part-melee" } }, "In melee"),
    h(
      "div",
      { class: "cards" },
      fights.map((fight) => card(one, answer, fight, shared)),
      shared && sharing(one, answer),
    ),
  ];
}

function card(one, answer, fight, shared) {
  const id = `card-melee-${fight.enemy}`;
  const action = { action: ROUND, unit: one.id, enemy: fight.enemy };
  return h(
    "article",
    { class: "card card--charge card--melee", "aria-labelledby": id, data: { key: id } },
    h("h4", { class: "card__title", id }, `Melee with ${name(fight.enemy)}`),
    pools(one, fight).map((side) => sideOf(side, fight)),
    fight.enemy_figures !== undefined && h("p", { class: "card__why", data: { key: `shared-${fight.enemy}` } }, sharedOut(fight)),
    h("p", { class: "card__why" }, `Of the dice, ${success(fight.success, fight.die)} count. `, ruleChip(fight.rule)),
    whyNot(one, fight),
    !shared && h("div", { class: "card__foot" }, oddsLine(action), go(one, answer, action)),
  );
}

/** That the enemy fights others as well, and what of him is in this fight. */
const sharedOut = ({ enemy, enemy_figures: here }) =>
  `${name(enemy)}: in melee with others too; ${here === 1 ? "1 figure" : `${here} figures`} and these dice here, or as its player shares them.`;

/** Both sides of a fight, ours first. */
const pools = (one, fight) => [
  { who: "unit", unit: one.id, dice: fight.dice },
  { who: "enemy", unit: fight.enemy, dice: fight.enemy_dice },
];

function sideOf({ who, unit, dice }, { die, modifiers }) {
  const own = modifiers.filter((one) => one.who === who);
  return h(
    "div",
    { class: "pool" },
    h("p", { class: "pool__dice card__dice" }, h("span", { class: "pool__who" }, name(unit)), " ", h("strong", {}, pool(dice, die))),
    own.length > 0 &&
      h(
        "ul",
        { class: "chips", "aria-label": `What changes the dice of ${name(unit)}` },
        own.map((one) => h("li", {}, ruleChip(one.rule, named(one.name), effect(one.effect)))),
      ),
  );
}

/** Why there is no round against this enemy just now, where that is so. */
function whyNot(one, { enemy }) {
  const aim = roundOf(one)?.aims?.find(({ value }) => value === enemy);
  if (!aim || aim.allowed) return null;
  const rules = aim.why_rules ?? [];
  return h(
    "ul",
    { class: "reasons" },
    aim.why_not.map((reason, index) => h("li", {}, named(reason), " ", rules[index] && ruleChip(rules[index]))),
  );
}

function go(one, answer, action) {
  const act = () => begin(action, `${name(one)}: ${formOf(ROUND).title}`);
  return mine(one.id) && mayFight(one, answer) && button(`do-melee-${action.enemy}`, "Fight a round", act);
}

/** Against several the dice stand shared out evenly; who fights says so, or shares them otherwise: all is filled in. */
function sharing(one, answer) {
  const open = async () => {
    await openOrder(ROUND, one.id, { enemies });
    pick(null);
  };
  const enemies = answer.melee.map(({ enemy, dice, figures }) => ({ id: enemy, dice, figures }));
  return h(
    "div",
    { class: "card__foot" },
    h("p", { class: "card__why" }, "Its dice are shared out evenly here; you may share them otherwise."),
    mine(one.id) && mayFight(one, answer) && button("do-melee", "Share and fight …", open),
  );
}

const button = (key, words, act) => h("button", { class: "button", type: "button", data: { key }, on: { click: act } }, words);
