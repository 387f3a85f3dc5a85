"""Where the edge of a piece lies, to a fraction of a pixel: the frame's colours read across the outline."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lookups import looked_up
from vision.terrain.colour import DARKEST, Light
from vision.terrain.paints import Paint, distance

__all__ = ["Crossing", "Profiler"]

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_STEP = 0.5
_BLOCK = 9  # neighbouring profiles that share what lies on either side
_STRANGE = 0.5  # what neither side accounts for, as a share of the step between them
_LEAST_STEP = 0.02  # between both sides, in cube roots of light
_OWN = 20.0  # squared deviations from its paint within which the inside is the piece
_ALIKE = 0.07  # in cube roots of light: so near to a colour, a place shows it
_ALIKE_RUN = 3.0  # neighbouring profiles share blur and noise
_EVEN = 0.5  # of that step: by so much a top may change towards it
_SAME_HUE = 0.85  # cosine: a side in other light is darker or lighter, and of the same hue
_DARKER = 0.1  # in the sum of three cube roots of light: than either side, where a shadow lies between them
_SURE_STEP = 5.0  # standard errors
_SURE = 2.0  # that step over the unevenness along the edge


@dataclass(frozen=True, eq=False)
class Crossing:
    """How far outward (N,) in px the edge lies from where it was looked for, and where that can be told (N,).

    ``beyond`` (N, 3) is the colour of what lies outside, as the profiler sees colours.
    """

    shift_px: Floats
    told: Mask
    beyond: Floats32


class Profiler:
    """Reads a frame (H, W, 3) across outlines, in steps of ``unit_px``: about the blur of its edges.

    Both sides of an edge are compared as light raised to ``power``. Where inside is not of the ``paint``, if one is
    named, something stands in the way, and nothing is told. Beside what is ``shaded``, a block, may lie its shadow.
    """

    def __init__(
        self,
        frame: Image,
        light: Light,
        unit_px: float,
        power: float = 1.0 / 3.0,
        paint: Paint | None = None,
        shaded: bool = False,
    ) -> None:
        self._frame = frame
        self._light = light
        self._levels = np.maximum(light.levels(), 1e-5) ** np.float32(power)
        self._power = power
        self._paint = paint
        self._shaded = shaded
        self.unit_px = unit_px

    def across(self, places: Floats, outward: Floats, breadth_px: float, reach: float, hold: float) -> Crossing:
        """Where edges cross lines through ``places`` (N, 2) along their unit normals ``outward`` (N, 2).

        They are looked for within ``reach`` units; from ``hold`` units on, inside and outside are taken to be all
        of the piece and all of its surroundings. ``breadth_px`` is that of the piece: a strip's far side is not
        looked at.
        """
        unit = self.unit_px
        inner = min(reach, max(0.45 * breadth_px / unit, 1.0))
        steps = np.arange(-np.floor(inner / _STEP), reach / _STEP + 1) * _STEP
        roots = self.read(places, outward, steps * unit)
        hold_in = min(hold, inner - 0.5)
        ours, our_noise = _sides(roots[:, steps <= -hold_in + 1e-9])
        theirs, their_noise = _sides(roots[:, steps >= hold - 1e-9])
        beyond, shadows = theirs, _no_shadows(theirs)
        if self._shaded:
            shadows = _shadows(roots, steps > -hold_in + 1e-9, ours, theirs, our_noise)
        shaded = shadows.shaded
        theirs = np.where(shaded[:, None], shadows.dark, theirs)
        within = ~shaded[:, None] | (np.arange(len(steps)) <= shadows.last[:, None])
        step = ours - theirs
        size = _length(step)
        away = (roots - theirs[:, None]) * within[:, :, None]
        share = (away @ step[:, :, None])[:, :, 0] / np.maximum(size, 1e-6)[:, None] ** 2
        rest = _length(away - share[:, :, None] * step[:, None])
        rest = rest.max(axis=1) / np.maximum(size, 1e-6)
        inside = share[:, steps <= -hold_in + 1e-9].mean(axis=1)
        outside = share[:, steps >= hold - 1e-9].mean(axis=1)
        told = (inside > 0.6) & (shaded | (outside < 0.4)) & (rest < _STRANGE)
        told &= size > np.maximum(_LEAST_STEP, _SURE * np.maximum(our_noise, their_noise))
        if self._paint is not None:
            told &= distance(self._in_even_light(ours, places), self._paint) < _OWN
        told &= self._in_frame(places) & self._in_frame(places + outward * reach * unit)
        clipped = np.clip(share, 0.0, 1.0)
        area = (clipped.sum(axis=1) - 0.5 * (clipped[:, 0] + clipped[:, -1])) * _STEP
        shift = (steps[0] + np.where(shaded, shadows.steepest * _STEP, area)) * unit
        return Crossing(np.where(told, shift, 0.0).astype(np.float64), told, beyond)

    def _in_even_light(self, values: Floats32, places: Floats) -> Floats32:
        """What was read (N, 3) at places (N, 2) as cube roots of the light that it is out of the shade."""
        roots = np.maximum(values, np.float32(DARKEST**self._power)) ** np.float32(1.0 / (3.0 * self._power))
        if self._light.shade is None:
            return roots
        return np.asarray(roots * self._light.shading(places) ** (-self._light.tone / 3.0), dtype=np.float32)

    def steps_within(self, places: Floats, outward: Floats, depth_px: float) -> bool:
        """Whether the colour steps ``depth_px`` inward of places (N, 2) all along an edge."""
        unit = self.unit_px
        inner = -depth_px + np.array([-1.75, -1.25, -0.75]) * unit
        outer = np.arange(-depth_px + 0.75 * unit, -0.9 * unit, 0.5 * unit)
        if not len(outer):
            return False
        top, side = self.read(places, outward, inner), self.read(places, outward, outer)
        gap = top.mean(axis=1) - side.mean(axis=1)
        mean, noise = gap.mean(axis=0), np.linalg.norm(gap.std(axis=0)) / np.sqrt(max(len(gap) / _ALIKE_RUN, 1.0))
        size, colour = float(np.linalg.norm(mean)), top.mean(axis=(0, 1))
        level = float(np.linalg.norm((top[:, -1] - top[:, 0]).mean(axis=0))) < _EVEN * size
        alike = abs(float(mean @ colour)) > _SAME_HUE * size * float(np.linalg.norm(colour))
        return size > max(_LEAST_STEP, _SURE_STEP * float(noise)) and level and alike

    def shows(self, places: Floats, colours: Floats32) -> float:
        """The share of places (N, 2) that show one of these colours (M, 3)."""
        if not len(places) or not len(colours):
            return 0.0
        seen = self.read(places, np.zeros((len(places), 2)), np.zeros(1))
        away = np.linalg.norm(seen - colours[None], axis=2).min(axis=1)
        return float((away < _ALIKE * (3.0 * self._power) ** -0.5).mean())

    def _in_frame(self, places: Floats) -> Mask:
        height, width = self._frame.shape[:2]
        return np.asarray(((places > 1) & (places < (width - 2, height - 2))).all(axis=1))

    def read(self, places: Floats, outward: Floats, steps_px: Floats) -> Floats32:
        """The cube roots of light (N, M, 3) at so many steps outward of places (N, 2)."""
        points = (places[:, None, :] + outward[:, None, :] * steps_px[None, :, None]).astype(np.float32)
        values = looked_up(self._frame, points, border=cv2.BORDER_REPLICATE)
        return np.asarray(np.stack([self._levels[values[..., c], c] for c in range(3)], axis=-1), np.float32)


def _length(vectors: Floats32) -> Floats32:
    """The lengths (...) of vectors (..., 3); by hand, for along an axis so short it takes ten times as long."""
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.asarray(np.sqrt(x * x + y * y + z * z), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class _Shadows:
    """Where a shadow lies right outside of profiles (N,): how ``dark`` (N, 3), the ``last`` step (N,) before
    it ends, and at which (N,), to parts of a step, the inside's colour falls most steeply to it."""

    shaded: Mask
    dark: Floats32
    last: NDArray[np.intp]
    steepest: Floats


def _no_shadows(theirs: Floats32) -> _Shadows:
    """Profiles (N,) beside which lies what lies farther out, too."""
    count = len(theirs)
    return _Shadows(np.zeros(count, dtype=np.bool_), theirs, np.zeros(count, dtype=np.intp), np.zeros(count))


def _shadows(roots: Floats32, beyond: Mask, ours: Floats32, theirs: Floats32, noise: Floats32) -> _Shadows:
    """The shadows beside a block: where among the steps ``beyond`` (M,) most neighbours are darkest, and darker
    there than on either side.

    Half of the fall to a narrow shadow lies too far inside, for blur leaves it less dark than it is: it is steepest
    where the edge is.
    """
    which, index = _neighbours(len(roots))
    usual, own = np.median(roots[index], axis=1), np.median(ours[index], axis=1)
    last = np.where(beyond, usual.sum(axis=2), np.inf).argmin(axis=1)
    dark = np.take_along_axis(usual, last[:, None, None], axis=1)
    share = ((usual - dark) * (own[:, None] - dark)).sum(axis=2)
    fall = np.where(np.arange(share.shape[1] - 1) < last[:, None], -np.diff(share, axis=1), 0.0)
    top = np.clip(fall.argmax(axis=1), 1, fall.shape[1] - 2)
    before, at, after = (np.take_along_axis(fall, (top + k)[:, None], axis=1)[:, 0] for k in (-1, 0, 1))
    bend = np.minimum(before - 2 * at + after, -1e-9)
    steepest = top + 0.5 + np.clip(0.5 * (before - after) / bend, -0.5, 0.5)
    least = np.minimum(ours.sum(axis=1), theirs.sum(axis=1)) - np.maximum(_DARKER, _SURE * noise)
    dark = dark[which, 0].astype(np.float32)
    return _Shadows(dark.sum(axis=1) < least, dark, last[which], steepest[which])


def _neighbours(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of which block (N,) each profile is, and the profiles of each block (K, L)."""
    blocks = max(round(count / _BLOCK), 1)
    which = np.minimum(np.arange(count) * blocks // max(count, 1), blocks - 1)
    length = -(-count // blocks) + 1
    return which, np.clip((np.arange(blocks) * count // blocks)[:, None] + np.arange(length), 0, count - 1)


def _sides(roots: Floats32) -> tuple[Floats32, Floats32]:
    """What lies on one side (N, 3) of profiles (N, M, 3), as most neighbours have it; and how uneven (N,)."""
    mean = roots.mean(axis=1)
    which, index = _neighbours(len(mean))
    middle = np.median(mean[index], axis=1)
    spread = np.median(_length(mean[index] - middle[:, None]), axis=1)
    return middle[which].astype(np.float32), spread[which].astype(np.float32)
