"""A drawing of a few shapes, for maps and charts alike: made once, shown as SVG in a page and as vectors in a PDF.

Coordinates are the drawing's own, x to the right and y up; texts and strokes are given in the same unit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

__all__ = ["Circle", "Line", "Mark", "Outlines", "Polygon", "Sketch", "Text", "svg_of"]

Point = tuple[float, float]


class Polygon(Struct, frozen=True, kw_only=True):
    """A closed outline."""

    points: tuple[Point, ...]
    fill: str
    stroke: str = "none"
    width: float = 0.0
    title: str = ""


class Outlines(Struct, frozen=True, kw_only=True):
    """Many closed outlines alike, as of the cells of a grid."""

    outlines: tuple[tuple[Point, ...], ...]
    stroke: str
    width: float


class Circle(Struct, frozen=True, kw_only=True):
    """A circle about a point."""

    at: Point
    radius: float
    fill: str
    stroke: str = "none"
    width: float = 0.0


class Line(Struct, frozen=True, kw_only=True):
    """An open line through points; ``dash`` is the length of its dashes, 0: none."""

    points: tuple[Point, ...]
    stroke: str
    width: float
    dash: float = 0.0


class Text(Struct, frozen=True, kw_only=True):
    """A line of text, its baseline at a point."""

    at: Point
    text: str
    size: float
    anchor: Literal["start", "middle", "end"] = "middle"
    fill: str = "#2a2218"
    halo: str = ""


Mark = Polygon | Outlines | Circle | Line | Text


class Sketch(Struct, frozen=True, kw_only=True):
    """A drawing of that size; ``label`` says what it shows, for who cannot see it."""

    width: float
    height: float
    label: str
    ground: str
    marks: tuple[Mark, ...]


def svg_of(sketch: Sketch) -> str:
    """The drawing as an SVG element of its own."""
    head = (
        f'<svg viewBox="0 0 {sketch.width:g} {sketch.height:g}" role="img" aria-label={quoteattr(sketch.label)}>'
        f'<rect width="{sketch.width:g}" height="{sketch.height:g}" fill="{sketch.ground}"/>'
    )
    return head + "".join(_svg(mark, sketch.height) for mark in sketch.marks) + "</svg>"


def _svg(mark: Mark, height: float) -> str:
    match mark:
        case Polygon():
            title = f"<title>{escape(mark.title)}</title>" if mark.title else ""
            drawn = f'fill="{mark.fill}" stroke="{mark.stroke}" stroke-width="{mark.width:g}"'
            return f'<polygon points="{_points(mark.points, height)}" {drawn}>{title}</polygon>'
        case Outlines():
            path = "".join(f"M{_points(outline, height)}Z" for outline in mark.outlines)
            return f'<path d="{path}" fill="none" stroke="{mark.stroke}" stroke-width="{mark.width:g}"/>'
        case Circle():
            where = f'cx="{mark.at[0]:.1f}" cy="{height - mark.at[1]:.1f}" r="{mark.radius:g}"'
            return f'<circle {where} fill="{mark.fill}" stroke="{mark.stroke}" stroke-width="{mark.width:g}"/>'
        case Line():
            dash = f' stroke-dasharray="{mark.dash:g}"' if mark.dash else ""
            drawn = (
                f'fill="none" stroke="{mark.stroke}" stroke-width="{mark.width:g}" stroke-linejoin="round"{dash}'
            )
            return f'<polyline points="{_points(mark.points, height)}" {drawn}/>'
        case Text():
            halo = (
                f' stroke="{mark.halo}" stroke-width="{mark.size / 5:g}" paint-order="stroke"' if mark.halo else ""
            )
            where = f'x="{mark.at[0]:.1f}" y="{height - mark.at[1]:.1f}"'
            drawn = f'font-size="{mark.size:g}" text-anchor="{mark.anchor}" fill="{mark.fill}"{halo}'
            return f"<text {where} {drawn}>{escape(mark.text)}</text>"


def _points(points: Iterable[Point], height: float) -> str:
    return " ".join(f"{x:.1f},{height - y:.1f}" for x, y in points)
