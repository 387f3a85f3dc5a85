"""How the sides held: their strength and their order, entry by entry. The ruleset's wording tells what counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine.events import fold
from engine.keeping.entries import events_on
from engine.keeping.entry import Entry
from engine.records.game import Game, Unit
from engine.rulesets.base.ruleset import Counted

__all__ = ["Moment", "in_order", "moments_of", "strength_of"]


class Moment(Struct, frozen=True, kw_only=True):
    """A game after an entry: each side's strength, and how many of its units that are left are in good order."""

    number: int
    turn: int
    game: Game
    strength: dict[str, int]
    units: dict[str, int]
    steady: dict[str, int]


def moments_of(standing: Sequence[Entry], counted: Counted) -> Iterator[Moment]:
    """The moments after each of the entries that stand, in order."""
    game: Game | None = None
    for entry in standing:
        game = fold(events_on(entry, game), game)
        strength, units, steady = ({side.name: 0 for side in game.sides} for _ in range(3))
        for unit in game.units:
            left = strength_of(unit, counted)
            strength[unit.side] += left
            units[unit.side] += left > 0
            steady[unit.side] += left > 0 and in_order(unit, counted)
        yield Moment(
            number=entry.number, turn=game.turn.number, game=game, strength=strength, units=units, steady=steady
        )


def strength_of(unit: Unit, counted: Counted) -> int:
    """What is left of a unit, in what its rules count: figures, men, or itself."""
    if any(_holds(unit, word) for word in counted.gone):
        return 0
    if counted.strength == "figures":
        return len(unit.figures)
    return 1 if counted.strength == "units" else int(unit.stats.get(counted.strength, 0))


def in_order(unit: Unit, counted: Counted) -> bool:
    """Whether nothing that shakes a unit holds for it."""
    return not any(_holds(unit, word) for word in counted.shaken)


def _holds(unit: Unit, word: str) -> bool:
    """Whether a word such as ``routed`` or ``morale=panicked`` is true of a unit's state."""
    key, _, value = word.partition("=")
    found = unit.state.get(key)
    return str(found) == value if value else bool(found)
