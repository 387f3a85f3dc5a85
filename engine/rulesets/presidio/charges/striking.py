"""Blows hand to hand: who can strike, with what, what he needs (PR-508, PR-510, PR-511)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.cover import base_gaps, between
from engine.geometry.plane.tolerance import MM
from engine.geometry.sight import all_lines
from engine.records.answer import Modifier
from engine.records.game import Figure, Game, Unit
from engine.rulesets.presidio.book import book, small_arms
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.small_arms.shot_numbers import effect
from engine.rulesets.presidio.table.covering import entered_at
from engine.rulesets.presidio.table.field import Field, field_of, nearest
from engine.rulesets.presidio.table.sorts import mounted
from engine.rulesets.presidio.table.strengths import is_model
from engine.rulesets.presidio.units.arms import melee_weapon_of
from engine.rulesets.presidio.vocabulary import MM_PER_IN, state_of, stats_of

__all__ = ["Blow", "Stand", "blows_of", "facing_ids", "impact_modifier", "in_reach", "needs", "stand_of"]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

_WALLS = ("wall", "palisade")


@dataclass(frozen=True)
class Stand:
    """How a struck unit stands to the one that strikes: modifiers by the ground, the wall, horses, ladders."""

    modifiers: tuple[Modifier, ...]

    @property
    def value(self) -> int:
        """What they come to."""
        return sum(int(one.extra["value"]) for one in self.modifiers)


@dataclass(frozen=True)
class Blow:
    """Figures that strike with one weapon."""

    weapon: str
    figures: tuple[str, ...]


def stand_of(game: Game, striker: Unit, struck: Unit) -> Stand:
    """What makes a unit harder or easier to strike for another, where both now stand (PR-511)."""
    return Stand(tuple(_stand(game, striker, struck)))


def _stand(game: Game, striker: Unit, struck: Unit) -> Iterator[Modifier]:
    numbers = fight_book().melee
    wall = _wall_ft(game, striker, struck)
    if wall is not None:
        low = wall <= numbers.low_wall_ft + 1e-9
        name, value = ("low wall", numbers.low_wall) if low else ("high wall", numbers.high_wall)
        yield effect(f"behind a {name}", value, "PR-511")
    if _uphill(game, striker, struck):
        yield effect("uphill", numbers.uphill, "PR-511")
    if mounted(struck):
        yield effect("mounted opponent", numbers.struck_mounted, "PR-511")
    if mounted(striker):
        yield effect("mounted", numbers.mounted, "PR-511")
    if state_of(striker).position == "ladder":
        yield effect("on a ladder", numbers.ladder, "PR-511")


def _wall_ft(game: Game, striker: Unit, struck: Unit) -> float | None:
    """How high the wall is, in feet, that at least half of a unit stands behind; None without one (PR-008)."""
    field = field_of(game)
    walls = [number for number, patch in enumerate(field.patches) if patch.kind in _WALLS]
    theirs = field.of_unit[struck.id]
    if not walls or not len(theirs) or not len(field.of_unit[striker.id]):
        return None
    crosses = ~np.isnan(entered_at(game, striker, struck)[:, walls])
    behind = crosses & (field.piece_gaps[theirs][:, walls] <= book().mm("defended") + MM)
    held = 2 * behind.sum(axis=0) >= len(theirs)
    heights = [field.patches[walls[one]].height_ft for one in np.flatnonzero(held).tolist()]
    return max((height or fight_book().melee.palisade_ft for height in heights), default=None)


def _uphill(game: Game, striker: Unit, struck: Unit) -> bool:
    """Whether the struck stand higher, where the two are nearest to each other."""
    field = field_of(game)
    near = nearest(field, field.of_unit[striker.id], field.of_unit[struck.id])
    if near is None:
        return False
    return bool(field.ground_mm[near.other] - field.ground_mm[near.one] >= book().mm("level_mm") - MM)


def impact_modifier(unit: Unit, weapon: str) -> Modifier:
    """The best bonus of a charge that comes home (PR-508)."""
    numbers = fight_book().charge
    bayonets = state_of(unit).bayonets or weapon == "bayonet"
    spear = weapon == "spear"
    lance = weapon in ("lance", "flint-lance") or spear
    found = [("impact on horseback", numbers.mounted)] if mounted(unit) else [("impact on foot", numbers.foot)]
    if mounted(unit) and lance:
        found.append(("impact with the lance", numbers.mounted_points))
    if not mounted(unit) and (bayonets or spear):
        found.append(("impact with the point", numbers.points))
    name, value = min(found, key=lambda one: one[1])
    return effect(name, value, "PR-508")


def needs(unit: Unit, target: Unit, weapon: str, stand: Stand, *, impact: bool) -> tuple[int, tuple[Modifier, ...]]:
    """What a striker needs on a d12, and what makes it so (PR-510)."""
    own, theirs = stats_of(unit).melee, stats_of(target).melee
    bonus = (impact_modifier(unit, weapon),) if impact else ()
    found = (
        effect("own Melee", -own, "PR-510"), effect("opponent's Melee", theirs, "PR-510"), *stand.modifiers,
        *bonus,
    )  # fmt: skip
    number = small_arms()[weapon].hit + sum(int(one.extra["value"]) for one in found)
    return max(number, fight_book().melee.least), tuple(one for one in found if one.extra["value"])


def in_reach(game: Game, unit: Unit, figure: Figure) -> float:
    """How far a figure strikes, in mm: into contact, with spears, lances and bayonets an inch (PR-510)."""
    numbers = fight_book().melee
    long = melee_weapon_of(unit, figure) in numbers.long or state_of(unit).bayonets
    return numbers.reach * MM_PER_IN if long else book().mm("touching_mm")


def blows_of(game: Game, unit: Unit, target: Unit) -> tuple[Blow, ...]:
    """The figures of a unit that can strike at another, weapon by weapon as they stand in the list (PR-510)."""
    found: dict[str, list[str]] = {}
    strikes: list[bool] = np.any(_strikes(game, unit, target), axis=1).tolist()
    for figure, able in zip(_standing(game, unit), strikes, strict=True):
        if able:
            found.setdefault(melee_weapon_of(unit, figure), []).append(figure.id)
    return tuple(Blow(weapon, tuple(names)) for weapon, names in found.items())


def facing_ids(game: Game, unit: Unit, target: Unit) -> tuple[str, ...]:
    """The figures of the target that somebody of the unit can strike at."""
    struck: list[bool] = np.any(_strikes(game, unit, target), axis=0).tolist()
    return tuple(figure.id for figure, one in zip(_standing(game, target), struck, strict=True) if one)


def _standing(game: Game, unit: Unit) -> tuple[Figure, ...]:
    field = field_of(game)
    return tuple(field.figures[number] for number in field.of_unit[unit.id].tolist())


def _strikes(game: Game, unit: Unit, target: Unit) -> Mask:
    """(n, m) whom of the target each man of a unit can strike at: in reach, or over a barrier between them."""
    field = field_of(game).as_measured
    mine, theirs = field.of_unit[unit.id], field.of_unit[target.id]
    far = np.array([in_reach(game, unit, figure) for figure in _standing(game, unit)])
    near: Mask = field.edges.value_mm[np.ix_(mine, theirs)] <= far[:, None] + MM
    if not near.any() and len(mine) and len(theirs):
        near = _over_barriers(field, mine, theirs)
    men = [np.array([not is_model(field, one) for one in which.tolist()], dtype=bool) for which in (mine, theirs)]
    return np.asarray(near & men[0][:, None] & men[1][None, :], dtype=bool)


def _over_barriers(field: Field, mine: Index, theirs: Index) -> Mask:
    """(n, m) who stand either side of a thin barrier, an inch of ground between them at most (PR-517)."""
    lines = [number for number, patch in enumerate(field.patches) if patch.line and patch.barrier != "none"]
    ours, others = field.bases.pick(mine), field.bases.pick(theirs)
    if not lines:
        return np.zeros((len(mine), len(theirs)), dtype=bool)
    pieces, limit = field.pieces.pick(lines), book().mm("defended") + book().mm("touching_mm")
    apart = base_gaps(ours, pieces)[:, None, :] + base_gaps(others, pieces)[None, :, :]
    found = between(all_lines(ours.centre, others.centre), pieces, ours, others)
    crossed = ~np.isnan(found.first.reshape(len(mine), len(theirs), len(lines)))
    return np.asarray((crossed & (apart <= limit + MM)).any(axis=2), dtype=bool)
