"""Prone and standing, mounted and on foot, limbered and unlimbered (MM-19, MM-45, MM-50)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from engine.events import Change, Event, PlaceFigures, SetFigure
from engine.geometry.moving.moves import mean_bearing, places, rear_row
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.fire_reasons import left_gun
from engine.rulesets.muskets_mohawks.procedures.changes import formed, state
from engine.rulesets.muskets_mohawks.procedures.movement.set_down import level_mm, set_down
from engine.rulesets.muskets_mohawks.procedures.refusal import unable_to_act
from engine.rulesets.muskets_mohawks.table.facts import normal_move_mm
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, gun_of, state_of

__all__ = ["POSTURES", "change_posture", "dismounted"]

#: How far behind the unit its horses are held (MM-19).
HOLDERS_MM = 3 * MM_PER_INCH


def change_posture(game: Game, action: Action) -> Procedure[None]:
    """Begins ``prone``, ``stand``, ``mount``, ``dismount``, ``limber`` or ``unlimber``. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons, event = POSTURES[action.action](game, unit)
    return _change(game, action, allow(action, reasons), event)


def _change(game: Game, action: Action, against: tuple[str, ...], event: Event) -> Procedure[None]:
    yield from overruled(game, action, against)
    yield from happen(event)


def _prone(game: Game, unit: Unit) -> tuple[Reasons, Event]:
    reasons, kind = unable_to_act(unit), troop(unit, game)
    reasons.add(state_of(unit).prone, "already prone", "MM-50")
    _bespoken(reasons, unit)
    able = (kind.infantry or unit.type == "gunners") and not kind.mounted
    reasons.add(not able, "only infantry and gunners go prone", "MM-50")
    return reasons, Event(event="prone", facts={"unit": unit.id}, changes=state(unit.id, prone=True), rule="MM-50")


def _stand(game: Game, unit: Unit) -> tuple[Reasons, Event]:
    reasons = unable_to_act(unit)
    reasons.add(not state_of(unit).prone, "not prone", "MM-50")
    changes = state(unit.id, prone=False, stood=True, moved_mm=normal_move_mm(game, unit))
    return reasons, Event(event="stand", facts={"unit": unit.id}, changes=changes, rule="MM-50")


def _whole_activation(unit: Unit) -> Reasons:
    reasons, now = unable_to_act(unit), state_of(unit)
    reasons.add(now.moved_mm > 0.001, "has moved; it takes the whole activation", "MM-19")
    reasons.add(now.prone, "prone: it may only stand up", "MM-50")
    _bespoken(reasons, unit)
    return reasons


def _bespoken(reasons: Reasons, unit: Unit) -> None:
    """What the unit's activation has to be spent on before anything else."""
    now = state_of(unit)
    reasons.add(now.retiring, "retiring: it has to rally first", "MM-56")
    reasons.add(now.taking_trophies, "spends this activation taking trophies", "MM-67")


def _dismount(game: Game, unit: Unit) -> tuple[Reasons, Event]:
    reasons = _whole_activation(unit)
    horse = unit.type in ("cavalry", "mounted-infantry")
    reasons.add(not horse, "only cavalry and mounted infantry dismount", "MM-19")
    reasons.add(horse and not state_of(unit).mounted, "already on foot", "MM-19")
    return reasons, dismounted(game, unit, by_choice=True)


def dismounted(game: Game, unit: Unit, *, by_choice: bool) -> Event:
    """The unit gets off its horses: a fifth of it, rounded up, holds them 3 in behind, or near there (MM-19)."""
    figures = figures_of(unit)
    number = math.ceil(len(figures) / 5)
    ranks = [f for f in figures if f.role == "rank"] or [f for f in figures if f.role != "leader"]
    holders = ranks[max(0, len(ranks) - number) :]
    changes: list[Change] = [*state(unit.id, mounted=False)]
    if by_choice:
        changes += state(unit.id, activated=True)
    if unit.formation == "formed-line" and unit.type == "mounted-infantry":
        changes += formed(unit.id, "unformed")  # only mounted do they form line
    changes += [SetFigure(figure=f.id, key="mounted", value=False) for f in figures]
    changes += [SetFigure(figure=f.id, key="role", value="holder") for f in holders]
    staying = [figure for figure in figures if figure not in holders]
    if holders and staying:
        row = rear_row(staying, len(holders), HOLDERS_MM)
        behind = [replace(f, x_mm=x, y_mm=y) for f, (x, y) in zip(holders, row, strict=True)]
        facing = mean_bearing(staying) or 0.0
        there = set_down(game, unit, behind, facing, level_mm(behind, staying, facing))
        changes.append(PlaceFigures(places=places(there)))
    facts = {"unit": unit.id, "holders": [figure.id for figure in holders]}
    return Event(event="dismount", facts=facts, changes=tuple(changes), rule="MM-19")


def _mount(_game: Game, unit: Unit) -> tuple[Reasons, Event]:
    reasons = _whole_activation(unit)
    horse = unit.type in ("cavalry", "mounted-infantry")
    reasons.add(not horse, "only cavalry and mounted infantry mount", "MM-19")
    reasons.add(horse and bool(state_of(unit).mounted), "already mounted", "MM-19")
    house = state_of(unit).in_building
    reasons.add(house is not None, f"in {house}: it comes out first", "MM-171")
    changes: list[Change] = [*state(unit.id, mounted=True, activated=True)]
    for figure in figures_of(unit):
        rides = not (state_of(unit).unhorsed and figure.role == "leader")  # his horse is hit for good (MM-117)
        changes += [SetFigure(figure=figure.id, key="mounted", value=True)] if rides else []
        if figure.role == "holder":
            changes.append(SetFigure(figure=figure.id, key="role", value="rank"))
    return reasons, Event(event="mount", facts={"unit": unit.id}, changes=tuple(changes), rule="MM-19")


def _hitch(unit: Unit, *, limbered: bool) -> tuple[Reasons, Event]:
    reasons, now = _whole_activation(unit), state_of(unit)
    gun = unit.type == "gunners" and gun_of(unit) is not None
    reasons.add(not gun, "no gun to hitch", "MM-45")
    reasons.add(gun and now.limbered == limbered, f"already {'limbered' if limbered else 'unlimbered'}", "MM-45")
    reasons.add(now.left_gun, left_gun(unit), "R-35")
    name = "limber" if limbered else "unlimber"
    changes = state(unit.id, limbered=limbered, activated=True)
    return reasons, Event(event=name, facts={"unit": unit.id}, changes=changes, rule="MM-45")


#: What each action is checked for and does.
POSTURES: Mapping[str, Callable[[Game, Unit], tuple[Reasons, Event]]] = {
    "prone": _prone,
    "stand": _stand,
    "dismount": _dismount,
    "mount": _mount,
    "limber": lambda _game, unit: _hitch(unit, limbered=True),
    "unlimber": lambda _game, unit: _hitch(unit, limbered=False),
}
