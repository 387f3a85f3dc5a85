/**
 * Making elements. Everything that comes from names, logs or the camera enters the page here as text,
 * never as markup.
 */

const SVG = "http://www.w3.org/2000/svg";
const shownIn = new WeakMap(); // element → what it shows, and that as text

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An HTML element. `props` are attributes, but for `class`, `on` (listeners) and `data` (dataset).
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  return dressed(document.createElement(tag), props, children);
}

/**
 * An SVG element, otherwise like `h`.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function s(tag, props = {}, ...children) {
  return dressed(document.createElementNS(SVG, tag), props, children);
}

/**
 * Replaces what an element holds.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * Rebuilds an element only when what it shows has changed, and keeps what the reader was doing:
 * the focused control, what is half typed in it, the scroll and the opened groups (found again by their `data-key`).
 * @param {HTMLElement} element
 * @param {unknown} shown a plain value from which the content follows
 * @param {() => Child[]} build
 */
export function refresh(element, shown, build) {
  const last = shownIn.get(element);
  if (last && same(last.shown, shown)) return;
  const key = JSON.stringify(shown);
  if (last?.key === key) return;
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const wanted = focused instanceof HTMLElement ? focused.dataset.key : undefined;
  const open = new Map([...element.querySelectorAll("details[data-key]")].map((d) => [d.dataset.key, d.open]));
  const scroll = element.scrollTop;
  fill(element, build());
  shownIn.set(element, { shown, key });
  for (const group of element.querySelectorAll("details[data-key]")) {
    if (open.has(group.dataset.key)) group.open = open.get(group.dataset.key);
  }
  element.scrollTop = scroll;
  const again = wanted && element.querySelector(`[data-key="${CSS.escape(wanted)}"]`);
  const heading = focused && !again ? element.querySelector("[tabindex='-1']") : null; // else a keyboard begins at the page's top
  (again || heading)?.focus({ preventScroll: true });
  if (isText(again) && isText(focused)) goOnTyping(again, focused);
}

const isText = (control) => control instanceof HTMLInputElement && ["text", "number"].includes(control.type);

/**
 * What stands in the new control, or is half typed, is typed there by the script: so the caret stands behind it. Where
 * a browser does not allow that, the value is set, and the control told that it is no longer what it was.
 */
function goOnTyping(control, before) {
  const half = control.defaultValue === before.defaultValue && before.value !== before.defaultValue;
  const text = half ? before.value : control.value;
  control.select();
  if (!text || document.execCommand("insertText", false, text) || !half) return;
  control.value = text;
  const changed = () => control.dispatchEvent(new Event("change", { bubbles: true }));
  control.addEventListener("blur", changed, { once: true });
  control.addEventListener("keydown", (event) => event.key === "Enter" && changed());
}

/** Whether two shown values hold the very same objects, so that nothing can have changed. */
function same(a, b) {
  if (a === b) return true;
  return (
    Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((part, index) => part === b[index])
  );
}

function dressed(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || (value === false && !name.startsWith("aria-"))) continue;
    if (name === "on")
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}
