"""What stands where, exactly: the ``vedette-truth/1`` record that a measurement is held against.

Positions are table millimetres, bearings degrees clockwise from +y (see `calibration.records`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import cv2
import numpy as np
from msgspec import UNSET, Struct
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.records import RectBase, Tags
from vision.simulated.furniture import foot_of
from vision.simulated.ground import CARD_MM
from vision.simulated.scene import Scene, Seen, backdrop_of, things_of
from vision.simulated.solids import mark_outline, outline_of, turned
from vision.simulated.virtual import BasePlaced, ClutterPlaced, Effects, TagPlaced, TerrainPlaced, VirtualTable

__all__ = ["BaseTruth", "TagTruth", "TerrainTruth", "Truth", "truth_of"]

_FINER = 2  # what hides what is painted so many times enlarged
_GROUND = 0  # what a pixel shows, but for bases and what stands up
_RIM_PLACES = (0.25, 0.75)  # where across the rim it is looked at

Points = NDArray[np.float64]

#: What can be known of a base's bearing: all of it, but for half turns, but for quarter turns, nothing.
BearingVisible = Literal["full", "mod180", "mod90", "none"]


class BaseTruth(Struct, frozen=True, kw_only=True):
    """A base: ``army`` is None where no paint tells it; ``z_mm`` is the height of the ground that it stands on.

    The two fractions are the shares of the rim's and of the front mark's area in the camera's sight; None for all.
    """

    id: str
    army: str | None
    base: str
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    height_mm: float = 3.0
    bearing_deg: float
    bearing_visible: BearingVisible = "full"
    visible_rim_fraction: float | None = None
    visible_mark_fraction: float | None = None


class TagTruth(Struct, frozen=True, kw_only=True):
    """A unit tag that lies flat, and the share of it in sight."""

    id: int
    x_mm: float
    y_mm: float
    z_mm: float = 0.3
    bearing_deg: float
    visible_fraction: float | None = None


class TerrainTruth(Struct, frozen=True, kw_only=True):
    """A piece of terrain: the outlines of its top and of its foot (the same where the sides are upright)."""

    kind: str
    polygon_mm: tuple[tuple[float, float], ...]
    foot_polygon_mm: tuple[tuple[float, float], ...] = ()
    height_mm: float = 0.0


class Truth(Struct, frozen=True, kw_only=True):
    """All that a perfect program would answer to one picture."""

    format: Literal["vedette-truth/1"] = "vedette-truth/1"
    case: str = ""
    bases: tuple[BaseTruth, ...] = ()
    tags: tuple[TagTruth, ...] = ()
    terrain: tuple[TerrainTruth, ...] = ()
    notes: tuple[str, ...] = ()


def truth_of(table: VirtualTable, camera: CameraModel, case: str = "") -> Truth:
    """The truth of a virtual table as a camera sees it."""
    scene = Scene(backdrop_of(table), camera, Effects(shadows=False), 0)
    sight = _Sight(table, camera, scene)
    return Truth(
        case=case,
        bases=tuple(_base_truth(placed, table, sight) for placed in table.bases),
        tags=tuple(_tag_truth(placed, table, sight) for placed in table.tags),
        terrain=tuple(_terrain_truth(piece, table) for piece in table.terrain),
    )


class _Sight:
    """What hides what: a picture of numbers, one for each thing."""

    def __init__(self, table: VirtualTable, camera: CameraModel, scene: Scene) -> None:
        self.scene = scene
        self._camera = camera
        lens = camera.intrinsics
        self._picture = np.zeros((lens.height_px * _FINER, lens.width_px * _FINER), np.int32)
        things = list(things_of(table))
        self.numbers = {thing: n for n, thing in enumerate(things, start=1)}
        seen = {one: n for thing, n in self.numbers.items() if (one := scene.see(thing, table)) is not None}
        for blocks, group in scene.layers(list(seen)):
            before = self._picture.copy() if blocks else self._picture
            self._stand([(seen[one], one) for one in group], len(things))
            if blocks:
                hides = np.zeros(self._picture.shape, np.uint8)
                for block in blocks:
                    self._fill(hides, block.polygons, 1)
                np.copyto(self._picture, before, where=hides > 0)

    def _stand(self, things: list[tuple[int, Seen]], count: int) -> None:
        for number, one in things:
            if one.low is not None:
                self._fill(self._picture, one.low.polygons, number)
        for number, one in things:
            if one.high is not None:
                self._fill(self._picture, one.high.polygons, number + count)

    def _fill(self, picture: NDArray[Any], polygons: Sequence[Points], number: int) -> None:
        for polygon in polygons:
            fine = (polygon + 0.5) * _FINER - 0.5
            cv2.fillPoly(picture, [np.rint(fine * 16).astype(np.int32)], number, shift=4)

    def share(self, points_mm: Points, numbers: tuple[int, ...]) -> float:
        """Which share of places (N, 3) shows one of these numbers; what is beside the picture does not."""
        seen = self._camera.project(points_mm)
        fine = np.rint((np.nan_to_num(seen, nan=-9.0) + 0.5) * _FINER - 0.5).astype(int)
        height, width = self._picture.shape
        inside = (fine >= 0).all(axis=1) & (fine[:, 0] < width) & (fine[:, 1] < height)
        shown = self._picture[fine[inside, 1], fine[inside, 0]]
        return float(np.isin(shown, numbers).sum() / len(points_mm))


def _base_truth(placed: BasePlaced, table: VirtualTable, sight: _Sight) -> BaseTruth:
    kind, army = table.base_kind(placed), table.army(placed.army)
    ground_mm = float(sight.scene.ground.height_at([(placed.x_mm, placed.y_mm)])[0])
    top = ground_mm + kind.height_mm
    rings = [_along(turned(outline_of(kind, table.rim_mm * share), placed), top) for share in _RIM_PLACES]
    number = (sight.numbers[placed],)
    marked = army.front_mark is not UNSET and not table.is_plain(placed)
    knowable: BearingVisible = "none"
    if marked:
        knowable = "full"
    elif isinstance(kind, RectBase):
        knowable = "mod90" if kind.width_mm == kind.depth_mm else "mod180"
    return BaseTruth(
        id=placed.id,
        army=None if table.is_plain(placed) else placed.army,
        base=placed.base,
        x_mm=placed.x_mm,
        y_mm=placed.y_mm,
        z_mm=ground_mm,
        height_mm=kind.height_mm,
        bearing_deg=placed.bearing_deg % 360.0,
        bearing_visible=knowable,
        visible_rim_fraction=round(sight.share(np.concatenate(rings), number), 3),
        visible_mark_fraction=round(sight.share(_within(mark_outline(kind), placed, top), number), 3)
        if marked
        else None,
    )


def _tag_truth(placed: TagPlaced, table: VirtualTable, sight: _Sight) -> TagTruth:
    assert isinstance(table.table.tags, Tags)
    half = table.table.tags.size_mm / 2
    z_mm = float(sight.scene.ground.height_at([(placed.x_mm, placed.y_mm)])[0]) + CARD_MM
    at = ClutterPlaced(what="paper", x_mm=placed.x_mm, y_mm=placed.y_mm, bearing_deg=placed.bearing_deg)
    square = half * np.array([(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)])
    seen = sight.share(_within(square, at, z_mm, 12), (_GROUND,))
    return TagTruth(
        id=placed.id, x_mm=placed.x_mm, y_mm=placed.y_mm, z_mm=z_mm, bearing_deg=placed.bearing_deg % 360.0,
        visible_fraction=round(seen, 3),
    )  # fmt: skip


def _terrain_truth(piece: TerrainPlaced, table: VirtualTable) -> TerrainTruth:
    foot = foot_of(np.array(piece.polygon_mm), piece.slope_mm)
    return TerrainTruth(
        kind=piece.kind,
        polygon_mm=piece.polygon_mm,
        foot_polygon_mm=tuple((float(x), float(y)) for x, y in foot),
        height_mm=table.height_of(piece.kind),
    )


def _along(outline: Points, z_mm: float, count: int = 120) -> Points:
    """Places (N, 3) evenly along a closed outline (M, 2) at a height."""
    closed = np.concatenate([outline, outline[:1]])
    ends = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = np.linspace(0.0, ends[-1], count, endpoint=False)
    return np.column_stack([*(np.interp(at, ends, closed[:, i]) for i in (0, 1)), np.full(count, z_mm)])


def _within(quad: Points, at: BasePlaced | ClutterPlaced, z_mm: float, count: int = 5) -> Points:
    """A grid of places (N, 3) within a rectangle (4, 2) of something, as (right, ahead) of its centre."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    share = (np.arange(count) + 0.5) / count
    x, y = np.meshgrid(*(low[i] + share * (high[i] - low[i]) for i in (0, 1)))
    return np.column_stack([turned(np.column_stack([x.ravel(), y.ravel()]), at), np.full(count * count, z_mm)])
