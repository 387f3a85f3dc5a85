/**
 * What the page knows: the server's last state, and what this reader is looking at. One value each,
 * replaced and never edited; whoever draws is told once a frame.
 */

/**
 * @typedef {object} View
 * @property {string | null} unit the selected unit
 * @property {{key: string, target: string, shooters: string[], seen: string[], option: any} | null} lit the option in hand: at whom, by whom
 * @property {"orders" | "log"} pane which half shows on a phone
 * @property {"peek" | "half" | "full" | "dice"} sheet how far the sheet is drawn up on a phone
 * @property {"tape" | "correct" | null} tool
 * @property {"photo" | "plain"} ground
 * @property {number} quarter how many quarter turns the map is turned
 * @property {"live" | "polling" | "offline" | "closed"} link
 * @property {{action: object, dice: number[], typed: number[]} | null} play an action whose dice are being typed
 * @property {import("./order.js").Order | null} order an action whose form is being filled in
 * @property {boolean} wall whether the page is a big screen that nobody touches
 * @property {string | null} piece the marker in hand on a campaign's map
 * @property {number} known grows with whatever the page learns beside the state: forms, what is open, the grid
 */

const PRESS_MS = 5000;
const KEPT = { ground: "vedette-ground", quarter: "vedette-quarter" };

function recalled(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @type {{state: any, view: View}} */
const now = {
  state: null,
  live: null,
  past: null,
  view: {
    unit: fromHash(),
    lit: null,
    pane: "orders",
    sheet: "half",
    tool: null,
    ground: recalled(KEPT.ground, "photo"),
    quarter: recalled(KEPT.quarter, 0),
    link: "polling",
    play: null,
    order: null,
    piece: null,
    known: 0,
    wall: false,
  },
};

const listeners = new Set();
let asked = false;
let pressed = false;
let patience = 0;

/** The server's state, null until it first arrived. */
export const state = () => now.state;

/** @returns {View} */
export const view = () => now.view;

/** Calls `draw` once a frame after any change. */
export function onChange(draw) {
  listeners.add(draw);
}

/** What else the server told hangs on: the table as it is drawn, and whose page this is. */
export const moment = () => JSON.stringify([now.live?.drawn, now.live?.seat]);

/** Forgets the state: another seat knows other things. */
export function forget() {
  now.state = now.live = null;
  look({ unit: null, lit: null, order: null, known: now.view.known + 1 });
}

/** Takes in what of the server's state is newer; one who looks back sees it when he comes back. */
export function takeState(next) {
  if (!("game" in next || now.live)) return; // what is left out was known to the seat before: all of it comes now
  const whole = "game" in next ? { game: next.game && withCounters(next) } : {};
  now.live = { ...now.live, ...next, ...whole };
  now.state = now.past ? looking(now.past) : now.live;
  if (now.view.unit && !unit(now.view.unit)) look({ unit: null, lit: null });
  tell();
}

/** A unit without figures that stands in a cell of a grid has one for the map: a counter in the middle of its cell. */
function withCounters({ game, cells }) {
  const size = game.table.grid?.size_mm;
  const units = game.units.map((one) => {
    const place = cells?.[one.id]?.counter;
    if (!place || one.figures.length) return one;
    const base = { shape: "rect", width_mm: size * 0.56, depth_mm: size * 0.34 };
    return { ...one, counter: true, figures: [{ id: one.id, role: "counter", base, ...place }] };
  });
  return { ...game, units };
}

/** Changes what the reader looks at. @param {Partial<View>} patch */
export function look(patch) {
  now.view = { ...now.view, ...patch };
  if ("unit" in patch) writeHash(patch.unit);
  for (const [name, key] of Object.entries(KEPT)) if (name in patch) keep(key, patch[name]);
  tell();
}

/** Selects a unit, or nobody. */
export function select(id) {
  look({ unit: id, lit: null, order: null, pane: "orders", sheet: now.view.sheet === "full" ? "half" : now.view.sheet });
}

/** A unit of the game by its id. */
export const unit = (id) => now.state?.game?.units.find((one) => one.id === id) ?? null;

/** What the engine answered for a unit. */
export const answerFor = (id) => now.state?.answer?.units.find((one) => one.unit === id) ?? null;

/** Shows the table as it was (`/api/then`), or, with null, as it is. */
export function takePast(past) {
  now.past = past;
  now.state = past ? looking(past) : now.live;
  look({ unit: null, lit: null, order: null });
}

/** The entry that is looked back to, null where the table is shown as it is. */
export const pastOf = () => now.past;

/** The state with the game as it was: nothing can be done in it, and the camera's picture is of now. */
function looking(past) {
  const game = withCounters(past);
  return { ...now.live, game, cells: past.cells, verdict: null, answer: { units: [] }, presence: {}, strays: [], picture: null };
}

/** Whether this is the campaign's page, where it is nobody's turn on the table. */
export const between = document.body.dataset.page === "campaign";

/** Whether whoever reads this page gives a unit its orders; null: what belongs to the turn. */
export function mine(id) {
  const { seat, game } = now.state ?? {};
  if (now.past) return false;
  if (!seat || seat.kind === "umpire") return true;
  if (seat.kind === "spectator") return false;
  if (seat.officer && !id) return false;
  if (id && holder(seat, id) !== (seat.officer ?? null)) return false;
  if (between && !id) return true;
  const side = id ? unit(id)?.side : game.turn.active_side;
  return side === seat.side || side === null;
}

/** The officer to whom a unit of one's side has been handed; null: the commander's. */
const holder = (seat, id) => (seat.handed_out ?? []).find(([unitId]) => unitId === id)?.[1] ?? null;

/** Whether whoever reads this page may overrule the rules. */
export const judges = () => (now.state?.seat?.kind ?? "umpire") === "umpire";

/** Whether the page is opened as a big screen, which a whole room sees. */
export const bigScreen = () => new URLSearchParams(location.search).get("screen") === "big";

/** The place of a side in the game's order: 0, 1, … */
export const sideIndex = (name) => Math.max(0, now.state?.sides.findIndex((side) => side.name === name) ?? 0);

/** A side as the page draws it. */
export const side = (name) => now.state?.sides[sideIndex(name)];

function tell() {
  if (asked) return;
  asked = true;
  if (!pressed) requestAnimationFrame(draw);
}

function draw() {
  if (pressed) return; // the release sees to it
  asked = false;
  for (const each of listeners) each();
}

/**
 * Between the press and the release of a button nothing is drawn anew: it might be another then, or gone, and the touch
 * lost. A release that never comes (the mouse was let go elsewhere) does not hold the page up for long.
 */
function press(event) {
  if (!event.target.closest?.("#sheet button, #sheet summary, .label, .cover")) return;
  pressed = true;
  clearTimeout(patience);
  patience = setTimeout(release, PRESS_MS);
}

function release() {
  if (!pressed) return;
  pressed = false;
  clearTimeout(patience);
  if (asked) setTimeout(() => requestAnimationFrame(draw)); // after the click that follows the release
}

addEventListener("pointerdown", press, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, true);
addEventListener("blur", release); // of the window; that of a control comes with every press elsewhere

function fromHash() {
  return new URLSearchParams(location.hash.slice(1)).get("unit");
}

function writeHash(id) {
  const wanted = id ? `#unit=${encodeURIComponent(id)}` : "";
  if (location.hash !== wanted) history.replaceState(history.state, "", wanted || location.pathname);
}

/** Writes the address of what is looked at into the browser's history again. */
export const writeAddress = () => writeHash(now.view.unit);

addEventListener("hashchange", () => {
  if (!location.hash.includes("join=")) look({ unit: fromHash() }); // a code is for the door to take
});

function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Not kept: a private window. The page works all the same.
  }
}
