"""What ``ask`` says about a unit's other actions: reload, rally, form line and the like, legal or why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.geometry.plane.tolerance import MM, at_least
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons, listed
from engine.rulesets.muskets_mohawks.options.action_dice import dice_of
from engine.rulesets.muskets_mohawks.options.burning import burnable, houses_in_reach
from engine.rulesets.muskets_mohawks.options.fire_options import bound_to
from engine.rulesets.muskets_mohawks.options.fire_reasons import CHARGING_ON, NO_CREW, left_gun, markers
from engine.rulesets.muskets_mohawks.options.move_options import fast_borderline, fast_reasons
from engine.rulesets.muskets_mohawks.options.shooting import range_borderline
from engine.rulesets.muskets_mohawks.table.approaches import impassable
from engine.rulesets.muskets_mohawks.table.broken_ground import broken_ground
from engine.rulesets.muskets_mohawks.table.facts import crew_of, nearest_enemy
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.table.told import Told
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import (
    MM_PER_INCH,
    conditions_of,
    figures_of,
    formation_of,
    state_of,
)
from engine.rulesets.muskets_mohawks.wording import length

__all__ = ["ACTIONS", "action_reasons", "actions_of"]

#: How far every enemy must be for recovering casualties (MM-165).
RECOVER_FROM_MM = 12 * MM_PER_INCH

#: The least that a unit moves to break off: 1 in and the lowest die (MM-163).
_BREAK_OFF_MM = 2 * MM_PER_INCH


def actions_of(game: Game, unit: Unit) -> list[dict[str, Any]]:
    """The unit's entries under ``actions``; those that it may take with the dice that they ask for."""
    return [{**one, **dice_of(game, unit, one["action"])} if one["legal"] else one for one in _entries(game, unit)]


def _entries(game: Game, unit: Unit) -> list[dict[str, Any]]:
    houses = tuple(house.id for house in houses_in_reach(game, unit))
    facts = nearest_enemy(game, unit), bound_to(game, unit), houses
    if state_of(unit).in_melee:  # who stands behind it, and against whom, is not among the facts
        return [_entry(game, unit, action) for action in ACTIONS]
    told: Told[list[dict[str, Any]]] = Told(sheet_of(game), "actions", unit)
    return told.option(unit, "", facts, lambda: [_entry(game, unit, action) for action in ACTIONS])


def action_reasons(game: Game, unit: Unit, action: str) -> Reasons:
    """Why the unit may not take the action; empty where it may."""
    return ACTIONS[action](game, unit)


def _entry(game: Game, unit: Unit, action: str) -> dict[str, Any]:
    reasons = action_reasons(game, unit, action)
    extra = {"buildings": list(burnable(game, unit))} if action == "start-fire" else {}
    return {
        "action": action,
        "legal": not reasons,
        "why_not": list(reasons.texts),
        "why_rules": list(reasons.rules),
        "borderline": list(_borderline(game, unit, action)),
        **extra,
    }


def _borderline(game: Game, unit: Unit, action: str) -> tuple[str, ...]:
    if action == "fast-move":
        return fast_borderline(game, unit)
    enemy = nearest_enemy(game, unit)
    if action == "recover" and enemy is not None and troop(unit, game).regular:
        return tuple(range_borderline(enemy.distance_mm, enemy.sigma_mm, RECOVER_FROM_MM, "nearest enemy"))
    return ()


def _ready(unit: Unit, rule: str) -> Reasons:
    """What stands against any action of a unit that is not in the way of it by its very nature."""
    reasons, state = Reasons(), state_of(unit)
    reasons.add(not figures_of(unit), "no figures left on the table", rule)
    reasons.add(state.activated, "already activated this turn", rule)
    reasons.add(state.charging_on, CHARGING_ON, "MM-148")
    reasons.add(state.taking_trophies, "spends this activation taking trophies", "MM-67")
    return reasons


def _settled(unit: Unit, rule: str) -> Reasons:
    reasons, state = _ready(unit, rule), state_of(unit)
    reasons.add(bool(state.in_melee), "in melee", rule)
    reasons.add(state.retiring, "retiring: must rally first", "MM-56")
    return reasons


def _moved(reasons: Reasons, unit: Unit, rule: str) -> None:
    moved = state_of(unit).moved_mm
    reasons.add(moved > 0, f"has moved {length(moved)} in this activation", rule)


def _reload(game: Game, unit: Unit) -> Reasons:
    rule = "MM-123" if unit.type == "gunners" else "MM-112"
    reasons, state = _settled(unit, rule), state_of(unit)
    _moved(reasons, unit, rule)
    reasons.add(state.reload_markers == 0, "nothing to reload: no reload markers", rule)
    reasons.add(unit.type == "gunners" and not crew_of(unit), NO_CREW, rule)
    reasons.add(state.left_gun, left_gun(unit), rule)
    bound = bound_to(game, unit)
    reasons.add(bound is not None, f"continuous fire: bound to {bound} while it can still be fired at", "MM-110")
    return reasons


def _rally(game: Game, unit: Unit) -> Reasons:
    reasons, state = _ready(unit, "MM-66"), state_of(unit)
    reasons.add(not state.retiring, "not retiring: nothing to rally from", "MM-66")
    reasons.add(bool(state.in_melee), "in melee", "MM-66")
    reasons.add(troop(unit, game).reaction is None, f"a {unit.type} takes no reaction tests", "MM-66")
    return reasons


def _form_line(game: Game, unit: Unit) -> Reasons:
    reasons, state, kind = _settled(unit, "MM-66"), state_of(unit), troop(unit, game)
    _moved(reasons, unit, "MM-44")
    reasons.add(unit.formation != "unformed", f"not unformed but in {unit.formation}", "MM-66")
    reasons.add(not kind.may_form_line, f"no formed line for units of type {unit.type}", "MM-26")
    text = f"not loaded: {markers(state.reload_markers)}, so it may not move"
    reasons.add(state.reload_markers > 0, text, "MM-111")
    reasons.add(state.prone, "prone: may only stand up", "MM-50")
    reasons.add(state.in_building is not None, "inside a building units are unformed", "MM-172")
    ground = broken_ground(game, unit)
    reasons.add(ground == "woods", "inside woods units are unformed", "MM-189")
    reasons.add(ground == "water", "in water units are unformed", "MM-191")
    return reasons


def _recover(game: Game, unit: Unit) -> Reasons:
    reasons, state = _settled(unit, "MM-165"), state_of(unit)
    _moved(reasons, unit, "MM-165")
    reasons.add(not troop(unit, game).regular, "only Regulars recover casualties", "MM-165")
    reasons.add(state.recovered, "has already recovered casualties in this game", "MM-165")
    reasons.add(state.casualties == 0, "no casualties to recover", "MM-165")
    enemy = nearest_enemy(game, unit)
    if enemy is not None:
        text = f"an enemy is {length(enemy.distance_mm)} away, nearer than {length(RECOVER_FROM_MM)}"
        reasons.add(not at_least(enemy.distance_mm, RECOVER_FROM_MM), text, "MM-165")
    return reasons


def _break_off(game: Game, unit: Unit) -> Reasons:
    reasons, state = _ready(unit, "MM-163"), state_of(unit)
    reasons.add(not state.in_melee, "not in melee", "MM-163")
    reasons.add(formation_of(unit) == "square", "a square cannot move", "MM-246")
    if state.in_melee and figures_of(unit):
        behind = _behind(game, unit)
        reasons.add(bool(behind), f"cannot move away: {listed(behind)} behind it", "MM-163")
    return reasons


def _behind(game: Game, unit: Unit) -> tuple[str, ...]:
    """What keeps the unit from moving the least way of a break-off straight away from its enemies."""
    sheet = sheet_of(game)
    body = sheet.body(unit)
    foes = [sheet.body(game.unit(name)) for name in state_of(unit).in_melee if name in game.by_id]
    centres = [foe.centroid for foe in foes if len(foe)]
    if not centres:
        return ()
    away = body.centroid - np.mean(centres, axis=0)
    size = float(np.hypot(*away))
    if size < MM:
        return ()
    ends = body.centre + away / size * _BREAK_OFF_MM
    width, depth = game.table.width_mm, game.table.depth_mm
    found = list(impassable(sheet, body.centre, ends))
    if (ends < 0).any() or (ends[:, 0] > width).any() or (ends[:, 1] > depth).any():
        found.append("the table edge")
    return tuple(dict.fromkeys(found))


def _start_fire(game: Game, unit: Unit) -> Reasons:
    reasons, conditions = _settled(unit, "MM-176"), conditions_of(game)
    reasons.add(unit.type in ("pef", "wagon"), f"a {unit.type} starts no fires", "MM-176")
    reasons.add(conditions.nothing_fires, f"nothing burns in this weather (level {conditions.level})", "MM-114")
    houses = sheet_of(game).of_kind("building")
    reasons.add(not houses, "no building on the table", "MM-176")
    if houses and figures_of(unit) and not burnable(game, unit):
        near = houses_in_reach(game, unit)
        masonry = [house.id for house in near if house.terrain.extra.get("dv", 1) >= 3]
        reasons.add(bool(masonry), f"masonry does not burn ({listed(masonry)})", "MM-177")
        lit = [house.id for house in near if house.id not in masonry]
        reasons.add(bool(lit), f"already burning ({listed(lit)})", "MM-176")
        text = "touches no building, and has no bows with one in range and sight"
        reasons.add(not near, text, "MM-176")
    return reasons


#: What may stand under ``actions``, and what decides it.
ACTIONS: Mapping[str, Callable[[Game, Unit], Reasons]] = {
    "reload": _reload,
    "fast-move": fast_reasons,
    "rally": _rally,
    "form-line": _form_line,
    "recover": _recover,
    "break-off": _break_off,
    "start-fire": _start_fire,
}
