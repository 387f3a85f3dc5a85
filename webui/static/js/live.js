/**
 * Keeps the page in step with the server: server-sent events say that something changed, a fetch brings it.
 * Where events do not come through, the page asks every two seconds; it says so when nobody answers.
 */

import { getState } from "./api.js";
import { look, state, takeState, view } from "./store.js";

const POLL_MS = 2000;
const SAFETY_MS = 12000; // a sleeping phone or a proxy may drop events without an error
const RETRY_MS = [500, 1000, 2000, 5000];

let source = null;
let failures = 0;
let fetching = false;
let again = false;

/** Starts, and never stops while the page is open. */
export function goLive() {
  refresh().finally(listen);
  setInterval(() => view().link !== "live" && refresh(), POLL_MS);
  setInterval(() => view().link === "live" && refresh(), SAFETY_MS);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
  addEventListener("online", refresh);
}

/** Fetches the state if there is a newer one. Calls that overlap become one more fetch. */
export async function refresh() {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  try {
    do {
      again = false;
      const next = await getState(state()?.revision);
      if (!next.unchanged) takeState(next);
      if (view().link === "offline") link(source?.readyState === EventSource.OPEN ? "live" : "polling");
    } while (again);
  } catch {
    link("offline");
  } finally {
    fetching = false;
  }
}

function listen() {
  source = new EventSource("/api/events");
  source.addEventListener("open", () => {
    failures = 0;
    link("live");
    refresh();
  });
  source.addEventListener("revision", (event) => {
    if (JSON.parse(event.data).revision !== state()?.revision) refresh();
  });
  source.addEventListener("error", () => {
    if (view().link === "live") link("polling");
    refresh();
    if (source.readyState !== EventSource.CLOSED) return;
    source.close();
    setTimeout(listen, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
  });
}

function link(next) {
  if (view().link !== next) look({ link: next });
}
