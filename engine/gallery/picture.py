"""A piece of table as SVG: bases, terrain, and the drawing of a fact laid over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from engine.gallery.labels import Labels, Placed
from engine.geometry.drawing import Area, Drawing, Line, Part, Point, Spot
from engine.geometry.plane.lines import area_centre
from engine.geometry.shapes.bases import Bases

__all__ = ["PARTS", "Ground", "Picture", "Troop", "svg"]

Array = NDArray[np.float64]

#: How wide, or else how high, a picture is in its own units.
SIZE = 400.0
_INK = "#241c14"
_PAPER = "#f4ecd9"
_RIM = "#c9b48a"
_SIDES = ("#9e2b25", "#27457a", "#6d5a1e")
_GROUND = {
    "woods": ("#b9c9a2", "#5f7a4b"), "water": ("#b5ccd6", "#5b8292"), "wall": ("#a89a83", "#6a5d48"),
    "building": ("#c9a58c", "#7b4f38"), "hill": ("#dccfa6", "#9a8650"), "open": ("#efe4c8", "#c2b18a"),
    "road": ("#e6d3a8", "#b99b5f"), "cell": ("#f7f0df", "#d8c8a4"),
}  # fmt: skip
#: Stroke, fill, dash of each part of a drawing.
PARTS: dict[Part, tuple[str, str, str]] = {
    "measure": ("#7a5600", "#f0d488", ""),
    "clear": ("#1f6b35", "#a9d6a8", ""),
    "stopped": ("#8a1f1f", "#e7b3a6", "5 5"),
    "blocker": ("#8a1f1f", "#f1c3b6", ""),
    "zone": ("#8a6410", "#f6dc97", ""),
    "reach": ("#20503a", "#a9d1b6", ""),
    "path": ("#143f2c", "none", ""),
    "hit": ("#b01212", "#e98f7c", ""),
    "doubt": ("#a05a00", "#ffd766", "4 3"),
}
_HALO = f'paint-order="stroke" stroke="{_PAPER}" stroke-width="4.5" stroke-linejoin="round"'
#: These are drawn once more, as an outline, over the bases.
_OVER: frozenset[Part] = frozenset({"hit", "doubt", "blocker", "clear"})


@dataclass(frozen=True, eq=False)
class Troop:
    """Bases of one side, with a word for them; ``ghost``: only their outlines, where they were or might be."""

    bases: Bases
    side: int = 0
    name: str = ""
    ghost: bool = False


@dataclass(frozen=True)
class Ground:
    """Terrain, or a cell of a grid: its look, its outline; looks are the keys of ``_GROUND``."""

    look: str
    outline_mm: Sequence[Point]
    name: str = ""


@dataclass(frozen=True, eq=False)
class Picture:
    """A part of a table, ``box_mm`` (left, near, right, far), with what stands there and the drawing of a fact."""

    troops: Sequence[Troop]
    drawing: Drawing
    ground: Sequence[Ground] = ()
    box_mm: tuple[float, float, float, float] = (0.0, 0.0, 400.0, 300.0)


def svg(title: str, shown: Picture) -> str:
    """The SVG of a picture, the far edge up, 400 units wide or high; the title is its accessible name.

    Numbers are rounded to a tenth, so that the same picture is the same text on every machine.
    """
    left, near, right, far = shown.box_mm
    scale = max(right - left, far - near) / SIZE
    width, height = (right - left) / scale, (far - near) / scale
    pen = _Pen(left, far, scale)
    labels = Labels(width, height)
    onward = {
        pen.mark(part.points_mm[0]) for part in shown.drawing if isinstance(part, Line) and part.part == "path"
    }
    body = [_ground(pen, piece) for piece in shown.ground]
    body += [_area(pen, part) for part in shown.drawing if isinstance(part, Area)]
    body += [_spot(pen, part) for part in shown.drawing if isinstance(part, Spot) and _is_under(part)]
    body += [mark for troop in shown.troops for mark in _troop(pen, troop)]
    for part in shown.drawing:
        if isinstance(part, Area) and part.part in _OVER:
            body.append(_outline(pen, part))
        elif isinstance(part, Line):
            body.append(_line(pen, part, ends_here=pen.mark(part.points_mm[-1]) not in onward))
        elif isinstance(part, Spot) and not _is_under(part):
            body.append(_spot(pen, part))
    body.append(_scale_bar(pen, labels, height))
    _keep_free(pen, labels, shown)
    _put_words(pen, labels, shown)
    body += [_words(word) for word in labels.placed]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}" '
        f'font-family="Georgia, serif" font-size="13" role="img" aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect x="0.5" y="0.5" width="{_n(width - 1)}" height="{_n(height - 1)}" rx="6" '
        f'fill="{_PAPER}" stroke="{_RIM}"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _is_under(part: Spot) -> bool:
    """Whether a disc lies under the bases."""
    return part.radius_mm > 0 and part.part in ("zone", "reach", "stopped")


def _n(value: float) -> str:
    """A number to a tenth; a nudge keeps halves from falling one way here and the other way there."""
    text = f"{value + 1e-6:.1f}"
    return "0" if text == "-0.0" else text.removesuffix(".0")


@dataclass(frozen=True)
class _Pen:
    """Table millimetres to the picture's units."""

    left_mm: float
    far_mm: float
    mm_per_unit: float

    def at(self, point: Sequence[float] | Array) -> Point:
        """Where a point of the table, in mm, lies in the picture, whose y runs down."""
        return (
            (float(point[0]) - self.left_mm) / self.mm_per_unit,
            (self.far_mm - float(point[1])) / self.mm_per_unit,
        )

    def mark(self, point: Point) -> str:
        """A point as it stands in the text."""
        return _way([self.at(point)])

    def ring(self, points: Sequence[Point]) -> str:
        """A closed way, begun at its leftmost point, so that where a ring begins does not matter."""
        marks = [self.at(point) for point in points]
        first = min(range(len(marks)), key=lambda k: (round(marks[k][0], 1), round(marks[k][1], 1)))
        return _way(marks[first:] + marks[:first]) + " Z"


def _way(marks: Sequence[Point]) -> str:
    return "M" + " L".join(f"{_n(x)} {_n(y)}" for x, y in marks)


def _ground(pen: _Pen, piece: Ground) -> str:
    fill, edge = _GROUND[piece.look]
    return f'<path d="{pen.ring(piece.outline_mm)}" fill="{fill}" stroke="{edge}"/>'


def _troop(pen: _Pen, troop: Troop) -> list[str]:
    colour, bases = _SIDES[troop.side], troop.bases
    look = (
        f'fill="none" stroke="{colour}" stroke-dasharray="3 2"'
        if troop.ghost
        else f'fill="{colour}" fill-opacity="0.85" stroke="{_INK}"'
    )
    found = []
    for k in range(len(bases)):
        x, y = pen.at(bases.centre[k])
        if bases.is_rect[k]:
            found.append(f'<path d="{pen.ring([(p[0], p[1]) for p in bases.corners()[k].tolist()])}" {look}/>')
        else:
            radius = max(bases.radius[k] / pen.mm_per_unit, 1.5)
            found.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" {look}/>')
        if not troop.ghost and bases.circumradius[k] > 0:
            found.append(_facing(pen, bases, k))
    return found


def _facing(pen: _Pen, bases: Bases, k: int) -> str:
    """A pale arrowhead inside the front edge."""
    deep = float(bases.radius[k] + bases.half[k, 1])
    wide = 0.55 * min(deep, float(bases.radius[k] + bases.half[k, 0]))
    tip = bases.centre[k] + 0.85 * deep * bases.ahead[k]
    back = tip - 0.9 * wide * bases.ahead[k]
    marks = [pen.at(spot) for spot in (tip, back + wide * bases.right[k], back - wide * bases.right[k])]
    return f'<path d="{_way(marks)} Z" fill="#f8f2e2"/>'


def _area(pen: _Pen, part: Area) -> str:
    stroke, fill, dash = PARTS[part.part]
    way = " ".join(pen.ring(ring) for ring in (part.outline_mm, *part.holes_mm))
    return (
        f'<path d="{way}" fill="{fill}" fill-opacity="0.55" fill-rule="evenodd" stroke="{stroke}" '
        f'stroke-width="1.5"{_dash(dash)}/>'
    )


def _outline(pen: _Pen, part: Area) -> str:
    stroke, _, dash = PARTS[part.part]
    return f'<path d="{pen.ring(part.outline_mm)}" fill="none" stroke="{stroke}" stroke-width="2.5"{_dash(dash)}/>'


def _line(pen: _Pen, part: Line, ends_here: bool) -> str:
    """A polyline; ways end in an arrowhead, lengths in a tick at both ends."""
    stroke, _, dash = PARTS[part.part]
    marks = [pen.at(point) for point in part.points_mm]
    drawn = f'<path d="{_way(marks)}" fill="none" stroke="{stroke}" stroke-width="2"{_dash(dash)}/>'
    if part.part in ("doubt", "hit"):  # these run over bases
        drawn = f'<path d="{_way(marks)}" fill="none" stroke="{_PAPER}" stroke-width="4.5"/>{drawn}'
    if len(marks) < 2 or part.part not in ("path", "measure"):
        return drawn
    x, y = np.subtract(marks[-1], marks[-2])
    length = float(np.hypot(x, y))
    if length < 1e-6:
        return drawn
    x, y = x / length, y / length
    if part.part == "path":
        if not ends_here:
            return drawn
        end = marks[-1]
        back = end[0] - 9 * x, end[1] - 9 * y
        head = [end, (back[0] - 4 * y, back[1] + 4 * x), (back[0] + 4 * y, back[1] - 4 * x)]
        return drawn + f'<path d="{_way(head)} Z" fill="{stroke}"/>'
    ticks = "".join(_tick(mark, part_of) for mark, part_of in _ends(marks))
    return drawn + f'<path d="{ticks}" stroke="{stroke}" stroke-width="2"/>'


def _ends(marks: Sequence[Point]) -> list[tuple[Point, Array]]:
    """Both ends of a polyline, each with the direction there."""
    found = []
    for end, inner in ((marks[0], marks[1]), (marks[-1], marks[-2])):
        way = np.subtract(inner, end)
        found.append((end, way / max(float(np.hypot(*way)), 1e-9)))
    return found


def _tick(at: Point, way: Array) -> str:
    x, y = 4 * float(way[0]), 4 * float(way[1])
    return _way([(at[0] - y, at[1] + x), (at[0] + y, at[1] - x)])


def _spot(pen: _Pen, part: Spot) -> str:
    stroke, fill, dash = PARTS[part.part]
    x, y = pen.at(part.at_mm)
    radius = max(part.radius_mm / pen.mm_per_unit, 4.0)
    opacity = "0.4" if part.radius_mm else "1"
    return (
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}" fill-opacity="{opacity}" '
        f'stroke="{stroke}" stroke-width="2"{_dash(dash)}/>'
    )


def _scale_bar(pen: _Pen, labels: Labels, height: float) -> str:
    """Two inches, near the left corner."""
    long, y = 50.8 / pen.mm_per_unit, height - 9.0
    labels.keep_free([(6.0, y - 16, 14 + long, height)], 4.0)
    marks = [(10.0, y - 3), (10.0, y), (10 + long, y), (10 + long, y - 3)]
    return (
        f'<path d="{_way(marks)}" fill="none" stroke="{_INK}" stroke-opacity="0.6"/>'
        f'<text x="{_n(10 + long / 2)}" y="{_n(y - 4)}" text-anchor="middle" font-size="10" fill="{_INK}" '
        f'fill-opacity="0.7">2 in</text>'
    )


def _keep_free(pen: _Pen, labels: Labels, shown: Picture) -> None:
    for troop in shown.troops:
        for low_x, low_y, high_x, high_y in troop.bases.bounds().tolist():
            (left, bottom), (right, top) = pen.at((low_x, low_y)), pen.at((high_x, high_y))
            labels.keep_free([(left, top, right, bottom)], 0.3 if troop.ghost else 1.5)
    for part in shown.drawing:
        if isinstance(part, Line):
            labels.keep_line_free([pen.at(point) for point in part.points_mm], 0.8)
        elif isinstance(part, Area):
            marks = [pen.at(point) for point in part.outline_mm]
            labels.keep_line_free([*marks, marks[0]], 0.3)
        elif not part.radius_mm:
            x, y = pen.at(part.at_mm)
            labels.keep_free([(x - 5, y - 5, x + 5, y + 5)], 1.5)


def _put_words(pen: _Pen, labels: Labels, shown: Picture) -> None:
    for part in shown.drawing:
        if not part.text:
            continue
        colour = PARTS[part.part][0]
        if isinstance(part, Spot):
            labels.put(pen.at(part.at_mm), part.text, colour, clear=max(part.radius_mm / pen.mm_per_unit, 4.0) + 4)
        elif isinstance(part, Line):
            labels.put(pen.at(_halfway(part.points_mm)), part.text, colour)
        else:
            middle = area_centre(np.array(part.outline_mm))
            labels.put(pen.at(middle), part.text, colour, centred=True)
    for troop in shown.troops:
        if troop.name and len(troop.bases):
            low = troop.bases.bounds()
            middle = (low[:, :2].min(axis=0) + low[:, 2:].max(axis=0)) / 2
            clear = float(low[:, 3].max() - low[:, 1].min()) / 2 / pen.mm_per_unit + 4
            labels.put(pen.at(middle), troop.name, _SIDES[troop.side], clear=clear)
    drawn = {part.text for part in shown.drawing}
    for piece in shown.ground:
        if piece.name and piece.name not in drawn:
            middle = area_centre(np.array(piece.outline_mm))
            labels.put(pen.at(middle), piece.name, _INK, italic=True, centred=True)


def _halfway(points: Sequence[Point]) -> Array:
    """The middle of a polyline, by its length."""
    way = np.array(points)
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))])
    middle = gone[-1] / 2
    return np.array([np.interp(middle, gone, way[:, 0]), np.interp(middle, gone, way[:, 1])])


def _words(word: Placed) -> str:
    style = ' font-style="italic"' if word.italic else ""
    return (
        f'<text x="{_n(word.x)}" y="{_n(word.y)}" text-anchor="middle" fill="{word.colour}"{style} {_HALO}>'
        f"{escape(word.words)}</text>"
    )


def _dash(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""
