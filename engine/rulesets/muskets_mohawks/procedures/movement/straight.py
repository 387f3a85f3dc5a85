"""Straight ways of a unit as a body: how far nothing bars them, and what its formation allows (MM-44, R-22)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.geometry.moving.moves import (
    advance_to_gap,
    gap_between,
    mean_bearing,
    meets,
    moved,
    room_to_edge,
    towards,
)
from engine.geometry.moving.passing import runs_into
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.procedures.movement.fording import dry_way_mm
from engine.rulesets.muskets_mohawks.procedures.movement.going import going
from engine.rulesets.muskets_mohawks.procedures.movement.manoeuvres import manoeuvres
from engine.rulesets.muskets_mohawks.table.approaches import impassable, woods_off_roads
from engine.rulesets.muskets_mohawks.table.facts import normal_move_mm
from engine.rulesets.muskets_mohawks.table.land import Ground
from engine.rulesets.muskets_mohawks.table.sheet import Sheet, sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, formation_of, state_of

__all__ = ["ROOM_MM", "Way", "barred_by", "free_way", "in_order", "through_woods"]

#: Friends and others are left so much room.
ROOM_MM = 2.0
_STEP_MM = 10.0
_WHEELED = ("gunners", "wagon")


class Way(Struct, frozen=True, kw_only=True):
    """A straight way: its direction, its length in mm, whether it ends off the table or is gone unformed."""

    direction: Vector
    distance_mm: float
    off: bool = False
    loose: bool = False

    def taken(self, figures: Sequence[Figure]) -> tuple[Figure, ...]:
        """The figures at its end."""
        return moved(figures, self.direction, self.distance_mm)


def free_way(game: Game, unit: Unit, direction: Vector, most_mm: float, passing: Collection[str] = ()) -> Way:
    """As much of a way as nobody and nothing bars, but for the units that it is ``passing``."""
    figures = figures_of(unit)
    far = min(most_mm, room_to_edge(figures, direction, game.table))
    for other in game.units:
        if other.id != unit.id and other.id not in passing and other.figures and other.type != "pef":
            far = _up_to(figures, other.figures, direction, far)
    start = _centres(unit)
    while far > 0.0 and barred_by(game, unit, start + np.array(direction) * far):
        far = max(0.0, far - _STEP_MM)
    return Way(direction=direction, distance_mm=far)


def _up_to(figures: Sequence[Figure], others: Sequence[Figure], direction: Vector, most_mm: float) -> float:
    """How far the figures go before they come near others; those whom they touch bar only a way through them."""
    gap = gap_between(figures, others)
    if gap is not None and gap.distance_mm <= ROOM_MM + MM:
        met = runs_into(figures, others, direction, most_mm)
        return most_mm if met is None else met
    return advance_to_gap(figures, others, direction, ROOM_MM, most_mm)


def barred_by(game: Game, unit: Unit, end: NDArray[np.float64]) -> tuple[str, ...]:
    """The pieces that keep the unit from going straight to where its figures' centres would be (n, 2)."""
    start, sheet = _centres(unit), sheet_of(game)
    found = impassable(sheet, start, end)
    return (*found, *woods_off_roads(sheet, start, end)) if unit.type in _WHEELED else found


def _centres(unit: Unit) -> NDArray[np.float64]:
    """(n, 2) of those who go."""
    return np.array([(one.x_mm, one.y_mm) for one in going(unit)], dtype=float).reshape(-1, 2)


def in_order(game: Game, unit: Unit, way: Way | None) -> Way | None:
    """As much of a way as the unit's formation and water let it go in this activation (MM-44, MM-191).

    A formed unit goes but so far off its front and through no wood (MM-256); else it becomes unformed, and
    goes half of its move.
    """
    if way is None or way.off or way.distance_mm <= 0.0:
        return way
    far, loose = way.distance_mm, False
    if formation_of(unit) != "unformed" and not way.loose:
        ahead = _formed_mm(game, unit, way)
        half = min(far, max(0.0, normal_move_mm(game, unit) / 2 - state_of(unit).moved_mm))
        loose = ahead < far and ahead < half
        far = half if loose else ahead
    return Way(
        direction=way.direction, distance_mm=dry_way_mm(game, unit, way.direction, far), loose=way.loose or loose
    )


def _formed_mm(game: Game, unit: Unit, way: Way) -> float:
    """How much of the way the unit goes in its formation."""
    facing, sheet, start = mean_bearing(figures_of(unit)), sheet_of(game), _centres(unit)
    if facing is not None:
        ahead = towards(facing)
        if ahead[0] * way.direction[0] + ahead[1] * way.direction[1] < manoeuvres().ahead_cosine:
            return 0.0
    if any(wood.shape.contains(start).any() for wood in sheet.of_kind("woods")):
        return 0.0  # inside woods units are unformed (MM-189)
    far = way.distance_mm
    while far > 0.0 and through_woods(sheet, start, start + np.array(way.direction) * far):
        far = max(0.0, far - _STEP_MM)
    return far


def through_woods(sheet: Sheet, start: NDArray[np.float64], end: NDArray[np.float64]) -> tuple[str, ...]:
    """The woods into which straight paths (n, 2)-(n, 2) lead from outside, where nobody goes formed (MM-256)."""

    def enters(wood: Ground) -> bool:
        outside = ~wood.shape.contains(start)[:, 0]
        paths = zip(start[outside].tolist(), end[outside].tolist(), strict=True)
        return any(meets(wood.outline, (a[0], a[1]), (b[0], b[1])) for a, b in paths)

    return tuple(wood.id for wood in sheet.of_kind("woods") if enters(wood))
