/** What one entry of the log tells: its lines, its dice, its rules. Shown in the log and after an action. */

import { h } from "./dom.js";
import { dieFace } from "./faces.js";
import { ruleChip } from "./note.js";
import { succeeds } from "./words.js";

/** What came of it, in sentences. The first lines only repeat the rolls, which are shown as dice. */
export function told(entry) {
  const lines = entry.lines.slice(entry.rolls?.length ?? 0);
  return (
    lines.length > 0 &&
    h(
      "ul",
      { class: "told" },
      lines.map((line) => h("li", {}, line)),
    )
  );
}

/** The dice and the rules of an entry. */
export function entryBody(entry) {
  return [
    entry.rolls?.length > 0 && h("ul", { class: "rolled", "aria-label": "Dice" }, entry.rolls.map(rolled)),
    entry.rules?.length > 0 &&
      h(
        "ul",
        { class: "chips", "aria-label": "Rules" },
        entry.rules.map((id) => h("li", {}, ruleChip(id))),
      ),
  ];
}

function rolled(roll) {
  const compared = roll.passed !== undefined && roll.passed !== null;
  const result = compared ? `${roll.passed} of ${roll.scores.length}` : `total ${roll.total}`;
  const dice = roll.scores.map((score) =>
    h(
      "span",
      { class: `die die--small ${succeeds(roll.success, score) ? "die--counts" : ""}` },
      dieFace(roll.die, score),
    ),
  );
  return h(
    "li",
    { class: "rolled__one" },
    h("span", { class: "rolled__for" }, `${roll.for}: ${result}`),
    h("span", { class: "rolled__dice", role: "img", "aria-label": roll.scores.join(", ") }, dice),
  );
}
