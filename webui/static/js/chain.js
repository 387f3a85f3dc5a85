/** Whom a leader can command: through whom, at what cost, with how many dice, as the rules have worked it out. */

import { h } from "./dom.js";
import { formOf } from "./forms.js";
import { ruleChip } from "./note.js";
import { doubts } from "./doubt.js";
import { openOrder } from "./order.js";
import { mine, state } from "./store.js";
import { count, name, named, roleName } from "./words.js";

/** The card of an answer's `command`; null where the rules know no such thing. */
export function commandChain(one, { command }) {
  if (!command?.groups?.length) return null;
  return h(
    "details",
    { class: "not chain", open: true, data: { key: "chain" } },
    h(
      "summary",
      { class: "not__head" },
      "Whom he can command",
      h("span", { class: "not__count" }, `${command.dice}${command.die}`),
    ),
    h("ul", { class: "acts chain__groups" }, command.groups.map((group) => h("li", { class: "chain__group" }, line(one, group), hairs(group)))),
  );
}

function line(one, group) {
  if (!group.reached)
    return h(
      "div",
      { class: "chain__far" },
      h("span", { class: "act__title" }, name(group.group)),
      h("span", {}, named(group.why_not), " ", ruleChip(group.rule)),
    );
  const values = { groups: [group.group], ...(group.via.length ? { via: group.via } : {}) };
  return h(
    "button",
    {
      class: "act",
      type: "button",
      disabled: !mine(one.id) || !formOf("command"), // the forms come a moment later
      data: { key: `chain-${group.group}` },
      on: { click: () => openOrder("command", one.id, values) },
    },
    h("span", { class: "act__title" }, name(group.group)),
    h("span", { class: "act__hint" }, `costs ${count(group.cost, "point")}, with ${group.dice}d6${through(group.via)}`),
    h("span", { class: "act__more", "aria-hidden": "true" }, "…"),
  );
}

/** What is too close to call of the distances on the way to a group; null where all is settled. */
const hairs = ({ group, borderline = [] }) => doubts({ borderline, target: group, mode: "command" });

/** The figures that pass the order on: `, through the NCO of Hervey's Squad`. */
function through(via) {
  const said = via.map((id) => {
    const owner = state().game.units.find((one) => one.figures.some((figure) => figure.id === id));
    const role = owner?.figures.find((figure) => figure.id === id)?.role ?? "";
    return owner ? `the ${roleName(role)} of ${name(owner)}` : id;
  });
  return said.length ? `, through ${said.join(" and ")}` : "";
}
