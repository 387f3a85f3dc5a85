"""Who sees whom: the views of a game, kept beside it, and the enemies in sight (TY-37, TY-38, TY-41 to TY-46)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.records.game import Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.tyneside.table.facts import Near, as_target, home_of
from engine.rulesets.tyneside.table.field import field_of
from engine.rulesets.tyneside.table.looking import looks_at
from engine.rulesets.tyneside.table.views import View
from engine.rulesets.tyneside.vocabulary import figures_of, state_of

__all__ = [
    "enemies_in_sight", "guests_in_sight", "look_round", "nearest_in_sight", "nearest_in_view", "targets_seen",
    "view_of",
]  # fmt: skip


def view_of(game: Game, unit: Unit, target: Unit) -> View:
    """What a unit sees of another and of who belongs to it; kept beside the game."""
    kept: dict[tuple[str, str], View] = once(game, "ty_views", dict)
    key = (unit.id, target.id)
    if key not in kept:
        (kept[key],) = looks_at(game, unit, [target])
    return kept[key]


def look_round(game: Game, unit: Unit) -> None:
    """Works out at once what a unit sees of all its enemies: quicker than one by one."""
    kept: dict[tuple[str, str], View] = once(game, "ty_views", dict)
    fresh = [enemy for enemy in game.enemies(unit) if (unit.id, enemy.id) not in kept]
    for enemy, view in zip(fresh, looks_at(game, unit, fresh) if fresh else (), strict=True):
        kept[unit.id, enemy.id] = view


def targets_seen(game: Game, unit: Unit, target: Unit) -> tuple[str, ...]:
    """The figures of a target whose whole base somebody of the unit sees, in list order (TY-38, TY-41)."""
    view = view_of(game, unit, target)
    return view.field.names(view.targets[view.sees.any(axis=0)])


def enemies_in_sight(game: Game, unit: Unit) -> tuple[tuple[Unit, Near], ...]:
    """The enemy units of which the unit sees a figure, each with the nearest of those; hidden markers are none."""
    kept: dict[str, tuple[tuple[Unit, Near], ...]] = once(game, "ty_in_sight", dict)
    if unit.id not in kept:
        look_round(game, unit)
        kept[unit.id] = tuple(_in_sight(game, unit))
    return kept[unit.id]


def _in_sight(game: Game, unit: Unit) -> Iterator[tuple[Unit, Near]]:
    for enemy in game.enemies(unit):
        if state_of(enemy).hidden or not len(as_target(game, enemy)):
            continue
        near = nearest_in_view(view_of(game, unit, enemy))
        if near is not None:
            yield enemy, near


def guests_in_sight(game: Game, unit: Unit) -> Iterator[tuple[Unit, Near]]:
    """The enemy units who are shot at in other groups alone, as a leader among his men, and of whom one is seen.

    `enemies_in_sight` counts them in those groups (TY-38); they are enemies with weapons of their own all the same.
    """
    field, homes = field_of(game), home_of(game)
    for enemy in game.enemies(unit):
        if state_of(enemy).hidden or len(as_target(game, enemy)):
            continue
        for host in dict.fromkeys(homes[figure.id] for figure in figures_of(enemy)):
            near = nearest_in_view(view_of(game, unit, game.unit(host)), field.of_unit[enemy.id])
            if near is not None:
                yield enemy, near


def nearest_in_view(view: View, of: NDArray[np.intp] | None = None) -> Near | None:
    """The nearest looker and target that he sees, of these alone if given; None where nothing is seen."""
    sees = view.sees if of is None else view.sees & np.isin(view.targets, of)
    if not sees.any():
        return None
    apart = np.where(sees, np.round(view.apart(), 6), np.inf)
    row, column = np.unravel_index(int(apart.argmin()), apart.shape)
    one, other = int(view.lookers[row]), int(view.targets[column])
    distances = view.field.apart
    return Near(one, other, float(distances.value_mm[one, other]), float(distances.sigma_mm[one, other]))


def nearest_in_sight(game: Game, unit: Unit) -> tuple[Unit, Near] | None:
    """The nearest enemy unit that a unit sees, measured from the nearest figure (TY-37)."""
    return min(enemies_in_sight(game, unit), key=lambda one: round(one[1].distance_mm, 6), default=None)
