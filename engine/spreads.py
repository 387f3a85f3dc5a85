"""Spreads: all that something can come to, and the chance of each, as plain mappings whose chances add up to one.

`engine.odds` walks every way of a procedure's dice, of whatever rules, in fractions. Where that takes too long a
ruleset folds spreads into each other instead, in floating point: equal to it but for the last digits of a double.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache
from math import comb
from typing import TypeVar

from engine.dice import faces, succeeds

__all__ = ["chance_of", "merged", "passes", "reaching", "read_as"]

K = TypeVar("K", bound=Hashable)
L = TypeVar("L", bound=Hashable)


@cache
def chance_of(success: str, die: str = "d6") -> float:
    """The chance that one die succeeds.

    >>> chance_of("<=2") == 1 / 3
    True
    """
    shown = faces(die)
    return sum(succeeds(success, score) for score in shown) / len(shown)


@cache
def passes(count: int, chance: float) -> tuple[float, ...]:
    """The chance of each number of passes, from 0 to ``count``, of so many dice of that chance.

    >>> passes(2, 0.5)
    (0.25, 0.5, 0.25)
    """
    count = max(0, count)
    return tuple(
        comb(count, passed) * chance**passed * (1 - chance) ** (count - passed) for passed in range(count + 1)
    )


@cache
def reaching(count: int, cut: int, die: str = "d6") -> float:
    """The chance that the total of so many dice is ``cut`` or more.

    >>> reaching(2, 11) == 3 / 36
    True
    """
    ways = {0: 1}
    for _ in range(count):
        further: dict[int, int] = {}
        for total, number in ways.items():
            for score in faces(die):
                further[total + score] = further.get(total + score, 0) + number
        ways = further
    good = sum(number for total, number in ways.items() if total >= cut)
    return good / float(len(faces(die)) ** count)


def merged(parts: Iterable[tuple[K, float]]) -> dict[K, float]:
    """Outcomes with their chances, equal ones as one; those that cannot be are left out.

    >>> merged([("a", 0.5), ("b", 0.25), ("a", 0.25), ("c", 0.0)])
    {'a': 0.75, 'b': 0.25}
    """
    found: dict[K, float] = {}
    for outcome, chance in parts:
        if chance > 0.0:
            found[outcome] = found.get(outcome, 0.0) + chance
    return found


def read_as(spread: Mapping[K, float], reading: Callable[[K], L]) -> dict[L, float]:
    """The spread of what is read off each outcome."""
    return merged((reading(outcome), chance) for outcome, chance in spread.items())
