"""Who may share a hex, and who disorders whom there (MP-48 to MP-52, MP-225)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.records.game import Cell
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["crowd_bars", "formed_facing", "joined_facing", "mixing"]

Bar = tuple[str, str]
#: From how many on skirmishers disorder everybody in a hex of riders (MP-52).
_MANY_SKIRMISHERS = 200


def crowd_bars(board: Board, newcomers: Sequence[Troop], cell: Cell) -> Iterator[Bar]:
    """Why units may not join those of their side in a hex: too many men or units, wagons, nations (MP-48)."""
    there = [troop for troop in board.friends_at(cell, newcomers[0].side) if troop not in newcomers]
    counted = [troop for troop in newcomers if troop.fights]
    if counted:
        parameters = board.parameters
        together = [troop for troop in there if troop.fights] + counted
        men = sum(troop.men for troop in together)
        if men > parameters.max_stacking + 1e-9:
            yield f"{men:g} men in {list(cell)}, at most {parameters.max_stacking:g}", "MP-48"
        if len(together) > parameters.max_units:
            yield f"{len(together)} units in {list(cell)}, at most {parameters.max_units}", "MP-48"
    if sum(troop.wagon for troop in (*there, *newcomers)) > 1 and any(troop.wagon for troop in newcomers):
        yield f"two supply wagons in {list(cell)}", "MP-48"
    nations = {troop.nation for troop in (*there, *newcomers) if troop.state.captured_by is None}
    if len(nations) > 1:
        yield f"{' and '.join(sorted(nations))} do not share a hex", "MP-48"


def joined_facing(board: Board, troop: Troop, cell: Cell) -> int | None:
    """The facing that a line takes over from lines in the hex that it enters, a block from blocks (MP-49)."""
    if not (troop.line or troop.block):
        return None
    for other in board.friends_at(cell, troop.side):
        if other.id != troop.id and ((troop.line and other.line) or (troop.block and other.block)):
            return other.facing
    return None


def formed_facing(board: Board, troop: Troop, formed: Sequence[str]) -> int | None:
    """The facing that a line or block takes where it formed: that of those who stood so before, else of the top
    one of those that formed together; None: it is alone, or none of these (MP-49)."""
    if not (troop.line or troop.block):
        return None
    alike = [
        other
        for other in board.friends_at(troop.hex, troop.side)
        if (troop.line and other.line) or (troop.block and other.block)
    ]
    before = [other for other in alike if other.id not in formed]
    return (before or alike)[0].facing


def mixing(together: Sequence[Troop]) -> Iterator[tuple[Troop, str]]:
    """Of units of one side in a hex those who are disordered by their company, each with the row."""
    if len(together) < 2:
        return
    if any(troop.line for troop in together) and any(troop.column for troop in together):
        yield from ((troop, "MP-50") for troop in together if troop.line or troop.column)
    if not any(troop.horse for troop in together):
        return
    formed = [troop for troop in together if troop.foot and not troop.skirmisher]
    if formed:
        yield from ((troop, "MP-51") for troop in together if troop.horse or troop in formed)
    light = [troop for troop in together if troop.skirmisher]
    if light:
        many = sum(troop.strength for troop in light) >= _MANY_SKIRMISHERS
        yield from ((troop, "MP-52") for troop in (together if many else light))
