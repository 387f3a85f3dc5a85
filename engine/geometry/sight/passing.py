"""From where on a straight way something is seen: exactly, by the shadows that things in the way throw on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.drawing import Drawing, line
from engine.geometry.sight.looking import all_lines
from engine.geometry.sight.records import Bodies, Lines, Opaque, Standing
from engine.geometry.sight.stops import stops_of
from engine.geometry.sight.visible import hidden_intervals
from engine.geometry.tolerance import MM

__all__ = ["seen_along", "show_seen_along"]

Array = NDArray[np.float64]


def seen_along(spot: ArrayLike, start: ArrayLike, end: ArrayLike, blockers: Sequence[Opaque | Standing]) -> Array:
    """(k, 2) the stretches of a way from (2,) to (2,), as rising shares of its length, from which a point (2,) is
    seen; without any that are shorter than 0.001 mm. What the point itself stands in or at must be spared for it.

    >>> from engine.geometry.pieces import pieces_of
    >>> house = Opaque(pieces_of([[(-10, 40), (10, 40), (10, 50), (-10, 50)]]))
    >>> seen_along((0, 0), (-100, 100), (100, 100), [house]).round(6).tolist()
    [[0.0, 0.375], [0.625, 1.0]]
    >>> seen_along((0, 0), (0, 20), (0, 100), [house]).round(6).tolist()
    [[0.0, 0.25]]
    """
    eye, first, last = (np.asarray(point, dtype=float) for point in (spot, start, end))
    way = last - first
    length = float(np.hypot(*way))
    if length <= MM:
        free = not len(stops_of(all_lines([eye], [first]), blockers).share)
        return np.array([[0.0, 1.0]]) if free else np.zeros((0, 2))
    to = first - eye
    if abs(way[0] * to[1] - way[1] * to[0]) / length <= MM:
        stretches = _on_one_line(eye, first, last, blockers)
    else:
        stretches = _in_shadows(eye, first, last, blockers)
    kept: Array = stretches[(stretches[:, 1] - stretches[:, 0]) * length > MM]
    return kept


def _in_shadows(eye: Array, first: Array, last: Array, blockers: Sequence[Opaque | Standing]) -> Array:
    """The way seen as a base of no depth; what is hidden of it, by directions, is left out."""
    middle, way = (first + last) / 2, last - first
    half = np.array([[float(np.hypot(*way)) / 2, 0.0]])
    body = Bodies(middle[None], half, -np.arctan2(way[1:], way[:1]), np.zeros(1), np.zeros(1))
    lines = all_lines([eye], [middle])
    hidden = hidden_intervals(lines, body, blockers)
    sides = [_angle(middle - eye, end - eye) for end in (first, last)]
    angles = np.clip(np.stack([hidden.low, hidden.high], axis=1), min(sides), max(sides))
    ends = np.sort(_shares(eye, first, last, middle, angles.ravel()).reshape(-1, 2), axis=1)
    ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
    bounds = np.concatenate([[0.0], ends.ravel(), [1.0]])
    rising: Array = np.maximum.accumulate(bounds).reshape(-1, 2)
    return rising


def _angle(one: Array, other: Array) -> float:
    """How many radians anticlockwise of one vector (2,) another points."""
    return float(np.arctan2(one[0] * other[1] - one[1] * other[0], one @ other))


def _shares(eye: Array, first: Array, last: Array, middle: Array, angle: Array) -> Array:
    """At which share of a way rays meet it that lie so many radians anticlockwise of the line to its middle."""
    to, way = middle - eye, last - first
    ray = np.stack(
        [np.cos(angle) * to[0] - np.sin(angle) * to[1], np.sin(angle) * to[0] + np.cos(angle) * to[1]], axis=1
    )
    back = first - eye
    across = ray[:, 0] * way[1] - ray[:, 1] * way[0]
    share: Array = (back[0] * ray[:, 1] - back[1] * ray[:, 0]) / np.where(across == 0, 1.0, across)
    return np.clip(share, 0.0, 1.0)


def _on_one_line(eye: Array, first: Array, last: Array, blockers: Sequence[Opaque | Standing]) -> Array:
    """A way straight to or from the eye: seen as far as the first thing lets it, to either side of the eye."""
    way = last - first
    at = float(np.clip(((eye - first) @ way) / (way @ way), 0.0, 1.0))
    reach = []
    for end, share in ((first, 0.0), (last, 1.0)):
        lines: Lines = all_lines([eye], [end])
        found = stops_of(lines, blockers)
        stop = float(found.share[found.passes == Verdict.NO].min(initial=1.0))
        length, to_way = float(np.hypot(*(end - eye))), float(np.hypot(*(first + at * way - eye)))
        gone = max(stop * length - to_way, 0.0) / max(length - to_way, MM)
        reach.append(at + min(gone, 1.0) * (share - at))
    return np.array([reach])


def show_seen_along(
    spot: ArrayLike, start: ArrayLike, end: ArrayLike, blockers: Sequence[Opaque | Standing]
) -> Drawing:
    """The way with the stretches from which a point is seen, and the lines of sight at their ends."""
    first, last = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    shown = [line("stopped", [first, last])]
    for stretch in seen_along(spot, start, end, blockers):
        ends = first + stretch[:, None] * (last - first)
        shown += [line("clear", ends), *(line("clear", [np.asarray(spot, dtype=float), each]) for each in ends)]
    return tuple(shown)
