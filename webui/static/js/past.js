/** Looking back: the table as it was after an entry of the log, step by step, and back to now. */

import { getThen } from "./api.js";
import { h } from "./dom.js";
import { told } from "./entry.js";
import { judges, look, pastOf, state, takePast, view } from "./store.js";
import { attempt } from "./toast.js";
import { askBranch } from "./whole.js";
import { titled, turnName } from "./words.js";

/** Shows the table as it was after an entry. */
export async function lookBack(number) {
  const past = await attempt(getThen(number));
  if (!past) return;
  takePast(past);
  look({ pane: "orders", sheet: "half" });
}

/** Comes back to now. */
export function comeBack() {
  if (playing) stop();
  if (pastOf()) takePast(null);
}

/** The plain value that the panel shows. */
export const pastShows = () => [pastOf(), state().log.at(-1)?.number, playing > 0, judges()];

/** The panel's elements. */
export function pastPanel() {
  const { number, entry, game } = pastOf();
  const last = state().log.at(-1)?.number ?? number;
  return [
    h("h2", { class: "pane__title", tabindex: "-1", data: { key: "past-title" } }, "As it was"),
    h(
      "p",
      { class: "quiet" },
      `${turnName(game.turn.number)}${game.turn.active_side ? `, ${titled(game.turn.active_side)}` : ""}. Entry ${number} of ${last}.`,
    ),
    slider(number, last),
    h(
      "div",
      { class: "past__steps" },
      step("Earlier", number - 1, number > 1),
      step("Later", number + 1, number < last),
      h(
        "button",
        {
          class: "button button--quiet",
          type: "button",
          disabled: number >= last && !playing,
          data: { key: "past-play" },
          on: { click: () => (playing ? stop() : playOn()) },
        },
        playing ? "Stop" : "Play",
      ),
      h(
        "button",
        { class: "button", type: "button", data: { key: "past-now" }, on: { click: comeBack } },
        "Back to now",
      ),
    ),
    h("h3", { class: "pane__sub" }, entry.title),
    entry.aside && h("p", { class: "quiet" }, "This belongs to another course of the game."),
    told(entry),
    judges() &&
      number < last &&
      h(
        "button",
        {
          class: "button button--quiet",
          type: "button",
          data: { key: "past-branch" },
          on: { click: () => askBranch(number, entry.title) },
        },
        "Go on from here …",
      ),
  ];
}

const PLAY_MS = 1300;
let playing = 0;

/** Plays the log on from the entry that is shown, one after the other, until its end or until it is stopped. */
function playOn() {
  clearTimeout(playing);
  playing = setTimeout(async () => {
    const past = pastOf();
    if (!past || past.number >= (state().log.at(-1)?.number ?? 0)) return stop();
    await lookBack(past.number + 1);
    if (playing) playOn();
  }, PLAY_MS);
  look({ known: view().known + 1 });
}

function stop() {
  clearTimeout(playing);
  playing = 0;
  look({ known: view().known + 1 });
}

function slider(number, last) {
  const drawn = (event) => lookBack(Number(event.target.value));
  return h("input", {
    class: "past__slider",
    type: "range",
    min: 1,
    max: last,
    value: number,
    "aria-label": "Entry of the log",
    data: { key: "past-slider" },
    on: { change: drawn },
  });
}

function step(words, number, possible) {
  return h(
    "button",
    {
      class: "button button--quiet",
      type: "button",
      disabled: !possible,
      data: { key: `past-${words.toLowerCase()}` },
      on: { click: () => lookBack(number) },
    },
    words,
  );
}
