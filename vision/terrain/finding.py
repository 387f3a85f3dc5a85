"""Pieces of terrain in one frame, each recognised by its kind's colour and placed at its kind's height."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon
from shapely.geometry.polygon import orient

from calibration.camera import CameraModel
from calibration.markers import FoundMarker
from calibration.records import Table
from vision.records import TerrainSeen
from vision.terrain.mat import mat_of
from vision.terrain.outlines import belonging, outline_of
from vision.terrain.paints import Paint, distance, paint_for, refined, unlikelihood
from vision.terrain.pieces import Part, make_whole, parts_of, stands_out, surround_of
from vision.terrain.scene import Scene, eroded, look

__all__ = ["find_terrain"]

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_NEAR = 9.0  # squared deviations from a paint within which a pixel may show it
_FAMILIAR = 6.0  # those of half a piece's pixels: shadows and blotches of the mat lie farther off
_MARGIN_MM = 65.0
_TOLERANCE_PX = 1.2
_ENOUGH_SAMPLES = 50
_EDGE_SIGMA_PX = 0.35


def find_terrain(
    frame_bgr: Image, camera: CameraModel, table: Table, found: Sequence[FoundMarker]
) -> list[TerrainSeen]:
    """The terrain in a frame (H, W, 3), kind by kind in the table file's order, larger pieces first.

    ``found`` are the frame's markers, whose white tells the light. Polygons are simple and run counter-clockwise.
    """
    if not table.terrain_kinds:
        return []
    scene = look(frame_bgr, camera, table, found)
    areas = [scene.play_area(kind.height_mm) for kind in table.terrain_kinds]
    named = [paint_for(kind) for kind in table.terrain_kinds]
    masks = _recognised(named, areas, scene)
    return [piece for paint, mask in zip(named, masks, strict=True) for piece in _of_a_kind(paint, mask, scene)]


def _recognised(named: list[Paint], areas: list[Mask], scene: Scene) -> list[Mask]:
    """A mask (H, W) of what has each paint, as this picture shows the paints."""
    mat = mat_of(scene.roots[::5, ::5][(scene.play_area(0.0) & (1 - scene.prints))[::5, ::5] > 0])
    bare = np.full(scene.shape, np.inf, np.float32) if mat is None else mat.distance(scene.roots)
    shown = []
    for paint, mask in zip(named, _nearest(named, areas, bare, scene), strict=True):
        parts = [part for part in parts_of(mask, scene.px_per_mm, 12) if _is_piece(part, mask, paint, scene)]
        samples = [part.window.of(scene.roots)[eroded(part.mask, 1) > 0] for part in parts]
        pooled = np.concatenate(samples) if samples else np.zeros((0, 3), np.float32)
        shown.append(refined(paint, pooled) if len(pooled) >= _ENOUGH_SAMPLES else paint)
    return _nearest(shown, areas, bare, scene)


def _is_piece(part: Part, kind: Mask, paint: Paint, scene: Scene) -> bool:
    """Whether a part is terrain: of the colour that the table file names, and with an edge."""
    shown = part.window.of(scene.roots)[(part.mask & part.window.of(kind)) > 0]
    return float(np.median(distance(shown, paint))) < _FAMILIAR and stands_out(part, scene)


def _nearest(paints: list[Paint], areas: list[Mask], bare: Floats32, scene: Scene) -> list[Mask]:
    """For each paint the pixels (H, W) that it is nearest to, near enough, and likelier than the bare mat."""
    best = np.full(scene.shape, -1, np.int16)
    least = bare.copy()
    for index, (paint, area) in enumerate(zip(paints, areas, strict=True)):
        cost = distance(scene.roots, paint)
        likely = unlikelihood(cost, paint)
        nearer = (cost < _NEAR) & (likely < least) & (area > 0)
        least[nearer] = likely[nearer]
        best[nearer] = index
    return [(best == index).astype(np.uint8) for index in range(len(paints))]


def _of_a_kind(paint: Paint, kind: Mask, scene: Scene) -> Iterator[TerrainSeen]:
    margin = round(_MARGIN_MM * scene.px_per_mm) + 8
    whole = np.zeros_like(kind)
    parts = [part for part in parts_of(kind, scene.px_per_mm, margin) if _is_piece(part, kind, paint, scene)]
    solid = np.zeros_like(kind)
    for part in parts:
        part.window.of(solid)[part.mask > 0] = 1
    for part in parts:
        window = part.window
        window.of(whole)[make_whole(part, window.of(solid), window.of(kind), scene) > 0] = 1
    seen = [_seen(part, paint, kind, scene) for part in parts_of(whole, scene.px_per_mm, margin)]
    yield from sorted((s for s in seen if s is not None), key=lambda s: -Polygon(s.polygon_mm).area)


def _seen(part: Part, paint: Paint, kind: Mask, scene: Scene) -> TerrainSeen | None:
    own = part.window.of(kind)
    belongs = belonging(part, own, surround_of(part, own, scene), scene, flat=paint.flat)
    outline = outline_of(belongs, _TOLERANCE_PX)
    if outline is None:
        return None
    places = scene.to_plane(outline + np.array([part.window.x, part.window.y]), paint.height_mm)
    shape = _simple(places)
    if shape is None:
        return None
    return TerrainSeen(
        kind=paint.kind,
        polygon_mm=tuple((float(x), float(y)) for x, y in shape.exterior.coords[:-1]),
        sigma_mm=_EDGE_SIGMA_PX / scene.px_per_mm,
    )


def _simple(places: Floats) -> Polygon | None:
    """A polygon that does not cross itself, counter-clockwise: the largest part where the outline did."""
    if len(places) < 3 or not np.isfinite(places).all():
        return None
    shape = Polygon(places)
    if not shape.is_valid:
        mended = shape.buffer(0)
        shape = max(getattr(mended, "geoms", [mended]), key=lambda g: g.area, default=Polygon())
        shape = Polygon(shape.exterior)
    return orient(shape) if shape.area > 0 else None
