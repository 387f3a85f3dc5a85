/** What a player reads of the campaign: how it stands, what has met, whose markers are where, what can be done. */

import { actionLists, actionShows } from "./actions.js";
import { campaign, hexName } from "./campaigns.js";
import { h } from "./dom.js";
import { allForms, formWhenHere } from "./forms.js";
import { guideCard, guideShows } from "./guide.js";
import { iconButton } from "./icons.js";
import { openOrder } from "./order.js";
import { begin } from "./play.js";
import { look, mine, sideIndex, state, view } from "./store.js";
import { count, name, named, titled } from "./words.js";

/** The plain value that the panels show, beside the campaign itself. */
export const campaignShows = () => [guideShows(), actionShows(view().unit), view().known, state().game.units];

/** The panel while nothing is chosen. */
export function campaignPanel() {
  const { view: shown } = campaign();
  if (!shown) return nothing("These rules have no campaign that is kept in a game.");
  const sides = state().game.sides.map((side) => side.name);
  return [
    h("h2", { class: "pane__title" }, shown.title),
    guideCard(["campaign", "setup"]),
    shown.text && h("p", { class: "campaign__text" }, shown.text),
    shown.facts.length > 0 &&
      h("dl", { class: "facts" }, shown.facts.map(({ label, value }) => [h("dt", {}, label), h("dd", {}, named(value))])),
    shown.cards.length > 0 && h("div", { class: "cards campaign__cards" }, shown.cards.map(card)),
    shown.pieces.length > 0 && sides.map((side) => musterOf(side, shown)),
    !shown.begun && h("p", { class: "quiet" }, "No campaign is kept in this game yet."),
    h("h3", { class: "pane__sub" }, "What can be done"),
    actionLists(null, "campaign", false, (form) => Boolean(form.begins) && !shown.begun),
    rosters(sides),
  ];
}

/** Whether whoever reads this page acts for a side (null: for all) between battles. */
function ours(side) {
  const { seat } = state();
  return mine(null) && (side === null || seat?.kind !== "side" || seat.side === side);
}

const nothing = (words) => [h("h2", { class: "pane__title" }, "Campaign"), h("p", { class: "quiet" }, words)];

function card(one) {
  const side = one.side === null ? "" : `campaign__card--side side-${sideIndex(one.side) % 4}`;
  return h(
    "article",
    { class: `card campaign__card ${side}`, data: { card: one.id } },
    h("h3", { class: "card__title" }, one.side !== null && h("span", { class: "side__mark", "aria-hidden": "true" }), one.title),
    one.lines.length > 0 && h("ul", { class: "told" }, one.lines.map((line) => h("li", {}, named(line)))),
    one.act &&
      h(
        "button",
        { class: "button", type: "button", disabled: !ours(one.side), data: { key: `card-${one.id}` }, on: { click: () => start(one.act, one.act_title) } },
        one.act_title,
      ),
  );
}

/** Begins an action with the keys given; its form opens where it asks for more. */
async function start({ action, ...values }, title) {
  const asked = ((await formWhenHere(action))?.fields ?? []).filter((field) => !(field.key in values));
  if (asked.length) openOrder(action, null, values);
  else begin({ action, ...values }, title);
}

/** A side's markers: those on the map, then those that wait beside it. */
function musterOf(side, shown) {
  const own = shown.pieces.filter((one) => one.side === side);
  if (!own.length) return null;
  return h(
    "section",
    { class: `muster side-${sideIndex(side) % 4}` },
    h(
      "h3",
      { class: "muster__side" },
      h("span", { class: "side__mark", "aria-hidden": "true" }),
      titled(side),
      shown.side === side && h("span", { class: "muster__active" }, "to move"),
    ),
    h("ul", { class: "muster__units" }, own.map((one) => h("li", {}, pieceLine(one)))),
  );
}

function pieceLine(one) {
  const where = one.hex === null ? "beside the map" : hexName(one.hex);
  return h(
    "button",
    { class: "muster__unit", type: "button", data: { key: `piece-${one.id}` }, on: { click: () => look({ piece: one.id, unit: null }) } },
    h("span", { class: "muster__name" }, one.title),
    h("span", { class: "muster__what" }, [where, ...one.lines].join(" · ")),
    one.moved && h("span", { class: "muster__can" }, "has moved"),
  );
}

/** A marker: what it stands for, and every action that is about one. */
export function piecePanel(one) {
  const forms = allForms().filter((form) => form.fields.some((field) => field.ask === "piece"));
  const reach = one.reach.length;
  return [
    head(one.title, [one.hex === null ? "beside the map" : `in ${hexName(one.hex)}`, one.moved ? "has moved today" : ""], one.side),
    h("ul", { class: "told" }, one.lines.map((line) => h("li", {}, named(line)))),
    reach > 0 && h("p", { class: "quiet" }, `It may go to ${count(reach, "hex").replace("hexs", "hexes")}: touch one that is marked.`),
    h("ul", { class: "acts" }, forms.map((form) => h("li", {}, about(form, one)))),
  ];
}

function about(form, one) {
  const key = form.fields.find((field) => field.ask === "piece").key;
  const side = form.fields.some((field) => field.ask === "side") ? { side: one.side } : {};
  const act = () => openOrder(form.action, null, { [key]: one.id, ...side });
  return h(
    "button",
    { class: "act", type: "button", disabled: !ours(one.side), data: { key: `about-${form.action}` }, on: { click: act } },
    h("span", { class: "act__title" }, form.title),
    h("span", { class: "act__hint" }, form.hint),
    h("span", { class: "act__more", "aria-hidden": "true" }, "…"),
  );
}

/** A unit between battles: what is open to it. */
export function unitPanel(one) {
  return [
    head(name(one), [titled(one.type), count(one.figures.length, "figure")], one.side),
    actionLists(one.id, "campaign"),
  ];
}

function head(words, what, side) {
  return h(
    "header",
    { class: `who side-${sideIndex(side) % 4}` },
    iconButton("back", "Back to the campaign", "back", () => look({ piece: null, unit: null })),
    h(
      "div",
      { class: "who__words" },
      h("h2", { class: "who__name" }, words),
      h("p", { class: "who__what" }, what.filter(Boolean).join(" · ")),
    ),
    h("span", { class: "who__side" }, titled(side)),
  );
}

/** The units that something can be done with between battles, folded away. */
function rosters(sides) {
  const some = allForms().some((form) => form.scope === "unit" && form.section === "campaign");
  const units = state().game.units;
  if (!some || !units.length) return null;
  return h(
    "details",
    { class: "not", data: { key: "campaign-units" } },
    h("summary", { class: "not__head" }, "Units", h("span", { class: "not__count" }, units.length)),
    sides.map((side) =>
      h(
        "ul",
        { class: `muster__units side-${sideIndex(side) % 4}` },
        units
          .filter((one) => one.side === side)
          .map((one) =>
            h(
              "li",
              {},
              h(
                "button",
                { class: "muster__unit", type: "button", data: { key: `unit-${one.id}` }, on: { click: () => look({ unit: one.id, piece: null }) } },
                h("span", { class: "muster__name" }, name(one)),
                h("span", { class: "muster__what" }, `${titled(side)} · ${count(one.figures.length, "figure")}`),
              ),
            ),
          ),
      ),
    ),
  );
}
