"""``pursue`` and ``disengage``: after those who give way, and out of a melee (PR-513, PR-516)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event, PlaceFigures
from engine.geometry.moving.moves import moved, nearest_first, places
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import spent, state
from engine.rulesets.presidio.charges.melee_action import engaged
from engine.rulesets.presidio.charges.running import run_at
from engine.rulesets.presidio.movement.moving import movers
from engine.rulesets.presidio.nerve.giving_ground import (
    Giving,
    disordered,
    ground_given,
    moved_off,
    parted,
    rolled_mm,
    way_off,
    went,
)
from engine.rulesets.presidio.table.field import on_table, units_apart
from engine.rulesets.presidio.table.sorts import formation_of
from engine.rulesets.presidio.units.pacing import base_in, move_cost
from engine.rulesets.presidio.vocabulary import MM_PER_IN, figures_of, state_of

__all__ = ["DisengageKeys", "disengage", "pursue"]

_COSTS: dict[Giving, int] = {"fall-back": 1, "retreat": 2}


class DisengageKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``disengage``: how the unit goes."""

    by: Literal["fall-back", "retreat"] = "fall-back"


def pursue(game: Game, action: Action) -> Procedure[None]:
    """A unit follows one that gives way. Raises ActionRefused (PR-513)."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    reasons, now = Reasons(), state_of(unit)
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "PR-513")
    for one in (unit, target):
        reasons.add(not on_table(one), f"{one.id} has no figure on the table", "PR-513")
    reasons.add(now.actions_left < 1, f"{unit.id} has no action left", "PR-513")
    nerve = now.morale in ("panicked", "surrendered")
    reasons.add(nerve, f"{unit.id} has {now.morale}", "PR-513")
    reasons.add(state_of(target).morale == "surrendered", f"{target.id} has surrendered", "PR-716")
    reasons.add(formation_of(unit) == "disorder", f"{unit.id} is disordered", "PR-321")
    reasons.add(state_of(target).hidden, f"{target.id} is hidden: only a marker shows", "PR-430")
    stands = on_table(target) and not _gives_ground(target)
    reasons.add(stands, f"{target.id} gives no ground: it has neither failed nor gone this turn", "PR-513")
    reasons.add(bool(set(now.engaged_with) - {target.id}), f"{unit.id} is in melee: it must break off", "PR-516")
    return _pursue(game, unit, target, action, allow(action, reasons))


def _gives_ground(unit: Unit) -> bool:
    """Whether a unit runs, has failed a check this turn or has gone from where it stood (PR-513, PR-516).

    At one that stands its ground one charges: it has its nerve to test and may answer (PR-505, PR-506).
    """
    now = state_of(unit)
    return now.failed is not None or now.morale == "panicked" or now.moved is not None


def _pursue(game: Game, unit: Unit, target: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    score = (yield from roll(Roll(purpose=f"{unit.id} pursues", count=1, rule="PR-513"))).total
    run = run_at(game, unit, target, max(base_in(unit) + score, 0.0) * MM_PER_IN)
    if run is None:
        return
    placed: Change = PlaceFigures(places=places(moved(movers(unit), run.direction, run.distance_mm)))
    cost = min(max(move_cost(game, unit, "walk"), 1), state_of(unit).actions_left)
    eager = state_of(target).failed is not None or state_of(unit).actions_left >= 2
    facts = {"unit": unit.id, "distance_mm": run.distance_mm, "why": "pursues"}
    changes = (placed, *spent(unit, cost), *state(unit.id, moved="walk"), *went(game, unit))
    game = yield from happen(Event(event="moved", facts=facts, changes=changes, rule="PR-513"))
    if not run.home:
        return
    if state_of(target).morale == "panicked":
        gives_up = (*state(target.id, morale="surrendered", actions_left=0, held=0), *parted(game, target))
        yield from happen(Event(event="surrendered", facts={"unit": target.id}, changes=gives_up, rule="PR-513"))
        return
    facts = {"unit": unit.id, "target": target.id, "charging": eager}
    met = (*engaged(game.unit(unit.id), target), *state(unit.id, charging=eager))
    yield from happen(Event(event="contact", facts=facts, changes=met, rule="PR-513"))


def disengage(game: Game, action: Action, keys: DisengageKeys) -> Procedure[None]:
    """A unit breaks off a melee. Raises ActionRefused (PR-516)."""
    unit, reasons = game.unit(action.unit or ""), Reasons()
    now, cost = state_of(unit), _COSTS[keys.by]
    reasons.add(not on_table(unit), f"{unit.id} has no figure on the table", "PR-516")
    reasons.add(_foe(game, unit) is None, f"{unit.id} is in melee with nobody", "PR-516")
    short = f"{unit.id} has {now.actions_left} of the {cost} actions that it takes"
    reasons.add(now.actions_left < cost, short, "PR-516")
    reasons.add(now.morale == "surrendered", f"{unit.id} has surrendered", "PR-716")
    return _disengage(game, unit, keys, action, allow(action, reasons))


def _foe(game: Game, unit: Unit) -> Unit | None:
    """The enemy that a unit is in melee with, or in contact; of several the nearest."""
    foes = [game.by_id[name] for name in state_of(unit).engaged_with if name in game.by_id]
    foes += [other for other in game.enemies(unit) if unit.id in state_of(other).engaged_with and other not in foes]
    if not foes:
        limit = book().mm("touching_mm") + MM
        foes = [
            other for other in game.enemies(unit)
            if (near := units_apart(game, unit, other)) is not None and near.distance_mm <= limit
        ]  # fmt: skip
    first = nearest_first([figure for foe in foes for figure in figures_of(foe)], figures_of(unit))
    return next((foe for foe in foes if first and first[0] in foe.figures), None)


def _disengage(
    game: Game, unit: Unit, keys: DisengageKeys, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if not figures_of(unit):
        return
    says = "falls back from the melee" if keys.by == "fall-back" else "retreats from the melee"
    score = (yield from roll(Roll(purpose=f"{unit.id} {says}", count=1, rule="PR-516"))).total
    way = way_off(game, unit, _foe(game, unit))
    ground = ground_given(game, unit, way, rolled_mm(unit, score, keys.by), keys.by)
    event = moved_off(game, unit, ground.figures, way, ground.distance_mm, keys.by)
    wild = (*disordered(unit), *state(unit.id, morale="disordered")) if keys.by == "retreat" else ()
    gone = state(unit.id, moved="run" if keys.by == "retreat" else "walk")
    changes = (*event.changes, *spent(unit, _COSTS[keys.by]), *gone, *wild)
    yield from happen(Event(event="moved", facts=event.facts, changes=changes, rule="PR-516"))
