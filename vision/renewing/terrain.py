"""Terrain looked for again: where the picture is as it was, so are the pieces, however one frame may show them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from calibration.camera import CameraModel
from calibration.records import Table
from vision.records import TerrainSeen

__all__ = ["terrain_renewed"]

Mask = NDArray[np.bool_]

_AROUND = np.ones((3, 3), np.uint8)  # cells: an edge shows beyond the piece, too
_SAME = 0.5  # of a piece that another of its kind covers, in place of it
_PARTS = 16  # of a cell, in which corners are drawn


def terrain_renewed(
    seen: Sequence[TerrainSeen],
    before: Sequence[TerrainSeen],
    changed: Mask,
    camera: CameraModel,
    table: Table,
    cell_px: tuple[float, float],
) -> list[TerrainSeen]:
    """The pieces as ``seen`` where cells (R, C) of the picture, ``cell_px`` broad and high, have ``changed``, and
    as they were ``before`` elsewhere, kind by kind, larger pieces first.

    Nobody laid down or took up a piece where nothing has changed: a faint one came and went with the noise.
    """
    heights = {kind.kind: kind.height_mm for kind in table.terrain_kinds}
    about = np.asarray(cv2.dilate(changed.astype(np.uint8), _AROUND), dtype=np.uint8)

    def has_changed(piece: TerrainSeen) -> bool:
        corners = np.array(piece.polygon_mm, dtype=np.float64)
        px = camera.project(np.column_stack([corners, np.full(len(corners), heights[piece.kind])]))
        if not np.isfinite(px).all():
            return True
        cells = np.clip((px + 0.5) / cell_px - 0.5, -1e4, 1e4)
        drawn = np.zeros_like(about)
        cv2.fillPoly(drawn, [np.rint(cells * _PARTS).astype(np.int32)], 1, shift=4)
        return bool((drawn & about).any())

    fresh = [piece for piece in seen if has_changed(piece)]
    stay = [piece for piece in before if not has_changed(piece) and not any(_covers(new, piece) for new in fresh)]
    order = {kind.kind: number for number, kind in enumerate(table.terrain_kinds)}
    return sorted([*stay, *fresh], key=lambda p: (order[p.kind], -Polygon(p.polygon_mm).area))


def _covers(new: TerrainSeen, old: TerrainSeen) -> bool:
    """Whether a piece lies where another of its kind did, and so is that one."""
    was = Polygon(old.polygon_mm)
    return new.kind == old.kind and Polygon(new.polygon_mm).intersection(was).area > _SAME * was.area
