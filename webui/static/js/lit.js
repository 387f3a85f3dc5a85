/** The screen stays lit while something needs it: a big screen for the room, a browser that lends its camera. */

const needed = new Set();
let lock = null;

/** Says whether `what` needs the screen lit. Over plain HTTP from another computer, that one's own settings decide. */
export function keepLit(what, on) {
  if (needed.has(what) === on) return;
  if (on) needed.add(what);
  else needed.delete(what);
  light();
}

async function light() {
  try {
    await lock?.release();
    lock = needed.size ? await navigator.wakeLock?.request("screen") : null;
  } catch {
    lock = null;
  }
}

document.addEventListener("visibilitychange", () => !document.hidden && needed.size && light()); // a hidden page loses it
