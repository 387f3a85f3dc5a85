"""Bases, figures and trees of a virtual table as faces in the order in which they hide one another."""

from __future__ import annotations

import math
import tomllib
import zlib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.records import BaseKind, RectBase, RoundBase
from vision.simulated.painting import Shape, bounds_of
from vision.simulated.virtual import BasePlaced, ClutterPlaced, Effects, TreePlaced, VirtualTable

__all__ = [
    "Face",
    "Paint",
    "Solid",
    "base",
    "bgr",
    "figure",
    "finely",
    "look_of",
    "mark_outline",
    "outline_of",
    "profile_of",
    "shape_of",
    "tree",
    "turned",
]

Points = NDArray[np.float64]
Bgr = tuple[int, int, int]

#: A polygon (N, 3) in table mm with its colour.
Face = tuple[Points, Bgr]
Solid = list[Face]

MARK_MM = (4.0, 3.0)  # how wide and how deep a front mark is

_ROUND = np.linspace(0.0, 2 * np.pi, 36, endpoint=False)
_COARSE = _ROUND[::3]
_DISC = np.column_stack([np.sin(_COARSE), np.cos(_COARSE)])
_BEVEL_MM = 0.4
_SIDE_LIGHT = 0.72
_AMBIENT = 0.5  # of a level face's light comes from all around, the rest from the lamp
_GLOSS_LIGHT = 150.0
_SHINE = 24.0  # the higher, the smaller the lamp's mirror image


@lru_cache(maxsize=1 << 12)
def bgr(colour: str, light: float = 1.0, gloss: float = 0.0) -> Bgr:
    """#rrggbb as blue, green, red, so much lighter or darker, with so much of the lamp's white added."""
    shine = _GLOSS_LIGHT * gloss
    red, green, blue = (max(0, min(255, round(int(colour[i : i + 2], 16) * light + shine))) for i in (1, 3, 5))
    return blue, green, red


def shape_of(solid: Solid, camera: CameraModel) -> Shape | None:
    """A solid as the camera sees it; None where there is nothing of it, or it is behind the camera."""
    if not solid:
        return None
    faces = [finely(face) for face, _ in solid]
    seen = camera.project(np.concatenate(faces))
    if not np.isfinite(seen).all():
        return None
    ends = np.cumsum([len(face) for face in faces])[:-1]
    return Shape(polygons=np.split(seen, ends), colours=[c for _, c in solid], box=bounds_of(seen))


def finely(outline: Points, step_mm: float = 15.0) -> Points:
    """An outline (N, 2 or 3) with more corners where its edges are long: the lens bends what is straight."""
    ahead = np.concatenate([outline[1:], outline[:1]])
    steps = np.abs(ahead - outline)
    if steps.max() <= step_mm:
        return outline
    counts = np.ceil(steps.max(axis=1) / step_mm).astype(int)
    return np.concatenate(
        [
            a + (b - a) * np.linspace(0, 1, max(1, count), endpoint=False)[:, None]
            for a, b, count in zip(outline, ahead, counts, strict=True)
        ]
    )


class Paint:
    """How faces of bases and figures are shaded: by the lamp and the camera, where the effects ask for it."""

    def __init__(self, effects: Effects, table: VirtualTable, camera_mm: Points) -> None:
        self.effects = effects
        self.mat = table.mat
        self.flock = table.flock
        self.rim_mm = table.rim_mm
        self._camera_mm = camera_mm
        self._away = np.array(effects.lamp_mm)
        self._lamp = np.array([-effects.lamp_mm[0], -effects.lamp_mm[1], 1.0])
        self._lamp /= np.linalg.norm(self._lamp)

    def light(self, normal: Points) -> float:
        """The light on a face with this normal (3,), 1 for a level one."""
        facing = max(0.0, float(normal[2] - normal[:2] @ self._away))
        return min(1.3, _AMBIENT + (1 - _AMBIENT) * facing)

    def gloss(self, normal: Points, at_mm: Points) -> float:
        """How much of the lamp a face with this normal (3,) at a place (3,) mirrors into the camera."""
        if not self.effects.gloss:
            return 0.0
        toward = self._camera_mm - at_mm
        half = self._lamp + toward / np.linalg.norm(toward)
        return float(self.effects.gloss * max(0.0, normal @ half / np.linalg.norm(half)) ** _SHINE)


def base(
    placed: BasePlaced, kind: BaseKind, colour: str | None, front_mark: str | None, ground_mm: float, paint: Paint
) -> Solid:
    """A base: upright painted sides, a painted ring on top, flock within, the front mark at the front edge; without
    a colour it is flocked like the mat all over."""
    rim, flock = (paint.mat, paint.mat) if colour is None else (colour, paint.flock)
    solid = _sides(placed, kind, rim, ground_mm, paint)
    top = ground_mm + kind.height_mm
    inset = _BEVEL_MM if paint.effects.relief else 0.0
    solid.append(_lift(turned(outline_of(kind, inset), placed), top, rim))
    solid.append(_lift(turned(outline_of(kind, paint.rim_mm), placed), top, flock, 0.95))
    solid += _tufts(placed, kind, flock, top, paint, 0.4 if colour is None else paint.rim_mm - 0.2)
    if front_mark is not None and colour is not None:
        solid.append(_lift(turned(mark_outline(kind), placed), top, front_mark))
    return solid


def mark_outline(kind: BaseKind) -> Points:
    """The front mark (4, 2) as (right, ahead) of the base's centre."""
    front = kind.diameter_mm / 2 if isinstance(kind, RoundBase) else kind.depth_mm / 2
    half, deep = MARK_MM[0] / 2, MARK_MM[1]
    return np.array([(-half, front - deep), (half, front - deep), (half, front - 0.16), (-half, front - 0.16)])


def _sides(placed: BasePlaced, kind: BaseKind, colour: str, ground_mm: float, paint: Paint) -> Solid:
    outer = turned(outline_of(kind, 0.0), placed)
    if not paint.effects.relief:
        steps = np.linspace(0.0, 1.0, 4)[:-1]
        return [_lift(outer, ground_mm + s * kind.height_mm, colour, _SIDE_LIGHT) for s in steps]
    top = ground_mm + kind.height_mm
    low, edge = _at(outer, ground_mm), _at(outer, top - _BEVEL_MM)
    inner = _at(turned(outline_of(kind, _BEVEL_MM), placed), top)
    rings = ((low, edge, 0.0), (edge, inner, 1.0))
    solid: Solid = []
    for below, above, rise in rings:
        for i in range(len(outer)):
            j = (i + 1) % len(outer)
            along = outer[j] - outer[i]
            normal = np.array([-along[1], along[0], rise * float(np.linalg.norm(along))])
            normal /= np.linalg.norm(normal)
            shade = bgr(colour, paint.light(normal), paint.gloss(normal, above[i]))
            solid.append((np.array([below[i], below[j], above[j], above[i]]), shade))
    return solid


def _tufts(placed: BasePlaced, kind: BaseKind, colour: str, top_mm: float, paint: Paint, inset_mm: float) -> Solid:
    """Tufts of flock, here and there over the edge of the ring, which is so far within the base's."""
    if not paint.effects.flock:
        return []
    rng = np.random.default_rng(zlib.crc32(f"{placed.id} {placed.base}".encode()))
    reach = outline_of(kind, inset_mm)
    low, high = reach.min(axis=0), reach.max(axis=0)
    solid: Solid = []
    for x, y in rng.uniform(low, high, (paint.effects.flock, 2)):
        if isinstance(kind, RoundBase) and math.hypot(x, y) > high[0]:
            continue
        size = rng.uniform(0.5, 1.3)
        tuft = size * np.column_stack([np.sin(_COARSE[::3]), np.cos(_COARSE[::3])]) + (x, y)
        solid.append(_lift(turned(tuft, placed), top_mm, colour, float(rng.uniform(0.72, 1.22))))
    return solid


def figure(placed: BasePlaced, ground_mm: float, paint: Paint) -> Solid:
    """The figure on a base: stacks of discs from the feet up, joined by more of their kind, and a musket.

    No two figures are quite alike where the effects ask for relief.
    """
    look = look_of(placed.figure)
    rng = np.random.default_rng(zlib.crc32(f"{placed.id} {placed.figure}".encode()))
    faces: list[tuple[float, Face]] = []
    for stack in look.get("stacks", [look["discs"]]):
        discs = [_unlike(disc, rng) for disc in stack] if paint.effects.relief else stack
        for low, high in zip(discs, discs[1:] + discs[-1:], strict=True):
            steps = max(1, math.ceil((high[0] - low[0]) / 1.5))
            for step in range(steps):
                share = step / steps
                z, radius, ahead, right = (low[i] + share * (high[i] - low[i]) for i in range(4))
                long = low[5] if len(low) > 5 else 0.82
                disc = _DISC * (radius, long * radius) + (right, ahead)
                colour = placed.coat if placed.coat and 10 <= z <= 24 else low[4]
                face = _lift(
                    turned(disc, placed), ground_mm + z * placed.tall, colour, 0.78 + 0.22 * min(1.0, z / 26)
                )
                faces.append((z, face))
    faces.sort(key=lambda one: one[0])
    solid = [face for _, face in faces]
    if look["musket"]:
        solid.insert(-3, _musket(placed, ground_mm))
    return solid


def _unlike(disc: list[Any], rng: np.random.Generator) -> list[Any]:
    """A disc of a figure as a hand carved it: a little aside, a little wider or narrower."""
    z, radius, ahead, right, *rest = disc
    aside = rng.normal(0, 0.7, 2) * min(1.0, z / 12)
    return [z, radius * rng.uniform(0.85, 1.2), ahead + float(aside[0]), right + float(aside[1]), *rest]


def profile_of(placed: BasePlaced) -> list[Points]:
    """What casts a figure's shadow: each stack's discs (N, 4), as x, y, z over the ground and radius in mm."""
    look = look_of(placed.figure)
    stacks = []
    for discs in look.get("stacks", [look["discs"]]):
        table = np.array([[d[3], d[2], d[0] * placed.tall, d[1]] for d in discs])
        table[:, :2] = turned(table[:, :2], placed)
        stacks.append(table)
    return stacks


def tree(placed: TreePlaced, ground_mm: float, rng: np.random.Generator) -> Solid:
    """A tree: tufts of leaves from low and dark to high and light."""
    solid: Solid = []
    tufts = 46
    for share in np.linspace(0.0, 1.0, tufts):
        z = ground_mm + placed.height_mm * (0.45 + 0.55 * share)
        wide = placed.radius_mm * math.sqrt(max(0.05, 1 - (1.15 * share - 0.15) ** 2))
        angle, off = rng.uniform(0, 2 * np.pi), wide * math.sqrt(rng.uniform(0.05, 0.75))
        middle = np.array([placed.x_mm + off * np.cos(angle), placed.y_mm + off * np.sin(angle)])
        radius = placed.radius_mm * rng.uniform(0.26, 0.4)
        bumps = radius * (1 + 0.16 * np.sin(5 * _COARSE + rng.uniform(0, 6)))
        tuft = middle + np.column_stack([bumps * np.sin(_COARSE), bumps * np.cos(_COARSE)])
        lit = 0.5 + 0.6 * share + 0.12 * np.cos(angle - 2.2) + rng.uniform(-0.07, 0.07)
        solid.append(_lift(tuft, z, "#56683a", float(lit)))
    return solid


def outline_of(kind: BaseKind, inset_mm: float = 0.0) -> Points:
    """A base's outline (N, 2) as (right, ahead) of its centre, clockwise, so far inside its edge."""
    if isinstance(kind, RectBase):
        x, y = kind.width_mm / 2 - inset_mm, kind.depth_mm / 2 - inset_mm
        return np.array([(-x, -y), (-x, y), (x, y), (x, -y)])
    radius = kind.diameter_mm / 2 - inset_mm
    return radius * np.column_stack([np.sin(_ROUND), np.cos(_ROUND)])


def turned(outline: Points, at: BasePlaced | ClutterPlaced) -> Points:
    """Points (N, 2), (right, ahead) of something, as table points."""
    angle = math.radians(at.bearing_deg)
    right, ahead = (math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))
    return np.asarray(outline @ np.array([right, ahead]) + (at.x_mm, at.y_mm), dtype=np.float64)


def _at(outline: Points, z_mm: float) -> Points:
    lifted = np.empty((len(outline), 3))
    lifted[:, :2], lifted[:, 2] = outline, z_mm
    return lifted


def _lift(outline: Points, z_mm: float, colour: str, light: float = 1.0) -> Face:
    return _at(outline, z_mm), bgr(colour, light)


def _musket(placed: BasePlaced, ground_mm: float) -> Face:
    barrel = np.array([(4.4, -3.0), (5.5, -3.0), (5.5, 12.5), (4.4, 12.5)])
    return _lift(turned(barrel, placed), ground_mm + 21.0, "#4a3626")


def look_of(figure: str) -> dict[str, Any]:
    """What figures.toml says of a figure: its ``discs`` or ``stacks`` of them, and whether it has a ``musket``.

    Raises KeyError for a name that there is not.
    """
    look: dict[str, Any] = _figures()[figure]
    return look


@cache
def _figures() -> dict[str, Any]:
    return tomllib.loads(files("vision.simulated").joinpath("figures.toml").read_text("utf-8"))
