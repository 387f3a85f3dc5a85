"""Random figures, and the slow plain way to measure them: shapely outlines, discs as a point and a radius."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from hypothesis import strategies as st

from engine.geometry.shapes.bases import Bases

#: Whole numbers make bases that touch, edges that lie in one line and points exactly on rims.
_lattice = st.integers(-12, 12).map(lambda step: 10.0 * step)
_anywhere = st.floats(-400, 400).map(lambda value: round(value, 3))
places = st.one_of(st.tuples(_lattice, _lattice), st.tuples(_anywhere, _anywhere))
bearings = st.one_of(st.sampled_from([0.0, 45.0, 90.0, 180.0, 270.0]), st.floats(0, 359.9))
sizes = st.one_of(st.sampled_from([20.0, 25.0, 40.0]), st.floats(1, 120))
sigmas = st.one_of(st.just(0.0), st.floats(0.05, 3))


@dataclass(frozen=True)
class Thing:
    """One base: a disc where ``depth`` is None."""

    at: tuple[float, float]
    width: float
    depth: float | None
    bearing: float
    sigma: float = 0.0
    turn_sigma: float = 0.0

    @property
    def radius(self) -> float:
        return self.width / 2 if self.depth is None else 0.0

    @property
    def ahead(self) -> tuple[float, float]:
        return math.sin(math.radians(self.bearing)), math.cos(math.radians(self.bearing))

    def at_local(self, right: float, ahead: float) -> tuple[float, float]:
        x, y = self.ahead
        return self.at[0] + right * y + ahead * x, self.at[1] - right * x + ahead * y

    @property
    def corners(self) -> list[tuple[float, float]]:
        wide, deep = self.width / 2, (self.depth or 0.0) / 2
        return [self.at_local(u, v) for u, v in ((-wide, -deep), (wide, -deep), (wide, deep), (-wide, deep))]

    @property
    def core(self) -> shapely.Geometry:
        """The rectangle, or the centre of the disc."""
        return shapely.Point(self.at) if self.depth is None else shapely.Polygon(self.corners)

    @property
    def front(self) -> tuple[float, float]:
        return self.at_local(0.0, self.radius + (self.depth or 0.0) / 2)

    def gap(self, shape: shapely.Geometry) -> float:
        return max(self.core.distance(shape) - self.radius, 0.0)


@st.composite
def things(draw: st.DrawFn, sure: bool = False) -> Thing:
    """Any base; with ``sure`` one without errors of measurement."""
    rect = draw(st.booleans())
    return Thing(
        draw(places),
        draw(sizes),
        draw(sizes) if rect else None,
        draw(bearings),
        0.0 if sure else draw(sigmas),
        0.0 if sure else draw(sigmas),
    )


crowds = st.lists(things(), min_size=1, max_size=5)


def bases_from(crowd: list[Thing]) -> Bases:
    """The same figures as the engine has them."""
    return Bases(
        np.array([thing.at for thing in crowd], dtype=float).reshape(-1, 2),
        np.array([thing.radius for thing in crowd], dtype=float),
        np.array(
            [(0.0, 0.0) if thing.depth is None else (thing.width / 2, thing.depth / 2) for thing in crowd],
            dtype=float,
        ).reshape(-1, 2),
        np.radians(np.array([thing.bearing for thing in crowd], dtype=float)),
        np.array([thing.sigma for thing in crowd], dtype=float),
        np.array([thing.turn_sigma for thing in crowd], dtype=float),
    )


def gap_between(one: Thing, other: Thing) -> float:
    """Base edge to base edge."""
    return max(one.core.distance(other.core) - one.radius - other.radius, 0.0)


def rim_points(thing: Thing, count: int = 720) -> np.ndarray:
    """Points (k, 2) all round a base, its corners among them."""
    if thing.depth is None:
        angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
        return np.array(thing.at) + thing.radius * np.stack([np.sin(angles), np.cos(angles)], axis=1)
    corners = np.array(thing.corners)
    shares = np.arange(count // 4)[:, None, None] / (count // 4)
    sides = (1 - shares) * corners + shares * np.roll(corners, -1, axis=0)
    return np.concatenate([corners, sides.reshape(-1, 2)])
