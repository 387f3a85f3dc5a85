/** Looking back: the table as it was after an entry of the log, step by step, and back to now. */

import { getThen } from "./api.js";
import { h } from "./dom.js";
import { told } from "./entry.js";
import { look, pastOf, state, takePast } from "./store.js";
import { attempt } from "./toast.js";
import { titled } from "./words.js";

/** Shows the table as it was after an entry. */
export async function lookBack(number) {
  const past = await attempt(getThen(number));
  if (!past) return;
  takePast(past);
  look({ pane: "orders", sheet: "half" });
}

/** Comes back to now. */
export const comeBack = () => takePast(null);

/** The plain value that the panel shows. */
export const pastShows = () => [pastOf(), state().log.at(-1)?.number];

/** The panel's elements. */
export function pastPanel() {
  const { number, entry, game } = pastOf();
  const last = state().log.at(-1)?.number ?? number;
  return [
    h("h2", { class: "pane__title", tabindex: "-1", data: { key: "past-title" } }, "As it was"),
    h(
      "p",
      { class: "quiet" },
      `Turn ${game.turn.number}${game.turn.active_side ? `, ${titled(game.turn.active_side)}` : ""}. Entry ${number} of ${last}.`,
    ),
    slider(number, last),
    h(
      "div",
      { class: "past__steps" },
      step("Earlier", number - 1, number > 1),
      step("Later", number + 1, number < last),
      h(
        "button",
        { class: "button", type: "button", data: { key: "past-now" }, on: { click: comeBack } },
        "Back to now",
      ),
    ),
    h("h3", { class: "pane__sub" }, entry.title),
    told(entry),
  ];
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
