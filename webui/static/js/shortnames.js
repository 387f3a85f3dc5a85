/** Short names that tell units apart where their whole names have no room: `Leather Jackets` → `LJ`. */

import { name } from "./words.js";

const LETTERS = 3; // of a name of one word
const LONGEST = 4; // letters of one word, where fewer are another's
const INITIALS = 4;
let named = [];
let found = new Map();

/** The short name of each of some units, by id: no two are alike, whether or not letters are large. */
export function shortNames(units) {
  if (units === named) return found;
  const length = new Map(units.map((one) => [one.id, 0]));
  const tell = (one) => shortened(name(one), length.get(one.id));
  for (let step = 0; step < LONGEST; step += 1) {
    const alike = clashes(units, tell);
    if (!alike.length) break;
    for (const one of alike) length.set(one.id, length.get(one.id) + 1);
  }
  named = units;
  found = numbered(units, tell);
  return found;
}

/** The short name of a unit among those of its game. */
export const shortName = (one, units) => shortNames(units).get(one.id) ?? shortened(name(one), 0);

const clashes = (units, tell) => {
  const told = units.map((one) => tell(one).toUpperCase());
  return units.filter((_, index) => told.indexOf(told[index]) !== told.lastIndexOf(told[index]));
};

/** Those that are still alike are counted. */
function numbered(units, tell) {
  const alike = new Set(clashes(units, tell));
  const taken = new Set(units.filter((one) => !alike.has(one)).map((one) => tell(one).toUpperCase()));
  const free = (short, number = 1) => (taken.has(`${short}${number}`.toUpperCase()) ? free(short, number + 1) : `${short}${number}`);
  return new Map(
    units.map((one) => {
      const short = alike.has(one) ? free(shortened(name(one), 0)) : tell(one);
      taken.add(short.toUpperCase());
      return [one.id, short];
    }),
  );
}

/** The initials of a name, or the first letters of a single word; `more` letters of its first word where asked. */
function shortened(text, more) {
  const all = text.split(/[\s–-]+/).map((word) => word.replace(/^[^\p{L}\p{N}]+/u, "")).filter(Boolean);
  const names = all.filter((word, index) => !/^\p{Ll}+$/u.test(word) && !(index === 0 && word === "The"));
  const words = names.some((word) => /^\p{L}/u.test(word)) ? names : all; // `of` and `the` go, where more is left
  const [first, ...others] = words.length ? words : [text];
  if (!others.length) return letters(first, LETTERS + more, true);
  const rest = others.slice(0, INITIALS - 1).map((word) => letters(word, 1));
  return [letters(first, 1 + more, more > 0), ...rest].join("");
}

/** The first letters of a word, or all of a number that it begins with. */
function letters(word, length, asItIs = false) {
  const number = /^\p{N}+/u.exec(word)?.[0];
  if (number) return number;
  const start = [...word].slice(0, length).join("");
  return asItIs ? start : start.toUpperCase();
}
