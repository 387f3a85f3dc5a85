/** The cards of one enemy that may be fired at or charged: the best way in full, each other way below it by what differs. */

import { h } from "./dom.js";
import { doubts } from "./doubt.js";
import { moreButton } from "./firing.js";
import { formWhenHere } from "./forms.js";
import { ruleChip } from "./note.js";
import { notes } from "./notes.js";
import { oddsLine } from "./odds.js";
import { openOrder } from "./order.js";
import { begin } from "./play.js";
import { look, mine, view } from "./store.js";
import { asksTarget } from "./theirs.js";
import { effect, name } from "./words.js";

/** The ways to fire at one enemy, or a charge: one card, or several that hang together. */
export function cardsOfOne([best, ...others]) {
  const ways = [best, ...others];
  const cards = ways.map((way, nth) => drawn(way, ways.slice(0, nth)));
  if (!others.length) return cards[0];
  return h("div", { class: "ways", role: "group", "aria-label": `Ways to fire at ${name(best.target)}` }, cards);
}

/** Takes an option in hand: the map shows its line, who fires, and what stands against it. */
export function light({ key, target, option }) {
  const { shooters = [], targets_seen: seen = [] } = option;
  if (view().lit?.key !== key) look({ lit: { key, target, shooters, seen, option } });
}

function drawn(card, above) {
  const [best] = above;
  const id = `card-${card.key}`;
  const lighten = () => light(card);
  const doubted = Boolean(card.option.borderline?.length);
  return h(
    "article",
    {
      class: `card ${card.charge ? "card--charge" : ""} ${doubted ? "card--doubt" : ""} ${best ? "card--way" : ""}`,
      "aria-labelledby": id,
      data: { key: id },
      on: { pointerenter: lighten, focusin: lighten },
    },
    h(
      "div",
      { class: "card__head" },
      h("h4", { class: "card__title", id }, best ? card.way : card.title),
      card.dice && h("p", { class: "card__dice" }, h("strong", {}, card.dice), " ", card.read),
    ),
    why(card, best),
    doubts(card.option, above.map(({ option }) => option)),
    chips(card.option.modifiers, best?.option.modifiers),
    notes(card.option),
    h(
      "div",
      { class: "card__foot" },
      oddsLine(card.action),
      mine(card.action.unit) && !asksTarget(card.action) && moreButton(card),
      mine(card.action.unit) &&
        h(
          "button",
          {
            class: best ? "button button--quiet" : "button",
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

/** How far it is, and how the enemy stands; it is as far in whatever way one fires. */
function why(card, best) {
  const told = new Set(best?.why);
  const words = card.why.filter((word) => word && !told.has(word));
  return words.length > 0 && h("p", { class: "card__why" }, words.join(" · "));
}

/** What changes the dice: of a second way only what is not said of the best, if all that is holds for both. */
function chips(modifiers, told = []) {
  const says = ({ rule, name, effect: by }) => [rule, name, effect(by)].join();
  const here = new Set(modifiers.map(says));
  const above = new Set(told.map(says));
  const shared = [...above].every((one) => here.has(one));
  const own = shared ? modifiers.filter((one) => !above.has(says(one))) : modifiers;
  if (!own.length) return null;
  const label = shared && above.size ? "What changes the dice besides" : "What changes the dice";
  return h("ul", { class: "chips", "aria-label": label }, own.map((one) => h("li", {}, ruleChip(one.rule, one.name, effect(one.effect)))));
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
