/** The line at the top, and what the camera says of itself. */

import { sentence, setTurn } from "./api.js";
import { fill, h } from "./dom.js";
import { formsHere, passing } from "./forms.js";
import { icon } from "./icons.js";
import { refresh as fetchState } from "./live.js";
import { openNote } from "./note.js";
import { next, passForm } from "./passing.js";
import { atOnce, begin } from "./play.js";
import { refresh } from "./renew.js";
import { judges, mine, select, side, sideIndex, state, view } from "./store.js";
import { attempt, toast } from "./toast.js";
import { verdict, wonClass, wonMark, wonWords } from "./verdict.js";
import { missing, name, titled, turnName } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Wires the buttons once. */
export function makeBar() {
  $("next-side").addEventListener("click", passOn);
  $("theme").addEventListener("click", otherTheme);
  $("camera").addEventListener("click", tellCamera);
  drawTheme();
}

/** Changes between the light page and the dark one, and keeps which. */
export function otherTheme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("vedette-theme", root.dataset.theme);
  } catch {
    // Not kept: a private window.
  }
  drawTheme();
}

/** Draws the turn, the camera's state and the banner. */
export function drawBar() {
  const now = state();
  drawBanner();
  if (view().link === "closed") refresh($("turn"), "closed", () => ["Not joined yet"]);
  if (!now) return;
  if (now.game) {
    drawTurn(now.game.turn);
    document.title = `${turnName(now.game.turn.number)}, ${titled(now.game.turn.active_side ?? "")} · Vedette`;
  }
  drawCamera(now.camera);
}

/**
 * What the rules have an action for is that action, with its dice; else the next side follows at once. Where they have
 * another that ends a turn it is done first, unless the players have just done it. The unit in hand is let go.
 */
async function passOn() {
  $("next-side").disabled = true;
  const here = await formsHere();
  $("next-side").disabled = false;
  if (!here) {
    toast("How a turn ends in these rules has not come from the server yet: try again.");
    return;
  }
  const { turn } = state().game;
  if (!(await ended(turn.active_side)) || state().game.turn.active_side !== turn.active_side) return; // others were quicker
  if (view().unit) select(null); // whose turn is over is out of hand: the next side's units are what comes now
  const { number, side: name } = next();
  const form = passForm();
  if (form) {
    const side = form.fields.some((field) => field.key === "side" && field.required) ? { side: name } : {};
    const title = side.side ? `${titled(name)}: ${form.title}` : form.title;
    begin({ action: form.action, ...side }, form.passes === "turn" ? `Turn ${number} begins` : title, turn);
    return;
  }
  $("next-side").disabled = true;
  await attempt(setTurn(number, name));
  await fetchState();
  $("next-side").disabled = false;
}

/** Ends the turn of a side. Gives whether the next can begin: the game may be over. */
async function ended(side) {
  const form = passing("end");
  const isDone = () => {
    const last = state().log.findLast((entry) => entry.action && !entry.undone)?.action;
    return state().game.turn.active_side !== side || (last?.action === form.action && last.side === side);
  };
  if (!form || state().game.turn.number === 0 || isDone()) return true;
  $("next-side").disabled = true;
  const done = await attempt(atOnce({ action: form.action, side }, isDone));
  $("next-side").disabled = false;
  return Boolean(done) && !verdict();
}

function drawTurn(turn) {
  const active = turn.active_side;
  const over = verdict();
  refresh($("turn"), [turn, over], () => [
    h("span", { class: "bar__number" }, turnName(turn.number)),
    " ",
    over && h("span", { class: `side ${wonClass()}` }, wonMark(), wonWords(true)),
    !over &&
      active &&
      h(
        "span",
        { class: `side side-${sideIndex(active) % 4}` },
        h("span", { class: "side__mark", "aria-hidden": "true" }),
        h("span", { class: "side__name" }, titled(side(active).name)),
      ),
  ]);
  const after = next();
  const button = $("next-side");
  button.hidden = Boolean(over || view().play || view().order) || !mine(null);
  const words = after.number === turn.number ? `${titled(after.side)} next` : `Turn ${after.number}`;
  refresh(button, after, () => [h("span", { class: "side__name" }, words), h("span", { "aria-hidden": "true" }, "›")]);
  button.setAttribute(
    "aria-label",
    `${turn.number > 0 ? `End the turn of ${titled(active ?? "nobody")}` : "Begin the first turn"}: next is ${titled(after.side)}, turn ${after.number}`,
  );
}

/** What the camera's state is called, and how much it matters. */
function cameraWords(camera) {
  if (view().link === "offline") return ["bad", "No answer"];
  if (camera.state === "lost") return ["bad", "Camera lost"];
  if (camera.state === "ended") return ["bad", "Picture ended"];
  if (camera.state === "starting") return ["wait", "Camera starts …"];
  if (camera.bumped) return ["bad", "Camera bumped"];
  if (camera.stale) return ["bad", `Old picture, ${Math.round(camera.age_s ?? 0)} s`];
  if (camera.disturbed) return ["wait", "Hand over the table"];
  if (camera.rms_px === null && !camera.warnings.length) return ["wait", "Measuring …"]; // the first look takes a while
  return ["good", "Live"];
}

function drawCamera(camera) {
  const [mood, words] = cameraWords(camera);
  const measured = mood === "good" && camera.sigma_mm !== null && camera.sigma_mm !== undefined;
  const sigma = measured ? `±${camera.sigma_mm.toFixed(1)} mm` : "";
  const button = $("camera");
  button.dataset.mood = mood;
  refresh(button, [mood, words, sigma, camera.warnings.length], () => [
    h("span", { class: "camera__lamp", "aria-hidden": "true" }),
    h("span", { class: "camera__words" }, words),
    sigma && h("span", { class: "camera__sigma" }, sigma),
    camera.warnings.length > 0 &&
      h(
        "span",
        { class: "camera__warns", "aria-label": `${camera.warnings.length} warnings` },
        `${camera.warnings.length} !`,
      ),
  ]);
}

function tellCamera() {
  const { camera } = state() ?? {};
  if (!camera) return;
  const row = (term, text) => text && [h("dt", {}, term), h("dd", {}, text)];
  openNote(
    "The camera",
    h(
      "dl",
      { class: "facts" },
      row("State", `${cameraWords(camera)[1]}${camera.detail ? `: ${camera.detail}` : ""}`),
      row(
        "Precision",
        camera.sigma_mm !== null &&
          camera.sigma_mm !== undefined &&
          (cameraWords(camera)[0] === "bad"
            ? "no measure is to be trusted just now"
            : `a base stands within ${(2 * camera.sigma_mm).toFixed(1)} mm of where it is drawn`),
      ),
      row(
        "Markers",
        camera.markers_used?.length > 0 &&
          `${camera.markers_used.length} in sight (${camera.markers_used.join(", ")})`,
      ),
      row("Out of sight", unseen().length > 0 && [unseen().map((one) => h("p", {}, one)), h("p", { class: "quiet" }, SEEN_LAST)]),
      row("Fit", camera.rms_px !== null && camera.rms_px !== undefined && `${camera.rms_px.toFixed(2)} px`),
    ),
    camera.warnings.length > 0 &&
      h(
        "ul",
        { class: "warnings" },
        camera.warnings.map((warning) => h("li", {}, sentence(warning))),
      ),
    state().evening && judges() && h("a", { class: "link", href: "/evening#table" }, "Set the camera and the table up"),
  );
}

const SEEN_LAST = "What is out of sight counts where the camera saw it last.";

/** The units of which the camera does not see every figure. */
const unseen = () =>
  Object.entries(state().presence ?? {})
    .map(([id, presence]) => missing(presence) && `${name(id)}: ${missing(presence)}`)
    .filter(Boolean);

function drawBanner() {
  const banner = $("banner");
  const { link } = view();
  const camera = state()?.camera;
  let words = "";
  if (link === "offline") words = "The laptop does not answer. What you see may be old; it comes back by itself.";
  else if (camera?.state === "lost")
    words = `The camera is lost${camera.detail ? `: ${camera.detail}` : ""}. Answers are from the last picture. Check its cable; it comes back by itself.`;
  else if (camera?.bumped)
    words = "The camera or a marker was bumped: trust no measure yet. Hands off the table, all markers in sight, and it finds its place again.";
  else if (state()?.trouble?.length) words = state().trouble.join(" ");
  else if (camera?.stale) words = "The last picture is old. Answers may not be how the table stands now.";
  banner.hidden = !words;
  if (banner.textContent !== words) banner.textContent = words;
}

/** Draws the button that changes the page's light, as the page is just now. */
export function drawTheme() {
  const dark = document.documentElement.dataset.theme === "dark";
  fill($("theme"), icon(dark ? "sun" : "moon"));
  $("theme").setAttribute("aria-label", dark ? "Light page" : "Dark page");
  document.querySelector("meta[name=theme-color]").content = dark ? "#211c17" : "#efe5cf";
}
