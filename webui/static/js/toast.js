/** A short notice at the edge of the page, read out by screen readers: what went wrong, and why. */

import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { named } from "./words.js";

const STAYS_MS = 9000;
let timer = 0;
let element = null;

/** Shows a notice; it goes by itself. What went wrong is `alarming`, what somebody says is not. @param {string} text @param {string[]} [reasons] */
export function toast(text, reasons = [], alarming = true) {
  element ??= document.getElementById("toast");
  (document.querySelector("dialog[open]") ?? document.body).append(element); // all else lies behind an open dialog
  const close = h(
    "button",
    { class: "toast__close", type: "button", "aria-label": "Close this notice", on: { click: hide } },
    icon("close"),
  );
  const list =
    reasons.length > 0 &&
    h(
      "ul",
      {},
      reasons.map((reason) => h("li", {}, named(reason))),
    );
  fill(element, h("div", {}, h("p", {}, text), list), close);
  element.classList.toggle("toast--told", !alarming);
  element.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(hide, STAYS_MS);
}

/** Runs something that may be refused, and says so if it is. Gives null then. */
export async function attempt(promise) {
  try {
    return await promise;
  } catch (error) {
    toast(error.message, error.reasons);
    return null;
  }
}

function hide() {
  element.hidden = true;
}
