/** What the rules say of an option or a unit whatever is rolled: an answer's `notes`, each with its rule. */

import { h } from "./dom.js";
import { ruleChip } from "./note.js";
import { named } from "./words.js";

/** The notes as a list, which an option's mark as warnings; null where there are none. */
export function notes({ notes: told = [] }, kind = "reasons") {
  if (!told.length) return null;
  return h("ul", { class: kind }, told.map(({ text, rule }) => h("li", {}, named(text), " ", ruleChip(rule))));
}
