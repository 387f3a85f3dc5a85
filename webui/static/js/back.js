/** The browser's Back, and a phone's gesture for it, close what is open before they leave the page: as Escape does. */

const MARK = { vedette: "open" };
let own = false; // the step back is the page's own: what was open is closed already
let known = history.length; // a new address makes this more, a step back does not

const marked = () => history.state?.vedette === MARK.vedette;

/**
 * While anything is open the page has an entry of its own in the browser's history, which Back takes.
 *
 * `isOpen` says whether there is anything to close, `close` closes the topmost of it, and `settle` writes the page's
 * address anew, which the older entry does not have. Gives what is to be called after anything was opened or closed.
 */
export function makeBack({ isOpen, close, settle }) {
  let was = marked();
  const watch = () => {
    if (own || isOpen() === marked()) return;
    if (marked()) {
      own = true;
      history.back();
      return;
    }
    history.pushState(MARK, "");
    [was, known] = [true, history.length];
  };
  addEventListener("popstate", () => {
    const back = was && !marked() && history.length <= known;
    [was, known] = [marked(), history.length];
    if (!back) return;
    settle();
    if (!own) close();
    own = false;
    watch();
  });
  return watch;
}
