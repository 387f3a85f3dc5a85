"""What else a turn begins with: batteries set up, ammunition, bridges, releases and reinforcements.

Rows MP-16, MP-65, MP-76, MP-86, MP-251 and MP-254.
"""

from __future__ import annotations

from engine.events import Change, Event, RemoveUnit, SetStat
from engine.play import Procedure, happen
from engine.records.game import Cell, Game, Terrain, Unit
from engine.rulesets.musket_pike.changes import ground, placed_at, state
from engine.rulesets.musket_pike.draws import happens
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.supply import is_isolated, supply_for
from engine.rulesets.musket_pike.table.troops import QUALITY, Troop
from engine.rulesets.musket_pike.turns.repair_action import bridge_before
from engine.rulesets.musket_pike.turns.upkeep import spotted_by
from engine.rulesets.musket_pike.vocabulary import state_of

__all__ = ["bridge_step", "release_step", "setup_step", "supply_step"]

#: The chances of a battery's tests in a hundred, those of quality A or better second (MP-86, R17).
_SETUP = ((33, 66, 100), (66, 100))
_MEN_PER_POINT = 25
_WHOLE_BRIDGE = 200


def setup_step(game: Game, side: str) -> Procedure[Game]:
    """Batteries that are setting up may become ready (MP-86)."""
    for troop in board_of(game).own(side):
        now = troop.state
        if not troop.gun or now.setup != "setting-up" or troop.formation != "unlimbered":
            continue
        chances = _SETUP[QUALITY[troop.stats.quality] >= QUALITY["A"]]
        chance = chances[min(now.setup_turns, len(chances) - 1)] / 100
        ready = yield from happens(chance, f"{troop.id} sets up", "MP-86")
        changes = state(troop.id, setup="ready" if ready else "setting-up", setup_turns=now.setup_turns + 1)
        facts = {"unit": troop.id, "ready": ready}
        game = yield from happen(Event(event="setup", facts=facts, changes=changes, rule="MP-86"))
    return game


def supply_step(game: Game, side: str) -> Procedure[Game]:
    """Units short of ammunition are filled up: from wagons, batteries when no longer cut off (MP-251, MP-254)."""
    for name in [troop.id for troop in board_of(game).own(side) if troop.fights and troop.state.ammo != "full"]:
        board = board_of(game)
        troop = board.troops[name]
        if troop.gun:
            game = yield from _guns_resupplied(game, troop)
            continue
        found = supply_for(board, troop)
        if found is None:
            continue
        left = board.troops[found.wagon].strength - found.cost
        spent: Change = SetStat(unit=found.wagon, key="strength", value=left)
        if left <= 0:
            spent = RemoveUnit(unit=found.wagon)
        facts = {"unit": name, "wagon": found.wagon, "cost": found.cost}
        changes = (*state(name, ammo="full"), spent)
        game = yield from happen(Event(event="resupplied", facts=facts, changes=changes, rule="MP-251"))
    return game


def _guns_resupplied(game: Game, gun: Troop) -> Procedure[Game]:
    board = board_of(game)
    none_left = board.conditions.artillery_ammo.get(gun.side) == 0
    if is_isolated(board, gun) or none_left:
        return game
    facts = {"unit": gun.id, "wagon": None, "cost": 0}
    changes = state(gun.id, ammo="full")
    return (yield from happen(Event(event="resupplied", facts=facts, changes=changes, rule="MP-254")))


def bridge_step(game: Game, side: str) -> Procedure[Game]:
    """Pioneers at work restore the bridge before them (MP-76)."""
    for troop in board_of(game).own(side):
        cell = _mends(board_of(game), troop)
        if cell is None:
            continue
        bridge = board_of(game).ground.bridges[cell]
        strength = min(_WHOLE_BRIDGE, bridge.strength + troop.strength // _MEN_PER_POINT)
        if strength <= bridge.strength:
            continue
        piece = _piece(game, bridge.terrain)
        facts = {"unit": troop.id, "bridge": bridge.terrain, "strength": strength}
        changes = ground(piece, strength=strength)
        game = yield from happen(Event(event="bridge", facts=facts, changes=changes, rule="MP-76"))
    return game


def _mends(board: Board, troop: Troop) -> Cell | None:
    """The hex of the bridge that a unit works on, or None."""
    works = troop.type == "pioneer" and troop.state.repairing and troop.steady
    return bridge_before(board, troop) if works else None


def _piece(game: Game, name: str) -> Terrain:
    return next(piece for piece in game.terrain if piece.id == name)


def release_step(game: Game, side: str) -> Procedure[Game]:
    """Fixed units are freed by their hour or by being seen; reinforcements come on (MP-16, MP-65)."""
    for troop in board_of(game).own(side):
        board = board_of(game)
        if not troop.state.fixed:
            continue
        hour = troop.state.release_turn
        due = hour is not None and game.turn.number >= hour
        if due or troop.state.spotted or spotted_by(board, troop) is not None:
            changes = state(troop.id, fixed=False)
            game = yield from happen(
                Event(event="released", facts={"unit": troop.id}, changes=changes, rule="MP-65")
            )
    for unit in game.units:
        if unit.side == side and _arrives(game, unit):
            game = yield from _arrival(game, unit)
    return game


def _arrives(game: Game, unit: Unit) -> bool:
    """Whether reinforcements are due, and their hex is not in the enemy's hands."""
    now = state_of(unit)
    if not now.off_map or now.arrival is None or game.turn.number < now.arrival.turn:
        return False
    return not board_of(game).enemies_at(now.arrival.hex, unit.side)


def _arrival(game: Game, unit: Unit) -> Procedure[Game]:
    arrival = state_of(unit).arrival
    assert arrival is not None
    changes = (*placed_at(board_of(game), unit, arrival.hex), *state(unit.id, off_map=False, arrival=None))
    facts = {"unit": unit.id, "to": list(arrival.hex)}
    return (yield from happen(Event(event="arrived", facts=facts, changes=changes, rule="MP-16")))
