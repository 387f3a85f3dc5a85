/** The game as a whole, the umpire's to handle: its battle report, one file out and one in, and its other courses. */

import { branch, importGame } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { refresh } from "./live.js";
import { closeNote, openNote } from "./note.js";
import { comeBack } from "./past.js";
import { judges, look, state } from "./store.js";
import { attempt, toast } from "./toast.js";

const FILES = [
  ["/api/report.html", "Battle report", "One page with maps, pictures and figures", false],
  ["/api/report.pdf", "The report as a PDF", "To print, or to send", true],
  ["/api/roster.pdf", "The rosters as a PDF", "A page for each side, with room to write", true],
  ["/api/report.webm", "Time-lapse", "A film of the camera's pictures", true],
  ["/api/log/export", "Export the game", "One file with every entry, to keep or to go on with elsewhere", true],
];

/** The button that opens it; nothing for whoever may not. */
export const wholeButton = () =>
  judges() &&
  h(
    "button",
    { class: "button button--quiet", type: "button", data: { key: "whole" }, on: { click: tellWhole } },
    "Report, files",
  );

function tellWhole() {
  const pictures = state().pictures ?? 0;
  const offered = FILES.filter(([path]) => !path.endsWith("webm") || pictures > 1);
  openNote(
    "The whole game",
    h("ul", { class: "choices" }, offered.map(([path, title, hint, keep]) => h("li", {}, link(path, title, hint, keep)))),
    h("h3", { class: "pane__sub" }, "Go on with an exported game"),
    h("p", { class: "quiet" }, "The file is checked first. The game that is played now is put aside, not lost."),
    picker(),
  );
}

const link = (path, title, hint, keep) =>
  h(
    "a",
    { class: "act", href: path, download: keep ? "" : null, target: keep ? null : "_blank", data: { key: `file-${path}` } },
    h("span", { class: "act__title" }, title),
    h("span", { class: "act__hint" }, hint),
  );

function picker() {
  const take = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    event.target.disabled = true;
    const done = await attempt(file.text().then(importGame));
    event.target.disabled = false;
    event.target.value = "";
    if (!done) return;
    closeNote();
    comeBack();
    await refresh();
    toast(`The game goes on where the file ends, at entry ${done.entries}.`);
  };
  return h("input", {
    class: "field field--file",
    type: "file",
    accept: ".jsonl,application/jsonl,text/plain",
    "aria-label": "The exported game's file",
    data: { key: "import" },
    on: { change: take },
  });
}

/** Asks, and lets the game go on from after an entry. */
export function askBranch(number, title) {
  const go = async () => {
    closeNote();
    if (!(await attempt(branch(number)))) return;
    comeBack();
    await refresh();
    look({ pane: "log" });
    document.getElementById("log").scrollTop = 0;
  };
  openNote(
    "Go on from here?",
    h("p", {}, `The game will stand as it did after: ${title}.`),
    h(
      "p",
      { class: "quiet" },
      "What was played since is kept in the log, and you can come back to it.",
      state().mode === "demo" ? "" : " Set the figures back on the table as the map shows them.",
    ),
    h("button", { class: "button", type: "button", data: { key: "branch-go" }, on: { click: go } }, "Go on from here"),
  );
}

/** The courses that the game has left, each with the way back to it. */
export function courses() {
  const left = state().courses ?? [];
  if (!left.length) return null;
  return h(
    "section",
    { class: "courses", "aria-label": "Other courses of this game" },
    h("h3", { class: "log__number" }, "Other courses of this game"),
    h(
      "ul",
      { class: "courses__list" },
      left.map((one) =>
        h(
          "li",
          { class: "courses__one" },
          h(
            "span",
            {},
            h("b", {}, `Left after entry ${one.leaves}`),
            `: ${one.entries} ${one.entries === 1 ? "entry" : "entries"}, the last: ${one.title}`,
          ),
          judges() &&
            h(
              "button",
              {
                class: "button button--quiet",
                type: "button",
                data: { key: `course-${one.tip}` },
                on: { click: () => askBranch(one.tip, one.title) },
              },
              icon("undo"),
              "Back to it",
            ),
        ),
      ),
    ),
  );
}
