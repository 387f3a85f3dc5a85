/**
 * Making elements. Everything that comes from names, logs or the camera enters the page here as text,
 * never as markup.
 */

const SVG = "http://www.w3.org/2000/svg";
const handlers = new WeakMap(); // element → by the event's type, what is to be done

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

/** Has an element do, when it is touched, what another was made to do. @param {Element} from @param {Element} to */
export function handOver(from, to) {
  listen(to, handlers.get(from) ?? {});
}

/** Whatever may be a child, as nodes. @param {(Child | Child[])[]} children @returns {Node[]} */
export function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}

function listen(element, wanted) {
  handlers.set(element, wanted);
  for (const type of Object.keys(wanted)) element.addEventListener(type, handle); // once, however often it is said
}

const handle = (event) => handlers.get(event.currentTarget)?.[event.type]?.(event);

function dressed(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || (value === false && !name.startsWith("aria-"))) continue;
    if (name === "on") listen(element, value);
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

