"""Whom a unit disorders by coming into a hex (MP-50 to MP-52, MP-225)."""

from __future__ import annotations

from engine.play import Procedure, happen
from engine.records.game import Cell, Game
from engine.rulesets.musket_pike.changes import disordered
from engine.rulesets.musket_pike.movement.stacking import mixing
from engine.rulesets.musket_pike.table.board import board_of

__all__ = ["crowded", "run_through"]


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
