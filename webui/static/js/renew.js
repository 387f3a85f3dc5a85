/**
 * Showing what has changed without taking away what is in somebody's hand: an element that is still wanted stays the same
 * element, with its focus, its caret, what is half typed in it and the finger on it; only what differs is set.
 */

import { handOver, nodes } from "./dom.js";
import { steadily } from "./steady.js";

/** @typedef {import("./dom.js").Child} Child */

const shownIn = new WeakMap(); // element → what it shows, and that as text
const apart = new WeakSet();

/**
 * Rebuilds an element only when what it shows has changed, and keeps what the reader was doing.
 * @param {HTMLElement} element
 * @param {unknown} shown a plain value from which the content follows
 * @param {() => Child[]} build
 */
export function refresh(element, shown, build) {
  const last = shownIn.get(element);
  if (last && same(last.shown, shown)) return;
  const key = JSON.stringify(shown);
  if (last?.key === key) return;
  renew(element, build());
  shownIn.set(element, { shown, key });
}

/**
 * Makes an element hold other children, like `fill`; those that it holds already, and that are alike, stay.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function renew(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  steadily(element, () => renewChildren(element, nodes(children)));
  if (!focused || element.contains(document.activeElement)) return;
  const again = focused.dataset.key && element.querySelector(`[data-key="${CSS.escape(focused.dataset.key)}"]`);
  (again || element.querySelector("[tabindex='-1']"))?.focus({ preventScroll: true }); // else a keyboard begins at the page's top
}

/** An element that something else holds in hand, and changes later: it is shown itself, never merged into another. */
export function whole(element) {
  apart.add(element);
  return element;
}

/** Whether two shown values hold the very same objects, so that nothing can have changed. */
function same(a, b) {
  if (a === b) return true;
  return (
    Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((part, index) => part === b[index])
  );
}

function renewChildren(element, fresh) {
  const left = [...element.childNodes];
  const kept = fresh.map((wanted) => {
    const found = left.findIndex((old) => alike(old, wanted));
    return found < 0 ? wanted : renewed(left.splice(found, 1)[0], wanted);
  });
  for (const gone of left) gone.remove();
  let next = element.firstChild;
  for (const node of kept) {
    if (node === next) next = next.nextSibling;
    else element.insertBefore(node, next);
  }
}

/** Whether one may become the other: the same thing by its `data-key`; part of a list, by the first that stands in it. */
function alike(old, wanted) {
  if (old.nodeName !== wanted.nodeName || apart.has(old) || apart.has(wanted)) return false;
  if (!(old instanceof Element)) return true;
  return old.getAttribute("type") === wanted.getAttribute("type") && keyOf(old) === keyOf(wanted);
}

const keyOf = (element) =>
  element.dataset.key ?? (element.matches("li, section") ? element.querySelector("[data-key]")?.dataset.key : undefined);

function renewed(old, wanted) {
  if (!(old instanceof Element)) {
    if (old.data !== wanted.data) old.data = wanted.data;
    return old;
  }
  const { value } = wanted;
  const typing = old === document.activeElement && old.value !== old.defaultValue && old.defaultValue === wanted.defaultValue;
  for (const { name } of [...old.attributes]) if (!wanted.hasAttribute(name) && !readers(old, name)) old.removeAttribute(name);
  for (const { name, value: text } of wanted.attributes)
    if (old.getAttribute(name) !== text && !readers(old, name)) old.setAttribute(name, text);
  handOver(wanted, old);
  renewChildren(old, [...wanted.childNodes]);
  if ("checked" in old) old.checked = wanted.checked;
  if ("value" in old && old.type !== "file" && !typing && old.value !== value) old.value = value;
  return old;
}

/** What the reader has the say in: whether a group that can be opened is. */
const readers = (element, name) => name === "open" && element.dataset.key !== undefined;
