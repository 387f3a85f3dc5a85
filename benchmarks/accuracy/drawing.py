"""Drawing a whole case: table, armies, terrain, camera, lens, lamp and sensor, each different with each seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from benchmarks.accuracy.cases import Case, packed, unpacked
from benchmarks.accuracy.layout import Layout, Men, Rng, put_clutter, put_tag, put_terrain, put_unit
from benchmarks.accuracy.paints import draw_armies, draw_terrain_kinds, palette, varied
from calibration.camera import CameraModel
from calibration.prints.markers import corners_on_table
from calibration.records import (
    Army,
    Intrinsics,
    MarkerAt,
    Markers,
    Table,
    TableSize,
    Tags,
)
from vision.simulated import (
    ClutterPlaced,
    Effects,
    Renderer,
    VirtualTable,
    camera_over,
    empty_of,
    truth_of,
)

_FROM_MAT = 16.0  # the least distance in Lab between a rim and the mat
_FROM_MAT_FAIR = 26.0
_SIZES_MM = [(1828.8, 1219.2), (1828.8, 1219.2), (1219.2, 1219.2), (1200.0, 900.0)]
_PICTURES_PX = {"720p": (1280, 720), "1080p": (1920, 1080), "4K": (3840, 2160)}


@dataclass(frozen=True)
class Kind:
    """What is drawn: ``fair`` tables are what a player with a good webcam and a lamp has, others may be poor in
    every way at once; ``plain`` ones have bases that only the picture of the empty table gives away.
    """

    fair: bool = False
    plain: bool = False

    def name_of(self, seed: int) -> str:
        """What the case of a seed is called."""
        return f"{'fair' if self.fair else 'seed'}-{'plain-' if self.plain else ''}{seed}"


HARD = Kind()


@dataclass(frozen=True, eq=False)
class Drawn:
    """A case before it is rendered."""

    table: VirtualTable
    camera: CameraModel
    effects: Effects
    plain: bool


def draw(rng: Rng, kind: Kind = HARD) -> Drawn:
    """A table, a camera over it and the effects of light and sensor, all drawn from a generator."""
    fair = kind.fair
    width, depth = _SIZES_MM[int(rng.integers(len(_SIZES_MM)))]
    colours = palette()
    mat = str(rng.choice(colours["mats"]))
    plain = bool(rng.random() < 0.15) or kind.plain
    armies = draw_armies(mat, rng, _FROM_MAT_FAIR if fair else _FROM_MAT)
    present = armies[:-1] if len(armies) == 3 and rng.random() < 0.6 else armies
    kinds = draw_terrain_kinds(mat, rng) if rng.random() < 0.75 else ()
    layout = Layout(width, depth)
    put_terrain(layout, kinds, rng)
    tag_mm = float(rng.choice([20.0, 25.0]))
    _deploy(layout, present, tag_mm, rng, plain=plain)
    for what in rng.choice(["die", "die", "cotton", "tape", "mug", "paper", "book"], int(rng.integers(0, 6))):
        colour = str(rng.choice(["#b3221e", "#e8e6df", "#1f3f8f", "#222222"])) if what == "die" else ""
        size = float(rng.choice([12.0, 16.0])) if what == "die" else 0.0
        put_clutter(layout, ClutterPlaced(what=what, x_mm=0, y_mm=0, size_mm=size, colour=colour), rng)
    markers, covers = _markers(width, depth, rng)
    virtual = VirtualTable(
        table=Table(
            format="vedette-table/1", table=TableSize(width_mm=width, depth_mm=depth), markers=markers,
            tags=Tags(size_mm=tag_mm), armies=armies, terrain_kinds=kinds,
        ),
        bases=tuple(layout.bases), terrain=tuple(layout.terrain), tags=tuple(layout.tags),
        trees=tuple(layout.trees), clutter=(*layout.clutter, *covers), mat=mat,
        wood=str(rng.choice(colours["woods"])), flock=str(rng.choice([mat, *colours["flocks"]])),
        mat_edge_mm=float(rng.choice([12.0, 140.0])),
        rim_mm=float(rng.uniform(2.5 if fair else 2.0, 3.4)), print_scale=float(1 + rng.uniform(-0.003, 0.003)),
    )  # fmt: skip
    camera = _camera(virtual, rng, most_tilt_deg=14.0 if fair else 26.0, small_px=not fair or width < 1210)
    effects = _effects(rng)
    return Drawn(virtual, camera, _eased(effects) if fair else effects, plain)


def _eased(effects: Effects) -> Effects:
    """The same effects within what a good webcam does."""
    return replace(
        effects, blur_px=min(effects.blur_px, 0.7), noise=min(effects.noise, 3.5), flicker=0.0,
        jpeg_quality=max(effects.jpeg_quality, 88), exposure=max(effects.exposure, 0.7),
        lamp=min(effects.lamp, 0.3),
    )  # fmt: skip


def case_of(seed: int, kind: Kind = HARD) -> Case:
    """The case of a seed, rendered; the same for ever."""
    drawn = draw(np.random.default_rng(seed), kind)
    name = kind.name_of(seed)
    renderer = Renderer(drawn.camera, replace(drawn.effects, jpeg_quality=0), seed)
    quality = drawn.effects.jpeg_quality
    empty_file = packed(renderer.render(empty_of(drawn.table)), quality) if drawn.plain else b""
    file = packed(renderer.render(drawn.table), quality)
    return Case(
        name=name,
        photo=unpacked(file),
        photo_file=file,
        table=drawn.table.table,
        intrinsics=drawn.camera.intrinsics,
        truth=truth_of(drawn.table, drawn.camera, name),
        empty=unpacked(empty_file) if empty_file else None,
        empty_file=empty_file,
    )


def _deploy(layout: Layout, armies: Sequence[Army], tag_mm: float, rng: Rng, *, plain: bool) -> None:
    colours = palette()
    wanted, tag = int(rng.integers(6, 17)), 10
    for number in range(wanted):
        army = armies[int(rng.integers(len(armies)))]
        kind = army.bases[0] if rng.random() < 0.55 else army.bases[int(rng.integers(len(army.bases)))]
        figures = {"horse": ("trooper",), "gun": ("gun",)}.get(kind.name, tuple(colours["figures"]))
        coat = varied(army.base_colour, rng, 14) if rng.random() < 0.45 else str(rng.choice(colours["coats"]))
        men = Men(army, kind, figures, coat, plain=plain and bool(rng.random() < 0.7))
        name = f"{army.name}-{kind.name}-{number}"
        hill = bool(layout.tops) and rng.random() < 0.35
        if (put_unit(layout, name, men, rng, on_hill=hill)) and rng.random() < 0.6:
            put_tag(layout, tag, tag_mm, layout.bases[-1], rng)
            tag += int(rng.integers(1, 8))


def _markers(width: float, depth: float, rng: Rng) -> tuple[Markers, tuple[ClutterPlaced, ...]]:
    """Four to eight markers round the play area, and what covers one or two of them."""
    size = float(rng.choice([60.0, 80.0, 80.0, 100.0]))
    out = 0.65 * size + 16
    spots = [(-out, -out), (width + out, -out), (width + out, depth + out), (-out, depth + out)]
    if rng.random() < 0.7:
        spots += [(width / 2, -out), (width / 2, depth + out)]
        if rng.random() < 0.5:
            spots += [(-out, depth / 2), (width + out, depth / 2)]
    beside = rng.random() < 0.3
    at = [
        MarkerAt(
            id=n, x_mm=round(x + rng.uniform(-8, 8), 1), y_mm=round(y + rng.uniform(-8, 8), 1),
            z_mm=-1.7 if beside else 40.3 if n == 4 and rng.random() < 0.4 else 0.3,
            rotation_deg=round(float(rng.choice([0.0, 90.0, 180.0, 0.0]) + rng.uniform(-6, 6)), 2) % 360,
        )
        for n, (x, y) in enumerate(spots)
    ]  # fmt: skip
    many = int(rng.integers(0, 3)) if len(at) >= 6 and rng.random() < 0.4 else 0
    covered = [int(n) for n in rng.permutation(len(at))[:many]]
    covers = tuple(
        ClutterPlaced(
            what="box", x_mm=at[n].x_mm, y_mm=at[n].y_mm, bearing_deg=float(rng.uniform(0, 90)), size_mm=130.0
        )
        for n in covered
    )
    return Markers(dictionary="DICT_4X4_100", size_mm=size, at=tuple(at)), covers


def _camera(table: VirtualTable, rng: Rng, *, most_tilt_deg: float, small_px: bool) -> CameraModel:
    """A camera that has every marker in its picture, as low as that goes, or a little higher."""
    name = str(rng.choice(["720p", "1080p", "4K"], p=[0.2, 0.68, 0.12]))
    name = "1080p" if name == "720p" and not small_px else name
    width, height = _PICTURES_PX[name]
    focal = width * rng.uniform(0.75, 1.0)
    k1 = rng.uniform(-0.22, 0.02)
    lens = Intrinsics(
        width_px=width, height_px=height, fx=round(float(focal), 2),
        fy=round(float(focal * rng.uniform(0.998, 1.002)), 2),
        cx=round(width / 2 + rng.normal(0, 9), 2), cy=round(height / 2 + rng.normal(0, 7), 2),
        dist=(
            round(float(k1), 4), round(float(-0.25 * k1 + rng.uniform(-0.005, 0.01)), 4),
            round(float(rng.normal(0, 4e-4)), 6), round(float(rng.normal(0, 4e-4)), 6), 0.0,
        ),
    )  # fmt: skip
    area = table.table.table
    tilt = np.radians(
        rng.choice([rng.uniform(0, 8), rng.uniform(5, 16), rng.uniform(12, 26)]).clip(0, most_tilt_deg)
    )
    aside = rng.normal(0, 60)
    roll = rng.normal(0, 2.5) + (180.0 if rng.random() < 0.1 else 0.0)
    middle = area.width_mm / 2, area.depth_mm / 2
    corners = np.concatenate(
        [corners_on_table(m, 1.4 * table.table.markers.size_mm) for m in table.table.markers.at]
    )
    for high in np.arange(700.0, 6000.0, 25.0):
        position = (middle[0] + aside, middle[1] - high * np.tan(tilt), high)
        camera = camera_over(position, middle, lens, roll)
        seen = camera.project(corners)
        if (seen > 4).all() and (seen < (width - 5, height - 5)).all():
            break
    further = rng.uniform(1.0, 1.12)
    position = (middle[0] + aside, middle[1] - high * np.tan(tilt) * further, high * further)
    return camera_over(position, middle, lens, roll)


def _effects(rng: Rng) -> Effects:
    """A lamp, a lens and a sensor, some of them poor."""
    hard = rng.random() < 0.3
    turn, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.7, 1.6) if hard else rng.uniform(0.1, 0.7)
    sharp = rng.random() < 0.7
    blue, green, red = np.exp(rng.normal(0, 0.09, 3))
    return Effects(
        flock=24, relief=True, gloss=float(rng.choice([0.0, 0.3, 0.7])),
        lamp_mm=(float(reach * np.cos(turn)), float(reach * np.sin(turn))),
        shadow_depth=float(rng.uniform(0.45, 0.7) if hard else rng.uniform(0.2, 0.5)),
        shadow_soft_mm=float(rng.uniform(0.5, 2.0) if hard else rng.uniform(2.0, 7.0)), sharp_low=True,
        lamp=float(rng.uniform(0.05, 0.45)), lamp_deg=float(rng.uniform(0, 360)),
        vignetting=float(rng.uniform(0.0, 0.35)), cast=(float(blue), float(green), float(red)),
        exposure=float(rng.uniform(0.55, 1.15)), flicker=float(rng.choice([0.0, 0.0, 0.03])),
        blur_px=float(rng.uniform(0.45, 0.75) if sharp else rng.uniform(0.75, 1.0)),
        sharpen=float(rng.choice([0.0, 0.0, 0.3])), noise=float(rng.choice([1.0, 2.0, 3.5, 5.0])), linear=True,
        jpeg_quality=int(rng.choice([70, 80, 90, 95])),
    )  # fmt: skip
