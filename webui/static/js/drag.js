/**
 * Moving the selected unit on the map: one handle carries it, one turns it; a ghost shows where it would stand and
 * how far its farthest figure goes. In the demo this moves the virtual table, for the camera to see; at a real
 * table it corrects where the program thinks that the figures stand.
 */

import { demoMove, place } from "./api.js";
import { base } from "./figures.js";
import { fill, h, s } from "./dom.js";
import { along, apart, at, bearingTo, carried, centroid, facing, overlap } from "./geometry.js";
import { icon } from "./icons.js";
import { boxOfBase, layers, ll, map, mm, pin, pxPerMm } from "./map.js";
import { answerFor, look, mine, sideIndex, state, unit, view } from "./store.js";
import { attempt } from "./toast.js";
import { leftMm } from "./todo.js";
import { length, name, shortLength } from "./words.js";

const GAPS_PX = [46, 64, 84, 106]; // how far handles stand from the bases, for fingers: farther where others' bases are in the way
const HANDLE_PX = 54;
const PATIENCE_MS = 30000;
const NUDGE = 0.5; // of the players' unit, for the arrow keys
let shown = "";
let handles = [];
let ghost = null; // {figures, turn} while something is being dragged or nudged
let tag = null;
let gapPx = GAPS_PX[0];

/** Draws the handles for the selected unit, where it may be moved. */
export function drawHandles() {
  const one = unit(view().unit);
  const movable = one?.figures.length && !one.counter && mayMove();
  const key = movable ? JSON.stringify([one.id, one.figures, view().quarter]) : "";
  if (key === shown || ghost?.held) return;
  shown = key;
  clear();
  if (movable) make(one);
}

/** Puts the handles where they belong at this zoom. */
export function placeHandles() {
  const one = unit(view().unit);
  if (!handles.length || !one || ghost?.held) return;
  if (!ghost) gapPx = freeGap(one.figures);
  const spots = handleSpots(ghost?.figures ?? one.figures);
  handles[0].setLatLng(ll(spots.move));
  handles[1].setLatLng(ll(spots.turn));
}

/** The rectangles on the screen that the handles take, for what must keep clear of them. */
export function handleBoxes() {
  return handles.map((each) => handleBox(each.getLatLng()));
}

function handleBox(place) {
  const { x, y } = map.latLngToContainerPoint(place);
  return { x: x - HANDLE_PX / 2, y: y - HANDLE_PX / 2, width: HANDLE_PX, height: HANDLE_PX };
}

/** How far behind their bases handles lie on nobody else's, in px; the nearest where they do everywhere. */
function freeGap(figures) {
  const own = new Set(figures.map(({ id }) => id));
  const others = state().game.units.flatMap((one) => one.figures).filter(({ id }) => !own.has(id)).map(boxOfBase);
  const clear = (gap) =>
    Object.values(handleSpots(figures, gap)).every((spot) => others.every((box) => !overlap(handleBox(ll(spot)), box)));
  return GAPS_PX.find(clear) ?? GAPS_PX[0];
}

/** The points that the handles of some figures stand at. */
export const handlePoints = (figures) => (figures.length ? Object.values(handleSpots(figures, freeGap(figures))) : []);

/** Whether a unit is being moved but not put down yet; Escape lets it go. */
export function dropGhost() {
  const had = Boolean(ghost);
  shown = "";
  clear();
  drawHandles();
  return had;
}

function make(one) {
  gapPx = freeGap(one.figures);
  const spots = handleSpots(one.figures);
  const move = handle("hand", `Move ${name(one)}: drag, or use the arrow keys and Enter`, spots.move, one);
  const turn = handle("turn", `Turn ${name(one)}: drag, or use the arrow keys and Enter`, spots.turn, one);
  handles = [move, turn];
  let start = null;
  move.on("dragstart", () => (start = mm(move.getLatLng())));
  move.on("drag", () => {
    const now = mm(move.getLatLng());
    show(one, carried(one.figures, [now[0] - start[0], now[1] - start[1]], 0, [0, 0]), turn);
  });
  turn.on("dragstart", () => (start = bearingTo(centroid(one.figures), mm(turn.getLatLng()))));
  turn.on("drag", () => {
    const middle = centroid(one.figures);
    show(one, carried(one.figures, [0, 0], bearingTo(middle, mm(turn.getLatLng())) - start, middle), move);
  });
  for (const each of handles) each.on("dragend", () => putDown(one));
  nudged(move, one, (figures, dx, dy, step) => carried(figures, [dx * step, dy * step], 0, [0, 0]));
  nudged(turn, one, (figures, dx, dy) => carried(figures, [0, 0], (dx || dy) * 5, centroid(figures)));
}

function handle(sign, label, point, one) {
  const button = h(
    "button",
    { class: `handle handle--${sign} side-${sideIndex(one.side) % 4}`, type: "button", "aria-label": label },
    icon(sign),
  );
  const marker = pin(point, button, { draggable: true, interactive: true, autoPan: true, zIndexOffset: 900 });
  button.addEventListener("click", (event) => event.stopPropagation());
  return marker;
}

function nudged(marker, one, carry) {
  marker.getElement().addEventListener("keydown", (event) => {
    if (event.key === "Enter" && ghost) {
      event.preventDefault();
      putDown(one);
      return;
    }
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    show(one, carry(ghost?.figures ?? one.figures, by[0], by[1], NUDGE * state().ruleset.mm_per_unit), null);
    ghost.held = false;
    placeHandles();
  });
}

function handleSpots(figures, px = gapPx) {
  const front = facing(figures) ?? 0;
  const middle = centroid(figures);
  const depth = Math.max(
    ...figures.map((figure) =>
      Math.abs(
        (figure.x_mm - middle[0]) * Math.sin((front * Math.PI) / 180) +
          (figure.y_mm - middle[1]) * Math.cos((front * Math.PI) / 180),
      ),
    ),
  );
  const gap = depth + 14 + px / pxPerMm();
  const behind = along(middle, front + 180, gap); // the front is where the reader looks
  const aside = 31 / pxPerMm();
  return { move: along(behind, front - 90, aside), turn: along(behind, front + 90, aside) };
}

/** Whether the reader may move a unit's bases on the map just now. */
export const mayMove = () => !view().play && !view().order && mine(view().unit) && (state().mode === "demo" || view().tool === "correct");

/** Shows where figures of a unit would stand, and how far the farthest of them goes. */
export function show(one, figures, follower) {
  ghost = { figures, held: true };
  const spots = handleSpots(figures);
  if (follower) follower.setLatLng(ll(follower === handles[0] ? spots.move : spots.turn));
  const far = farthest(one.figures, figures);
  const told = answerFor(one.id);
  const spent = state().mode === "demo" && state().spent?.[one.id]; // a correction is no move
  const allowance = spent && told?.move ? leftMm(told) : told?.move?.allowance_mm;
  const beyond = allowance !== undefined && far.distance > allowance + 0.5;
  fill(
    layers.ghost,
    s("path", { class: `track ${beyond ? "track--beyond" : ""}`, d: `M${far.from.join(" ")}L${far.to.join(" ")}` }),
    figures.map((figure) => base(figure, sideIndex(one.side), "base--ghost")),
  );
  const words =
    allowance === undefined ? length(far.distance) : `${length(far.distance)} of ${shortLength(allowance)}`;
  tag?.remove();
  tag = pin(
    far.to,
    h("span", { class: `pin__text pin--tag ${beyond ? "pin--beyond" : ""}`, role: "status" }, words),
    { zIndexOffset: 950 },
  );
}

function farthest(before, after) {
  const moves = before.map((figure, index) => ({
    from: at(figure),
    to: at(after[index]),
    distance: apart(at(figure), at(after[index])),
  }));
  return moves.reduce((most, move) => (move.distance > most.distance ? move : most));
}

/** Puts down what is shown: tells the server where the figures stand now. */
export async function putDown(one) {
  if (!ghost) return;
  ghost.held = false;
  const figures = ghost.figures.map(({ id, x_mm, y_mm, bearing_deg }) => ({ id, x_mm, y_mm, bearing_deg }));
  const send = state().mode === "demo" ? demoMove : place;
  const was = ghost;
  const done = await attempt(send(figures));
  if (ghost !== was) return; // the camera was faster
  if (!done) dropGhost();
  else if (state().mode !== "demo") look({ tool: null });
  else awaitCamera(was);
}

/** Keeps the ghost until the camera has seen the move; it takes a moment when much has changed. */
function awaitCamera(was) {
  tag?.getElement().querySelector("span").replaceChildren("The camera is looking …");
  setTimeout(() => ghost === was && dropGhost(), PATIENCE_MS);
}

function clear() {
  for (const each of handles) each.remove();
  handles = [];
  tag?.remove();
  tag = null;
  ghost = null;
  fill(layers.ghost);
}
