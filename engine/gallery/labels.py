"""Words on a picture, each put where it covers least: not over bases, lines, other words, nor over the rim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

__all__ = ["Box", "Labels", "Placed"]

#: Left, top, right, bottom in the units of the picture, y down.
Box = tuple[float, float, float, float]

_LETTER = 6.5
_ABOVE, _BELOW = 11.0, 4.0
_OTHER_WORDS, _RIM = 6.0, 20.0
_FARTHER = 3.0


@dataclass(frozen=True)
class Placed:
    """Where words stand: the middle of their baseline, in units of the picture."""

    x: float
    y: float
    words: str
    colour: str
    italic: bool = False


@dataclass
class Labels:
    """The words of one picture of a width and a height, put down one after the other."""

    width: float
    height: float
    placed: list[Placed] = field(default_factory=list)
    _taken: list[tuple[Box, float]] = field(default_factory=list)

    def keep_free(self, boxes: Iterable[Box], weight: float = 1.0) -> None:
        """What words should not cover; the weight says how much it matters."""
        self._taken += [(box, weight) for box in boxes]

    def keep_line_free(self, points: Sequence[tuple[float, float]], weight: float = 1.0) -> None:
        """A polyline that words should not cover."""
        for (x, y), (x_end, y_end) in pairwise(points):
            steps = max(1, int(max(abs(x_end - x), abs(y_end - y)) / 5.0))
            for step in range(steps + 1):
                at = x + (x_end - x) * step / steps, y + (y_end - y) * step / steps
                self._taken.append(((at[0] - 2.5, at[1] - 2.5, at[0] + 2.5, at[1] + 2.5), weight))

    def put(
        self, at: tuple[float, float], words: str, colour: str, *, clear: float = 5.0, italic: bool = False,
        centred: bool = False,
    ) -> None:  # fmt: skip
        """Puts words beside a point, ``clear`` units off it, or on it where they are ``centred`` and it is free."""
        half = _LETTER * len(words) / 2
        places = [(0.0, (_ABOVE - _BELOW) / 2)] if centred else []
        for far in (clear, clear + 12.0, clear + 26.0):
            side, slant = far + half, 0.7 * far
            places += [
                (0.0, -far - _BELOW), (0.0, far + _ABOVE), (side, 4.0), (-side, 4.0),
                (half + slant, -slant - 2), (-half - slant, -slant - 2),
                (half + slant, slant + 9), (-half - slant, slant + 9),
            ]  # fmt: skip
        costs = [self._cost(_box(at, place, half)) + _FARTHER * number for number, place in enumerate(places)]
        best = min(range(len(places)), key=lambda number: round(costs[number], 3))
        x, y = at[0] + places[best][0], at[1] + places[best][1]
        x = min(max(x, half + 4), self.width - half - 4)
        y = min(max(y, _ABOVE + 4), self.height - _BELOW - 4)
        self.placed.append(Placed(x, y, words, colour, italic))
        self._taken.append((_box((x, y), (0.0, 0.0), half), _OTHER_WORDS))

    def _cost(self, box: Box) -> float:
        cost = sum(weight * _overlap(box, taken) for taken, weight in self._taken)
        within = _overlap(box, (3.0, 3.0, self.width - 3.0, self.height - 3.0))
        return cost + _RIM * ((box[2] - box[0]) * (box[3] - box[1]) - within)


def _box(at: tuple[float, float], shift: tuple[float, float], half: float) -> Box:
    x, y = at[0] + shift[0], at[1] + shift[1]
    return x - half, y - _ABOVE, x + half, y + _BELOW


def _overlap(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0
