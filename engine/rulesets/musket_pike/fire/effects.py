"""What changes a fire value or a strength in melee, and what it comes to with all of it (MP-162, MP-176, R3)."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any, Literal

from msgspec import Struct

from engine.records.answer import Modifier

__all__ = ["Combine", "Effect", "Effects", "factor_of", "percent_of", "share_of", "value_of"]

Combine = Literal["additive", "multiplicative"]

#: Percents and factors so near to nothing change nothing.
_NOTHING = 1e-12


class Effect(Struct, frozen=True, kw_only=True):
    """One effect and its row: percents of change, which are summed, or a factor.

    ``side``: whose strength in a melee it changes; ``unit``: which unit's alone, None for the whole side's.
    """

    name: str
    rule: str
    percent: float | None = None
    factor: float | None = None
    side: Literal["attack", "defence"] | None = None
    unit: str | None = None

    def modifier(self) -> Modifier:
        """The effect as an answer lists it."""
        text = f"{self.percent:+g} %" if self.factor is None else f"×{self.factor:g}"
        told: dict[str, Any] = {
            "factor": self.factor, "percent": self.percent, "side": self.side, "unit": self.unit,
        }  # fmt: skip
        extra = {key: value for key, value in told.items() if value is not None}
        return Modifier(name=self.name, effect=text, rule=self.rule, extra=extra)


class Effects:
    """Gathers the effects that hold; those that change nothing are left out."""

    def __init__(self, side: Literal["attack", "defence"] | None = None, unit: str | None = None) -> None:
        self._side, self._unit = side, unit
        self._found: list[Effect] = []

    def percent(self, holds: bool, percent: float, name: str, rule: str) -> None:
        """A change by percents, where it holds."""
        if holds and abs(percent) > _NOTHING:
            self._found.append(Effect(name=name, rule=rule, percent=percent, side=self._side, unit=self._unit))

    def factor(self, holds: bool, factor: float, name: str, rule: str) -> None:
        """A change by a factor, where it holds."""
        if holds and abs(factor - 1) > _NOTHING:
            self._found.append(Effect(name=name, rule=rule, factor=factor, side=self._side, unit=self._unit))

    @property
    def found(self) -> tuple[Effect, ...]:
        """The effects that hold, in the order in which they were looked at."""
        return tuple(self._found)


def percent_of(effects: Iterable[Effect]) -> float:
    """The sum of the percents."""
    return sum(effect.percent for effect in effects if effect.percent is not None)


def factor_of(effects: Iterable[Effect]) -> float:
    """The product of the factors."""
    return prod(effect.factor for effect in effects if effect.factor is not None)


def share_of(effects: Iterable[Effect], combine: Combine) -> float:
    """What the percents leave of a value: their sum never takes it below 0; or each is a factor of its own (R3).

    >>> plus, minus = (Effect(name="", rule="", percent=percent) for percent in (50.0, -20.0))
    >>> share_of([plus, minus], "additive"), round(share_of([plus, minus], "multiplicative"), 6)
    (1.3, 1.2)
    """
    percents = [effect.percent for effect in effects if effect.percent is not None]
    if combine == "additive":
        return max(0.0, 1 + sum(percents) / 100)
    return prod(max(0.0, 1 + percent / 100) for percent in percents)


def value_of(base: float, effects: Iterable[Effect], combine: Combine) -> float:
    """A value with all effects on it.

    >>> value_of(400, [Effect(name="", rule="", percent=25.0)], "additive")
    500.0
    """
    known = tuple(effects)
    return base * factor_of(known) * share_of(known, combine)
