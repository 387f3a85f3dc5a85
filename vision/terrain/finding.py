"""Pieces of terrain in one frame, each recognised by its kind's colour and placed at its kind's height."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon
from shapely.geometry.polygon import orient

from calibration.camera import CameraModel
from calibration.markers import FoundMarker
from calibration.records import Table
from vision.records import TerrainSeen
from vision.terrain.colour import even_light, lightness_roots
from vision.terrain.outlines import outline_of
from vision.terrain.paints import Paint, distance, paint_for, refined
from vision.terrain.pieces import Piece, disc, split, stands_out

__all__ = ["find_terrain"]

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_NEAR = 9.0
_PRINT_MARGIN = 1.5


def find_terrain(
    frame_bgr: Image, camera: CameraModel, table: Table, found: Sequence[FoundMarker]
) -> list[TerrainSeen]:
    if not table.terrain_kinds:
        return []
    roots = lightness_roots(cv2.GaussianBlur(even_light(frame_bgr, found), (0, 0), 0.8))
    paints = [paint_for(kind) for kind in table.terrain_kinds]
    scale = float(camera.px_per_mm([[table.table.width_mm / 2, table.table.depth_mm / 2, 0.0]])[0])
    prints = _prints(frame_bgr.shape[:2], found)
    areas = [_play_area(frame_bgr.shape[:2], camera, table, paint.height_mm) for paint in paints]
    paints, masks = _tighten(paints, roots, areas, scale, prints)
    seen = []
    for paint, mask in zip(paints, masks, strict=True):
        for part, corner in split(mask, scale, 24):
            piece = _piece(paint, part, corner, roots, prints, scale)
            if piece is None:
                continue
            seen_piece = _seen(piece, camera, scale)
            if seen_piece is not None:
                seen.append(seen_piece)
    return seen


def _classify(paints, roots, areas):
    costs = np.stack([distance(roots, paint) for paint in paints])
    best = costs.argmin(axis=0)
    near = costs.min(axis=0) < _NEAR
    return [((best == i) & near & (area > 0)).astype(np.uint8) for i, area in enumerate(areas)]


def _tighten(paints, roots, areas, scale, prints):
    masks = _classify(paints, roots, areas)
    better = []
    for paint, mask in zip(paints, masks, strict=True):
        samples = []
        for part, (x, y) in split(mask, scale, 12):
            window = roots[y : y + part.shape[0], x : x + part.shape[1]]
            blind = prints[y : y + part.shape[0], x : x + part.shape[1]]
            if stands_out(part, window, blind) > 0:
                samples.append(window[cv2.erode(part, disc(1)) > 0])
        pooled = np.concatenate(samples) if samples else np.zeros((0, 3), np.float32)
        better.append(refined(paint, pooled) if len(pooled) >= 50 else paint)
    return better, _classify(better, roots, areas)


def _piece(paint, part, corner, roots, prints, scale):
    x, y = corner
    window = roots[y : y + part.shape[0], x : x + part.shape[1]]
    blind = prints[y : y + part.shape[0], x : x + part.shape[1]]
    contrast = stands_out(part, window, blind)
    if contrast <= 0:
        return None
    grown = cv2.morphologyEx(cv2.copyMakeBorder(part, 40, 40, 40, 40, cv2.BORDER_CONSTANT), cv2.MORPH_CLOSE, disc(6 * scale))[40:-40, 40:-40]
    outlines, _ = cv2.findContours(grown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(part)
    cv2.drawContours(filled, outlines, -1, 1, cv2.FILLED)
    return Piece(paint, filled, corner, contrast)


def _seen(piece, camera, scale):
    outline = outline_of(piece.mask.astype(np.float32), 1.0)
    if outline is None:
        return None
    places = camera.to_plane(outline + piece.corner, piece.paint.height_mm)
    shape = Polygon(places)
    if not shape.is_valid:
        shape = shape.buffer(0)
        if shape.geom_type != "Polygon":
            shape = max(shape.geoms, key=lambda g: g.area)
    shape = orient(shape)
    return TerrainSeen(
        kind=piece.paint.kind,
        polygon_mm=tuple((float(x), float(y)) for x, y in shape.exterior.coords[:-1]),
        sigma_mm=0.5 / scale,
    )


def _prints(shape, found):
    mask = np.zeros(shape, np.uint8)
    for marker in found:
        centre = marker.corners_px.mean(axis=0)
        corners = centre + (marker.corners_px - centre) * _PRINT_MARGIN
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    return mask


def _play_area(shape, camera, table, height_mm):
    w, d = table.table.width_mm, table.table.depth_mm
    along = np.linspace(0, 1, 16, endpoint=False)[:, None]
    corners = np.array([[0, 0], [w, 0], [w, d], [0, d]], dtype=float)
    edge = np.concatenate([a + (b - a) * along for a, b in zip(corners, np.roll(corners, -1, axis=0))])
    pixels = camera.project(np.column_stack([edge, np.full(len(edge), height_mm)]))
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.rint(pixels).astype(np.int32)], 1)
    return mask
