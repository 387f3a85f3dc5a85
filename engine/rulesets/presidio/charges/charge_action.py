"""``charge``: the run-up, the target's nerve and its answer, the impact (PR-501 to PR-512)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event, PlaceFigures
from engine.geometry.moving.moves import gap_between, moved, places
from engine.geometry.plane.directions import Vector
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.artillery.gun_fire import loosed
from engine.rulesets.presidio.artillery.gun_options import gun_reasons
from engine.rulesets.presidio.artillery.gunnery import GunShot
from engine.rulesets.presidio.changes import spent, state, state_where
from engine.rulesets.presidio.charges.charging import charge_mm, charge_option
from engine.rulesets.presidio.charges.melee_action import engaged, strike
from engine.rulesets.presidio.charges.running import Run, lead_of, left_after, run_at
from engine.rulesets.presidio.charges.striking import Stand, blows_of, facing_ids, stand_of
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.fire.fire_action import discharge, fired
from engine.rulesets.presidio.movement.moving import movers
from engine.rulesets.presidio.nerve.giving_ground import (
    Giving,
    disordered,
    ground_given,
    moved_off,
    rolled_mm,
    way_off,
    went,
)
from engine.rulesets.presidio.nerve.morale_action import check_formation, check_nerve
from engine.rulesets.presidio.small_arms.fire_reasons import reasons_of
from engine.rulesets.presidio.small_arms.shooting import Mode, Shot, may_volley
from engine.rulesets.presidio.table.field import on_table
from engine.rulesets.presidio.table.sorts import mounted, rides_freely
from engine.rulesets.presidio.units.arms import weapons_of
from engine.rulesets.presidio.units.casualties import morale_due
from engine.rulesets.presidio.units.guns import gun_modes
from engine.rulesets.presidio.vocabulary import MM_PER_IN, conditions_of, figures_of, is_artillery, state_of

__all__ = ["ChargeKeys", "Reaction", "charge"]

Reaction = Literal["stand", "fire", "fire-and-flee", "flee", "strike"]

_FLIGHTS: dict[int, Giving] = {1: "fall-back", 2: "retreat"}


class ChargeKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``charge``: what the target does if it keeps its nerve; ``actions``: those that it flees with."""

    reaction: Reaction = "stand"
    actions: Literal[1, 2] = 1


@dataclass(frozen=True)
class _Charge:
    """A charge as it began: who at whom, from which side, how each stands to the other."""

    unit: str
    target: str
    keys: ChargeKeys
    aspect: str | None
    onto: Stand
    back: Stand
    start: Mapping[str, Vector]
    lead: Vector

    def left_mm(self, game: Game, reach_mm: float) -> float:
        """What is left of a move after the way that the charger has gone already, with what it cost."""
        unit = game.unit(self.unit)
        gone = [(one.x_mm - self.start[one.id][0], one.y_mm - self.start[one.id][1]) for one in unit.figures]
        return left_after(game, unit, self.lead, max(gone, key=lambda way: math.hypot(*way)), reach_mm)


def charge(game: Game, action: Action, keys: ChargeKeys) -> Procedure[None]:
    """A unit charges another. Raises ActionRefused with every reason."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    option = charge_option(game, unit, target)
    reasons = Reasons()
    reasons.extend(zip(option.why_not, option.why_rules, strict=True))
    reasons.extend(_against_reaction(game, unit, target, keys))
    begun = _Charge(
        unit.id,
        target.id,
        keys,
        option.aspect,
        stand_of(game, unit, target),
        stand_of(game, target, unit),
        {figure.id: (figure.x_mm, figure.y_mm) for figure in unit.figures},
        lead_of(unit, target),
    )
    return _charge(game, begun, action, allow(action, reasons))


def _cost(keys: ChargeKeys) -> int:
    """What the target's answer costs it (PR-506)."""
    return keys.actions if keys.reaction == "flee" else fight_book().reactions[keys.reaction]


def _against_reaction(game: Game, unit: Unit, target: Unit, keys: ChargeKeys) -> Sequence[tuple[str, str]]:
    """What keeps the target from answering so."""
    cost, left = _cost(keys), state_of(target).actions_left
    found = []
    if cost > left:
        found.append((f"{target.id} has {left} of the {cost} actions that it takes to {keys.reaction}", "PR-506"))
    burden = state_of(target).carrying
    if keys.reaction == "strike" and burden is not None:
        found.append((f"{target.id} carries {burden}: no fighting until it is dropped", "PR-810"))
    if keys.reaction in ("fire", "fire-and-flee"):
        against = _against_fire(game, target, unit, keys.reaction)
        found += [(f"{target.id} cannot fire: {text}", rule) for text, rule in against]
    return found


def _against_fire(game: Game, target: Unit, charger: Unit, reaction: Reaction) -> Sequence[tuple[str, str]]:
    """What keeps the target from defensive fire."""
    if is_artillery(target):
        gun = _answering_gun(game, target, charger)
        return [("its piece is not loaded for that", "PR-903")] if gun is None else tuple(gun_reasons(gun))
    shot = _answering_shot(game, target, charger, reaction)
    return [("it has nothing to fire", "PR-506")] if shot is None else tuple(reasons_of(shot))


def _answering_gun(game: Game, target: Unit, charger: Unit) -> GunShot | None:
    """A gun answers a charge by direct fire with what it has loaded."""
    if "direct" not in gun_modes(target):
        return None
    return GunShot(game, target, charger, "direct", at_close=True)


def _answering_shot(game: Game, target: Unit, charger: Unit, reaction: Reaction) -> Shot | None:
    """Defensive fire: at the close number, a volley where one is allowed, independent before flight (PR-506)."""
    weapons = weapons_of(target)
    if not weapons:
        return None
    mode: Mode = "independent" if reaction == "fire-and-flee" or may_volley(game, target) else "volley"
    return Shot(game, target, charger, weapons[0], mode, at_close=True)


def _charge(game: Game, begun: _Charge, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    unit, target = game.unit(begun.unit), game.unit(begun.target)
    free = mounted(unit) and rides_freely(unit, conditions_of(game).year)
    changes = (
        *spent(unit, 0 if free else fight_book().charge.actions),
        *state(unit.id, moved="run", charging=True),
        *went(game, unit),
    )
    facts = {"unit": unit.id, "target": target.id}
    game = yield from happen(Event(event="charges", facts=facts, changes=changes, rule="PR-501"))
    score = (yield from roll(Roll(purpose=f"{unit.id} charges", count=1, rule="PR-502"))).total
    reach = charge_mm(unit, score)
    run = run_at(game, unit, target, reach)
    if run is None:
        return
    if not run.home:
        yield from _falls_short(game, begun, run, reach)
        return
    game, result = yield from check_nerve(game, target.id, unit.id, "charged")
    if result not in ("pass", "hold"):
        yield from _runs_on(game, begun, reach)
        return
    game, goes_on = yield from _answered(game, begun, reach)
    if not goes_on:
        yield from happen(_ended(game, begun, "repelled"))
        return
    yield from _comes_home(game, begun, reach)


def _ended(
    game: Game, begun: _Charge, result: str, distance_mm: float = 0.0, changes: Sequence[Change] = ()
) -> Event:
    """The event of the charge with what came of it."""
    unit = game.unit(begun.unit)
    facts = {
        "unit": begun.unit, "target": begun.target, "result": result, "aspect": begun.aspect,
        "distance_mm": distance_mm,
    }  # fmt: skip
    still = state_where(unit, charging=False)
    return Event(event="charge", facts=facts, changes=(*changes, *still), rule="PR-502")


def _falls_short(game: Game, begun: _Charge, run: Run, reach_mm: float) -> Procedure[None]:
    """It stops 12 in away, or where its move ends, and checks its formation (PR-504)."""
    stop = max(run.gap_mm - fight_book().charge.stops_in * MM_PER_IN, 0.0)
    far, changes = _advance(game, begun, reach_mm, stop)
    game = yield from happen(_ended(game, begun, "short", far, changes))
    yield from check_formation(game, begun.unit)


def _advance(
    game: Game, begun: _Charge, reach_mm: float, most_mm: float = math.inf
) -> tuple[float, tuple[Change, ...]]:
    """The charger goes straight at its target with what it has left of its move, into contact at most and no
    farther than ``most_mm`` over the ground: how far, and the changes of it."""
    unit = game.unit(begun.unit)
    run = run_at(game, unit, game.unit(begun.target), reach_mm)
    if run is None:
        return 0.0, ()
    far = min(run.distance_mm, most_mm)
    return far, (PlaceFigures(places=places(moved(movers(unit), run.direction, far))),)


def _runs_on(game: Game, begun: _Charge, reach_mm: float) -> Procedure[None]:
    """The target's nerve has gone: the charger moves its distance and does no more (PR-505)."""
    far, changes = (0.0, ()) if not on_table(game.unit(begun.target)) else _advance(game, begun, reach_mm)
    yield from happen(_ended(game, begun, "fled", far, changes))


def _answered(game: Game, begun: _Charge, reach_mm: float) -> Procedure[tuple[Game, bool]]:
    """The target's answer: the game after it, and whether the charge goes on (PR-506, PR-507)."""
    reaction, goes_on = begun.keys.reaction, True
    target = game.unit(begun.target)
    if reaction in ("fire", "fire-and-flee"):
        game, goes_on = yield from _fired_upon(game, begun, reach_mm)
    if reaction in ("flee", "fire-and-flee") and goes_on:
        giving = _FLIGHTS[begun.keys.actions] if reaction == "flee" else "fall-back"
        game = yield from _flees(game, begun, giving, begun.keys.actions if reaction == "flee" else 1)
    return game, goes_on and on_table(game.unit(begun.unit)) and on_table(game.unit(target.id))


def _fired_upon(game: Game, begun: _Charge, reach_mm: float) -> Procedure[tuple[Game, bool]]:
    """Defensive fire; who loses men to it checks his nerve from 4 in away (PR-507)."""
    unit, target = game.unit(begun.unit), game.unit(begun.target)
    gun = _answering_gun(game, target, unit) if is_artillery(target) else None
    shot = None if gun is not None else _answering_shot(game, target, unit, begun.keys.reaction)
    if gun is not None:
        game = yield from loosed(game, gun)
    elif shot is not None:
        facts = {"unit": target.id, "target": unit.id, "weapon": shot.weapon, "mode": shot.mode}
        event = Event(event="fired", facts=facts, changes=(*spent(target, 1), *fired(shot)), rule="PR-506")
        game = yield from happen(event)
        game = yield from discharge(game, shot)
    left = len(figures_of(game.unit(unit.id)))
    if left == 0:
        return game, False
    if left == len(figures_of(unit)):
        return game, True
    gap = gap_between(figures_of(game.unit(unit.id)), figures_of(target))
    near = fight_book().charge.repelled_in * MM_PER_IN
    if gap is not None and gap.distance_mm > near:
        _, changes = _advance(game, begun, reach_mm, gap.distance_mm - near)
        facts = {"unit": unit.id, "target": target.id}
        game = yield from happen(Event(event="closes", facts=facts, changes=changes, rule="PR-507"))
    game, result = yield from check_nerve(game, unit.id, target.id, "charging")
    return game, result in ("pass", "disordered")


def _flees(game: Game, begun: _Charge, giving: Giving, cost: int) -> Procedure[Game]:
    """The target goes of its own will, with one action or two; that is no failed check (PR-506)."""
    unit, target = game.unit(begun.unit), game.unit(begun.target)
    score = (yield from roll(Roll(purpose=f"{target.id} flees", count=1, rule="PR-506"))).total
    way = way_off(game, target, unit)
    ground = ground_given(game, target, way, rolled_mm(target, score, giving), giving)
    event = moved_off(game, target, ground.figures, way, ground.distance_mm, giving)
    wild = (*disordered(target), *state(target.id, morale="disordered")) if giving == "retreat" else ()
    paid = (*spent(target, cost), *state(target.id, moved="run" if giving == "retreat" else "walk"), *wild)
    return (
        yield from happen(Event(event="moved", facts=event.facts, changes=(*event.changes, *paid), rule=event.rule))
    )


def _comes_home(game: Game, begun: _Charge, reach_mm: float) -> Procedure[None]:
    """The impact, if the target can still be reached, and the blows of a target that has kept an action."""
    unit, target = game.unit(begun.unit), game.unit(begun.target)
    left = begun.left_mm(game, reach_mm)
    run = run_at(game, unit, target, left)
    far, changes = _advance(game, begun, left)
    if run is None or not run.home:
        yield from happen(_ended(game, begun, "fled", far, changes))
        return
    before = {name: len(figures_of(game.unit(name))) for name in (unit.id, target.id)}
    game = yield from happen(_ended(game, begun, "contact", far, (*changes, *engaged(unit, target))))
    charger, struck = game.unit(unit.id), game.unit(target.id)
    back, faced = blows_of(game, struck, charger), facing_ids(game, struck, charger)
    blows = blows_of(game, charger, struck)
    shock = not state_of(charger).fired_moving
    game = yield from strike(game, charger.id, struck.id, blows, begun.onto, impact=shock)
    now = state_of(game.unit(target.id))
    held = state_of(struck).held > 0 and state_of(struck).carrying is None
    if held or (begun.keys.reaction == "strike" and on_table(game.unit(target.id)) and now.actions_left > 0):
        struck = game.unit(target.id)
        paid = (*spent(struck, 1), *(state(struck.id, held=state_of(struck).held - 1) if held else ()))
        facts = {"unit": struck.id, "target": charger.id}
        game = yield from happen(Event(event="melee", facts=facts, changes=paid, rule="PR-509"))
        if not held:
            charger = game.unit(charger.id)
            back, faced = blows_of(game, struck, charger), facing_ids(game, struck, charger)
        game = yield from strike(game, struck.id, charger.id, back, begun.back, victims=faced)
    for name, number in before.items():
        if 0 < len(figures_of(game.unit(name))) < number:
            game = yield from morale_due(game, name, "PR-512")
