/** A chip: one of the values that an order's form offers. */

import { h } from "./dom.js";
import { setValue } from "./order.js";

/**
 * The button of one value. Of several that may be chosen, or of what was touched on the map, the chosen one is let go when
 * it is touched again; where there is one to choose, it stays: who touches it means it.
 * @param {(string | number)[]} path where the value is kept
 * @param {any[]} chosen
 * @param {any} one
 * @param {"one" | "several" | "placed"} how many may be chosen, or touched on the map; of several it tells which in order it is
 * @param {...any} words what stands on it
 */
export function chip(path, chosen, one, how, ...words) {
  const place = chosen.findIndex((other) => JSON.stringify(other) === JSON.stringify(one));
  const on = place >= 0;
  const touched = () => {
    if (how === "one") return on || setValue(path, one);
    if (how === "placed") return setValue(path, on ? undefined : one);
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
    how === "several" && on && h("b", { class: "pick__place" }, place + 1),
    words,
  );
}
