"""Casualties: the combat result, what armour takes off it, and the men or guns that it comes to (MP-163 to MP-168,
MP-270 to MP-272)."""

from __future__ import annotations

from math import floor

from msgspec import Struct

from engine.play import Procedure
from engine.rulesets.musket_pike.draws import happens, likelihood, rounded, spread_rounded
from engine.spreads import merged

__all__ = [
    "Span", "after_armour", "guns_lost", "men_lost", "span", "spread_of_guns", "spread_of_men",
]  # fmt: skip

_EQUAL = 1e-9


class Span(Struct, frozen=True, kw_only=True):
    """The least and the most casualties that a combat value brings."""

    low: float
    high: float

    @property
    def mean(self) -> float:
        """What is expected: every value between the two is as likely (MP-270)."""
        return (self.low + self.high) / 2

    def times(self, factor: float) -> Span:
        """Both ends, scaled."""
        return Span(low=self.low * factor, high=self.high * factor)


def span(value: float, lcv: float, hcv: float) -> Span:
    """The combat result of a value: what the low and the high combat value, given for 1000, come to.

    >>> span(500, 5, 25)
    Span(low=2.5, high=12.5)
    """
    return Span(low=lcv * value / 1000, high=hcv * value / 1000)


def after_armour(armor: int) -> float:
    """The share of casualties that armour lets through: each point takes a tenth off (MP-164).

    >>> after_armour(2)
    0.8
    """
    return max(0, 10 - armor) / 10


def men_lost(value: float, strength: int, purpose: str, rule: str = "MP-271") -> Procedure[int]:
    """Men lost for a casualty value that is capped at the strength already."""
    return min((yield from rounded(value, purpose, rule)), strength)


def guns_lost(value: float, per_gun: float, strength: int, purpose: str) -> Procedure[int]:
    """Guns lost for a casualty value in men: one for each full ``per_gun``, one more by the chance of the rest."""
    guns = value / per_gun
    whole = floor(guns + _EQUAL)
    if whole >= strength:
        return strength
    more = yield from happens(max(0.0, guns - whole), purpose, "MP-165")
    return min(whole + more, strength)


def spread_of_men(value: float, strength: int) -> dict[int, float]:
    """The chance of each number that `men_lost` may come to."""
    return merged((min(men, strength), chance) for men, chance in spread_rounded(min(value, strength)).items())


def spread_of_guns(value: float, per_gun: float, strength: int) -> dict[int, float]:
    """The chance of each number that `guns_lost` may come to."""
    whole = floor(value / per_gun + _EQUAL)
    more = likelihood(max(0.0, value / per_gun - whole))
    return merged([(min(whole, strength), 1.0 - more), (min(whole + 1, strength), more)])
