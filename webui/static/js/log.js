/** The log of the game: newest first, turn by turn; what was taken back stays, struck through. */

import { olderLog, redo, undo } from "./api.js";
import { h } from "./dom.js";
import { entryBody, told } from "./entry.js";
import { icon } from "./icons.js";
import { refresh as fetchState } from "./live.js";
import { lookBack } from "./past.js";
import { refresh } from "./renew.js";
import { judges, mine, side, sideIndex, state, unit } from "./store.js";
import { attempt } from "./toast.js";
import { courses, wholeButton } from "./whole.js";
import { titled, turnName } from "./words.js";

let ofGame = null;
let older = []; // entries before those of the state, fetched when asked for

/** Draws the log into its pane. */
export function drawLog(element) {
  const { log: newest, undo: next, redo: back, courses: left, began, pictures } = state();
  if (began !== ofGame) [older, ofGame] = [[], began];
  const log = [...older.filter((entry) => entry.number < newest[0]?.number), ...newest];
  refresh(element, [newest, older, next, back, left, state().seat, pictures > 1], () => [
    h(
      "header",
      { class: "log__head" },
      h("h2", { class: "pane__title" }, "Log"),
      h(
        "div",
        { class: "log__hands" },
        back && takesBack(log, back.number) && redoButton(back),
        next && takesBack(log, next.number) && undoButton(next),
      ),
    ),
    wholeButton(),
    courses(),
    turns(log.reverse()),
    log.at(-1)?.number > state().log_from &&
      h(
        "button",
        {
          class: "button button--quiet",
          type: "button",
          data: { key: "older" },
          on: { click: () => fetchOlder(element, log.at(-1).number) },
        },
        "Earlier entries",
      ),
  ]);
}

async function fetchOlder(element, number) {
  const found = await attempt(olderLog(number));
  if (!found) return;
  older = [...found.log, ...older.filter((entry) => entry.number >= number)];
  drawLog(element);
}

/** Whether it is this seat's to take back, or to let stand again, what an entry did: its own troops', or anything. */
function takesBack(log, number) {
  const { seat } = state();
  if (judges()) return true;
  let entry = log.find((one) => one.number === number);
  while (entry?.undoes) entry = log.find((one) => one.number === entry.undoes);
  if (seat.kind === "spectator" || !entry?.action) return false;
  return entry.action.unit ? mine(entry.action.unit) : entry.action.side === seat.side && !seat.officer;
}

/** Has something done once, however often the button is pressed; may be pressed again where it was not done. */
const pressed = (act) => async ({ currentTarget: button }) => {
  button.disabled = true;
  await attempt(act());
  await fetchState();
  button.disabled = false;
};

function undoButton(next) {
  return h(
    "button",
    {
      class: "button button--quiet log__undo",
      type: "button",
      data: { key: "undo" },
      "aria-label": `Undo: ${next.title}`,
      on: { click: pressed(() => undo(next.number)) },
    },
    icon("undo"),
    h("span", { class: "log__undo-what" }, h("span", {}, "Undo"), h("small", {}, next.title)),
  );
}

function redoButton(back) {
  return h(
    "button",
    {
      class: "button button--quiet log__redo",
      type: "button",
      data: { key: "redo" },
      "aria-label": `Redo: ${back.title}`,
      title: `Redo: ${back.title}`,
      on: { click: pressed(() => redo(back.number)) },
    },
    "Redo",
  );
}

function turns(entries) {
  const groups = [];
  for (const entry of entries) {
    if (groups.at(-1)?.turn !== entry.turn) groups.push({ turn: entry.turn, entries: [] });
    groups.at(-1).entries.push(entry);
  }
  return groups.map((group) =>
    h(
      "section",
      { class: "log__turn" },
      h("h3", { class: "log__number" }, turnName(group.turn ?? 0)),
      h("ol", { class: "log__entries" }, runs(group.entries)),
    ),
  );
}

/** The entries of a turn; those of a course that the game has left stand folded. */
function runs(entries) {
  const found = [];
  for (const entry of entries) {
    if (!entry.aside) found.push(one(entry));
    else if (Array.isArray(found.at(-1))) found.at(-1).push(entry);
    else found.push([entry]);
  }
  return found.map((run) =>
    Array.isArray(run)
      ? h(
          "li",
          { class: "entry entry--aside" },
          h(
            "details",
            { class: "entry__more", data: { key: `aside-${run[0].number}` } },
            h("summary", {}, `Another course: ${run.length} ${run.length === 1 ? "entry" : "entries"}`),
            h("ol", { class: "log__entries" }, run.map(one)),
          ),
        )
      : run,
  );
}

/** Whose an entry is: his who acted, also where he acts out of his turn, as in reacting; else the side to act. */
const whose = ({ action, side: active }) => unit(action?.unit)?.side ?? side(action?.side)?.name ?? active;

function one(entry) {
  const owner = whose(entry);
  const belongs = entry.kind === "action" && owner && side(owner);
  const long = entry.kind === "camera" && entry.lines.length > 3;
  const more = entry.rolls?.length > 0 || entry.rules?.length > 0;
  return h(
    "li",
    { class: `entry entry--${entry.kind} ${entry.undone ? "entry--undone" : ""}`, data: { number: entry.number } },
    h(
      "div",
      { class: "entry__head" },
      belongs
        ? h(
            "span",
            { class: `entry__mark side side-${sideIndex(owner) % 4}`, title: titled(owner) },
            h("span", { class: "side__mark", "aria-hidden": "true" }),
          )
        : h(
            "span",
            { class: "entry__mark", "aria-hidden": "true" },
            { camera: "◉", undo: "↶", turn: "◷", begin: "⚑", branch: "⎇" }[entry.kind] ?? "·",
          ),
      h(
        "button",
        {
          class: "entry__then",
          type: "button",
          "aria-label": `The table after: ${entry.title}`,
          title: "The table as it was then",
          data: { key: `then-${entry.number}` },
          on: { click: () => lookBack(entry.number) },
        },
        icon("then"),
      ),
      h("h4", { class: "entry__title" }, entry.undone ? h("s", {}, entry.title) : entry.title),
      entry.undone && h("span", { class: "entry__flag" }, "undone"),
      entry.overruled && h("span", { class: "entry__flag" }, "overruled"),
    ),
    long ? fold(entry, "What it saw", told(entry)) : told(entry),
    more && fold(entry, "Dice and rules", entryBody(entry)),
  );
}

const fold = (entry, words, what) =>
  h(
    "details",
    { class: "entry__more", data: { key: `entry-${entry.number}-${words}` } },
    h("summary", {}, words),
    what,
  );
