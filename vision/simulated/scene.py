"""A virtual table as one camera sees it: each thing's shapes in the picture, its shadow, and what hides what."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import shapely
from msgspec import UNSET
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.ground import Ground, Patch
from vision.simulated import furniture, solids
from vision.simulated.painting import Box, Shape, join_boxes, padded
from vision.simulated.virtual import BasePlaced, ClutterPlaced, Effects, TerrainPlaced, TreePlaced, VirtualTable

__all__ = [
    "BLOCK_MM",
    "NOT_STOOD_ON",
    "Hand",
    "Scene",
    "Seen",
    "Thing",
    "backdrop_of",
    "block_shadows",
    "ground_of_table",
    "silhouette",
    "things_of",
]

#: Terrain higher than this has sides, a shadow, and hides what is behind it.
BLOCK_MM = 4.0
NOT_STOOD_ON = frozenset({"building", "wall"})

_SHADOW_PAD_PX = 8
_CIRCLE = np.column_stack([trig(np.linspace(0, 2 * np.pi, 16, endpoint=False)) for trig in (np.cos, np.sin)])

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Hand:
    """A hand over the table, and the bearing in which its arm reaches."""

    x_mm: float
    y_mm: float
    arm_deg: float


Thing = BasePlaced | TreePlaced | ClutterPlaced | Hand


@dataclass(frozen=True, eq=False)
class Seen:
    """A thing as the camera sees it.

    Painted, each in ascending ``order``, are the shadows of bases, the bases (``low``), the shadows of what stands
    up, and that itself (``high``). ``behind`` which of the scene's ``blocks`` it stands; ``box`` holds it all.
    """

    order: tuple[int, float]
    low: Shape | None
    low_shadow: Shape | None
    high: Shape | None
    high_shadow: Shape | None
    behind: frozenset[int]
    box: Box


def things_of(table: VirtualTable) -> set[Thing]:
    """All that can come and go."""
    things: set[Thing] = {*table.bases, *table.trees, *table.clutter}
    if table.hand_mm is not None:
        things.add(Hand(*table.hand_mm, table.arm_deg))
    return things


def ground_of_table(table: VirtualTable) -> Ground:
    """The height of the ground on which things of a virtual table stand."""
    patches = [
        Patch(outline_mm=np.array(t.polygon_mm), height_mm=table.height_of(t.kind))
        for t in table.terrain
        if t.kind not in NOT_STOOD_ON
    ]
    return Ground(tuple(patches))


class Scene:
    """One backdrop seen by one camera; `see` answers for the things on it."""

    def __init__(self, backdrop: VirtualTable, camera: CameraModel, effects: Effects, seed: int) -> None:
        self._camera = camera
        self._effects = effects
        self._seed = seed
        self._lamp = np.array(effects.lamp_mm)
        self._nadir = camera.position_mm[:2]
        self._paint = solids.Paint(effects, backdrop, camera.position_mm)
        self.ground = ground_of_table(backdrop)
        seen = [(t, shape) for t in backdrop.terrain if (shape := silhouette(t, backdrop, camera)) is not None]
        self._feet = [shapely.Polygon(furniture.foot_of(np.array(t.polygon_mm), t.slope_mm)) for t, _ in seen]
        self._heights_mm = [backdrop.height_of(t.kind) for t, _ in seen]
        #: What blocks and hills cover of the picture, and of what stands behind them.
        self.blocks = [shape for _, shape in seen]

    def see(self, thing: Thing, table: VirtualTable) -> Seen | None:
        """A thing as the camera sees it; None where it is behind the camera."""
        if isinstance(thing, Hand):
            arm = furniture.arm((thing.x_mm, thing.y_mm), thing.arm_deg)
            return self._seen((2, 0.0), ([], arm), (None, None), frozenset())
        place = np.array([thing.x_mm, thing.y_mm])
        ground_mm = float(self.ground.height_at([place])[0])
        order = (1, -float(np.hypot(*(place - self._nadir))))
        shadows = self._base_shadow(thing, table, ground_mm), self._shadow(thing, ground_mm)
        return self._seen(order, self._solids(thing, table, ground_mm), shadows, self._behind(place, ground_mm))

    def _solids(self, thing: Thing, table: VirtualTable, ground_mm: float) -> tuple[solids.Solid, solids.Solid]:
        if isinstance(thing, BasePlaced):
            army = table.army(thing.army)
            mark = None if army.front_mark is UNSET else army.front_mark
            colour = None if table.is_plain(thing) else army.base_colour
            low = solids.base(thing, table.base_kind(thing), colour or None, mark, ground_mm, self._paint)
            stands = self._effects.figures and thing.figure
            return low, solids.figure(thing, ground_mm, self._paint) if stands else []
        if isinstance(thing, TreePlaced):
            rng = np.random.default_rng(zlib.crc32(repr(thing).encode()) ^ self._seed)
            return [], solids.tree(thing, ground_mm, rng)
        assert isinstance(thing, ClutterPlaced)
        return [], furniture.clutter(thing, ground_mm)

    def _seen(
        self,
        order: tuple[int, float],
        things: tuple[solids.Solid, solids.Solid],
        shadows: tuple[Shape | None, Shape | None],
        behind: frozenset[int],
    ) -> Seen | None:
        low, high = (solids.shape_of(solid, self._camera) for solid in things)
        boxes = [shape.box for shape in (low, high) if shape is not None]
        if not boxes:
            return None
        boxes += [padded(shadow.box, _SHADOW_PAD_PX) for shadow in shadows if shadow is not None]
        return Seen(
            order=order, low=low, low_shadow=shadows[0], high=high, high_shadow=shadows[1], behind=behind,
            box=join_boxes(boxes),
        )  # fmt: skip

    def layers(self, things: Sequence[Seen]) -> list[tuple[list[Shape], list[Seen]]]:
        """Things in the order in which they are painted: those behind the same blocks together, with these."""
        groups: dict[frozenset[int], list[Seen]] = {}
        for one in sorted(things, key=lambda seen: (-len(seen.behind), sorted(seen.behind), seen.order)):
            groups.setdefault(one.behind, []).append(one)
        return [([self.blocks[k] for k in sorted(behind)], group) for behind, group in groups.items()]

    def _behind(self, place: Points, ground_mm: float) -> frozenset[int]:
        """Which blocks that are higher than the ground at a place beside them stand between it and the camera."""
        sight, here = shapely.LineString([place, self._nadir]), shapely.Point(place)
        return frozenset(
            k
            for k, (foot, height_mm) in enumerate(zip(self._feet, self._heights_mm, strict=True))
            if height_mm > ground_mm and foot.intersects(sight) and not foot.contains(here)
        )

    def _base_shadow(self, thing: Thing, table: VirtualTable, ground_mm: float) -> Shape | None:
        """The shadow that a base itself casts."""
        if not self._effects.shadows or not isinstance(thing, BasePlaced):
            return None
        kind = table.base_kind(thing)
        edge = solids.turned(solids.outline_of(kind), thing)
        return self._flat([np.concatenate([edge, edge + self._lamp * kind.height_mm])], ground_mm)

    def _shadow(self, thing: Thing, ground_mm: float) -> Shape | None:
        """The shadow that what stands up casts on the ground and on the bases about it."""
        if not self._effects.shadows:
            return None
        return self._flat(list(self._shadow_points(thing)), ground_mm)

    def _shadow_points(self, thing: Thing) -> Iterable[Points]:
        if isinstance(thing, BasePlaced):
            if thing.figure and self._effects.figures:
                for stack in solids.profile_of(thing):
                    yield np.concatenate([_ring(x, y, radius) + self._lamp * z for x, y, z, radius in stack])
        elif isinstance(thing, TreePlaced):
            ring = _ring(thing.x_mm, thing.y_mm, thing.radius_mm)
            yield np.concatenate([ring + self._lamp * thing.height_mm * share for share in (0.45, 0.8)])
            trunk = _ring(thing.x_mm, thing.y_mm, 3.0)
            yield np.concatenate([trunk, trunk + self._lamp * thing.height_mm * 0.5])
        elif isinstance(thing, ClutterPlaced):
            outline, tall = furniture.clutter_outline(thing)
            yield np.concatenate([outline, outline + self._lamp * tall])

    def _flat(self, outlines: Sequence[Points], z_mm: float) -> Shape | None:
        """The hulls of some points (N, 2) at a height, as the camera sees them."""
        hulls = [_hull(points) for points in outlines]
        faces = [(np.column_stack([hull, np.full(len(hull), z_mm)]), (0, 0, 0)) for hull in hulls]
        return solids.shape_of(faces, self._camera)


def silhouette(piece: TerrainPlaced, table: VirtualTable, camera: CameraModel) -> Shape | None:
    """What a block or hill covers of the picture; None for what is flat."""
    height = table.height_of(piece.kind)
    if height <= BLOCK_MM:
        return None
    top = np.array(piece.polygon_mm)
    face = (np.column_stack([top, np.full(len(top), height)]), (255, 255, 255))
    return solids.shape_of([*furniture.block(top, height, piece.slope_mm, "#ffffff"), face], camera)


def backdrop_of(table: VirtualTable) -> VirtualTable:
    """What stays where it is while things come and go."""
    return replace(table, bases=(), trees=(), clutter=(), hand_mm=None)


def block_shadows(piece: TerrainPlaced, height_mm: float, lamp_mm: tuple[float, float]) -> Sequence[Points]:
    """The outlines on the ground, together, of the shadow of a block of any shape: one for each of its sides."""
    top, foot = np.array(piece.polygon_mm), furniture.foot_of(np.array(piece.polygon_mm), piece.slope_mm)
    cast = top + np.array(lamp_mm) * height_mm
    around = range(len(top))
    return [_hull(np.array([foot[i], foot[i - 1], cast[i], cast[i - 1]])) for i in around] + [cast]


def _ring(x_mm: float, y_mm: float, radius_mm: float) -> Points:
    return np.asarray(radius_mm * _CIRCLE + (x_mm, y_mm), dtype=np.float64)


def _hull(points: Points) -> Points:
    return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2), dtype=np.float64)
