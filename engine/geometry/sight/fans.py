"""What stands in the way seen from points: the angles that each thing covers, and what they settle at once.

From a looker outside of it a thing covers an interval of directions. A target in that interval, farther than all
of the thing, is surely hidden by it; a target out of it, or nearer than all of it, has nothing to do with it. Only
what lies between is left to be looked at line by line. All angles are radians anticlockwise from the x axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight.records import Bodies

__all__ = ["Fan", "fan_of_bodies", "fan_of_pieces", "joined"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: More than rounding, in mm and in radians: what is this near an edge is looked at line by line.
_HAIR_MM = 0.1
_HAIR_RAD = 1e-7


@dataclass(frozen=True, eq=False)
class Fan:
    """What ``k`` things cover of the directions from ``n`` lookers: arrays (n, k).

    ``low`` to ``high``: directions in which a thing may hold up a line that is at least ``near_mm`` long;
    ``sure_low`` to ``sure_high``: those in which it surely does so to a line of ``far_mm`` and more. An interval is
    empty where its high end lies below the low one; low ends lie from -pi to pi.
    """

    low: Array
    high: Array
    near_mm: Array
    sure_low: Array
    sure_high: Array
    far_mm: Array

    def without(self, spared: Mask | None) -> Fan:
        """The same, where nothing of the things spared (n, k) counts."""
        if spared is None:
            return self
        none = np.where(spared, -np.inf, self.high), np.where(spared, -np.inf, self.sure_high)
        return Fan(self.low, none[0], self.near_mm, self.sure_low, none[1], self.far_mm)


def joined(fans: list[Fan]) -> Fan:
    """Several fans of the same lookers in one."""
    names = ("low", "high", "near_mm", "sure_low", "sure_high", "far_mm")
    return Fan(*(np.concatenate([getattr(fan, name) for fan in fans], axis=1) for name in names))


def fan_of_bodies(lookers: Array, bodies: Bodies, sigma_mm: float) -> Fan:
    """What bodies cover from lookers (n, 2); ``sigma_mm`` is the greatest of lookers and targets."""
    x, y = (bodies.centre[:, axis] - lookers[:, axis : axis + 1] for axis in (0, 1))
    apart, towards = np.hypot(x, y), np.arctan2(y, x)
    doubt = SIGMAS * np.hypot(bodies.sigma_mm, sigma_mm)
    reach = bodies.reach_mm + doubt + MM
    sure = np.where(bodies.is_rect, 0.0, bodies.round_mm - doubt - 2 * MM)
    outside = apart > reach
    width = np.arcsin(reach / np.where(outside, apart, np.inf)) + _HAIR_RAD
    sure_width = np.where(
        sure > 0, np.arcsin(np.clip(sure / np.where(outside, apart, np.inf), 0, 1)) - _HAIR_RAD, -1.0
    )
    left, right, sure_left, sure_right = width, -width, sure_width, -sure_width
    far = np.where(sure > 0, apart, np.inf)
    rect = np.flatnonzero(bodies.is_rect)
    if len(rect):
        left, right, sure_left, sure_right = (one.copy() for one in (left, right, sure_left, sure_right))
        edge = _rects(lookers, bodies.pick(rect), towards[:, rect], doubt[rect])
        right[:, rect], left[:, rect], sure_right[:, rect], sure_left[:, rect], far[:, rect] = edge
    inside = ~outside
    return _fan(
        towards, right, left, inside, apart - reach,
        sure_right, np.where(inside, -np.inf, sure_left), far,
    )  # fmt: skip


def _rects(lookers: Array, bodies: Bodies, towards: Array, doubt: Array) -> tuple[Array, ...]:
    sine, cosine = np.sin(bodies.bearing_rad), np.cos(bodies.bearing_rad)
    angles, apart = [], []
    for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        across_mm, along_mm = across * bodies.half[:, 0], along * bodies.half[:, 1]
        x = bodies.centre[:, 0] + across_mm * cosine + along_mm * sine - lookers[:, :1]
        y = bodies.centre[:, 1] - across_mm * sine + along_mm * cosine - lookers[:, 1:]
        angles.append(_wrapped(np.arctan2(y, x) - towards))
        apart.append(np.maximum(np.hypot(x, y), 1e-9))
    angle, distance = np.stack(angles), np.stack(apart)
    grown = np.arcsin(np.clip((bodies.round_mm + doubt + MM) / distance, 0, 1)) + _HAIR_RAD
    shrink = np.arcsin(np.clip((doubt + 2 * MM) / distance.min(axis=0), 0, 1)) + _HAIR_RAD
    return (
        (angle - grown).min(axis=0), (angle + grown).max(axis=0),
        angle.min(axis=0) + shrink, angle.max(axis=0) - shrink, distance.max(axis=0) + doubt + _HAIR_MM,
    )  # fmt: skip


def fan_of_pieces(lookers: Array, pieces: Pieces, sigma_mm: float, surely: bool = True) -> Fan:
    """What pieces of terrain cover from lookers (n, 2); not ``surely``: nothing is settled at once."""
    middle = (pieces.bounds[0] + pieces.bounds[1]) / 2
    doubt = SIGMAS * sigma_mm
    corner = pieces.start
    begins = pieces.first[:-1]
    around = np.hypot(*(corner - middle[pieces.piece]).T)
    reach = np.maximum.reduceat(around, begins) + doubt + _HAIR_MM
    x, y = (middle[:, axis] - lookers[:, axis : axis + 1] for axis in (0, 1))
    apart, towards = np.hypot(x, y), np.arctan2(y, x)
    outside = apart > reach
    x, y = (corner[:, axis] - lookers[:, axis : axis + 1] for axis in (0, 1))
    angle = _wrapped(np.arctan2(y, x) - towards[:, pieces.piece])
    right, left = np.minimum.reduceat(angle, begins, axis=1), np.maximum.reduceat(angle, begins, axis=1)
    far = np.sqrt(np.maximum.reduceat(x * x + y * y, begins, axis=1)) + doubt + _HAIR_MM
    near = np.maximum(apart - reach, 1e-9)
    grown = np.arcsin(np.clip((doubt + MM) / near, 0, 1)) + _HAIR_RAD
    shrink = np.arcsin(np.clip((doubt + _HAIR_MM) / near, 0, 1)) + _HAIR_RAD
    may = outside & pieces.whole & pieces.stout & surely & (left - right < np.pi / 2)
    return _fan(
        towards, right - grown, left + grown, ~outside, np.where(outside, near - doubt, 0.0),
        right + shrink, np.where(may, left - shrink, -np.inf), far,
    )  # fmt: skip


def _fan(
    towards: Array,
    right: Array,
    left: Array,
    around: Mask,
    near: Array,
    sure_right: Array,
    sure_left: Array,
    far: Array,
) -> Fan:
    """A fan from angles off the directions ``towards``; ``around``: the looker stands in or close to the thing."""
    low = np.where(around, -np.pi, _wrapped(towards + right))
    high = np.where(around, np.pi, low + (left - right))
    sure_low = _wrapped(towards + sure_right)
    return Fan(low, high, np.where(around, 0.0, near), sure_low, sure_low + (sure_left - sure_right), far)


def _wrapped(angle: Array) -> Array:
    """Angles brought to -pi … pi."""
    wrapped: Array = angle - 2 * np.pi * np.round(angle / (2 * np.pi))
    return wrapped
