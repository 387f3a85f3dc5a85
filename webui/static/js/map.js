/**
 * The table from above: a Leaflet map in table millimetres, with one SVG laid over it that everything is drawn
 * into at its true size. The whole can be turned by quarters, for players who sit on another side.
 */

import { s } from "./dom.js";
import { at, corners } from "./geometry.js";
import { look, state, view } from "./store.js";

const L = globalThis.L;
const MARGIN_MM = 130;
const MARGIN_PX = 14;
const SCALE_PX = 32; // what the scale takes up above or below the table
const RIM_PX = 3; // that a base is drawn larger, by its halo and its front
const LEGIBLE = 0.42; // px per mm, at which a 25 mm base can be told apart
const LAYERS = [
  "ground", "grid", "terrain", "proposals", "cells", "reach", "arc", "templates", "lines", "plans", "moved", "leaders", "figures", "strays", "picks", "rollers", "ghost", "tape",
];
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The SVG groups by name, drawn in this order; inside them x is right and y is up, in mm. */
export const layers = {};

const wide = matchMedia("(min-width: 900px), (min-width: 600px) and (max-height: 540px)"); // as in layout.css;
const roomy = matchMedia("(min-width: 900px)");
let overlay = null;
let root = null;
let svg = null;
let shownWidth = 0;
let whole = NaN; // the zoom at which the whole table was last fitted in; "soon": it is being
let shownTable = "";

/** Table mm → Leaflet's latitude and longitude. */
export const ll = ([x, y]) => L.latLng(y, x);

/** Leaflet's latitude and longitude → table mm. */
export const mm = (latlng) => [latlng.lng, latlng.lat];

/** How many pixels one millimetre takes just now. */
export const pxPerMm = () => 2 ** map.getZoom();

/** @type {any} the Leaflet map; the campaign's page has none */
export const map = L
  ? L.map(document.getElementById("map"), {
      crs: turnedCrs(view().quarter),
      attributionControl: false,
      zoomControl: false,
      zoomSnap: 0,
      zoomDelta: 0.5,
      wheelPxPerZoomLevel: 110,
      minZoom: -4,
      maxZoom: 2.2,
      inertia: !calm,
      zoomAnimation: !calm,
      fadeAnimation: false,
      bounceAtZoomLimits: false,
      maxBoundsViscosity: 0.6,
      doubleClickZoom: false,
    })
  : null;

/** Begins to draw the map. `onTouch(point_mm, slack_mm)` is called for a touch on it. */
export function makeMap(onTouch, onTurned) {
  svg = s("svg", { class: "drawing", "aria-hidden": "true" });
  root = s("g");
  for (const name of LAYERS) root.append((layers[name] = s("g", { class: `drawing__${name}` })));
  svg.append(root);
  map.setView([0, 0], 0);
  map.on("click", (event) => onTouch(mm(event.latlng), 24 / pxPerMm()));
  map.on("moveend", () => {
    if (whole === "soon") whole = map.getZoom();
  });
  new ResizeObserver(() => resized(onTurned)).observe(map.getContainer());
}

/**
 * A turned phone or another window shows the whole table again, where it was shown; else `onTurned` brings back what
 * was looked at. A keyboard changes nothing.
 */
function resized(onTurned) {
  const before = shownWidth;
  map.invalidateSize({ pan: false });
  shownWidth = map.getSize().x;
  if (!before || shownWidth === before || !shownTable) return; // no table is known before one has joined
  if (Math.abs(map.getZoom() - whole) < 0.01) fit(true);
  else onTurned();
}

/** Lays the drawing out for the table's size; fits it in at the first time. */
export function layTable() {
  const { width_mm: width, depth_mm: depth } = state().table;
  const key = `${width} ${depth} ${view().quarter}`;
  if (key === shownTable) return;
  const first = shownTable === "";
  shownTable = key;
  const bounds = L.latLngBounds(ll([-MARGIN_MM, -MARGIN_MM]), ll([width + MARGIN_MM, depth + MARGIN_MM]));
  map.options.crs = turnedCrs(view().quarter);
  setViewBox(bounds);
  overlay?.remove();
  overlay = L.svgOverlay(svg, bounds, { interactive: false, className: "drawing" }).addTo(map);
  map.setMaxBounds(bounds.pad(2.5)); // wide: the sheet may cover half of what is shown
  fit(first);
}

/** Shows the whole table in what the sheet leaves free. */
export function fit(instant = false) {
  const { width_mm: width, depth_mm: depth } = state().table;
  whole = "soon";
  showBox([0, 0], [width, depth], instant);
}

/** Moves the view, no more than needed, so that these points are in sight, and large enough to tell apart. */
export function showPoints(points) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const box = L.latLngBounds(ll([Math.min(...xs), Math.min(...ys)]), ll([Math.max(...xs), Math.max(...ys)]));
  const { topLeft, bottomRight } = padding(40);
  const seen = map.getSize();
  const inner = L.bounds(topLeft, seen.subtract(bottomRight));
  const drawn = L.bounds(
    map.latLngToContainerPoint(box.getNorthWest()),
    map.latLngToContainerPoint(box.getSouthEast()),
  );
  const tiny = pxPerMm() < LEGIBLE;
  if (inner.contains(drawn) && !tiny) return;
  const zoom = Math.min(
    tiny ? Math.log2(LEGIBLE) : map.getZoom(),
    map.getBoundsZoom(box, false, topLeft.add(bottomRight)),
  );
  map.flyToBounds(box, {
    paddingTopLeft: topLeft,
    paddingBottomRight: bottomRight,
    maxZoom: zoom,
    animate: !calm,
    duration: 0.35,
  });
}

/** Turns the map by a quarter. */
export function turnMap() {
  look({ quarter: (view().quarter + 1) % 4 });
}

/** Zooms by half a step in (1) or out (-1). */
export function zoom(direction) {
  const { topLeft, bottomRight } = padding(0);
  const middle = topLeft.add(map.getSize().subtract(bottomRight)).divideBy(2);
  map.setZoomAround(middle, map.getZoom() + direction * 0.5, { animate: !calm });
}

/** The part of the map that neither tools nor the sheet cover, as the padding round it. */
export function padding(extra) {
  const room = seenBox();
  const { x, y } = map.getSize();
  const tools = boxOf(document.getElementById("tools"));
  const right = tools.width ? Math.max(0, x - tools.x) : 0; // the big screen has none
  return { topLeft: L.point(extra, extra), bottomRight: L.point(extra + right, extra + y - room.height) };
}

/** The rectangle of the map that the sheet does not cover. */
export function seenBox() {
  const { x, y } = map.getSize();
  return { x: 0, y: 0, width: x, height: y - (wide.matches ? 0 : sheetHeight()) };
}

/** A marker of HTML at a point; its size on the screen does not change with the zoom. */
export function pin(point, element, options = {}) {
  const icon = L.divIcon({ html: element, className: "pin", iconSize: null });
  return L.marker(ll(point), { icon, keyboard: false, interactive: false, ...options }).addTo(map);
}

/** The rectangle that an element lying over the map takes, in the map's pixels. */
export function boxOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  const room = map.getContainer().getBoundingClientRect();
  return { x: x - room.x, y: y - room.y, width, height };
}

/** The rectangle that a base takes as it is drawn, in the map's pixels. */
export function boxOfBase(figure) {
  const outline = corners(figure);
  const points = (outline ?? [at(figure)]).map((point) => map.latLngToContainerPoint(ll(point)));
  const slack = (outline ? 0 : (figure.base.diameter_mm / 2) * pxPerMm()) + RIM_PX;
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs) - slack, Math.min(...ys) - slack];
  return { x, y, width: Math.max(...xs) + slack - x, height: Math.max(...ys) + slack - y };
}

function sheetHeight() {
  const sheet = document.getElementById("sheet").getBoundingClientRect();
  if (!sheet.height) return 0; // the big screen has none
  const room = map.getContainer().getBoundingClientRect();
  return Math.max(0, Math.min(room.bottom - sheet.top, room.height * 0.72));
}

/** Shows a part of the table in what neither tools, sheet nor the scale cover. */
function showBox(low, high, instant) {
  const { topLeft, bottomRight } = padding(MARGIN_PX);
  (scaleAbove() ? topLeft : bottomRight).y += SCALE_PX;
  const options = { paddingTopLeft: topLeft, paddingBottomRight: bottomRight };
  const box = L.latLngBounds(ll(low), ll(high));
  if (instant || calm) map.fitBounds(box, { ...options, animate: false });
  else map.flyToBounds(box, { ...options, duration: 0.35 });
}

/** Whether the scale stands above the table rather than below it. */
export const scaleAbove = () => !roomy.matches;

/** Leaflet's simple reference system, turned by quarters clockwise. */
function turnedCrs(quarter) {
  const [cos, sin] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ][quarter];
  return L.extend({}, L.CRS.Simple, {
    projection: {
      project: ({ lat: y, lng: x }) => L.point(x * cos + y * sin, y * cos - x * sin),
      unproject: ({ x, y }) => L.latLng(x * sin + y * cos, x * cos - y * sin),
      bounds: L.bounds([-1e6, -1e6], [1e6, 1e6]),
    },
    transformation: L.transformation(1, 0, -1, 0),
  });
}

function setViewBox(bounds) {
  const project = map.options.crs.projection.project;
  const box = L.bounds(project(bounds.getSouthWest()), project(bounds.getNorthEast()));
  const size = box.getSize();
  svg.setAttribute("viewBox", `${box.min.x} ${-box.max.y} ${size.x} ${size.y}`);
  root.setAttribute("transform", `scale(1 -1) rotate(${-90 * view().quarter})`);
}
