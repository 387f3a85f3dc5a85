/** What somebody has begun in the first evening survives a reload of the page, as an order does (`../unfinished.js`). */

import { keep, kept } from "../kept.js";

const NAME = "vedette-evening";
const PASSING = { said: undefined, board: undefined, auto: undefined, sure: undefined }; // of the moment: not to be gone on with

/** What was begun before a reload, where it was on this table by these rules; else nothing. */
export function leftUnfinished(view) {
  const left = kept(NAME);
  return left?.of === whose(view) ? left.own : {};
}

/** Keeps what is begun as it stands. */
export const keepUnfinished = (view, own) => keep(NAME, { of: whose(view), own: { ...own, ...PASSING } });

const whose = ({ kept_in, roster }) => `${roster.ruleset} ${kept_in}`;
