"""Walls, hedges and fences: the outline of a strip that is equally broad all along, both edges told together.

Where it is a few pixels broad, a tenth of a pixel at either edge counts, and each edge alone may mislead: a side
that is seen beside the top is nearly of its colour, and a shadow hardly unlike the mat. But both edges run side by
side, the strip's arms are equally broad, and the camera tells how broad a side is seen. So the colours across all
arms together have little unknown but where the middle lies, and the breadth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.terrain.edges import Profiler
from vision.terrain.layers import GROUND, Seen, unexplained, whitener
from vision.terrain.outlines import evenly

__all__ = ["strip_of"]

Floats = NDArray[np.float64]
_Lift = Callable[[Floats], Floats]

_STEP = 0.5  # units between the samples of a profile
_BLOCK = 14.0  # units of an arm that are read as one
_SHORTEST = 10.0  # units: of a shorter arm too little is seen
_BENDS = (0.8, 1.2, 1.8, 2.6)  # units by which the rough middle of an arm may bend
_UNEVEN = 1.35  # breadths: what is broader in the mean is no strip
_SLENDER = 4.0  # breadths: a house is shorter
_ALIKE_RUN = 4.0  # neighbouring profiles share blur and texture
_EQUAL = 0.08  # units: how far the breadths of arms differ
_MOST_BREADTH = 0.35  # of its breadth: how far off that may be at first
_FARTHEST, _FARTHEST_END = 1.6, 2.5  # units that an edge and an end are moved in a round
_ROUNDS, _TURNS = 2, 3
_BLURS_PX, _BLURRED = (0.7, 1.0), 0.4  # of luminance and of hue, and how far that varies, in logarithms
_FIRM = 2.0  # residuals beyond this count less and less
_TRUST = 0.6  # units moved in one turn
_FINE = 0.1  # units
_WITHIN = 0.3  # breadths: so far from the middle an end is that of the top
_SHARP = np.sin(np.radians(6.0))


@dataclass(frozen=True, eq=False)
class _Arm:
    """A straight arm of a strip: the two ends (2, 2) of its middle."""

    ends: Floats

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.ends[1] - self.ends[0]))

    @property
    def along(self) -> Floats:
        return np.asarray((self.ends[1] - self.ends[0]) / self.length)

    @property
    def right(self) -> Floats:
        return np.array([-self.along[1], self.along[0]])


@dataclass(frozen=True, eq=False)
class _Strip:
    """A strip: the line (N, 2) along its middle, and its breadth, in px."""

    middle: Floats
    breadth: float

    @property
    def arms(self) -> list[_Arm]:
        return [_Arm(np.array(ends)) for ends in pairwise(self.middle)]


def strip_of(outline: Floats, profiler: Profiler, lifted: _Lift) -> Floats | None:
    """The outline (N, 2) in frame px of a strip of even breadth, from one (M, 2) that is roughly it.

    ``lifted`` says where the top is seen over places (N, 2) that show the foot. None where it is no such strip.
    """
    strip = _rough(outline, profiler.unit_px)
    for _ in range(_ROUNDS):
        if strip is None:
            return None
        strip = _settled(strip, profiler, lifted)
    return None if strip is None else _outline(strip)


def _rough(outline: Floats, unit: float) -> _Strip | None:
    """The strip of an outline (N, 2): from the middle of one end both its sides run side by side to the other."""
    ring = evenly(outline, _STEP * unit)
    count = len(ring)
    at, far = np.arange(count), np.arange(count // 2)
    apart = np.linalg.norm(ring[(at[:, None] + far) % count] - ring[(at[:, None] - far) % count], axis=2)
    end = int(apart.mean(axis=1).argmin())
    area = float(cv2.contourArea(outline.astype(np.float32)))
    half = count * _STEP * unit / 2
    breadth = area / max(half - area / half, unit)
    if apart[end].mean() > _UNEVEN * breadth or half < _SLENDER * breadth:
        return None
    middle = _straightened((ring[(end + far) % count] + ring[(end - far) % count]) / 2, unit)
    return None if middle is None else _Strip(middle, breadth)


def _straightened(way: Floats, unit: float) -> Floats | None:
    """A way (N, 2) as the straight arms of a strip; None where some are too short to tell anything."""
    for bend in _BENDS:
        corners = cv2.approxPolyDP(way.astype(np.float32)[:, None], bend * unit, False)[:, 0].astype(np.float64)
        if np.linalg.norm(np.diff(corners, axis=0), axis=1).min(initial=np.inf) >= _SHORTEST * unit:
            return corners if len(corners) > 1 else None
    return None


@dataclass(frozen=True, eq=False)
class _Read:
    """What an arm shows: ``seen`` at places of it (B,), as shares of its length.

    ``white`` (3, 3) and ``scale`` took colours to what is seen.
    """

    seen: Seen
    share: Floats
    white: Floats
    scale: float


def _read(arm: _Arm, strip: _Strip, depth_px: float, reach_px: float, profiler: Profiler) -> _Read:
    """The colours across an arm, in blocks along it; its side is seen ``depth_px`` broad."""
    unit, breadth = profiler.unit_px, strip.breadth
    steps = np.arange(-reach_px, reach_px + 1e-6, _STEP * unit)
    margin = min(0.5 * breadth + unit, 0.25 * arm.length)
    count = max(int((arm.length - 2 * margin) / unit), 6)
    at = np.linspace(margin, arm.length - margin, count)
    places = arm.ends[0] + arm.along * at[:, None]
    roots = profiler.read(places, np.broadcast_to(arm.right, places.shape), steps).astype(np.float64)
    scale = float(np.median(np.linalg.norm(roots[:, np.abs(steps) < 0.3 * breadth], axis=2)))
    blocks = max(round(count / _BLOCK), 2)
    which = np.arange(count) * blocks // count
    colours = np.array([np.median(roots[which == n], axis=0) for n in range(blocks)]) / scale
    left, right = -breadth / 2 - max(-depth_px, 0.0), breadth / 2 + max(depth_px, 0.0)
    ground = (steps < left - unit) | (steps > right + unit)
    white = whitener((roots / scale - colours[which])[:, ground].reshape(-1, 3), count / blocks / _ALIKE_RUN)
    far = [colours[:, steps < left - 2 * unit].mean(axis=1), colours[:, steps > right + 2 * unit].mean(axis=1)]
    seen = Seen(colours @ white, steps, np.full(blocks, depth_px), np.stack(far, axis=1) @ white, unit)
    share = np.array([at[which == n].mean() for n in range(blocks)]) / arm.length
    return _Read(seen, share, white, scale)


def _settled(strip: _Strip, profiler: Profiler, lifted: _Lift) -> _Strip | None:
    """A strip moved to where the frame shows it best: the ends of its arms sideways, its breadth, then its ends."""
    unit, arms = profiler.unit_px, strip.arms
    depths = [_depth(arm.ends.mean(axis=0), arm.right, lifted) for arm in arms]
    reach = strip.breadth / 2 + max(map(abs, depths)) + GROUND * unit
    reads = [_read(arm, strip, depth, reach, profiler) for arm, depth in zip(arms, depths, strict=True)]
    found = _best(reads, strip.breadth, unit)
    shifts = found[: 2 * len(arms)].reshape(-1, 2)
    lines = [arm.ends + arm.right * shift[:, None] for arm, shift in zip(arms, shifts, strict=True)]
    breadth = float(found[2 * len(arms) : -2].mean())
    middle = _joined(lines)
    blur = np.exp(found[-2:])
    for end, inner, read in ((0, 1, reads[0]), (-1, -2, reads[-1])):
        outward = middle[end] - middle[inner]
        outward /= np.linalg.norm(outward)
        depth = _depth(middle[end], outward, lifted)
        middle[end] += outward * _end(middle[end], outward, breadth, depth, blur, read, profiler)
    straight = _straightened(middle, unit / 4)
    return None if straight is None else _Strip(straight, breadth)


def _depth(place: Floats, outward: Floats, lifted: _Lift) -> float:
    """How far outward (2,) of a place of the top its foot is seen, in px."""
    return float((place - lifted(place[None])[0]) @ outward)


def _best(reads: list[_Read], breadth: float, unit: float) -> Floats:
    """How far to the right (2 K) the ends of K arms lie, their breadths (K), and the blurs' logarithms (2), by
    Gauss and Newton's method; residuals that are large count less."""
    many = len(reads)
    start = np.concatenate([np.zeros(2 * many), np.full(many, breadth), np.log(_BLURS_PX)])
    limit = np.concatenate(
        [np.full(2 * many, _FARTHEST * unit), np.full(many, _MOST_BREADTH * breadth), np.full(2, 2 * _BLURRED)]
    )
    small = np.concatenate([np.full(3 * many, 0.02 * unit), np.full(2, 0.02)])
    trust = np.concatenate([np.full(3 * many, _TRUST * unit), np.full(2, _BLURRED)])

    def rest(tried: Floats) -> Floats:
        shift, wide, blur = tried[:, : 2 * many], tried[:, 2 * many : 3 * many], np.exp(tried[:, -2:])
        usual = wide.mean(axis=1, keepdims=True)
        left = [(wide - usual) / (_EQUAL * unit), (tried[:, -2:] - np.log(_BLURS_PX)) / _BLURRED]
        for n, read in enumerate(reads):
            middle = shift[:, 2 * n, None] * (1 - read.share) + shift[:, 2 * n + 1, None] * read.share
            breadths = np.broadcast_to(np.maximum(wide[:, n, None], unit), middle.shape)
            left.append(unexplained(read.seen, middle, breadths, blur).reshape(len(tried), -1))
        return np.concatenate(left, axis=1)

    found = start
    for _ in range(_TURNS):
        left = rest(found + np.concatenate([np.zeros((1, len(found))), np.diag(small)]))
        weight = (1.0 + (left[0] / _FIRM) ** 2) ** -0.5
        slope = (left[1:] - left[0]) / small[:, None]
        normal = (slope * weight) @ slope.T
        step = np.linalg.solve(normal + 1e-3 * np.diag(np.diag(normal)), -(slope * weight) @ left[0])
        found = np.clip(found + np.clip(step, -trust, trust), start - limit, start + limit)
    return found


def _end(
    place: Floats, outward: Floats, breadth: float, depth_px: float, blur: Floats, read: _Read, profiler: Profiler
) -> float:
    """How far outward (2,) of a place in px the strip's end lies; 0 where it is not seen there."""
    unit, depth = profiler.unit_px, max(depth_px, 0.0)
    steps = np.arange(-(_FARTHEST_END + 3.0) * unit, depth + (_FARTHEST_END + GROUND) * unit, _STEP * unit)
    across = np.linspace(-_WITHIN, _WITHIN, 7)[:, None] * breadth * np.array([-outward[1], outward[0]])
    roots = profiler.read(place + across, np.broadcast_to(outward, across.shape), steps).astype(np.float64)
    colours = np.median(roots, axis=0) / read.scale @ read.white
    far = colours[steps > depth + 2 * unit].mean(axis=0)
    seen = Seen(colours[None], steps, np.array([depth]), np.broadcast_to(far, (1, 2, 3)), unit)
    tries = np.arange(-_FARTHEST_END, _FARTHEST_END + _FINE / 2, _FINE) * unit
    endless = 2.0 * (_FARTHEST_END + 20.0) * unit
    breadths, blurs = np.full((len(tries), 1), endless), np.broadcast_to(blur, (len(tries), 2))
    rest = unexplained(seen, tries[:, None] - endless / 2, breadths, blurs)
    best = int((rest**2).sum(axis=(1, 2)).argmin())
    return float(tries[best]) if 0 < best < len(tries) - 1 else 0.0


def _joined(lines: list[Floats]) -> Floats:
    """The way (N + 1, 2) along lines (2, 2), each to where it meets the next."""
    meetings = [_meeting(one, two) for one, two in pairwise(lines)]
    return np.array([lines[0][0], *meetings, lines[-1][1]])


def _meeting(one: Floats, two: Floats) -> Floats:
    """Where two lines (2, 2) meet; halfway between them where they hardly turn."""
    u, v, gap = one[1] - one[0], two[1] - two[0], two[0] - one[1]
    across = float(u[0] * v[1] - u[1] * v[0])
    if abs(across) < _SHARP * float(np.linalg.norm(u) * np.linalg.norm(v)):
        return np.asarray((one[1] + two[0]) / 2)
    return np.asarray(one[1] + u * ((gap[0] * v[1] - gap[1] * v[0]) / across))


def _outline(strip: _Strip) -> Floats:
    """The outline (N, 2) of a strip."""
    right = _joined([arm.ends + arm.right * strip.breadth / 2 for arm in strip.arms])
    left = _joined([arm.ends - arm.right * strip.breadth / 2 for arm in strip.arms])
    return np.concatenate([right, left[::-1]])
