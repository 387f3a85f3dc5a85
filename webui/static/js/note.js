/** The one dialog of the page: a rule's text, what the camera says, or a short question. */

import { rule } from "./api.js";
import { fill, h } from "./dom.js";
import { iconButton } from "./icons.js";
import { attempt } from "./toast.js";

let behind = null; // puts back what the dialog held before a rule was read in it

/** Opens the dialog with a title and what it holds. */
export function openNote(title, ...children) {
  const dialog = document.getElementById("note");
  const close = iconButton("close", "Close", "note-close", leave);
  behind = null;
  fill(
    dialog,
    h("header", { class: "note__head" }, h("h2", { id: "note-title" }, title), close),
    h("div", { class: "note__body" }, ...children),
  );
  dialog.onclick = (event) => {
    if (event.target === dialog) leave();
  };
  dialog.oncancel = (event) => {
    event.preventDefault();
    leave();
  };
  if (!dialog.open) dialog.showModal();
}

/** Closes the dialog. */
export function closeNote() {
  behind = null;
  document.getElementById("note").close();
}

/** Goes back to what the dialog held before, or closes it. */
export function leave() {
  if (!behind) return closeNote();
  behind();
  behind = null;
}

/** How to come back to what the dialog holds now: as it stands, half-filled fields included; null: it is closed. */
function wayBack() {
  const dialog = document.getElementById("note");
  if (!dialog.open) return null;
  if (behind) return behind; // from one rule to another
  const [held, scrolled, focused] = [[...dialog.childNodes], dialog.scrollTop, document.activeElement];
  return () => {
    dialog.replaceChildren(...held);
    dialog.scrollTop = scrolled;
    focused?.focus({ preventScroll: true });
  };
}

/** A small button that opens the text of a rule. @param {string} id @param {string} [before] words before it @param {string} [effect] what it changes */
export function ruleChip(id, before = "", effect = "") {
  const label = [effect, before && `${before},`, before ? `rule ${id}` : `Rule ${id}`].filter(Boolean).join(" ");
  return h(
    "button",
    { class: "chip chip--rule", type: "button", "aria-label": label, on: { click: () => showRule(id) } },
    effect && h("b", {}, effect),
    before && h("span", {}, before),
    h("span", { class: "chip__rule" }, id),
  );
}

async function showRule(id) {
  const row = await attempt(rule(id));
  if (!row) return;
  const back = wayBack();
  openNote(
    row.id,
    h("p", { class: "note__rule" }, row.text),
    row.page && h("p", { class: "quiet" }, `Rulebook, page ${row.page}`),
    row.not_built && h("p", { class: "flag" }, `The program does not do this yet: ${row.not_built}`),
    back && h("button", { class: "button button--quiet", type: "button", data: { key: "note-back" }, on: { click: leave } }, "Back"),
  );
  behind = back;
}
