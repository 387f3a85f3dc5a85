/** A dial for a bearing: turned by finger, by the arrow keys, or by steps. 0 points away from the near edge. */

import { h, s } from "./dom.js";
import { whole } from "./renew.js";
import { view } from "./store.js";

const STEP_DEG = 15;
const R = 54;

/**
 * @param {object} one
 * @param {() => number | undefined} one.now the bearing as it stands; a quick hand is faster than the drawing
 * @param {string} one.key
 * @param {string} one.label
 * @param {(bearing: number) => void} one.set
 */
export function dial({ now, key, label, set }) {
  const value = now();
  const known = value !== undefined && value !== null;
  const hand = s("path", { class: "dial__hand", d: `M0 14L0 ${-R + 6}M-9 ${-R + 20}L0 ${-R + 6}L9 ${-R + 20}` });
  const shown = known ? value : 0;
  hand.setAttribute("transform", `rotate(${onScreen(shown)})`);
  const face = s(
    "svg",
    { class: "dial__face", viewBox: "-60 -60 120 120", "aria-hidden": "true" },
    s("circle", { class: "dial__rim", r: R }),
    Array.from({ length: 12 }, (_, hour) =>
      s("path", { class: "dial__mark", d: `M0 ${-R}v8`, transform: `rotate(${hour * 30})` }),
    ),
    known && hand,
  );
  const knob = h(
    "div",
    {
      class: "dial__knob",
      role: "slider",
      tabindex: "0",
      "aria-label": label,
      "aria-valuemin": "0",
      "aria-valuemax": "359",
      "aria-valuenow": String(Math.round(shown)),
      "aria-valuetext": known ? `${Math.round(shown)} degrees` : "not said",
      data: { key: `dial-${key}` },
    },
    face,
  );
  turned(knob, hand, face, set);
  knob.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5 }[event.key];
    if (!by) return;
    event.preventDefault();
    set(round((now() ?? 0) + by));
  });
  const step = (words, by, sign) =>
    h(
      "button",
      {
        class: "button button--quiet dial__step",
        type: "button",
        "aria-label": words,
        data: { key: `dial-${key}-${by}` },
        on: { click: () => set(round((now() ?? 0) + by)) },
      },
      sign,
    );
  return h(
    "div",
    { class: "dial" },
    step("Fifteen degrees to the left", -STEP_DEG, "↶"),
    whole(knob),
    step("Fifteen degrees to the right", STEP_DEG, "↷"),
    h("output", { class: "dial__value" }, known ? `${Math.round(shown)}°` : "–"),
  );
}

function turned(knob, hand, face, set) {
  let now = null;
  const follow = (event) => {
    const box = knob.getBoundingClientRect();
    const [x, y] = [event.clientX - box.x - box.width / 2, event.clientY - box.y - box.height / 2];
    now = onTable((Math.atan2(x, -y) * 180) / Math.PI);
    hand.setAttribute("transform", `rotate(${onScreen(now)})`);
    if (!hand.isConnected) face.append(hand);
  };
  knob.addEventListener("pointerdown", (event) => {
    knob.setPointerCapture(event.pointerId);
    follow(event);
  });
  knob.addEventListener("pointermove", (event) => now !== null && follow(event));
  knob.addEventListener("pointerup", () => {
    if (now !== null) set(round(now));
    now = null;
  });
  knob.addEventListener("pointercancel", () => (now = null));
}

/** The map may be turned by quarters: what points up on the dial points up on the map. */
const onScreen = (bearing) => bearing + 90 * view().quarter;
const onTable = (angle) => angle - 90 * view().quarter;

const round = (bearing) => (Math.round(bearing) + 720) % 360;
