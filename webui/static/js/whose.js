/** A base that belongs to nobody: whose it is, and which of them. */

import { assign } from "./api.js";
import { h } from "./dom.js";
import { closeNote, openNote } from "./note.js";
import { state } from "./store.js";
import { attempt } from "./toast.js";
import { count, name, titled } from "./words.js";

/** Asks for the unit of a base that was touched, and what the base is where the rules know of such. */
export function askWhose(stray) {
  const units = state().game.units.filter((one) => !stray.army || one.side === stray.army);
  const kind = what();
  const join = async (id) => {
    const role = kind?.querySelector("select").value;
    closeNote();
    await attempt(assign(id, [{ x_mm: stray.x_mm, y_mm: stray.y_mm, ...(role ? { role } : {}) }]));
  };
  openNote(
    "Whose is this base?",
    h(
      "p",
      { class: "quiet" },
      `The camera sees a ${[stray.army && titled(stray.army), stray.base].filter(Boolean).join(" ")} base that belongs to no unit.`,
    ),
    kind,
    h(
      "ul",
      { class: "choices" },
      (units.length ? units : state().game.units).map((one) =>
        h(
          "li",
          {},
          h(
            "button",
            { class: "button button--quiet", type: "button", data: { key: `whose-${one.id}` }, on: { click: () => join(one.id) } },
            `${name(one)} (${count(one.figures.length, "figure")})`,
          ),
        ),
      ),
    ),
  );
}

/** The row in which a base is said to be the Leader's, the gun; null where all bases of the rules are alike. */
function what() {
  const { parts } = state().ruleset;
  if (!parts.length) return null;
  return h(
    "div",
    { class: "field-row" },
    h("label", { class: "field-row__label", for: "whose-part" }, "What it is"),
    h(
      "select",
      { class: "field field--wide", id: "whose-part" },
      h("option", { value: "" }, "one like the others"),
      parts.map(({ role, label }) => h("option", { value: role }, label)),
    ),
  );
}
