/**
 * The units' names on the map: buttons that a finger or the keyboard can reach. They stand behind their unit where
 * there is room, shrink to an initial and a number where there is not, and never lie on one another.
 */

import { h } from "./dom.js";
import { handleBoxes } from "./drag.js";
import { along, centroid, facing, overlap } from "./geometry.js";
import { pickUnit } from "./picking.js";
import { boxOf, ll, map, pin, pxPerMm } from "./map.js";
import { select, side, sideIndex, state, unit, view } from "./store.js";
import { count, name, titled } from "./words.js";

const HEIGHT = 32;
const LETTER = 8.7; // px, of the label's type, on average
const SHORT = 62; // px, of a label that has shrunk
const SMALL = 0.3; // px per mm, under which labels shrink
const pins = new Map();
let drawn = "";

/** Draws the labels anew where anything that they show has changed. */
export function drawLabels() {
  const { game, presence, sides } = state();
  const key = JSON.stringify([game.units, presence, sides, view().unit, view().quarter]);
  if (key !== drawn) {
    drawn = key;
    make(
      game.units.filter((one) => one.figures.length),
      presence ?? {},
    );
  }
  arrange();
}

/** Places the labels again: after a zoom or a change of size. */
export function arrange() {
  const small = pxPerMm() < SMALL;
  map.getContainer().classList.toggle("map--small", small);
  const ranges = map.getContainer().querySelectorAll(".pin--range");
  const over = [document.getElementById("tools"), document.getElementById("scale"), ...ranges];
  const labels = [...over.map(boxOf), ...handleBoxes()];
  const taken = [
    ...state().game.units.flatMap((one) => (one.figures.length ? [box(one)] : [])),
    ...labels,
  ];
  const order = [...pins.keys()].sort((a, b) => Number(b === view().unit) - Number(a === view().unit));
  for (const id of order) {
    const one = unit(id);
    if (!one?.figures.length) continue;
    const label = pins.get(id);
    const full = small ? 7.3 * name(one).length + 40 : LETTER * name(one).length + 71;
    const short = small ? SHORT : SHORT + 12;
    const free = room(one, full, taken) ?? room(one, short, taken) ?? room(one, short, labels, taken);
    // where there is no room left, the unit itself is touched, or its name in the list
    label.button.hidden = !free && id !== view().unit;
    if (label.button.hidden) continue;
    const spot = free ?? spots(one, short)[0];
    label.button.classList.toggle("label--short", spot.width < full);
    label.marker.setLatLng(map.containerPointToLatLng([spot.x + spot.width / 2, spot.y + HEIGHT / 2]));
    taken.push(spot);
    labels.push(spot);
  }
}

function make(units, presence) {
  const here = new Set(units.map((one) => one.id));
  for (const [id, { marker }] of pins) {
    if (here.has(id)) continue;
    marker.remove();
    pins.delete(id);
  }
  for (const one of units) {
    const button = face(one, presence[one.id]);
    const old = pins.get(one.id);
    if (old) {
      const held = old.button === document.activeElement;
      old.button.replaceWith(button);
      old.button = button;
      if (held) button.focus({ preventScroll: true });
      continue;
    }
    const marker = pin(centroid(one.figures), button, { zIndexOffset: 500 });
    pins.set(one.id, { marker, button });
  }
}

function face(one, presence) {
  const missing = presence && presence.seen < presence.of;
  const chosen = view().unit === one.id;
  const said = `${name(one)}, ${titled(one.side)}, ${one.counter ? "a counter" : count(one.figures.length, "figure")}${missing ? `, the camera sees ${presence.seen}` : ""}`;
  return h(
    "button",
    {
      type: "button",
      class: `label side-${sideIndex(one.side) % 4}`,
      "aria-pressed": chosen,
      "aria-label": said,
      data: { key: `label-${one.id}`, unit: one.id },
      on: { click: (event) => touched(event, one.id) },
    },
    h("span", { class: "label__side" }, titled(side(one.side)?.name ?? "?")[0]),
    h("span", { class: "label__name" }, name(one)),
    !one.counter &&
      h(
        "span",
        { class: "label__count" },
        one.figures.length > 1 ? one.figures.length : h("span", { class: "label__initials" }, initials(one)),
        missing && h("span", { class: "label__missing" }, "?"),
      ),
  );
}

/** A unit of one base is known by the first letters of its name. */
const initials = (one) =>
  name(one)
    .split(/[\s'’-]+/)
    .map((word) => word[0])
    .join("")
    .slice(0, 3)
    .toUpperCase();

function touched(event, id) {
  event.stopPropagation();
  if (map.dragging.moved() || pickUnit(id)) return;
  select(view().unit === id ? null : id);
}

/**
 * The first of a unit's spots that lies on nothing `taken`, and of those the one that covers least of what is
 * `spared`; null where there is none.
 */
function room(one, width, taken, spared = []) {
  const { x, y } = map.getSize();
  const screen = { x: 0, y: 0, width: x, height: y };
  const offscreen = !overlap(box(one), screen);
  const fits = (spot) => offscreen || (spot.x >= 3 && spot.x + spot.width <= x - 3 && spot.y >= 0);
  const free = spots(one, width).filter((spot) => fits(spot) && taken.every((other) => !overlap(spot, other)));
  const covered = free.map((spot) => spared.reduce((sum, other) => sum + overlap(spot, other), 0));
  return free[covered.indexOf(Math.min(...covered))] ?? null;
}

/** Where a unit's label may stand, best first: behind, in front, and at its sides. */
function spots(one, width) {
  const bounds = box(one);
  const middle = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
  const back = map.latLngToContainerPoint(ll(along(centroid(one.figures), (facing(one.figures) ?? 0) + 180, 40)));
  const below = back.y >= middle.y;
  const left = { x: bounds.x - width - 4, y: middle.y - HEIGHT / 2 };
  const right = { x: bounds.x + bounds.width + 4, y: middle.y - HEIGHT / 2 };
  const under = { x: middle.x - width / 2, y: bounds.y + bounds.height + 4 };
  const over = { x: middle.x - width / 2, y: bounds.y - HEIGHT - 4 };
  const rows = below ? [under, right, left, over] : [over, right, left, under];
  const spread = rows.flatMap((spot) => [
    spot,
    { x: spot.x - width * 0.35, y: spot.y },
    { x: spot.x + width * 0.35, y: spot.y },
  ]);
  return spread.map((spot) => ({ ...spot, width, height: HEIGHT }));
}

/** The rectangle on the screen that a unit's bases take. */
function box(one) {
  const points = one.figures.map((figure) => map.latLngToContainerPoint(ll([figure.x_mm, figure.y_mm])));
  const slack = 16 * pxPerMm();
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [x, y] = [Math.min(...xs) - slack, Math.min(...ys) - slack];
  return { x, y, width: Math.max(...xs) + slack - x, height: Math.max(...ys) + slack - y };
}
