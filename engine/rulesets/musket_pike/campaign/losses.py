"""What a battle costs, and what it leaves of the units of the next (MP-295)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from engine.events import Event, apply
from engine.records.game import Game, Unit
from engine.rulesets.musket_pike.campaign.records import CarryOver, Fought
from engine.rulesets.musket_pike.changes import leader_lost
from engine.rulesets.musket_pike.vocabulary import Mustered, state_of, stats_of

__all__ = ["left_of", "lost_in", "mustered"]


def mustered(game: Game) -> Mapping[str, Mustered]:
    """What each unit begins a battle with, by its id."""
    return {
        unit.id: Mustered(
            side=unit.side,
            strength=1 if unit.type == "leader" else stats_of(unit).strength,
            fatigue=state_of(unit).fatigue,
        )
        for unit in game.units
    }


def lost_in(before: Mapping[str, Mustered], after: Game) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """What each unit lost in a battle that it began as ``before``; the fatigue that each of those left ended with.

    A detachment's men count with the unit that sent it out; what the enemy has captured is lost.
    """
    now = _strengths(before, after)
    losses = {name: one.strength - now[name] for name, one in before.items() if now[name] < one.strength}
    kept = {unit.id for unit in after.units if not _taken(before, unit)}
    tired = {unit.id: state_of(unit).fatigue for unit in after.units if unit.id in before and unit.id in kept}
    return losses, {name: fatigue for name, fatigue in tired.items() if fatigue or before[name].fatigue}


def left_of(scenario: Game, history: Iterable[Fought], carry: CarryOver) -> Game:
    """A battle's game less the losses of earlier ones and, where it is carried, with the fatigue they left."""
    losses: Counter[str] = Counter()
    fatigue: dict[str, int] = {}
    for fought in history:
        losses.update(fought.losses if carry.losses else {})
        fatigue.update(fought.fatigue if carry.fatigue else {})
    left = [_left(unit, losses[unit.id], fatigue.get(unit.id, 0)) for unit in scenario.units]
    game = replace(scenario, units=tuple(unit for unit in left if unit is not None))
    for unit in scenario.units:
        if unit.type == "leader" and unit.id not in game.by_id:
            game = _succeeded(game, unit)
    return game


def _succeeded(game: Game, leader: Unit) -> Game:
    """A battle's game where a leader who was lost earlier is followed by his first deputy (MP-213)."""
    with_him = replace(game, units=(*game.units, leader))
    return apply(with_him, Event(event="lost", changes=leader_lost(with_him, leader)))


def _left(unit: Unit, lost: int, fatigue: int) -> Unit | None:
    """A unit after its losses; None where nobody is left. A leader's one loss is himself."""
    strength = stats_of(unit).strength
    if lost and (unit.type == "leader" or lost >= strength):
        return None
    if lost:
        unit = replace(unit, stats={**unit.stats, "strength": strength - lost})
    return replace(unit, state={**unit.state, "fatigue": fatigue}) if fatigue else unit


def _strengths(first: Mapping[str, Mustered], game: Game) -> Counter[str]:
    """The strength of each unit with its detachments, by the unit's id; a leader counts one."""
    found: Counter[str] = Counter()
    for unit in game.units:
        if _taken(first, unit):
            continue
        name, seen = unit.id, set[str]()
        while (
            name not in first and name not in seen
        ):  # the skirmishers of half a battalion, too, are the battalion's
            seen.add(name)
            sender = game.by_id.get(name)
            name = (stats_of(sender).parent if sender is not None else None) or name
        found[name] += 1 if unit.type == "leader" else stats_of(unit).strength
    return found


def _taken(first: Mapping[str, Mustered], unit: Unit) -> bool:
    """Whether the enemy has a unit: guns that he holds, a wagon that changed sides."""
    began = first.get(unit.id)
    return state_of(unit).captured_by is not None or (began is not None and began.side != unit.side)
