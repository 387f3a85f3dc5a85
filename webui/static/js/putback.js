/** The way back for bases that were dragged by mistake: they are put where they stood before. */

import { demoMove, putBack } from "./api.js";
import { h } from "./dom.js";
import { seenMove } from "./moved.js";
import { mine, state } from "./store.js";
import { attempt } from "./toast.js";

/** The plain value that the button shows. */
export const putBackShows = () => [state().put_back, state().mode];

/** The button for a unit whose bases somebody dragged; null where nothing is to be put back. */
export function putBackButton(one) {
  const back = mine(one.id) ? wayBack(one) : null;
  return (
    back &&
    h(
      "button",
      { class: "button button--quiet", type: "button", data: { key: "put-back" }, on: { click: () => attempt(back()) } },
      "Put back where it stood",
    )
  );
}

/** What was said by hand is taken back; on the demo's table the bases are carried back, for the camera to see. */
function wayBack(one) {
  if (state().put_back?.includes(one.id)) return () => putBack(one.id);
  const move = state().mode === "demo" && seenMove(one.id);
  if (!move) return null;
  const here = new Set(one.figures.map(({ id }) => id));
  const figures = move.before
    .filter(({ id }) => here.has(id))
    .map(({ id, x_mm, y_mm, bearing_deg }) => ({ id, x_mm, y_mm, bearing_deg }));
  return figures.length ? () => demoMove(figures) : null;
}
