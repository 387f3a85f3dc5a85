/** Several players at a table: what they say to each other, and who is given which units. */

import { appoint, getOfficers, hear, say } from "./api.js";
import { fill, h } from "./dom.js";
import { state } from "./store.js";
import { attempt, toast } from "./toast.js";
import { name as nameOf, titled } from "./words.js";

let heard = null;
let news = 0; // messages that nobody has looked at here
/** @type {{list: Element, read: () => Promise<void>} | null} */
let pane = null;

/** How many messages came that were not looked at yet. */
export const unread = () => news;

/** Says when somebody has said something; what was said before this page came is no news. */
export async function listen() {
  const newest = state()?.messages ?? 0;
  if (heard === null) heard = newest;
  if (newest <= heard) return;
  const after = heard;
  heard = newest;
  const told = await attempt(hear(after));
  const theirs = (told?.messages ?? []).filter((one) => one.sender !== ownName());
  if (!theirs.length) return;
  if (pane?.list.closest("dialog[open]")) return pane.read(); // they stand there, and nothing lies over them
  news += theirs.length;
  toast(theirs.map(line).join(" · "), [], false);
}

/** The part of the seats' note in which players talk. */
export function talkPane() {
  const list = h("ul", { class: "talk", "aria-live": "polite", "aria-label": "Messages", tabindex: "0" });
  const text = h("input", { class: "field field--wide", id: "talk-text", type: "text", maxlength: 500, required: true });
  const own = h("input", { type: "checkbox", id: "talk-own" });
  const read = async () => {
    const told = await attempt(hear(0));
    if (!told) return;
    fill(
      list,
      told.messages.slice(-20).map((one) => h("li", {}, line(one))),
    );
    list.scrollTop = list.scrollHeight; // the newest stands last
  };
  const send = async (event) => {
    event.preventDefault();
    if (!(await attempt(say(text.value, own.checked)))) return;
    text.value = "";
    await read();
  };
  pane = { list, read };
  news = 0;
  read();
  return [
    h("h3", { class: "pane__sub" }, "Messages"),
    list,
    h(
      "form",
      { class: "number", on: { submit: send } },
      h("label", { for: "talk-text" }, "Say"),
      text,
      state()?.seat?.kind === "side" && h("label", { class: "talk__own" }, own, " own side only"),
      h("button", { class: "button", type: "submit" }, "Send"),
    ),
  ];
}

/**
 * The part in which a commander hands units out, or the umpire those of each side; nothing for whoever is neither.
 * @param {() => void} again draws what has changed by it
 */
export function officersPane(again) {
  const seat = state()?.seat;
  const judge = seat?.kind === "umpire";
  if (!state()?.game || (!judge && (seat?.kind !== "side" || seat.officer))) return [];
  const sides = state().game.sides.map((side) => side.name).filter((side) => judge || side === seat.side);
  return [
    h("h3", { class: "pane__sub" }, judge ? "Players under a side's commander" : "Players under you"),
    h(
      "p",
      { class: "quiet" },
      `Each joins with a code of his own and orders the units that ${judge ? "he is given; the commander keeps" : "you give him; you keep"} the rest.`,
    ),
    sides.map((side) => handOut(side, judge, again)),
  ];
}

/** Who orders what of a side, and the form that gives somebody its units. */
function handOut(side, judge, again) {
  const id = (of) => (judge ? `officer-${side}-${of}` : `officer-${of}`);
  const list = h("ul", { class: "talk" });
  const name = h("input", { class: "field field--wide", id: id("name"), type: "text", maxlength: 40, required: true });
  const units = state().game.units.filter((one) => one.side === side);
  const boxes = units.map((one) => h("input", { type: "checkbox", value: one.id, id: id(one.id) }));
  attempt(getOfficers()).then((told) => {
    const theirs = (told?.officers ?? []).filter((one) => one.side === side);
    fill(list, theirs.map((one) => h("li", {}, `${one.name} (${code(one.code)}): ${one.units.map(nameOf).join(", ")}`)));
  });
  const give = async (event) => {
    event.preventDefault();
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
    if (await attempt(appoint(name.value, chosen, side))) again();
  };
  return [
    judge && h("h4", { class: "officers__side" }, titled(side)),
    list,
    h(
      "form",
      { class: "officers", on: { submit: give }, "aria-label": titled(side) },
      h("label", { for: id("name") }, "Player"),
      name,
      h(
        "fieldset",
        {},
        h("legend", {}, "Units"),
        boxes.map((box, at) => h("label", { class: "talk__own" }, box, ` ${nameOf(units[at])}`)),
      ),
      h("button", { class: "button", type: "submit" }, "Give"),
    ),
  ];
}

const code = (text) => (text ? `${text.slice(0, 4)}-${text.slice(4)}` : "");

function line(one) {
  const to = one.side === null ? "" : " (to your side)";
  return `${titled(one.sender)}${to}: ${one.text}`;
}

function ownName() {
  const seat = state()?.seat;
  return seat?.officer ?? seat?.side ?? seat?.kind;
}
