// Runs before anything is painted, so that a dark page does not flash light. A plain script, not a module.
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem("vedette-theme");
  } catch {
    // A private window may refuse storage; the system's preference then holds.
  }
  const dark = kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
