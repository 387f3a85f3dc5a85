"""What lies in an arc: of a figure about its centre or the middle of its front edge, or of a whole front line.

An arc is all that lies within a half-angle of a bearing, seen from a point; the arc of a line is all that lies in
the arc of any of its points: the line, and all ahead of it between two rays at the half-angle off its ends. Bases
are discs and rectangles as they are; their limits are tangents and corners, never samples. Limits are inclusive,
with 0.001 degrees allowed: a base that only touches the arc's edge from outside is partly in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import Verdict, Verdicts, at_most
from engine.geometry.drawing import Drawing, arc_points, area
from engine.geometry.facing.wedges import Wedges
from engine.geometry.plane.directions import angle_sigma, unit_vector
from engine.geometry.plane.tolerance import DEG, MM
from engine.geometry.shapes.bases import Bases, blocks

__all__ = [
    "Angles",
    "Arc",
    "Fronts",
    "angles",
    "arcs",
    "from_centres",
    "from_edges",
    "from_front_middles",
    "from_lines",
    "zone",
]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Fronts:
    """``n`` places that arcs start from: a line from ``left`` (n, 2) to ``right`` (n, 2), which may be one point,
    facing ``bearing_deg`` (n,), square to it; it turns with its figure about ``pivot`` (n, 2)."""

    left: Array
    right: Array
    bearing_deg: Array
    pivot: Array
    sigma_mm: Array
    bearing_sigma_deg: Array

    def __len__(self) -> int:
        return len(self.bearing_deg)


@dataclass(frozen=True, eq=False)
class Arc:
    """Which targets (m) lie in which arcs (n); all arrays (n, m).

    ``off_deg`` is how far off its bearing a front has the target's centre, 0 to 180, and ``off_sigma_deg`` its
    sigma. ``partly_mm`` is how far a base is from the arc, below 0 how far it reaches in; ``wholly_mm`` how far it
    sticks out of the arc, below 0 how far within it lies; ``partly_sigma_mm`` and ``wholly_sigma_mm`` are theirs.
    """

    off_deg: Array
    off_sigma_deg: Array
    partly_mm: Array
    partly_sigma_mm: Array
    wholly_mm: Array
    wholly_sigma_mm: Array
    centre: Verdicts
    partly: Verdicts
    wholly: Verdicts


def from_centres(bases: Bases) -> Fronts:
    """Arcs that start from the centres of bases."""
    return _at(bases, bases.centre, bases.centre)


def from_front_middles(bases: Bases) -> Fronts:
    """Arcs that start from the middles of the bases' front edges."""
    return _at(bases, bases.front_middle, bases.front_middle)


def from_edges(bases: Bases) -> Fronts:
    """Arcs that start from the whole front edge of each base."""
    ends = bases.front_edges()
    return _at(bases, ends[:, 0], ends[:, 1])


def _at(bases: Bases, left: Array, right: Array) -> Fronts:
    return Fronts(left, right, bases.bearing_deg, bases.centre, bases.sigma_mm, bases.bearing_sigma_deg)


def from_lines(
    left: ArrayLike,
    right: ArrayLike,
    bearing_deg: ArrayLike,
    sigma_mm: ArrayLike = 0.0,
    bearing_sigma_deg: ArrayLike = 0.0,
) -> Fronts:
    """Arcs that start from the front lines (n, 2) to (n, 2) of units, as `formations.ranks` finds them."""
    starts, ends = (np.asarray(end, dtype=float).reshape(-1, 2) for end in (left, right))
    parts = [
        np.broadcast_to(np.asarray(p, float), (len(starts),)) for p in (bearing_deg, sigma_mm, bearing_sigma_deg)
    ]
    return Fronts(starts, ends, parts[0], (starts + ends) / 2, parts[1], parts[2])


@dataclass(frozen=True, eq=False)
class Angles:
    """How far off the bearings of fronts (n) the centres of targets (m) are: ``off_deg`` (n, m), 0 to 180, and
    ``sigma_deg``."""

    off_deg: Array
    sigma_deg: Array

    def within(self, limit_deg: ArrayLike) -> Verdicts:
        """(n, m) whether each is at most a limit, which counts as within."""
        return at_most(self.off_deg, limit_deg, self.sigma_deg, DEG)


def angles(fronts: Fronts, targets: Bases) -> Angles:
    """The angles alone, for rulebooks that ask no more than where a target's centre is.

    >>> from engine.geometry.shapes.bases import points
    >>> angles(from_centres(points([[0, 0]], 90)), points([[5, 5], [0, -5], [0, 0]])).off_deg.round(6).tolist()
    [[45.0, 90.0, 0.0]]
    """
    found = np.empty((2, len(fronts), len(targets)))
    for rows in blocks(*found.shape[1:]):
        part = Fronts(*(getattr(fronts, name)[rows] for name in Fronts.__dataclass_fields__))
        found[:, rows] = _off(part, targets)[:2]
    return Angles(*found)


def arcs(fronts: Fronts, targets: Bases, half_angle_deg: ArrayLike) -> Arc:
    """Which bases lie in the arcs of fronts; the half-angle, 0 to 180, is one number or (n,).

    An arc of 180 is all round, whatever the measurement. The centre counts by its angle, with the sigma
    atan(sigma of both positions / distance), joined by that of the bearing.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> one = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> seen = bases_of([(0, 50), (50, 50), (80, 50), (0, 0)], [Round(diameter_mm=20)] * 4, [0] * 4)
    >>> found = arcs(from_centres(one), seen, 45)
    >>> found.wholly.tolist(), found.centre.tolist(), found.partly.tolist()
    ([[2, 0, 0, 0]], [[2, 2, 0, 2]], [[2, 2, 0, 2]])
    """
    limit = np.broadcast_to(np.asarray(half_angle_deg, dtype=float), (len(fronts),))
    shape = (len(fronts), len(targets))
    values, verdicts = np.empty((6, *shape)), np.empty((3, *shape), dtype=np.int8)
    for rows in blocks(*shape, pairs=1 << 15):
        part = Fronts(*(getattr(fronts, name)[rows] for name in Fronts.__dataclass_fields__))
        wedges = Wedges.of(part.left, part.right, part.bearing_deg, limit[rows])
        off, off_sigma, apart = _off(part, targets)
        partly, partly_sigma, wholly, wholly_sigma = _margins(part, wedges, targets)
        values[:, rows] = off, off_sigma, partly, partly_sigma, wholly, wholly_sigma
        slack = np.radians(DEG) * (apart + targets.circumradius) + MM
        verdicts[:, rows] = (
            at_most(off, limit[rows, None], off_sigma, DEG), at_most(partly - slack, 0.0, partly_sigma),
            at_most(wholly - slack, 0.0, wholly_sigma),
        )  # fmt: skip
    verdicts[:, limit >= 180 - DEG] = Verdict.YES
    return Arc(*values, *verdicts)


def _off(fronts: Fronts, targets: Bases) -> tuple[Array, Array, Array]:
    """How far off the bearing the targets' centres are, with sigma, and how far away: of all points of the front
    from the one that has them least off."""
    flat = Wedges.of(fronts.left, fronts.right, fronts.bearing_deg, np.zeros(len(fronts)))
    across, along = flat.local(targets.centre)
    width = flat.width[:, None]
    # Ahead the nearest point of the line has a thing least off its bearing; behind it the farthest end has.
    farthest = np.where(across > width / 2, 0.0, width)
    start = np.where(along >= -MM, np.clip(across, 0.0, width), farthest)
    aside = across - start
    apart = np.hypot(aside, along)
    turn = np.arctan2(aside, along)
    off = np.where(apart < MM, 0.0, np.abs(np.degrees(turn)))
    sigma = np.hypot(fronts.sigma_mm[:, None], targets.sigma_mm[None, :])
    arm = fronts.left - fronts.pivot
    out, aim = ((arm * way).sum(axis=-1)[:, None] for way in (flat.right, flat.ahead))
    out = out + start
    # A bearing turns the line and with it the point that the angle is seen from.
    swing = np.abs(1 + (aim * np.cos(turn) + out * np.sin(turn)) / np.maximum(apart, MM))
    return off, np.hypot(angle_sigma(sigma, apart), fronts.bearing_sigma_deg[:, None] * swing), apart


def _margins(fronts: Fronts, wedges: Wedges, targets: Bases) -> tuple[Array, Array, Array, Array]:
    """How far bases are from being partly and wholly in, each with its sigma."""
    found = tuple(np.empty((len(fronts), len(targets))) for _ in range(4))
    for kind in (targets.is_rect, ~targets.is_rect):
        if kind.all():
            return _margins_of(fronts, wedges, targets)
        if kind.any():
            for whole, part in zip(found, _margins_of(fronts, wedges, targets.pick(kind)), strict=True):
                whole[:, kind] = part
    return found[0], found[1], found[2], found[3]


def _margins_of(fronts: Fronts, wedges: Wedges, targets: Bases) -> tuple[Array, Array, Array, Array]:
    """As `_margins`, for discs alone, by their centres, or for rectangles alone, by their corners."""
    rects = bool(targets.is_rect.any())
    spots = targets.corners() if rects else targets.centre[:, None]
    u, v = (part.reshape(len(fronts), *spots.shape[:2]) for part in wedges.local(spots.reshape(-1, 2)))
    depth = wedges.signed(u, v)
    least, most = depth.min(axis=-1), depth.max(axis=-1)
    apart = wedges.from_rects(targets, least) if rects else least - targets.radius
    spill = most + targets.radius
    turned = wedges.turned_out[:, None]
    near, far = np.where(turned, -spill, apart), np.where(turned, -apart, spill)
    sigma = np.hypot(fronts.sigma_mm[:, None], targets.sigma_mm[None, :])
    if not fronts.bearing_sigma_deg.any() and not targets.bearing_sigma_deg.any():
        return near, sigma, far, sigma
    swings = [
        _swing(fronts, wedges, targets, u, v, pick) for pick in (depth.argmin(axis=-1), depth.argmax(axis=-1))
    ]
    inner, outer = (np.hypot(sigma, swing) for swing in swings)
    return near, np.where(turned, outer, inner), far, np.where(turned, inner, outer)


def _swing(fronts: Fronts, wedges: Wedges, targets: Bases, u: Array, v: Array, corner: NDArray[np.intp]) -> Array:
    """(n, m) what errors of bearings move the corner that decides across the ray that decides, in mm."""
    at_u, at_v = (np.take_along_axis(part, corner[..., None], axis=-1)[..., 0] for part in (u, v))
    right = at_u >= wedges.width[:, None] / 2
    along = wedges.along_ray(at_u, at_v, right)
    arm = fronts.pivot - wedges.origin
    pivot = [(arm * way).sum(axis=-1)[:, None] for way in (wedges.right, wedges.ahead)]
    from_front = (along - wedges.along_ray(pivot[0], pivot[1], right)) * np.radians(fronts.bearing_sigma_deg)[
        :, None
    ]
    from_target = along - wedges.along_ray(*wedges.local(targets.centre), right)
    return np.hypot(from_front, from_target * np.radians(targets.bearing_sigma_deg))


def zone(fronts: Fronts, index: int, half_angle_deg: float, reach_mm: float) -> Drawing:
    """The arc of one front as an area out to a distance, as it may be drawn on the map."""
    bearing, half = float(fronts.bearing_deg[index]), min(half_angle_deg, 180.0)
    left, right = fronts.left[index], fronts.right[index]
    rim = [
        arc_points(left, reach_mm, bearing - half, bearing),
        arc_points(right, reach_mm, bearing, bearing + half),
    ]
    ends = [right[None], left[None]]
    if half >= 180:
        ends = []
    elif half > 90:  # behind the line it is bounded by the ray off the farther end
        far = [end + reach_mm * unit_vector(bearing + turn) for end, turn in ((left, half), (right, -half))]
        (apex,) = Wedges.of(left[None], right[None], np.array([bearing]), np.array([half])).origin
        ends = [np.stack([far[0], apex, far[1]])]
    return (area("zone", np.concatenate([*rim, *ends])),)
