/** How the game has ended, where the rules say so (the state's `verdict`): who has won, why, and the battle report. */

import { h } from "./dom.js";
import { ruleChip } from "./note.js";
import { judges, side, sideIndex, state } from "./store.js";
import { named, titled } from "./words.js";

/** The verdict of the rules; null while the game goes on. */
export const verdict = () => state().verdict ?? null;

/** Who has won, in a few words: `British: victory`, `A draw`. */
export function wonWords(short = false) {
  const { won, level } = verdict();
  if (!won.length) return "A draw";
  const names = won.map((one) => titled(side(one)?.name ?? one)).join(" and ");
  if (short) return `${names} won`;
  return level ? `${names}: a ${level} victory` : `${names}: victory`;
}

/** The mark of the side that has won, where it is one. */
export const wonMark = () =>
  verdict().won.length === 1 && h("span", { class: "side__mark", "aria-hidden": "true" });

/** The class that gives the winner's colour. */
export const wonClass = () => (verdict().won.length === 1 ? `side-${sideIndex(verdict().won[0]) % 4}` : "");

/** The card; null while the game goes on. */
export function verdictCard() {
  const over = verdict();
  if (!over) return null;
  return h(
    "section",
    { class: `guide ended ${wonClass()}`, role: "status", "aria-labelledby": "verdict-title" },
    h("h2", { class: "guide__title", id: "verdict-title" }, "The game is over"),
    h("p", { class: "ended__won" }, wonMark(), wonWords()),
    h("p", { class: "ended__why" }, named(over.why), ". ", ruleChip(over.rule)),
    judges()
      ? h("a", { class: "button", href: "/api/report.html", target: "_blank", data: { key: "verdict-report" } }, "Battle report")
      : h("p", { class: "quiet" }, "Whoever is the umpire has the battle report."),
  );
}
