"""Everything else that lies on or reaches over a virtual table: blocks and hills, prints, clutter, an arm."""

from __future__ import annotations

import math

import numpy as np

from calibration.prints.markers import marker_bits
from vision.simulated.solids import Bgr, Face, Points, Solid, bgr, turned
from vision.simulated.virtual import ClutterPlaced

__all__ = ["arm", "block", "clutter", "clutter_outline", "foot_of", "print_of_marker"]

_PAPER: Bgr = (238, 240, 242)
_INK: Bgr = (62, 61, 61)  # printed black is a dark grey to a camera
_ROUND = np.linspace(0.0, 2 * np.pi, 36, endpoint=False)
_COARSE = _ROUND[::3]

#: Width, depth, height in mm and the usual colour of what lies about; dice, balls and mugs are as deep as wide.
_CLUTTER: dict[str, tuple[float, float, float, str]] = {
    "die": (14.0, 14.0, 14.0, "#e8e6df"),
    "cotton": (32.0, 32.0, 24.0, "#f0efec"),
    "tape": (500.0, 16.0, 0.4, "#e6c229"),
    "mug": (80.0, 80.0, 95.0, "#d9d4c8"),
    "paper": (148.0, 210.0, 0.3, "#f2f1ec"),
    "book": (150.0, 210.0, 9.0, "#4f6d86"),
    "box": (110.0, 130.0, 60.0, "#b58a58"),
}


def foot_of(top_mm: Points, slope_mm: float) -> Points:
    """The outline (N, 2) on the ground of a hill whose sides spread so far beyond its top."""
    away = top_mm - top_mm.mean(axis=0)
    spread = 1 + slope_mm / np.maximum(1.0, np.linalg.norm(away, axis=1, keepdims=True))
    return np.asarray(top_mm.mean(axis=0) + away * spread, dtype=np.float64)


def block(top_mm: Points, height_mm: float, slope_mm: float, colour: str, ground_mm: float = 0.0) -> Solid:
    """The sides of a block or hill of outline (N, 2): lit from the far left, the darker the farther from there."""
    middle, foot = top_mm.mean(axis=0), foot_of(top_mm, slope_mm)
    solid: Solid = []
    for i in range(len(top_mm)):
        j = (i + 1) % len(top_mm)
        low, high = ground_mm, ground_mm + height_mm
        side = np.array([[*foot[i], low], [*foot[j], low], [*top_mm[j], high], [*top_mm[i], high]])
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
    at = ClutterPlaced(what="paper", x_mm=x_mm, y_mm=y_mm, bearing_deg=bearing_deg)
    paper = size_mm / 2 + cell
    solid = [(_at(turned(_rectangle(-paper, -paper, paper, paper), at), z_mm), _PAPER)]
    whole = _rectangle(-size_mm / 2, -size_mm / 2, size_mm / 2, size_mm / 2)
    solid.append((_at(turned(whole, at), z_mm), _INK))
    for row, line in enumerate(bits):
        start: int | None = None
        for column in range(len(line) + 1):
            white = column < len(line) and bool(line[column])
            if white and start is None:
                start = column
            elif not white and start is not None:
                top = size_mm / 2 - row * cell
                run = _rectangle(start * cell - size_mm / 2, top - cell, column * cell - size_mm / 2, top)
                solid.append((_at(turned(run, at), z_mm), _PAPER))
                start = None
    return solid


def clutter_outline(placed: ClutterPlaced) -> tuple[Points, float]:
    """The outline (N, 2) in table mm of a piece of clutter, and its height."""
    wide, deep, tall, _ = _CLUTTER[placed.what]
    scale = placed.size_mm / wide if placed.size_mm else 1.0
    if placed.what == "tape":
        return turned(_rectangle(-wide * scale / 2, -deep / 2, wide * scale / 2, deep / 2), placed), tall
    if placed.what in ("cotton", "mug"):
        ring = wide * scale / 2 * np.column_stack([np.sin(_ROUND), np.cos(_ROUND)])
        return turned(ring, placed), tall * scale
    x, y = wide * scale / 2, deep * scale / 2
    return turned(_rectangle(-x, -y, x, y), placed), tall * (scale if placed.what == "die" else 1.0)


def clutter(placed: ClutterPlaced, ground_mm: float) -> Solid:
    """A piece of clutter: its sides, its top, and what is drawn on that."""
    outline, tall = clutter_outline(placed)
    colour = placed.colour or _CLUTTER[placed.what][3]
    if placed.what == "cotton":
        return _ball(outline, tall, colour, ground_mm)
    solid = block(outline, tall, 0.0, colour, ground_mm) if tall > 1.0 else []
    top = ground_mm + tall
    solid.append((_at(outline, top), bgr(colour)))
    middle = outline.mean(axis=0)
    for size, light in {"mug": ((0.9, 0.35), (0.86, 0.12)), "book": ((0.7, 1.4),)}.get(placed.what, ()):
        solid.append((_at(middle + size * (outline - middle), top), bgr(colour, light)))
    if placed.what == "die":
        dark = sum(bgr(colour)) > 3 * 128
        for ahead in (-0.27, 0.0, 0.27):
            pip = outline.mean(axis=0) + ahead * (outline[2] - outline[0])
            ring = pip + 0.09 * float(np.linalg.norm(outline[1] - outline[0])) * np.column_stack(
                [np.sin(_COARSE), np.cos(_COARSE)]
            )
            solid.append((_at(ring, top), (30, 30, 30) if dark else (235, 235, 235)))
    if placed.what == "paper":
        solid += _lines(outline, top)
    if placed.what == "tape":
        case = turned(_rectangle(-28, -28, 28, 28), placed) + (outline[0] - middle)
        solid += [*block(case, 30.0, 0.0, "#2a2a2c", ground_mm), (_at(case, ground_mm + 30.0), bgr("#333336"))]
    return solid


def _ball(outline: Points, tall_mm: float, colour: str, ground_mm: float) -> Solid:
    middle = outline.mean(axis=0)
    return [
        (
            _at(
                middle + math.sqrt(max(0.0, 1 - (2 * share - 1) ** 2)) * (outline - middle),
                ground_mm + share * tall_mm,
            ),
            bgr(colour, 0.6 + 0.4 * share),
        )
        for share in np.linspace(0.05, 0.97, 16)
    ]


def _lines(outline: Points, z_mm: float) -> Solid:
    """Lines of writing on a sheet with corners (4, 2)."""
    corner, right, up = outline[0], outline[1] - outline[0], outline[3] - outline[0]
    faces: list[Face] = []
    for n in range(14):
        low = 0.1 + 0.058 * n
        length = 0.8 if n % 5 else 0.45
        marks = np.array([(0.1, low), (0.1 + length, low), (0.1 + length, low + 0.018), (0.1, low + 0.018)])
        faces.append((_at(corner + marks[:, :1] * right + marks[:, 1:] * up, z_mm), (120, 118, 118)))
    return faces


def arm(hand_mm: tuple[float, float], bearing_deg: float = 0.0) -> Solid:
    """A sleeve that reaches in with this bearing, from beyond any table, and a hand at its end."""
    at = ClutterPlaced(what="paper", x_mm=hand_mm[0], y_mm=hand_mm[1], bearing_deg=bearing_deg)
    solid: Solid = []
    for share in np.linspace(0.0, 1.0, 200):
        middle = np.array([100 * (1 - share), -110 - 2500 * (1 - share)])
        ring = middle + 38 * np.column_stack([np.sin(_COARSE), np.cos(_COARSE) * 1.5])
        solid.append((_at(turned(ring, at), 120 - 40 * share), bgr("#2d4468", 0.8 + 0.2 * share)))
    palm = np.array([0, -48]) + np.column_stack([34 * np.sin(_ROUND), 48 * np.cos(_ROUND)])
    solid.append((_at(turned(palm, at), 70.0), bgr("#c98f6c")))
    for finger in (-21.0, -7.0, 7.0, 21.0):
        tip = np.array([finger, 6]) + np.column_stack([8 * np.sin(_COARSE), 30 * np.cos(_COARSE)])
        solid.append((_at(turned(tip, at), 64.0), bgr("#d49b78")))
    return solid


def _rectangle(left: float, near: float, right: float, far: float) -> Points:
    return np.array([(left, near), (right, near), (right, far), (left, far)])


def _at(outline: Points, z_mm: float) -> Points:
    return np.column_stack([outline, np.full(len(outline), z_mm)])
