"""Options once told, kept from game to game for as long as everything that they are told from stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.sheet import Sheet

__all__ = ["Told"]

T = TypeVar("T")


class Told(Generic[T]):
    """The options of one kind (``what``) that a unit has at its targets.

    An option follows from the two units, from the terrain and the conditions, and from ``facts``: all else that it
    may depend on. One that was told for an earlier game is told again where none of that has changed.
    """

    def __init__(self, sheet: Sheet, what: str, unit: Unit) -> None:
        self._now: dict[tuple[str, str], tuple[object, T]] = sheet.memo((what, unit.id), dict, unit)
        self._old: dict[tuple[str, str], tuple[object, T]] = {}
        self._moved: frozenset[str] = frozenset()
        before = sheet.earlier((what, unit.id)) if sheet.owns(unit) else None
        moved = None if before is None else sheet.moved_since(before.game)
        if before is not None and moved is not None and unit.id not in moved:
            self._old, self._moved = before.value, moved

    def option(self, target: Unit, mode: str, facts: object, make: Callable[[], T]) -> T:
        """The option at one of the game's own units."""
        key = (target.id, mode)
        known = self._now.get(key)
        if known is None:
            known = self._old.get(key)
            if known is None or target.id in self._moved or known[0] != facts:
                known = (facts, make())
            self._now[key] = known
        return known[1]
