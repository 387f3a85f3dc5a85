"""What templates touch: cones, rectangles and lines of a width, blasts of several radii; nearest first.

Each says of every base whether it is touched, whether its centre is in, whether it is wholly in, and how far along
it is first met. Templates are exact: a base that only touches the edge is touched. Lengths in table mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import Verdict, Verdicts, all_of, at_most
from engine.geometry.drawing import Drawing, arc_points, area, spot
from engine.geometry.facing.arcs import Fronts, arcs
from engine.geometry.plane.directions import unit_vector
from engine.geometry.plane.lines import crossing_points, points_to_segments, turned
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import Bases, gaps
from engine.geometry.shapes.pieces import pieces_of

__all__ = [
    "Blast", "Cone", "Hits", "Lane", "blast", "cone", "depth_along", "first_meeting", "lane", "show_blast",
    "show_cone", "show_lane",
]  # fmt: skip

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Point = tuple[float, float]

#: Distances that differ by less than this are equal: then the first in the list comes first.
_EQUAL_MM = 1e-6


@dataclass(frozen=True, eq=False)
class Hits:
    """What a template does to bases (n,): ``touched``, ``centre`` in and ``whole`` in are verdicts.

    ``along_mm`` is how far along a lane, or from the apex of a cone, a base is first met, infinite where it is not;
    ``centre_mm`` how far its centre is from the middle of the lane's start, or from the apex.
    """

    touched: Verdicts
    centre: Verdicts
    whole: Verdicts
    along_mm: Array
    centre_mm: Array

    def nearest_first(self, which: Verdicts | None = None, *, by_centre: bool = False) -> Index:
        """The bases that are surely hit, or may be, in the order in which they are met, equals as listed.

        ``which`` is the verdict that counts, ``touched`` unless another is given; ``by_centre`` sorts by centres.
        """
        hit = np.flatnonzero((self.touched if which is None else which) >= Verdict.BORDERLINE)
        key = np.round((self.centre_mm if by_centre else self.along_mm)[hit] / _EQUAL_MM)
        return hit[np.argsort(key, kind="stable")]


@dataclass(frozen=True, kw_only=True)
class Cone:
    """All within a half-angle, 0 to 180, of a bearing from an apex, out to a length."""

    apex: Point
    bearing_deg: float
    half_angle_deg: float
    length_mm: float
    sigma_mm: float = 0.0
    bearing_sigma_deg: float = 0.0


def cone(template: Cone, bases: Bases) -> Hits:
    """What a cone touches.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> three = bases_of([(0, 90), (0, 20), (50, 45)], [Round(diameter_mm=20)] * 3, [0] * 3)
    >>> hits = cone(Cone(apex=(0, 0), bearing_deg=0, half_angle_deg=45, length_mm=95), three)
    >>> hits.touched.tolist(), hits.centre.tolist(), hits.whole.tolist(), hits.nearest_first().tolist()
    ([2, 2, 2], [2, 2, 0], [0, 2, 0], [1, 2, 0])
    """
    apex = np.array([template.apex], dtype=float)
    parts = (np.array([value], dtype=float) for value in
             (template.bearing_deg, template.sigma_mm, template.bearing_sigma_deg))  # fmt: skip
    bearing, sigma, turn_sigma = parts
    seen = arcs(Fronts(apex, apex, bearing, apex, sigma, turn_sigma), bases, template.half_angle_deg)
    error = np.hypot(template.sigma_mm, bases.sigma_mm)
    to = np.hypot(*(bases.centre - apex[0]).T)
    far = np.hypot(*np.moveaxis(bases.corners() - apex[0], -1, 0)).max(axis=-1) + bases.radius
    along = _first_in_cone(template, bases)
    # What is just off the angle, or perhaps in it, is met where it is nearest to one of the edges.
    beside = np.where(np.isfinite(along), along, _nearest_to_edges(template, bases))
    within = at_most(beside, template.length_mm, error)
    along = np.where(seen.partly[0] == Verdict.YES, beside, along)
    return Hits(
        all_of(seen.partly[0], within), all_of(seen.centre[0], at_most(to, template.length_mm, error)),
        all_of(seen.wholly[0], at_most(far, template.length_mm, error)), along, to,
    )  # fmt: skip


def _first_in_cone(template: Cone, bases: Bases) -> Array:
    """(n,) how far from the apex the nearest point of each base is that lies in the angle; infinite without one.

    That is the base's nearest point, if it is in the angle, else the nearest point that one of the two edges meets.
    """
    apex = np.array([template.apex], dtype=float)
    near = np.maximum(bases.to_points(apex)[:, 0], 0.0)
    there = bases.local(apex)[:, 0]
    way = np.clip(there, -bases.half, bases.half) - there
    way = way[:, :1] * bases.right + way[:, 1:] * bases.ahead
    turn = np.degrees(np.arctan2(way[:, 0], way[:, 1])) - template.bearing_deg
    aims = (near == 0) | (np.abs((turn + 180.0) % 360.0 - 180.0) <= template.half_angle_deg + 1e-9)
    edges = [_ray_entry(bases, apex[0], template.bearing_deg + side * template.half_angle_deg) for side in (-1, 1)]
    along: Array = np.where(aims, near, np.minimum(*edges))
    return along


def _nearest_to_edges(template: Cone, bases: Bases) -> Array:
    """(n,) how far along the edge of a cone that each base is nearest to it comes nearest."""
    to = bases.corners() - np.array(template.apex)  # those of a disc all lie at its centre
    aside, along = [], []
    for side in (-1, 1):
        way = unit_vector(template.bearing_deg + side * template.half_angle_deg)
        ahead = np.maximum(to @ way, 0.0)
        aside.append(np.hypot(*np.moveaxis(to - ahead[..., None] * way, -1, 0)))
        along.append(ahead)
    off, at = np.concatenate(aside, axis=1), np.concatenate(along, axis=1)
    nearest = off <= off.min(axis=1, keepdims=True) + _EQUAL_MM
    first: Array = np.where(nearest, at, np.inf).min(axis=1)
    return first


def _ray_entry(bases: Bases, start: Array, bearing_deg: float) -> Array:
    """(n,) how far along a ray it enters each base; infinite where it misses them; touching counts."""
    way = unit_vector(bearing_deg)
    to = bases.local(start[None])[:, 0]
    step = np.stack([bases.right @ way, bases.ahead @ way], axis=-1)
    beside = (np.abs(step) < 1e-12)[None]
    slope = np.where(beside[0], 1.0, step)
    bounds = np.stack([(-bases.half - to) / slope, (bases.half - to) / slope])
    inside = (np.abs(to) <= bases.half + _EQUAL_MM)[None]
    bounds = np.where(beside, np.where(inside, [[[-np.inf]], [[np.inf]]], [[[np.inf]], [[-np.inf]]]), bounds)
    enter, leave = bounds.min(axis=0).max(axis=-1), bounds.max(axis=0).min(axis=-1)
    none = (beside & ~inside).any(axis=(0, -1))
    rect = np.where(~none & (enter <= leave + _EQUAL_MM) & (leave >= 0), np.maximum(enter, 0.0), np.inf)
    middle = (bases.centre - start) @ way
    aside = (bases.centre - start) @ np.array([way[1], -way[0]])
    deep = bases.radius**2 - aside**2
    chord = np.sqrt(np.maximum(deep, 0.0))
    disc = np.where((deep >= -_EQUAL_MM) & (middle + chord >= 0), np.maximum(middle - chord, 0.0), np.inf)
    return np.where(bases.is_rect, rect, disc)


@dataclass(frozen=True, kw_only=True)
class Lane:
    """A rectangle that starts at the middle of one end and runs along a bearing, so wide to either side.

    With a half width of 0 it is a line. ``stop_mm`` cuts it short, such as at a wall.
    """

    start: Point
    bearing_deg: float
    length_mm: float
    half_width_mm: float = 0.0
    stop_mm: float = np.inf
    sigma_mm: float = 0.0
    bearing_sigma_deg: float = 0.0

    @property
    def reach_mm(self) -> float:
        """How far it goes."""
        return min(self.length_mm, self.stop_mm)

    def at(self, along_mm: float) -> Point:
        """The point so far along its middle line."""
        way = unit_vector(self.bearing_deg)
        return self.start[0] + along_mm * float(way[0]), self.start[1] + along_mm * float(way[1])


def lane(template: Lane, bases: Bases) -> Hits:
    """What a rectangle, or a line with a width, touches.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> three = bases_of([(30, 90), (0, 20), (5, 200)], [Round(diameter_mm=20)] * 3, [0] * 3)
    >>> hits = lane(Lane(start=(0, 0), bearing_deg=0, length_mm=195, half_width_mm=25.4), three)
    >>> hits.touched.tolist(), hits.centre.tolist(), hits.whole.tolist(), hits.nearest_first().tolist()
    ([2, 2, 2], [0, 2, 0], [0, 2, 0], [1, 0, 2])
    """
    half = np.array([[template.half_width_mm, template.reach_mm / 2]])
    turn = np.radians([template.bearing_deg])
    body = Bases(np.array([template.at(template.reach_mm / 2)]), np.zeros(1), half, turn)
    centres = body.local(bases.centre)[0]
    along = centres[:, 1] + template.reach_mm / 2
    error = np.hypot(template.sigma_mm, bases.sigma_mm)
    swung = np.hypot(error, np.radians(template.bearing_sigma_deg) * np.abs(along))
    outer = body.local(bases.corners().reshape(-1, 2))[0].reshape(-1, 4, 2)
    spill = np.abs(outer).max(axis=1) + bases.radius[:, None] - half
    core = np.abs(centres) - half
    touched = at_most(gaps(body, bases, signed=True)[0], 0.0, swung)
    centre, whole = (
        all_of(at_most(out[:, 0], 0.0, swung), at_most(out[:, 1], 0.0, error)) for out in (core, spill)
    )
    first = _first_in_strip(centres, outer, bases, template.half_width_mm) + template.reach_mm / 2
    first = np.where(touched > Verdict.NO, np.maximum(first, 0.0), np.inf)
    return Hits(touched, centre, whole, first, np.hypot(centres[:, 0], along))


def _first_in_strip(centres: Array, outer: Array, bases: Bases, half_width: float) -> Array:
    """(n,) the least v of each base where |u| is within half a width; of one outside, that of its nearest point."""
    aside = np.maximum(np.abs(centres[:, 0]) - half_width, 0.0)
    disc = centres[:, 1] - np.sqrt(np.maximum(bases.radius**2 - aside**2, 0.0))
    ends = np.roll(outer, -1, axis=1)
    inside = np.abs(outer[..., 0]) <= half_width + _EQUAL_MM
    found = [np.where(inside, outer[..., 1], np.inf)]
    across = ends[..., 0] - outer[..., 0]
    for wall in (-half_width, half_width):
        share = (wall - outer[..., 0]) / np.where(across == 0, np.nan, across)
        met = (share >= 0) & (share <= 1)
        found.append(np.where(met, outer[..., 1] + np.where(met, share, 0.0) * (ends - outer)[..., 1], np.inf))
    rect = np.concatenate(found, axis=1).min(axis=1)
    nearest = np.take_along_axis(outer[..., 1], np.abs(outer[..., 0]).argmin(axis=1)[:, None], axis=1)[:, 0]
    return np.where(bases.is_rect, np.where(np.isfinite(rect), rect, nearest), disc)


@dataclass(frozen=True, eq=False)
class Blast:
    """What rings round a point hold: verdicts (r, n) for radii from the inside out, and ``edge_mm``, ``centre_mm``
    and ``far_mm`` (n,), the distances to the nearest point, the centre and the farthest point of each base."""

    touched: Verdicts
    centre: Verdicts
    whole: Verdicts
    edge_mm: Array
    centre_mm: Array
    far_mm: Array

    def ring(self, which: Verdicts | None = None) -> Index:
        """(n,) the innermost ring that each base is surely in, -1 for none; ``touched`` is in unless said."""
        sure = (self.touched if which is None else which) == Verdict.YES
        return np.where(sure.any(axis=0), sure.argmax(axis=0), -1) if len(sure) else np.full(len(self.edge_mm), -1)

    def nearest_first(self) -> Index:
        """The bases that the widest ring touches, or may, nearest first, equals as listed."""
        hit = np.flatnonzero((self.touched >= Verdict.BORDERLINE).any(axis=0))
        return hit[np.argsort(np.round(self.edge_mm[hit] / _EQUAL_MM), kind="stable")]


def blast(at: ArrayLike, radii_mm: Sequence[float], bases: Bases, sigma_mm: float = 0.0) -> Blast:
    """What a blast touches at a point (2,), with radii from the inside out.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> two = bases_of([(30, 0), (0, 70)], [Round(diameter_mm=20)] * 2, [0] * 2)
    >>> found = blast((0, 0), [25.4, 50.8], two)
    >>> found.touched.tolist(), found.ring().tolist()
    ([[2, 0], [2, 0]], [0, -1])
    """
    spot_at = np.asarray(at, dtype=float).reshape(1, 2)
    edge = np.maximum(bases.to_points(spot_at)[:, 0], 0.0)
    centre = np.hypot(*(bases.centre - spot_at).T)
    far = np.hypot(*np.moveaxis(bases.corners() - spot_at, -1, 0)).max(axis=-1) + bases.radius
    radii = np.asarray(radii_mm, dtype=float)[:, None]
    error = np.hypot(sigma_mm, bases.sigma_mm)
    touched, inside, whole = (at_most(distance[None, :], radii, error) for distance in (edge, centre, far))
    return Blast(touched, inside, whole, edge, centre, far)


def first_meeting(template: Lane, outline: Array, *, closed: bool = True) -> float:
    """How far along a lane first meets a polygon (k, 2); infinite where it does not.

    With ``closed`` False it is a polyline, such as a crest, that only its own length blocks.

    >>> house = np.array([[-20.0, 100.0], [20.0, 100.0], [20.0, 140.0], [-20.0, 140.0]])
    >>> first_meeting(Lane(start=(0, 0), bearing_deg=0, length_mm=500), house)
    100.0
    """
    way = unit_vector(template.bearing_deg)
    to = outline - np.asarray(template.start, dtype=float)
    local = np.stack([to @ np.array([way[1], -way[0]]), to @ way], axis=-1)
    wide, reach = template.half_width_mm, template.reach_mm
    inside = (np.abs(local[:, 0]) <= wide + _EQUAL_MM) & (local[:, 1] >= 0) & (local[:, 1] <= reach + _EQUAL_MM)
    found = local[inside, 1].tolist()
    corners = np.array([[-wide, 0.0], [wide, 0.0], [-wide, reach], [wide, reach]])
    starts, ends = corners[[0, 1, 0]], corners[[2, 3, 1]]
    sides = (local, turned(local)) if closed else (local[:-1], local[1:])
    found += crossing_points(starts, ends, *sides)[:, 1].tolist()
    from_it = points_to_segments(np.zeros((1, 2)), *sides).min(initial=np.inf) <= _EQUAL_MM
    if from_it or (closed and pieces_of([local]).contains(corners[:2], _EQUAL_MM).any()):
        found.append(0.0)
    return float(min(found, default=np.inf))


def depth_along(point: ArrayLike, bearing_deg: float, outline: Array) -> float:
    """How deep a point lies in a polygon (k, 2) behind the wall that a shot on a bearing comes through last.

    0 on the outline, infinite outside.

    >>> house = np.array([[-20.0, 100.0], [20.0, 100.0], [20.0, 140.0], [-20.0, 140.0]])
    >>> depth_along((0, 125), 0.0, house), depth_along((0, 99), 0.0, house)
    (25.0, inf)
    """
    spot_at = np.asarray(point, dtype=float)
    area = pieces_of([outline])
    if not area.contains(spot_at, _EQUAL_MM)[0, 0]:
        return float(np.inf)
    if area.to_outline(spot_at)[0, 0] <= _EQUAL_MM:
        return 0.0
    back = (float(np.ptp(outline, axis=0).sum()) + 1.0) * unit_vector(bearing_deg + 180.0)
    met = crossing_points(spot_at[None], (spot_at + back)[None], outline, turned(outline))
    return float(np.hypot(*(met - spot_at).T).min()) if len(met) else 0.0


def show_cone(template: Cone) -> Drawing:
    """The cone as an area."""
    half = template.half_angle_deg
    apex, bearing = np.asarray(template.apex, dtype=float), template.bearing_deg
    rim = arc_points(apex, template.length_mm, bearing - half, bearing + half)
    return (area("zone", rim if half >= 180 else np.concatenate([apex[None], rim])),)


def show_lane(template: Lane) -> Drawing:
    """The rectangle as an area."""
    across = max(template.half_width_mm, MM) * unit_vector(template.bearing_deg + 90.0)
    start, end = np.array(template.start, dtype=float), np.array(template.at(template.reach_mm))
    return (area("zone", [start - across, end - across, end + across, start + across]),)


def show_blast(at: ArrayLike, radii_mm: Sequence[float]) -> Drawing:
    """The rings as discs."""
    return tuple(spot("zone", at, radius) for radius in radii_mm)
