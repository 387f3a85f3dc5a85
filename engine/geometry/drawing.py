"""What shows a fact on the map: lines, areas and spots in table millimetres, each with the part it plays.

Any fact of this package can be drawn by these three; a page, a picture and the gallery read the same records.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

__all__ = ["Area", "Drawing", "Line", "Part", "Point", "Spot", "arc_points", "area", "line", "spot"]

Point = tuple[float, float]

#: ``measure``: a length as players would lay a tape; ``clear``: sight that is open; ``stopped``: sight from where
#: it is blocked on; ``blocker``: what blocks; ``zone``: an arc, quarter or template; ``reach``: where one can get
#: to; ``path``: the way there; ``hit``: what is touched; ``doubt``: what the measurement cannot settle.
Part = Literal["measure", "clear", "stopped", "blocker", "zone", "reach", "path", "hit", "doubt"]


class Line(Struct, frozen=True, kw_only=True, tag="line", tag_field="shape"):
    """A polyline in table mm, with what to write beside it."""

    part: Part
    points_mm: tuple[Point, ...]
    text: str = ""


class Area(Struct, frozen=True, kw_only=True, tag="area", tag_field="shape"):
    """A polygon in table mm with its holes, no point repeated at the end."""

    part: Part
    outline_mm: tuple[Point, ...]
    holes_mm: tuple[tuple[Point, ...], ...] = ()
    text: str = ""


class Spot(Struct, frozen=True, kw_only=True, tag="spot", tag_field="shape"):
    """A point in table mm, or a disc round it."""

    part: Part
    at_mm: Point
    radius_mm: float = 0.0
    text: str = ""


Drawing = tuple[Line | Area | Spot, ...]


def line(part: Part, points: ArrayLike, text: str = "") -> Line:
    """A line through points (n, 2).

    >>> line("measure", [[0, 0], [3, 4]], "5 mm").points_mm
    ((0.0, 0.0), (3.0, 4.0))
    """
    return Line(part=part, points_mm=_points(points), text=text)


def area(part: Part, outline: ArrayLike, holes: Iterable[ArrayLike] = (), text: str = "") -> Area:
    """An area within an outline (n, 2) and outside of holes (k, 2) each."""
    return Area(part=part, outline_mm=_points(outline), holes_mm=tuple(_points(hole) for hole in holes), text=text)


def spot(part: Part, at: ArrayLike, radius_mm: float = 0.0, text: str = "") -> Spot:
    """A point (2,) or a disc round it."""
    return Spot(part=part, at_mm=_points(at)[0], radius_mm=float(radius_mm), text=text)


def arc_points(
    centre: Sequence[float] | NDArray[np.float64],
    radius_mm: float,
    start_deg: float,
    end_deg: float,
    most_mm: float = 0.1,
) -> NDArray[np.float64]:
    """Points (n, 2) along a circle from one bearing clockwise to another, for drawing only.

    The polyline leaves the circle by at most ``most_mm``.

    >>> arc_points((0, 0), 10, 0, 90)[[0, -1]].round(6).tolist()
    [[0.0, 10.0], [10.0, 0.0]]
    """
    turn = np.radians(end_deg - start_deg)
    step = 2 * np.arccos(max(1 - most_mm / radius_mm, 0.5)) if radius_mm > 0 else np.pi
    angles = np.radians(start_deg) + np.linspace(0.0, turn, max(2, int(np.ceil(abs(turn) / step)) + 1))
    return np.asarray(centre, dtype=float) + radius_mm * np.stack([np.sin(angles), np.cos(angles)], axis=-1)


def _points(points: ArrayLike) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in np.asarray(points, dtype=float).reshape(-1, 2))
