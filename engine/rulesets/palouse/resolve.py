"""How many hits a unit bears before it is eliminated, with every part of it (PA-50 to PA-56)."""

from __future__ import annotations

from msgspec import Struct

from engine.records.answer import Modifier
from engine.records.game import Unit
from engine.rulesets.palouse.board import Board
from engine.rulesets.palouse.vocabulary import state_of, stats_of

__all__ = ["Resolve", "resolve_of"]


class Resolve(Struct, frozen=True, kw_only=True):
    """A unit's resolve: its value, the hits that it has, and what makes up the value."""

    value: int
    hits: int
    modifiers: tuple[Modifier, ...]

    @property
    def over(self) -> bool:
        """Whether the unit has more hits than it bears (PA-50)."""
        return self.hits > self.value


def resolve_of(board: Board, unit: Unit) -> Resolve:
    """The resolve of a unit on the table, where it now stands (PA-56)."""
    table, kind = board.book.resolve, board.kind(unit)
    found = []
    covered = _cover(board, unit)
    if covered is not None:
        found.append(_plus(f"cover ({covered[0]})", table.cover, covered[1]))
    if kind.steadied and _steady_ground(board, unit) and board.near_commander(unit):
        found.append(_plus("within a bound of the commander", table.commander, "PA-54"))
    if kind.picked or stats_of(unit).veteran:
        name = unit.type if kind.picked else "veteran"
        found.append(_plus(name, table.picked, "PA-55"))
    value = table.base + sum(part.extra["value"] for part in found)
    return Resolve(value=value, hits=state_of(unit).hits, modifiers=tuple(found))


def _cover(board: Board, unit: Unit) -> tuple[str, str] | None:
    """The kind of ground that covers a unit, and the row; one of them counts (R13)."""
    kind = board.kind(unit)
    few = board.conditions.options.cover_units == "infantry-and-skirmishers"
    for name in sorted(board.kinds_at(board.stands[unit.id].cell)):
        ground = board.book.kinds[name]
        if ground.shelter and (not few or kind.close_order or kind.skulks):
            return name, "PA-53"
        if ground.skulking and kind.skulks:
            return name, "PA-52"
    return None


def _steady_ground(board: Board, unit: Unit) -> bool:
    """Whether the commander's presence tells there: in the open, a town or a fortification (PA-54)."""
    grounds = board.ground_at(board.stands[unit.id].cell)
    return any(ground.steady for ground in grounds) or not any(ground.hinders for ground in grounds)


def _plus(name: str, value: int, rule: str) -> Modifier:
    return Modifier(name=name, effect=f"{value:+d}", rule=rule, extra={"value": value})
