"""Rectangles that are two smaller ones: where a kind is as large as two of another, end to end or side by side.

All sides of the larger are seen, too, and it has the longer outline. But across its middle goes no rim: where one
is seen between the halves, though figures hide some of it, they are two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.picture.profiles import grouped, pattern_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, turned
from vision.bases.weighing.judged import (
    FINE,
    Demand,
    Found,
    fitted_together,
    likeness_along,
    seen_of,
    well_seen,
)

__all__ = ["halved"]

Floats = NDArray[np.float64]

_AS_LARGE = 0.1  # the share by which two sides that are as long as one differ from it at most
_OF_USUAL, _SEEN = 0.5, 0.48  # of the usual contrast a seam shows so much, along such a share of both its sides
_RIM, _WITHIN_MM = 0.35, (0.7, 3.0)  # of the rim's width about its middle; and mm within it
_FACING = 0.9  # the cosine between the way out of a seam and that to the other half


def halved(scene: Scene, found: Found, kinds: Sequence[Outline], paint: Paint, demand: Demand) -> Found:
    """The bases found, with those between whose halves, two of another of an army's ``kinds``, a seam is seen as
    these; ``found`` itself where there are none."""
    pairs = {k: pair for k, base in enumerate(found.placed) if (pair := _halves(base, kinds))}
    if not pairs:
        return found
    seams = _seams(scene, [half for pair in pairs.values() for half in pair], found, paint)
    better = [k for k, seam in zip(pairs, seams.reshape(-1, 2), strict=True) if seam.mean() > _SEEN]
    if not better:
        return found
    rest = [base for k, base in enumerate(found.placed) if k not in better]
    placed = [*rest, *(half for k in better for half in pairs[k])]
    told = fitted_together(scene, placed, np.ones(len(placed)), paint, found.look, 5, soft_mm=0.0, shared=False)
    return told if set(range(len(rest), len(placed))).issubset(well_seen(told, demand)) else found


def _seams(scene: Scene, halves: Sequence[Placed], found: Found, paint: Paint) -> Floats:
    """In which share (N,) of their length the seams of halves, of which two and two belong together, stand out from
    what lies within each, as rims do."""
    shares, look, (near, far) = np.zeros(len(halves)), found.look, _WITHIN_MM
    usual = float(np.median(found.contrast))
    for group in grouped(list(halves)):
        pattern = pattern_of(group.outline, *FINE)
        seen, _ = seen_of(scene, group, pattern, paint)
        other = np.array([[halves[k ^ 1].x_mm, halves[k ^ 1].y_mm] for k in group.number])
        way = turned((other - np.column_stack([group.x, group.y]))[:, None], -group.bearing[:, None])[:, 0]
        seam = (way / np.hypot(*way.T)[:, None]) @ pattern.normals.T > _FACING
        depth = np.broadcast_to(pattern.depths, seen.likeness.shape)
        on = likeness_along(seen, np.abs(depth + look.rim_mm / 2) < _RIM * look.rim_mm)
        within = likeness_along(seen, (depth < -look.rim_mm - near) & (depth > -look.rim_mm - far))
        stands = on - within > _OF_USUAL * usual
        shares[group.number] = (stands & seam).sum(axis=1) / seam.sum(axis=1)
    return shares


def _halves(base: Placed, kinds: Sequence[Outline]) -> list[Placed]:
    """The two smaller ones that fill a base; none where no kind is half as large."""
    whole = base.outline
    for kind in kinds:
        for turn_deg, wide, deep in (
            (0.0, kind.half_width_mm, kind.half_depth_mm),
            (90.0, kind.half_depth_mm, kind.half_width_mm),
        ):
            if whole.round_ or kind.round_ or kind == whole:
                continue
            if _is_as(2 * deep, whole.half_depth_mm) and _is_as(wide, whole.half_width_mm):
                across, ahead = 0.0, whole.half_depth_mm / 2
            elif _is_as(2 * wide, whole.half_width_mm) and _is_as(deep, whole.half_depth_mm):
                across, ahead = whole.half_width_mm / 2, 0.0
            else:
                continue
            angle = np.deg2rad(base.bearing_deg)
            x = float(across * np.cos(angle) + ahead * np.sin(angle))
            y = float(ahead * np.cos(angle) - across * np.sin(angle))
            half = replace(base, outline=kind, bearing_deg=base.bearing_deg + turn_deg)
            return [replace(half, x_mm=base.x_mm + side * x, y_mm=base.y_mm + side * y) for side in (1, -1)]
    return []


def _is_as(one_mm: float, other_mm: float) -> bool:
    return abs(one_mm - other_mm) < _AS_LARGE * other_mm
