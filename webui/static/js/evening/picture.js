/** The camera's picture, to be moved and brought nearer; places on it are shares of its width and height. */

import { fill, h } from "../dom.js";

const WIDE = 1600;
const LASSO_STEP = 6; // of the picture's own units between two points of a line that is drawn

let map = null;
let image = null;
let shown = "";
let tall = 900;
let layer = null;
let wanted = null; // what is done with a place that is touched
let loop = null; // what is done with a line that is drawn round something
let drawn = "";
let aims = false;

/** Puts the picture into its place once. */
export function makePicture(element) {
  map = L.map(element, {
    crs: L.CRS.Simple, zoomControl: true, attributionControl: false, zoomSnap: 0, zoomDelta: 0.5, minZoom: -4, maxZoom: 3,
    zoomAnimation: false, fadeAnimation: false,
  });
  layer = L.layerGroup().addTo(map);
  map.on("click", (event) => wanted && !loop && wanted(shareOf(event.latlng)));
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== element || !wanted) return;
    event.preventDefault();
    takeMiddle();
  });
  makeLasso(element);
  new ResizeObserver(() => fit()).observe(element);
  return map;
}

/** Shows a frame of the camera. */
export function showFrame(number, size) {
  const empty = number === null || number === undefined;
  document.getElementById("empty").hidden = !empty;
  if (empty) {
    image?.remove();
    image = null;
    shown = "";
    return;
  }
  const url = `/api/evening/picture.jpg?r=${number}`;
  if (url === shown) return;
  const height = (WIDE * size[1]) / size[0];
  const fresh = new Image();
  shown = url;
  fresh.onload = () => {
    const bounds = [[-height, 0], [0, WIDE]];
    if (!image || height !== tall) {
      image?.remove();
      tall = height;
      image = L.imageOverlay(url, bounds, { alt: "" }).addTo(map);
      map.setMaxBounds([[-height * 1.3, -WIDE * 0.3], [height * 0.3, WIDE * 1.3]]);
      fit();
    } else image.setUrl(url);
  };
  fresh.onerror = () => (shown = "");
  fresh.src = url;
}

/** Shows the whole picture. */
export function fit() {
  map.invalidateSize({ pan: false });
  if (image) map.fitBounds([[-tall, 0], [0, WIDE]], { animate: false });
}

/**
 * Draws shapes over the picture. Each has `at` (places), a `kind` (area, line, dot, word), a `look` (its class) and,
 * where it is one, a `text`.
 */
export function drawShapes(shapes) {
  const key = JSON.stringify([shapes, tall]);
  if (key === drawn) return;
  drawn = key;
  layer.clearLayers();
  for (const shape of shapes) drawOne(shape);
}

/** What is done with a place that is touched; null: nothing. `hint` stands beside the cross. */
export function wantPlace(take, hint = "") {
  wanted = take;
  const aim = document.getElementById("aim");
  document.getElementById("cross").hidden = !take || !hint;
  aim.hidden = !hint;
  if (document.body.classList.toggle("eve--aims", Boolean(hint)) !== aims) {
    aims = Boolean(hint);
  }
  const words = `${hint} ${Boolean(take)}`;
  if (!hint || aim.dataset.words === words) return;
  aim.dataset.words = words;
  const zoom = (sign, label, by) => h("button", { class: "button button--quiet eve__zoom", type: "button", "aria-label": label, on: { click: () => map.setZoom(map.getZoom() + by) } }, sign);
  const under = take && h("button", { class: "button eve__under", type: "button", "aria-label": "Take what is under the cross", on: { click: takeMiddle } }, "Take the cross");
  fill(aim, zoom("−", "Farther", -1), zoom("+", "Nearer", 1), h("p", {}, hint), under);
}

/** What is done with a line that is drawn round something, a list of places; null: nothing. */
export function wantLoop(take) {
  loop = take;
  map.getContainer().classList.toggle("eve__map--draws", Boolean(take));
  map.dragging[take ? "disable" : "enable"]();
  map.touchZoom[take ? "disable" : "enable"]();
}

/** Whether a place lies within an outline of places. */
export function within([x, y], outline) {
  let inside = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [ax, ay] = outline[i];
    const [bx, by] = outline[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

const REACH = 0.04; // of the picture's height: a finger's

/** Which of these, each with its place `at`, was touched; null: none is near. */
export function near(these, [x, y]) {
  const away = (one) => Math.hypot((one.at[0] - x) * shape(), one.at[1] - y);
  const touched = [...these].sort((a, b) => away(a) - away(b))[0];
  return touched && away(touched) <= REACH ? touched : null;
}

/** The width of the picture over its height. */
export const shape = () => WIDE / tall;

function takeMiddle() {
  wanted?.(shareOf(map.getCenter()));
}

const pointOf = ([x, y]) => [-y * tall, x * WIDE];
const shareOf = ({ lat, lng }) => [held(lng / WIDE), held(-lat / tall)];
const held = (share) => Math.min(1, Math.max(0, share));

function drawOne({ kind, at, look, text }) {
  const options = { className: `over ${look ?? ""}`, interactive: false };
  if (kind === "area") L.polygon(at.map(pointOf), options).addTo(layer);
  else if (kind === "line") L.polyline(at.map(pointOf), options).addTo(layer);
  else if (kind === "dot") for (const one of at) L.circleMarker(pointOf(one), { ...options, radius: map.getSize().x < 500 ? 4.5 : 8 }).addTo(layer);
  else if (kind === "word") {
    const html = h("span", { class: `over-word ${look ?? ""}` }, text);
    L.marker(pointOf(at[0]), { icon: L.divIcon({ html, className: "over-place", iconSize: null }), interactive: false, keyboard: false }).addTo(layer);
  }
}

function makeLasso(element) {
  let line = null;
  let trail = [];
  const place = (event) => map.mouseEventToLatLng(event);
  element.addEventListener("pointerdown", (event) => {
    if (!loop || event.target.closest("button, a")) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    trail = [place(event)];
    line = L.polyline(trail, { className: "over over--lasso", interactive: false }).addTo(map);
  });
  element.addEventListener("pointermove", (event) => {
    if (!line) return;
    const next = place(event);
    const last = trail.at(-1);
    if (Math.hypot(next.lat - last.lat, next.lng - last.lng) < LASSO_STEP) return;
    trail.push(next);
    line.setLatLngs(trail);
  });
  const end = () => {
    if (!line) return;
    line.remove();
    line = null;
    const outline = trail.map(shareOf);
    if (loop && outline.length > 2) loop(outline);
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}
