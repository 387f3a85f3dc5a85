"""Who may activate whom (MM-29 to MM-33, R-57), and in which order a side activates (MM-43, R-39)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.geometry.plane.directions import unit_vector
from engine.geometry.plane.tolerance import at_most
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.shooting import any_sight_borderline, range_borderline, sight_reasons
from engine.rulesets.muskets_mohawks.seeing.pairs import Pairs
from engine.rulesets.muskets_mohawks.seeing.sight import pairs
from engine.rulesets.muskets_mohawks.table.facts import contacts_of, is_mounted_leader, nearest_figures
from engine.rulesets.muskets_mohawks.table.sheet import Sheet, sheet_of
from engine.rulesets.muskets_mohawks.table.told import Told
from engine.rulesets.muskets_mohawks.vocabulary import (
    MM_PER_INCH,
    SENIORITY,
    figures_of,
    leader_rep_of,
    state_of,
    stats_of,
)
from engine.rulesets.muskets_mohawks.wording import length

__all__ = ["acts_with", "command_of", "order", "overall_commander", "under"]

_FOOT_MM, _HORSE_MM = 6 * MM_PER_INCH, 12 * MM_PER_INCH

#: The bearing of a side's right hand as it looks in from its table edge.
_RIGHT_DEG = {"south": 90.0, "north": 270.0, "west": 180.0, "east": 0.0}


def command_of(game: Game, leader: Unit) -> list[dict[str, Any]]:
    """The entries under ``command`` of a ``leader`` unit: one for each other unit of its side."""
    sheet, commanded = sheet_of(game), under(game, leader)
    told: Told[dict[str, Any]] = Told(sheet, "command", leader)
    found = []
    for unit in (one for one in game.units if one.side == leader.side and one.id != leader.id):
        seen, obeys = pairs(sheet, leader, unit, over_figures=_rides(leader)), unit.id in commanded
        make = partial(_entry, sheet, leader, unit, seen, obeys=obeys)
        found.append(told.option(unit, "", (seen, obeys), make))
    return found


def _entry(sheet: Sheet, leader: Unit, unit: Unit, seen: Pairs, *, obeys: bool) -> dict[str, Any]:
    reasons = Reasons()
    _state_reasons(reasons, leader, unit)
    reasons.add(not obeys, f"{unit.id} is not under this Leader", "R-57")
    nearest = nearest_figures(sheet, leader, unit)
    borderline: list[str] = []
    if nearest is not None:
        horse = _rides(leader)
        reach = _HORSE_MM if horse else _FOOT_MM
        text = f"out of command reach: {length(nearest.distance_mm)}, the Leader reaches {length(reach)}"
        reasons.add(not at_most(nearest.distance_mm, reach), text, "MM-32" if horse else "MM-31")
        reasons.extend(sight_reasons(seen, arc=False))
        borderline = range_borderline(nearest.distance_mm, nearest.sigma_mm, reach, "command reach")
        borderline += any_sight_borderline(seen, arc=False)
    return {
        "unit": unit.id,
        "legal": not reasons,
        "why_not": list(reasons.texts),
        "why_rules": list(reasons.rules),
        "distance_mm": None if nearest is None else nearest.distance_mm,
        "borderline": borderline,
    }


def _state_reasons(reasons: Reasons, leader: Unit, unit: Unit) -> None:
    reasons.add(not figures_of(leader), "the Leader is not on the table", "MM-31")
    reasons.add(not figures_of(unit), f"{unit.id} has no figures left on the table", "MM-31")
    reasons.add(state_of(leader).activated, "the Leader has already been activated this turn", "MM-31")
    stunned = state_of(leader).stunned or any(figure.status == "stunned" for figure in leader.figures)
    reasons.add(stunned, "the Leader is stunned and loses this activation", "R-26")
    acted = state_of(unit).activated or state_of(unit).charging_on
    reasons.add(acted, f"{unit.id} has already been activated this turn", "MM-31")


def _rides(leader: Unit) -> bool:
    """Whether the Leader commands from horseback: a higher Leader of Regulars may (MM-32)."""
    return is_mounted_leader(leader) and stats_of(leader).rank != "war-chief"


def overall_commander(game: Game, side: str) -> Unit | None:
    """The side's highest Leader on the table: rank, then Rep, then list order (MM-30)."""
    leaders = [unit for unit in game.units if unit.side == side and unit.type == "leader" and figures_of(unit)]
    return max(leaders, key=lambda unit: (SENIORITY[stats_of(unit).rank], leader_rep_of(unit)), default=None)


def under(game: Game, leader: Unit) -> frozenset[str]:
    """The ids of the units and Leaders under a Leader, and under those Leaders in turn (R-57)."""
    friends = [unit for unit in game.units if unit.side == leader.side and unit.id != leader.id]
    if overall_commander(game, leader.side) == leader:
        return frozenset(unit.id for unit in friends)
    found: set[str] = set()
    waiting = [leader]
    while waiting:
        for name in _directly_under(waiting.pop(), friends):
            if name not in found and name != leader.id:
                found.add(name)
                waiting += [unit for unit in friends if unit.id == name and unit.type == "leader"]
    return frozenset(found)


def _directly_under(leader: Unit, friends: Sequence[Unit]) -> list[str]:
    stats = stats_of(leader)
    if stats.commands is not None:
        known = {unit.id for unit in friends}
        return [name for name in stats.commands if name in known]
    rank = SENIORITY[stats.rank]
    return [unit.id for unit in friends if unit.type != "leader" or SENIORITY[stats_of(unit).rank] < rank]


def order(game: Game) -> list[str]:
    """The active side's units not yet activated, from its right to its left (MM-43, R-39).

    Units in base contact form a body and go together (MM-25); a Leader goes by himself.
    """
    name = game.turn.active_side or game.sides[0].name
    right = unit_vector(_RIGHT_DEG[game.side(name).edge])
    units = [unit for unit in game.units if unit.side == name and figures_of(unit) and not state_of(unit).activated]
    keyed = []
    for body in _bodies(game, units):
        centres = [sheet_of(game).body(unit).centroid for unit in body]
        place = float(np.mean(centres, axis=0) @ right)
        keyed += [
            (-round(place, 6), units.index(body[0]), -round(float(centre @ right), 6), units.index(unit), unit.id)
            for unit, centre in zip(body, centres, strict=True)
        ]
    return [entry[-1] for entry in sorted(keyed)]


def acts_with(game: Game, unit: Unit) -> tuple[str, ...]:
    """The friends who may act at the same time as a unit, in list order: its body (MM-25), and whom a Leader may
    activate with it, each with his body (MM-31)."""
    if unit.type == "leader" or not figures_of(unit):
        return ()
    found: set[str] = set()
    for group in sheet_of(game).memo(("act together", unit.side), lambda: _groups(game, unit.side)):
        found |= group if unit.id in group else set()
    return tuple(one.id for one in game.units if one.id in found and one.id != unit.id)


def _groups(game: Game, side: str) -> list[frozenset[str]]:
    """The bodies of a side, and for each of its Leaders the bodies of those whom he may activate, all together."""
    units = [unit for unit in game.units if unit.side == side and figures_of(unit) and unit.type != "pef"]
    bodies = [frozenset(one.id for one in body) for body in _bodies(game, units)]
    groups = list(bodies)
    for leader in (one for one in units if one.type == "leader"):
        led = {entry["unit"] for entry in command_of(game, leader) if entry["legal"]}
        groups.append(frozenset(name for body in bodies if body & led for name in body))
    return groups


def _bodies(game: Game, units: Sequence[Unit]) -> list[list[Unit]]:
    """The units grouped by base contact, each group in list order."""
    groups: list[list[Unit]] = []
    pairs_in_contact = contacts_of(sheet_of(game), units[0].side) if units else frozenset()

    def touch(one: Unit, other: Unit) -> bool:
        return "leader" not in (one.type, other.type) and (one.id, other.id) in pairs_in_contact

    for unit in units:
        touching = [group for group in groups if any(touch(unit, other) for other in group)]
        for group in touching:
            groups.remove(group)
        groups.append([*(other for group in touching for other in group), unit])
    return [sorted(group, key=units.index) for group in groups]
