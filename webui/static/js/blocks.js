/** What stands against a shot, drawn: the ground and the friends that its reasons name, and where the line meets them. */

import { s } from "./dom.js";
import { along, at, bearingTo, radius } from "./geometry.js";
import { state } from "./store.js";

const CROSS_MM = 13;

/**
 * The marks on a line that is refused for what lies on it; nothing where no reason names any such thing.
 * @param {any} option of fire or charge
 * @param {{a: number[], b: number[]}} ends of the line, from who acts
 * @param {boolean} lit whether the option is in hand: what stands against it is outlined, too
 */
export function blocksOn(option, ends, lit) {
  const named = mentioned(option.why_not ?? []);
  const pieces = state().game.terrain.filter((piece) => named(piece.id));
  const others = state().game.units.filter((one) => one.id !== option.target && named(one.id));
  const met = [...pieces.map((piece) => meets(piece, ends)), ...others.map((one) => stands(one, ends))].filter((share) => share !== null);
  return [
    lit && pieces.map(outline),
    lit && others.flatMap((one) => one.figures.map((figure) => s("circle", { class: "blocks", cx: figure.x_mm, cy: figure.y_mm, r: radius(figure) + 4 }))),
    met.length > 0 && cross(ends, Math.min(...met)),
  ];
}

/** The names of the ground that reasons name, each with the place on its rim that is farthest off the line. */
export function namedGround(option, { a, b }) {
  const named = mentioned(option.why_not ?? []);
  const off = ([x, y]) => Math.abs((x - a[0]) * (b[1] - a[1]) - (y - a[1]) * (b[0] - a[0]));
  return state()
    .game.terrain.filter((piece) => named(piece.id) && points(piece).length)
    .map((piece) => ({ name: piece.id, place: points(piece).reduce((best, point) => (off(point) > off(best) ? point : best)) }));
}

function mentioned(reasons) {
  const words = new Set(reasons.flatMap((reason) => reason.split(/[^\w-]+/)));
  return (id) => words.has(id);
}

const points = (piece) => piece.polygon_mm ?? piece.polyline_mm ?? [];

function outline(piece) {
  const d = `M${points(piece).map((point) => point.join(" ")).join("L")}${piece.polygon_mm ? "Z" : ""}`;
  return s("path", { class: "blocks", d });
}

/** How far along a line it first meets a piece, as a share of it: 0 where it begins within; null where it does not. */
function meets(piece, { a, b }) {
  const all = points(piece);
  const edges = all.map((point, index) => [point, all[index + 1] ?? (piece.polygon_mm ? all[0] : point)]);
  const shares = edges.map(([p, q]) => crossing(a, b, p, q)).filter((share) => share !== null);
  return shares.length ? Math.min(...shares) : null;
}

/** Where the line a-b crosses p-q, as a share of a-b; null where it does not. */
function crossing(a, b, p, q) {
  const [way, edge, gap] = [[b[0] - a[0], b[1] - a[1]], [q[0] - p[0], q[1] - p[1]], [p[0] - a[0], p[1] - a[1]]];
  const across = way[0] * edge[1] - way[1] * edge[0];
  if (!across) return null;
  const share = (gap[0] * edge[1] - gap[1] * edge[0]) / across;
  const along = (gap[0] * way[1] - gap[1] * way[0]) / across;
  return share >= 0 && share <= 1 && along >= 0 && along <= 1 ? share : null;
}

/** How far along a line the first figure of a unit stands on it, as a share of it; null where none does. */
function stands(one, { a, b }) {
  const way = [b[0] - a[0], b[1] - a[1]];
  const square = way[0] ** 2 + way[1] ** 2;
  if (!square) return null;
  const shares = one.figures.flatMap((figure) => {
    const [x, y] = at(figure);
    const share = ((x - a[0]) * way[0] + (y - a[1]) * way[1]) / square;
    const off = Math.abs((x - a[0]) * way[1] - (y - a[1]) * way[0]) / Math.sqrt(square);
    return share >= 0 && share <= 1 && off <= radius(figure) ? [share] : [];
  });
  return shares.length ? Math.min(...shares) : null;
}

function cross({ a, b }, share) {
  const middle = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
  const way = bearingTo(a, b);
  const [p, q, r, t] = [45, 225, 135, 315].map((turn) => along(middle, way + turn, CROSS_MM).join(" "));
  const d = `M${p}L${q}M${r}L${t}`;
  return [s("path", { class: "cross cross--halo", d }), s("path", { class: "cross", d })];
}
