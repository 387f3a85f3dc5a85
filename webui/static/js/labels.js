/**
 * The units' names on the map: buttons that a finger or the keyboard can reach. They stand close by their unit, shrink
 * to a short name where there is no room, go farther off with a line to the unit where there is none there either,
 * and never lie on a figure, nor on one another.
 */

import { fill, h, s } from "./dom.js";
import { handleBoxes } from "./drag.js";
import { along, centroid, facing, overlap } from "./geometry.js";
import { strayBase } from "./figures.js";
import { aside, pickUnit } from "./picking.js";
import { boxOf, boxOfBase, layers, ll, map, mm, pin, pxPerMm, seenBox } from "./map.js";
import { movedShows, placeTags } from "./moved.js";
import { rangeLines, rangeTexts } from "./overlay.js";
import { planTexts } from "./plans.js";
import { notRolling } from "./rollers.js";
import { around, beads, closeBy, distance, fartherOff, grown, within } from "./room.js";
import { shortNames } from "./shortnames.js";
import { select, side, sideIndex, state, unit, view } from "./store.js";
import { count, isOneBase, name, outOfSight, plain, titled } from "./words.js";

const SMALL = 0.3; // px per mm, under which labels shrink
const FAR = 400; // px from a unit, where nothing is in the way of its label any more
const EDGE = 3; // px that a label keeps from the edge of the screen
const PARTS = { chip: ["chip"], short: ["side", "short", "count"], name: ["side", "name"], full: ["side", "name", "count"] };
const LARGER = ["full", "name", "short", "chip"];
const labels = new Map(); // by unit: {marker, button, shown}
const sizes = new Map(); // how large a label is with each set of its parts, by what it says
let drawn = "";
let made = 0;
let arranged = "";

/** Draws the labels anew where anything that they show has changed. */
export function drawLabels() {
  const { game, presence, sides } = state();
  const key = JSON.stringify([game.units, presence, sides, view().unit, view().quarter]);
  if (key !== drawn) {
    drawn = key;
    made += 1;
    make(
      game.units.filter((one) => one.figures.length),
      presence ?? {},
    );
  }
  const apart = new Set([...aside(), ...notRolling()]);
  for (const [id, { button }] of labels) button.classList.toggle("label--aside", apart.has(id));
  arrange();
}

/** Places the labels again where something has moved: after a zoom, too. */
export function arrange() {
  const { game, strays } = state();
  const screen = seenBox();
  const texts = [...rangeTexts(), ...planTexts()];
  const { x, y } = map.latLngToContainerPoint([0, 0]);
  const over = ["tools", "scale", "hint"].map((id) => boxOf(document.getElementById(id))).filter((box) => box.width);
  const key = JSON.stringify([made, x, y, map.getZoom(), screen, over, texts, handleBoxes(), movedShows(), strays, view().wall]);
  if (key === arranged) return;
  arranged = key;
  map.getContainer().classList.toggle("map--small", pxPerMm() < SMALL);
  measure();
  const units = game.units.filter((one) => one.figures.length && labels.has(one.id));
  const bases = new Map(units.map((one) => [one.id, one.figures.map(boxOfBase)]));
  const fixed = [...over, ...texts, ...handleBoxes(), ...(strays ?? []).map((one) => boxOfBase({ ...one, base: strayBase(one) }))];
  const table = { screen, bases, fixed, lines: rangeLines().flatMap(beads) };
  const order = [...units].sort((a, b) => Number(b.id === view().unit) - Number(a.id === view().unit));
  let placed = placeAll(order, table, ["short", "chip"]);
  if (placed.length < order.length) placed = [placed, placeAll(order, table, ["chip"])].sort((a, b) => b.length - a.length)[0];
  const taken = [...fixed, ...takenBy(placed), ...[...bases.values()].flat()];
  taken.push(...table.lines);
  fixed.push(...placeTags((spot) => within(spot, screen) && free(spot, taken)));
  for (const one of placed) enlarge(one, placed, table);
  show(placed);
}

/** First places for the labels of units, in one of some sizes; a unit for which there is none goes without. */
function placeAll(units, table, small) {
  const placed = [];
  for (const one of units) {
    const ask = question(one, table, placed);
    const near = found(small, (size) => closeBy(ask, sizeOf(one, size), ask.clear)) ?? found(small, (size) => closeBy(ask, sizeOf(one, size), ask.free));
    if (near) placed.push({ one, size: near.size, spot: near.place });
    else {
      const far = found(small, (size) => fartherOff(ask, sizeOf(one, size), ask.free, ask.taken));
      if (far) placed.push({ one, size: far.size, ...far.place });
    }
  }
  return placed;
}

/** The first of some sizes for which there is a place, and this; null where there is none. */
function found(these, placeFor) {
  for (const size of these) {
    const place = placeFor(size);
    if (place) return { size, place };
  }
  return null;
}

/** Puts a label that says more in the place of a short one, where there is room once all have one. */
function enlarge(label, placed, table) {
  const ask = question(label.one, table, placed.filter((other) => other !== label));
  const more = LARGER.slice(0, label.line ? LARGER.length : LARGER.indexOf(label.size));
  const better = found(more, (size) => closeBy(ask, sizeOf(label.one, size), ask.clear));
  if (better) Object.assign(label, { size: better.size, spot: better.place, line: null });
}

/** What labels and the lines to their units take up. */
const takenBy = (placed) => placed.flatMap(({ spot, line }) => [spot, ...(line ? beads(line) : [])]);

/** What there is to know for a place: the unit's bases, those of others, and whether a label may stand there (`clear`: on no line of fire, either). */
function question(one, { screen, bases, fixed, lines }, placed) {
  const own = bases.get(one.id);
  const bounds = around(own);
  const others = [...bases].flatMap(([id, boxes]) => (id === one.id ? [] : boxes));
  const taken = [...fixed, ...takenBy(placed)];
  const sight = grown(screen, -EDGE);
  const offscreen = !overlap(bounds, screen);
  const back = map.latLngToContainerPoint(ll(along(centroid(one.figures), (facing(one.figures) ?? 0) + 180, 40)));
  const behind = back.y >= bounds.y + bounds.height / 2 ? "below" : "above";
  const near = [...own, ...others, ...taken].filter((box) => distance(box, bounds) < FAR);
  const may = (spot) => (offscreen || within(spot, sight)) && free(spot, near);
  return { bounds, own, others, behind, taken, free: may, clear: (spot) => may(spot) && free(spot, lines) };
}

const free = (spot, taken) => taken.every((box) => !overlap(spot, box));

function show(placed) {
  const shown = new Map(placed.map((found) => [found.one.id, found]));
  for (const [id, { marker, button }] of labels) {
    const found = shown.get(id);
    button.hidden = !found;
    if (!found) continue;
    const { spot, size } = found;
    button.dataset.size = size;
    marker.setLatLng(map.containerPointToLatLng([spot.x + spot.width / 2, spot.y + spot.height / 2]));
  }
  fill(layers.leaders, placed.map(({ line, one }) => line && leader(line, one)));
}

function leader({ a, b }, one) {
  const [from, to] = [a, b].map((point) => mm(map.containerPointToLatLng(point)).join(" "));
  const d = `M${from}L${to}`;
  return [s("path", { class: "leader leader--halo", d }), s("path", { class: `leader side-${sideIndex(one.side) % 4}`, d })];
}

function make(units, presence) {
  const here = new Set(units.map((one) => one.id));
  const short = shortNames(state().game.units);
  for (const [id, { marker }] of labels) {
    if (here.has(id)) continue;
    marker.remove();
    labels.delete(id);
  }
  for (const one of units) {
    const shown = says(one, presence[one.id], short.get(one.id));
    const old = labels.get(one.id);
    if (old && JSON.stringify(old.shown) === JSON.stringify(shown)) continue;
    const button = face(one, shown);
    if (old) {
      const held = old.button === document.activeElement;
      old.button.replaceWith(button);
      Object.assign(old, { button, shown });
      if (held) button.focus({ preventScroll: true });
      continue;
    }
    const marker = pin(centroid(one.figures), button, { zIndexOffset: 500 });
    labels.set(one.id, { marker, button, shown });
  }
}

/** What a label says, and how it looks. */
function says(one, presence, short) {
  const missing = presence && presence.seen < presence.of;
  const figures = one.counter ? "a counter" : isOneBase(one) ? plain(one.type) : count(one.figures.length, "figure");
  return {
    chosen: view().unit === one.id,
    side: sideIndex(one.side) % 4,
    letter: titled(side(one.side)?.name ?? "?")[0],
    name: name(one),
    short,
    count: one.counter || one.figures.length < 2 ? "" : String(one.figures.length),
    missing: missing ? "?" : "",
    said: `${name(one)}, ${titled(one.side)}, ${figures}${missing ? `, ${outOfSight(presence)}` : ""}`,
  };
}

function face(one, shown) {
  const missing = shown.missing && h("span", { class: "label__missing" }, shown.missing);
  return h(
    "button",
    {
      type: "button",
      class: `label side-${shown.side}`,
      "aria-pressed": shown.chosen,
      "aria-label": shown.said,
      data: { key: `label-${one.id}`, unit: one.id, size: "short" },
      on: { click: (event) => touched(event, one.id) },
    },
    h("span", { class: "label__chip" }, shown.short, shown.missing),
    h("span", { class: "label__side" }, shown.letter),
    h("span", { class: "label__name" }, shown.name),
    h("span", { class: "label__short" }, shown.short),
    h("span", { class: "label__count" }, shown.count, missing),
  );
}

function touched(event, id) {
  if (view().tool === "tape" && event.detail > 0) return; // an end of the tape, where the finger is: the map's to take
  event.stopPropagation();
  if (map.dragging.moved() || pickUnit(id)) return;
  select(view().unit === id ? null : id);
}

/** Learns how large the labels are that were not shown before; one look at the page for all of them. */
function measure() {
  const unknown = [...labels.values()].filter(({ shown }) => !sizes.has(saying(shown)));
  for (const { button } of unknown) {
    button.hidden = false;
    button.dataset.size = "all";
  }
  for (const { button, shown } of unknown) {
    const part = Object.fromEntries([...button.children].map((each) => [each.className.replace("label__", ""), each]));
    const whole = ([size, parts]) => {
      const width = parts.reduce((sum, each) => sum + part[each].offsetWidth, 1); // and what is lost by rounding
      return [size, { width, height: part[parts[0]].offsetHeight }];
    };
    sizes.set(saying(shown), Object.fromEntries(Object.entries(PARTS).map(whole)));
  }
  for (const { button } of unknown) button.dataset.size = "short";
}

/** What the size of a label hangs on. */
function saying(shown) {
  const kind = `${pxPerMm() < SMALL} ${view().wall} ${innerWidth} ${innerHeight}`;
  return [kind, shown.letter, shown.name, shown.short, shown.count, shown.missing].join("\n");
}

const sizeOf = (one, size) => sizes.get(saying(labels.get(one.id).shown))[size];
