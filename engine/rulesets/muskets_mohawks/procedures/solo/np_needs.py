"""What a unit that nobody plays has to do before its orders: come out, stand up, form line, load (MM-50)."""

from __future__ import annotations

from collections.abc import Callable

from engine.errors import ActionRefused
from engine.play import Procedure
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.options.actions import action_reasons
from engine.rulesets.muskets_mohawks.options.fire_reasons import holding_markers
from engine.rulesets.muskets_mohawks.procedures.buildings.bombardment import building_of
from engine.rulesets.muskets_mohawks.procedures.buildings.indoors import leave
from engine.rulesets.muskets_mohawks.procedures.buildings.start_fire import must_be_left
from engine.rulesets.muskets_mohawks.procedures.charges.trophies import trophies
from engine.rulesets.muskets_mohawks.procedures.firing.reload import reload
from engine.rulesets.muskets_mohawks.procedures.movement.posture import change_posture
from engine.rulesets.muskets_mohawks.procedures.movement.reforming import ReformKeys, reform
from engine.rulesets.muskets_mohawks.procedures.nerve.rally import formation_reasons
from engine.rulesets.muskets_mohawks.vocabulary import formation_of, state_of

__all__ = ["first_of_all", "held_by", "loads"]

#: Orders that lead a unit somewhere.
_LEAD_AWAY = ("advance", "encircle", "unlimber", "withdraw")


def first_of_all(game: Game, unit: Unit) -> Procedure[None] | None:
    """What its activation is spent on whatever its orders: trophies (MM-67), a way out of a fire (MM-178)."""
    now = state_of(unit)
    if now.taking_trophies:
        return trophies(game, Action(action="trophies", unit=unit.id))
    if now.in_building is not None and must_be_left(building_of(game, now.in_building)):
        return leave(game, Action(action="leave", unit=unit.id))
    return None


def held_by(game: Game, unit: Unit, order: str) -> Procedure[None] | None:
    """What must be done before the unit can follow an order that leads it away; None where nothing holds it.

    Who only halts has the time to load.
    """
    now = state_of(unit)
    if order in _LEAD_AWAY and not holding_markers(unit):
        if now.prone:
            return _if_it_may(lambda: change_posture(game, Action(action="stand", unit=unit.id)))
        if now.in_building is not None:
            return _if_it_may(lambda: leave(game, Action(action="leave", unit=unit.id)))
        if formation_of(unit) == "square" and not formation_reasons(game, unit, "formed-line"):
            line = ReformKeys(formation="formed-line")
            return _if_it_may(lambda: reform(game, Action(action="reform", unit=unit.id), line))
        return None
    return loads(game, unit)


def _if_it_may(begins: Callable[[], Procedure[None]]) -> Procedure[None] | None:
    """An action that is begun; None where the rules forbid it: who has gone into a house comes out another time."""
    try:
        return begins()
    except ActionRefused:
        return None


def loads(game: Game, unit: Unit) -> Procedure[None] | None:
    """Reloading, where the unit has to and may."""
    if not state_of(unit).reload_markers or action_reasons(game, unit, "reload"):
        return None
    return reload(game, Action(action="reload", unit=unit.id))
