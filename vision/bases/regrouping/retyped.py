"""Groups of bases of which some may be of another kind: where an army has kinds as large as each other.

Where rims touch and are half hidden, a round base is seen in a square one, and neighbours that are taken for one
kind make it look right. So all of such a group are tried as the other kind at once, turned as those of it are that
stand there, and stand so if that explains more of the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline
from vision.bases.weighing.choose import beside_them
from vision.bases.weighing.judged import Demand, Found, fitted_together, well_seen
from vision.bases.weighing.packing import groups_of
from vision.bases.weighing.ranks import in_ranks

__all__ = ["retyped", "ways_of"]

_AS_LARGE = 0.15  # the share by which the sides of kinds that are taken for each other differ at most
_ASTRAY_MM = 4.0  # so far off another kind may have been found
_LEAST_GAIN = 1.01  # of what a group explains, the other kind must explain so much


def retyped(scene: Scene, held: Found, paint: Paint, demand: Demand) -> Found:
    """The bases held, with groups all of one kind that explain more so; ``held`` itself where there are none."""
    now = held
    for group in groups_of(held.placed):
        standing = best = held.taken(group)
        for tried in ways_of(standing.placed):
            told = fitted_together(
                scene, tried, np.ones(len(tried)), paint, held.look, 10, soft_mm=0.5, shared=False
            )
            if told.explained > _LEAST_GAIN * best.explained and len(well_seen(told, demand)) == len(tried):
                best = told
        if best is not standing:
            gone = set(standing.placed)
            now = now.moved([k for k, base in enumerate(now.placed) if base in gone], best)
    return now


def ways_of(group: Sequence[Placed]) -> list[list[Placed]]:
    """A group with all that may be of one of its kinds as that: where they were found, turned as the nearest of it,
    and, where those of it form a block, as the next ones in it, and in its ranks and files."""
    ways: list[list[Placed]] = []
    for kind in dict.fromkeys(base.outline for base in group):
        models = [base for base in group if base.outline == kind]
        other = [k for k, base in enumerate(group) if base.outline != kind and _is_like(base.outline, kind)]
        if not other:
            continue
        there, beside = list(group), list(group)
        for k in other:
            turned = replace(_nearest(group[k], models), x_mm=group[k].x_mm, y_mm=group[k].y_mm)
            there[k] = turned
            near = [spot for spot in beside_them(models) if _apart(spot, group[k]) < _ASTRAY_MM]
            beside[k] = _nearest(group[k], near) if near else turned
        ways += [there, beside] if beside != there else [there]
        block = in_ranks(models, [group[k] for k in other])
        if block is not None:
            rest = [base for k, base in enumerate(group) if base.outline != kind and k not in other]
            ways.append([*block, *rest])
    return ways


def _is_like(one: Outline, other: Outline) -> bool:
    """Whether the sides of two kinds are about as long as each other."""
    pairs = ((one.half_width_mm, other.half_width_mm), (one.half_depth_mm, other.half_depth_mm))
    return all(abs(a - b) < _AS_LARGE * b for a, b in pairs)


def _nearest(base: Placed, among: Sequence[Placed]) -> Placed:
    return min(among, key=lambda other: _apart(base, other))


def _apart(one: Placed, other: Placed) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))
