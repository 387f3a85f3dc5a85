"""A piece of table as SVG: bases, terrain, and the drawing of a fact laid over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import Bases
from engine.geometry.drawing import Area, Drawing, Line, Part, Point, Spot

__all__ = ["Ground", "Troop", "picture"]

Array = NDArray[np.float64]

_INK = "#241c14"
_PAPER = "#f1e7d2"
_SIDES = ("#9e2b25", "#27457a", "#6d5a1e")
_GROUND = {
    "woods": ("#b9c9a2", "#5f7a4b"), "water": ("#b5ccd6", "#5b8292"), "wall": ("#a89a83", "#6a5d48"),
    "building": ("#c9a58c", "#7b4f38"), "hill": ("#dccfa6", "#9a8650"), "open": ("#e6dcc0", "#b3a47c"),
}  # fmt: skip
#: Stroke, fill, dash of each part of a drawing.
_PARTS: dict[Part, tuple[str, str, str]] = {
    "measure": ("#7a5600", "#f6e6bd", ""),
    "clear": ("#2f6b3c", "#cfe3cc", ""),
    "stopped": ("#8a1f1f", "none", "5 5"),
    "blocker": ("#8a1f1f", "#f1c3b6", ""),
    "zone": ("#7a5600", "#f6e6bd", ""),
    "reach": ("#2d4a3a", "#bcd8c2", ""),
    "path": ("#2d4a3a", "none", ""),
    "hit": ("#8a1f1f", "#e98f7c", ""),
    "doubt": ("#7a5600", "#ffe08a", "3 3"),
}
_HALO = f'paint-order="stroke" stroke="{_PAPER}" stroke-width="5" stroke-linejoin="round"'


@dataclass(frozen=True, eq=False)
class Troop:
    """Bases of one side, with a word for them."""

    bases: Bases
    side: int = 0
    name: str = ""


@dataclass(frozen=True)
class Ground:
    """Terrain: its outline, and its look: ``woods``, ``water``, ``wall``, ``building``, ``hill`` or ``open``."""

    look: str
    outline_mm: Sequence[Point]
    name: str = ""


def picture(
    title: str, troops: Sequence[Troop], ground: Sequence[Ground], drawing: Drawing, box_mm: tuple[float, ...]
) -> str:
    """The SVG of the part of a table within ``box_mm`` (left, near, right, far); a millimetre is a unit.

    The far edge is up. The title is its accessible name; the same input gives the same text.
    """
    left, near, right, far = box_mm
    scale = max(right - left, far - near) / 400.0
    pen = _Pen(left, far, scale)
    body: list[str] = []
    for piece in ground:
        fill, edge = _GROUND[piece.look]
        body.append(f'<path d="{pen.ring(piece.outline_mm)}" fill="{fill}" stroke="{edge}" stroke-width="1"/>')
    flat = [part for part in drawing if isinstance(part, Area)]
    body += [_area(pen, part) for part in flat]
    for piece in ground:
        if piece.name:
            body.append(pen.text(np.mean(np.array(piece.outline_mm), axis=0), piece.name, _INK, italic=True))
    for troop in troops:
        body += _troop(pen, troop)
    for part in drawing:
        if isinstance(part, Line):
            body.append(_line(pen, part))
        elif isinstance(part, Spot):
            body.append(_spot(pen, part))
    body += _words(pen, drawing)
    width, height = (right - left) / scale, (far - near) / scale
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'font-family="Georgia, serif" font-size="13" role="img" aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="{_PAPER}"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


@dataclass(frozen=True)
class _Pen:
    """Table millimetres to the picture's units."""

    left_mm: float
    far_mm: float
    mm_per_unit: float

    def at(self, point: Sequence[float] | Array) -> tuple[float, float]:
        return (
            (float(point[0]) - self.left_mm) / self.mm_per_unit,
            (self.far_mm - float(point[1])) / self.mm_per_unit,
        )

    def way(self, points: Sequence[Point]) -> str:
        return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in (self.at(p) for p in points))

    def ring(self, points: Sequence[Point]) -> str:
        return self.way(points) + " Z"

    def text(self, point: Sequence[float] | Array, words: str, colour: str, italic: bool = False) -> str:
        x, y = self.at(point)
        style = ' font-style="italic"' if italic else ""
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="{colour}"{style} {_HALO}>'
            f"{escape(words)}</text>"
        )


def _troop(pen: _Pen, troop: Troop) -> list[str]:
    colour, bases = _SIDES[troop.side], troop.bases
    found = []
    for k in range(len(bases)):
        x, y = pen.at(bases.centre[k])
        if bases.is_rect[k]:
            shape = f'<path d="{pen.ring([(p[0], p[1]) for p in bases.corners()[k].tolist()])}"'
        else:
            shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{bases.radius[k] / pen.mm_per_unit:.1f}"'
        found.append(f'{shape} fill="{colour}" fill-opacity="0.82" stroke="{_INK}" stroke-width="1"/>')
        ahead = np.array([np.sin(bases.bearing_rad[k]), np.cos(bases.bearing_rad[k])])
        reach = float(bases.radius[k] + bases.half[k, 1])
        tip = pen.at(bases.centre[k] + ahead * reach)
        found.append(f'<path d="M{x:.1f} {y:.1f} L{tip[0]:.1f} {tip[1]:.1f}" stroke="#f4f0e0" stroke-width="2"/>')
    if troop.name and len(bases):
        low = bases.centre[:, 1].min() - float(np.max(bases.radius + np.hypot(*bases.half.T)))
        place = np.array([bases.centre[:, 0].mean(), low - 14 * pen.mm_per_unit])
        found.append(pen.text(place, troop.name, colour))
    return found


def _area(pen: _Pen, part: Area) -> str:
    stroke, fill, dash = _PARTS[part.part]
    way = " ".join(pen.ring(ring) for ring in (part.outline_mm, *part.holes_mm))
    return (
        f'<path d="{way}" fill="{fill}" fill-opacity="0.55" fill-rule="evenodd" stroke="{stroke}" '
        f'stroke-width="1.5"{_dash(dash)}/>'
    )


def _line(pen: _Pen, part: Line) -> str:
    stroke, _, dash = _PARTS[part.part]
    return f'<path d="{pen.way(part.points_mm)}" fill="none" stroke="{stroke}" stroke-width="2"{_dash(dash)}/>'


def _spot(pen: _Pen, part: Spot) -> str:
    stroke, fill, dash = _PARTS[part.part]
    x, y = pen.at(part.at_mm)
    radius = max(part.radius_mm / pen.mm_per_unit, 4.0)
    opacity = "0.45" if part.radius_mm else "1"
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" fill-opacity="{opacity}" '
        f'stroke="{stroke}" stroke-width="2"{_dash(dash)}/>'
    )


def _words(pen: _Pen, drawing: Drawing) -> list[str]:
    """What stands beside the parts, last, so that nothing is drawn over it."""
    found = []
    for part in drawing:
        if part.text:
            if isinstance(part, Spot):
                place = np.add(part.at_mm, [0.0, part.radius_mm + 9 * pen.mm_per_unit])
            elif isinstance(part, Line):
                points = np.array(part.points_mm)
                middle = (points[len(points) // 2 - 1] + points[len(points) // 2]) / 2
                place = np.add(middle, [0.0, 6 * pen.mm_per_unit])
            else:
                place = np.array(part.outline_mm).mean(axis=0)
            found.append(pen.text(place, part.text, _PARTS[part.part][0]))
    return found


def _dash(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""
