/** What this tab keeps for itself while the page is loaded anew: one value under each name. */

/** The value under a name; null where nothing is kept, or what is kept cannot be read. @param {string} name */
export function kept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

/** Keeps a value; null forgets it. @param {string} name @param {any} value */
export function keep(name, value) {
  try {
    if (value) sessionStorage.setItem(name, JSON.stringify(value));
    else sessionStorage.removeItem(name);
  } catch {
    // Not kept: a private window.
  }
}
