"""The straight way of a charge: whom it comes upon, and which friends are in its way (MM-51, MM-52, MM-148).

Water is crossed in three activations, and unforms who comes into it or out of it (MM-191).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from engine.geometry.moving.moves import advance_to_gap, centroid, gap_between, way_between
from engine.geometry.moving.passing import BRUSH_MM
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.procedures.movement.fording import held_by_water, through_water
from engine.rulesets.muskets_mohawks.table.approaches import approach
from engine.rulesets.muskets_mohawks.table.facts import in_contact
from engine.rulesets.muskets_mohawks.table.sheet import CONTACT_MM, sheet_of
from engine.rulesets.muskets_mohawks.table.spans import by_the_way, upon
from engine.rulesets.muskets_mohawks.table.told import Told
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, formation_of, state_of
from engine.rulesets.muskets_mohawks.wording import length

__all__ = ["Course", "course_of", "free_ground_mm", "goes_through_water", "met_on_the_way"]

#: Those whom nobody calls formed, whatever their formation.
_NEVER_FORMED = ("gunners", "leader", "wagon")


class _Charge(Struct, frozen=True, kw_only=True):
    """A charge along the shortest line (R-22): who goes, whither, how far until it touches its target, and
    who stands near its way."""

    unit: Unit
    target: Unit
    direction: Vector
    far_mm: float
    near: tuple[Unit, ...]


class Course(NamedTuple):
    """What a charge comes to on its way: who and what bars it, as text and row; which enemy it runs into; whether
    it goes through water."""

    barred: tuple[tuple[str, str], ...] = ()
    meets: str | None = None
    wet: bool = False


def course_of(game: Game, unit: Unit, target: Unit, spot_mm: float, *, by_reaction: bool) -> Course:
    """The course of a charge that rolls its dice ``spot_mm`` on.

    That of two units is kept from game to game while they and all who stand near the way stay.
    """
    charge = _charge(game, unit, target)
    if charge is None:
        return Course()

    def worked_out() -> Course:
        return _course(game, charge, spot_mm, by_reaction=by_reaction)

    if not sheet_of(game).owns(unit, target):
        return worked_out()
    told: Told[Course] = Told(sheet_of(game), "courses", unit)
    return told.option(target, "by reaction" if by_reaction else "", charge.near, worked_out)


def _course(game: Game, charge: _Charge, spot_mm: float, *, by_reaction: bool) -> Course:
    met = _met(game, charge)
    barred = (
        *_friends_in_the_way(game, charge, spot_mm),
        *_held_by_water(game, charge, by_reaction=by_reaction),
    )
    return Course(barred, None if met is None else met.id, _wet(game, charge))


def goes_through_water(game: Game, unit: Unit, target: Unit) -> bool:
    """Whether a charge leads into a creek or ford, through it or out of it, before it touches its target."""
    if not sheet_of(game).of_kind("creek", "ford"):
        return False
    charge = _charge(game, unit, target)
    return charge is not None and _wet(game, charge)


def _wet(game: Game, charge: _Charge) -> bool:
    wet = bool(sheet_of(game).of_kind("creek", "ford"))
    return wet and through_water(game, figures_of(charge.unit), charge.direction, charge.far_mm)


def _held_by_water(game: Game, charge: _Charge, *, by_reaction: bool) -> Iterator[tuple[str, str]]:
    """Why water does not let a unit get at a target in this activation, as text and row."""
    if not sheet_of(game).of_kind("creek", "ford"):
        return
    unit = charge.unit
    held = held_by_water(game, unit, figures_of(unit), charge.direction, charge.far_mm, fresh=by_reaction)
    if held is not None:
        yield held, "MM-191"


def met_on_the_way(game: Game, unit: Unit, target: Unit) -> Unit | None:
    """The enemy whom some of a charger come upon before its target, the first of several; None: the way is free.

    Who is in a building is not met, nor the target's own Leader beside it, nor who stands abreast of it.
    """
    charge = _charge(game, unit, target)
    return None if charge is None else _met(game, charge)


def _met(game: Game, charge: _Charge) -> Unit | None:
    found: list[tuple[float, Unit]] = []
    for other in charge.near:
        if other.side == charge.unit.side or other.id == charge.target.id:
            continue
        far = _meets(charge, other, charge.far_mm - CONTACT_MM)
        if far is not None and not _leads(game, other, charge.target):
            found.append((far, other))
    return min(found, key=lambda one: one[0])[1] if found else None


def _friends_in_the_way(game: Game, charge: _Charge, spot_mm: float) -> Iterator[tuple[str, str]]:
    """Why friends do not let a unit charge a target, as text and row.

    A formed unit does not pass another, and nobody ends upon one that he passes: neither at the spot where the
    dice are rolled, ``spot_mm`` on, nor at the target. Who fights the target already is joined there.
    """
    unit, target = charge.unit, charge.target
    for friend in charge.near:
        if friend.side != unit.side or friend.type == "leader":
            continue  # who stands alone steps aside
        span = upon(unit, friend, charge.direction, charge.far_mm)
        if span is None:
            continue
        joined = in_contact(game, friend, target) or friend.id in state_of(target).in_melee
        stops = (spot_mm,) if joined else (spot_mm, charge.far_mm)
        if not _loose(unit) and not _loose(friend):
            met = _meets(charge, friend, stops[-1])
            if met is not None:
                yield f"{friend.id} is in its way after {length(met)}", "MM-51"
        elif any(span[0] < stop < span[1] for stop in stops):
            yield f"it cannot get wholly through {friend.id}", "MM-52"


def free_ground_mm(game: Game, unit: Unit, spot: Vector) -> tuple[Vector, float] | None:
    """The way of a unit's middle to a spot, and how far it goes there without standing upon anybody; None: it is
    there already."""
    way = way_between(centroid(figures_of(unit)), spot)
    if way is None:
        return None
    direction, far = way
    near = by_the_way(sheet_of(game), unit, direction, far)
    spans = [(one, upon(unit, one, direction, far)) for one in near]
    on_it = [(one, span) for one, span in spans if span is not None]
    for one, span in sorted(on_it, key=lambda found: -found[1][0]):
        barred = one.side != unit.side or not (_loose(unit) or _loose(one))
        if span[0] < far and (barred or far < span[1]):
            far = max(0.0, span[0] - BRUSH_MM)
    return direction, far


def _charge(game: Game, unit: Unit, target: Unit) -> _Charge | None:
    """None where either has no figure, or they touch already."""
    sheet = sheet_of(game)
    if sheet.conditions.options.measure == "edge":
        way = approach(sheet, unit, target)
        line = None if way is None else way_between(way.start, way.end)
    else:  # it goes along the line between the bases, however the players measure it
        gap = gap_between(figures_of(unit), figures_of(target))
        line = None if gap is None or gap.distance_mm <= MM else (gap.direction, gap.distance_mm)
    if line is None:
        return None
    direction, far = line
    near = tuple(by_the_way(sheet, unit, direction, far))
    return _Charge(unit=unit, target=target, direction=direction, far_mm=far, near=near)


def _leads(game: Game, other: Unit, target: Unit) -> bool:
    """Whether an enemy is a Leader who is with the target."""
    return other.type == "leader" and in_contact(game, other, target)


def _loose(unit: Unit) -> bool:
    """Whether the unit goes and is gone through as those do who are unformed."""
    return formation_of(unit) == "unformed" or unit.type in _NEVER_FORMED


def _meets(charge: _Charge, other: Unit, most_mm: float) -> float | None:
    """How far the charger goes until it comes upon another unit, at most ``most_mm``; None where it does not.

    Those who stand among its figures from the first are met only by a figure that walks into them.
    """
    found = upon(charge.unit, other, charge.direction, most_mm)
    if found is None or found[0] > MM:
        return None if found is None else found[0]
    walked = advance_to_gap(figures_of(charge.unit), other.figures, charge.direction, 0.0, most_mm)
    return walked if walked < most_mm else None
