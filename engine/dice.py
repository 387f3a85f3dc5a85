"""Dice as requests: a procedure asks for a `Roll`; whoever runs it brings the scores.

Three callers bring them: `TypedDice` (what the real dice show), `SeededDice` (the program's own) and
`engine.odds` (every outcome). Dice are ``dN``, 1 to N, but for ``d100``, which is 0 to 99.
"""

from __future__ import annotations

import operator
import random
import re
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol

from msgspec import Struct

from engine.errors import DiceError

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_SUCCESS = re.compile(r"(==|<=|>=|<|>)(-?\d+)")


def faces(die: str) -> range:
    """The scores that a die can show. Raises DiceError where it is no die.

    >>> list(faces("d6"))
    [1, 2, 3, 4, 5, 6]
    """
    if not re.fullmatch(r"d[1-9]\d{0,3}", die):
        raise DiceError(f"{die!r}: expected a die such as d6")
    return range(100) if die == "d100" else range(1, int(die[1:]) + 1)


def succeeds(success: str, score: int) -> bool:
    """Whether one die's score succeeds: ``==1``, ``<=4``, ``>=9``. Raises DiceError where that cannot be read."""
    found = _SUCCESS.fullmatch(success)
    if found is None:
        raise DiceError(f"{success!r}: expected a comparison such as ==1 or <=4")
    return _COMPARE[found[1]](score, int(found[2]))


class Roll(Struct, frozen=True, kw_only=True):
    """A request: how many of which die, what for, and how the scores are read.

    With ``success`` each die is compared and only the passes may be read; without, only the total may be read,
    unless ``each`` says that the procedure reads every die by itself (`engine.odds` relies on it). ``also`` is a
    second comparison of each die, of which the passes may be read beside those of ``success`` (a natural 12).
    ``rule`` is the row that asks for the roll. ``so_far``, where it is given, is all that the outcome counted by
    the chances still needs of what came before this roll: ways that lead here with an equal one go on as one.
    Of a total only which of ``cuts`` it reaches matters to what follows, where they are given.
    """

    purpose: str
    count: int
    die: str = "d6"
    success: str | None = None
    also: str | None = None
    each: bool = False
    rule: str | None = None
    so_far: Hashable = None
    cuts: tuple[int, ...] = ()


class Rolled(Struct, frozen=True, kw_only=True):
    """A roll and what the dice showed."""

    roll: Roll
    scores: tuple[int, ...]

    @property
    def passed(self) -> int:
        """How many dice succeeded; 0 where the scores are added."""
        success = self.roll.success
        return 0 if success is None else sum(succeeds(success, score) for score in self.scores)

    @property
    def also_passed(self) -> int:
        """How many dice pass the second comparison; 0 where there is none."""
        also = self.roll.also
        return 0 if also is None else sum(succeeds(also, score) for score in self.scores)

    @property
    def total(self) -> int:
        """The sum of the scores."""
        return sum(self.scores)

    @property
    def value(self) -> float:
        """What a single die came to: its score, of two percentile dice the share of one that they stand for.

        >>> Rolled(roll=Roll(purpose="", count=1, die="d100"), scores=(33,)).value
        0.335
        """
        (score,) = self.scores
        return (score + 0.5) / 100 if self.roll.die == "d100" else score

    def to_builtins(self) -> dict[str, Any]:
        """The roll as ``vedette-result/1`` writes it; ``passed`` only where dice are compared."""
        built: dict[str, Any] = {"for": self.roll.purpose, "die": self.roll.die, "scores": list(self.scores)}
        if self.roll.success is not None:
            built |= {"success": self.roll.success, "passed": self.passed}
        built["total"] = self.total
        if len(self.scores) == 1:
            built["value"] = self.value
        if self.roll.each:
            built["each"] = True
        if self.roll.rule is not None:
            built["rule"] = self.roll.rule
        return built


class DiceSource(Protocol):
    """Whatever brings the scores for a roll."""

    def scores(self, roll: Roll) -> Sequence[int]:
        """The scores, ``roll.count`` of them. Raises DiceError."""
        ...


class TooFewDice(DiceError):
    """The list of typed dice ended before a roll; ``roll`` is the one that went without."""

    def __init__(self, roll: Roll, left: int) -> None:
        super().__init__(
            f"{roll.purpose}: expected {roll.count}{roll.die}, but {left or 'none'} "
            f"{'is' if left == 1 else 'are'} left in the list of dice"
        )
        self.roll = roll


class TypedDice:
    """The scores that the players typed, in order."""

    def __init__(self, scores: Sequence[int]) -> None:
        self._left = list(scores)

    def scores(self, roll: Roll) -> tuple[int, ...]:
        """The next scores of the list. Raises TooFewDice, or DiceError for a score that the die cannot show."""
        if len(self._left) < roll.count:
            raise TooFewDice(roll, len(self._left))
        taken, self._left = self._left[: roll.count], self._left[roll.count :]
        possible = faces(roll.die)
        for score in taken:
            if score not in possible:
                raise DiceError(
                    f"{roll.purpose}: a {roll.die} cannot show {score}; expected {possible[0]} to {possible[-1]}"
                )
        return tuple(taken)

    def finish(self, last: str) -> None:
        """Says that no more rolls follow ``last``. Raises DiceError where typed scores are left over."""
        if self._left:
            left = " ".join(map(str, self._left))
            raise DiceError(f"{last}: no more dice are asked for after this, but these are left over: {left}")


class SeededDice:
    """The program's own dice: the same seed gives the same scores."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def scores(self, roll: Roll) -> tuple[int, ...]:
        """Random scores."""
        possible = faces(roll.die)
        return tuple(self._random.choice(possible) for _ in range(roll.count))


def parse_dice(text: str) -> tuple[int, ...]:
    """The scores in a text such as ``4 2 6`` or ``4,2,6``; an empty text is no dice. Raises DiceError."""
    parts = [part for part in re.split(r"[\s,]+", text.strip()) if part]
    for part in parts:
        if not re.fullmatch(r"\d{1,4}", part):
            raise DiceError(f"dice: expected whole numbers such as '4 2 6', got {part!r}")
    return tuple(int(part) for part in parts)
