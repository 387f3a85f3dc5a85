/** Values of an order that stand on a campaign's map: markers and hexes, as chips, and touched on the map. */

import { campaign, hexName } from "./campaigns.js";
import { h } from "./dom.js";
import { pick, setValue } from "./order.js";
import { view } from "./store.js";

/** The control: the markers to choose from or the hexes chosen, and the button to touch them. */
export function chosenOnCountry({ order, field, path, value }) {
  const many = field.ask === "hexes";
  const list = value === undefined || value === null ? [] : [value].flat();
  const offered = field.ask === "piece" ? pieces(order) : list.map((hex) => ({ value: hex, label: hexName(hex) }));
  const picking = JSON.stringify(view().order?.picking) === JSON.stringify(path);
  return h(
    "div",
    { class: "picks" },
    offered.map((one) => chip(path, one, list, many)),
    h(
      "button",
      {
        class: "button button--quiet",
        type: "button",
        "aria-pressed": picking,
        data: { key: `map-${path.join("-")}` },
        on: { click: () => pick(picking ? null : path) },
      },
      picking ? "Done touching" : "Touch on the map",
    ),
  );
}

/** The markers of the side that the order names; of all sides where it names none. */
function pieces(order) {
  const { side } = order.values;
  return (campaign()?.view?.pieces ?? [])
    .filter((one) => !side || one.side === side)
    .map((one) => ({ value: one.id, label: one.title }));
}

function chip(path, one, list, many) {
  const on = list.includes(one.value);
  const touched = () => {
    if (!many) return on || setValue(path, one.value);
    const next = list.filter((other) => other !== one.value);
    return setValue(path, next.length ? next : undefined);
  };
  return h(
    "button",
    {
      class: "pick", type: "button", "aria-pressed": on, data: { key: `pick-${path.join("-")}-${one.value}` },
      on: { click: touched },
    },
    one.label,
  );
}
