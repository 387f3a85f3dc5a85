/** What the measurement cannot settle of an option, with its figures. */

import { h } from "./dom.js";
import { named } from "./words.js";

const SHOWN = 2; // at once: of a long front each base has its own

/** The box of an option in doubt; where one of those above says the same, only that it does. */
export function doubts(option, above = []) {
  if (!option.borderline?.length) return null;
  if (above.some((other) => sameLines(option.borderline, other.borderline))) {
    return h("p", { class: "doubt-too" }, "Too close to call, as above");
  }
  const lines = option.borderline.map((text) => h("li", {}, named(text)));
  const shown = lines.length > SHOWN ? 1 : lines.length;
  const more = lines.slice(shown);
  return h(
    "div",
    { class: "doubt" },
    h("strong", {}, "Too close to call"),
    h("ul", {}, lines.slice(0, shown)),
    more.length > 0 &&
      h(
        "details",
        { class: "doubt__more", data: { key: `doubt-${option.target}-${option.mode}` } },
        h("summary", {}, `and ${more.length} more`),
        h("ul", {}, more),
      ),
  );
}

/** Whether both tell the same doubts, in whatever order. */
function sameLines(some, others = []) {
  const lines = new Set(others);
  return some.length === lines.size && some.every((line) => lines.has(line));
}
