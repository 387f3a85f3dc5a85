/** A single base of the selected unit, taken by itself and put elsewhere; the unit's handle takes them all. */

import { putDown, show, mayMove } from "./drag.js";
import { gap } from "./geometry.js";
import { map, mm, pxPerMm } from "./map.js";
import { unit, view, state } from "./store.js";

const FINGER_PX = 30; // a base must be drawn at least so large to be taken by a finger
const STILL_PX = 4;
let held = null; // {one, figure, from, pixel, moved}
let letGo = 0;

/** Whether a base was let go of just now: the click that follows means nothing then. */
export const grabbed = () => performance.now() - letGo < 350;

/** Listens on the map, once. */
export function makeGrab() {
  const room = map.getContainer();
  room.addEventListener("pointerdown", take, true);
  addEventListener("pointermove", carry);
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);
}

function take(event) {
  const one = state()?.game && unit(view().unit);
  if (!one || one.counter || view().tool === "tape" || !mayMove() || event.button !== 0 || event.target.closest("button")) return;
  const [x, y] = mm(map.mouseEventToLatLng(event));
  const spot = { x_mm: x, y_mm: y, base: { shape: "round", diameter_mm: 0 } };
  const figure = one.figures.find((each) => gap(spot, each).distance === 0);
  if (!figure) return;
  const drawn = (figure.base.diameter_mm ?? figure.base.width_mm) * pxPerMm();
  if (event.pointerType !== "mouse" && drawn < FINGER_PX) return;
  held = { one, figure, from: [x, y], pixel: [event.clientX, event.clientY], moved: false };
  map.dragging.disable();
}

function carry(event) {
  if (!held) return;
  const away = Math.hypot(event.clientX - held.pixel[0], event.clientY - held.pixel[1]);
  if (!held.moved && away < STILL_PX) return;
  held.moved = true;
  const [x, y] = mm(map.mouseEventToLatLng(event));
  const { one, figure, from } = held;
  const placed = { ...figure, x_mm: figure.x_mm + x - from[0], y_mm: figure.y_mm + y - from[1] };
  show({ ...one, figures: [figure] }, [placed], null);
}

function drop(event) {
  if (!held) return;
  const { one, moved } = held;
  held = null;
  map.dragging.enable();
  if (!moved) return;
  letGo = performance.now();
  if (event.type === "pointerup") putDown(one);
}
