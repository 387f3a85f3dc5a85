"""Rectangles that are two smaller ones, and such as are but half of a larger: where a kind is as large as two of
another, end to end or side by side.

All sides of the larger are seen, too, and it has the longer outline. But across its middle goes no rim: where one
is seen between the halves, though figures hide some of it, they are two. And one that has none, and no
neighbour, on one side, but is as clear with as much ground again on that, is half of a larger.
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
from vision.bases.weighing.choose import clear_of, in_the_way
from vision.bases.weighing.judged import (
    FINE,
    Demand,
    Found,
    fitted_together,
    judged_alone,
    likeness_along,
    seen_of,
    well_seen,
)

__all__ = ["doubled", "halved", "seamed"]

Floats = NDArray[np.float64]

_AS_LARGE = 0.1  # the share by which two sides that are as long as one differ from it at most
_OF_USUAL, _SEEN = 0.5, 0.48  # of the usual contrast a seam shows so much, along such a share of both its sides
_RIM, _WITHIN_MM = 0.35, (0.7, 3.0)  # of the rim's width about its middle; and mm within it
_FACING = 0.9  # the cosine between the way out of a seam and that to the other half
_UNSEEN = 0.2  # of a side: so little of it is seen where none is
_HOPE, _AS_CLEAR = 0.7, 0.9  # of the half's contrast that of the whole, judged alone and with its neighbours …
_EXPLAINS, _LEAST_MM = 0.5, 1.0  # … and of what the half explains, or at least of so much
_SHRINK_MM = 1.0  # two may run into each other by twice this


def halved(scene: Scene, found: Found, kinds: Sequence[Outline], paint: Paint, demand: Demand) -> Found:
    """The bases found, with those between whose halves, two of another of an army's ``kinds``, a seam is seen as
    these; ``found`` itself where there are none."""
    pairs = {k: pair for k, base in enumerate(found.placed) if (pair := _halves(base, kinds))}
    if not pairs:
        return found
    seen = seamed(scene, list(pairs.values()), found, paint)
    better = [k for k, seam in zip(pairs, seen, strict=True) if seam]
    if not better:
        return found
    rest = [base for k, base in enumerate(found.placed) if k not in better]
    placed = [*rest, *(half for k in better for half in pairs[k])]
    told = fitted_together(scene, placed, np.ones(len(placed)), paint, found.look, 5, soft_mm=0.0, shared=False)
    return told if set(range(len(rest), len(placed))).issubset(well_seen(told, demand)) else found


def seamed(scene: Scene, pairs: Sequence[Sequence[Placed]], found: Found, paint: Paint) -> list[bool]:
    """Between which (N) two rectangles, side by side, a seam is seen: both have a rim there."""
    halves = [half for pair in pairs for half in pair]
    seams = _sides(scene, halves, [halves[k ^ 1] for k in range(len(halves))], found, paint)
    return [bool(seam > _SEEN) for seam in seams.reshape(-1, 2).mean(axis=1)]


def doubled(scene: Scene, found: Found, kinds: Sequence[Outline], paint: Paint, demand: Demand) -> Found:
    """The bases found, with those that are but half of a larger of an army's ``kinds`` as these; ``found`` itself
    where there are none. On the side of which the other half lies no rim is seen and no other base stands, and the
    whole is seen as clearly all round."""
    pairs = [(k, whole) for k, base in enumerate(found.placed) for whole in _wholes(base, kinds)]
    if not pairs:
        return found
    halves, wholes = [k for k, _ in pairs], [whole for _, whole in pairs]
    sides = _sides(scene, [found.placed[k] for k in halves], wholes, found, paint)
    alone = in_the_way(wholes, found.placed, _SHRINK_MM).sum(axis=1) == 1
    likely = np.flatnonzero(alone & (sides < _UNSEEN)).tolist()
    told = judged_alone(scene, [wholes[n] for n in likely], paint, found.look, 5)
    order = [n for n in np.argsort(-told.contrast) if told.contrast[n] > _HOPE * found.contrast[halves[likely[n]]]]
    order = [order[n] for n in clear_of([told.placed[n] for n in order], _SHRINK_MM)]
    if not order:
        return found
    halves, wholes = [halves[likely[n]] for n in order], [told.placed[n] for n in order]
    rest = [base for k, base in enumerate(found.placed) if k not in halves]
    placed = [*rest, *wholes]
    now = fitted_together(scene, placed, np.ones(len(placed)), paint, found.look, 5, soft_mm=0.0, shared=False)
    seen, better = set(well_seen(now, demand)), {}
    for n, half in enumerate(halves, len(rest)):
        explained = now.taken([n]).explained / max(found.taken([half]).explained, _LEAST_MM)
        if n in seen and now.contrast[n] > _AS_CLEAR * found.contrast[half] and explained > _EXPLAINS:
            better[half] = n
    return found.moved(list(better), now.taken(list(better.values()))) if better else found


def _sides(scene: Scene, bases: Sequence[Placed], towards: Sequence[Placed], found: Found, paint: Paint) -> Floats:
    """In which share (N,) of their length the sides of rectangles towards others (N,) stand out from what lies
    within, as rims do."""
    shares, look, (near, far) = np.zeros(len(bases)), found.look, _WITHIN_MM
    usual = float(np.median(found.contrast))
    for group in grouped(list(bases)):
        pattern = pattern_of(group.outline, *FINE)
        seen, _ = seen_of(scene, group, pattern, paint)
        other = np.array([[towards[k].x_mm, towards[k].y_mm] for k in group.number])
        way = turned((other - np.column_stack([group.x, group.y]))[:, None], -group.bearing[:, None])[:, 0]
        side = (way / np.hypot(*way.T)[:, None]) @ pattern.normals.T > _FACING
        depth = np.broadcast_to(pattern.depths, seen.likeness.shape)
        on = likeness_along(seen, np.abs(depth + look.rim_mm / 2) < _RIM * look.rim_mm)
        within = likeness_along(seen, (depth < -look.rim_mm - near) & (depth > -look.rim_mm - far))
        stands = on - within > _OF_USUAL * usual
        shares[group.number] = (stands & side).sum(axis=1) / side.sum(axis=1)
    return shares


def _wholes(base: Placed, kinds: Sequence[Outline]) -> list[Placed]:
    """The larger ones of which a base fills one half, this or that; none where no kind is twice as large."""
    wholes = []
    for kind in kinds:
        for turn_deg in (0.0, 90.0):
            middle = replace(base, outline=kind, bearing_deg=base.bearing_deg + turn_deg)
            for half in _halves(middle, [base.outline]):
                if abs((half.bearing_deg - base.bearing_deg + 1) % base.outline.turn_deg) < 2:  # as the base lies
                    wholes.append(replace(middle, x_mm=2 * base.x_mm - half.x_mm, y_mm=2 * base.y_mm - half.y_mm))
    return wholes


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
