"""What is seen of figures' bases is no terrain, though the one may be of the other's colour.

A base with a grey rim, or flocked brown, passes for a wall or a hill. Were that ground, its base would be looked
for at a wrong height, and not found.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, STRtree, make_valid, unary_union
from shapely.geometry.base import BaseGeometry

from calibration.camera import CameraModel
from calibration.records import Table
from vision.bases.kinds import Kinds
from vision.bases.pixels import Placed
from vision.bases.shapes import turned
from vision.records import BaseSeen, TerrainSeen

__all__ = ["but_for_bases", "room_for_figures"]

Floats = NDArray[np.float64]

_LARGER = 1.1  # times as long or as broad as a base: so large may one be seen that stands on a hill
_ALL_BUT = 0.85  # of what is seen of a piece: if so much is bases, it is nothing else
_GAP_MM = 3.0  # on either side: what lies between bases closer together is of their block
_SURE = 0.5  # of a base that it stands there
_CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
_ROUND = np.linspace(0.0, 2 * np.pi, 33)[:-1]


def room_for_figures(pieces: Sequence[TerrainSeen], camera: CameraModel, table: Table) -> list[TerrainSeen]:
    """The pieces but for those that may be a single base, for they are no larger: figures hardly stand on them."""
    sizes = [sorted((2 * kind.half_width_mm, 2 * kind.half_depth_mm)) for kind in Kinds(table).all]
    heights = _heights(table)

    def is_small(piece: TerrainSeen) -> bool:
        seen = camera.to_plane(_seen_px(piece, heights, camera), 0.0)
        if not np.isfinite(seen).all():
            return False
        box = np.array(Polygon(seen).minimum_rotated_rectangle.boundary.coords)
        short, long = sorted(np.linalg.norm(np.diff(box[:3], axis=0), axis=1))
        return any(short < _LARGER * least and long < _LARGER * most for least, most in sizes)

    return [piece for piece in pieces if not is_small(piece)]


def but_for_bases(
    pieces: Sequence[TerrainSeen], bases: Sequence[BaseSeen], camera: CameraModel, table: Table
) -> list[TerrainSeen]:
    """The pieces but for those of which only bases are seen."""
    kinds, heights = Kinds(table), _heights(table)
    shapes = [_foot(kinds.placed(base), camera) for base in bases if base.confidence >= _SURE]
    tree = STRtree(shapes)

    def is_bases(piece: TerrainSeen) -> bool:
        seen = _shape(_seen_px(piece, heights, camera))
        over = unary_union([shapes[k] for k in tree.query(seen, predicate="intersects")])
        gap = _GAP_MM * float(camera.px_per_mm([[*piece.polygon_mm[0], 0.0]])[0])
        over = over.buffer(gap).buffer(-gap)
        return bool(over.intersection(seen).area > _ALL_BUT * seen.area)

    return [piece for piece in pieces if not is_bases(piece)]


def _foot(placed: Placed, camera: CameraModel) -> BaseGeometry:
    """Where in the frame a base's rim is seen, in px."""
    kind = placed.outline
    corners = np.column_stack([np.sin(_ROUND), np.cos(_ROUND)]) if kind.round_ else _CORNERS
    around = turned(corners * (kind.half_width_mm, kind.half_depth_mm), placed.bearing_deg)
    top = np.full(len(around), placed.z_mm + kind.height_mm)
    return _shape(camera.project(np.column_stack([around + np.array([placed.x_mm, placed.y_mm]), top])))


def _seen_px(piece: TerrainSeen, heights: dict[str, float], camera: CameraModel) -> Floats:
    corners = np.array(piece.polygon_mm, dtype=np.float64)
    return camera.project(np.column_stack([corners, np.full(len(corners), heights[piece.kind])]))


def _shape(corners_px: Floats) -> BaseGeometry:
    return make_valid(Polygon(corners_px)) if np.isfinite(corners_px).all() else Polygon()


def _heights(table: Table) -> dict[str, float]:
    return {kind.kind: kind.height_mm for kind in table.terrain_kinds}
