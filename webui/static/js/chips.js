/** A chip: one of the values that an order's form offers. */

import { h } from "./dom.js";
import { setValue } from "./order.js";

/**
 * The button of one value; the chosen one, touched again, is let go. Of many that may be chosen it tells which in order it is.
 * @param {(string | number)[]} path where the value is kept
 * @param {any[]} chosen
 * @param {any} one
 * @param {boolean} many whether several may be chosen
 * @param {...any} words what stands on it
 */
export function chip(path, chosen, one, many, ...words) {
  const place = chosen.findIndex((other) => JSON.stringify(other) === JSON.stringify(one));
  const on = place >= 0;
  const touched = () => {
    if (!many) return setValue(path, on ? undefined : one);
    const next = on ? chosen.filter((_, index) => index !== place) : [...chosen, one];
    return setValue(path, next.length ? next : undefined);
  };
  return h(
    "button",
    {
      class: "pick",
      type: "button",
      "aria-pressed": on,
      data: { key: `pick-${path.join("-")}-${one}` },
      on: { click: touched },
    },
    many && on && h("b", { class: "pick__place" }, place + 1),
    words,
  );
}
