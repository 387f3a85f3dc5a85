/** Terrain that was rolled and is still to be laid out (`conditions.proposals`): dashed outlines, each with its name. */

import { fill, h, s } from "./dom.js";
import { layers, pin } from "./map.js";
import { state, view } from "./store.js";
import { titled } from "./words.js";

let drawn = "";
let tags = [];

/** Draws them; wipes them once they are laid out. */
export function drawProposals() {
  const pieces = state().game.conditions?.proposals ?? [];
  const key = JSON.stringify([pieces, view().quarter]);
  if (key === drawn) return;
  drawn = key;
  for (const tag of tags) tag.remove();
  tags = pieces.map((piece) => pin(middle(piece.polygon_mm), label(piece), { zIndexOffset: 300 }));
  fill(
    layers.proposals,
    pieces.map(({ polygon_mm: ring }) => s("polygon", { class: "proposal", points: ring.map((at) => at.join(",")).join(" ") })),
  );
}

const label = (piece) =>
  h("span", { class: "pin__text pin--proposal", "aria-hidden": "true" }, titled(piece.kind), piece.dv ? ` DV ${piece.dv}` : "");

function middle(ring) {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}
