/**
 * The big screen: nobody touches it. The table as large as it goes, whose turn it is, what is left to do, what has
 * just happened; the map goes where something happens and comes back.
 */

import { h } from "./dom.js";
import { entryBody, told } from "./entry.js";
import { at } from "./geometry.js";
import { icon } from "./icons.js";
import { refresh as fetchState } from "./live.js";
import { keepLit } from "./lit.js";
import { fit, showPoints } from "./map.js";
import { movedLines, movedShows } from "./moved.js";
import { refresh } from "./renew.js";
import { answerFor, look, pastOf, side, sideIndex, state, unit, view } from "./store.js";
import { tableLines, tableShows, leftToDo, possible } from "./todo.js";
import { verdict, wonClass, wonMark, wonWords } from "./verdict.js";
import { name, named, titled, turnName } from "./words.js";

const COMES_BACK_MS = 9000;
const [SHOWN, TO_DO] = [4, 6];
let lastEntry = null;
let back = 0;

/** Turns the page into a big screen, or back into one for hands. */
export function showWall(on) {
  look({ wall: on, unit: null, lit: null, order: null, tool: null });
  document.body.classList.toggle("wall", on);
  const wanted = `${location.pathname}${on ? "?screen=big" : ""}`;
  if (location.pathname + location.search !== wanted) history.replaceState(history.state, "", wanted);
  fetchState(); // what a whole room sees is what those may see who only watch
  keepLit("wall", on);
  requestAnimationFrame(() => requestAnimationFrame(() => state()?.game && fit(true)));
}

/** Draws the panel beside the map, and looks where something has happened. */
export function drawWall() {
  const element = document.getElementById("wall");
  element.hidden = !view().wall;
  if (!view().wall || !state()?.game) return;
  const { game, log, strays, answer } = state();
  const shown = [game.turn, game.units, log, strays, tableShows(), answer, movedShows(), verdict(), view().link];
  refresh(element, shown, () => [verdict() ? ended(game.turn) : turn(game.turn), h("div", { class: "wall__flags" }, tableLines(), movedLines()), !verdict() && todo(), news(log), leave()]);
  follow(log);
}

function turn({ number, active_side: active }) {
  return h(
    "header",
    { class: `wall__turn side-${sideIndex(active) % 4}` },
    h("p", { class: "wall__number" }, turnName(number)),
    active &&
      h(
        "p",
        { class: "wall__side" },
        h("span", { class: "side__mark", "aria-hidden": "true" }),
        titled(side(active)?.name ?? active),
      ),
  );
}

function ended({ number }) {
  return h(
    "header",
    { class: `wall__turn ${wonClass()}`, role: "status" },
    h("p", { class: "wall__number" }, `Over after turn ${number}`),
    h("p", { class: "wall__side" }, wonMark(), wonWords()),
    h("p", { class: "wall__why" }, `${named(verdict().why)}.`),
  );
}

function todo() {
  const { own, left } = leftToDo();
  if (!own.length) return null;
  return h(
    "section",
    { class: "wall__todo" },
    h("h2", { class: "pane__sub" }, left.length ? "Left to do" : "Nothing is left to do"),
    left.length > 0 &&
      h(
        "ul",
        {},
        left.slice(0, TO_DO).map((one) => h("li", {}, h("b", {}, name(one)), ` ${possible(answerFor(one.id)).join(" · ")}`)),
      ),
    left.length > TO_DO && h("p", { class: "quiet" }, `and ${left.length - TO_DO} more`),
  );
}

function news(log) {
  const newest = log.filter((entry) => !entry.aside && !entry.undone).slice(-SHOWN).reverse();
  return h(
    "section",
    { class: "wall__news", "aria-live": "polite" },
    h("h2", { class: "pane__sub" }, "Just now"),
    newest.map((entry, index) =>
      h("article", { class: "wall__entry" }, h("h3", {}, entry.title), index === 0 && [told(entry), entryBody({ ...entry, rules: [] })]),
    ),
  );
}

function leave() {
  return h(
    "button",
    { class: "button button--quiet wall__leave", type: "button", data: { key: "wall-leave" }, on: { click: () => showWall(false) } },
    icon("close"),
    "Leave the big screen",
  );
}

/** Shows the units that an action has to do with, for a while. */
function follow(log) {
  const newest = log.at(-1)?.number ?? 0;
  if (lastEntry !== null && newest > lastEntry && !pastOf()) {
    const { action } = log.at(-1);
    const points = [action?.unit, action?.target].flatMap((id) => (id ? (unit(id)?.figures ?? []).map(at) : []));
    if (points.length) {
      showPoints(points);
      clearTimeout(back);
      back = setTimeout(() => view().wall && fit(), COMES_BACK_MS);
    }
  }
  lastEntry = newest;
}
