/** All the units, side by side: what shows while none is selected. */

import { actionLists, actionShows, turnButtons } from "./actions.js";
import { h } from "./dom.js";
import { allForms } from "./forms.js";
import { guideCard, guideShows } from "./guide.js";
import { movedLines, movedShows } from "./moved.js";
import { ruleChip } from "./note.js";
import { questionsBlock, questionsShow } from "./questions.js";
import { offersBlock, offersShow } from "./reactions.js";
import { rulingsButton } from "./rulings.js";
import { answerFor, judges, select, sideIndex, state, view } from "./store.js";
import { tableLines, tableShows, leftLine, possible } from "./todo.js";
import { verdict, verdictCard } from "./verdict.js";
import { count, formation, isOneBase, name, named, titled } from "./words.js";

/** The plain value that the roster shows. */
export const rosterShows = () => {
  const { game, presence, answer, strays } = state();
  return [game.units, game.turn, presence, answer?.units.map(possible), answer?.units.map(({ resolve }) => resolve), answer?.standing, strays, state().seat, actionShows(null), view().known, movedShows(), tableShows(), offersShow(), questionsShow(), guideShows(), verdict()];
};

/** The roster's elements. */
export function roster() {
  const { game, strays } = state();
  const sides = [...game.sides].sort(
    (a, b) => Number(b.name === game.turn.active_side) - Number(a.name === game.turn.active_side),
  );
  return [
    verdictCard(),
    guideCard(),
    h("h2", { class: "pane__title", tabindex: "-1", data: { key: "roster-title" } }, "The units"),
    offersBlock(),
    questionsBlock(),
    turnButtons(),
    !verdict() && leftLine(),
    tableLines(),
    movedLines(),
    h("p", { class: "quiet muster__hint" }, game.units.length ? "Touch a unit to see what it can do." : nobody()),
    !game.units.length && h("div", { class: "actions" }, setUpLink()),
    sides.map((side) => muster(side, game)),
    loose((strays ?? []).filter((stray) => !stray.lost_from)),
    actionLists(null, "turn", true),
    h("div", { class: "actions" }, campaignLink(), rulingsButton(), game.units.length > 0 && setUpLink()),
  ];
}

/** What is to be done while no unit is known, by who may do it. */
const nobody = () =>
  state().evening && judges()
    ? "No unit is on the table yet: set the table up, and say which bases belong together."
    : "No unit is on the table yet.";

/** The way to the campaign's page, where the rules have one. */
function campaignLink() {
  if (!allForms().some((form) => form.section === "campaign")) return null;
  return h("a", { class: "button button--quiet rulings", href: "/campaign", data: { key: "campaign" } }, "The campaign …");
}

/** The way back to any step of the first evening, for who may change the table. */
function setUpLink() {
  if (!state().evening || !judges()) return null;
  return h("a", { class: "button button--quiet rulings", href: "/evening#units", data: { key: "set-up" } }, "Set the table up");
}

function loose(strays) {
  if (!strays.length) return null;
  const one = strays.length === 1;
  return h(
    "p",
    { class: "flag" },
    `${count(strays.length, "base")} on the table ${one ? "belongs" : "belong"} to no unit. Touch ${one ? "it" : "one"} on the map to say whose it is.`,
  );
}

function muster(side, game) {
  const units = game.units.filter((one) => one.side === side.name);
  return h(
    "section",
    { class: `muster side-${sideIndex(side.name) % 4}` },
    h(
      "h3",
      { class: "muster__side" },
      h("span", { class: "side__mark", "aria-hidden": "true" }),
      titled(side.name),
      side.name === game.turn.active_side && h("span", { class: "muster__active" }, "to move"),
    ),
    army(side),
    h(
      "ul",
      { class: "muster__units" },
      units.map((one) => h("li", {}, line(one))),
    ),
  );
}

/** How an army stands as a whole, where the rules say so (an answer's `standing`). */
function army({ name: side }) {
  const told = (state().answer?.standing ?? []).filter((one) => one.side === side);
  return told.length > 0 && h("ul", { class: "muster__army" }, told.map(({ text, rule }) => h("li", {}, named(text), " ", ruleChip(rule))));
}

/** The hits that a unit has of those that it bears. */
function borne({ resolve } = {}) {
  return resolve?.hits > 0 && `, ${resolve.hits} of ${count(resolve.value, "hit")}`;
}

function line(one) {
  const { presence } = state();
  const { seen = 0, of = 0 } = presence?.[one.id] ?? {};
  const can = possible(answerFor(one.id));
  const gone = one.figures.length === 0;
  const acting = one.side === state().game.turn.active_side;
  return h(
    "button",
    {
      class: "muster__unit",
      type: "button",
      data: { key: `roster-${one.id}` },
      disabled: gone,
      on: { click: () => select(one.id) },
    },
    h("span", { class: "muster__name" }, name(one)),
    h(
      "span",
      { class: "muster__what" },
      gone ? "off the table" : standing(one),
      !gone && borne(answerFor(one.id)),
      one.state?.activated ? ", has acted" : "",
      seen < of ? `, ${seen ? (of - seen === 1 ? "one" : of - seen) : "all"} out of sight` : "",
    ),
    acting && !gone && can.length > 0 && h("span", { class: "muster__can" }, can.join(" · ")),
  );
}

function standing(one) {
  const order = one.formation && one.formation !== "none" ? formation(one.formation) : "";
  const what = one.counter || isOneBase(one) ? titled(one.type) : count(one.figures.length, "figure");
  return [what, order].filter(Boolean).join(", ");
}
