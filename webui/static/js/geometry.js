/**
 * Just enough plane geometry to draw by: points are `[x, y]` in table millimetres, bearings are degrees
 * clockwise from +y. What the rules make of distances is the engine's business; nothing here decides anything.
 */

const RAD = Math.PI / 180;

/** The point `length` mm from `from` along a bearing. */
export const along = ([x, y], bearing, length) => [
  x + length * Math.sin(bearing * RAD),
  y + length * Math.cos(bearing * RAD),
];

/** The bearing from one point to another. */
export const bearingTo = (from, to) => (Math.atan2(to[0] - from[0], to[1] - from[1]) / RAD + 360) % 360;

/** The distance between two points. */
export const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Where a figure stands. */
export const at = (figure) => [figure.x_mm, figure.y_mm];

/** How far a base reaches from its centre, at most. */
export function radius(figure) {
  const base = figure.base ?? figure;
  return base.shape === "rect" ? Math.hypot(base.width_mm, base.depth_mm) / 2 : base.diameter_mm / 2;
}

/** The middle of some figures. */
export function centroid(figures) {
  const sum = figures.reduce(([x, y], figure) => [x + figure.x_mm, y + figure.y_mm], [0, 0]);
  return [sum[0] / figures.length, sum[1] / figures.length];
}

/** The mean bearing of some figures; null where none of them has one. */
export function facing(figures) {
  const known = figures.filter((figure) => figure.bearing_deg !== null && figure.bearing_deg !== undefined);
  if (!known.length) return null;
  const x = known.reduce((sum, figure) => sum + Math.sin(figure.bearing_deg * RAD), 0);
  const y = known.reduce((sum, figure) => sum + Math.cos(figure.bearing_deg * RAD), 0);
  return (Math.atan2(x, y) / RAD + 360) % 360;
}

/** The corners of a rectangular base; null for a round one. */
export function corners(figure) {
  if (figure.base.shape !== "rect") return null;
  const { width_mm: w, depth_mm: d } = figure.base;
  const turned = (figure.bearing_deg ?? 0) * RAD;
  return [
    [-w / 2, d / 2],
    [w / 2, d / 2],
    [w / 2, -d / 2],
    [-w / 2, -d / 2],
  ].map(([x, y]) => [
    figure.x_mm + x * Math.cos(turned) + y * Math.sin(turned),
    figure.y_mm - x * Math.sin(turned) + y * Math.cos(turned),
  ]);
}

/**
 * The nearest points of two bases, edge to edge.
 * @returns {{a: number[], b: number[], distance: number}}
 */
export function gap(one, two) {
  let [a, b] = nearestOfOutlines(outline(one), outline(two));
  const between = apart(a, b);
  const [ra, rb] = [rim(one), rim(two)];
  if (between <= ra + rb) return { a, b, distance: 0 };
  const way = bearingTo(a, b);
  a = along(a, way, ra);
  b = along(b, way + 180, rb);
  return { a, b, distance: between - ra - rb };
}

/** The nearest pair of bases of two groups of figures, as `gap` gives it; null where one is empty. */
export function nearest(ones, twos) {
  let best = null;
  for (const one of ones) {
    for (const two of twos) {
      const found = gap(one, two);
      if (!best || found.distance < best.distance) best = found;
    }
  }
  return best;
}

/**
 * A sector as SVG path text: from a point, `half` degrees each side of its bearing, `range` mm from the point or from
 * the one that it is `about`; none where it begins farther from that than it reaches.
 */
export function sector(origin, half, range, about = null) {
  const start = at(origin);
  const middle = about ?? start;
  const round = `A${range} ${range} 0`;
  if (half >= 180) {
    const [[x0, y0], [x1, y1]] = [along(middle, 0, range), along(middle, 180, range)];
    return `M${x0} ${y0}${round} 0 0 ${x1} ${y1}${round} 0 0 ${x0} ${y0}Z`;
  }
  const ends = [-half, half].map((turn) => alongUntil(start, origin.bearing_deg + turn, middle, range));
  if (ends.includes(null)) return null;
  const [a, b] = ends;
  const swing = (bearingTo(middle, b) - bearingTo(middle, a) + 720) % 360;
  return `M${start[0]} ${start[1]}L${a[0]} ${a[1]}${round} ${swing > 180 ? 1 : 0} 0 ${b[0]} ${b[1]}Z`;
}

/** Where a way from a point inside a circle leaves it; null from outside. */
function alongUntil(start, bearing, middle, range) {
  const [x, y] = [start[0] - middle[0], start[1] - middle[1]];
  const outside = x * x + y * y - range * range;
  if (outside > 0) return null;
  const [dx, dy] = along([0, 0], bearing, 1);
  const ahead = x * dx + y * dy;
  return along(start, bearing, Math.sqrt(ahead * ahead - outside) - ahead);
}

/** Figures moved by `by` and then turned by `turn` degrees clockwise about `about`. */
export function carried(figures, by, turn, about) {
  const angle = turn * RAD;
  return figures.map((figure) => {
    const [x, y] = [figure.x_mm + by[0] - about[0], figure.y_mm + by[1] - about[1]];
    return {
      ...figure,
      x_mm: about[0] + x * Math.cos(angle) + y * Math.sin(angle),
      y_mm: about[1] - x * Math.sin(angle) + y * Math.cos(angle),
      bearing_deg:
        figure.bearing_deg === null || figure.bearing_deg === undefined
          ? figure.bearing_deg
          : (figure.bearing_deg + turn + 720) % 360,
    };
  });
}

const rim = (figure) => (figure.base && figure.base.shape !== "rect" ? figure.base.diameter_mm / 2 : 0);

function outline(figure) {
  return (figure.base && corners(figure)) || [at(figure)];
}

function nearestOfOutlines(one, two) {
  let best = [one[0], two[0]];
  const take = (a, b) => {
    if (apart(a, b) < apart(...best)) best = [a, b];
  };
  for (const point of one) for (const edge of edges(two)) take(point, onSegment(point, edge));
  for (const point of two) for (const edge of edges(one)) take(onSegment(point, edge), point);
  return best;
}

const edges = (points) => points.map((point, index) => [point, points[(index + 1) % points.length]]);

function onSegment([x, y], [[x0, y0], [x1, y1]]) {
  const span = (x1 - x0) ** 2 + (y1 - y0) ** 2;
  const part = span === 0 ? 0 : Math.min(1, Math.max(0, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / span));
  return [x0 + part * (x1 - x0), y0 + part * (y1 - y0)];
}

/** How much two rectangles have in common; 0 where they have nothing. */
export function overlap(a, b) {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, wide) * Math.max(0, high);
}
