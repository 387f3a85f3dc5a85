"""What follows from where units stand, whatever brought them there: objectives, crews, who is spotted."""

from __future__ import annotations

from collections.abc import Iterator

from engine.events import Event
from engine.geometry.grids.flat import steps_apart
from engine.play import Procedure, happen
from engine.records.game import Game
from engine.rulesets.musket_pike.changes import ground, state, turned_back
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.sight import sight_over
from engine.rulesets.musket_pike.table.troops import Troop
from engine.rulesets.musket_pike.vocabulary import ground_of

__all__ = ["spotted_by", "spotting", "upkeep"]

#: How near an enemy must be who spots a fixed unit (MP-65).
_NEAR = 9


def upkeep(game: Game) -> Procedure[Game]:
    """Objectives pass to who stands on them, guns lose and gain their crews (MP-15, MP-87, MP-88)."""
    board = board_of(game)
    for event in (*_objectives(board), *_crews(board)):
        game = yield from happen(event)
    return game


def _objectives(board: Board) -> Iterator[Event]:
    """The last side to stand on an objective owns it."""
    if not board.ground.objectives:
        return
    pieces = {piece.id: piece for piece in board.game.terrain}
    for cell, names in board.ground.objectives.items():
        sides = {troop.side for troop in board.at(cell)}
        for name in names:
            if len(sides) == 1 and ground_of(pieces[name]).owner not in sides:
                (owner,) = sides
                facts = {"objective": name, "hex": list(cell), "owner": owner}
                yield Event(event="objective", facts=facts, changes=ground(pieces[name], owner=owner), rule="MP-15")


def _crews(board: Board) -> Iterator[Event]:
    """Captured guns are forsaken when their captors have left; forsaken ones are manned by own infantry."""
    for gun in board.troops.values():
        if not gun.gun:
            continue
        company = [troop for troop in board.friends_at(gun.hex, gun.side) if troop.id != gun.id]
        if gun.state.captured_by is not None:
            if not any(troop.state.captured_by is None for troop in company):
                changes = (*state(gun.id, captured_by=None, uncrewed=True, taken_now=False), *turned_back(gun))
                yield Event(event="uncrewed", facts={"unit": gun.id}, changes=changes, rule="MP-87")
        elif gun.state.uncrewed and any(troop.foot for troop in company):
            yield Event(event="crewed", facts={"unit": gun.id}, changes=state(gun.id, uncrewed=False), rule="MP-88")


def spotting(game: Game) -> Procedure[Game]:
    """Fixed units that an enemy now sees from nearby are marked: they are free from their next turn on (MP-65)."""
    board = board_of(game)
    for troop in board.troops.values():
        if troop.state.fixed and not troop.state.spotted:
            enemy = spotted_by(board, troop)
            if enemy is not None:
                facts = {"unit": troop.id, "by": enemy.id}
                changes = state(troop.id, spotted=True)
                game = yield from happen(Event(event="spotted", facts=facts, changes=changes, rule="MP-65"))
    return game


def spotted_by(board: Board, troop: Troop) -> Troop | None:
    """An enemy within 9 hexes with line of sight to a unit, the first listed (MP-65)."""
    sight = sight_over(board)
    for enemy in board.enemies(troop.side):
        if steps_apart(enemy.hex, troop.hex) <= _NEAR and sight.line(enemy.hex, troop.hex).open:
            return enemy
    return None
