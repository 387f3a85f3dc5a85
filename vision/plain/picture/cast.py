"""The shadows that figures cast under a hard lamp: long, broad as a figure, and across bases and their edges.

A fit takes their edges for those of bases, and what lies in them tells little. What lies beside them tells where a
base is.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.plane import Ground
from vision.plain.picture.scene import Scene

__all__ = ["Hard", "cast_by_figures", "hard_shadows"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_DEEP = 0.55  # of its light is left, at most, where a shadow is deep enough to be mistaken …
_DIMMED, _LIGHTER = 0.72, 0.3  # … and towards its edge; flock may be as dark as what is so much lighter than it
_LIKE_TABLE = 4.0  # sigmas: what is in a shadow still has the table's colour
_SEAM_MM = 5.0  # the dark line about a base's foot is narrower, and tells where that is
_PENUMBRA_MM = 1.2
_BROADEST_MM = 28.0  # what is as broad as this is a building's shadow, or a hill's
_WAYS = 24
_BEYOND_MM = (7.0, 10.0, 13.0, 16.0)  # a figure's shadow falls there, to one side of it only
_ONE_SIDED = 0.25  # of figures, so many more have it there than on the other side …
_SURELY = 0.36  # … of half or more where a hard lamp casts all
_ASIDE_MM, _ELSEWHERE_DEG, _ALL_ABOUT = 7.0, (90.0, 135.0, 180.0, 225.0, 270.0), 0.7  # flock is dark there, too
_LONGEST_MM, _WIDE_DEG, _STOUT_MM = 70.0, 30.0, 9.0  # a shadow lies so far and so wide of its figure


@dataclass(frozen=True)
class Hard:
    """The hard shadows of figures: the ``way`` (radians, anticlockwise from the table's right) that they fall,
    whether that is ``sure``, and what share of its light the table has ``left`` in them."""

    way: float
    sure: bool
    left: float


def hard_shadows(scene: Scene, ground: Ground, feet: Floats) -> Hard | None:
    """The shadows that figures at ``feet`` (N, 2), mm, cast; None where they are soft or short."""
    light, alike = _light(scene)
    deep = alike & (light < _DEEP)
    way, share = _way(deep, scene, ground, feet)
    if share <= _ONE_SIDED:
        return None
    fallen = light[deep & _beyond(way, scene, ground, feet)]
    return Hard(way, share > _SURELY, float(np.median(fallen)) if len(fallen) else _DEEP)


def cast_by_figures(scene: Scene, ground: Ground, feet: Floats, hard: Hard | None) -> Mask:
    """The pixels (H, W) of a scene that lie in such shadows of figures, which stand at ``feet`` (N, 2), mm."""
    if hard is None:
        return np.zeros(scene.frame.shape[:2], np.bool_)
    light, alike = _light(scene)
    dark = alike & (light < min(_DIMMED, hard.left + _LIGHTER))
    shaded = dark.astype(np.uint8)
    beyond = _beyond(hard.way, scene, ground, feet[~_flocked(dark, hard.way, scene, ground, feet)])
    seam_px, broadest_px = (mm / 2 * scene.px_per_mm for mm in (_SEAM_MM, _BROADEST_MM))
    long = _opened(shaded, seam_px)
    long = long & ~_opened(long, broadest_px) & beyond.astype(np.uint8)
    return np.asarray(cv2.dilate(_opened(long, seam_px), _disc(_PENUMBRA_MM * scene.px_per_mm)) > 0)


def _flocked(dark: Mask, way: float, scene: Scene, ground: Ground, feet: Floats) -> Mask:
    """Which (N,) feet stand on flock as dark as a shadow of the table: dark also where theirs does not fall."""
    share = [
        _at(dark, _seen(scene, ground, feet, _ASIDE_MM * _along(way + off))) for off in np.deg2rad(_ELSEWHERE_DEG)
    ]
    return np.asarray(np.mean(share, axis=0) > _ALL_ABOUT, dtype=np.bool_)


def _beyond(way: float, scene: Scene, ground: Ground, feet: Floats) -> Mask:
    """The pixels (H, W) where shadows that fall some ``way`` from feet may lie."""
    fallen = np.zeros(scene.frame.shape[:2], np.uint8)
    broad_px = max(1, round(2 * _STOUT_MM * scene.px_per_mm))
    begins = np.rint(_seen(scene, ground, feet, np.zeros(2))).astype(np.int64)
    for off in np.deg2rad((-_WIDE_DEG, 0.0, _WIDE_DEG)):
        ends = np.rint(_seen(scene, ground, feet, _LONGEST_MM * _along(way + off))).astype(np.int64)
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
            cv2.line(fallen, begin, end, 1, broad_px)
    return np.asarray(fallen > 0)


def _light(scene: Scene) -> tuple[NDArray[np.float32], Mask]:
    """What share (H, W) of its light pixels show the table in, or what is of its colour, and which do."""
    frame, then = cv2.GaussianBlur(scene.frame, (0, 0), 0.6), scene.backdrop.then
    light = (frame * then).sum(axis=2) / np.maximum(np.square(then).sum(axis=2), 1.0)
    left = (np.abs(frame - light[..., None] * then) / scene.backdrop.spread).max(axis=2)
    return np.asarray(light, dtype=np.float32), np.asarray((left < _LIKE_TABLE) & scene.backdrop.known)


def _way(shaded: Mask, scene: Scene, ground: Ground, feet: Floats) -> tuple[float, float]:
    """The way (radians, anticlockwise from the table's right) that most shadows of figures fall, and of what share
    more than the other way: a base in a dark colour is as dark on all sides."""
    if not len(feet):
        return 0.0, 0.0
    ways = np.arange(_WAYS) * 2 * np.pi / _WAYS
    dark = np.zeros((_WAYS, len(feet)))
    for k, way in enumerate(ways):
        for away in _BEYOND_MM:
            dark[k] += _at(shaded, _seen(scene, ground, feet, away * _along(way))) / len(_BEYOND_MM)
    one_sided = (dark - np.roll(dark, _WAYS // 2, axis=0)).mean(axis=1)
    best = int(one_sided.argmax())
    return float(ways[best]), float(one_sided[best])


def _at(mask: Mask, seen: Floats) -> Mask:
    """What a mask (H, W) is at places of it (N, 2), x and y: nothing beside it."""
    at = np.rint(seen).astype(np.intp)
    inside = ((at >= 0) & (at < mask.shape[::-1])).all(axis=1)
    told = np.zeros(len(at), np.bool_)
    told[inside] = mask[at[inside, 1], at[inside, 0]]
    return told


def _seen(scene: Scene, ground: Ground, feet: Floats, off: Floats) -> Floats:
    """Where in the picture (N, 2) places on the ground beside feet are seen."""
    at = feet + off
    seen = scene.camera.project(np.column_stack([at, ground.height_at(at)]))
    return np.asarray(np.clip(np.nan_to_num(seen, nan=-1e4), -1e4, 1e4))


def _along(way: float) -> Floats:
    return np.array([np.cos(way), np.sin(way)])


def _opened(mask: NDArray[np.uint8], radius_px: float) -> NDArray[np.uint8]:
    """A mask without what is narrower than a disc."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _disc(radius_px)), dtype=np.uint8)


def _disc(radius_px: float) -> NDArray[np.uint8]:
    size = 2 * max(1, round(radius_px)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)
