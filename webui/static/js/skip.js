/** The link past the bar, for keyboards: what it leads to takes the focus, and the address stays as it is. */

/** Wires the link, once: followed as a link it would write over what the page's address says is looked at. */
export function makeSkip() {
  const link = document.querySelector("a.skip");
  link?.addEventListener("click", (event) => {
    const target = document.querySelector(link.getAttribute("href"));
    if (!target) return;
    event.preventDefault();
    if (!target.hasAttribute("tabindex")) target.setAttribute("tabindex", "-1");
    target.focus();
    target.scrollIntoView({ block: "nearest" });
  });
}
