"""What befalls a unit under fire and in melee: casualties, fatigue, elimination (MP-168, MP-241, MP-290)."""

from __future__ import annotations

from engine.events import Change, Event, RemoveUnit, SetSide, SetStat
from engine.play import Procedure, happen
from engine.records.game import Game
from engine.rulesets.musket_pike.changes import leader_lost, state
from engine.rulesets.musket_pike.draws import between, half_up
from engine.rulesets.musket_pike.losses.casualties import guns_lost, men_lost
from engine.rulesets.musket_pike.table.board import board_of
from engine.rulesets.musket_pike.table.troops import Troop, gun_fire
from engine.rulesets.musket_pike.vocabulary import side_keys

__all__ = ["eliminate", "given_away", "lose", "released", "tire"]


def lose(game: Game, name: str, value: float, purpose: str) -> Procedure[tuple[Game, int]]:
    """A unit's casualties for a value after armour: the game after them, and the strength that they took.

    A unit without strength left is eliminated.
    """
    board = board_of(game)
    troop, per_gun = board.troops[name], board.parameters.artillery_fire
    facts = {"unit": name}
    if gun_fire(troop):
        lost = yield from guns_lost(value, per_gun, troop.strength, purpose)
        told = {"value": value, "guns": lost}
    else:
        value = min(value, troop.strength)
        lost = yield from men_lost(value, troop.strength, purpose)
        told = {"value": value, "men": lost}
    changes: tuple[Change, ...] = ()
    if lost:
        left = SetStat(unit=name, key="strength", value=troop.strength - lost)
        changes = (left, *state(name, exerted=True), *given_away(game, troop, lost))
    rule = "MP-165" if gun_fire(troop) else "MP-168"
    game = yield from happen(Event(event="casualties", facts=facts | told, changes=changes, rule=rule))
    if lost and lost >= troop.strength:
        game = yield from happen(_gone(name, "MP-168", (RemoveUnit(unit=name),)))
    return game, lost


def tire(game: Game, name: str, value: float, factor: float, purpose: str) -> Procedure[tuple[Game, int]]:
    """The fatigue of a unit that took casualties of a value: the game after it, and the points (MP-241)."""
    board = board_of(game)
    troop = board.troops[name]
    drawn = yield from between(value * factor, 3 * value * factor, purpose, "MP-241")
    points = half_up(drawn)
    total = min(troop.state.fatigue + points, board.parameters.fatigue.most)
    facts = {"unit": name, "points": points, "total": total}
    changes = state(name, fatigue=total, **({"exerted": True} if points else {}))
    return (yield from happen(Event(event="fatigue", facts=facts, changes=changes, rule="MP-241"))), points


def eliminate(game: Game, name: str, rule: str) -> Procedure[Game]:
    """A unit is gone with all that is left of it."""
    board = board_of(game)
    troop = board.troops[name]
    if troop.leader:
        return (yield from happen(_gone(name, rule, leader_lost(game, troop.unit))))
    changes = (*given_away(game, troop, troop.strength), RemoveUnit(unit=name))
    return (yield from happen(_gone(name, rule, changes)))


def _gone(name: str, rule: str, changes: tuple[Change, ...]) -> Event:
    return Event(event="eliminated", facts={"unit": name}, changes=changes, rule=rule)


def given_away(game: Game, troop: Troop, strength: int) -> tuple[Change, ...]:
    """The points that a side gives away with a strength lost for good: men by the unit's victory value (MP-290)."""
    men = strength * (board_of(game).parameters.men_per_gun if gun_fire(troop) else 1)
    points = men * troop.stats.victory_value / 100
    if not points:
        return ()
    side = game.side(troop.unit.side)
    return (SetSide(side=side.name, key="lost", value=side_keys(side).lost + points),)


def released(troop: Troop, rule: str = "MP-65") -> tuple[Event, ...]:
    """A fixed unit that is fired at or attacked may move from now on; nothing for others."""
    if not troop.state.fixed:
        return ()
    return (Event(event="released", facts={"unit": troop.id}, changes=state(troop.id, fixed=False), rule=rule),)
