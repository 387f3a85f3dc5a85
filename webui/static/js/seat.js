/** Who reads this page: joining with a code, and, for the umpire, inviting others with codes and pictures to scan. */

import { getSeat, joinTable } from "./api.js";
import { otherTheme } from "./bar.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { goLiveAgain, tellTabs } from "./live.js";
import { closeNote, openNote } from "./note.js";
import { refresh } from "./renew.js";
import { state, view } from "./store.js";
import { listen, officersPane, talkPane, unread } from "./talk.js";
import { attempt } from "./toast.js";
import { count, titled } from "./words.js";

let shownDoor = false;

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
  await join(code).catch(() => null);
}

async function join(code) {
  const joined = await joinTable(code);
  tellTabs();
  return joined;
}

/** Wires the button once. */
export function makeSeat() {
  document.getElementById("seat").addEventListener("click", tellSeat);
  addEventListener("hashchange", async () => {
    if (!location.hash.includes("join=")) return;
    await enterByLink();
    await goLiveAgain();
  });
}

/** Draws who one is, and the door where one has not joined. */
export function drawSeat() {
  const closed = view().link === "closed";
  const seat = state()?.seat;
  if (!closed) listen().then(drawButton);
  document.getElementById("seat").hidden = closed || !seat;
  drawButton();
  if (closed && !shownDoor) {
    shownDoor = true;
    openNote("Join this table", ...codeForm("Scan the picture that the laptop shows, or type its code."));
  }
}

/** Who one is, and whether somebody has said something since one looked. */
function drawButton() {
  const button = document.getElementById("seat");
  const [seat, news] = [state()?.seat, unread()];
  refresh(button, [seat, news], () => [
    icon("people"),
    h("span", { class: "seat__name" }, seatName(seat)),
    news > 0 && h("span", { class: "seat__news", "aria-hidden": "true" }, news),
  ]);
  const said = news ? ` ${count(news, "new message")}.` : "";
  button.setAttribute("aria-label", `You are: ${seatName(seat)}. Who plays?${said}`);
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
    ...officersPane(),
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
        ? ["Phones on your network scan a picture, or open ", h("code", {}, address), " and type a code."]
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
    closeNote();
    shownDoor = false;
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
