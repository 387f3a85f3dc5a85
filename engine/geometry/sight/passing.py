"""From where on a straight way something is seen: exactly, by the shadows that things in the way throw on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.drawing import Drawing, line
from engine.geometry.plane.tolerance import MM
from engine.geometry.sight.looking import all_lines
from engine.geometry.sight.records import Bodies, Lines, Opaque, Standing
from engine.geometry.sight.stops import stops_of
from engine.geometry.sight.visible import hidden_intervals

__all__ = ["seen_along", "seen_along_sigma", "show_seen_along"]

Array = NDArray[np.float64]


def seen_along(spot: ArrayLike, start: ArrayLike, end: ArrayLike, blockers: Sequence[Opaque | Standing]) -> Array:
    """(k, 2) the stretches of a way from (2,) to (2,), as rising shares of its length, from which a point (2,) is
    seen; without any that are shorter than 0.001 mm. What the point itself stands in or at must be spared for it.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> house = Opaque(pieces_of([[(-10, 40), (10, 40), (10, 50), (-10, 50)]]))
    >>> seen_along((0, 0), (-100, 100), (100, 100), [house]).round(6).tolist()
    [[0.0, 0.375], [0.625, 1.0]]
    >>> seen_along((0, 0), (0, 20), (0, 100), [house]).round(6).tolist()
    [[0.0, 0.25]]
    """
    return _stretches(spot, start, end, blockers, 0.0)[0]


def seen_along_sigma(
    spot: ArrayLike, start: ArrayLike, end: ArrayLike, blockers: Sequence[Opaque | Standing], sigma_mm: float
) -> Array:
    """(k, 2) the sigma of each end of the stretches of `seen_along`, as a share of the way's length; 0 at the ends
    of the way itself. ``sigma_mm`` is that of the point; what blocks brings its own.

    An error counts in full where it turns a line of sight that grazes what is nearest, so that none is too small.

    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> house = Opaque(pieces_of([[(-10, 40), (10, 40), (10, 50), (-10, 50)]]))
    >>> seen_along_sigma((0, 0), (-100, 100), (100, 100), [house], 1.0).round(3).tolist()
    [[0.0, 0.013], [0.013, 0.0]]
    """
    return _stretches(spot, start, end, blockers, sigma_mm)[1]


def _stretches(
    spot: ArrayLike, start: ArrayLike, end: ArrayLike, blockers: Sequence[Opaque | Standing], sigma_mm: float
) -> tuple[Array, Array]:
    """The stretches (k, 2), and the sigmas of their ends."""
    eye, first, last = (np.asarray(point, dtype=float) for point in (spot, start, end))
    way = last - first
    length = float(np.hypot(*way))
    if length <= MM:
        free = not len(stops_of(all_lines([eye], [first]), blockers).share)
        whole = np.array([[0.0, 1.0]]) if free else np.zeros((0, 2))
        return whole, np.zeros_like(whole)
    to = first - eye
    if abs(way[0] * to[1] - way[1] * to[0]) / length <= MM:
        stretches, sigma = _on_one_line(eye, first, last, blockers, sigma_mm)
    else:
        stretches, sigma = _in_shadows(eye, first, last, blockers, sigma_mm)
    kept = (stretches[:, 1] - stretches[:, 0]) * length > MM
    within = (stretches * length > MM) & ((1 - stretches) * length > MM)
    return stretches[kept], np.where(within, sigma, 0.0)[kept]


def _in_shadows(
    eye: Array, first: Array, last: Array, blockers: Sequence[Opaque | Standing], sigma_mm: float
) -> tuple[Array, Array]:
    """The way seen as a base of no depth; what is hidden of it, by directions, is left out."""
    middle, way = (first + last) / 2, last - first
    half = np.array([[float(np.hypot(*way)) / 2, 0.0]])
    body = Bodies(middle[None], half, -np.arctan2(way[1:], way[:1]), np.zeros(1), np.zeros(1))
    hidden = hidden_intervals(all_lines([eye], [middle], sigma_mm), body, blockers)
    sides = [_angle(middle - eye, end - eye) for end in (first, last)]
    angles = np.clip(np.stack([hidden.low, hidden.high], axis=1), min(sides), max(sides))
    doubts = np.stack([hidden.low_doubt, hidden.high_doubt], axis=1)
    share, per_radian = _shares(eye, first, last, middle, angles.ravel())
    ends, sigma = share.reshape(-1, 2), doubts * per_radian.reshape(-1, 2)
    rising = np.argsort(ends, axis=1)
    ends, sigma = np.take_along_axis(ends, rising, axis=1), np.take_along_axis(sigma, rising, axis=1)
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    bounds = np.concatenate([[0.0], ends[order].ravel(), [1.0]])
    doubt = np.concatenate([[0.0], sigma[order].ravel(), [0.0]])
    # Where shadows overlap, the farthest end so far counts, with its own doubt.
    farthest = np.maximum.accumulate(bounds)
    which = np.maximum.accumulate(np.where(bounds >= farthest, np.arange(len(bounds)), 0))
    return farthest.reshape(-1, 2), doubt[which].reshape(-1, 2)


def _angle(one: Array, other: Array) -> float:
    """How many radians anticlockwise of one vector (2,) another points."""
    return float(np.arctan2(one[0] * other[1] - one[1] * other[0], one @ other))


def _shares(eye: Array, first: Array, last: Array, middle: Array, angle: Array) -> tuple[Array, Array]:
    """At which share of a way rays meet it that lie so many radians anticlockwise of the line to its middle, and by
    how much of it a radian more shifts that."""
    to, way = middle - eye, last - first
    ray = np.stack(
        [np.cos(angle) * to[0] - np.sin(angle) * to[1], np.sin(angle) * to[0] + np.cos(angle) * to[1]], axis=1
    )
    back = first - eye
    across = ray[:, 0] * way[1] - ray[:, 1] * way[0]
    safe = np.where(across == 0, 1.0, across)
    share = np.clip((back[0] * ray[:, 1] - back[1] * ray[:, 0]) / safe, 0.0, 1.0)
    away = first - eye + share[:, None] * way
    per_radian: Array = np.hypot(away[:, 0], away[:, 1]) * np.hypot(ray[:, 0], ray[:, 1]) / np.abs(safe)
    return share, per_radian


def _on_one_line(
    eye: Array, first: Array, last: Array, blockers: Sequence[Opaque | Standing], sigma_mm: float
) -> tuple[Array, Array]:
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
    sigma = max((_sigma_of(one) for one in blockers), default=0.0)
    return np.array([reach]), np.full((1, 2), float(np.hypot(sigma, sigma_mm)) / float(np.hypot(*way)))


def _sigma_of(blocker: Opaque | Standing) -> float:
    """The greatest sigma of what is in the way."""
    if isinstance(blocker, Opaque):
        return blocker.sigma_mm
    return float(blocker.bodies.sigma_mm.max(initial=0.0))


def show_seen_along(
    spot: ArrayLike, start: ArrayLike, end: ArrayLike, blockers: Sequence[Opaque | Standing]
) -> Drawing:
    """The way from a point (2,) to another with the stretches from which a spot (2,) is seen, and the lines of
    sight at their ends."""
    first, last = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    shown = [line("stopped", [first, last])]
    for stretch in seen_along(spot, start, end, blockers):
        ends = first + stretch[:, None] * (last - first)
        shown += [line("clear", ends), *(line("clear", [np.asarray(spot, dtype=float), each]) for each in ends)]
    return tuple(shown)
