"""A higher Leader whom nobody plays keeps with his men; when none are left he goes off by his own edge (MM-227)."""

from __future__ import annotations

from typing import Any

from engine.events import Change, Event, PlaceFigures
from engine.geometry.moving.moves import advance_to_gap, bearing_to, centroid, gap_between, places, way_between
from engine.play import Procedure, happen
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.procedures.changes import state
from engine.rulesets.muskets_mohawks.procedures.movement.fording import dry_way_mm
from engine.rulesets.muskets_mohawks.procedures.movement.going import after_going
from engine.rulesets.muskets_mohawks.procedures.movement.leaving import gone_off
from engine.rulesets.muskets_mohawks.procedures.movement.straight import Way, free_way
from engine.rulesets.muskets_mohawks.procedures.solo.np_closing import foe_of, left_mm
from engine.rulesets.muskets_mohawks.procedures.solo.np_ways import withdrawing
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of

__all__ = ["keep_with_men"]

_NO_MEN = ("leader", "pef", "wagon", "civilian")


def keep_with_men(game: Game, unit: Unit) -> Procedure[None]:
    """The Leader's activation: as near to his nearest men as his move leads; stunned, he stays (R-26)."""
    men = None if state_of(unit).had_enough else _nearest_men(game, unit)
    way = withdrawing(game, unit) if men is None else _towards(game, unit, men)
    stunned = state_of(unit).stunned or any(figure.status == "stunned" for figure in unit.figures)
    if way.off and not stunned:
        left = {"unit": unit.id, "edge": game.side(unit.side).edge}
        yield from happen(Event(event="left-field", facts=left, changes=gone_off(game, unit), rule="MM-227"))
        return
    distance = 0.0 if stunned else dry_way_mm(game, unit, way.direction, way.distance_mm)
    changes: list[Change] = [*state(unit.id, activated=True, moved_mm=state_of(unit).moved_mm + distance)]
    facts: dict[str, Any] = {"unit": unit.id, "moved_mm": distance}
    if distance:
        gone, foe = Way(direction=way.direction, distance_mm=distance).taken(unit.figures), foe_of(game, unit)
        facing = None if foe is None else bearing_to(centroid(gone), centroid(figures_of(foe)))
        changes += [PlaceFigures(places=places(gone, facing)), *after_going(game, unit, gone)]
        facts["to_mm"] = list(centroid(gone))
        facts |= {"back": True} if men is None else {"men": men.id}
    yield from happen(Event(event="np-leader", facts=facts, changes=tuple(changes), rule="MM-227"))


def _nearest_men(game: Game, leader: Unit) -> Unit | None:
    gaps = [
        (gap.distance_mm, one.id)
        for one in game.units
        if one.side == leader.side and one.type not in _NO_MEN and figures_of(one)
        and (gap := gap_between(figures_of(leader), figures_of(one))) is not None
    ]  # fmt: skip
    return game.unit(min(gaps)[1]) if gaps else None


def _towards(game: Game, leader: Unit, men: Unit) -> Way:
    """Straight at the nearest of his men until he touches him, as far as nothing bars his way."""
    figures = figures_of(leader)
    near = min(
        figures_of(men), key=lambda one: (one.x_mm - figures[0].x_mm) ** 2 + (one.y_mm - figures[0].y_mm) ** 2
    )
    there = way_between(centroid(figures), (near.x_mm, near.y_mm))
    if there is None:
        return Way(direction=(0.0, 1.0), distance_mm=0.0)
    far = advance_to_gap(figures, figures_of(men), there[0], 0.0, left_mm(game, leader))
    return free_way(game, leader, there[0], far, passing=(men.id,))
