"""Ground without what blockers cover: many shapes at once, each blocker drawn once.

What bears one name is cut as one thing. Its drawing is remembered by its coordinates, so that all who pass by share
it, in this game and in the next.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from engine.geometry.plane.distinct import distinct
from engine.geometry.reach.areas import Geometries, without_lines
from engine.geometry.reach.blockers import Solid

__all__ = ["cut"]

Array = NDArray[np.float64]
Key = tuple[bytes, int, float]

#: How many drawings are remembered: those of several games of a thousand units.
_KEPT = 4096
_known: OrderedDict[Key, BaseGeometry] = OrderedDict()
_lock = Lock()


def cut(
    shapes: Geometries, solids: Sequence[Sequence[Solid]], quad_segs: int, wider_mm: Sequence[float]
) -> Geometries:
    """Shapes (n,) without the ground of the solids of each, widened by so many mm all round; arcs are polylines.

    >>> from engine.geometry.reach.blockers import outlines_as_blockers
    >>> wall = outlines_as_blockers([[(4, -1), (6, -1), (6, 9), (4, 9)]], ["wall"])
    >>> shapes = shapely.box([0.0, 10.0], 0.0, [9.0, 19.0], 3.0)
    >>> [shape.area for shape in cut(shapes, [wall.solids, wall.solids], 4, [0.0, 0.0])]
    [21.0, 27.0]
    """
    owner = np.repeat(np.arange(len(shapes)), [len(some) for some in solids])
    every = [solid for some in solids for solid in some]
    if not every:
        return shapes
    margin = np.array(wider_mm, dtype=float)[owner, None]
    box = np.stack([solid.box for solid in every]) + margin * np.array([-1.0, -1.0, 1.0, 1.0])
    bounds = shapely.bounds(shapes)[owner]
    met = np.flatnonzero((box[:, :2] <= bounds[:, 2:]).all(axis=1) & (box[:, 2:] >= bounds[:, :2]).all(axis=1))
    if not len(met):
        return shapes
    owner, box = owner[met], box[met]
    drawn = _drawn([every[n] for n in met.tolist()], quad_segs, margin[met, 0].tolist())
    turn = _turns(owner, box)
    left = shapes.copy()
    for number in range(int(turn.max()) + 1):
        mine = np.flatnonzero(turn == number)
        parts, of = shapely.get_parts(drawn[mine], return_index=True)
        solid = shapely.get_type_id(parts) == 3  # what has no area cuts nothing
        parts, whose = parts[solid], owner[mine][of[solid]]
        concerned = np.flatnonzero(np.bincount(whose, minlength=len(shapes)))
        rank = np.cumsum(np.bincount(concerned, minlength=len(shapes))) - 1
        together = shapely.multipolygons(parts, indices=rank[whose])
        left[concerned] = shapely.difference(left[concerned], together)
    return without_lines(left)


def _turns(owner: NDArray[np.intp], box: Array) -> NDArray[np.intp]:
    """(k,) in which turn things are cut, so that no two boxes (k, 4) of one turn and one owner (k,), which rise,
    meet: then they make a valid geometry as they are."""
    low, high = box[:, None, :2], box[None, :, 2:]
    meets = (low <= high).all(axis=2)
    meets &= meets.T
    meets &= owner[:, None] == owner[None]
    turn = np.zeros(len(owner), dtype=np.intp)
    for one in np.flatnonzero(np.tril(meets, -1).any(axis=1)).tolist():
        taken = set(turn[:one][meets[one, :one]].tolist())
        turn[one] = next(number for number in range(len(owner)) if number not in taken)
    return turn


def _drawn(solids: Sequence[Solid], quad_segs: int, wider_mm: Sequence[float]) -> Geometries:
    """The solids as polygons; those not known yet are drawn together."""
    keys = [(solid.mark, quad_segs, wider) for solid, wider in zip(solids, wider_mm, strict=True)]
    with _lock:
        found = {key: known for key in keys if (known := _known.get(key)) is not None}
        for key in found:
            _known.move_to_end(key)
    missing = {
        key: (solid, wider) for key, solid, wider in zip(keys, solids, wider_mm, strict=True) if key not in found
    }
    if missing:
        fresh = dict(zip(missing, _anew(list(missing.values()), quad_segs), strict=True))
        found |= fresh
        with _lock:
            _known.update(fresh)
            while len(_known) > _KEPT:
                _known.popitem(last=False)
    return np.array([found[key] for key in keys], dtype=object)


def _anew(wanted: Sequence[tuple[Solid, float]], quad_segs: int) -> list[BaseGeometry]:
    """Drawings of solids, each widened: of those that are discs of one size, all together."""
    plain = [number for number, (solid, _) in enumerate(wanted) if _is_discs_of_a_size(solid)]
    found: dict[int, BaseGeometry] = {}
    if plain:
        spots = [wanted[number][0].start for number in plain]
        of = np.repeat(np.arange(len(plain)), [len(some) for some in spots])
        points: Geometries = np.asarray(shapely.points(np.concatenate(spots)), dtype=object)
        middles = shapely.multipoints(points, indices=of)
        sizes = [wanted[number][0].rounding[0] + wanted[number][1] for number in plain]
        around = shapely.buffer(middles, sizes, quad_segs=quad_segs)
        found = dict(zip(plain, around.tolist(), strict=True))
    return [
        found[number] if number in found else solid.drawn(quad_segs, wider)
        for number, (solid, wider) in enumerate(wanted)
    ]


def _is_discs_of_a_size(solid: Solid) -> bool:
    return bool(
        (solid.start == solid.end).all()
        and (solid.rounding == solid.rounding[0]).all()
        and len(distinct(solid.shape)) == len(solid.shape)
    )
