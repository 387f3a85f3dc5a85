/** The campaign's map: hexes of country, roads and rivers, what stands on it, and touching it. */

import { campaign, hexName, pieceOf } from "./campaigns.js";
import { fill, h, s } from "./dom.js";
import { icon } from "./icons.js";
import { fieldAt, openOrder, picked, valueAt } from "./order.js";
import { look, mine, sideIndex, state, view } from "./store.js";

const SIZES = [44, 58, 76, 100, 130, 170]; // px from side to side of a hex
const WHOLE = "whole"; // the size at which the whole map is seen
const LEAST = 30; // px, of a hex of the whole map: a larger map is moved about
const PIECE_PX = 21; // a counter and a name are drawn no smaller, for the eye's sake
const NAME_PX = 11;
const PIECE = 0.32; // of a hex's size
const NAME = 0.17;
const KEPT = "vedette-country";
let chosen = recalled();
let shownAt = 0; // the size at which the map was drawn last
let drawn = "";
let container = null;

/** Wires the map once. */
export function makeCountry(element, tools) {
  container = element;
  const north = h("p", { class: "country__north", title: "North is up" }, "N");
  fill(tools, tool("fit", "The whole map", () => WHOLE), tool("plus", "Nearer", larger), tool("minus", "Farther", smaller), north);
  new ResizeObserver(() => chosen === WHOLE && campaign() && drawCountry()).observe(element);
  element.addEventListener("click", (event) => {
    const hex = event.target.closest("[data-hex]");
    if (hex) touched(hex.dataset.hex);
  });
  element.addEventListener("keydown", (event) => {
    const hex = event.target.closest("[data-hex]");
    if (!hex || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    touched(hex.dataset.hex);
  });
}

/** Draws the map where there is one. */
export function drawCountry() {
  const { view: shown, revision } = campaign();
  const { order, piece } = view();
  const none = !shown?.hexes.length;
  document.body.classList.toggle("campaign--cards", none);
  drawHint();
  const bounds = none ? null : boundsOf(shown.hexes);
  const size = none ? 0 : chosen === WHOLE ? wholeSize(bounds) : chosen;
  const key = JSON.stringify([revision, size, piece, order?.values, order?.action, order?.picking]);
  if (key === drawn) return;
  drawn = key;
  shownAt = size;
  if (none) return fill(container);
  const { left, top, width, height } = bounds;
  const svg = s(
    "svg",
    {
      class: "country__map", viewBox: `${left} ${top} ${width} ${height}`,
      width: Math.floor(width * size), height: Math.floor(height * size),
    },
    s("g", { transform: "scale(1 -1)" }, shown.hexes.map(ground), shown.lines.map(line)),
    shown.hexes.map(signs),
    shown.hexes.map((one) => stack(one, shown.pieces.filter((other) => other.hex === one.id))),
    s("g", { transform: "scale(1 -1)" }, shown.hexes.map(cover)),
  );
  svg.style.setProperty("--name", `${Math.max(NAME, NAME_PX / size)}px`);
  const focused = container.contains(document.activeElement) ? document.activeElement.dataset.hex : undefined;
  fill(container, svg);
  if (focused !== undefined) container.querySelector(`[data-hex="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

/** The rectangle round all hexes, y down. */
function boundsOf(hexes) {
  const xs = hexes.flatMap((one) => one.outline.map(([x]) => x));
  const ys = hexes.flatMap((one) => one.outline.map(([, y]) => y));
  const [left, top] = [Math.min(...xs) - 0.1, -Math.max(...ys) - 0.1];
  return { left, top, width: Math.max(...xs) + 0.1 - left, height: 0.1 - Math.min(...ys) - top };
}

/** The size at which the whole map is seen in what the tools and the sheet leave free. */
function wholeSize({ width, height }) {
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(container);
  const across = container.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const down = container.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
  return Math.max(LEAST, Math.floor(Math.min(across / width, down / height) * 10) / 10);
}

function ground(one) {
  return s("polygon", { class: `hex hex--${one.ground} ${one.marks.map((mark) => `hex--${mark}`).join(" ")}`, points: points(one) });
}

const line = ({ kind, points: way }) =>
  s("polyline", { class: `way way--${kind}`, points: way.map((p) => p.join(",")).join(" ") });

/** The signs of a hex: trees, hills, houses, its name. */
function signs(one) {
  const [x, y] = one.centre;
  const at = (dx, dy) => `translate(${x + dx} ${-y + dy})`;
  return s(
    "g",
    { class: "signs" },
    one.ground === "woods" &&
      [[-0.24, 0.12], [-0.02, 0.2], [0.2, 0.1], [-0.12, -0.1], [0.14, -0.14]].map(([dx, dy]) =>
        s("path", { class: "sign sign--tree", transform: at(dx, dy), d: "M0 -.11 L.08 .06 H-.08 Z" }),
      ),
    one.marks.includes("hill") &&
      [[-0.2, -0.12], [0.06, -0.2]].map(([dx, dy]) =>
        s("path", { class: "sign sign--hill", transform: at(dx, dy), d: "M-.14 .07 Q0 -.15 .14 .07" }),
      ),
    one.ground === "settlement" &&
      [[-0.2, 0.06], [0.0, 0.1], [0.18, 0.05]].map(([dx, dy]) =>
        s("path", { class: "sign sign--house", transform: at(dx, dy), d: "M-.08 .07 V-.03 L0 -.1 L.08 -.03 V.07 Z" }),
      ),
    one.title && s("text", { class: "hex__name", x, y: -y + 0.42 }, one.title),
  );
}

/** What stands in a hex: a counter for each, side by side. */
function stack(one, pieces) {
  const [x, y] = one.centre;
  const grown = Math.max(1, PIECE_PX / (PIECE * shownAt));
  return pieces.map((piece, index) => {
    const dx = (index - (pieces.length - 1) / 2) * (pieces.length > 2 ? 0.24 : 0.36) * grown;
    const inHand = piece.id === view().piece ? "piece--chosen" : "";
    return s(
      "g",
      {
        class: `piece side-${sideIndex(piece.side) % 4} ${piece.known ? "" : "piece--unknown"} ${piece.moved ? "piece--moved" : ""} ${inHand}`,
        transform: `translate(${x + dx} ${-y - 0.06})`, "data-piece": piece.id,
      },
      s("title", {}, `${piece.title}: ${piece.lines.join(", ")}`),
      s(
        "g",
        { transform: `scale(${grown.toFixed(3)})` },
        s("rect", { x: -PIECE / 2, y: -0.15, width: PIECE, height: 0.3, rx: sideIndex(piece.side) % 2 ? 0.15 : 0.04 }),
        s("text", { y: 0.065 }, sign(piece)),
      ),
    );
  });
}

/** What a counter shows: its number, a question mark where nobody knows, a dash for a blank of one's own. */
const sign = (piece) => (/\d+$/.exec(piece.id)?.[0] ?? piece.title.slice(0, 2)) + (piece.known ? "" : "?");

/** The hex over everything, to be touched; lit where the piece in hand may go, ringed where it is meant. */
function cover(one) {
  const reach = pieceOf(view().piece)?.reach ?? [];
  const lit = !view().order && reach.includes(one.id) ? "cover--reach" : "";
  const meant = chosenHexes().includes(one.id) ? "cover--meant" : "";
  return s("polygon", {
    class: `cover ${lit} ${meant}`, points: points(one), "data-hex": one.id, role: "button", tabindex: 0,
    "aria-label": [`Hex ${hexName(one.id)}`, one.ground, ...one.marks, ...here(one.id).map((piece) => piece.title)].join(", "),
  });
}

/** What stands in a hex. */
const here = (hex) => campaign().view.pieces.filter((one) => one.hex === hex);

const points = (one) => one.outline.map((p) => p.join(",")).join(" ");

/** The hexes that the order in hand names. */
function chosenHexes() {
  const { order } = view();
  if (!order) return [];
  return Object.entries(order.values).flatMap(([key, value]) =>
    ["hex", "hexes"].includes(fieldAt(order, [key])?.ask) ? [value].flat() : [],
  );
}

function touched(hex) {
  const { order, piece } = view();
  const { view: shown } = campaign();
  const there = here(hex);
  if (order?.picking) {
    const { ask } = fieldAt(order, order.picking);
    if (ask !== "piece") return picked(hex);
    if (there.length) return picked(after(there, valueAt(order, order.picking)).id);
    return undefined;
  }
  const one = pieceOf(piece);
  if (one?.reach.includes(hex) && shown.move && ours(one) && !order) return go(shown.move, one, hex);
  if (there.length) return look({ piece: after(there, piece).id, unit: null, order: null, pane: "orders" });
  return look({ piece: null });
}

/** Whether whoever reads this page moves a piece. */
function ours(piece) {
  const { seat } = state();
  return mine(null) && (seat?.kind !== "side" || seat.side === piece.side);
}

/** Of several the one after that which is in hand: each touch brings the next. */
const after = (list, id) => list[(list.findIndex((one) => one.id === id) + 1) % list.length];

/** Opens the form of moving a piece to a hex. */
function go(gesture, piece, hex) {
  const side = gesture.side ? { [gesture.side]: piece.side } : {};
  openOrder(gesture.action, null, { [gesture.piece]: piece.id, [gesture.hex]: hex, ...side });
}

function drawHint() {
  const { order } = view();
  const field = order?.picking ? fieldAt(order, order.picking) : null;
  const what = { piece: "a marker", hex: "the hex", hexes: "the hexes" }[field?.ask];
  const hint = document.getElementById("hint");
  const words = what ? `${field.label}: touch ${what} on the map.` : "";
  hint.hidden = !words;
  if (hint.textContent !== words) hint.textContent = words;
}

/** The next larger size, and the next smaller: none is smaller than the whole map needs. */
const larger = () => SIZES.find((size) => size > shownAt * 1.05) ?? chosen;
function smaller() {
  const whole = wholeSize(boundsOf(campaign().view.hexes));
  return SIZES.findLast((size) => size < shownAt * 0.95 && size > whole) ?? WHOLE;
}

function tool(name, words, next) {
  const change = () => {
    const middle = [container.scrollLeft + container.clientWidth / 2, container.scrollTop + container.clientHeight / 2];
    const before = shownAt;
    chosen = next();
    keep();
    drawCountry();
    const grows = shownAt / before;
    container.scrollTo(middle[0] * grows - container.clientWidth / 2, middle[1] * grows - container.clientHeight / 2);
  };
  return h(
    "button",
    { class: "tool", type: "button", "aria-label": words, title: words, data: { key: `tool-${name}` }, on: { click: change } },
    icon(name),
  );
}

function recalled() {
  try {
    const kept = Number(localStorage.getItem(KEPT));
    return SIZES.includes(kept) ? kept : WHOLE;
  } catch {
    return WHOLE; // a private window
  }
}

function keep() {
  try {
    localStorage.setItem(KEPT, String(chosen));
  } catch {
    // Not kept: a private window.
  }
}
