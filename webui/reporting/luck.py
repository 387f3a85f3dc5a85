"""The luck of the dice: what each side rolled against what was to be expected, with the spread."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from engine.dice import Rolled, faces, succeeds
from engine.keeping.entry import Entry
from engine.records.game import Game

__all__ = ["Luck", "lucks_of", "rolled_by"]


class Luck(Struct, frozen=True, kw_only=True):
    """The dice of a side: those that had to show something (``tests``), and those that were added up (``sums``).

    ``passed`` of the tested dice succeeded where ``expected`` were to be expected, give or take ``spread`` (one
    standard deviation); ``total`` of the added ones where ``total_expected`` was, give or take ``total_spread``.
    ``course`` is how far ahead of the expectation the side was after each of its rolls of tested dice, with the
    number of the entry.
    """

    side: str
    dice: int
    tests: int
    passed: int
    expected: float
    spread: float
    sums: int
    total: int
    total_expected: float
    total_spread: float
    course: tuple[tuple[int, float], ...]

    @property
    def words(self) -> str:
        """How lucky that was.

        >>> even = dict(side="a", dice=6, tests=6, expected=1.0, sums=0, total=0, total_expected=0, total_spread=0)
        >>> [Luck(**even, passed=n, spread=0.9, course=()).words for n in (0, 1, 4)]
        ['unlucky', 'as was to be expected', 'very lucky']
        """
        if not self.tests or not self.spread:
            return "too few dice to say"
        ahead = (self.passed - self.expected) / self.spread
        lean = "lucky" if ahead > 0 else "unlucky"
        return "as was to be expected" if abs(ahead) < 1 else f"very {lean}" if abs(ahead) >= 2 else lean


def lucks_of(entries: Iterable[Entry], game: Game) -> tuple[Luck, ...]:
    """The luck of each side of the game that these entries are of."""
    thrown = [(entry, rolled) for entry in entries for rolled in entry.rolls]
    return tuple(
        _luck(side.name, [(entry.number, one) for entry, one in thrown if rolled_by(one, entry, game) == side.name])
        for side in game.sides
    )


def rolled_by(rolled: Rolled, entry: Entry, game: Game) -> str | None:
    """Whose roll it was: of the unit that its purpose names first, else of the acting unit, else whose turn."""
    acting = None if entry.action is None else entry.action.unit
    sides = {unit.id: unit.side for unit in game.units}
    named = (sides[word] for word in re.findall(r"[\w-]+", rolled.roll.purpose) if word in sides)
    return next(named, sides.get(acting or "", entry.side))


def _luck(side: str, thrown: Sequence[tuple[int, Rolled]]) -> Luck:
    tested = [(number, one) for number, one in thrown if one.roll.success is not None]
    summed = [one for _, one in thrown if one.roll.success is None]
    chances = [(len(one.scores), _chance(one)) for _, one in tested]
    moments = [(len(one.scores), *_moments(one.roll.die)) for one in summed]
    return Luck(
        side=side,
        dice=sum(len(one.scores) for _, one in thrown),
        tests=sum(count for count, _ in chances),
        passed=sum(one.passed for _, one in tested),
        expected=sum(count * chance for count, chance in chances),
        spread=math.sqrt(sum(count * chance * (1 - chance) for count, chance in chances)),
        sums=sum(count for count, _, _ in moments),
        total=sum(one.total for one in summed),
        total_expected=sum(count * mean for count, mean, _ in moments),
        total_spread=math.sqrt(sum(count * variance for count, _, variance in moments)),
        course=tuple(_course(tested)),
    )


def _course(tested: Sequence[tuple[int, Rolled]]) -> Iterator[tuple[int, float]]:
    ahead = 0.0
    for number, one in tested:
        ahead += one.passed - len(one.scores) * _chance(one)
        yield number, ahead


def _chance(rolled: Rolled) -> float:
    """The chance that one die of a roll succeeds."""
    scores = faces(rolled.roll.die)
    return sum(succeeds(rolled.roll.success or "", score) for score in scores) / len(scores)


def _moments(die: str) -> tuple[float, float]:
    """The mean and the variance of one die's score."""
    scores = faces(die)
    mean = sum(scores) / len(scores)
    return mean, sum((score - mean) ** 2 for score in scores) / len(scores)
