"""The draws of the battle: two percentile dice for every real number, one d6 for tests (section 18, R8).

Two percentile dice that show s, 00 being 0, stand for the share (s + 0.5) / 100. No die is asked for where the
outcome is certain.
"""

from __future__ import annotations

from functools import cache
from math import ceil, floor

from engine.dice import Roll
from engine.play import Procedure, roll
from engine.spreads import merged

__all__ = ["between", "d6", "half_up", "happens", "likelihood", "rounded", "spread_between", "spread_rounded"]

#: Chances and fractions so near to none or to one count as such: sums of percents that are equal on paper.
_EQUAL = 1e-9
_FACES = 100


def between(low: float, high: float, purpose: str, rule: str, times: int = 1) -> Procedure[float]:
    """A value drawn evenly between two, or the mean of several; no die where they are equal (MP-270, MP-272)."""
    if high - low <= _EQUAL:
        return low
    total = 0.0
    for _ in range(times):
        drawn = yield from roll(Roll(purpose=purpose, count=1, die="d100", each=True, rule=rule))
        total += low + (high - low) * drawn.value
    return total / times


def happens(chance: float, purpose: str, rule: str) -> Procedure[bool]:
    """Whether something of that chance comes about; certain things ask for no die."""
    if chance <= _EQUAL or chance >= 1 - _EQUAL:
        return chance > 0.5
    passing = _passing(chance)
    drawn = yield from roll(Roll(purpose=purpose, count=1, die="d100", success=f"<{passing}", rule=rule))
    return drawn.passed > 0


def _passing(chance: float) -> int:
    """How many scores of the dice have a share below a chance: (score + 0.5) / 100 < chance."""
    return min(max(ceil(chance * _FACES - 0.5 - _EQUAL), 0), _FACES)


def likelihood(chance: float) -> float:
    """How likely percentile dice are to bring about what has a chance: as `happens` reads them."""
    if chance <= _EQUAL or chance >= 1 - _EQUAL:
        return float(chance > 0.5)
    return _passing(chance) / _FACES


@cache
def shares(times: int) -> tuple[tuple[float, float], ...]:
    """Every share that the mean of so many draws can come to, and its chance.

    >>> len(shares(1)), shares(1)[0], len(shares(2))
    (100, (0.005, 0.01), 199)
    """
    ways = {0: 1.0}
    for _ in range(times):
        ways = merged((score + total, number) for total, number in ways.items() for score in range(_FACES))
    return tuple(((total + 0.5 * times) / _FACES / times, number / _FACES**times) for total, number in ways.items())


def spread_between(low: float, high: float, times: int = 1) -> dict[float, float]:
    """The chance of each value that `between` may draw."""
    if high - low <= _EQUAL:
        return {low: 1.0}
    return {low + (high - low) * share: chance for share, chance in shares(times)}


def rounded(value: float, purpose: str, rule: str) -> Procedure[int]:
    """A value as a whole number: up with the chance of its fraction, else down (MP-271)."""
    whole = floor(value + _EQUAL)
    up = yield from happens(max(0.0, value - whole), purpose, rule)
    return whole + up


def spread_rounded(value: float) -> dict[int, float]:
    """The chance of each whole number that `rounded` may make of a value."""
    whole = floor(value + _EQUAL)
    up = likelihood(max(0.0, value - whole))
    return dict(merged([(whole, 1.0 - up), (whole + 1, up)]))


def d6(purpose: str, rule: str) -> Procedure[int]:
    """The score of one die."""
    drawn = yield from roll(Roll(purpose=purpose, count=1, each=True, rule=rule))
    return drawn.total


def half_up(value: float) -> int:
    """A value of 0 or more to the nearest whole number, halves up.

    >>> half_up(2.5), half_up(2.49)
    (3, 2)
    """
    return floor(value + 0.5 + _EQUAL)
