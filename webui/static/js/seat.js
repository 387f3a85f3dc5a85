/** Who reads this page: joining with a code, and, for the umpire, inviting others with codes and pictures to scan. */

import { getSeat, joinTable, Refused } from "./api.js";
import { otherTheme } from "./bar.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { goLiveAgain, tellTabs } from "./live.js";
import { closeNote, openNote } from "./note.js";
import { refresh } from "./renew.js";
import { state, view } from "./store.js";
import { listen, officersPane, talkPane, unread } from "./talk.js";
import { attempt, toast } from "./toast.js";
import { count, titled } from "./words.js";

const DOOR = "Join this table";

let shownDoor = false;
let wrongLink = ""; // what was said against the code of the link that was scanned

/** What a seat is called. */
function seatName(seat) {
  if (!seat) return "nobody";
  if (seat.officer) return `${seat.officer} of ${titled(seat.side)}`;
  return seat.kind === "side" ? titled(seat.side) : { umpire: "Umpire", spectator: "Watching" }[seat.kind];
}

/** Takes the seat of the link that was scanned, if one was. */
export async function enterByLink() {
  const code = new URLSearchParams(location.hash.slice(1)).get("join");
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  wrongLink = "";
  try {
    await join(code);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    wrongLink = `The link did not let you in. ${error.message}`;
  }
}

async function join(code) {
  const joined = await joinTable(code);
  tellTabs();
  return joined;
}

/** Wires the button once. */
export function makeSeat() {
  document.getElementById("seat").addEventListener("click", () => (isClosed() ? openDoor() : tellSeat()));
  addEventListener("hashchange", async () => {
    if (!location.hash.includes("join=")) return;
    await enterByLink();
    await goLiveAgain();
  });
}

/** Draws who one is, and the door where one has not joined. */
export function drawSeat() {
  const closed = isClosed();
  if (!closed) listen().then(drawButton);
  document.getElementById("seat").hidden = !closed && !state()?.seat;
  drawButton();
  if (closed && !shownDoor) openDoor();
  if (closed && !state()) refresh(document.getElementById("orders"), "closed", outside);
  if (!closed && state()) leaveDoor();
}

const isClosed = () => view().link === "closed";

function openDoor() {
  shownDoor = true;
  openNote(DOOR, wrongLink && h("p", { class: "flag" }, wrongLink), ...codeForm("Scan the picture that the laptop shows, or type its code."));
}

/** Whoever is in needs no door: he has joined here, or in another tab; a link that did not let him in is said. */
function leaveDoor() {
  if (shownDoor && document.getElementById("note-title")?.textContent === DOOR) closeNote();
  else if (wrongLink) toast(wrongLink);
  shownDoor = false;
  wrongLink = "";
}

/** What stands there for whoever has closed the door before him. */
function outside() {
  return [
    h("h2", { class: "pane__title" }, "You have not joined yet"),
    h("p", { class: "quiet" }, "The table and its units are shown to whoever has joined."),
    h("button", { class: "button outside__join", type: "button", data: { key: "join" }, on: { click: openDoor } }, DOOR),
  ];
}

/** Who one is, and whether somebody has said something since one looked. */
function drawButton() {
  const button = document.getElementById("seat");
  const [seat, news] = [state()?.seat, unread()];
  const closed = isClosed();
  refresh(button, [seat, news, closed], () => [
    icon("people"),
    h("span", { class: "seat__name" }, closed ? "Join" : seatName(seat)),
    news > 0 && h("span", { class: "seat__news", "aria-hidden": "true" }, news),
  ]);
  const said = news ? ` ${count(news, "new message")}.` : "";
  button.setAttribute("aria-label", closed ? DOOR : `You are: ${seatName(seat)}. Who plays?${said}`);
}

async function tellSeat() {
  const told = await attempt(getSeat());
  if (!told) return;
  const { invitations, address } = told;
  openNote(
    `You are: ${seatName(told.seat)}`,
    invitations
      ? invited(invitations, address)
      : h("p", { class: "quiet" }, "Only the umpire sees everything and may overrule the rules."),
    ...talkPane(),
    ...officersPane(tellSeat),
    h("h3", { class: "pane__sub" }, "Take another seat"),
    ...codeForm(""),
    h("button", { class: "button button--quiet", type: "button", on: { click: otherTheme } }, "Light or dark page"),
  );
  drawButton();
}

function invited(invitations, address) {
  return [
    h(
      "p",
      { class: "quiet" },
      address
        ? ["Phones on your network scan a picture, or open ", h("code", { class: "seats__address" }, address), " and type a code."]
        : ["Only this computer can open the page. Start Vedette with ", h("code", {}, "--host 0.0.0.0"), " to let phones in."],
    ),
    h(
      "ul",
      { class: "seats" },
      invitations.map(({ seat, name, code }) =>
        h(
          "li",
          { class: "seats__one" },
          address &&
            h("img", {
              class: "seats__qr",
              src: `/api/join/qr.svg?seat=${encodeURIComponent(name)}`,
              alt: `Scan to join: ${seatName(seat)}`,
              width: 132,
              height: 132,
            }),
          h("span", { class: "seats__name" }, seatName(seat)),
          h("code", { class: "seats__code" }, code),
        ),
      ),
    ),
  ];
}

function codeForm(words) {
  const input = h("input", {
    class: "field field--wide",
    id: "join-code",
    type: "text",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    required: true,
  });
  const enter = async (event) => {
    event.preventDefault();
    if (!(await attempt(join(input.value)))) return;
    wrongLink = "";
    closeNote(); // the door is shown until the table is: what is drawn meanwhile does not open it again
    await goLiveAgain();
  };
  return [
    words && h("p", { class: "quiet" }, words),
    h(
      "form",
      { class: "number", on: { submit: enter } },
      h("label", { for: "join-code" }, "Code"),
      input,
      h("button", { class: "button", type: "submit" }, "Join"),
    ),
  ];
}
