"""The sloping side of a hill that the camera sees is no road along it, though it has a road's colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from shapely import Polygon, make_valid
from shapely.geometry.base import BaseGeometry

from calibration.camera import CameraModel
from vision.records import TerrainSeen
from vision.terrain.paints import Paint

__all__ = ["without_sides"]

_SLOPE = 0.6  # of its height: so far a hill's foot may reach beyond its top
_MOST = 0.8  # of a piece: so much of it lies between a top and such a foot, if it is a side …
_ALONG = 0.35  # … and so much of its outline along the top's: one of its two long edges
_NEAR_PX = 3.0


def without_sides(pieces: Sequence[TerrainSeen], paints: Sequence[Paint], camera: CameraModel) -> list[TerrainSeen]:
    """The pieces without those of flat kinds that lie where the side of a block among them may be seen."""
    by_kind = {paint.kind: paint for paint in paints}
    flat, blocks = ([p for p in pieces if by_kind[p.kind].flat == is_flat] for is_flat in (True, False))
    sides = [p for p in flat if any(_is_side(p, block, by_kind, camera) for block in blocks)]
    return [piece for piece in pieces if piece not in sides]


def _is_side(piece: TerrainSeen, block: TerrainSeen, paints: Mapping[str, Paint], camera: CameraModel) -> bool:
    """Whether a flat piece is a block's side: narrow, and along its top."""
    height = paints[block.kind].height_mm
    shape = _seen(Polygon(piece.polygon_mm), paints[piece.kind].height_mm, camera)
    foot = Polygon(block.polygon_mm).buffer(_SLOPE * height)
    top = _seen(Polygon(block.polygon_mm), height, camera)
    beside = _seen(foot, 0.0, camera).difference(top.buffer(-_NEAR_PX))
    if shape.intersection(beside).area < _MOST * shape.area:
        return False
    along = shape.boundary.intersection(top.boundary.buffer(_NEAR_PX))
    return bool(along.length > _ALONG * shape.length)


def _seen(shape: Polygon, height_mm: float, camera: CameraModel) -> BaseGeometry:
    """Where in the frame a shape is seen at a height, in px."""
    corners = np.array(shape.exterior.coords)[:-1]
    return make_valid(Polygon(camera.project(np.column_stack([corners, np.full(len(corners), height_mm)]))))
