"""The solid things of a virtual table as polygons in the picture, in the order in which they hide one another."""

from __future__ import annotations

import math
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.markers import marker_bits
from calibration.records import Army, BaseKind, RoundBase
from vision.simulated.painting import Shape, bounds_of
from vision.simulated.virtual import BasePlaced, TreePlaced

__all__ = ["Solid", "arm", "base", "bgr", "block", "figure", "print_of_marker", "shape_of", "tree"]

Points = NDArray[np.float64]
Bgr = tuple[int, int, int]

#: A polygon (N, 3) in table mm with its colour.
Face = tuple[Points, Bgr]
Solid = list[Face]

_PAPER: Bgr = (238, 240, 242)
_INK: Bgr = (62, 61, 61)  # printed black is a dark grey to a camera
_FLOCK = "#5d6b38"
_ROUND = np.linspace(0.0, 2 * np.pi, 36, endpoint=False)
_COARSE = _ROUND[::3]
_RIM_MM = 3.2
_MARK_MM = (4.0, 3.0)


def bgr(colour: str, light: float = 1.0) -> Bgr:
    """#rrggbb as blue, green, red, so much lighter or darker."""
    red, green, blue = (min(255, round(int(colour[i : i + 2], 16) * light)) for i in (1, 3, 5))
    return blue, green, red


def shape_of(solid: Solid, camera: CameraModel) -> Shape | None:
    """A solid as the camera sees it; None where it is behind the camera."""
    seen = camera.project(np.concatenate([face for face, _ in solid]))
    if not np.isfinite(seen).all():
        return None
    ends = np.cumsum([len(face) for face, _ in solid])[:-1]
    return Shape(polygons=np.split(seen, ends), colours=[c for _, c in solid], box=bounds_of(seen))


def base(placed: BasePlaced, kind: BaseKind, army: Army, ground_mm: float) -> Solid:
    """A base: upright painted sides, a painted ring on top, flock within, the front mark at the front edge."""
    outline, inner = _outline(kind, 0.0), _outline(kind, _RIM_MM)
    top = ground_mm + kind.height_mm
    steps = np.linspace(0.0, 1.0, 4)[:-1]
    solid = [_lift(_turn(outline, placed), ground_mm + s * kind.height_mm, army.base_colour, 0.72) for s in steps]
    solid.append(_lift(_turn(outline, placed), top, army.base_colour))
    solid.append(_lift(_turn(inner, placed), top, _FLOCK, 0.95))
    if isinstance(army.front_mark, str):
        front = kind.diameter_mm / 2 if isinstance(kind, RoundBase) else kind.depth_mm / 2
        half, deep = _MARK_MM[0] / 2, _MARK_MM[1]
        mark = np.array([(-half, front - deep), (half, front - deep), (half, front - 0.16), (-half, front - 0.16)])
        solid.append(_lift(_turn(mark, placed), top, army.front_mark))
    return solid


def figure(placed: BasePlaced, ground_mm: float) -> Solid:
    """The figure on a base: discs from the feet up, joined by more of their kind, and a musket."""
    look = _figures()[placed.figure]
    solid: Solid = []
    discs = look["discs"]
    for low, high in zip(discs, discs[1:] + discs[-1:], strict=True):
        steps = max(1, math.ceil((high[0] - low[0]) / 1.5))
        for step in range(steps):
            share = step / steps
            z, radius, ahead, right = (low[i] + share * (high[i] - low[i]) for i in range(4))
            disc = np.column_stack([right + radius * np.sin(_COARSE), ahead + 0.82 * radius * np.cos(_COARSE)])
            solid.append(_lift(_turn(disc, placed), ground_mm + z, low[4], 0.78 + 0.22 * min(1.0, z / 26)))
    if look["musket"]:
        solid.insert(-3, _musket(placed, ground_mm))
    return solid


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


def block(top_mm: Points, height_mm: float, slope_mm: float, colour: str) -> Solid:
    """The sides of a block or hill of outline (N, 2): lit from the far left, the darker the farther from there."""
    middle = top_mm.mean(axis=0)
    away = top_mm - middle
    foot = middle + away * (1 + slope_mm / np.maximum(1.0, np.linalg.norm(away, axis=1, keepdims=True)))
    solid: Solid = []
    for i in range(len(top_mm)):
        j = (i + 1) % len(top_mm)
        side = np.array([[*foot[i], 0.0], [*foot[j], 0.0], [*top_mm[j], height_mm], [*top_mm[i], height_mm]])
        outward = (top_mm[i] + top_mm[j]) / 2 - middle
        toward = float(outward @ (-0.6, 0.8)) / max(1e-6, float(np.linalg.norm(outward)))
        solid.append((side, bgr(colour, 0.74 + 0.16 * toward)))
    return solid


def print_of_marker(
    dictionary: str, number: int, size_mm: float, x_mm: float, y_mm: float, z_mm: float, bearing_deg: float
) -> Solid:
    """A printed marker with its quiet zone: paper, then its black cells, runs of them joined."""
    bits = marker_bits(dictionary, number)
    cell = size_mm / len(bits)
    at = BasePlaced(id="", army="", base="", x_mm=x_mm, y_mm=y_mm, bearing_deg=bearing_deg)
    paper = size_mm / 2 + cell
    solid = [(_at(_turn(_rectangle(-paper, -paper, paper, paper), at), z_mm), _PAPER)]
    whole = _rectangle(-size_mm / 2, -size_mm / 2, size_mm / 2, size_mm / 2)
    solid.append((_at(_turn(whole, at), z_mm), _INK))
    for row, line in enumerate(bits):
        start: int | None = None
        for column in range(len(line) + 1):
            white = column < len(line) and bool(line[column])
            if white and start is None:
                start = column
            elif not white and start is not None:
                top = size_mm / 2 - row * cell
                run = _rectangle(start * cell - size_mm / 2, top - cell, column * cell - size_mm / 2, top)
                solid.append((_at(_turn(run, at), z_mm), _PAPER))
                start = None
    return solid


def arm(hand_mm: tuple[float, float]) -> Solid:
    """A sleeve from the near edge and a hand at its end, some way over the table."""
    x, y = hand_mm
    reach = np.linspace(0.0, 1.0, 120)
    solid: Solid = []
    for share in reach:
        middle = np.array([x + 60 * (1 - share), y - 110 - 1500 * (1 - share)])
        ring = middle + 38 * np.column_stack([np.sin(_COARSE), np.cos(_COARSE) * 1.5])
        solid.append(_lift(ring, 120 - 40 * share, "#2d4468", 0.8 + 0.2 * share))
    palm = np.array([x, y - 48]) + np.column_stack([34 * np.sin(_ROUND), 48 * np.cos(_ROUND)])
    solid.append(_lift(palm, 70.0, "#c98f6c"))
    for finger in (-21.0, -7.0, 7.0, 21.0):
        tip = np.array([x + finger, y + 6]) + np.column_stack([8 * np.sin(_COARSE), 30 * np.cos(_COARSE)])
        solid.append(_lift(tip, 64.0, "#d49b78"))
    return solid


def _outline(kind: BaseKind, inset_mm: float) -> Points:
    if isinstance(kind, RoundBase):
        radius = kind.diameter_mm / 2 - inset_mm
        return radius * np.column_stack([np.sin(_ROUND), np.cos(_ROUND)])
    x, y = kind.width_mm / 2 - inset_mm, kind.depth_mm / 2 - inset_mm
    return _rectangle(-x, -y, x, y)


def _rectangle(left: float, near: float, right: float, far: float) -> Points:
    return np.array([(left, near), (right, near), (right, far), (left, far)])


def _turn(outline: Points, at: BasePlaced) -> Points:
    """Points (right, ahead) of something, as table points."""
    angle = math.radians(at.bearing_deg)
    right, ahead = (math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))
    return np.asarray(outline @ np.array([right, ahead]) + (at.x_mm, at.y_mm), dtype=np.float64)


def _at(outline: Points, z_mm: float) -> Points:
    return np.column_stack([outline, np.full(len(outline), z_mm)])


def _lift(outline: Points, z_mm: float, colour: str, light: float = 1.0) -> Face:
    return _at(outline, z_mm), bgr(colour, light)


def _musket(placed: BasePlaced, ground_mm: float) -> Face:
    barrel = _rectangle(4.4, -3.0, 5.5, 12.5)
    return _lift(_turn(barrel, placed), ground_mm + 21.0, "#4a3626")


@cache
def _figures() -> dict[str, Any]:
    return tomllib.loads(files("vision.simulated").joinpath("figures.toml").read_text("utf-8"))
