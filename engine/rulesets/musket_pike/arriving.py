"""What follows from a unit's coming into a hex or leaving one: objectives, crews, forsaken guns, disorder.

Rows MP-15, MP-50 to MP-52, MP-87, MP-88 and MP-225.
"""

from __future__ import annotations

from engine.events import Change, Event
from engine.play import Procedure, happen
from engine.records.game import Cell, Game
from engine.rulesets.musket_pike.board import Board, board_of
from engine.rulesets.musket_pike.changes import disordered, ground, state
from engine.rulesets.musket_pike.stacking import mixing
from engine.rulesets.musket_pike.vocabulary import ground_of

__all__ = ["crews_return", "crowded", "held_by", "left_behind", "run_through"]


def held_by(board: Board, cell: Cell, side: str) -> tuple[Change, ...]:
    """The objectives in a hex belong to the side that last stood there (MP-15)."""
    names = board.ground.objectives.get(cell, ())
    pieces = [piece for piece in board.game.terrain if piece.id in names and ground_of(piece).owner != side]
    return tuple(change for piece in pieces for change in ground(piece, owner=side))


def crews_return(game: Game, name: str) -> Procedure[Game]:
    """Foot that came into a hex bring the crews of their side's forsaken guns back (MP-88)."""
    board = board_of(game)
    troop = board.troops[name]
    if not troop.foot:
        return game
    for gun in board.at(troop.hex):
        if gun.gun and gun.state.uncrewed and gun.side == troop.side:
            changes = state(gun.id, uncrewed=False)
            game = yield from happen(Event(event="crewed", facts={"unit": gun.id}, changes=changes, rule="MP-88"))
    return game


def left_behind(game: Game, cell: Cell) -> Procedure[Game]:
    """Captured guns from which the last of their captors has gone stand forsaken again (MP-87)."""
    board = board_of(game)
    for gun in board.at(cell):
        captor = gun.state.captured_by
        if captor is None or any(other.unit.side == captor for other in board.at(cell)):
            continue
        changes = state(gun.id, captured_by=None, uncrewed=True)
        game = yield from happen(Event(event="uncrewed", facts={"unit": gun.id}, changes=changes, rule="MP-87"))
    return game


def run_through(game: Game, name: str) -> Procedure[Game]:
    """A routed unit disorders the others of its side in the hex that it has come into (MP-225)."""
    board = board_of(game)
    troop = board.troops[name]
    if not troop.state.routed:
        return game
    for friend in board.friends_at(troop.hex, troop.side):
        if friend.id != name:
            for event in disordered(friend, "MP-225"):
                game = yield from happen(event)
    return game


def crowded(game: Game, cell: Cell, side: str) -> Procedure[Game]:
    """Those whom the company in a hex disorders (MP-50 to MP-52)."""
    for troop, rule in mixing(board_of(game).friends_at(cell, side)):
        for event in disordered(board_of(game).troops[troop.id], rule):
            game = yield from happen(event)
    return game
