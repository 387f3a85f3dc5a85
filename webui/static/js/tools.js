/** The map's tools, and touches on it: units, stray bases, the tape. */

import { h } from "./dom.js";
import { gap } from "./geometry.js";
import { icon } from "./icons.js";
import { fit, turnMap, zoom } from "./map.js";
import { pickHint, pickTouch } from "./picking.js";
import { renew } from "./renew.js";
import { look, select, state, view } from "./store.js";
import { tapeHint, tapeTouch, toggleTape } from "./tape.js";
import { showWall } from "./wall.js";
import { askWhose } from "./whose.js";

let drawn = "";

/** Draws the tools where one of them has changed. */
export function drawTools() {
  const { ground, tool, play } = view();
  const correct = state().mode !== "demo";
  const key = JSON.stringify([ground, tool, correct, Boolean(play)]);
  const hint = document.getElementById("hint");
  const words =
    tool === "tape"
      ? tapeHint()
      : tool === "correct"
        ? "Select a unit and drag its handles to where it really stands."
        : pickHint();
  hint.hidden = !words;
  if (hint.textContent !== words) hint.textContent = words;
  if (key === drawn) return;
  drawn = key;
  const row = document.getElementById("tools");
  renew(
    row,
    tile("plus", "Nearer", () => zoom(1), { desk: true }),
    tile("minus", "Farther", () => zoom(-1), { desk: true }),
    tile("fit", "The whole table", () => fit()),
    tile("turn", "Turn the map", turnMap),
    tile(ground === "photo" ? "plain" : "photo", ground === "photo" ? "Plain map" : "Camera picture", () =>
      look({ ground: ground === "photo" ? "plain" : "photo" }),
    ),
    tile("tape", "Measuring tape", toggleTape, { pressed: tool === "tape" }),
    tile("screen", "Big screen, hands free", () => showWall(true), { desk: true }),
    correct &&
      tile("hand", "Correct where figures stand", () => look({ tool: tool === "correct" ? null : "correct" }), {
        pressed: tool === "correct",
      }),
  );
}

/** What a touch on the map means. */
export function mapTouch(point, slack) {
  if (!state()?.game) return;
  if (view().tool === "tape") {
    tapeTouch(point, slack);
    drawTools();
    return;
  }
  if (view().play || pickTouch(point, slack)) return;
  const spot = { x_mm: point[0], y_mm: point[1], base: { shape: "round", diameter_mm: 0 } };
  const hits = state().game.units.flatMap((one) =>
    one.figures.map((figure) => ({ id: one.id, distance: gap(spot, figure).distance })),
  );
  const loose = (state().strays ?? [])
    .filter((stray) => !stray.lost_from)
    .map((stray) => ({ stray, distance: Math.hypot(stray.x_mm - point[0], stray.y_mm - point[1]) - 13 }));
  const best = [...hits, ...loose]
    .filter((hit) => hit.distance <= slack)
    .sort((a, b) => a.distance - b.distance)[0];
  if (best?.stray) askWhose(best.stray);
  else select(best?.id ?? null);
}

function tile(sign, label, act, { pressed, desk } = {}) {
  return h(
    "button",
    {
      class: `tool ${desk ? "tool--desk" : ""}`,
      type: "button",
      title: label,
      "aria-label": label,
      "aria-pressed": pressed === undefined ? null : String(pressed),
      data: { key: `tool-${label}` },
      on: { click: act },
    },
    icon(sign),
  );
}
