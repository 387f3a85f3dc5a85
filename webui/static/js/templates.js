/** The shapes of shots on the table: of the option in hand, before the roll, and of what happened, after it. */

import { fill, s } from "./dom.js";
import { layers } from "./map.js";
import { answerFor, pastOf, state, unit, view } from "./store.js";

let drawn = "";

/** Draws what may be hit by the option in hand, or what an action did that has just been done or is looked back to. */
export function drawTemplates() {
  const { entry, option } = inHand();
  const shapes = entry ? happened(entry) : option?.template ? [option.template] : [];
  const risk = entry ? [] : (option?.at_risk ?? []);
  const key = JSON.stringify([Boolean(entry), shapes, risk, state().revision]);
  if (key === drawn) return;
  drawn = key;
  fill(layers.templates, s("g", { class: entry ? "template template--did" : "template" }, shapes.map(shape)));
  const endangered = new Set(risk.flatMap((id) => (unit(id)?.figures ?? []).map((figure) => figure.id)));
  for (const element of layers.figures.querySelectorAll("[data-figure]"))
    element.classList.toggle("base--risk", endangered.has(element.dataset.figure));
}

/** What is in hand: an entry that is done, else an option of firing that is looked at, asked about or rolled for. */
function inHand() {
  const { play, order, lit, unit: chosen } = view();
  if (play?.entry) return { entry: play.entry };
  if (pastOf()) return { entry: pastOf().entry };
  if (play && happened(play).length) return { entry: play };
  if (play) return { option: optionOf(play.action) };
  if (order) return { option: optionOf({ ...order.values, action: order.action, unit: order.unit }) };
  return { option: chosen && lit?.option };
}

/** The option that an action of firing stands for: of its target, its mode and its weapon where it says them. */
function optionOf({ unit: shooter, target, mode, weapon }) {
  const options = (answerFor(shooter)?.fire ?? []).filter((one) => one.target === target);
  const fits = (one) => (!mode || one.mode === mode) && (!weapon || one.weapon === weapon);
  return options.find((one) => fits(one) && one.legal) ?? options.find(fits);
}

const happened = (entry) => (entry?.events ?? []).map((event) => event.template).filter(Boolean);

function shape({ areas_mm: areas = [], rings_mm: rings = [], lines_mm: lines = [], scatter_mm: scatter = null }) {
  return [
    scatter && disc(scatter, "template__scatter"),
    areas.map((points) => s("polygon", { class: "template__area", points: said(points) })),
    rings.map((ring) => disc(ring, "template__ring")),
    lines.map((points) => s("polyline", { class: "template__line", points: said(points) })),
  ];
}

const disc = ([x, y, radius], name) => s("circle", { class: name, cx: x, cy: y, r: radius });

const said = (points) => points.map((point) => point.join(",")).join(" ");
