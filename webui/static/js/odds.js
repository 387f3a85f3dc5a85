/** The chances beside an option. They are asked for one at a time, when the reader looks at a unit, and kept. */

import { odds } from "./api.js";
import { fill, h } from "./dom.js";
import { whole } from "./renew.js";
import { steadily } from "./steady.js";
import { moment } from "./store.js";

const known = new Map(); // what was asked → the answer, or null where there is none
const waiting = [];
let busy = false;
let knownAt = "";

/** A line that fills itself with the chances of an action; it stays empty where nobody knows them. */
export function oddsLine(action) {
  const element = whole(h("p", { class: "odds" }));
  const key = JSON.stringify(action);
  if (knownAt !== moment()) {
    knownAt = moment();
    known.clear();
    waiting.length = 0;
  }
  if (known.has(key)) show(element, known.get(key));
  else {
    waiting.push({ element, action, key, at: knownAt });
    setTimeout(work, 150);
  }
  return element;
}

async function work() {
  if (busy) return;
  busy = true;
  while (waiting.length) {
    const { element, action, key, at } = waiting.shift();
    if (!element.isConnected) continue;
    const found = known.has(key) ? known.get(key) : await odds(action).catch(() => null);
    if (at !== knownAt) continue;
    known.set(key, found);
    steadily(element.closest(".pane"), () => show(element, found));
  }
  busy = false;
}

/** A chance for people: what can happen is never 0 %, what can fail never 100 %. */
function percent(chance) {
  if (chance > 0 && chance < 0.01) return "under 1 %";
  if (chance > 0.99 && chance < 1 - 1e-12) return "over 99 %";
  return `${Math.round(chance * 100)} %`;
}

function show(element, found) {
  if (!found?.sentence) return;
  if (!found.outcomes.length) return fill(element, h("span", {}, found.sentence));
  const most = Math.max(...found.outcomes.map((one) => one.chance), 0.0001);
  const bars = found.outcomes
    .filter((one) => one.chance >= 0.004)
    .slice(0, 9)
    .map((one) =>
      h("span", { class: `odds__bar odds__bar--${Math.max(1, Math.round((one.chance / most) * 10))}` }),
    );
  const then = found.then ?? [];
  const list = [found, ...then]
    .flatMap((part) => part.outcomes)
    .map((one) => `${one.what}: ${percent(one.chance)}`)
    .join("\n");
  fill(
    element,
    h("span", { class: "odds__bars", "aria-hidden": "true", title: list }, bars),
    h("span", {}, [found, ...then].map((part) => part.sentence).filter(Boolean).join("; ")),
  );
}
