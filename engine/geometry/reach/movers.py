"""Bodies about to move, what they have to mind, and by which manoeuvres; rulebooks hand in the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.geometry.plane.directions import unit_vector
from engine.geometry.reach.blockers import NOTHING, Blockers
from engine.geometry.reach.going import OPEN, Ground
from engine.geometry.reach.overlaps import Couples, couples_of
from engine.geometry.reach.stars import hull_points
from engine.geometry.shapes.bases import Bases

__all__ = [
    "Body", "Manoeuvre", "Mover", "Setting", "Straight", "Wheel", "body_of", "farthest_mm", "left_for",
    "wheel_ends",
]  # fmt: skip

Array = NDArray[np.float64]


class Straight(Struct, frozen=True, kw_only=True):
    """A straight line: up to ``half_deg`` either side of the bearing ``turn_deg`` off the facing.

    ``factor`` is the share of the normal speed, ``cost_mm`` a price paid first (for turning about, say).
    """

    turn_deg: float = 0.0
    half_deg: float = 0.0
    factor: float = 1.0
    cost_mm: float = 0.0


class Wheel(Struct, frozen=True, kw_only=True):
    """A wheel about the end figure of either flank, the outer end's arc measured, the rest straight on.

    ``most_deg`` bounds the turn; ``straight_on`` tells whether what is left may be used straight ahead. Ground that
    costs is counted along the way straight ahead, not along the arc.
    """

    most_deg: float = 90.0
    straight_on: bool = True
    factor: float = 1.0
    cost_mm: float = 0.0


Manoeuvre = Straight | Wheel


@dataclass(frozen=True, eq=False)
class Setting:
    """What a move has to mind: ``passing`` may not be crossed, ``standing`` may not be ended on (both may be
    touched), ``table_mm`` (width, depth) holds every centre, ``ground`` sets the price."""

    passing: Blockers = NOTHING
    standing: Blockers = NOTHING
    table_mm: tuple[float, float] | None = None
    ground: Ground = OPEN

    def near(self, bases: Bases, reach_mm: float) -> Setting:
        """The same with only what comes near."""
        margin = reach_mm + float(bases.circumradius.max(initial=0.0))
        return Setting(
            self.passing.near(bases.centre, margin), self.standing.near(bases.centre, margin), self.table_mm,
            self.ground.near(bases.centre, margin),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Mover:
    """A rigid body about to move, as `region` has it."""

    bases: Bases
    facing_deg: float
    manoeuvres: Sequence[Manoeuvre]
    allowance_mm: float
    setting: Setting = field(default_factory=Setting)
    reference: Array | None = None


def body_of(mover: Mover) -> Body:
    """The mover among what it could come to touch."""
    at = mover.bases.centre.mean(axis=0) if mover.reference is None else mover.reference
    far = [farthest_mm(mover.bases, mover.facing_deg, one, mover.allowance_mm) for one in mover.manoeuvres]
    near = mover.setting.near(mover.bases, max(far, default=0.0) * mover.setting.ground.fastest)
    couples = couples_of(mover.bases, near.passing)
    return Body(mover.bases, mover.facing_deg, np.asarray(at, dtype=float), near, couples)


@dataclass(frozen=True, eq=False)
class Body:
    """What moves, how it faces, its reference point (2,), what it has to mind, and which base that may stop."""

    bases: Bases
    facing_deg: float
    at: Array
    setting: Setting
    couples: Couples

    @cached_property
    def hull(self) -> Array:
        """(h, 2) points whose hull is that of the bases."""
        return hull_points(self.bases)


def left_for(manoeuvre: Manoeuvre, allowance_mm: float) -> float:
    """What is left of an allowance for a manoeuvre, in mm of open ground."""
    return max(0.0, allowance_mm - manoeuvre.cost_mm) * manoeuvre.factor


def farthest_mm(bases: Bases, facing_deg: float, manoeuvre: Manoeuvre, allowance_mm: float) -> float:
    """How far any base can get from where it stands, on open ground.

    In a wheel the outer end's arc is measured; bases farther from the pivot, behind it, swing farther.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> column = bases_of([(0, 0), (30, 0), (0, -40), (30, -40)], [Round(diameter_mm=20)] * 4, [0] * 4)
    >>> [round(farthest_mm(column, 0.0, way, 30.0), 6) for way in (Straight(), Wheel())]
    [30.0, 50.0]
    """
    left = left_for(manoeuvre, allowance_mm)
    if isinstance(manoeuvre, Straight):
        return left
    ends = bases.centre[list(wheel_ends(bases, facing_deg))]
    arm = float(np.hypot(*(ends[0] - ends[1])))
    if arm <= 0:
        return 0.0
    away = float(np.hypot(*(bases.centre[:, None] - ends[None]).transpose(2, 0, 1)).max())
    return left + min(float(np.radians(manoeuvre.most_deg)), left / arm) * max(0.0, away - arm)


def wheel_ends(bases: Bases, facing_deg: float) -> tuple[int, int]:
    """Which bases stand at the left and the right end of a front, by their centres; equals: the foremost.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> wheel_ends(bases_of([(0, 0), (50, 0), (25, 0)], [Round(diameter_mm=20)] * 3, [0] * 3), 0.0)
    (0, 1)
    """
    across = bases.centre @ unit_vector(facing_deg + 90.0)
    along = bases.centre @ unit_vector(facing_deg)
    order = np.lexsort((-along, across.round(3)))
    back = np.lexsort((-along, -across.round(3)))
    return int(order[0]), int(back[0])
