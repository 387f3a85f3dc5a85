"""Charges as they could be made now: how far, from where, what both sides need at impact (PR-501 to PR-511)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.geometry.certainty import SIGMAS
from engine.geometry.plane.tolerance import at_most
from engine.records.answer import ChargeOption, ChargeRoll
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.charges.striking import needs, stand_of
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.table.bodies import aspect_of
from engine.rulesets.presidio.table.field import Near, measured, on_table, told_apart, units_apart
from engine.rulesets.presidio.table.sorts import class_of, formation_of, fronted, mounted, on_roof, rides_freely
from engine.rulesets.presidio.units.arms import melee_weapon_of
from engine.rulesets.presidio.units.formations import ranks_of
from engine.rulesets.presidio.vocabulary import MM_PER_IN, conditions_of, figures_of, state_of, stats_of

__all__ = ["charge_mm", "charge_option", "charge_options", "front_rank"]


def charge_mm(unit: Unit, score: int) -> float:
    """How far a charge goes with a die: twice base, `move` and die; lines are not slowed (PR-502, PR-306)."""
    base = book().going.mounted if mounted(unit) else book().pace.get(unit.type, 0.0)
    return max(2 * (base + stats_of(unit).move + score), 0.0) * MM_PER_IN


def front_rank(game: Game, unit: Unit) -> int:
    """How many figures of a unit come to blows first: its front rank, all of one without a front."""
    ranks = ranks_of(game, unit)
    return ranks[0] if fronted(unit) and ranks else len(figures_of(unit))


def charge_options(game: Game, unit: Unit) -> tuple[ChargeOption, ...]:
    """A charge at every enemy, nearest first."""
    found = [charge_option(game, unit, enemy) for enemy in game.enemies(unit)]
    far = float("inf")
    return tuple(sorted(found, key=lambda one: far if one.distance_mm is None else round(one.distance_mm, 6)))


def charge_option(game: Game, unit: Unit, target: Unit) -> ChargeOption:
    """A charge at one enemy, with everything that speaks against it."""
    reasons = Reasons()
    reasons.extend(_against_charger(game, unit))
    reasons.extend(_against_target(unit, target))
    near = units_apart(game, unit, target)
    if near is None:
        return ChargeOption(
            target=target.id, legal=False, why_not=reasons.texts, why_rules=reasons.rules, distance_mm=None,
            aspect=None, modifiers=(), roll=None, borderline=(),
        )  # fmt: skip
    reach = charge_mm(unit, fight_book().charge.die)
    far, most = told_apart(near.distance_mm, reach)
    reasons.add(not at_most(near.distance_mm, reach), f"{far} away: a charge goes {most} at most", "PR-502")
    shock = not state_of(unit).fired_moving
    number, modifiers = needs(unit, target, melee_weapon_of(unit), stand_of(game, unit, target), impact=shock)
    back, _ = needs(target, unit, melee_weapon_of(target), stand_of(game, target, unit), impact=False)
    aspect = aspect_of(game, unit, target)
    borderline = _doubts(near, reach)
    if not aspect.sure:
        borderline = (*borderline, f"from which side it comes: {aspect.name} as measured, near the limit")
    roll = ChargeRoll(
        charger=front_rank(game, unit), target=front_rank(game, target), die="d12",
        extra={"charger_success": f">={number}", "target_success": f">={back}"},
    )  # fmt: skip
    return ChargeOption(
        target=target.id, legal=not reasons, why_not=reasons.texts, why_rules=reasons.rules,
        distance_mm=near.distance_mm, aspect=aspect.name, modifiers=modifiers, roll=roll, borderline=borderline,
        extra={"reach_mm": reach},
    )  # fmt: skip


def _doubts(near: Near, reach: float) -> tuple[str, ...]:
    """The reach in words, where the measurement cannot settle it (PR-009)."""
    if near.sigma_mm <= 0 or abs(near.distance_mm - reach) > SIGMAS * near.sigma_mm:
        return ()
    return (f"charge distance {measured(near.distance_mm, near.sigma_mm, reach)}",)


def _against_charger(game: Game, unit: Unit) -> Iterator[tuple[str, str]]:
    """What keeps a unit from charging anybody (PR-501)."""
    state, cost = state_of(unit), fight_book().charge.actions
    if not figures_of(unit):
        yield f"{unit.id} has no figure left", "PR-501"
    if state.actions_left < cost:
        yield f"{unit.id} has {state.actions_left} of the {cost} actions that a charge needs", "PR-501"
    if state.morale == "disordered" or formation_of(unit) == "disorder":
        yield f"{unit.id} is disordered", "PR-501"
    if state.morale in ("panicked", "surrendered", "off-board"):
        yield f"{unit.id} is {state.morale}", "PR-501"
    if state.stunned:
        yield f"{unit.id} is stunned", "PR-501"
    if on_roof(unit):
        yield f"{unit.id} stands on a roof: it must climb down first", "PR-303"
    if state.engaged_with:
        yield f"{unit.id} is in melee: it must break off", "PR-516"
    if state.hidden:
        yield f"{unit.id} is hidden: it must show itself first", "PR-430"
    if state.carrying is not None:
        yield f"{unit.id} carries {state.carrying}: no fighting until it is dropped", "PR-810"
    if class_of(unit) in ("artillery", "vehicle", "beast"):
        yield f"{unit.id} is {unit.type}: it does not charge", "PR-501"
    rides = mounted(unit) and rides_freely(unit, conditions_of(game).year)
    if rides and state.moved is not None:
        yield f"{unit.id} has ridden already this turn", "PR-211"


def _against_target(unit: Unit, target: Unit) -> Iterator[tuple[str, str]]:
    """What keeps a unit from being charged."""
    if unit.side == target.side:
        yield f"{target.id} is on the same side as {unit.id}", "PR-501"
    if not on_table(target):
        yield f"{target.id} has no figure on the table", "PR-501"
    elif state_of(target).hidden:
        yield f"{target.id} is hidden: only a marker shows", "PR-430"
    elif state_of(target).morale == "surrendered":
        yield f"{target.id} has surrendered", "PR-716"
