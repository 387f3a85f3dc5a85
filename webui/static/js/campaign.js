/** Puts the campaign's page together: its map or cards, the orders between battles, the log. */

import { makeBack } from "./back.js";
import { drawTheme, otherTheme } from "./bar.js";
import { campaign, fetchCampaign } from "./campaigns.js";
import { campaignPanel, campaignShows, piecePanel, unitPanel } from "./campaignpanel.js";
import { drawCountry, makeCountry } from "./country.js";
import { diceKey, dicePanel, diceShows, putDiceAway } from "./dice.js";
import { goLive } from "./live.js";
import { drawLog } from "./log.js";
import { leave } from "./note.js";
import { closeOrder } from "./order.js";
import { orderPanel, orderShows } from "./orderpanel.js";
import { keepUp, takeUp } from "./play.js";
import { refresh } from "./renew.js";
import { drawSeat, enterByLink, makeSeat } from "./seat.js";
import { drawSheet, makeSheet } from "./sheet.js";
import { makeSkip } from "./skip.js";
import { look, onChange, state, unit, view, writeAddress } from "./store.js";
import { keepOrder, takeUpOrder } from "./unfinished.js";

const $ = (id) => document.getElementById(id);
let began = false;
let shownStep = "";

function draw() {
  drawSeat();
  drawSheet();
  drawBanner();
  if (!state()?.game) return;
  fetchCampaign();
  if (!campaign()) return;
  state().sides.forEach((side, index) => {
    if (/^#[0-9a-fA-F]{6}$/.test(side.colour))
      document.documentElement.style.setProperty(`--side-${index % 4}`, side.colour);
  });
  drawStage();
  drawCountry();
  drawOrders();
  drawLog($("log"));
  keepUp();
  keepOrder();
  document.body.dataset.ready = String(campaign().revision);
  if (!began) {
    began = true;
    takeUp();
    takeUpOrder();
  }
}

function drawStage() {
  const { view: shown } = campaign();
  const words = shown ? shown.stage || shown.title : "No campaign";
  if ($("stage").textContent !== words) $("stage").textContent = words;
  document.title = `${words} · Vedette`;
}

function drawOrders() {
  const { play, order, piece } = view();
  const one = unit(view().unit);
  const chosen = campaign().view?.pieces?.find((other) => other.id === piece);
  const known = [campaign(), ...campaignShows()];
  if (play) refresh($("orders"), ["dice", diceShows()], dicePanel);
  else if (order) refresh($("orders"), ["order", ...orderShows(), known], orderPanel);
  else if (chosen) refresh($("orders"), ["piece", piece, known], () => piecePanel(chosen));
  else if (one) refresh($("orders"), ["unit", one, known], () => unitPanel(one));
  else refresh($("orders"), ["campaign", known], campaignPanel);
  const step = play ? `dice ${Boolean(play.entry)}` : order ? `order ${order.action}` : `${piece} ${one?.id}`;
  if (step === shownStep) return;
  shownStep = step;
  $("orders").scrollTop = 0;
  const title = play ? "dice-title" : order ? "order-title" : null;
  if (title) $("orders").querySelector(`[data-key=${title}]`)?.focus({ preventScroll: true });
}

function drawBanner() {
  const words =
    view().link === "offline" ? "The laptop does not answer. What you see may be old; it comes back by itself." : "";
  $("banner").hidden = !words;
  if ($("banner").textContent !== words) $("banner").textContent = words;
}

function onKey(event) {
  if ($("note").open) return;
  if (diceKey(event)) event.preventDefault();
  else if (event.key === "Escape") closeTopmost();
}

/** Whether anything lies over the campaign itself: Back closes it. */
const isOpen = () => Boolean($("note").open || view().play || view().order || view().piece || view().unit);

/** Closes what was opened last. */
function closeTopmost() {
  if ($("note").open) leave();
  else if (view().order) closeOrder();
  else if (view().play) putDiceAway();
  else look({ piece: null, unit: null });
}

$("theme").addEventListener("click", otherTheme);
drawTheme();
makeSkip();
makeSeat();
makeSheet();
makeCountry($("map"), $("tools"));
onChange(draw);
const watchBack = makeBack({ isOpen, close: closeTopmost, settle: writeAddress });
onChange(watchBack);
new MutationObserver(watchBack).observe($("note"), { attributes: true, attributeFilter: ["open"] });
addEventListener("keydown", onKey);
enterByLink().then(goLive);
