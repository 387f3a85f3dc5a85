/** Step 1: which camera looks down on the table, and how it runs. */

import { h } from "../dom.js";
import { cannotLend, lend, lending, stop } from "./lend.js";
import { button, buttons, field, folded, numberIn, select, tick } from "./parts.js";
import { act, change, own, say, view } from "./store.js";

const NONE_HERE = "No camera is plugged into the computer that runs Vedette. Plug one in, and it is listed within seconds.";

export const shows = () => [view().camera, own().source, lending().state, lending().words, lending().devices];
export const shapes = () => [];

export function panel() {
  const { camera } = view();
  const chosen = own().source ?? camera.source ?? camera.cameras[0]?.source ?? "browser";
  const unplugged = /^\d+$/.test(camera.source ?? "") && !camera.cameras.some(({ source }) => source === camera.source);
  const listed = [
    ...camera.cameras.map((one) => [one.source, `${one.name} (${one.source})`]),
    ...(unplugged ? [[camera.source, `Camera ${camera.source}, not plugged in now`]] : []),
    ["browser", "This browser's own camera"],
    ["address", "A network camera, or a phone"],
    ["simulated", "The simulated camera, to try it"],
  ];
  const known = listed.some(([value]) => value === chosen);
  return [
    h("p", {}, "It hangs over the table and looks straight down, so that the whole table and its rim are in the picture. Nobody may bump it during the game."),
    select("Camera", "source", known ? chosen : "address", listed, camera.cameras.length ? {} : { hint: NONE_HERE }),
    (chosen === "address" || !known) &&
      field("Its address", "address", known ? "" : chosen, {
        type: "text", inputmode: "url", placeholder: "http://192.168.1.20:8080/video",
        hint: "The app on the phone shows it: http:// … or rtsp:// … A video file or a folder of pictures works as well.",
      }),
    /^\d+$/.test(chosen) && device(camera),
    chosen === "browser" && lender(),
    buttons(button(camera.source === null ? "Use this camera" : "Use these settings", use, { key: "use-camera" })),
  ];
}

function device(camera) {
  const sizes = camera.sizes.map(([width, height]) => [`${width}x${height}`, `${width} × ${height}`]);
  return [
    select("Picture", "size", `${camera.width_px}x${camera.height_px}`, sizes, {
      hint: "As large as it goes: full HD is enough for a table of 6 × 4 ft.",
    }),
    tick("Lock the focus", "lock_focus", camera.lock_focus),
    tick("Lock the exposure", "lock_exposure", camera.lock_exposure),
    folded(
      "Focus by hand",
      "more-focus",
      field("Focus", "focus", camera.focus ?? "", { type: "number", min: 0, max: 1023, hint: "Most drivers: 0 is far, 255 near. Empty: where it is." }),
    ),
  ];
}

function lender() {
  const { state, words, devices, device: lent } = lending();
  const why = cannotLend();
  if (why) return h("p", { class: "flag" }, why);
  return [
    words && h("p", { class: "flag" }, words),
    state === "on" && !words && h("p", { class: "eve-good" }, "This browser lends its camera. Leave the page open; the table's page lends it as well."),
    devices.length > 1 && select("Which one", "lent", lent, devices.map((one) => [one.id, one.name]), { onpick: (id) => lend(id) }),
    state === "on" && button("Lend it no more", stop, { quiet: true, key: "lend-stop" }),
  ];
}

async function use() {
  const { camera } = view();
  const picked = own().source ?? camera.source ?? camera.cameras[0]?.source ?? "browser";
  const source = picked === "address" ? (own().address ?? "").trim() : picked;
  if (!source) return say("Type the camera's address first.", true);
  const [width, height] = String(own().size ?? `${camera.width_px}x${camera.height_px}`).split("x").map(Number);
  const focus = numberIn("focus", camera.focus);
  const asked = { source, width_px: width, height_px: height, lock_focus: own().lock_focus ?? camera.lock_focus, lock_exposure: own().lock_exposure ?? camera.lock_exposure };
  const done = await act("The camera starts …", "camera", Number.isFinite(focus) && focus !== null ? { ...asked, focus } : asked);
  if (!done) return;
  change({ source: undefined, address: undefined });
  if (source === "browser") lend();
  else if (lending().state !== "off") stop();
}
