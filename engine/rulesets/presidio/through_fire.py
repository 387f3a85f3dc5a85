"""Whom else a shot endangers: units behind the target, and both sides of a melee (PR-514, PR-605)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS
from engine.geometry.lines import crossing_points
from engine.geometry.tolerance import MM
from engine.records.game import Game, Unit
from engine.rulesets.kept import once
from engine.rulesets.presidio.bodies import body_of, range_of
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.field import Field, field_of, measured, on_table, units_apart
from engine.rulesets.presidio.shooting import Shot, band_limits
from engine.rulesets.presidio.vocabulary import state_of

__all__ = ["at_risk", "behind_doubts", "melee_units", "passed_to", "units_behind"]

Array = NDArray[np.float64]


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
    for other in _about(game, shot.target):
        if other.id == shot.unit.id or not _behind(shot, other):
            continue
        away = range_of(game, shot.unit, other)
        if away is not None and away.length_mm < most - MM and _level_with(field, other, shot.target):
            yield other


def _about(game: Game, target: Unit) -> tuple[Unit, ...]:
    """The other units within 12 in of a target that are there to be seen, in list order; kept beside the game."""
    kept: dict[str, tuple[Unit, ...]] = once(game, "pr_about", dict)
    if target.id not in kept:
        limit = book().mm("through") + MM
        others = (other for other in game.units if other.id != target.id and on_table(other))
        near = ((other, units_apart(game, target, other)) for other in others if not state_of(other).hidden)
        kept[target.id] = tuple(other for other, gap in near if gap is not None and gap.distance_mm <= limit)
    return kept[target.id]


def _level_with(field: Field, unit: Unit, other: Unit) -> bool:
    """Whether two units stand on one level: their ground differs by no more than 6 mm (PR-605)."""
    one, two = (float(field.ground_mm[field.of_unit[name.id]].mean()) for name in (unit, other))
    return abs(one - two) <= book().mm("level_mm") + MM


def _behind(shot: Shot, other: Unit) -> bool:
    """Whether a unit is farther off than the target, and the line to its middle runs through the target's body."""
    game = shot.game
    to_target, to_other = (units_apart(game, shot.unit, one) for one in (shot.target, other))
    if shot.range is None or to_target is None or to_other is None:
        return False
    if to_other.distance_mm <= to_target.distance_mm + MM:
        return False
    start, end = np.array([shot.range.start]), body_of(game, other).centre
    corners = body_of(game, shot.target).corners()[0]
    return bool(len(crossing_points(start, end, corners, np.roll(corners, -1, axis=0))))


def behind_doubts(shot: Shot) -> Iterator[str]:
    """Which units may be within 12 in behind the target or not, in words."""
    limit = book().mm("through")
    for other in shot.game.units:
        near = units_apart(shot.game, shot.target, other)
        if other.id in (shot.unit.id, shot.target.id) or near is None or near.sigma_mm <= 0:
            continue
        if abs(near.distance_mm - limit) <= SIGMAS * near.sigma_mm and _behind(shot, other):
            yield f"whether {other.id} is in danger: {measured(near.distance_mm, near.sigma_mm, limit)}"


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
