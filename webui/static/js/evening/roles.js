/** Which of a unit's bases are not like the others: the Leader's, the gun. Somebody chooses what, and touches it. */

import { select } from "./parts.js";
import { near } from "./picture.js";
import { change, own, view } from "./store.js";

const LIKE_OTHERS = "rank"; // the role of a figure of which nothing is said
const NEAR_MM = 6; // a base that was chosen is found again by its place

/** Whether two are one base: by the figure that stands on it, else by its place. */
export const same = (one, other) =>
  one.figure || other.figure ? one.figure === other.figure : Math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) <= NEAR_MM;

/** What is chosen to be touched; null: nothing. */
export const aimed = () => partOf(own().part) ?? null;

/** The row in which it is chosen, with what is named so far; nothing where the rules know no such bases. */
export function whoIsWho(bases) {
  const { parts } = view().roster;
  if (!parts.length) return null;
  const told = parts.map(({ role, label }) => [label, bases.filter((base) => roleOf(base) === role).length]).filter(([, count]) => count);
  const words = told.map(([label, count]) => (count === 1 ? label : `${count} × ${label}`)).join(", ");
  const chief = parts[0].alone && !bases.some((base) => roleOf(base) === parts[0].role) ? `No base is the ${parts[0].label}'s yet. ` : "";
  return select("Which base is the …", "part", "", [["", "choose, then touch it in the picture"], ...parts.map((one) => [one.role, one.label])], {
    hint: `${chief}${words && `Named: ${words}. Touch one again to take its name back.`}`,
  });
}

/** What a touch does while something is chosen: it names the base, or takes the name back. */
export const touchOne = (bases) => ({ hint: `Touch the base: ${aimed().label}.`, take: (place) => mark(bases, place) });

/** The words in the picture, one on each base that is named. */
export const named = (bases) =>
  bases
    .filter((base) => partOf(roleOf(base)))
    .sort((one, other) => one.at[0] - other.at[0])
    .map((base, place) => ({ kind: "word", at: [base.at], text: partOf(roleOf(base)).label, look: place % 2 ? "over-word--under" : "over-word--over" }));

/** The role of a free base as the server is told it. */
export const shareRole = (base) => (partOf(roleOf(base)) ? { role: roleOf(base) } : {});

/** The roles of a unit's figures that somebody has changed. */
export const rolesSaid = () => Object.fromEntries((own().roles ?? []).map((one) => [one.figure, one.role]));

function mark(bases, place) {
  const touched = near(bases, place);
  if (!touched) return;
  const { role, alone } = aimed();
  const had = alone ? bases.filter((base) => roleOf(base) === role && !same(base, touched)) : [];
  const now = [...had.map((base) => said(base, LIKE_OTHERS)), said(touched, roleOf(touched) === role ? LIKE_OTHERS : role)];
  const before = (own().roles ?? []).filter((one) => !now.some((other) => same(one, other)));
  change({ roles: [...before, ...now], part: alone ? "" : role, said: null });
}

const said = ({ figure, x_mm, y_mm }, role) => ({ figure, x_mm, y_mm, role });

/** What a base is: as somebody has just said, else as it is known. */
const roleOf = (base) => (own().roles ?? []).find((one) => same(one, base))?.role ?? base.role ?? LIKE_OTHERS;
const partOf = (role) => view().roster.parts.find((one) => one.role === role);
