/** What a unit's roster and state say, in a row of badges: of any ruleset, whatever is true or counts up. */

import { h } from "./dom.js";
import { state } from "./store.js";
import { count, isOneBase, name, outOfSight, plain } from "./words.js";

const WORDS = {
  retiring: "retiring: must rally",
  activated: "has acted",
  moved: "has moved",
  fired: "has fired",
  activation_failed: "failed to activate",
  commander: "with the commander",
  officer: "with the trusted officer",
  may_charge: "may charge",
  won_melee: "won its melee",
};
const MOVED = { walk: "has walked", run: "has run", half: "has moved half its way", full: "has moved its whole way" };
const COUNTS = ["hits", "fatigue", "ncos_killed", "actions", "wounds"]; // numbers that matter at the table
const HISTORY = ["scored_casualty", "meleed", "retired", "below_half", "recovered", "has_fired", "has_moved"];
const STRENGTHS = ["rep", "strength", "quality", "class", "level"];

/** The badges of a unit. */
export function badges(one) {
  const now = one.state ?? {};
  const hidden = outOfSight(state().presence?.[one.id]);
  const doubts = state().cells?.[one.id]?.doubts ?? [];
  return h(
    "ul",
    { class: "badges" },
    !one.counter && !isOneBase(one) &&
      badge(
        h("b", {}, one.figures.length),
        one.figures.length === 1 ? " figure" : " figures",
        now.casualties > 0 && ` · ${now.casualties} lost`,
      ),
    STRENGTHS.filter((key) => ["string", "number"].includes(typeof one.stats?.[key])).map((key) =>
      badge(key === "rep" ? "Rep " : `${plain(key)} `, h("b", {}, one.stats[key])),
    ),
    Object.entries(one.stats ?? {}).map(([key, value]) => value === true && badge(plain(key))),
    now.reload_markers > 0 && reload(now.reload_markers),
    Object.entries(now).map(([key, value]) => word(key, value)),
    now.in_melee?.length > 0 && warning(`in melee with ${now.in_melee.map(name).join(", ")}`),
    hidden && warning(hidden),
    doubts.map((text) => warning(text)),
  );
}

function word(key, value) {
  if (HISTORY.includes(key)) return null;
  if (value === true) return badge(WORDS[key] ?? plain(key));
  if (COUNTS.includes(key) && value > 0) return badge(`${plain(key)} `, h("b", {}, value));
  return key === "moved" && typeof value === "string" && value !== "none" ? badge(MOVED[value] ?? `moved ${plain(value)}`) : null;
}

const badge = (...children) => h("li", { class: "badge" }, children);
const warning = (words) => h("li", { class: "badge badge--warn" }, words);

const reload = (markers) =>
  h(
    "li",
    { class: "badge badge--warn" },
    h(
      "span",
      { class: "markers", "aria-hidden": "true" },
      Array.from({ length: Math.min(markers, 4) }, () => h("i")),
    ),
    count(markers, "reload marker"),
  );
