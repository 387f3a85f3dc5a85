"""Drawing where things stand: terrain, formations that touch or are loose, tags and clutter."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray

from calibration.records import Army, BaseKind, RoundBase, TerrainKind
from vision.simulated import BasePlaced, ClutterPlaced, TagPlaced, TerrainPlaced, TreePlaced
from vision.simulated.furniture import clutter_outline, foot_of

Points = NDArray[np.float64]
Rng = np.random.Generator

_TRIES = 80


@dataclass
class Layout:
    """What has been put on the play area so far, and what of the ground that takes."""

    width_mm: float
    depth_mm: float
    terrain: list[TerrainPlaced] = field(default_factory=list)
    trees: list[TreePlaced] = field(default_factory=list)
    bases: list[BasePlaced] = field(default_factory=list)
    tags: list[TagPlaced] = field(default_factory=list)
    clutter: list[ClutterPlaced] = field(default_factory=list)
    taken: list[shapely.Geometry] = field(default_factory=list)
    edges: list[shapely.Geometry] = field(
        default_factory=list
    )  # of terrain with a height: nothing stands across one
    tops: list[shapely.Geometry] = field(default_factory=list)  # of hills

    def free(self, area: shapely.Geometry, margin_mm: float = 4.0, *, across: bool = False) -> bool:
        """Whether an area lies on the play area and touches nothing, nor (unless told) any edge of terrain."""
        room = shapely.box(0, 0, self.width_mm, self.depth_mm)
        wide = shapely.buffer(area, margin_mm)
        if not shapely.contains(room, wide) or any(shapely.intersects(wide, one) for one in self.taken):
            return False
        return across or not any(shapely.intersects(wide, edge) for edge in self.edges)


def put_terrain(layout: Layout, kinds: Sequence[TerrainKind], rng: Rng) -> None:
    """Some pieces of each kind; only rivers and roads lie across others that are flat."""
    for kind in kinds:
        draw, count = _TERRAIN[kind.kind]
        for _ in range(int(rng.integers(*count))):
            for _ in range(_TRIES):
                piece = draw(layout, kind, rng)
                if piece is not None and _lay(layout, kind, piece, rng):
                    break


def _lay(layout: Layout, kind: TerrainKind, piece: TerrainPlaced, rng: Rng) -> bool:
    foot = shapely.Polygon(foot_of(np.array(piece.polygon_mm), piece.slope_mm))
    if not foot.is_valid or not layout.free(foot, 12.0):
        return False
    layout.terrain.append(piece)
    layout.edges.append(foot.exterior)
    if kind.kind in ("building", "wall"):
        layout.taken.append(foot)
    if kind.kind == "hill":
        top = shapely.Polygon(piece.polygon_mm)
        layout.taken.append(shapely.difference(foot, shapely.buffer(top, -6)))
        layout.tops.append(shapely.buffer(top, -8))
    if kind.kind == "woods":
        _plant(layout, shapely.Polygon(piece.polygon_mm), rng)
    return True


def _plant(layout: Layout, wood: shapely.Polygon, rng: Rng) -> None:
    left, near, right, far = wood.bounds
    for _ in range(int(wood.area / 9000) + 1):
        x, y, radius = rng.uniform(left, right), rng.uniform(near, far), rng.uniform(16, 28)
        trunk = shapely.Point(x, y).buffer(0.6 * radius)
        if shapely.contains(wood, trunk) and not any(shapely.intersects(trunk, one) for one in layout.taken):
            layout.trees.append(
                TreePlaced(
                    x_mm=float(x), y_mm=float(y), radius_mm=float(radius), height_mm=float(rng.uniform(45, 85))
                )
            )
            layout.taken.append(trunk)


def _blob(layout: Layout, kind: TerrainKind, rng: Rng) -> TerrainPlaced:
    count, size = int(rng.integers(7, 18)), rng.uniform(70, 190)
    turn = (
        np.sort(rng.uniform(0, 2 * np.pi, count))
        if rng.random() < 0.3
        else np.linspace(0, 2 * np.pi, count + 1)[:-1]
    )
    away = size * rng.uniform(0.75, 1.2, count)
    ring = np.column_stack([rng.uniform(1, 1.7) * away * np.cos(turn), away * np.sin(turn)])
    slope = rng.uniform(0, 0.6) * kind.height_mm if kind.kind == "hill" else 0.0
    return _piece(kind, _moved(ring, layout, rng), slope)


def _rectangle(layout: Layout, kind: TerrainKind, rng: Rng) -> TerrainPlaced:
    low, high = (45, 110) if kind.kind == "building" else (110, 260)
    x, y = rng.uniform(low, high, 2) / 2
    skew = rng.uniform(-0.15, 0.15) * x if kind.kind == "field" else 0.0
    return _piece(kind, _moved(np.array([(-x, -y), (x, -y), (x + skew, y), (-x + skew, y)]), layout, rng))


def _wall(layout: Layout, kind: TerrainKind, rng: Rng) -> TerrainPlaced:
    ways = np.cumsum(np.column_stack([rng.uniform(60, 130, 3), rng.uniform(-50, 50, 3)]), axis=0)
    return _piece(kind, _moved(_strip(ways, rng.uniform(6, 12)), layout, rng))


def _band(layout: Layout, kind: TerrainKind, rng: Rng) -> TerrainPlaced | None:
    """A river or road from one edge of the table to the other."""
    count = 14
    along = np.linspace(12, layout.width_mm - 12, count)
    sway = np.cumsum(rng.normal(0, 18, count))
    middle = rng.uniform(0.25, 0.75) * layout.depth_mm
    way = np.column_stack([along, middle + sway - sway.mean()])
    if rng.random() < 0.4:
        way = np.column_stack(
            [way[:, 1] / layout.depth_mm * layout.width_mm, along / layout.width_mm * layout.depth_mm]
        )
        way[:, 1] = np.linspace(12, layout.depth_mm - 12, count)
    polygon = shapely.Polygon(_strip(way, rng.uniform(40, 85)))
    inside = shapely.intersection(
        polygon, shapely.box(6, 6, layout.width_mm - 6, layout.depth_mm - 6).buffer(-12.1)
    )
    if not isinstance(inside, shapely.Polygon) or inside.interiors:
        return None
    return _piece(kind, np.array(inside.exterior.coords)[:-1])


_TERRAIN: dict[str, tuple[Callable[[Layout, TerrainKind, Rng], TerrainPlaced | None], tuple[int, int]]] = {
    "river": (_band, (1, 2)),
    "road": (_band, (1, 2)),
    "hill": (_blob, (1, 3)),
    "woods": (_blob, (1, 4)),
    "field": (_rectangle, (1, 3)),
    "building": (_rectangle, (1, 4)),
    "wall": (_wall, (1, 4)),
}


def _strip(way: Points, width_mm: float) -> Points:
    """A line (N, 2) made a band so wide."""
    ahead = np.gradient(way, axis=0)
    aside = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    aside *= width_mm / 2 / np.linalg.norm(aside, axis=1, keepdims=True)
    return np.concatenate([way + aside, (way - aside)[::-1]])


def _piece(kind: TerrainKind, outline: Points, slope_mm: float = 0.0) -> TerrainPlaced:
    corners = tuple((round(float(x), 2), round(float(y), 2)) for x, y in outline)
    return TerrainPlaced(kind=kind.kind, polygon_mm=corners, slope_mm=float(slope_mm))


def _moved(outline: Points, layout: Layout, rng: Rng) -> Points:
    """An outline turned anyhow and put anywhere."""
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([(math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))])
    place = rng.uniform((0, 0), (layout.width_mm, layout.depth_mm))
    return np.asarray(outline @ turn + place, dtype=np.float64)


@dataclass(frozen=True)
class Men:
    """What a unit is made of; ``plain`` bases are flocked all over."""

    army: Army
    kind: BaseKind
    figures: tuple[str, ...]
    coat: str
    plain: bool = False


def put_unit(layout: Layout, name: str, men: Men, rng: Rng, *, on_hill: bool) -> bool:
    """A unit in some formation where there is room for it; False where there is none."""
    for _ in range(_TRIES):
        places = _formation(men.kind, rng)
        facing = rng.uniform(0, 360)
        angle = math.radians(facing)
        turn = np.array([(math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))])
        at = places[:, :2] @ turn + _somewhere(layout, rng, on_hill=on_hill)
        bases = [
            BasePlaced(
                id=f"{name}-{n}", army=men.army.name, base=men.kind.name, x_mm=round(float(x), 3),
                y_mm=round(float(y), 3), bearing_deg=round(float(facing + places[n, 2]) % 360, 3),
                figure=str(rng.choice(men.figures)), plain=men.plain, coat=men.coat,
                tall=float(rng.uniform(0.85, 1.1)),
            )
            for n, (x, y) in enumerate(at)
        ]  # fmt: skip
        area = shapely.union_all([footprint(base, men.kind) for base in bases])
        on_top = any(shapely.contains(top, area) for top in layout.tops)
        if layout.free(area, 3.0) and (on_top or not on_hill):
            layout.bases += bases
            layout.taken.append(area)
            return True
    return False


def _somewhere(layout: Layout, rng: Rng, *, on_hill: bool) -> Points:
    left, near, right, far = 0.0, 0.0, layout.width_mm, layout.depth_mm
    if on_hill and layout.tops:
        left, near, right, far = shapely.bounds(layout.tops[int(rng.integers(len(layout.tops)))])
    return np.array([rng.uniform(left, right), rng.uniform(near, far)])


def footprint(base: BasePlaced, kind: BaseKind) -> shapely.Geometry:
    """The ground that a base covers."""
    if isinstance(kind, RoundBase):
        return shapely.Point(base.x_mm, base.y_mm).buffer(kind.diameter_mm / 2)
    x, y, angle = kind.width_mm / 2, kind.depth_mm / 2, math.radians(base.bearing_deg)
    right, ahead = np.array((math.cos(angle), -math.sin(angle))), np.array((math.sin(angle), math.cos(angle)))
    at = np.array((base.x_mm, base.y_mm))
    return shapely.Polygon([at + a * x * right + b * y * ahead for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1))])


def _formation(kind: BaseKind, rng: Rng) -> Points:
    """Places (N, 3) as (right, ahead, turn in degrees) of a unit's middle."""
    wide, deep = _size_of(kind)
    large = max(wide, deep) > 45
    what = rng.choice(["line", "line", "mob", "loose", "single"] if not large else ["line", "loose", "single"])
    if what == "single":
        return np.zeros((1, 3))
    files, ranks = int(rng.integers(3, 6 if large else 11)), int(rng.integers(1, 2 if large else 4))
    if what == "line":
        gap = rng.choice([0.0, 0.05, 0.3, 1.0])
        bend = rng.uniform(-1.5, 1.5) if rng.random() < 0.3 else 0.0
        return _grid(files, ranks, wide + gap, deep + gap, bend)
    if what == "mob":
        reach = math.hypot(wide, deep) if not isinstance(kind, RoundBase) else wide
        places = _grid(max(3, files // 2), max(2, ranks), reach + 0.6, reach + 0.6, 0.0)
        places[1::2, 1] += 0.2 * rng.random()
        places[:, :2] += rng.uniform(-0.25, 0.25, (len(places), 2))
        places[:, 2] = rng.uniform(-50, 50, len(places))
        return places
    apart = rng.uniform(1.4, 2.6) * math.hypot(wide, deep)
    places = _grid(files, 1, apart, apart, 0.0)
    places[:, :2] += rng.uniform(-0.12, 0.12, (len(places), 2)) * apart
    places[:, 2] = rng.uniform(-25, 25, len(places))
    return places


def _grid(files: int, ranks: int, across: float, along: float, bend_deg: float) -> Points:
    """Ranks one behind the other; a bend lets each file of a line stand turned against the one before."""
    rows = []
    for rank in range(ranks):
        for number in range(files):
            off = number - (files - 1) / 2
            # apart by what a turned neighbour's corner needs
            lean = math.radians(abs(bend_deg)) * along / 2
            rows.append((off * (across + lean), -rank * (along + lean * files), off * bend_deg))
    return np.array(rows)


def _size_of(kind: BaseKind) -> tuple[float, float]:
    return (kind.diameter_mm,) * 2 if isinstance(kind, RoundBase) else (kind.width_mm, kind.depth_mm)


def put_tag(layout: Layout, number: int, size_mm: float, near: BasePlaced, rng: Rng) -> None:
    """A unit tag somewhere beside a base, if there is room; on a hill too."""
    for _ in range(_TRIES):
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(30, 80)
        x, y = near.x_mm + away * math.cos(angle), near.y_mm + away * math.sin(angle)
        if layout.free(shapely.Point(x, y).buffer(0.9 * size_mm), 2.0):
            layout.tags.append(
                TagPlaced(id=number, x_mm=round(x, 3), y_mm=round(y, 3), bearing_deg=round(rng.uniform(0, 360), 3))
            )
            layout.taken.append(shapely.Point(x, y).buffer(0.95 * size_mm))
            return


def put_clutter(layout: Layout, placed: ClutterPlaced, rng: Rng) -> None:
    """A piece of clutter anywhere where there is room."""
    for _ in range(_TRIES):
        x, y = rng.uniform((0, 0), (layout.width_mm, layout.depth_mm))
        here = ClutterPlaced(
            what=placed.what, x_mm=float(x), y_mm=float(y), bearing_deg=float(rng.uniform(0, 360)),
            size_mm=placed.size_mm, colour=placed.colour,
        )  # fmt: skip
        area = shapely.Polygon(clutter_outline(here)[0])
        if layout.free(area, 30.0 if placed.what == "tape" else 3.0):
            layout.clutter.append(here)
            layout.taken.append(area)
            return
