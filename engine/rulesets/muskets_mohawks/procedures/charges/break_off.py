"""The action ``break-off``: away from the enemy, who follows (MM-163, MM-164)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event, PlaceFigures, SetFigure, apply
from engine.geometry.moving.moves import (
    away,
    centroid,
    gap_between,
    mean_bearing,
    moved,
    places,
    room_to_edge,
)
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import at_least, at_most
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.actions import action_reasons
from engine.rulesets.muskets_mohawks.options.fire_reasons import AT_GUN_MM
from engine.rulesets.muskets_mohawks.procedures.changes import formed, parted, state, state_where
from engine.rulesets.muskets_mohawks.procedures.movement.going import unformed_by_water
from engine.rulesets.muskets_mohawks.procedures.refusal import refuse_friends
from engine.rulesets.muskets_mohawks.table.approaches import impassable
from engine.rulesets.muskets_mohawks.table.facts import in_contact
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, formation_of, gun_of, state_of

__all__ = ["BreakOffKeys", "break_off"]

#: Farther than seven inches nobody breaks off.
_FARTHEST_MM = 7 * MM_PER_INCH
_STEP_MM = 2.0


class BreakOffKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``break-off``."""

    enemy: str


def break_off(game: Game, action: Action, keys: BreakOffKeys) -> Procedure[None]:
    """Begins the action. Raises ActionRefused."""
    unit, enemy = game.unit(action.unit or ""), game.unit(keys.enemy)
    refuse_friends(unit, enemy)
    reasons, lost = Reasons(), Reasons()
    reasons.extend(action_reasons(game, unit, "break-off"))
    fighting = enemy.id in state_of(unit).in_melee or in_contact(game, unit, enemy)
    reasons.add(not reasons and not fighting, f"{unit.id} is not in melee with {enemy.id}", "MM-163")
    against = allow(action, reasons)
    for one in (unit, enemy):
        lost.add(not figures_of(one), f"{one.id} has no figures on the table", "MM-163")
    allow(Action(action="break-off"), lost)
    return _break_off(game, action, keys.enemy, against)


def _break_off(game: Game, action: Action, enemy: str, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    assert action.unit is not None
    unit = action.unit
    thrown = yield from roll(Roll(purpose=f"{unit} breaks off", count=1, rule="MM-163"))
    follow = yield from roll(Roll(purpose=f"{enemy} follows up", count=1, rule="MM-163"))
    record, foe = game.unit(unit), game.unit(enemy)
    direction, room = _way(game, record, foe)
    distance = min((1 + thrown.total) * MM_PER_INCH, room)
    stays = formation_of(foe) == "square"  # a square cannot move (MM-246)
    follow_mm = 0.0 if stays else (1 + math.ceil(follow.total / 2)) * MM_PER_INCH
    contact = at_least(follow_mm, distance)
    facts = {
        "unit": unit, "enemy": enemy, "distance_mm": distance, "follow_mm": follow_mm, "contact": contact,
    }  # fmt: skip
    back = moved(figures_of(record), direction, distance)
    gone = (*back, *_following(game, foe, direction, min(follow_mm, distance), back if contact else ()))
    changes: list[Change] = [
        PlaceFigures(places=places(gone)),
        *state(unit, activated=True),
        *state_where(record, behind=None, at_edge_since=None, prone=False),
        *(() if stays else state_where(foe, prone=False)),  # who goes after them is up
        *(_come_out(foe) if min(follow_mm, distance) > 0.0 else ()),
    ]
    changes += [change for one in (record, foe) for change in _gun_left(one, gone)]
    changes += [change for one in (record, foe) for change in unformed_by_water(game, one, gone)]
    moved_game = apply(game, Event(event="break-off", changes=tuple(changes)))
    changes += state(enemy, following_up=contact)
    changes += _parted(game, moved_game, unit, enemy, contact=contact)
    yield from happen(Event(event="break-off", facts=facts, changes=tuple(changes), rule="MM-163"))


def _following(
    game: Game, foe: Unit, direction: Vector, far_mm: float, held: Sequence[Figure]
) -> tuple[Figure, ...]:
    """The followers at the end of their way; a garrison comes out of its house, up to whom it has ``held``."""
    figures, house = figures_of(foe), sheet_of(game).building_of(foe)
    if house is None or far_mm <= 0.0:
        return moved(figures, direction, far_mm)
    gap = gap_between(figures, held)
    if gap is not None:
        return moved(figures, gap.direction, gap.distance_mm)
    while house.shape.contains([(one.x_mm, one.y_mm) for one in moved(figures, direction, far_mm)]).any():
        far_mm += _STEP_MM
    return moved(figures, direction, far_mm)


def _come_out(foe: Unit) -> tuple[Change, ...]:
    """Who follows out of a house is in it no more: all of them are outside, in mob as who leaves it (MM-171)."""
    if state_of(foe).in_building is None:
        return ()
    levels = (SetFigure(figure=one.id, key="level", value=None) for one in foe.figures if one.level is not None)
    order = formed(foe.id, "unformed" if foe.type in ("gunners", "leader") else "mob")
    return (*state(foe.id, in_building=None), *order, *levels)


def _parted(game: Game, after: Game, unit: str, enemy: str, *, contact: bool) -> tuple[Change, ...]:
    """Who is out of contact after it: the two where nobody has followed, and either and its other opponents.

    The one that follows loses those whom it leaves behind (MM-162, MM-164).
    """
    leaves = {
        one: [
            other for other in state_of(game.unit(one)).in_melee
            if other in game.by_id and other != mate and not in_contact(after, after.unit(one), after.unit(other))
        ]
        for one, mate in ((unit, enemy), (enemy, unit))
    }  # fmt: skip
    if not contact:
        leaves[unit].append(enemy)
    changes = parted(after, game.unit(unit), leaves[unit])
    now = apply(after, Event(event="break-off", changes=changes))
    return (*changes, *parted(now, now.unit(enemy), leaves[enemy]))


def _gun_left(unit: Unit, gone: Sequence[Figure]) -> tuple[Change, ...]:
    """A crew that its fight has led away from its gun has left it (R-35)."""
    gun = gun_of(unit)
    crew = [figure for figure in gone if figure.id in {one.id for one in figures_of(unit)}]
    gap = None if gun is None else gap_between(crew, [gun])
    return () if gap is None or at_most(gap.distance_mm, AT_GUN_MM) else state_where(unit, left_gun=True)


def _way(game: Game, unit: Unit, foe: Unit) -> tuple[Vector, float]:
    """Straight away from the enemy, and how far to the table's edge or what cannot be entered."""
    figures = figures_of(unit)
    direction = away(centroid(figures), centroid(figures_of(foe)), mean_bearing(figures))
    room = min(room_to_edge(figures, direction, game.table), _FARTHEST_MM)
    start, sheet = np.array([(one.x_mm, one.y_mm) for one in figures], dtype=float), sheet_of(game)
    while room > 0.0 and impassable(sheet, start, start + np.array(direction) * room):
        room = max(0.0, room - _STEP_MM)
    return direction, room
