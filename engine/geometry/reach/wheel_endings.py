"""Where a wheel may end: not on what a body may pass but not stand on.

After each turn the way straight ahead runs through the shifts that are forbidden then. What is free between one
turn and the next is what is free after the one in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.plane.directions import unit_vector
from engine.geometry.plane.distinct import distinct
from engine.geometry.reach.movers import Body
from engine.geometry.reach.overlaps import Couples, couples_at_end
from engine.geometry.reach.rays import rays_to
from engine.geometry.reach.straight import sums_of
from engine.geometry.reach.wheels import Turn, about, turned

__all__ = ["places_of_wheel"]

Array = NDArray[np.float64]

#: How far apart the turns are at which ways ahead are looked at.
_STEP_RAD = np.radians(0.5)
#: By how much what is free after one turn laps over what is free after the next, so that no gap is left between.
_LAP_RAD = 1e-5
#: Slivers are drawn on a grid as fine as that: without one, shapely loses itself in their sides.
_GRID_MM = 1e-6


def places_of_wheel(body: Body, turn: Turn, angles: Array, ways: Array) -> BaseGeometry:
    """Where a reference point can come to stand after turns (k,) in radians, rising, and up to ways (k,) ahead.

    >>> from engine.geometry.reach.blockers import bases_as_blockers
    >>> from engine.geometry.reach.movers import Mover, Setting, Wheel, body_of
    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> pair, friend = (bases_of(at, [Round(diameter_mm=20)] * len(at), [0] * len(at)) for at in (
    ...     [(0, 0), (40, 0)], [(0, 60)]))
    >>> body = body_of(Mover(pair, 0.0, [Wheel()], 100.0, Setting(standing=bases_as_blockers(friend, ["friend"]))))
    >>> places = places_of_wheel(body, Turn(np.zeros(2), 0.2, False), np.array([0.0, 0.2]), np.array([100.0, 92.0]))
    >>> [places.contains(shapely.Point(18, y)) for y in (35, 60, 85)]
    [True, False, True]
    """
    steps = int(np.ceil((angles[-1] - angles[0]) / _STEP_RAD))
    turns = distinct(np.concatenate([angles, np.linspace(angles[0], angles[-1], steps + 1)]))
    swing, far = _Swing(body, turn), np.interp(turns, angles, ways)
    corners = []
    for number, middle in enumerate(((turns[:-1] + turns[1:]) / 2).tolist()):
        between = turns[[number, number + 1, number + 1, number]] + [0.0, _LAP_RAD, _LAP_RAD, 0.0]
        way = far[[number, number + 1, number + 1, number]]
        for first, last in swing.free(middle, float(way.max())):
            corners.append(swing.places(between, np.minimum([first, first, last, last], way)))
    if not corners:
        return shapely.Polygon()
    parts = shapely.linestrings(np.concatenate(corners), indices=np.repeat(np.arange(len(corners)), 4))
    return shapely.union_all(shapely.convex_hull(parts), grid_size=_GRID_MM)


@dataclass(frozen=True, eq=False)
class _Swing:
    """A body that turns and goes straight on, and what it may not end on."""

    body: Body
    turn: Turn

    @cached_property
    def couples(self) -> Couples:
        """What may not overlap at the end."""
        return couples_at_end(self.body.bases, self.body.setting.standing)

    @cached_property
    def triangles(self) -> Array:
        """(t, 3, 2) in which no base's centre may come to lie."""
        inside = [shape for shape in self.body.setting.standing.enclosed.tolist() if shape is not None]
        parts = shapely.get_parts(shapely.constrained_delaunay_triangles(np.array(inside, dtype=object)))
        return shapely.get_coordinates(parts).reshape(-1, 4, 2)[:, :3]

    def places(self, turns: Array, ahead: Array) -> Array:
        """(k, 2) where the reference point is after turns (k,) and ways ahead (k,)."""
        bearing = np.radians(self.body.facing_deg) + self.turn.sense * turns
        way = np.stack([np.sin(bearing), np.cos(bearing)], axis=-1)
        place: Array = about(self.body.at, self.turn.pivot, self.turn.sense * turns) + ahead[:, None] * way
        return place

    def free(self, turn: float, way_mm: float) -> list[tuple[float, float]]:
        """From where to where on the way ahead after a turn it may end."""
        chords = self._chords(turn)
        chords = chords[(chords[:, 0] < chords[:, 1]) & (chords[:, 1] > 0) & (chords[:, 0] < way_mm)]
        chords = chords[np.argsort(chords[:, 0])]
        begins = np.append(0.0, np.maximum.accumulate(chords[:, 1]))
        ends = np.append(chords[:, 0], way_mm)
        ends[:-1] = np.maximum(ends[:-1], 0.0)
        gap = ends > begins if way_mm > 0 else np.full(len(ends), len(chords) == 0)
        return list(zip(begins[gap].tolist(), ends[gap].tolist(), strict=True))

    def _chords(self, turn: float) -> Array:
        """(g, 2) from where to where the line ahead after a turn runs through each convex set of forbidden shifts;
        from infinity back to it where it does not."""
        angle = self.turn.sense * turn
        after = turned(self.body.bases, self.turn.pivot, angle)
        sums = sums_of(after, self.body.setting.standing, self.couples)
        inner = (self.triangles[None] - after.centre[:, None, None]).reshape(-1, 3, 2)
        start = np.concatenate([sums.thin_start, inner.reshape(-1, 2)])
        end = np.concatenate([sums.thin_end, np.roll(inner, -1, axis=1).reshape(-1, 2)])
        radius = np.concatenate([sums.thin_radius, np.zeros(3 * len(inner))])
        group = np.concatenate([sums.pair, len(sums.base) + np.repeat(np.arange(len(inner)), 3)])
        way = unit_vector(self.body.facing_deg + float(np.degrees(angle)))
        far = 1.0 + float(np.abs(np.concatenate([start, end])).sum(axis=1).max() + radius.max())
        enter = rays_to(way[None], start + far * way, end + far * way, radius)[0] - far
        leave = far - rays_to(-way[None], start - far * way, end - far * way, radius)[0]
        chords = np.full((len(sums.base) + len(inner), 2), np.array([np.inf, -np.inf]))
        np.minimum.at(chords[:, 0], group, enter)
        np.maximum.at(chords[:, 1], group, leave)
        return chords
