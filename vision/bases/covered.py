"""Several bases that were found where one larger one stands: two squares fill a rectangle of their sizes exactly.

All of its rim is theirs, too, so that by their rims alone they are as good. But between them they should have sides
that nothing shows, and one base explains as much as they do. In a block others' rims lie about them, which are
held neither for nor against it: there they are left as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from vision.bases.choose import in_the_way, polygons_of
from vision.bases.judged import Found, fitted_together
from vision.bases.packing import groups_of, ways_to_fill
from vision.bases.paint import Paint
from vision.bases.pixels import Placed
from vision.bases.scene import Scene

__all__ = ["covered"]

_LARGER = 1.6  # times as large as another kind, to stand where several of it were found
_WITHIN = 0.75  # of a base's area: so much lies under the larger one, if that stands in its place
_CLEAR_MM = 1.5  # into others it runs by less than twice this
_OF_BEFORE = 0.97  # of what stays unexplained now, one base leaves less than this


def covered(scene: Scene, found: Found, spare: Sequence[Placed], paint: Paint) -> Found:
    """The bases found, with one in place of several where one of those to ``spare``, best first, explains the
    picture better; ``found`` itself where there is none."""
    gone, come = set[int](), list[Placed]()
    for base, under in _larger(found.placed, spare):
        if gone.intersection(under) or in_the_way([base], come, _CLEAR_MM).any():
            continue
        laid = scene.likeness(paint, base.outline.height_mm)
        if laid is None:
            continue
        ways = ways_to_fill(*laid, [found.placed[k] for k in under], [base], found.look)
        if ways.unexplained([len(under)]) < _OF_BEFORE * ways.unexplained(ways.standing):
            gone.update(under)
            come.append(base)
    if not come:
        return found
    placed = [*(base for k, base in enumerate(found.placed) if k not in gone), *come]
    return fitted_together(scene, placed, np.ones(len(placed)), paint, found.look, 5, soft_mm=0.0)


def _larger(held: Sequence[Placed], spare: Sequence[Placed]) -> list[tuple[Placed, list[int]]]:
    """Those to spare under which all of a group of those held would lie, and which these are."""
    areas = {outline: outline.area_mm2 for outline in {base.outline for base in (*held, *spare)}}
    least = min((areas[base.outline] for base in held), default=np.inf)
    large = [base for base in spare if areas[base.outline] > _LARGER * least]
    if not large:
        return []
    against = in_the_way(large, held, _CLEAR_MM)
    if not (against.sum(axis=1) > 1).any():
        return []
    theirs = polygons_of(held)
    alone = {tuple(sorted(group)) for group in groups_of(held) if len(group) > 1}
    pairs = []
    for base, row in zip(large, against, strict=True):
        under = np.flatnonzero(row).tolist()
        if tuple(under) not in alone or any(areas[base.outline] < _LARGER * areas[held[k].outline] for k in under):
            continue
        shared = shapely.area(shapely.intersection(theirs[under], polygons_of([base])[0]))
        if (shared > _WITHIN * shapely.area(theirs[under])).all():
            pairs.append((base, under))
    return pairs
