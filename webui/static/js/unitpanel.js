/** The selected unit: who it is, how it stands, and all that it can do. */

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { ruleChip } from "./note.js";
import { doubts, optionCards } from "./options.js";
import { begin } from "./play.js";
import { answerFor, select, side, sideIndex, state, unit, view } from "./store.js";
import { actionName, count, formation, moveMode, name, named, plain, shortLength, titled } from "./words.js";

/** The plain value that the panel shows. */
export const unitShows = () => {
  const one = unit(view().unit);
  return [one, answerFor(one?.id), state().presence?.[one?.id], state().game.turn];
};

/** The panel's elements. */
export function unitPanel() {
  const one = unit(view().unit);
  const answer = answerFor(one.id);
  const back = h(
    "button",
    {
      class: "icon-button",
      type: "button",
      "aria-label": "All units",
      data: { key: "back" },
      on: { click: () => select(null) },
    },
    icon("back"),
  );
  return [
    h(
      "header",
      { class: `who side-${sideIndex(one.side) % 4}` },
      back,
      h(
        "div",
        { class: "who__words" },
        h("h2", { class: "who__name" }, name(one)),
        h("p", { class: "who__what" }, describe(one)),
      ),
      h("span", { class: "who__side" }, titled(side(one.side)?.name ?? one.side)),
    ),
    badges(one),
    answer ? orders(one, answer) : h("p", { class: "quiet" }, "No answer for this unit yet."),
  ];
}

function describe(one) {
  const arms = one.weapon && one.weapon !== "none" ? ` with ${plain(one.weapon)}` : "";
  return `${titled(one.type)}${arms}, ${formation(one.formation)}`;
}

function badges(one) {
  const now = one.state ?? {};
  const seen = state().presence?.[one.id];
  const lost = now.casualties > 0 && `${now.casualties} lost`;
  const reload =
    now.reload_markers > 0 &&
    h(
      "li",
      { class: "badge badge--warn" },
      h(
        "span",
        { class: "markers", "aria-hidden": "true" },
        Array.from({ length: Math.min(now.reload_markers, 4) }, () => h("i")),
      ),
      count(now.reload_markers, "reload marker"),
    );
  const words = [
    ["prone", "prone"],
    ["retiring", "retiring: must rally"],
    ["activated", "has acted"],
    ["limbered", "limbered"],
    ["taking_trophies", "taking trophies"],
  ]
    .filter(([key]) => now[key])
    .map(([, text]) => h("li", { class: "badge" }, text));
  return h(
    "ul",
    { class: "badges" },
    h(
      "li",
      { class: "badge" },
      h("b", {}, one.figures.length),
      one.figures.length === 1 ? " figure" : " figures",
      lost && ` · ${lost}`,
    ),
    one.stats?.rep !== undefined && h("li", { class: "badge" }, "Rep ", h("b", {}, one.stats.rep)),
    reload,
    words,
    now.in_melee?.length > 0 &&
      h("li", { class: "badge badge--warn" }, `in melee with ${now.in_melee.map(name).join(", ")}`),
    seen &&
      seen.seen < seen.of &&
      h("li", { class: "badge badge--warn" }, `the camera sees ${seen.seen} of ${seen.of}`),
  );
}

function orders(one, answer) {
  const fights = (one.state?.in_melee ?? []).map((enemy) => ({ action: "melee", enemy, legal: true, why_not: [] }));
  const actions = [...fights, ...(answer.actions ?? [])];
  const able = actions.filter((entry) => entry.legal);
  const unable = actions.filter((entry) => !entry.legal);
  const idle = ![...answer.fire, ...answer.charge].some((option) => option.legal);
  return [
    able.length > 0 &&
      h(
        "ul",
        { class: "actions", "aria-label": "Actions" },
        able.map((entry) => h("li", {}, actionButton(one, entry))),
      ),
    idle && h("p", { class: "quiet" }, "Nothing to fire at or charge as it stands. The reasons are below."),
    h("h3", { class: "pane__sub" }, "Fire and charge"),
    optionCards(one, answer),
    answer.move && moveCard(answer.move),
    unable.length > 0 &&
      h(
        "details",
        { class: "not", data: { key: "no-actions" } },
        h(
          "summary",
          { class: "not__head" },
          "Other actions, not now",
          h("span", { class: "not__count" }, unable.length),
        ),
        h(
          "ul",
          { class: "not__list" },
          unable.map((entry) =>
            h(
              "li",
              { class: "not__one" },
              h("h4", { class: "not__title" }, actionName(entry.action)),
              h(
                "ul",
                { class: "reasons" },
                entry.why_not.map((reason, index) =>
                  h("li", {}, named(reason), " ", entry.why_rules?.[index] && ruleChip(entry.why_rules[index])),
                ),
              ),
              doubts(entry),
            ),
          ),
        ),
      ),
  ];
}

function actionButton(one, entry) {
  const { action, enemy } = entry;
  const foe = enemy ?? (action === "break-off" ? one.state?.in_melee?.[0] : undefined);
  const asked = {
    action,
    unit: one.id,
    ...(foe ? { enemy: foe } : {}),
    ...(entry.building ? { building: entry.building } : {}),
  };
  const words = enemy ? `${actionName(action)} with ${name(enemy)}` : actionName(action);
  return h(
    "button",
    {
      class: "button button--quiet",
      type: "button",
      data: { key: `act-${action}-${enemy ?? ""}` },
      on: { click: () => begin(asked, `${name(one)}: ${words}`) },
    },
    words,
  );
}

function moveCard(move) {
  const still = move.allowance_mm <= 0;
  return h(
    "section",
    { class: "move" },
    h("h3", { class: "pane__sub" }, "Move"),
    h(
      "p",
      { class: "move__far" },
      still ? "It cannot move now." : h("span", {}, "Up to ", h("strong", {}, shortLength(move.allowance_mm))),
    ),
    move.modes.length > 0 &&
      h(
        "ul",
        { class: "move__modes" },
        move.modes.map((one) => h("li", {}, moveMode(one))),
      ),
    !still &&
      h(
        "p",
        { class: "quiet" },
        state().mode === "demo"
          ? "Drag its handle on the map; the camera sees where it comes to stand."
          : "Move the figures on the table; the camera sees where they come to stand.",
      ),
  );
}
