/** The page's few drawn signs, on a 24 × 24 field, in the colour of the text round them. */

import { h, s } from "./dom.js";

const PATHS = {
  photo: ["M4 7h4l1.6-2.5h4.8L16 7h4v12H4z", "M12 16.4a3.6 3.6 0 1 0 0-7.2 3.6 3.6 0 0 0 0 7.2z"],
  plain: ["M4 6.5 9.5 4l5 2.5L20 4v13.500l-5.500 2.500-5-2.500L4 20z", "M9.500 4v13.500M14.500 6.500V20"],
  fit: ["M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"],
  plus: ["M12 5v14M5 12h14"],
  minus: ["M5 12h14"],
  tape: ["M3 16 16 3l5 5L8 21z", "M7 12l2 2M10 9l3 3M13 6l2 2"],
  turn: ["M19 8A8 8 0 1 0 20 13", "M20 3v5h-5"],
  hand: ["M12 3v18M3 12h18", "M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3"],
  sun: [
    "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8z",
    "M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400",
  ],
  moon: ["M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z"],
  back: ["M14.500 5 8 12l6.500 7"],
  close: ["M6 6l12 12M18 6 6 18"],
  people: ["M8.500 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7z", "M2.500 20c0-3.600 2.700-6 6-6s6 2.400 6 6", "M15.500 4.300a3.500 3.500 0 0 1 0 6.400M17.500 14.500c2.400.7 4 2.800 4 5.500"],
  then: ["M12 20a8 8 0 1 0-7.500-5.200", "M4 19v-4.500h4.500", "M12 8v4.500l3 2"],
  screen: ["M3 5h18v11H3z", "M9 20h6M12 16v4"],
  erase: ["M9 6h11v12H9l-6-6z", "M12 9.500l5 5M17 9.500l-5 5"],
  undo: ["M9 6 4 11l5 5", "M4 11h10.500a5 5 0 0 1 0 10H11"],
  reload: ["M6 4v16M10 8l-4-4-4 4", "M14 5h7M14 12h7M14 19h7"],
};

/**
 * A sign that says nothing to a screen reader; its button carries the label.
 * @param {keyof PATHS} name
 */
export function icon(name) {
  const strokes = PATHS[name].map((d) => s("path", { d }));
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, strokes);
}

/**
 * A button that shows a sign alone; the label says what it does to whoever cannot see it.
 * @param {keyof PATHS} name
 * @param {string} label
 * @param {string} key by which the page finds it again when it draws anew
 * @param {(event: Event) => void} click
 */
export function iconButton(name, label, key, click) {
  return h("button", { class: "icon-button", type: "button", "aria-label": label, data: { key }, on: { click } }, icon(name));
}
