"""Whom else a shot endangers: units behind the target, and both sides of a melee (PR-514, PR-605)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS
from engine.geometry.plane.lines import each_crosses
from engine.geometry.plane.tolerance import MM
from engine.records.game import Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.small_arms.shooting import Shot, band_limits
from engine.rulesets.presidio.table.bodies import bodies_of, range_of, shooting_points
from engine.rulesets.presidio.table.field import Field, field_of, measured, on_table
from engine.rulesets.presidio.vocabulary import state_of

__all__ = ["at_risk", "behind_doubts", "melee_units", "passed_to", "units_behind"]

Mask = NDArray[np.bool_]


def units_behind(shot: Shot) -> tuple[Unit, ...]:
    """The units, friend or foe, that take what goes through the target, in list order (PR-605)."""
    kept: dict[tuple[str, str, str], tuple[Unit, ...]] = once(shot.game, "pr_behind", dict)
    key = (shot.unit.id, shot.target.id, shot.weapon)
    if key not in kept:
        kept[key] = tuple(_units_behind(shot))
    return kept[key]


def _units_behind(shot: Shot) -> Iterator[Unit]:
    game, field = shot.game, field_of(shot.game)
    if shot.range is None or not _level_with(field, shot.unit, shot.target):
        return
    most = [*band_limits(game, shot.weapon), np.inf][2]
    behind = _behind(game, shot.unit)[field.numbers[shot.target.id]]
    for number in np.flatnonzero(_about(game)[field.numbers[shot.target.id]] & behind).tolist():
        other = game.units[number]
        away = range_of(game, shot.unit, other)
        if away is not None and away.length_mm < most - MM and _level_with(field, other, shot.target):
            yield other


def _about(game: Game) -> Mask:
    """(u, u) which other units within 12 in of each are there to be seen, by number; kept beside the game."""

    def work_out() -> Mask:
        there = np.array([on_table(one) and not state_of(one).hidden for one in game.units], dtype=bool)
        near = field_of(game).apart.value_mm <= book().mm("through") + MM
        return np.asarray(near & there[None, :] & ~np.eye(len(there), dtype=bool), dtype=bool)

    return once(game, "pr_about", work_out)


def _level_with(field: Field, unit: Unit, other: Unit) -> bool:
    """Whether two units stand on one level: their ground differs by no more than 6 mm (PR-605)."""
    one, two = (float(field.ground_mm[field.of_unit[name.id]].mean()) for name in (unit, other))
    return abs(one - two) <= book().mm("level_mm") + MM


def _behind(game: Game, unit: Unit) -> Mask:
    """(u, u) what stands behind each target of a unit, by their numbers; kept beside the game.

    It is farther off than the target, and the line to its middle runs through the target's body.
    """
    kept: dict[str, Mask] = once(game, "pr_hindmost", dict)
    if unit.id not in kept:
        field, bodies = field_of(game), bodies_of(game)
        own, count = field.numbers[unit.id], len(game.units)
        apart = np.where(field.apart.row[own] < 0, np.nan, field.apart.value_mm[own])
        farther = apart[None, :] > apart[:, None] + MM
        farther[:, own] = False
        target, other = np.nonzero(farther)
        behind = np.zeros((count, count), dtype=bool)
        start = shooting_points(game)[own]
        behind[target, other] = each_crosses(start[target], bodies.centre[other], bodies.corners()[target])
        kept[unit.id] = behind
    return kept[unit.id]


def behind_doubts(shot: Shot) -> Iterator[str]:
    """Which units may be within 12 in behind the target or not, in words."""
    field, limit = shot.field, book().mm("through")
    if shot.range is None:
        return
    number = field.numbers[shot.target.id]
    apart, sigma = field.apart.value_mm[number], field.apart.sigma_mm[number]
    doubt = (sigma > 0) & (np.abs(apart - limit) <= SIGMAS * sigma)
    if not doubt.any():
        return
    doubt &= _behind(shot.game, shot.unit)[number]
    for other in np.flatnonzero(doubt).tolist():
        name = shot.game.units[other].id
        if name not in (shot.unit.id, shot.target.id):
            yield f"whether {name} is in danger: {measured(float(apart[other]), float(sigma[other]), limit)}"


def melee_units(game: Game, target: Unit) -> tuple[Unit, ...]:
    """All units of the melee that a target is in, itself among them, in list order (PR-514)."""
    names = {target.id, *state_of(target).engaged_with}
    for other in game.units:
        if target.id in state_of(other).engaged_with:
            names.add(other.id)
    return tuple(unit for unit in game.units if unit.id in names and on_table(unit))


def at_risk(shot: Shot) -> tuple[str, ...]:
    """The other units that a shot may hit, by id in list order."""
    endangered = list(units_behind(shot))
    if shot.into_melee == "far":
        endangered += [unit for unit in melee_units(shot.game, shot.target) if unit.id != shot.target.id]
    names = {unit.id for unit in endangered}
    return tuple(unit.id for unit in shot.game.units if unit.id in names)


def passed_to(hits: int, twelves: int, number: int) -> int:
    """How many hits go on to a unit behind: the natural 12s, or half of all where only 12s hit (PR-605).

    >>> passed_to(4, 1, 8), passed_to(3, 3, 12)
    (1, 1)
    """
    return hits // 2 if number >= book().fire.die else twelves
