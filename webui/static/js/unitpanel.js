/** The selected unit: who it is, how it stands, and all that it can do. */

import { actionLists, actionShows } from "./actions.js";
import { amendButton } from "./amend.js";
import { badges } from "./badges.js";
import { canNow, farLeft } from "./can.js";
import { commandChain } from "./chain.js";
import { h } from "./dom.js";
import { formOf } from "./forms.js";
import { iconButton } from "./icons.js";
import { meleePart } from "./melee.js";
import { movedLine, movedShows } from "./moved.js";
import { ruleChip } from "./note.js";
import { notes } from "./notes.js";
import { questionsBlock, questionsShow } from "./questions.js";
import { putBackButton, putBackShows } from "./putback.js";
import { offersBlock, offersShow } from "./reactions.js";
import { optionCards } from "./options.js";
import { answerFor, mine, select, side, sideIndex, state, unit, view } from "./store.js";
import { formation, moveMode, name, named, plain, shortLength, titled } from "./words.js";
import { ownWill } from "./will.js";

/** The plain value that the panel shows. */
export const unitShows = () => {
  const one = unit(view().unit);
  const cells = state().cells?.[one?.id];
  const seen = state().presence?.[one?.id];
  return [one, answerFor(one?.id), seen, cells, state().game.turn, state().seat, actionShows(one?.id), view().known, movedShows(), putBackShows(), offersShow(), questionsShow(), state().spent?.[one?.id]];
};

/** The panel's elements. */
export function unitPanel() {
  const one = unit(view().unit);
  const answer = answerFor(one.id);
  const back = iconButton("back", "All units", "back", () => select(null));
  return [
    h(
      "header",
      { class: `who side-${sideIndex(one.side) % 4}` },
      back,
      h(
        "div",
        { class: "who__words" },
        h("h2", { class: "who__name", tabindex: "-1", data: { key: "unit-title" } }, name(one)),
        h("p", { class: "who__what" }, describe(one)),
      ),
      h("span", { class: "who__side" }, titled(side(one.side)?.name ?? one.side)),
    ),
    badges(one),
    answer && notes(answer, "notes"),
    movedLine(one.id),
    putBackButton(one),
    offersBlock(),
    questionsBlock(),
    answer ? orders(one, answer) : h("p", { class: "quiet" }, "No answer for this unit yet."),
    amendButton(one),
  ];
}

function describe(one) {
  const arms = one.weapon && one.weapon !== "none" ? ` with ${plain(one.weapon)}` : "";
  const order = one.formation && one.formation !== "none" ? `, ${formation(one.formation)}` : "";
  return `${titled(one.type)}${arms}${order}`;
}

function orders(one, answer) {
  const fights = [...answer.fire, ...answer.charge];
  const acting = one.side === state().game.turn.active_side;
  return [
    !mine(one.id) && h("p", { class: "quiet seat-note" }, "You do not give this unit its orders."),
    !acting && h("p", { class: "quiet" }, fights.some(({ legal }) => legal) ? "Not its turn, but it may still:" : `Not its turn: ${titled(state().game.turn.active_side ?? "nobody")} to act.`),
    canNow(one, answer),
    doubts(answer),
    ownWill(answer),
    commandChain(one, answer),
    meleePart(one, answer),
    fights.length > 0 && [h("h3", { class: answer.melee?.length ? "pane__sub" : "pane__sub pane__sub--first" }, "Fire and charge"), optionCards(one, answer)],
    h("h3", { class: "pane__sub", data: { key: "part-more" } }, "More orders"),
    actionLists(one.id, "orders"),
    answer.move && moveCard(answer),
  ];
}

/** What the rules find odd in a unit's own record: who has it can set it right. */
function doubts({ unit: id, warnings = [] }) {
  if (!mine(id) || !warnings.length) return null;
  return h("ul", { class: "warnings", "aria-label": "To be set right" }, warnings.map((warning) => h("li", {}, named(warning))));
}

function moveCard(answer) {
  const { move, unit: id } = answer;
  const spent = state().spent?.[id];
  const far = farLeft(answer);
  return h(
    "section",
    { class: "move" },
    h("h3", { class: "pane__sub" }, "Move"),
    h(
      "p",
      { class: "move__far" },
      far ? h("span", {}, "Up to ", h("strong", {}, far)) : "It cannot move now.",
    ),
    spent &&
      h("p", { class: "quiet" }, `Moved ${shortLength(spent.distance_mm)} in this turn of the ${shortLength(move.left_mm ?? move.allowance_mm)} that it may.`),
    move.why_not?.length > 0 &&
      h(
        "ul",
        { class: "reasons" },
        move.why_not.map((reason, index) =>
          h("li", {}, named(reason), " ", move.why_rules?.[index] && ruleChip(move.why_rules[index])),
        ),
      ),
    far && move.modes?.length > 0 &&
      h(
        "ul",
        { class: "move__modes" },
        move.modes.map((...one) => h("li", {}, moveMode(...one))),
      ),
    far && !formOf("move") &&
      h(
        "p",
        { class: "quiet" },
        state().mode === "demo"
          ? "Drag its handle on the map; the camera sees where it comes to stand."
          : "Move the figures on the table; the camera sees where they come to stand.",
      ),
  );
}
