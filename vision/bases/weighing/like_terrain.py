"""Which bases stand beside terrain of their own paint's colour, so that its edge may be taken for their rims, or
on such, so that its trees may."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from calibration.records import Army
from vision.bases.picture.paint import Paint, expected_features
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.weighing.judged import Where

__all__ = ["beside_or_on_terrain", "beside_terrain", "beside_what_looks_painted"]

_AS_STRONG = 0.95  # of a paint's way from the mat: a surface that goes so far is as good as painted
_HALF, _TOUCHING_MM = 0.5, 4.0  # of that way; and so near to such a surface its edge looks like a rim
_TERRAINS_OWN = 0.95  # the cosine from which an army's paint is a terrain's, too


def beside_terrain(scene: Scene, army: Army, paint: Paint, standing: Sequence[Placed] = ()) -> Where | None:
    """What tells which bases stand so near to terrain of an army's own paint that it may be taken for their rims;
    None where there is no such terrain. What lies under bases that are known to be ``standing`` is none: tops and
    coats of that colour, shoulder to shoulder, look as terrain does."""
    own = [k for k in scene.table.terrain_kinds if paint.is_like(expected_features(k.colour), _TERRAINS_OWN)]
    if not own:
        return None
    if any(kind.kind == "wall" for kind in own):  # as narrow as rims, and may be anywhere
        return lambda placed: np.ones(len(placed), dtype=np.bool_)
    there = scene.lookalikes(paint, max(kind.height_mm for kind in army.bases))
    if there is None:
        return lambda placed: np.ones(len(placed), dtype=np.bool_)
    if standing:
        there = there.but_under([[p.x_mm, p.y_mm] for p in standing], [p.outline.reach_mm for p in standing])
    return lambda placed: there.beside([[p.x_mm, p.y_mm] for p in placed], [p.outline.reach_mm for p in placed])


def beside_or_on_terrain(scene: Scene, paint: Paint, beside: Where | None) -> Where | None:
    """What tells which bases stand ``beside`` terrain of their paint's colour or on a piece that looks
    painted with it, whatever the table's file says; None where there is neither."""
    like = np.array([False, *(_is_of(paint, np.median(piece.features, axis=0)) for piece in scene.surfaces.all)])
    if not like.any():
        return beside

    def told(placed: Sequence[Placed]) -> NDArray[np.bool_]:
        on = like[scene.surfaces.at(np.array([[p.x_mm, p.y_mm] for p in placed]).reshape(-1, 2))]
        return np.asarray(on if beside is None else on | beside(placed), dtype=np.bool_)

    return told


def beside_what_looks_painted(scene: Scene, paint: Paint, beside: Where | None) -> Where | None:
    """What tells which bases stand ``beside`` terrain of their paint's colour or touch a piece that looks half
    painted with it; None where there is neither."""
    pieces = zip(scene.surfaces.all, scene.surfaces.outlines_mm, strict=True)
    outlines = [rim for piece, rim in pieces if _is_of(paint, np.median(piece.features, axis=0), _HALF)]
    if not outlines:
        return beside
    ground = shapely.union_all([shapely.make_valid(shapely.Polygon(rim)) for rim in outlines])

    def told(placed: Sequence[Placed]) -> NDArray[np.bool_]:
        middles = shapely.points(np.array([[p.x_mm, p.y_mm] for p in placed]).reshape(-1, 2))
        reach = np.array([p.outline.reach_mm for p in placed]) + _TOUCHING_MM
        on = shapely.distance(ground, middles) < reach
        return np.asarray(on if beside is None else on | beside(placed), dtype=np.bool_)

    return told


def _is_of(paint: Paint, features: NDArray[np.float64], strength: float = _AS_STRONG) -> bool:
    """Whether what looks like this (3,) is as good as painted, or so far."""
    return paint.is_like(features) and bool(paint.strength(features[None])[0] > strength)
