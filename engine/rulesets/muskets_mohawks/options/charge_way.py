"""The straight way of a charge: whom it comes upon, and which friends are in its way (MM-51, MM-52, MM-148).

Water is crossed in three activations, and unforms who comes into it or out of it (MM-191).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from engine.geometry.moving.moves import advance_to_gap, centroid, gap_between, way_between
from engine.geometry.moving.passing import BRUSH_MM, overlap, runs_into
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.records.game import Figure, Game, Round, Unit
from engine.rulesets.muskets_mohawks.procedures.movement.fording import held_by_water, through_water
from engine.rulesets.muskets_mohawks.table.facts import in_contact
from engine.rulesets.muskets_mohawks.table.sheet import CONTACT_MM, sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, formation_of, state_of
from engine.rulesets.muskets_mohawks.wording import length

__all__ = ["Course", "course_of", "free_ground_mm", "goes_through_water", "met_on_the_way"]

#: Those whom nobody calls formed, whatever their formation.
_NEVER_FORMED = ("gunners", "leader", "wagon")


class _Charge(Struct, frozen=True, kw_only=True):
    """A charge along the shortest line (R-22): who goes, whither, and how far until it touches its target."""

    unit: Unit
    target: Unit
    figures: tuple[Figure, ...]
    direction: Vector
    far_mm: float


class Course(NamedTuple):
    """What a charge comes to on its way: who and what bars it, as text and row; which enemy it runs into; whether
    it goes through water."""

    barred: tuple[tuple[str, str], ...] = ()
    meets: str | None = None
    wet: bool = False


def course_of(game: Game, unit: Unit, target: Unit, spot_mm: float, *, by_reaction: bool) -> Course:
    """The course of a charge that rolls its dice ``spot_mm`` on."""
    met = met_on_the_way(game, unit, target)
    barred = (
        *_friends_in_the_way(game, unit, target, spot_mm),
        *_held_by_water(game, unit, target, by_reaction=by_reaction),
    )
    return Course(barred, None if met is None else met.id, goes_through_water(game, unit, target))


def goes_through_water(game: Game, unit: Unit, target: Unit) -> bool:
    """Whether a charge leads into a creek or ford, through it or out of it, before it touches its target."""
    if not sheet_of(game).of_kind("creek", "ford"):
        return False
    charge = _charge(unit, target)
    return charge is not None and through_water(game, charge.figures, charge.direction, charge.far_mm)


def _held_by_water(game: Game, unit: Unit, target: Unit, *, by_reaction: bool) -> Iterator[tuple[str, str]]:
    """Why water does not let a unit get at a target in this activation, as text and row."""
    if not sheet_of(game).of_kind("creek", "ford"):
        return
    charge = _charge(unit, target)
    if charge is None:
        return
    held = held_by_water(game, unit, charge.figures, charge.direction, charge.far_mm, fresh=by_reaction)
    if held is not None:
        yield held, "MM-191"


def met_on_the_way(game: Game, unit: Unit, target: Unit) -> Unit | None:
    """The enemy whom some of a charger come upon before its target, the first of several; None: the way is free.

    Who is in a building is not met, nor the target's own Leader beside it, nor who stands abreast of it.
    """
    charge = _charge(unit, target)
    if charge is None:
        return None
    found: list[tuple[float, Unit]] = []
    for other in game.enemies(unit):
        if other.id == target.id or not _stands(other) or _aside(charge, other) or _leads(game, other, target):
            continue
        far = _meets(charge, figures_of(other), charge.far_mm - CONTACT_MM)
        if far is not None:
            found.append((far, other))
    return min(found, key=lambda one: one[0])[1] if found else None


def _friends_in_the_way(game: Game, unit: Unit, target: Unit, spot_mm: float) -> Iterator[tuple[str, str]]:
    """Why friends do not let a unit charge a target, as text and row.

    A formed unit does not pass another, and nobody ends upon one that he passes: neither at the spot where the
    dice are rolled, ``spot_mm`` on, nor at the target. Who fights the target already is joined there.
    """
    charge = _charge(unit, target)
    if charge is None:
        return
    for friend in game.units:
        if friend.side != unit.side or friend.id == unit.id or not _stands(friend) or _aside(charge, friend):
            continue
        if friend.type == "leader":
            continue  # one man steps aside
        joined = in_contact(game, friend, target) or friend.id in state_of(target).in_melee
        stops = (spot_mm,) if joined else (spot_mm, charge.far_mm)
        if not _loose(unit) and not _loose(friend):
            met = _meets(charge, friend.figures, stops[-1])
            if met is not None:
                yield f"{friend.id} is in its way after {length(met)}", "MM-51"
        elif any(_upon(charge, friend.figures, stop) for stop in stops):
            yield f"it cannot get wholly through {friend.id}", "MM-52"


def free_ground_mm(game: Game, unit: Unit, spot: Vector) -> tuple[Vector, float] | None:
    """The way of a unit's middle to a spot, and how far it goes there without standing upon anybody; None: it is
    there already."""
    figures = figures_of(unit)
    way = way_between(centroid(figures), spot)
    if way is None:
        return None
    direction, far = way
    others = (one for one in game.units if one.id != unit.id and _stands(one))
    spans = [(one, overlap(figures, one.figures, direction)) for one in others]
    on_it = [(one, span) for one, span in spans if span is not None]
    for one, span in sorted(on_it, key=lambda found: -found[1][0]):
        barred = one.side != unit.side or not (_loose(unit) or _loose(one))
        if span[0] < far and (barred or far < span[1]):
            far = max(0.0, span[0] - BRUSH_MM)
    return direction, far


def _charge(unit: Unit, target: Unit) -> _Charge | None:
    """None where either has no figure, or they touch already."""
    figures = figures_of(unit)
    gap = gap_between(figures, figures_of(target))
    if gap is None or gap.distance_mm <= MM:
        return None
    return _Charge(unit=unit, target=target, figures=figures, direction=gap.direction, far_mm=gap.distance_mm)


def _stands(other: Unit) -> bool:
    """Whether a unit stands in the open, where others may come upon it; markers are nobody."""
    return bool(other.figures) and other.type != "pef" and state_of(other).in_building is None


def _aside(charge: _Charge, other: Unit) -> bool:
    """Whether another stands aside of the way, behind or beyond it, so that the charger comes not near it."""
    (dx, dy), far = charge.direction, charge.far_mm
    left, right = _span(charge.figures, (dy, -dx))
    back, front = _span(charge.figures, (dx, dy))
    others = _span(other.figures, (dy, -dx)), _span(other.figures, (dx, dy))
    across = others[0][0] < right and left < others[0][1]
    return not (across and others[1][0] < front + far and back < others[1][1])


def _span(figures: Sequence[Figure], axis: Vector) -> tuple[float, float]:
    """From where to where along an axis bases may lie, however they are turned."""
    along = [one.x_mm * axis[0] + one.y_mm * axis[1] for one in figures]
    size = max(_size_mm(one) for one in figures)
    return min(along) - size, max(along) + size


def _size_mm(figure: Figure) -> float:
    base = figure.base
    return base.diameter_mm / 2.0 if isinstance(base, Round) else math.hypot(base.width_mm, base.depth_mm) / 2.0


def _leads(game: Game, other: Unit, target: Unit) -> bool:
    """Whether an enemy is a Leader who is with the target."""
    return other.type == "leader" and in_contact(game, other, target)


def _loose(unit: Unit) -> bool:
    """Whether the unit goes and is gone through as those do who are unformed."""
    return formation_of(unit) == "unformed" or unit.type in _NEVER_FORMED


def _meets(charge: _Charge, others: Sequence[Figure], most_mm: float) -> float | None:
    """How far the charger goes until it comes upon others, at most ``most_mm``; None where it does not.

    Those who stand among its figures from the first are met only by a figure that walks into them.
    """
    far = runs_into(charge.figures, others, charge.direction, most_mm)
    if far is None or far > MM:
        return far
    walked = advance_to_gap(charge.figures, others, charge.direction, 0.0, most_mm)
    return walked if walked < most_mm else None


def _upon(charge: _Charge, others: Sequence[Figure], far_mm: float) -> bool:
    """Whether the charger has come to stand upon others when it has gone so far."""
    found = overlap(charge.figures, others, charge.direction)
    return found is not None and found[0] < far_mm < found[1]
