/** Puts the page together: one drawing pass over the page for every change of what it knows. */

import { makeBack } from "./back.js";
import { drawBar, makeBar } from "./bar.js";
import { diceKey, dicePanel, diceShows, putDiceAway } from "./dice.js";
import { h } from "./dom.js";
import { drawHandles, dropGhost, handlePoints, placeHandles } from "./drag.js";
import { drawTable } from "./figures.js";
import { grabbed, makeGrab } from "./grab.js";
import { drawGrid } from "./grid.js";
import { arrange, drawLabels } from "./labels.js";
import { goLive } from "./live.js";
import { drawLog } from "./log.js";
import { fit, layTable, makeMap, map, showPoints } from "./map.js";
import { closeOrder } from "./order.js";
import { orderPanel, orderShows } from "./orderpanel.js";
import { drawMoved } from "./moved.js";
import { drawOverlay, pointsOfInterest, spreadRanges } from "./overlay.js";
import { comeBack, pastPanel, pastShows } from "./past.js";
import { leave } from "./note.js";
import { drawPicks } from "./picking.js";
import { drawPlans, fitPlans } from "./plans.js";
import { drawProposals } from "./proposals.js";
import { keepUp, takeUp } from "./play.js";
import { callQuestions } from "./questions.js";
import { callReactions } from "./reactions.js";
import { refresh } from "./renew.js";
import { drawRollers, showRollers } from "./rollers.js";
import { roster, rosterShows } from "./roster.js";
import { drawScale } from "./scale.js";
import { drawSeat, enterByLink, makeSeat } from "./seat.js";
import { drawSheet, makeSheet } from "./sheet.js";
import { makeSkip } from "./skip.js";
import { answerFor, bigScreen, look, onChange, pastOf, select, state, unit, view, writeAddress } from "./store.js";
import { rollUp } from "./tape.js";
import { followQuestion } from "./theirs.js";
import { drawTemplates } from "./templates.js";
import { watchCasualties } from "./todo.js";
import { drawTools, mapTouch } from "./tools.js";
import { keepOrder, takeUpOrder } from "./unfinished.js";
import { unitPanel, unitShows } from "./unitpanel.js";
import { drawWall, showWall } from "./wall.js";

const orders = document.getElementById("orders");
const note = document.getElementById("note");
let began = false;
const AROUND_MM = 320;
const SHEET_MS = 220; // the sheet has made room by then
let shownTouching = null;
let soon = 0; // the map is about to be moved there
let shownUnit = null;
let shownStep = "";

function draw() {
  drawBar();
  drawSeat();
  drawSheet();
  if (!state()?.game) return drawNothing();
  paintSides();
  drawTools();
  layTable();
  drawTable();
  drawGrid();
  drawProposals();
  drawOverlay();
  drawTemplates();
  drawPlans();
  drawMoved();
  drawPicks();
  drawRollers();
  drawHandles();
  drawScale();
  drawLabels();
  watchCasualties();
  drawOrders();
  callReactions();
  callQuestions();
  followQuestion();
  keepUp();
  keepOrder();
  drawWall();
  drawLog(document.getElementById("log"));
  document.body.dataset.ready = String(state().revision);
  if (!began) {
    began = true;
    if (bigScreen()) showWall(true);
    else {
      takeUp();
      takeUpOrder();
    }
  }
}

/** What stands there while there is no game. */
function drawNothing() {
  if (!state()) return;
  refresh(orders, ["nothing", state().trouble], () => [
    h("h2", { class: "pane__title" }, "No game yet"),
    h(
      "p",
      { class: "quiet" },
      "Vedette waits for the first good look at the table: all table markers in sight, nobody leaning over it.",
    ),
  ]);
}

/** The left half of what a player reads: the dice, the unit, or all units. */
function drawOrders() {
  const { play, order } = view();
  const one = unit(view().unit);
  if (pastOf()) refresh(orders, ["past", ...pastShows()], pastPanel);
  else if (play) refresh(orders, ["dice", diceShows()], dicePanel);
  else if (order) refresh(orders, ["order", ...orderShows()], orderPanel);
  else if (one) refresh(orders, ["unit", ...unitShows()], unitPanel);
  else refresh(orders, ["roster", ...rosterShows()], roster);
  const step = play ? `dice ${Boolean(play.entry)}` : order ? `order ${order.action}` : (one?.id ?? "");
  if (step !== shownStep) {
    shownStep = step;
    orders.scrollTop = 0;
    const title = play ? "dice-title" : order ? "order-title" : null;
    if (title) orders.querySelector(`[data-key=${title}]`)?.focus({ preventScroll: true });
  }
  const touching = order?.picking ? unit(order.unit) : null;
  if ((touching?.id ?? null) !== shownTouching) {
    shownTouching = touching?.id ?? null;
    clearTimeout(soon);
    if (touching) soon = setTimeout(() => showPoints(around(touching.figures)), SHEET_MS);
  }
  if (one?.id !== shownUnit) {
    shownUnit = one?.id ?? null;
    if (one) requestAnimationFrame(() => showUnit(one));
  }
}

const showUnit = (one) => showPoints([...pointsOfInterest(one, answerFor(one.id)), ...handlePoints(one.figures)]);

/** Looks again at what is in hand: a turned phone has another room for it. */
function lookAgain() {
  const one = unit(view().unit);
  if (showRollers()) return;
  if (one) showUnit(one);
  else fit(true);
}

/** The corners of the table round figures: what is touched for them mostly lies there. */
const around = (figures) =>
  figures.flatMap(({ x_mm: x, y_mm: y }) => [
    [x - AROUND_MM, y - AROUND_MM],
    [x + AROUND_MM, y + AROUND_MM],
  ]);

/** The sides' colours become the page's; a name or a colour of a file is never markup. */
function paintSides() {
  state().sides.forEach((side, index) => {
    if (/^#[0-9a-fA-F]{6}$/.test(side.colour))
      document.documentElement.style.setProperty(`--side-${index % 4}`, side.colour);
  });
}

/** A browser that lends its camera goes on while it shows the table. */
async function goOnLending() {
  try {
    if (sessionStorage.getItem("vedette-lends")) (await import("./evening/lend.js")).resume();
  } catch {
    // A private window: it lends on the page of the first evening alone.
  }
}

/** Puts what is written on the map in its place again: after a zoom, and once the sheet has another height. */
function arrangeMap() {
  if (!state()?.game) return;
  placeHandles();
  spreadRanges();
  fitPlans();
  drawScale();
  arrange();
}

function onKey(event) {
  if (note.open) return;
  if (diceKey(event)) {
    event.preventDefault();
    return;
  }
  if (event.key !== "Escape") return;
  if (view().wall) showWall(false);
  else closeTopmost();
}

/** Whether anything lies over the list of all units: Back closes it. */
const isOpen = () => {
  const { wall, tool, order, play, unit: chosen } = view();
  return !wall && Boolean(note.open || tool || pastOf() || order || play || chosen);
};

/** Closes what was opened last. */
function closeTopmost() {
  if (note.open) return leave();
  if (dropGhost()) return;
  if (view().tool) {
    rollUp();
    look({ tool: null });
  } else if (pastOf()) comeBack();
  else if (view().order) closeOrder();
  else if (view().play) putDiceAway();
  else select(null);
}

makeBar();
makeSkip();
makeSeat();
makeSheet();
makeMap((point, slack) => grabbed() || mapTouch(point, slack), () => setTimeout(lookAgain, SHEET_MS));
makeGrab();
map.on("zoomend moveend resize viewreset", arrangeMap);
document.getElementById("sheet").addEventListener("transitionend", ({ target }) => target.id === "sheet" && arrangeMap());
onChange(draw);
const watchBack = makeBack({ isOpen, close: closeTopmost, settle: writeAddress });
onChange(watchBack);
new MutationObserver(watchBack).observe(note, { attributes: true, attributeFilter: ["open"] });
document.getElementById("map").addEventListener("pointerdown", () => clearTimeout(soon), true); // not under a finger
addEventListener("keydown", onKey);
enterByLink().then(goLive);
goOnLending();
