/** What is read stays where it is on the screen while something above it grows or goes. (Safari does not see to that by itself.) */

/**
 * Changes a part of something that scrolls; the first that is seen of it, and that is there still, stands where it stood.
 * @param {Element | null} pane what scrolls; where nothing has left it at its upper edge, it stays as far down as it is
 * @param {() => void} change
 */
export function steadily(pane, change) {
  const scroll = pane?.scrollTop ?? 0;
  const seen = scroll > 0 ? seenIn(pane) : [];
  change();
  if (!scroll) return;
  const still = seen.find(({ one }) => one.isConnected && one.getClientRects().length);
  pane.scrollTop = still ? pane.scrollTop + topOf(still.one) - still.top : scroll;
}

const topOf = (one) => one.getBoundingClientRect().top;

/** What has the keyboard, then what has a key, in order: as far as it begins in what is seen; with where it stands. */
function seenIn(pane) {
  const { top, bottom } = pane.getBoundingClientRect();
  const held = document.activeElement;
  return [...(pane.contains(held) ? [held] : []), ...pane.querySelectorAll("[data-key]")]
    .map((one) => ({ one, top: topOf(one) }))
    .filter((seen) => seen.one.getClientRects().length && seen.top >= top - 1 && seen.top < bottom);
}
