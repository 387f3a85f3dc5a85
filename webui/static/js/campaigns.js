/** The campaign as the server tells it to this seat: asked for whenever the table has moved on, and kept. */

import { getCampaign } from "./api.js";
import { look, moment, state, view } from "./store.js";

/** @type {{revision: number, at: string, view: any} | null} */
let known = null;
let asking = false;

/** The campaign and the revision that it is of; its `view` is null where the rules have none. */
export const campaign = () => known;

/** Fetches it if the state is newer than what is known. */
export async function fetchCampaign() {
  const { revision } = state();
  const at = moment();
  if (asking || known?.at === at) return;
  asking = true;
  const found = await getCampaign().catch(() => null);
  asking = false;
  if (!found) return;
  known = { revision, at, view: found.campaign && whole(found.campaign) };
  look({ known: view().known + 1 });
}

/** A piece of the map by its id. */
export const pieceOf = (id) => known?.view?.pieces.find((one) => one.id === id) ?? null;

/** A hex of the map by what it is written as. */
export const hexOf = (id) => known?.view?.hexes.find((one) => one.id === id) ?? null;

/** What people call a hex: its name, or its column and row. */
export const hexName = (id) => hexOf(id)?.title || id;

/** A view with what the server leaves out where it is as usual. */
function whole(found) {
  const usual = { begun: true, stage: "", text: "", side: null, move: null, enter: null };
  const lists = { facts: [], hexes: [], lines: [], pieces: [], cards: [] };
  const pieces = (found.pieces ?? []).map((one) => ({
    hex: null, lines: [], known: false, moved: false, reach: [], ...one,
  }));
  const hexes = (found.hexes ?? []).map((one) => ({ ground: "fields", marks: [], title: "", ...one }));
  const cards = (found.cards ?? []).map((one) => ({ lines: [], side: null, act: null, act_title: "", ...one }));
  return { ...usual, ...lists, ...found, pieces, hexes, cards };
}
