/** The dice panel: what to roll, a keypad of faces, and what came of it. */

import { h } from "./dom.js";
import { entryBody, told } from "./entry.js";
import { icon, iconButton } from "./icons.js";
import { keypad, sides, tally, tray } from "./keypad.js";
import { ruleChip } from "./note.js";
import { offersBlock, offersShow } from "./reactions.js";
import { askOverrule } from "./orderpanel.js";
import { again, confirm, leave, overrule, rollTheRest, type, untype } from "./play.js";
import { judges, view } from "./store.js";
import { tableLines, tableShows } from "./todo.js";
import { named, pool, success, verb } from "./words.js";

/** The plain value that the panel shows. */
export const diceShows = () => [view().play, view().play?.entry && [offersShow(), tableShows()]];

/** The panel's elements. */
export function dicePanel() {
  const play = view().play;
  const done = Boolean(play.entry);
  return [
    h(
      "header",
      { class: "who who--dice" },
      h(
        "div",
        { class: "who__words" },
        h("h2", { class: "who__name", tabindex: "-1", data: { key: "dice-title" } }, play.title),
      ),
      !done && iconButton("close", "Give up this action", "dice-leave", leave),
    ),
    done
      ? outcome(play)
      : [
          rollsSoFar(play.rolls),
          play.error ? trouble(play) : play.request ? asking(play) : h("p", { class: "quiet" }, "One moment …"),
        ],
  ];
}

/** Puts the dice away, unless some have been typed: what was typed is not lost by a slip. Returns whether it did. */
export function putDiceAway() {
  const { entry, typed, dice, busy } = view().play;
  const away = entry || (!typed.length && !dice.length && !busy);
  if (away) leave();
  return Boolean(away);
}

/** Digits, Backspace and Enter of a real keyboard. Returns whether the key was for the dice. */
export function diceKey(event) {
  const play = view().play;
  if (!play || event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement)
    return false;
  if (event.key === "Escape") return putDiceAway();
  if (play.entry) {
    const read = event.key === "Enter" && !event.target.closest("button, a, summary"); // those do what they say
    return read && (leave(), true);
  }
  if (!play.request || play.error) return false;
  const score = Number(event.key);
  if (event.key >= "0" && event.key <= "9" && score >= 1 && score <= Math.min(9, sides(play.request.die)))
    return (type(score), true);
  if (event.key === "Backspace") return (untype(), true);
  if (event.key === "Enter" && play.typed.length === play.request.count) return (confirm(), true);
  return false;
}

function asking(play) {
  const { request, typed, busy } = play;
  const left = request.count - typed.length;
  const full = left === 0;
  const reads = request.success
    ? `${success(request.success, request.die)} ${verb(request.for)}`
    : request.count > 1
      ? "added together"
      : "its score counts";
  return [
    h(
      "div",
      { class: "ask" },
      play.changed && h("p", { class: "ask__changed", role: "status" }, "The table changed: this is the roll."),
      h("p", { class: "ask__for" }, request.for),
      h(
        "div",
        { class: "ask__roll" },
        h("strong", {}, pool(request.count, request.die)),
        h("span", { class: "ask__reads" }, reads),
        request.rule && ruleChip(request.rule),
      ),
      tray(play),
      h(
        "p",
        { class: "ask__count", "aria-live": "polite" },
        full ? tally(request, typed) : `${typed.length} of ${request.count} typed`,
      ),
    ),
    keypad(request, full || busy),
    h(
      "div",
      { class: "dice-foot" },
      h(
        "button",
        {
          class: "button button--quiet",
          type: "button",
          data: { key: "dice-back" },
          disabled: !typed.length,
          "aria-label": "Take the last die back",
          on: { click: () => untype() },
        },
        icon("erase"),
      ),
      h(
        "button",
        {
          class: "button button--quiet",
          type: "button",
          data: { key: "dice-roll" },
          disabled: busy,
          on: { click: rollTheRest },
        },
        typed.length ? "Roll all for me" : "Roll for me", // what was typed for this roll is let go
      ),
      h(
        "button",
        {
          class: "button",
          type: "button",
          data: { key: "dice-ok" },
          disabled: !full || busy,
          on: { click: confirm },
        },
        full ? "That is it" : `${left} to go`,
      ),
    ),
  ];
}

function rollsSoFar(rolls) {
  if (!rolls.length) return null;
  return h(
    "ol",
    { class: "sofar", "aria-label": "Rolled so far" },
    rolls.map((roll) =>
      h(
        "li",
        {},
        `${roll.for}: `,
        h(
          "strong",
          {},
          roll.passed === undefined || roll.passed === null
            ? `total ${roll.total}`
            : `${roll.passed} of ${roll.scores.length}`,
        ),
      ),
    ),
  );
}

function trouble({ error, action, title, changed }) {
  const canOverrule = error.status === 422 && error.reasons.length > 0 && !action.override && judges();
  return h(
    "div",
    { class: "trouble", role: "alert" },
    changed && h("p", { class: "trouble__changed" }, "The table has changed since you began."),
    h("p", {}, error.message),
    error.reasons.length > 0 &&
      h(
        "ul",
        { class: "reasons" },
        error.reasons.map((reason) => h("li", {}, named(reason))),
      ),
    h(
      "div",
      { class: "dice-foot" },
      canOverrule &&
        h(
          "button",
          {
            class: "button button--quiet",
            type: "button",
            data: { key: "trouble-overrule" },
            on: { click: () => askOverrule(title, error.reasons, overrule) },
          },
          "Overrule …",
        ),
      h(
        "button",
        { class: canOverrule ? "button" : "button button--quiet", type: "button", data: { key: "trouble-leave" }, on: { click: leave } },
        "Leave it",
      ),
      !canOverrule &&
        h(
            "button",
            { class: "button", type: "button", data: { key: "trouble-again" }, on: { click: again } },
            "Try again as it stands now",
          ),
    ),
  );
}

function outcome({ entry }) {
  return [
    h(
      "div",
      { class: "outcome" },
      h("p", { class: "outcome__head" }, "What happened"),
      told(entry),
      tableLines(),
      entryBody(entry),
    ),
    offersBlock(),
    h(
      "div",
      { class: "dice-foot" },
      h("button", { class: "button", type: "button", data: { key: "dice-done" }, on: { click: leave } }, "Done"),
    ),
  ];
}
