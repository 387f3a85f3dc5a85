"""Which rings of a paint lie about a finger, and how much of what looks like that paint they are.

A paint is told from the colours of figures, flock and shadows by that: what is painted is nearly all rims, and what
looks like a coat or a shadow is all over the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from calibration.records import Army
from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.proposing.proposed import proposed
from vision.bases.shapes import Outline
from vision.bases.usual import Look
from vision.bases.weighing.choose import conflicts, heaviest, polygons_of
from vision.bases.weighing.judged import LENIENT, Rivals, judged_alone
from vision.pointing.sizes import FIRST, Size, kind_of

__all__ = ["Rings", "army_of", "nearest", "outline_size", "rings_of", "share_on_rims"]

Floats = NDArray[np.float64]

_OFF_MM = 14.0  # how far from a base's middle people point: at the figure's head, which leans outwards
_LEAST_STRENGTH, _SHRINK_MM = 0.3, 1.0  # of the best ring; two may run into each other by twice this
_ROUNDS = 4
_UNDER, _ABOUT = (
    5,
    2,
)  # so many sizes of rings under the finger come before so many of those about it, and all others
_RIM_MM, _BESIDE_MM = 4.0, 0.8  # a rim and its blur reach so far inside the outline, and so far outside
_FAINT = 0.2  # less likeness is the mat's own mottle


@dataclass(frozen=True, eq=False)
class Rings:
    """The rings of a paint: ``share`` of all that looks like it lies on them, and the ``sizes`` that the one under
    the finger may have, likeliest first."""

    paint: Paint
    share: float
    sizes: tuple[Size, ...]


def rings_of(scene: Scene, paint: Paint, finger_mm: Floats, height_mm: float) -> Rings | None:
    """The rings of a paint about a finger at (2,), each judged as if alone; None where none is under it."""
    look = Look(blur_mm=float(np.clip(scene.blur_mm, 0.5, 2.2)))
    likely = proposed(scene, army_of(FIRST, height_mm), paint)
    given = judged_alone(scene, likely, paint, look, 0) if likely else None
    if given is None:
        return None
    alone = judged_alone(scene, given.hopeful(), paint, look, _ROUNDS).painted(paint, ())
    kept = _together(alone)
    if not kept:
        return None
    under = _sizes_of(alone, np.flatnonzero(_under(alone.placed, finger_mm)).tolist())
    if not under:
        return None
    placed = [alone.placed[k] for k in kept]
    sizes = dict.fromkeys([*under[:_UNDER], *_sizes_of(alone, kept)[:_ABOUT], *under])
    return Rings(paint, share_on_rims(scene, paint, placed), tuple(sizes))


def army_of(sizes: Sequence[Size], height_mm: float) -> Army:
    """An army with bases of such sizes."""
    kinds = [kind_of(size, height_mm, "x".join(f"{one:g}" for one in size)) for size in sizes]
    return Army(name="pointed at", base_colour="#000000", bases=tuple(kinds))


def share_on_rims(scene: Scene, paint: Paint, placed: Sequence[Placed]) -> float:
    """How much (0-1) of what looks like a paint in a scene lies on the rims of bases."""
    laid = scene.likeness(paint, placed[0].outline.height_mm)
    if laid is None:
        return 0.0
    flat, like, usable = laid
    rows, columns = np.nonzero(usable & (like > _FAINT))
    points = flat.point_of(columns.astype(np.float64), rows.astype(np.float64))
    rims = shapely.union_all(
        shapely.difference(
            shapely.buffer(polygons_of(placed), _BESIDE_MM), shapely.buffer(polygons_of(placed), -_RIM_MM)
        )
    )
    weight = np.minimum(like[rows, columns], 1.0) - _FAINT
    on = shapely.contains_xy(rims, points[:, 0], points[:, 1])
    return float(weight[on].sum() / max(float(weight.sum()), 1e-6))


def nearest(placed: Sequence[Placed], finger_mm: Floats) -> int | None:
    """Which of some bases a finger at (2,) points at; None where it points at none."""
    if not placed:
        return None
    apart = shapely.distance(polygons_of(placed), shapely.points(finger_mm))
    off = np.array([np.hypot(p.x_mm - finger_mm[0], p.y_mm - finger_mm[1]) for p in placed])
    best = int(np.lexsort([off, apart])[0])
    return best if apart[best] == 0.0 or off[best] < _OFF_MM else None


def _together(rivals: Rivals) -> list[int]:
    """Those of some rings that can stand together and show the most rim."""
    if not rivals.placed:
        return []
    strength = rivals.strength(LENIENT) - _LEAST_STRENGTH
    weights = [float(s) * p.outline.perimeter_mm for s, p in zip(strength, rivals.placed, strict=True)]
    return heaviest(weights, conflicts(rivals.placed, _SHRINK_MM))


def _under(placed: Sequence[Placed], finger_mm: Floats) -> NDArray[np.bool_]:
    """Which of some rings (N,) a finger at (2,) may point at."""
    off = np.array([np.hypot(p.x_mm - finger_mm[0], p.y_mm - finger_mm[1]) for p in placed])
    half = np.array([min(p.outline.half_width_mm, p.outline.half_depth_mm) for p in placed])
    return np.asarray(off < np.maximum(half, _OFF_MM))


def _sizes_of(rivals: Rivals, which: Sequence[int]) -> list[Size]:
    """The sizes of some rings, those of which one explains most of the picture first."""
    best: dict[Size, float] = {}
    for k in which:
        outline = rivals.placed[k].outline
        explained = float(rivals.contrast[k] * rivals.proof[k]) * outline.perimeter_mm
        best[outline_size(outline)] = max(best.get(outline_size(outline), 0.0), explained)
    return sorted(best, key=lambda size: -best[size])


def outline_size(outline: Outline) -> Size:
    """A round outline's diameter, another's width and depth."""
    sides = (2 * outline.half_width_mm, 2 * outline.half_depth_mm)
    return sides[:1] if outline.round_ else sides
