"""The losers of a melee leave their hex, and the winners enter it (MP-89, MP-171, MP-202, MP-203)."""

from __future__ import annotations

from engine.events import Event
from engine.play import Procedure, happen
from engine.records.game import Cell, Game
from engine.rulesets.musket_pike.changes import (
    captured_leader,
    captured_wagon,
    left_work,
    placed_at,
    state,
    taken,
    turned_back,
)
from engine.rulesets.musket_pike.losses.harm import eliminate
from engine.rulesets.musket_pike.melee.assault import Assault
from engine.rulesets.musket_pike.melee.retreats import Room, retreat_hex, room_in, stays_with_guns
from engine.rulesets.musket_pike.movement.arriving import crowded, run_through
from engine.rulesets.musket_pike.table.board import board_of
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["advance", "displace", "fall_back"]


def displace(game: Game, assault: Assault, *, named: Cell | None, follows: bool) -> Procedure[Game]:
    """Cavalry makes way for a block without a fight; it stays where it finds no room (MP-171)."""
    direction = assault.direction(assault.attackers[0]) or 0
    first: Cell | None = None
    for troop in assault.fighters:
        found = retreat_hex(board_of(game), troop, direction, named, first)
        if found is None:
            return game
        first = first or found[0]
        game = yield from happen(Event(event="displaced", facts={"unit": troop.id}, rule="MP-171"))
        game = yield from _go(game, troop.id, found, "MP-171")
    game = yield from _followers(game, assault, first)
    return (yield from advance(game, assault)) if follows else game


def fall_back(
    game: Game, assault: Assault, named: Cell | None, *, enters: bool
) -> Procedure[tuple[Game, bool]]:  # fmt: skip
    """The losers retreat; the game after it, and whether their hex is free to be entered."""
    if assault.board.ground.kind(assault.cell) == "chateau":
        return game, False
    direction = assault.direction(assault.attackers[0]) or 0
    options, first, emptied = assault.board.options, None, True
    for troop in assault.fighters:
        if troop.id not in board_of(game).troops or stays_with_guns(troop):
            continue
        found = retreat_hex(board_of(game), board_of(game).troops[troop.id], direction, named, first)
        if found is not None:
            first = first or found[0]
            game = yield from _go(game, troop.id, found, "MP-202")
        elif options.no_melee_eliminations or options.partial_retreats:
            emptied = False
        else:
            game = yield from eliminate(game, troop.id, "MP-202")
    if emptied:
        game = yield from _followers(game, assault, first)
        game = yield from _forsaken(game, assault, enters=enters)
    return game, emptied


def _go(game: Game, name: str, found: tuple[Cell, Room], rule: str) -> Procedure[Game]:
    """A unit goes to a hex, over light enemies there if it must."""
    cell, room = found
    board = board_of(game)
    troop = board.troops[name]
    if room is Room.OVER:
        for enemy in board.enemies_at(cell, troop.side):
            game = yield from eliminate(game, enemy.id, "MP-202")
    facts = {"unit": name, "to": list(cell)}
    changes = (*placed_at(board, troop.unit, cell), *left_work(troop))
    game = yield from happen(Event(event="retreat", facts=facts, changes=changes, rule=rule))
    game = yield from run_through(game, name)
    return (yield from crowded(game, cell, troop.side))


def _followers(game: Game, assault: Assault, first: Cell | None) -> Procedure[Game]:
    """Leaders and wagons go with the units of their hex, where there is room for them (MP-89)."""
    for troop in assault.defenders:
        if troop.fights or first is None:
            continue
        if room_in(board_of(game), troop, first) is Room.FREE:
            game = yield from _go(game, troop.id, (first, Room.FREE), "MP-89")
    return game


def _forsaken(game: Game, assault: Assault, *, enters: bool) -> Procedure[Game]:
    """Guns left in the hex have lost their crews, unless the attackers enter and take them (MP-89)."""
    for gun in board_of(game).enemies_at(assault.cell, assault.side):
        if gun.gun and not gun.state.uncrewed and not enters:
            changes = state(gun.id, uncrewed=True)
            game = yield from happen(Event(event="uncrewed", facts={"unit": gun.id}, changes=changes, rule="MP-89"))
    return game


def advance(game: Game, assault: Assault) -> Procedure[Game]:
    """The attackers who are left, and the leaders with them, enter the hex and take what stands there (MP-203)."""
    entered: list[Troop] = []
    for troop in (*assault.attackers, *assault.leaders):
        board = board_of(game)
        if troop.id not in board.troops or (troop.leader and not entered):
            continue
        if not entered:
            game = yield from _take(game, assault, troop)
        entered.append(troop)
        more = {"continued": troop.state.continued + 1} if troop.state.can_continue else {}
        changes = (*placed_at(board, troop.unit, assault.cell), *state(troop.id, **more), *left_work(troop))
        facts = {"unit": troop.id, "to": list(assault.cell)}
        game = yield from happen(Event(event="advance", facts=facts, changes=changes, rule="MP-203"))
    return (yield from crowded(game, assault.cell, assault.side))


def _take(game: Game, assault: Assault, captor: Troop) -> Procedure[Game]:
    """Leaders, wagons and guns that were left in a hex fall to those who enter it (MP-66, MP-89)."""
    for enemy in board_of(game).enemies_at(assault.cell, assault.side):
        if enemy.leader:
            game = yield from happen(captured_leader(board_of(game), enemy, captor.side, "MP-89"))
        elif enemy.wagon:
            game = yield from happen(captured_wagon(enemy, captor, "MP-89"))
        elif enemy.gun:
            back = enemy.unit.side == captor.side
            held = taken(enemy.id, None if back else captor.side)
            changes = (*held, *(turned_back(enemy) if back else ()))
            facts = {"unit": enemy.id, "by": captor.side}
            game = yield from happen(Event(event="captured", facts=facts, changes=changes, rule="MP-89"))
    return game
