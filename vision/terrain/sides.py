"""The side of a block in sight, a hill's slope or the lit side of a house, is no road or wall along it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from shapely import Polygon, make_valid, unary_union
from shapely.geometry.base import BaseGeometry

from calibration.camera import CameraModel
from vision.records import TerrainSeen
from vision.terrain.narrow import NARROW
from vision.terrain.paints import Paint

__all__ = ["without_sides"]

_SLOPE = 0.6  # of its height: so far a hill's foot may reach beyond its top
_MOST = 0.8  # of a piece: so much of it lies between a top and such a foot, if it is a side …
_ALONG = 0.35  # … and so much of its outline along the top's: one of its two long edges
_NEAR_PX = 3.0


def without_sides(pieces: Sequence[TerrainSeen], paints: Sequence[Paint], camera: CameraModel) -> list[TerrainSeen]:
    """The pieces without the flat and the narrow ones that lie where the side of a block among them may be seen."""
    by_kind = {paint.kind: paint for paint in paints}
    blocks = [p for p in pieces if not by_kind[p.kind].flat and p.kind not in NARROW]
    may_be = [p for p in pieces if by_kind[p.kind].flat or p.kind in NARROW]
    sides = [p for p in may_be if any(_is_side(p, block, by_kind, camera) for block in blocks)]
    return [piece for piece in pieces if piece not in sides]


def _is_side(piece: TerrainSeen, block: TerrainSeen, paints: Mapping[str, Paint], camera: CameraModel) -> bool:
    """Whether a piece is a block's side: narrow, and along its top. A wall may stand close beside a house, but none
    of it where the house's upright side is seen."""
    height = paints[block.kind].height_mm
    shape = _seen(Polygon(piece.polygon_mm), paints[piece.kind].height_mm, camera)
    outline = Polygon(block.polygon_mm)
    top = _seen(outline, height, camera)
    foot = _seen(outline if piece.kind in NARROW else outline.buffer(_SLOPE * height), 0.0, camera)
    side = unary_union([top, foot]).convex_hull if piece.kind in NARROW else foot
    if shape.intersection(side.difference(top.buffer(-_NEAR_PX))).area < _MOST * shape.area:
        return False
    along = shape.boundary.intersection(top.boundary.buffer(_NEAR_PX))
    return bool(along.length > _ALONG * shape.length)


def _seen(shape: Polygon, height_mm: float, camera: CameraModel) -> BaseGeometry:
    """Where in the frame a shape is seen at a height, in px."""
    corners = np.array(shape.exterior.coords)[:-1]
    return make_valid(Polygon(camera.project(np.column_stack([corners, np.full(len(corners), height_mm)]))))
