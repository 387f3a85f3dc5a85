/**
 * The ground, the terrain and the bases, at their true size. Sides differ by colour and by how a base is filled
 * (solid, open, halved, barred), so that nobody has to tell red from green.
 */

import { fill, s } from "./dom.js";
import { radius } from "./geometry.js";
import { layers } from "./map.js";
import { sideIndex, state, view } from "./store.js";

const FOOT_MM = 304.8;
const SURROUND_MM = 36; // of the picture that is shown round the table; beyond it the camera may see nothing
let drawn = {};

/** Draws what does not depend on the selected unit. */
export function drawTable() {
  const { game, picture, strays, presence } = state();
  const { ground, unit } = view();
  part("ground", [picture?.url, ground], () => drawGround(picture, ground));
  part("terrain", [game.terrain, ground], () => fill(layers.terrain, game.terrain.map(terrain)));
  part("figures", [game.units, presence, unit, ground], () =>
    fill(
      layers.figures,
      game.units.map((one) => unitBases(one, presence)),
    ),
  );
  part("strays", [strays], () => fill(layers.strays, (strays ?? []).map(stray)));
}

/**
 * One base, drawn about its own centre with its front towards +y.
 * @param {any} figure
 * @param {number} side the side's place in the game's order
 * @param {string} [extra] further classes
 */
export function base(figure, side, extra = "") {
  const r =
    (figure.base.shape === "rect"
      ? Math.min(figure.base.width_mm, figure.base.depth_mm)
      : figure.base.diameter_mm) / 2;
  const front = figure.base.shape === "rect" ? figure.base.depth_mm / 2 : r;
  const known = figure.bearing_deg !== null && figure.bearing_deg !== undefined;
  return s(
    "g",
    {
      class: `base side-${side % 4} ${extra}`,
      "data-figure": figure.id,
      transform: `translate(${figure.x_mm} ${figure.y_mm}) rotate(${known ? -figure.bearing_deg : 0})`,
    },
    outlineOf(figure.base, "base__halo"),
    outlineOf(figure.base, "base__rim"),
    inside(figure.base, side % 4, r),
    known &&
      s("path", {
        class: "base__front",
        d: `M${-r * 0.42} ${front * 0.98}L0 ${front + r * 0.62}L${r * 0.42} ${front * 0.98}Z`,
      }),
    ["leader", "officer"].includes(figure.role) && s("path", { class: "base__leader", d: star(r * 0.58) }),
  );
}

function part(name, from, draw) {
  const key = JSON.stringify(from);
  if (drawn[name] === key) return;
  drawn = { ...drawn, [name]: key };
  draw();
}

function drawGround(picture, ground) {
  const { width_mm: width, depth_mm: depth } = state().table;
  const cloth = s("rect", { class: "cloth", x: 0, y: 0, width, height: depth });
  fill(
    layers.grid,
    ground === "plain" ? gridLines(width, depth) : null,
    s("rect", { class: "edge", x: 0, y: 0, width, height: depth }),
  );
  if (ground !== "photo" || !picture) {
    fill(layers.ground, cloth);
    return;
  }
  const old = layers.ground.querySelector("image");
  const [[x0, y0], [x1, y1]] = picture.bounds_mm;
  const place = { x: 0, y: 0, width: x1 - x0, height: y1 - y0, transform: `translate(${x0} ${y1}) scale(1 -1)` };
  if (!old) fill(layers.ground, cloth);
  const loading = new Image();
  loading.addEventListener("load", () => {
    if (state()?.picture?.url !== picture.url || view().ground !== "photo") return;
    const clip = {
      x: -SURROUND_MM,
      y: -SURROUND_MM,
      width: width + 2 * SURROUND_MM,
      height: depth + 2 * SURROUND_MM,
      rx: 14,
    };
    fill(
      layers.ground,
      s("clipPath", { id: "surround" }, s("rect", clip)),
      s(
        "g",
        { "clip-path": "url(#surround)" },
        s("image", { class: "photo", href: picture.url, preserveAspectRatio: "none", ...place }),
      ),
    );
  });
  loading.src = picture.url;
}

function gridLines(width, depth) {
  const lines = [];
  for (let x = FOOT_MM; x < width; x += FOOT_MM) lines.push(s("path", { class: "foot", d: `M${x} 0V${depth}` }));
  for (let y = FOOT_MM; y < depth; y += FOOT_MM) lines.push(s("path", { class: "foot", d: `M0 ${y}H${width}` }));
  return lines;
}

function terrain(piece) {
  const kind = String(piece.kind).replace(/[^a-z-]/g, "");
  const points = (piece.polygon_mm ?? piece.polyline_mm ?? []).map((point) => point.join(",")).join(" ");
  if (piece.polygon_mm) return s("polygon", { class: `ground ground--${kind}`, points });
  return s("polyline", { class: `way way--${kind}`, points, "stroke-width": piece.width_mm ?? 10 });
}

function unitBases(unit, presence) {
  const side = sideIndex(unit.side);
  const unseen = new Set(presence?.[unit.id]?.unseen ?? []);
  const chosen = unit.id === view().unit;
  return s(
    "g",
    { class: chosen ? "unit unit--chosen" : "unit", "data-unit": unit.id },
    unit.figures.map((figure) => base(figure, side, unseen.has(figure.id) ? "base--unseen" : "")),
  );
}

/** The base of a figure that belongs to nobody, as far as the camera can tell. */
export const strayBase = (one) =>
  one.shape === "rect"
    ? { shape: "rect", width_mm: one.width_mm, depth_mm: one.depth_mm }
    : { shape: "round", diameter_mm: one.diameter_mm ?? 25 };

function stray(one) {
  const shape = strayBase(one);
  const r = radius({ base: shape });
  return s(
    "g",
    {
      class: one.lost_from ? "stray stray--lost" : "stray",
      transform: `translate(${one.x_mm} ${one.y_mm}) rotate(${-(one.bearing_deg ?? 0)})`,
    },
    outlineOf(shape, "stray__rim"),
    one.lost_from
      ? s("path", { class: "stray__cross", d: `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}` })
      : s("circle", { class: "stray__ring", r: r * 1.7 }),
  );
}

function outlineOf(shape, name) {
  if (shape.shape !== "rect") return s("circle", { class: name, r: shape.diameter_mm / 2 });
  const { width_mm: width, depth_mm: depth } = shape;
  return s("rect", { class: name, x: -width / 2, y: -depth / 2, width, height: depth, rx: 1.5 });
}

function inside(shape, side, r) {
  if (side === 0) return null;
  if (side === 1)
    return shape.shape === "rect"
      ? s("rect", {
          class: "base__inner",
          x: -shape.width_mm / 2 + r * 0.4,
          y: -shape.depth_mm / 2 + r * 0.4,
          width: shape.width_mm - r * 0.8,
          height: shape.depth_mm - r * 0.8,
        })
      : s("circle", { class: "base__inner", r: r * 0.6 });
  if (side === 2)
    return s("path", { class: "base__inner", d: `M0 ${-r * 0.8}A${r * 0.8} ${r * 0.8} 0 0 1 0 ${r * 0.8}Z` });
  return s("rect", { class: "base__inner", x: -r * 0.85, y: -r * 0.22, width: r * 1.7, height: r * 0.44 });
}

function star(r) {
  const points = Array.from({ length: 10 }, (_, index) => {
    const angle = (index * Math.PI) / 5;
    const reach = index % 2 ? r * 0.42 : r;
    return `${reach * Math.sin(angle)} ${reach * Math.cos(angle)}`;
  });
  return `M${points.join("L")}Z`;
}
