"""Charts as sketches: lines over the entries of a game, a step at each, the turns marked below."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from webui.reporting.maps import COLOURS
from webui.reporting.sketch import Line, Mark, Sketch, Text

__all__ = ["chart_of"]

_WIDTH, _HEIGHT = 900.0, 300.0
_LEFT, _RIGHT, _LOW, _HIGH = 56.0, 130.0, 40.0, 16.0
_TURN_WIDE = 34.0  # that a turn's name takes, with room about it
_INK, _FAINT = "#4a4032", "#d8ccb2"
#: Sides are told apart by more than their colour.
_DASHES = (0.0, 12.0, 4.0, 20.0)

Point = tuple[float, float]


def chart_of(
    label: str, turns: Sequence[int], lines: Mapping[str, Sequence[float]], *, whole: bool = True
) -> Sketch:
    """A line for each name, with a value at each entry; ``turns`` is the turn of each entry.

    The axis begins at 0 unless values lie below; ``whole`` labels it with whole numbers.
    """
    values = [value for line in lines.values() for value in line] or [0.0]
    low, high = min(0.0, *values), max(1.0 if whole else 0.5, *values)
    step = _step((high - low) / 4, whole=whole)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step

    def across(place: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * place / max(1, len(turns) - 1)

    def up(value: float) -> float:
        return _LOW + (_HEIGHT - _LOW - _HIGH) * (value - low) / (high - low)

    marks: list[Mark] = []
    for number in range(round((high - low) / step) + 1):
        value = low + number * step
        marks.append(Line(points=((_LEFT, up(value)), (_WIDTH - _RIGHT, up(value))), stroke=_FAINT, width=1.5))
        text = f"{value:.0f}" if step >= 1 else f"{value:+.1f}" if low < 0 else f"{value:.1f}"
        marks.append(Text(at=(_LEFT - 8, up(value) - 6), text=text, size=17.0, anchor="end", fill=_INK))
    named_to = -math.inf  # where the last turn's name ends
    for place, turn in enumerate(turns):
        if place == 0 or turns[place - 1] != turn:
            x = across(place)
            marks.append(Line(points=((x, _LOW), (x, _HEIGHT - _HIGH)), stroke=_FAINT, width=1.5, dash=5.0))
            if x - _TURN_WIDE / 2 > named_to:
                marks.append(Text(at=(x, 14), text=f"T{turn}", size=17.0, fill=_INK))
                named_to = x + _TURN_WIDE / 2
    ends: list[float] = []
    for place, (name, line) in enumerate(lines.items()):
        marks += _drawn(name, [(across(at), up(value)) for at, value in enumerate(line)], place, ends)
    return Sketch(width=_WIDTH, height=_HEIGHT, label=label, ground="#fbf7ec", marks=tuple(marks))


def _drawn(name: str, points: Sequence[Point], place: int, ends: list[float]) -> Iterator[Mark]:
    """A stepped line, its name at its end, clear of the names that stand there already."""
    if not points:
        return
    stepped = [points[0]]
    for x, y in points[1:]:
        stepped += [(x, stepped[-1][1]), (x, y)]
    colour = COLOURS[place % len(COLOURS)]
    yield Line(points=tuple(stepped), stroke=colour, width=4.0, dash=_DASHES[place % len(_DASHES)])
    aside = (0, -21, 21, -42, 42, -63, 63)
    places = [points[-1][1] + off for off in aside if 20 < points[-1][1] + off < _HEIGHT - 10]
    y = next((one for one in places if all(abs(one - other) >= 20 for other in ends)), points[-1][1])
    ends.append(y)
    yield Text(at=(_WIDTH - _RIGHT + 10, y - 6), text=name, size=18.0, anchor="start", fill=colour)


def _step(rough: float, *, whole: bool) -> float:
    """A round number near a fourth of the axis."""
    power = 10.0 ** math.floor(math.log10(max(rough, 1e-6)))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return max(1.0, step) if whole else step
