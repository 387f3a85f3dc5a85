/** The sheet on a phone: it can be drawn up to three heights, by finger, by click or by the arrow keys. */

import { h } from "./dom.js";
import { renew } from "./renew.js";
import { look, state, view } from "./store.js";

const HEIGHTS = ["peek", "half", "full"];
const LABELS = {
  dice: "Panel: dice. Draw it up",
  peek: "Panel: low. Draw it up",
  half: "Panel: half height. Draw it up",
  full: "Panel: full height. Draw it down",
};

/** Wires the sheet once. */
export function makeSheet() {
  const grip = document.getElementById("grip");
  const sheet = document.getElementById("sheet");
  let from = null;
  grip.addEventListener("pointerdown", (event) => {
    from = { y: event.clientY, height: sheet.offsetHeight, moved: false };
    grip.setPointerCapture(event.pointerId);
  });
  grip.addEventListener("pointermove", (event) => {
    if (!from) return;
    const by = from.y - event.clientY;
    if (Math.abs(by) < 6 && !from.moved) return;
    from.moved = true;
    sheet.classList.add("sheet--held");
    sheet.style.height = `${from.height + by}px`;
  });
  const release = (event) => {
    if (!from) return;
    sheet.classList.remove("sheet--held");
    sheet.style.height = "";
    if (from.moved) look({ sheet: nearest(from.height + from.y - event.clientY) });
    else if (event.type === "pointerup")
      look({ sheet: { peek: "half", half: "full", full: "peek", dice: "peek" }[view().sheet] });
    from = null;
  };
  grip.addEventListener("pointerup", release);
  grip.addEventListener("pointercancel", release);
  grip.addEventListener("click", (event) => event.detail === 0 && look({ sheet: step(1) ?? "peek" }));
  grip.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    look({ sheet: step(by) ?? view().sheet });
  });
}

/** Draws its height and its switch. */
export function drawSheet() {
  const { sheet, pane } = view();
  const element = document.getElementById("sheet");
  element.dataset.height = sheet;
  element.dataset.pane = pane;
  element.classList.toggle("sheet--dice", Boolean(view().play || view().order));
  document.getElementById("grip").setAttribute("aria-label", LABELS[sheet]);
  const shown = `${pane} ${state()?.log?.length}`;
  const row = document.getElementById("switch");
  if (row.dataset.shown === shown) return;
  row.dataset.shown = shown;
  renew(row, choice("orders", "Orders", pane), choice("log", "Log", pane));
}

function choice(key, words, pane) {
  const show = () => look({ pane: key, sheet: view().sheet === "peek" ? "half" : view().sheet });
  return h(
    "button",
    {
      class: "switch",
      type: "button",
      "aria-pressed": pane === key ? "true" : "false",
      data: { key: `pane-${key}` },
      on: { click: show },
    },
    words,
  );
}

function step(by) {
  const now = view().sheet === "dice" ? "half" : view().sheet;
  return HEIGHTS[HEIGHTS.indexOf(now) + by];
}

function nearest(height) {
  const room = window.innerHeight;
  const heights = { peek: 120, half: room * 0.5, full: room * 0.86 };
  return HEIGHTS.reduce(
    (best, name) => (Math.abs(heights[name] - height) < Math.abs(heights[best] - height) ? name : best),
    "peek",
  );
}
