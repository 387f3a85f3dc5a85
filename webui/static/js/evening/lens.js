/** Step 2: the lens, by photos of the printed board, or guessed for a start. */

import { call } from "../api.js";
import { h } from "../dom.js";
import { button, buttons, folded, sheets } from "./parts.js";
import { act, busy, change, look, own, say, view } from "./store.js";

const ACROSS = 5;
const DOWN = 4;
const LOOK_MS = 900;
let timer = 0;

export const shows = () => [view().lens, view().camera.size_px, own().board, own().auto, own().remeasure];

export function panel() {
  const { lens, camera } = view();
  if (!camera.size_px) return [h("p", {}, `${camera.source !== null && ["starting", "live"].includes(camera.state) ? "The camera starts" : "Choose a camera first"}: its picture is needed here.`)];
  if (lens.use !== "calibrated" || own().remeasure) return photos(lens);
  return [
    lens.result && result(lens.result),
    h("p", {}, "It holds as long as the camera keeps its size and its focus."),
    buttons(button("Measure it anew", () => change({ remeasure: true }), { quiet: true, key: "lens-anew" }), button("Guess it instead", guess, { quiet: true, key: "guess" })),
  ];
}

function photos(lens) {
  return [
    h("p", {}, "Every lens bends its picture. Photos of a printed board tell how; measures are then right to a millimetre. It takes three minutes, and can wait for another day."),
    !lens.simulated && !lens.photos && sheets(),
    h("p", { class: "eve-next" }, lens.next ? `Next: ${lens.next}.` : "Enough photos: work the lens out."),
    judged(own().board),
    covered(lens),
    lens.simulated && h("p", { class: "quiet" }, "This is the simulated camera: it holds a board up by itself."),
    buttons(
      lens.simulated && button("Hold the board up", () => hold(true), { key: "hold" }),
      button("Take a photo", take, { key: "take" }),
      button(own().auto ? "Stop taking" : "Take by itself", toggle, { quiet: true, key: "auto", "aria-pressed": String(Boolean(own().auto)) }),
    ),
    lens.photos > 0 && buttons(
      button(`Work the lens out of ${lens.photos} photo${lens.photos > 1 ? "s" : ""}`, solve, { key: "solve", disabled: !lens.can_solve }),
      button("Forget the last", () => act("…", "lens", { do: "forget", number: lens.photos }), { quiet: true, key: "forget" }),
    ),
    folded("Photos from elsewhere, or no board at hand", "more-lens", brought(),
      h("p", { class: "quiet" }, "The same is done by ", h("code", {}, "vedette calibrate"), "."),
    ),
    buttons(button(lens.use === "guessed" ? "The lens is guessed" : "Begin without", guess, { quiet: true, key: "guess" })),
  ];
}

export function shapes() {
  const { lens, camera } = view();
  if (!camera.size_px) return [];
  const cells = [];
  for (let cell = 0; cell < ACROSS * DOWN; cell++) {
    if (!lens.cells.includes(cell)) continue;
    const [x, y] = [(cell % ACROSS) / ACROSS, Math.floor(cell / ACROSS) / DOWN];
    cells.push({ kind: "area", look: "over--covered", at: [[x, y], [x + 1 / ACROSS, y], [x + 1 / ACROSS, y + 1 / DOWN], [x, y + 1 / DOWN]] });
  }
  if (lens.use === "calibrated" && !own().remeasure) return [];
  const board = own().board;
  if (board?.outline?.length) cells.push({ kind: "area", look: board.faults.length ? "over--bad" : "over--good", at: board.outline });
  return cells;
}

/** Looks at the board as long as this step is open. */
export function open() {
  clearTimeout(timer);
  const again = async () => {
    if (own().step !== "lens") return change({ board: null, auto: false });
    const wanted = view().lens.use !== "calibrated" || own().remeasure;
    if (wanted && !document.hidden && view().camera.size_px && !busy()) await see();
    timer = setTimeout(again, LOOK_MS);
  };
  timer = setTimeout(again, 100);
}

async function see() {
  try {
    const board = await call("/api/evening/board");
    if (own().step !== "lens") return;
    change({ board });
    if (own().auto && board.faults.length === 0 && !busy()) {
      await take();
      if (view().lens.simulated) await hold(true);
      if (!view().lens.next) change({ auto: false });
    }
  } catch (error) {
    change({ board: { faults: [error.message], corners: 0, of: 0, outline: [] } });
  }
}

function judged(board) {
  if (!board) return h("p", { class: "quiet" }, "Looking for the board …");
  if (board.faults.length) return h("p", { class: "flag eve-board" }, sentence(board.faults[0]));
  return h("p", { class: "eve-good eve-board" }, `The board is seen well: ${board.corners} of ${board.of} corners.`);
}

function covered(lens) {
  const cells = [];
  for (let cell = 0; cell < ACROSS * DOWN; cell++) cells.push(h("span", { class: lens.cells.includes(cell) ? "cover__cell cover__cell--done" : "cover__cell" }));
  const words = `${lens.photos} photos; the board was seen in ${lens.cells.length} of ${ACROSS * DOWN} parts of the picture, ${lens.enough_cells} are enough.`;
  return h("div", { class: "cover" }, h("div", { class: "cover__grid", "aria-hidden": "true" }, cells), h("p", { class: "cover__words" }, words));
}

function result(told) {
  const doubt = told.doubt_px === null ? "" : ` It is known to ${told.doubt_px} px at its worst corner.`;
  return h("p", { class: "eve-good" }, `The lens is measured from ${told.views} photos: ${told.rms_px} px off on average.${doubt}`);
}

function brought() {
  const take = async (event) => {
    for (const file of event.target.files) {
      if (file.type !== "image/jpeg") {
        say(`${file.name}: photos must be JPEGs.`, true);
        continue;
      }
      const answer = await fetch("/api/evening/photo", { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: file }).catch(() => null);
      const told = answer ? await answer.json().catch(() => ({})) : { error: "The laptop does not answer." };
      if (!answer?.ok) say(`${file.name}: ${told.error}`, true);
    }
    event.target.value = "";
    look();
  };
  return h("div", { class: "eve-row" }, h("label", { class: "eve-label", for: "photos" }, "Bring photos that this camera took"),
    h("input", { class: "eve-field", id: "photos", type: "file", accept: "image/jpeg", multiple: true, data: { key: "photos" }, on: { change: take } }));
}

const sentence = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
const toggle = () => change({ auto: !own().auto });
const hold = (held) => act("The board is held up …", "hold", { hold: held });
const take = () => act("The photo is taken …", "lens", { do: "take" });
const solve = async () => (await act("The lens is worked out …", "lens", { do: "solve" })) && change({ remeasure: false, auto: false });
const guess = () => act("…", "lens", { do: "guess" });
