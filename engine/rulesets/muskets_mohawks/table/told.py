"""Options once told, kept from game to game for as long as everything that they are told from stays as it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.table.sheet import Sheet

__all__ = ["Told", "told_of_each"]

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


@dataclass(frozen=True, eq=False)
class _Row(Generic[T]):
    """What was told of each target, of which facts."""

    facts: Mapping[str, object]
    about: object
    told: Mapping[str, T]


def told_of_each(
    sheet: Sheet, what: str, unit: Unit, facts: Mapping[str, object], about: object, make: Callable[[str], T]
) -> Mapping[str, T]:
    """As `Told.option` for all targets of a unit at once, by their ids.

    ``facts`` are those of each target, ``about`` is what all depend on besides.
    """
    return sheet.memo((what, unit.id), lambda: _row(sheet, what, unit, facts, about, make), unit).told


def _row(
    sheet: Sheet, what: str, unit: Unit, facts: Mapping[str, object], about: object, make: Callable[[str], T]
) -> _Row[T]:
    before = sheet.earlier((what, unit.id)) if sheet.owns(unit) else None
    moved = None if before is None else sheet.moved_since(before.game)
    if before is None or moved is None or unit.id in moved or before.value.about != about:
        return _Row(facts, about, {name: make(name) for name in facts})
    old: _Row[T] = before.value
    then, told = old.facts, old.told
    return _Row(
        facts, about,
        {
            name: told[name]
            if name in then and name not in moved and (then[name] is now or then[name] == now)
            else make(name)
            for name, now in facts.items()
        },
    )  # fmt: skip
