/** Who may react to what has just been done, out of his turn: told to all, and a touch leads to what he can do. */

import { h } from "./dom.js";
import { leave } from "./play.js";
import { mine, pastOf, select, state, unit, view } from "./store.js";
import { toast } from "./toast.js";
import { count, name } from "./words.js";

const passed = new Set(); // offers that this reader has let go by
let told = 0;

/** The offers of the newest action that stands: who may react, to whom, with how many actions. */
export function offers() {
  const entry = (state()?.log ?? []).findLast((one) => one.kind === "action" && !one.undone);
  return (entry?.events ?? [])
    .filter(({ event, to }) => event === "reaction-offered" && unit(to)?.figures.length)
    .map(({ to, by, actions }) => ({ entry: entry.number, to, by, actions }))
    .filter((offer) => !passed.has(key(offer)));
}

const key = ({ entry, to }) => `${entry} ${to}`;

/** The plain value that the block shows. */
export const offersShow = () => (pastOf() ? [] : [offers(), view().known]);

/** The block that says who may react; null where nobody may. */
export function offersBlock() {
  const open = pastOf() ? [] : offers();
  if (!open.length) return null;
  return h(
    "section",
    { class: "offers", "aria-label": "Reactions" },
    h("h3", { class: "offers__title" }, "A reaction is open"),
    h("ul", {}, open.map((offer) => h("li", { class: "offers__one" }, one(offer)))),
  );
}

function one(offer) {
  const may = offer.actions === undefined ? "" : ` with ${count(offer.actions, "action")}`;
  const react = () => {
    if (view().play) leave();
    select(offer.to);
  };
  const pass = () => {
    passed.add(key(offer));
    select(view().unit);
  };
  return [
    h("p", {}, h("strong", {}, name(offer.to)), ` may react to ${name(offer.by)}${may}, at once.`),
    mine(offer.to) &&
      h(
        "div",
        { class: "actions" },
        (view().play || view().unit !== offer.to) &&
          h("button", { class: "button", type: "button", data: { key: `react-${offer.to}` }, on: { click: react } }, "React"),
        h("button", { class: "button button--quiet", type: "button", data: { key: `pass-${offer.to}` }, on: { click: pass } }, "Let it pass"),
      ),
  ];
}

/** Says once, to whose troops they are, that somebody may react; not to whoever has the action before him. */
export function callReactions() {
  const open = offers().filter((offer) => offer.entry > told && mine(offer.to));
  if (!open.length || pastOf()) return;
  told = Math.max(...open.map((offer) => offer.entry));
  if (view().play?.entry?.number === told) return;
  toast(`${open.map((offer) => name(offer.to)).join(", ")} may react`);
}
