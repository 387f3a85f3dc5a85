"""Pieces of terrain in one frame, each recognised by its kind's colour and placed at its kind's height."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import repeat

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon
from shapely.geometry.polygon import orient

from calibration.camera import CameraModel
from calibration.prints.markers import FoundMarker
from calibration.records import Table
from vision.records import TerrainSeen
from vision.terrain.cards import is_print
from vision.terrain.contrast import LEAST_CONTRAST, is_passage, stands_out
from vision.terrain.cutting import cut_out
from vision.terrain.edges import Profiler
from vision.terrain.evenness import is_blotch, is_faint
from vision.terrain.houses import house_of
from vision.terrain.keeping import kept
from vision.terrain.kinds import BARE, Colours, colours_of
from vision.terrain.mugs import is_mug
from vision.terrain.narrow import without_broad_walls
from vision.terrain.outlines import Outline, fitted, rounded, traced
from vision.terrain.paints import Paint, distance, refined
from vision.terrain.pieces import (
    LEAST_MM2,
    STEPS,
    Part,
    Surroundings,
    evened,
    make_whole,
    of_one_top,
    parts_of,
    top_of,
)  # fmt: skip
from vision.terrain.scene import Scene, closed, dilated, eroded, look, opened
from vision.terrain.shade import lamplight_of, shade_of
from vision.terrain.sides import without_sides
from vision.terrain.strips import strip_of
from vision.terrain.thin import thin_of

__all__ = ["find_terrain"]

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Labels = NDArray[np.uint8]
Floats = NDArray[np.float64]
_Trace = Callable[[Floats, float, Profiler], Floats]
_Lift = Callable[[Floats], Floats]

_FAMILIAR = 6.0  # squared deviations of half a piece's cells: shadows and blotches of the mat lie farther off
_MARGIN_MM = 65.0
_ENOUGH_SAMPLES = 30
_UNIT_PER_MM = 0.8
_EDGE_SIGMA_PX = 0.18  # what blur and shade beside an edge do to its place
_STRAY_LEFT = 0.5  # the share of an edge's stray (a variance) that its straight line keeps
_HIDDEN_SIGMA_PX = 2.5  # of an outline where it cannot be seen
_LEAST_OWN = 0.25  # the share of a piece that shows its colour: trees and figures hide the rest
_LEAST_SHOWN = 0.6  # … of one cut out, where the rest may as well be the mat between it and a wall
_BRUSHES = (0.0, 3.5, 7.0)  # in cells: what clings to a piece is narrower
_BROAD = 30.0  # cells: to a block as broad the rim of its shadow clings, and a brush takes little of its corners
_LEAST_ON_TABLE = 0.3  # the share of a piece: less is what lies beside it, were it so high
_CLEAR_CONTRAST = 0.045  # blotches of the mat in even light hardly reach this
_LEAST_KEPT = 0.5  # the share of a piece that such a brush leaves
_FEW_CORNERS = 6
_LEAST_EDGE = 12.0  # units: the mean edge of an outline with more corners than that
_FRAGMENT = 0.25  # of the least piece: what it may be broken into
_SMOOTHER = 2.0  # times the corners: an outline with so many more than a piece cut out follows the blotches
_MOST_HIDDEN, _OF_A_STRIP = 0.65, 0.85  # of an outline; blur mixes both sides of a narrow strip, and hides more
_STRIP = 14.0  # units: walls and fences are narrower
_SLIM, _LEAST_STRAIGHT = 11.0, 18.0  # units: what is slimmer than any house has edges as long, in the mean …
_LEAST_ALIKE = 0.76  # … or is a strip all the same
_LEAST_COVERED = 0.77  # … or its cells, where blur leaves its outline no straight edges
_NARROW = 6.0  # units: such a strip's breadth
_LARGE = 8.0  # of the least pieces: a smaller one may be a base, and the shadow its figure's
_UPON = 0.3  # of a shadow's rim: so much borders on the piece that it lies upon
_FELT = (
    1.0 / 3.0
)  # the power of light in which an edge is halfway between both sides: cameras sharpen what they show
_BLOCK = 0.6  # beside a block lies deep shade, in which less of that is so
_ACROSS = 0.7  # … and where blur is told from the layers that it mixes, still less


def find_terrain(
    frame_bgr: Image,
    camera: CameraModel,
    table: Table,
    found: Sequence[FoundMarker],
    before: Sequence[TerrainSeen] = (),
) -> list[TerrainSeen]:
    """The terrain in a frame (H, W, 3), kind by kind in the table file's order, larger pieces first.

    ``found`` are the frame's markers, whose white tells the light. Polygons are simple and run counter-clockwise.
    A piece that was seen ``before`` with an outline that this frame does not contradict stays exactly as it was.
    """
    if not table.terrain_kinds:
        return []
    scene = look(frame_bgr, camera, table, found)
    named, colours = colours_of(scene)
    lamps = lamplight_of(scene, colours.mat, named, found)
    if lamps is not None:
        scene = look(frame_bgr, camera, table, found, lamps)
        named, colours = colours_of(scene)
    shadow = shade_of(scene, colours.mat, named)
    if shadow is not None:
        scene = look(frame_bgr, camera, table, found, shadow)
        named, colours = colours_of(scene)
    paints, labels, shade = _recognised(scene, named, colours)
    unit = max(1.0, scene.px_per_mm / scene.zoom / _UNIT_PER_MM)
    seen = Surroundings(_coarse(scene), (shade == BARE).astype(np.uint8))
    pieces: list[TerrainSeen] = []
    for index, paint in enumerate(paints):
        profiler = Profiler(frame_bgr, scene.light, unit, _FELT if paint.flat else _BLOCK, paint, not paint.flat)
        kind = (labels == index + 1).astype(np.uint8)
        thin = np.zeros_like(kind) if paint.flat else thin_of(kind, colours.mixed(paint), scene)
        pieces += _of_a_kind(paint, kind, thin, seen, scene, profiler)
    return kept(without_sides(pieces, paints, camera), before)


def _coarse(scene: Scene) -> NDArray[np.int16]:
    """Colours (h, w) in coarse steps."""
    steps = np.minimum(scene.tones * STEPS, STEPS - 1).astype(np.int16)
    codes = scene.codes
    return np.asarray((steps[codes >> 12, 0] * STEPS + steps[(codes >> 6) & 63, 1]) * STEPS + steps[codes & 63, 2])


def _recognised(scene: Scene, named: Sequence[Paint], colours: Colours) -> tuple[list[Paint], Labels, Labels]:
    """The paints as this picture shows them, which of them each cell (h, w) has, one more than its index, and which
    it has in shade."""
    labels = without_broad_walls(colours.nearest(named), named, colours, scene)
    labels = _in_play(labels, named, scene)
    shown = []
    for index, paint in enumerate(named):
        mask = (labels == index + 1).astype(np.uint8)
        parts = [part for part in parts_of(mask, scene.px_per_mm, 8) if _is_piece(part, mask, paint, scene)]
        cells = [part.window.of(scene.codes)[eroded(part.mask, 1) > 0] for part in parts]
        pooled = np.concatenate(cells) if cells else np.zeros(0, np.int32)
        shown.append(refined(paint, scene.roots_of(pooled)) if len(pooled) >= _ENOUGH_SAMPLES else paint)
    labels = without_broad_walls(colours.nearest(shown), shown, colours, scene)
    large = _LARGE * LEAST_MM2 * scene.px_per_mm**2
    shade = colours.in_shade(shown)
    return shown, _in_play(_with_shade(labels, shade, large), shown, scene), shade


def _with_shade(labels: Labels, shade: Labels, large: float) -> Labels:
    """Labels (h, w) with the shadows upon pieces: what may be one, and borders for long enough on its kind, where
    so many cells of that or more hang together."""
    whole = labels.copy()
    for kind in np.unique(shade[(shade > 0) & (shade != BARE)]):
        _, pieces = cv2.connectedComponents((labels == kind).astype(np.uint8), connectivity=4)
        lit = ((np.bincount(pieces.ravel()) >= large)[pieces] & (pieces > 0)).astype(np.uint8)
        whole_kind = closed((shade == kind) | lit, 1)
        shaded = opened(whole_kind, 1) & (labels == 0)
        count, parts = cv2.connectedComponents(shaded, connectivity=4)
        rim = np.bincount(parts[(shaded > eroded(shaded, 1)) & (parts > 0)], minlength=count)
        beside = np.bincount(parts[(shaded & dilated(lit, 1)) > 0], minlength=count)
        upon = beside > _UPON * rim
        upon[0] = False
        whole[upon[parts]] = kind
    return whole


def _in_play(labels: Labels, paints: Sequence[Paint], scene: Scene) -> Labels:
    """Labels (h, w) with those taken away that lie beyond the play area raised to their kind's height."""
    for height in {paint.height_mm for paint in paints}:
        kinds = np.zeros(256, np.uint8)
        kinds[[i + 1 for i, paint in enumerate(paints) if paint.height_mm == height]] = 1
        beyond = np.asarray(cv2.LUT(labels, kinds), np.uint8) & (1 - scene.play_area(height))
        labels[beyond > 0] = 0
    return labels


def _is_piece(part: Part, kind: Mask, paint: Paint, scene: Scene) -> bool:
    """Whether a part is terrain: of the colour that the table file names, and with an edge."""
    return _is_familiar(part, kind, paint, scene) and stands_out(part, part.window.of(kind), scene)


def _is_familiar(part: Part, kind: Mask, paint: Paint, scene: Scene) -> bool:
    """Whether a part, seen over the table, is of the colour that the table file names."""
    on_table = cv2.countNonZero(part.mask & part.window.of(scene.table_top))
    if on_table < _LEAST_ON_TABLE * cv2.countNonZero(part.mask):
        return False
    shown = part.window.of(scene.codes)[(part.mask & part.window.of(kind)) > 0]
    return float(np.median(distance(scene.roots_of(shown), paint))) < _FAMILIAR


def _of_a_kind(
    paint: Paint, kind: Mask, thin: Mask, around: Surroundings, scene: Scene, profiler: Profiler
) -> Iterator[TerrainSeen]:
    margin = _margin_px(scene)
    if not paint.flat:
        tops = kind & thin
        for part in parts_of(kind, scene.px_per_mm, 1):
            part.window.of(tops)[top_of(part, part.window.of(kind), scene) > 0] = 1
        kind = tops
    alike = [
        part
        for part in parts_of(kind | thin, scene.px_per_mm, margin, _FRAGMENT)
        if _is_familiar(part, kind, paint, scene)
    ]
    least = LEAST_MM2 * scene.px_per_mm**2
    large = [part for part in alike if cv2.countNonZero(part.mask) >= least and not is_print(part, scene)]
    if not paint.flat:
        large = [part for part in large if not is_mug(part, scene)]
    parts = [part for part in large if _has_edge(part, kind, paint, scene)]
    solids = repeat(_drawn(alike, kind)) if paint.flat else (_drawn(top, kind) for top in of_one_top(parts, scene))
    whole = np.zeros_like(kind)
    for part, solid in zip(parts, solids, strict=False):
        window = part.window
        here = Surroundings(window.of(around.coarse), window.of(around.shaded_mat))
        grown = make_whole(part, window.of(solid), window.of(kind), here, scene, flat=paint.flat)
        window.of(whole)[grown > 0] = 1
    seen: list[TerrainSeen] = []
    for part in parts_of(whole, scene.px_per_mm, margin):
        seen += _seen_best(part, paint, kind, scene, profiler)
    yield from sorted(seen, key=lambda s: -Polygon(s.polygon_mm).area)


def _drawn(parts: Sequence[Part], like: Mask) -> Mask:
    """Parts as one mask as large as another (h, w)."""
    drawn = np.zeros_like(like)
    for part in parts:
        part.window.of(drawn)[part.mask > 0] = 1
    return drawn


def _margin_px(scene: Scene) -> int:
    """How far a piece's window reaches beyond it."""
    return round(_MARGIN_MM * scene.px_per_mm) + 4


def _has_edge(part: Part, kind: Mask, paint: Paint, scene: Scene) -> bool:
    """Whether a part stands out, be it as a whole where it is riddled; a block, with its sides and its shadow, does
    so clearly. It has no edge of its own where its surroundings only pass into each other."""
    kind = part.window.of(kind)
    return (
        stands_out(part, kind, scene, LEAST_CONTRAST if paint.flat else _CLEAR_CONTRAST)
        or stands_out(evened(part), kind, scene, _CLEAR_CONTRAST)
    ) and not is_passage(part, scene)


def _seen_best(part: Part, paint: Paint, kind: Mask, scene: Scene, profiler: Profiler) -> Sequence[TerrainSeen]:
    """A piece by its edges; or, where it hardly has any, cut out: then its outline is the smoother one."""
    one = _seen(part, paint, kind, scene, profiler)
    if one is not None and not is_faint(part, kind, scene):
        return (one,)
    cut = tuple(_cut(part, paint, kind, scene, profiler))
    if one is None:
        return cut
    corners = sum(len(piece.polygon_mm) for piece in cut)
    return cut if 0 < _SMOOTHER * corners < len(one.polygon_mm) else (one,)


def _cut(part: Part, paint: Paint, kind: Mask, scene: Scene, profiler: Profiler) -> Iterator[TerrainSeen]:
    """The pieces of a part that has no outline, for the mat that it lies on is nearly of its colour."""
    for piece in cut_out(part, kind, scene, _margin_px(scene)):
        own = cv2.countNonZero(piece.mask & piece.window.of(kind)) > _LEAST_SHOWN * cv2.countNonZero(piece.mask)
        if own and _is_familiar(piece, kind, paint, scene) and _has_edge(piece, kind, paint, scene):
            one = _seen(piece, paint, kind, scene, profiler, rounded)
            if one is not None:
                yield one


def _seen(
    part: Part, paint: Paint, kind: Mask, scene: Scene, profiler: Profiler, trace: _Trace = traced
) -> TerrainSeen | None:
    """A piece with its outline; None where no outline of terrain can be fitted to it."""
    own = cv2.countNonZero(part.mask & part.window.of(kind))
    if own < _LEAST_OWN * cv2.countNonZero(part.mask) or is_blotch(part, kind, scene):
        return None
    outline = _outline(part, paint, scene, profiler, trace)
    shape = None if outline is None else _simple(scene.camera.to_plane(outline.corners, paint.height_mm))
    if outline is None or shape is None or shape.area < LEAST_MM2:
        return None
    return TerrainSeen(
        kind=paint.kind,
        polygon_mm=tuple((float(x), float(y)) for x, y in shape.exterior.coords[:-1]),
        sigma_mm=_sigma_mm(outline, paint, scene),
    )


def _outline(part: Part, paint: Paint, scene: Scene, profiler: Profiler, trace: _Trace) -> Outline | None:
    """The outline of a part without what is ragged: blotches of like colour that cling to it."""
    area = cv2.countNonZero(part.mask)

    def lifted(places: Floats) -> Floats:
        ground = scene.camera.to_plane(places, 0.0)
        return scene.camera.project(np.column_stack([ground, np.full(len(ground), paint.height_mm)]))

    for brush in _BRUSHES if paint.flat or part.breadth_px < _BROAD else _BRUSHES[1:]:
        mask = opened(part.mask, brush) if brush else part.mask
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        contour = max(contours, key=cv2.contourArea, default=np.zeros((0, 1, 2), np.int32))[:, 0]
        if len(contour) < 8 or cv2.contourArea(contour) < _LEAST_KEPT * area:
            return None
        breadth = part.breadth_px / scene.zoom
        corner = np.array([part.window.x, part.window.y], dtype=np.float64)
        places = scene.in_frame(_grown(contour.astype(np.float64), 0.5) + corner)
        outline = fitted(trace(places, breadth, profiler), breadth, profiler, None if paint.flat else lifted)
        if outline is None:
            continue
        strip = None if paint.flat else as_strip(outline, part, breadth, scene, profiler, lifted)
        if strip is not None or not _ragged(outline, profiler.unit_px):
            most = _OF_A_STRIP if breadth < _NARROW * profiler.unit_px else _MOST_HIDDEN
            if outline.hidden >= most:
                return None
            return strip or (outline if paint.flat else _built(outline, breadth, paint, scene, profiler, lifted))
    return None


def as_strip(
    outline: Outline, part: Part, breadth_px: float, scene: Scene, profiler: Profiler, lifted: _Lift
) -> Outline | None:
    """A block's outline as that of a strip that is equally broad all along, if it is one.

    A narrow one with a crooked outline is one only if the strip covers the same: mugs' sides, bases' rims and
    shades beside things are crooked, too. Where a wall is hardly seen, its cells as a whole are less so.
    """
    unit = profiler.unit_px
    if breadth_px > _STRIP * unit:
        return None
    corners = strip_of(outline.corners, Profiler(scene.frame, scene.light, unit, _ACROSS), lifted)
    if corners is None:
        return None
    strip = replace(outline, corners=corners)
    crooked = breadth_px < _SLIM * unit and _ragged(outline, unit, _LEAST_STRAIGHT)
    if not crooked and not _ragged(outline, unit):
        return strip
    alike = not _ragged(outline, unit) and _alike(corners, outline.corners) >= _LEAST_ALIKE
    return strip if alike or _covers(corners, part, scene) >= _LEAST_COVERED else None


def _covers(corners: Floats, part: Part, scene: Scene) -> float:
    """How much of what a polygon (N, 2) in frame px and a part cover both do, cell by cell."""
    drawn = np.zeros_like(part.mask)
    places = (corners + 0.5) * scene.zoom - 0.5 - scene.corner_px - (part.window.x, part.window.y)
    cv2.fillPoly(drawn, [np.rint(places * 16).astype(np.int32)], 1, shift=4)
    return cv2.countNonZero(drawn & part.mask) / max(cv2.countNonZero(drawn | part.mask), 1)


def _built(
    outline: Outline, breadth_px: float, paint: Paint, scene: Scene, profiler: Profiler, lifted: _Lift
) -> Outline | None:
    """A block's outline as that of a house, if it is one; None where it is narrow, but crooked, and no strip."""
    house = house_of(
        outline, paint.height_mm, scene.camera, lambda trace: fitted(trace, breadth_px, profiler, lifted)
    )
    unit = profiler.unit_px
    crooked = breadth_px < _SLIM * unit and _ragged(outline, unit, _LEAST_STRAIGHT)
    return house or (None if crooked else outline)


def _alike(one: Floats, other: Floats) -> float:
    """How much of what two polygons (N, 2) cover both do."""
    shapes = Polygon(one).buffer(0), Polygon(other).buffer(0)
    return float(shapes[0].intersection(shapes[1]).area / shapes[0].union(shapes[1]).area)


def _ragged(outline: Outline, unit_px: float, least_edge: float = _LEAST_EDGE) -> bool:
    around = cv2.arcLength(outline.corners.astype(np.float32)[:, None], True)
    return len(outline.corners) > _FEW_CORNERS and around < least_edge * unit_px * len(outline.corners)


def _sigma_mm(outline: Outline, paint: Paint, scene: Scene) -> float:
    """How far, root mean square, the true outline lies from this one: by the edge's own stray, by what each side of
    an edge does to its place, by what is hidden, and by the camera's pose."""
    edge = _EDGE_SIGMA_PX**2 + _STRAY_LEFT * outline.stray_px**2 + outline.hidden * _HIDDEN_SIGMA_PX**2
    middle = outline.corners.mean(axis=0, keepdims=True)
    spread = scene.camera.plane_covariance(middle, paint.height_mm, float(np.sqrt(edge)))[0]
    return float(np.sqrt(np.trace(spread) / 2.0))


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


def _grown(outline: Floats, by_px: float) -> Floats:
    """An outline through the middles of the outermost cells, moved out to their rims along its normals."""
    ahead = np.roll(outline, -1, axis=0) - np.roll(outline, 1, axis=0)
    ahead = ahead + np.roll(ahead, 1, axis=0) + np.roll(ahead, -1, axis=0)
    length = np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    x, y = outline[:, 0], outline[:, 1]
    turn = np.sign(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) or 1.0
    return np.asarray(outline + turn * by_px * np.column_stack([ahead[:, 1], -ahead[:, 0]]) / length)
