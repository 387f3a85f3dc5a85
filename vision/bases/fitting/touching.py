"""What touching bases do to each other: a neighbour's rim joins one's own, and its inside is not the ground."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.bases.fitting.fit import Apart
from vision.bases.picture.profiles import Group, Pattern, moved
from vision.bases.shapes import turned
from vision.bases.usual import Look

__all__ = ["beside", "keeping_apart"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.intp]

_STIFF = 8.0  # square mm of rim that a push weighs as much as
_RIVALS = 0.8  # bases whose centres are nearer than so much of their half sides cannot both stand
_TOUCH_MM = 6.0  # rims nearer than this are modelled together


def beside(
    group: Group, pattern: Pattern, others: Sequence[Group], eye_mm: Floats, look: Look
) -> tuple[Singles, Singles] | None:
    """How much of each sample (N, K, M) of a group is rim, and inside, of any of the other bases; None if nowhere.

    ``others`` may hold the group itself. ``eye_mm`` (3,) is where the camera is.
    """
    shape = (len(group), *pattern.places.shape[:2])
    ring, inside = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    outer = np.flatnonzero(pattern.depths > -_TOUCH_MM / 2)
    places = pattern.places[:, outer].reshape(1, -1, 2)
    found = False
    for other in others:
        gap = np.hypot(group.x[:, None] - other.x, group.y[:, None] - other.y)
        near = gap < group.outline.reach_mm + other.outline.reach_mm + _TOUCH_MM
        rival = gap < _RIVALS * (_least_half(group) + _least_half(other))
        first, second = np.nonzero(near & ~rival)  # one's own place is a rival's too
        if not len(first):
            continue
        found = True
        at = turned(places, group.bearing[first, None])
        at[..., 0] += (group.x[first] - other.x[second])[:, None]
        at[..., 1] += (group.y[first] - other.y[second])[:, None]
        their_ring, their_inside = _covered(at, other, second, eye_mm, look)
        part = (len(first), shape[1], len(outer))
        for all_, theirs in ((ring, their_ring), (inside, their_inside)):
            mine = np.zeros((len(group), shape[1], len(outer)), np.float32)
            np.add.at(mine, first, theirs.reshape(part))
            all_[:, :, outer] += mine
    if not found:
        return None
    return np.clip(ring, 0, 1), np.clip(inside, 0, 1)


def _least_half(group: Group) -> float:
    """The lesser half side of an outline, in mm."""
    return min(group.outline.half_width_mm, group.outline.half_depth_mm)


def _covered(
    at: Floats, other: Group, which: NDArray[np.intp], eye_mm: Floats, look: Look
) -> tuple[Singles, Singles]:
    """How much of places (P, S, 2), in mm about bases ``which`` (P,), is their rim and their inside."""
    angle = np.deg2rad(other.bearing[which])[:, None]
    sine, cosine = np.sin(angle), np.cos(angle)
    u, v = at[..., 0] * cosine - at[..., 1] * sine, at[..., 0] * sine + at[..., 1] * cosine
    outline = other.outline
    drop = outline.height_mm / (eye_mm[2] - other.z[which] - outline.height_mm)
    x, y = ((eye_mm[0] - other.x[which]) * drop)[:, None], ((eye_mm[1] - other.y[which]) * drop)[:, None]
    top = outline.distance(u, v)
    foot = np.minimum(top, outline.distance(u - (x * cosine - y * sine), v - (x * sine + y * cosine)))
    within = _step((top + look.rim_mm) / look.blur_mm)
    hull = (1 - look.side) * _step(top / look.blur_mm) + look.side * _step(foot / look.blur_mm)
    return np.asarray(hull - within, np.float32), np.asarray(within, np.float32)


def _step(x: Floats) -> Singles:
    """1 well inside (x << 0), 0 well outside: a blurred edge; x in sigmas."""
    return np.asarray(0.5 - 0.5 * np.tanh(0.8 * x.astype(np.float32)), np.float32)


def keeping_apart(groups: Sequence[Group]) -> Apart:
    """What pushes each of solid bases half of the way out of those that it runs into."""
    count = np.cumsum([0, *(len(group) for group in groups)])
    reach = np.concatenate([np.full(len(g), g.outline.reach_mm) for g in groups])
    half = np.concatenate(
        [np.tile([g.outline.half_width_mm, g.outline.half_depth_mm], (len(g), 1)) for g in groups]
    )
    round_ = np.concatenate([np.full(len(g), g.outline.round_) for g in groups])
    x, y = np.concatenate([g.x for g in groups]), np.concatenate([g.y for g in groups])
    gap = np.hypot(x[:, None] - x, y[:, None] - y) - reach[:, None] - reach
    first, second = np.nonzero((gap < _TOUCH_MM) & ~np.eye(len(x), dtype=bool))

    def extent(of: Ints, axis: Floats, angle: Floats) -> Floats:
        turn = axis - angle[of]
        box = np.abs(np.sin(turn)) * half[of, 0] + np.abs(np.cos(turn)) * half[of, 1]
        return np.asarray(np.where(round_[of], half[of, 0], box), dtype=np.float64)

    def pushes(steps: Sequence[Floats]) -> list[tuple[Floats, Floats]]:
        now = [moved(group, step) for group, step in zip(groups, steps, strict=True)]
        x, y = np.concatenate([g.x for g in now]), np.concatenate([g.y for g in now])
        angle = np.deg2rad(np.concatenate([g.bearing for g in now]))
        dx, dy = x[first] - x[second], y[first] - y[second]
        between = np.arctan2(dx, dy)
        quarter = np.pi / 2
        axes = np.stack([angle[first], angle[first] + quarter, angle[second], angle[second] + quarter, between])
        along = dx * np.sin(axes) + dy * np.cos(axes)
        apart = np.abs(along) - extent(first, axes, angle) - extent(second, axes, angle)
        best = apart.argmax(axis=0), np.arange(len(first))
        deep = np.maximum(-apart[best], 0.0)
        own = axes[best] - angle[first]  # the push's bearing in the frame of the one that is pushed
        way = np.stack([np.sin(own), np.cos(own)], axis=1) * np.sign(along[best])[:, None]
        stiff = np.where(deep > 0, _STIFF, 0.0)
        matrix, right = np.zeros((len(x), 2, 2)), np.zeros((len(x), 2))
        np.add.at(matrix, first, stiff[:, None, None] * way[:, :, None] * way[:, None, :])
        np.add.at(right, first, (0.5 * stiff * deep)[:, None] * way)
        return [(matrix[a:b], right[a:b]) for a, b in pairwise(count)]

    return pushes
