/** The one dialog of the page: a rule's text, what the camera says, or a short question. */

import { rule } from "./api.js";
import { fill, h } from "./dom.js";
import { iconButton } from "./icons.js";
import { attempt } from "./toast.js";

/** Opens the dialog with a title and what it holds. */
export function openNote(title, ...children) {
  const dialog = document.getElementById("note");
  const close = iconButton("close", "Close", "note-close", closeNote);
  fill(
    dialog,
    h("header", { class: "note__head" }, h("h2", { id: "note-title" }, title), close),
    h("div", { class: "note__body" }, ...children),
  );
  dialog.onclick = (event) => {
    if (event.target === dialog) closeNote();
  };
  if (!dialog.open) dialog.showModal();
}

/** Closes the dialog. */
export function closeNote() {
  document.getElementById("note").close();
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
  openNote(
    row.id,
    h("p", { class: "note__rule" }, row.text),
    row.page && h("p", { class: "quiet" }, `Rulebook, page ${row.page}`),
    row.not_built && h("p", { class: "flag" }, `The program does not do this yet: ${row.not_built}`),
  );
}
