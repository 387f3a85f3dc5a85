"""The table as a sketch: terrain, bases with their fronts, names, and the ways that the units went."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.records.game import Figure, Game, Rect, Terrain, Unit
from engine.words.story import name_of
from webui.camera.cells import cells_view, grid_view
from webui.reporting.sketch import Circle, Line, Mark, Outlines, Point, Polygon, Sketch, Text

__all__ = ["COLOURS", "map_of", "ways_of"]

#: Side colours that the colour-blind tell apart; names carry the side's letter.
COLOURS = ("#9e2b25", "#1f4e8c", "#8a6d1a", "#5b3a75")

_MAT, _INK, _PAPER = "#dfe3cd", "#2a2218", "#f6f0e2"
_LINES = "#b3b39a"
_GROUNDS: Mapping[str, str] = {
    "woods": "#a9bd8c", "forest": "#a9bd8c", "orchard": "#bccb9f", "river": "#a9c4d4", "water": "#a9c4d4",
    "stream": "#a9c4d4", "pond": "#a9c4d4", "road": "#d3c29a", "building": "#b9a98a", "town": "#c9b998",
    "hill": "#cfcf9f", "marsh": "#b8c8b4",
}  # fmt: skip
_OTHER_GROUND = "#c5cba6"
#: A way that is shorter than this is none: the camera's small change.
_SHORTEST_MM = 8.0

Ways = Mapping[str, Sequence[Point]]


def map_of(game: Game, label: str, ways: Ways | None = None) -> Sketch:
    """The table as a game has it, in millimetres; ``ways`` are drawn under the bases, by unit."""
    size = game.table
    scale = size.width_mm / 1800.0
    colours = {side.name: COLOURS[place % len(COLOURS)] for place, side in enumerate(game.sides)}
    counters = _counters(game)
    shown = [(unit, unit.figures or counters.get(unit.id, ())) for unit in game.units]
    marks = [
        *(mark for piece in game.terrain for mark in _ground(piece)),
        *_cells(game, scale),
        *(mark for unit in game.units for mark in _way((ways or {}).get(unit.id, ()), colours[unit.side], scale)),
        *(mark for unit, bases in shown for base in bases for mark in _base(base, colours[unit.side])),
        *_names([(unit, bases) for unit, bases in shown if bases], scale),
    ]
    return Sketch(width=size.width_mm, height=size.depth_mm, label=label, ground=_MAT, marks=tuple(marks))


def ways_of(games: Iterable[Game]) -> dict[str, list[Point]]:
    """Where each unit's middle was, game after game; a place is written down when the unit has left the last."""
    ways: dict[str, list[Point]] = {}
    for game in games:
        counters = _counters(game)
        for unit in game.units:
            bases = unit.figures or counters.get(unit.id, ())
            if not bases:
                continue
            at = _middle(bases)
            way = ways.setdefault(unit.id, [])
            if not way or math.dist(way[-1], at) > _SHORTEST_MM:
                way.append(at)
    return ways


def _middle(bases: Sequence[Figure]) -> Point:
    return sum(one.x_mm for one in bases) / len(bases), sum(one.y_mm for one in bases) / len(bases)


def _counters(game: Game) -> dict[str, tuple[Figure, ...]]:
    """The units that are played without figures: a counter each, in the middle of its cell."""
    if game.table.grid is None or all(unit.figures for unit in game.units):
        return {}
    size = game.table.grid.size_mm
    base = Rect(width_mm=size * 0.56, depth_mm=size * 0.34)
    return {
        name: (Figure(id=name, base=base, **cells["counter"]),)
        for name, cells in cells_view(game).items()
        if cells.get("counter")
    }


def _cells(game: Game, scale: float) -> Iterator[Mark]:
    """The lines of the grid, over the ground and under whatever stands there."""
    grid = grid_view(game)
    if grid is not None:
        outlines = tuple(tuple((x, y) for x, y in cell["outline"]) for cell in grid["cells"])
        yield Outlines(outlines=outlines, stroke=_LINES, width=2.0 * scale)


def _ground(piece: Terrain) -> Iterator[Mark]:
    colour = _GROUNDS.get(piece.kind, _OTHER_GROUND)
    if piece.polygon_mm:
        yield Polygon(
            points=tuple((x, y) for x, y in piece.polygon_mm), fill=colour, stroke="#93896b", width=3.0,
            title=piece.kind,
        )  # fmt: skip
    elif piece.polyline_mm:
        yield Line(points=tuple((x, y) for x, y in piece.polyline_mm), stroke=colour, width=piece.width_mm or 10.0)


def _base(figure: Figure, colour: str) -> Iterator[Mark]:
    base, at = figure.base, (figure.x_mm, figure.y_mm)
    turn = math.radians(figure.bearing_deg or 0.0)
    ahead, aside = (math.sin(turn), math.cos(turn)), (math.cos(turn), -math.sin(turn))
    if isinstance(base, Rect):
        half = (base.width_mm / 2, base.depth_mm / 2)
        yield Polygon(
            points=tuple(
                (
                    at[0] + across * half[0] * aside[0] + along * half[1] * ahead[0],
                    at[1] + across * half[0] * aside[1] + along * half[1] * ahead[1],
                )
                for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ),
            fill=colour, stroke="#ffffff", width=2.0,
        )  # fmt: skip
        reach = half[1]
    else:
        yield Circle(at=at, radius=base.diameter_mm / 2, fill=colour, stroke="#ffffff", width=2.0)
        reach = base.diameter_mm / 2
    if figure.bearing_deg is not None:
        tip = (at[0] + ahead[0] * reach, at[1] + ahead[1] * reach)
        yield Line(points=(at, tip), stroke="#ffffff", width=4.0)


def _way(way: Sequence[Point], colour: str, scale: float) -> Iterator[Mark]:
    """A way with an arrow's head, and a ring where it began."""
    if len(way) < 2:
        return
    yield Circle(at=way[0], radius=9.0 * scale, fill=_PAPER, stroke=colour, width=4.0 * scale)
    yield Line(points=tuple(way), stroke=colour, width=6.0 * scale, dash=16.0 * scale)
    (x, y), before = way[-1], way[-2]
    along = math.atan2(y - before[1], x - before[0])
    barbs = tuple(
        (x - 30 * scale * math.cos(along + turn), y - 30 * scale * math.sin(along + turn)) for turn in (-0.45, 0.45)
    )
    yield Line(points=(barbs[0], (x, y), barbs[1]), stroke=colour, width=6.0 * scale)


def _names(shown: Sequence[tuple[Unit, Sequence[Figure]]], scale: float) -> Iterator[Text]:
    """A name for each unit, above it or below, clear of bases where it can be.

    One for which there is no room is left out: the log has it.
    """
    size = (32.0 if len(shown) <= 16 else 24.0) * scale
    stand = [(one.x_mm, one.y_mm, _reach_mm(one)) for _, bases in shown for one in bases]
    taken: list[tuple[float, float, float]] = []
    for unit, bases in shown:
        text = f"{unit.side[:1].upper()} · {name_of(unit)}"
        x, _ = _middle(bases)
        half = 0.3 * size * len(text)
        high = max(one.y_mm + _reach_mm(one) for one in bases)
        low = min(one.y_mm - _reach_mm(one) for one in bases) - size
        rows = (high + 0.3 * size, low, high + 1.5 * size, low - 1.2 * size)
        free = [
            y for y in rows
            if all(abs(x - there) > half + wide or abs(y - up) > 1.1 * size for there, up, wide in taken)
        ]  # fmt: skip
        if not free:
            continue
        y = min(free, key=lambda y: sum(_covers((x, y), half, size, base) for base in stand))
        taken.append((x, y, half))
        yield Text(at=(x, y), text=text, size=size, fill=_INK, halo=_MAT)


def _reach_mm(figure: Figure) -> float:
    """How far a base reaches from its middle, at most."""
    base = figure.base
    return math.hypot(base.width_mm, base.depth_mm) / 2 if isinstance(base, Rect) else base.diameter_mm / 2


def _covers(at: Point, half: float, size: float, base: tuple[float, float, float]) -> bool:
    """Whether a text whose baseline's middle is ``at`` lies on a base: its middle and reach."""
    x, y, reach = base
    return abs(x - at[0]) < half + reach and at[1] - 0.3 * size - reach < y < at[1] + size + reach
