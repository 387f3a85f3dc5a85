/** What a unit does where nobody commands it: the factor that it tests on, what makes it up, and each die's result. */

import { h } from "./dom.js";
import { ruleChip } from "./note.js";
import { doubts } from "./doubt.js";
import { effect, named, plain } from "./words.js";

/** The card of an answer's `risk`; null where the rules know no such thing. */
export function ownWill({ risk }) {
  if (!risk?.results?.length) return null;
  return h(
    "details",
    { class: "not will", data: { key: "own-will" } },
    h(
      "summary",
      { class: "not__head" },
      "Left to itself",
      h("span", { class: "not__count" }, `factor ${risk.rf}`),
    ),
    h(
      "div",
      { class: "will__body" },
      risk.factors?.length > 0 &&
        h(
          "ul",
          { class: "chips", "aria-label": "What makes up the factor" },
          risk.factors.map((one) => h("li", {}, ruleChip(one.rule, named(one.name), effect(one.effect)))),
        ),
      h(
        "ol",
        { class: "will__results" },
        together(risk.results).map(({ dice, one }) =>
          h(
            "li",
            { class: one.obeyed === false ? "will__one will__one--free" : "will__one" },
            h("b", { class: "will__die" }, dice),
            h("span", {}, result(one)),
          ),
        ),
      ),
      doubts(risk),
      h("p", { class: "quiet" }, "Its ways are drawn on the map."),
    ),
  );
}

/** Dice that come to the same are one line. */
function together(results) {
  const lines = [];
  for (const one of results) {
    const last = lines.at(-1);
    if (last && result(last.one) === result(one)) last.to = one.die;
    else lines.push({ from: one.die, to: one.die, one });
  }
  return lines.map(({ from, to, one }) => ({ dice: from === to ? from : `${from}–${to}`, one }));
}

function result(one) {
  const free = one.binding === false ? ", if it is not commanded" : "";
  return named(`${plain(one.result)}${one.charge ? ", may charge" : ""}${free}`);
}
