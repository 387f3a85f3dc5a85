/** This browser's camera, lent to the laptop: picture after picture is sent as long as the page is open. */

import { keepLit } from "../lit.js";

const KEY = "vedette-lends";
const PAUSE_MS = 250;
const QUALITY = 0.92;

const now = { state: "off", words: "", stream: null, devices: [], device: null, sent: 0 };
const listeners = new Set();

/** How the lending stands: `state` is off, asking, on or bad; `words` says what is wrong and what to do. */
export const lending = () => now;

/** Calls `told` whenever the lending changes. */
export const onLending = (told) => listeners.add(told);

/** Whether this browser can lend a camera at all; else why not, in words. */
export function cannotLend() {
  if (!window.isSecureContext)
    return "A browser lends its camera only on the laptop itself (localhost) or over https. On a phone, use an app that makes it a network camera, and give its http:// address above.";
  if (!navigator.mediaDevices?.getUserMedia) return "This browser has no way to lend a camera. Try another browser.";
  return null;
}

/** Begins to lend; `device` is the id of one of several cameras. */
export async function lend(device = null) {
  stop();
  const why = cannotLend();
  if (why) return be("bad", why);
  be("asking", "The browser asks whether it may use the camera: allow it.");
  const video = { width: { ideal: 1920 }, height: { ideal: 1080 }, ...(device ? { deviceId: { exact: device } } : { facingMode: "environment" }) };
  try {
    now.stream = await navigator.mediaDevices.getUserMedia({ video, audio: false });
  } catch (error) {
    return be("bad", wordsOf(error));
  }
  now.device = now.stream.getVideoTracks()[0]?.getSettings().deviceId ?? device;
  const all = await navigator.mediaDevices.enumerateDevices();
  now.devices = all.filter((one) => one.kind === "videoinput").map((one, i) => ({ id: one.deviceId, name: one.label || `camera ${i + 1}` }));
  keep(now.device ?? "any");
  be("on", "");
  now.stream.getVideoTracks()[0].addEventListener("ended", () => be("bad", "The camera was taken away: plug it in again, and lend it anew."));
  send(now.stream);
}

/** Lends no more. */
export function stop() {
  for (const track of now.stream?.getTracks() ?? []) track.stop();
  now.stream = null;
  keep(null);
  be("off", "");
}

/** Goes on lending after a reload or on another page of ours, where it was lent before. */
export function resume() {
  let kept = null;
  try {
    kept = sessionStorage.getItem(KEY);
  } catch {
    // A private window: it is lent anew by hand.
  }
  if (kept && now.state === "off") lend(kept === "any" ? null : kept);
}

async function send(stream) {
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  await video.play().catch(() => null);
  const canvas = document.createElement("canvas");
  while (now.stream === stream) {
    if (video.videoWidth) await sendOne(video, canvas);
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  video.srcObject = null;
}

async function sendOne(video, canvas) {
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0);
  const jpeg = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  if (!jpeg) return;
  try {
    const answer = await fetch("/api/evening/frame", { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: jpeg });
    if (answer.ok) {
      now.sent += 1;
      if (now.words) be("on", "");
      return;
    }
    const { error } = await answer.json().catch(() => ({}));
    be("on", error ?? `The laptop said ${answer.status}.`);
  } catch {
    be("on", "The laptop does not answer; it is tried again.");
  }
  await new Promise((done) => setTimeout(done, 1500));
}

function wordsOf(error) {
  if (error.name === "NotAllowedError") return "The browser may not use the camera: allow it beside the address, and try again.";
  if (error.name === "NotFoundError" || error.name === "OverconstrainedError") return "No camera was found: plug one in, and try again.";
  if (error.name === "NotReadableError") return "Another program has the camera: close that, and try again.";
  return `The camera cannot be used (${error.name}).`;
}

function keep(value) {
  try {
    if (value) sessionStorage.setItem(KEY, value);
    else sessionStorage.removeItem(KEY);
  } catch {
    // A private window: it is lent anew by hand after a reload.
  }
}

function be(state, words) {
  now.state = state;
  now.words = words;
  keepLit("camera", state === "on"); // a screen that goes dark stops the pictures
  for (const told of listeners) told();
}
