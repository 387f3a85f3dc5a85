/** Puts the first evening's page together: the steps, the camera's picture, and what is to be done. */

import { h } from "../dom.js";
import { refresh } from "../renew.js";
import { makeSkip } from "../skip.js";
import * as armies from "./armies.js";
import * as camera from "./camera.js";
import * as ground from "./ground.js";
import * as length from "./length.js";
import { onLending, resume } from "./lend.js";
import * as lens from "./lens.js";
import { drawShapes, makePicture, showFrame, wantLoop, wantPlace } from "./picture.js";
import { busy, change, goLive, link, onChange, own, view, why } from "./store.js";
import * as table from "./table.js";
import * as units from "./units.js";

const STEPS = { camera, lens, table, length, armies, units, ground };
const IDS = Object.keys(STEPS);
const MOODS = { good: "done", todo: "to do", trouble: "something is wrong" };
const SHORT = { camera: "Camera", lens: "Lens", table: "Table", length: "Length", armies: "Armies", units: "Units", ground: "Ground" };

const $ = (id) => document.getElementById(id);
let opened = null;

/** Goes to a step. */
function go(id) {
  change({ step: id, said: null, aim: null, drawing: false, corner: false });
  if (location.hash === `#${id}`) return;
  history[opened ? "pushState" : "replaceState"](null, "", `#${id}`); // Back leads to the step before
}

function draw() {
  drawBanner();
  const now = view();
  if (!now || link() === "closed") return;
  const id = opened ? own().step : firstOpen();
  if (id !== own().step) return go(id);
  if (opened !== id) {
    opened = id;
    STEPS[id].open?.();
    $("panel").scrollTop = 0;
  }
  drawSteps(now, id);
  showFrame(now.camera.frame, now.camera.size_px);
  drawEmpty(now);
  $("leave").hidden = now.camera.source === null || !now.table.markers.length;
  drawPanel(now, id);
  drawFoot(now, id);
  drawShapes(STEPS[id].shapes());
  const touch = STEPS[id].touch?.() ?? null;
  const loop = STEPS[id].loop?.() ?? null;
  wantPlace(touch && !busy() ? touch.take : null, touch?.hint ?? (loop ? "Draw a line round the bases of one unit." : ""));
  wantLoop(loop);
  document.body.dataset.ready = String(now.revision);
}

/** The step that the address names, else the first that is not done. */
function firstOpen() {
  const named = location.hash.slice(1);
  if (IDS.includes(named)) return named;
  return view().steps.find((step) => step.mood !== "good")?.id ?? IDS[0];
}

function drawSteps(now, id) {
  refresh($("steps"), [now.steps.map((step) => step.mood), id], () => [
    h("ol", { class: "steps" }, now.steps.map((step, place) => h("li", {},
      h("button", {
        class: `step step--${step.mood}`, type: "button", "aria-current": step.id === id ? "step" : null, data: { key: `step-${step.id}` },
        "aria-label": `${place + 1}. ${step.title}: ${MOODS[step.mood]}`, on: { click: () => go(step.id) },
      }, h("span", { class: "step__mark", "aria-hidden": "true" }, step.mood === "good" ? "✓" : step.mood === "trouble" ? "!" : String(place + 1)), h("span", { class: "step__name" }, SHORT[step.id]))))),
  ]);
}

function drawPanel(now, id) {
  const step = now.steps.find((one) => one.id === id);
  const said = own().said?.step === id ? own().said : null;
  refresh($("panel"), [id, step, said, busy(), STEPS[id].shows()], () => [
    h("h2", { class: "eve-title", tabindex: "-1", data: { key: "title" } }, step.title),
    h("div", { class: `eve-says eve-says--${step.mood}`, role: "status", data: { key: "says" } }, step.says.map((text) => h("p", {}, text))),
    busy() && h("p", { class: "eve-busy", role: "status" }, busy()),
    said && h("p", { class: said.bad ? "flag eve-said" : "eve-good eve-said", role: "alert" }, said.text),
    STEPS[id].panel(),
  ]);
  bringUp(said);
}

let shownForm = "";

/** A form that opens, and what is said of what was done, come into sight. */
function bringUp(said) {
  const panel = $("panel");
  const form = panel.querySelector(".eve-form");
  const key = `${form?.getAttribute("aria-label") ?? ""} ${said?.text ?? ""} ${panel.querySelector("[data-key=taped]")?.textContent ?? ""}`;
  if (key === shownForm) return;
  shownForm = key;
  (said ? panel.querySelector(".eve-said") : (panel.querySelector("[data-key=taped]") ?? form))?.scrollIntoView({ block: "nearest" });
  if (!said && form) panel.scrollTop = form.offsetTop - panel.offsetTop - 8;
}

function drawFoot(now, id) {
  const place = IDS.indexOf(id);
  const all = now.steps.every((step) => step.mood === "good");
  refresh($("foot"), [id, all, busy()], () => [
    place > 0 ? h("button", { class: "button button--quiet", type: "button", data: { key: "back" }, on: { click: () => go(IDS[place - 1]) } }, "Back") : h("span", {}),
    place < IDS.length - 1
      ? h("button", { class: "button", type: "button", data: { key: "next" }, on: { click: () => go(IDS[place + 1]) } }, `Next: ${SHORT[IDS[place + 1]]}`)
      : h("a", { class: "button", href: "/", data: { key: "play" } }, "Play"),
  ]);
}

function drawEmpty(now) {
  const words = now.camera.source === null ? "No camera is chosen yet." : (now.camera.detail || "The camera starts …");
  const empty = $("empty");
  if (empty.textContent !== words) empty.textContent = words;
}

function drawBanner() {
  const banner = $("banner");
  let words = "";
  if (link() === "offline") words = "The laptop does not answer. Nothing is lost; it comes back by itself.";
  else if (link() === "closed") words = why();
  banner.hidden = !words;
  if (banner.textContent !== words) banner.textContent = words;
}

makeSkip();
makePicture($("picture"));
onChange(draw);
onLending(() => change({}));
addEventListener("hashchange", () => IDS.includes(location.hash.slice(1)) && go(location.hash.slice(1)));
goLive();
resume();
