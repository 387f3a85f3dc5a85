"""What keeps a unit from firing, but for sight and range, and how many dice it throws (TY-32 to TY-38)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.geometry.certainty import SIGMAS
from engine.records.game import Game, Unit
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.table.facts import Near, as_target, home_of, lone_leaders
from engine.rulesets.tyneside.table.field import cm, field_of, measured
from engine.rulesets.tyneside.table.sight import enemies_in_sight, nearest_in_sight, nearest_in_view, view_of
from engine.rulesets.tyneside.vocabulary import (
    carries,
    conditions_of,
    figures_of,
    is_character,
    only_commands,
    solo_run,
    state_of,
    stats_of,
    weapons,
)

__all__ = ["nearest_doubt", "own_reasons", "shots", "target_reasons"]


def shots(game: Game, unit: Unit, shooters: int) -> int:
    """How many dice so many shooters throw (TY-32, TY-33, TR-7)."""
    state = state_of(unit)
    if not shooters or is_character(unit) or (state.commanded and stats_of(unit).volley):
        return shooters
    each = book().shots.standing if state.moved == "none" else book().shots.moving
    up = conditions_of(game).options.round_shots == "up"
    return max(1, -(-shooters // each) if up else shooters // each)


def own_reasons(game: Game, unit: Unit, weapon: str) -> Iterator[tuple[str, str]]:
    """What keeps a unit from firing a weapon at anybody."""
    state = state_of(unit)
    if state.hidden:
        yield f"{unit.id} is still a hidden marker", "TY-82"
    elif not figures_of(unit):
        yield f"{unit.id} has no figures left", "TY-40"
    shoots = weapon in weapons() and weapons()[weapon].shoots
    if not shoots:
        yield "has no weapon" if weapon == "none" else f"a {weapon} is not shot or thrown", "TY-30"
    others = _others_fired(unit, weapon)
    if state.fired and not others and game.turn.active_side in (None, unit.side):
        yield "has fired this turn", "TY-09"
    if only_commands(unit):
        yield "has thrown all his dice for command: who also fires this turn throws one fewer", "TY-11"
    loads = shoots and weapons()[weapon].loads
    if not state.commanded:
        if state.moved == "full" and not solo_run(game, unit.side):
            yield "uncommanded, and moved faster than half speed this turn", "TY-35"
        return
    if loads and not state.loaded and not any(weapons()[other].loads for other in others):
        yield "not loaded: spend a halted turn loading first", "TY-34"
    elif loads and state.activity == "loading":
        yield "loads this turn, to fire in a later one", "TY-34"
    if state.moved == "full" and (loads or conditions_of(game).options.bows_half_speed):
        yield "moved faster than half speed this turn", "TY-34"


def _others_fired(unit: Unit, weapon: str) -> tuple[str, ...]:
    """The weapons fired this turn, where nobody who carries this one has fired any of them; else none.

    A group of mixed arms fires each of them, and what it loaded was loaded for all (TY-32, TY-34).
    """
    fired = state_of(unit).fired_with or ()
    mine = [figure for figure in figures_of(unit) if carries(unit, figure, weapon)]
    return () if any(carries(unit, figure, other) for figure in mine for other in fired) else fired


def target_reasons(game: Game, unit: Unit, target: Unit, figure: str | None) -> Iterator[tuple[str, str]]:
    """What keeps a unit from firing at a target, whatever the weapon."""
    character, here = is_character(unit), figures_of(target)
    if state_of(target).hidden:
        yield f"{target.id} is a hidden marker", "TY-82"
    elif not here:
        yield f"{target.id} has no figures left", "TY-40"
    elif not character and not len(as_target(game, target)):
        yield f"{target.id} belongs to {home_of(game)[here[0].id]}: only player characters pick him out", "TY-38"
    if figure is not None and not character and figure not in lone_leaders(game):
        yield "only player characters pick out a figure", "TY-37"
    nearest = None if state_of(unit).commanded else nearest_in_sight(game, unit)
    shown = nearest is not None and any(one.id == target.id for one, _ in enemies_in_sight(game, unit))
    mine = _nearest_aimed_at(game, unit, target, figure) if shown else None
    if nearest is not None and mine is not None:
        first, near = nearest
        if round(mine.distance_mm, 6) > round(near.distance_mm, 6):
            whom = first.id if first.id != target.id else field_of(game).figures[near.other].id
            text = f"{whom}, {cm(near.distance_mm)} away"
            yield f"uncommanded units shoot at the nearest enemy they see: {text}", "TY-37"


def _nearest_aimed_at(game: Game, unit: Unit, target: Unit, figure: str | None) -> Near | None:
    """The nearest that a unit sees of whom fire at a target may hit: a leader who stands apart is none of it."""
    view, lone = view_of(game, unit, target), lone_leaders(game)
    names = view.field.names(view.targets)
    aimed = [name == figure if figure is not None else name not in lone for name in names]
    return nearest_in_view(view, view.targets[np.array(aimed, dtype=bool)]) or nearest_in_view(view)


def nearest_doubt(game: Game, unit: Unit, target: Unit) -> tuple[str, ...]:
    """Which enemy is nearer to uncommanded troops, in words, where the measurement cannot settle it (TY-37)."""
    nearest = None if state_of(unit).commanded else nearest_in_sight(game, unit)
    if nearest is None:
        return ()
    first, near = nearest
    said = []
    for enemy, other in enemies_in_sight(game, unit):
        spread = SIGMAS * float((near.sigma_mm**2 + other.sigma_mm**2) ** 0.5)
        close = spread > 0 and other.distance_mm - near.distance_mm <= spread
        if enemy.id != first.id and close and target.id in (enemy.id, first.id):
            said.append(
                f"nearest enemy: {first.id} or {enemy.id}: "
                f"{measured(other.distance_mm, other.sigma_mm, near.distance_mm)}"
            )
    return tuple(said)
