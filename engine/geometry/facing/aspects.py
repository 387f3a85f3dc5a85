"""Where things stand to a figure or a unit: before it, on its flank, behind it.

Rulebooks cut the ground about a body in two ways. The *lines* through its foremost and its hindmost edge, square to
its facing, make three strips. *Quarters* are cut by rays off its front and rear corners, or off its centre. Each
answer is a measured one, with verdicts that say whether the measurement settles it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import Verdict, Verdicts, all_of, at_least, at_most, negated, settled
from engine.geometry.drawing import Drawing, arc_points, area, line
from engine.geometry.plane.directions import unit_vector
from engine.geometry.plane.tolerance import DEG, MM
from engine.geometry.shapes.bases import Bases, blocks
from engine.geometry.shapes.units import greatest, of_each, reaches

__all__ = [
    "Aspect", "Aspects", "Quarters", "Side", "Strips", "front_and_rear", "majority", "quarters", "show_quarters",
    "show_strip", "side_middles", "stand", "strips",
]  # fmt: skip

Array = NDArray[np.float64]
Kinds = NDArray[np.int8]


class Aspect(IntEnum):
    """From where a body is approached; ``name.lower()`` is the word for it."""

    FRONT = 0
    FLANK = 1
    REAR = 2


class Side(IntEnum):
    """The four sides of a body, clockwise; ``NONE`` where none is touched."""

    NONE = -1
    FRONT = 0
    RIGHT = 1
    REAR = 2
    LEFT = 3


@dataclass(frozen=True, eq=False)
class Aspects:
    """How things stand to bodies: ``aspect`` as measured (values of `Aspect`), and a verdict on each; one shape."""

    aspect: Kinds
    front: Verdicts
    flank: Verdicts
    rear: Verdicts

    @property
    def settled(self) -> NDArray[np.bool_]:
        """Where the measurement leaves no doubt of the aspect; of the same shape."""
        sure: NDArray[np.bool_] = np.maximum(np.maximum(self.front, self.flank), self.rear) == Verdict.YES
        return sure


@dataclass(frozen=True, eq=False)
class Quarters(Aspects):
    """As `Aspects`, and ``side`` (values of `Side`): which quarter, right and left flank kept apart."""

    side: Kinds


def _aspects(front: Verdicts, rear: Verdicts, before: NDArray[np.bool_], behind: NDArray[np.bool_]) -> Aspects:
    rear = all_of(rear, negated(front))
    return Aspects(_kinds(before, behind), front, all_of(negated(front), negated(rear)), rear)


def _kinds(before: NDArray[np.bool_], behind: NDArray[np.bool_]) -> Kinds:
    flank = np.where(behind, np.int8(Aspect.REAR), np.int8(Aspect.FLANK))
    return np.where(before, np.int8(Aspect.FRONT), flank)


@dataclass(frozen=True, eq=False)
class Strips:
    """The front and rear lines of ``u`` bodies, square to ``bearing_deg`` (u,): ``front`` and ``rear`` (u, 2) are
    the foremost and hindmost points of their bases; the sigmas (u,) those of the figures that have them."""

    bearing_deg: Array
    bearing_sigma_deg: Array
    front: Array
    rear: Array
    front_sigma_mm: Array
    rear_sigma_mm: Array

    def aspects(self, spots: ArrayLike, sigma_mm: ArrayLike = 0.0) -> Aspects:
        """(n, u) how points (n, 2) stand to the bodies; ``sigma_mm`` is one number or (n,).

        Exactly on the front line is front, exactly on the rear line is flank. A body without figures has all on its
        flank, and one whose bearing is not known too.
        """
        at = np.asarray(spots, dtype=float).reshape(-1, 2)
        error = np.broadcast_to(np.asarray(sigma_mm, dtype=float), (len(at),))[:, None]
        before, front_sigma = self._beyond(at, self.front, np.hypot(error, self.front_sigma_mm))
        beyond, rear_sigma = self._beyond(at, self.rear, np.hypot(error, self.rear_sigma_mm))
        front, rear = at_least(before, 0.0, front_sigma), negated(at_least(beyond, 0.0, rear_sigma))
        void = np.isnan(before) | np.isnan(beyond)
        front, rear = np.where(void, np.int8(0), front), np.where(void, np.int8(0), rear)
        return _aspects(front, rear, before >= -MM, beyond < -MM)

    def as_measured(self, spots: ArrayLike) -> Kinds:
        """(n, u) the same of points (n, 2) without verdicts, which take most of the time."""
        at = np.asarray(spots, dtype=float).reshape(-1, 2)
        before, beyond = (self._to(at, foot)[0] for foot in (self.front, self.rear))
        return _kinds(before >= -MM, beyond < -MM)

    def _beyond(self, spots: Array, foot: Array, sigma: Array) -> tuple[Array, Array]:
        """How far points are beyond lines through ``foot`` (u, 2), and the sigma: to the side, turning counts."""
        turn, (along, x, y) = np.radians(self.bearing_deg), self._to(spots, foot)
        aside = x * np.cos(turn) - y * np.sin(turn)
        return along, np.hypot(sigma, aside * np.radians(self.bearing_sigma_deg))

    def _to(self, spots: Array, foot: Array) -> tuple[Array, Array, Array]:
        """How far points are beyond lines through ``foot`` (u, 2), and how far from there, as x and y."""
        turn, x, y = np.radians(self.bearing_deg), *(spots[:, axis, None] - foot[:, axis] for axis in (0, 1))
        return x * np.sin(turn) + y * np.cos(turn), x, y


def strips(
    bases: Bases, units: ArrayLike, count: int, bearing_deg: ArrayLike, bearing_sigma_deg: ArrayLike = 0.0
) -> Strips:
    """The front and rear lines of units of figures, each facing a bearing, (u,) or one for all.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> body = bases_of([(0, 100), (30, 90)], [Round(diameter_mm=20)] * 2, [0, 0])
    >>> found = strips(body, [0, 0], 1, 0.0).aspects([[0, 110], [500, 80], [0, 79]])
    >>> [Aspect(each).name for each in found.aspect[:, 0]]
    ['FRONT', 'FLANK', 'REAR']
    """
    of = np.asarray(units, dtype=np.intp)
    bearing, sigma = (np.broadcast_to(np.asarray(p, float), (count,)) for p in (bearing_deg, bearing_sigma_deg))
    turn = np.radians(bearing)
    ahead = np.stack([np.sin(turn), np.cos(turn)], axis=-1)
    ends, errors = [], []
    for sign in (1.0, -1.0):
        far, whose = greatest(reaches(bases, sign * of_each(ahead, of)), of, count)
        has = (whose >= 0) & ~np.isnan(turn)
        spot, error = np.full((count, 2), np.nan), np.zeros(count)
        middle = bases.centre[whose[has]]
        along = (middle * ahead[has]).sum(axis=-1)
        spot[has] = middle + (sign * far[has] - along)[:, None] * ahead[has]
        error[has] = bases.sigma_mm[whose[has]]
        ends.append(spot)
        errors.append(error)
    return Strips(bearing, sigma, *ends, *errors)


def front_and_rear(bases: Bases, bearing_deg: float) -> tuple[float, float]:
    """How far along its facing the foremost and the hindmost base edge lie, in mm from the table's origin.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> front_and_rear(bases_of([(0, 100), (30, 90)], [Round(diameter_mm=20)] * 2, [0, 0]), 0)
    (110.0, 80.0)
    """
    way = unit_vector(bearing_deg)
    return float(bases.support(way).max()), float(-bases.support(-way).max())


def stand(points: Array, bases: Bases, bearing_deg: float) -> list[str]:
    """``front``, ``flank`` or ``rear`` for each of the points (n, 2), by the lines of one body, as measured.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> body = bases_of([(0, 100)], [Round(diameter_mm=20)], [0])
    >>> stand(np.array([[0.0, 110.0], [50.0, 90.0], [50.0, 89.0]]), body, 0)
    ['front', 'flank', 'rear']
    """
    found = strips(bases, np.zeros(len(bases)), 1, bearing_deg).as_measured(points)
    return [Aspect(each).name.lower() for each in found[:, 0].tolist()]


def quarters(
    spots: ArrayLike,
    bodies: Bases,
    front_deg: float = 45.0,
    rear_deg: float = 45.0,
    *,
    from_centre: bool = False,
    rear_edge: bool = True,
    sigma_mm: ArrayLike = 0.0,
) -> Quarters:
    """(n, m) in which quarter of the bodies points (n, 2) lie.

    The front is all that is ahead of the front edge between rays that leave its corners ``front_deg`` outward, the
    rear likewise behind; the rest is flank. Rays leave the centre of a round body, of a point (a unit's middle),
    and of all with ``from_centre``. On a front ray is front; on a rear ray rear, or flank without ``rear_edge``.

    >>> from engine.geometry.shapes.bases import points
    >>> found = quarters([[0, 9], [5, 5], [5, 4], [0, -9], [-5, -5]], points([[0, 0]]))
    >>> [Side(each).name for each in found.side[:, 0]]
    ['FRONT', 'FRONT', 'RIGHT', 'REAR', 'REAR']
    """
    at = np.asarray(spots, dtype=float).reshape(-1, 2)
    error = np.broadcast_to(np.asarray(sigma_mm, dtype=float), (len(at),))[:, None]
    half = np.zeros_like(bodies.half) if from_centre else bodies.half
    parts = [
        _quarters(
            bodies, np.swapaxes(bodies.local(at[rows]), 0, 1), half, (front_deg, rear_deg), rear_edge, error[rows]
        )
        for rows in list(blocks(len(at), len(bodies))) or [slice(0, 0)]
    ]
    return Quarters(*(np.concatenate([getattr(part, name) for part in parts]) for name in _QUARTERS))


_QUARTERS = ("aspect", "front", "flank", "rear", "side")


def _quarters(
    bodies: Bases, there: Array, half: Array, limits: tuple[float, float], rear_edge: bool, error: Array
) -> Quarters:
    """As `quarters`, of points (n, m, 2) as the bodies have them."""
    slack = MM + np.radians(DEG) * np.hypot(there[..., 0], there[..., 1])
    front, rear = _out_of(there, half, limits[0]), _out_of(there * [1.0, -1.0], half, limits[1])
    sigmas = []
    for deg in limits:
        # Turning the body moves its rays most where a point is far out along them.
        reach = np.abs(there[..., 0]) * np.sin(np.radians(deg)) + np.abs(there[..., 1]) * np.cos(np.radians(deg))
        swing = reach * np.radians(bodies.bearing_sigma_deg)
        sigmas.append(np.sqrt(error**2 + bodies.sigma_mm**2 + swing**2))
    ahead = at_most(front - slack, 0.0, sigmas[0])
    edge = slack if rear_edge else -slack
    behind = at_most(rear - edge, 0.0, sigmas[1], MM if rear_edge else 0.0)
    found = _aspects(ahead, behind, front <= slack + MM, rear <= (edge + MM if rear_edge else edge))
    side = np.where(there[..., 0] >= 0, np.int8(Side.RIGHT), np.int8(Side.LEFT))
    side = np.where(found.aspect == Aspect.REAR, np.int8(Side.REAR), side)
    side = np.where(found.aspect == Aspect.FRONT, np.int8(Side.FRONT), side)
    return Quarters(found.aspect, found.front, found.flank, found.rear, side)


def _out_of(there: Array, half: Array, deg: float) -> Array:
    """How far points, as bodies have them, are out of their front quarters: 0 or less within."""
    aside, beyond = np.abs(there[..., 0]) - half[:, 0], there[..., 1] - half[:, 1]
    turn = np.radians(deg)
    out: Array = np.maximum(-beyond, aside * np.cos(turn) - beyond * np.sin(turn))
    return out


def majority(aspects: Aspects, units: ArrayLike, count: int) -> Aspects:
    """(u, m) from where units come by most of their figures: aspects (n, m) of figures of units (n,).

    More than half of them in the rear: rear; else more than half not in front: flank; else front, as it is for a
    unit without figures.

    >>> from engine.geometry.shapes.bases import points
    >>> three = quarters([[0, 9], [9, 0], [0, -9]], points([[0, 0]]))
    >>> Aspect(majority(three, [0, 0, 0], 1).aspect[0, 0]).name
    'FLANK'
    """
    of = np.asarray(units, dtype=np.intp)
    member = (of[None, :] == np.arange(count)[:, None]).astype(float)
    number = member.sum(axis=1)[:, None]

    def most(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.asarray(2 * (member @ mask) > number)

    yes, maybe = int(Verdict.YES), int(Verdict.BORDERLINE)
    away, may_be_away = most(aspects.front == Verdict.NO), most(aspects.front < yes)
    back, may_be_back = most(aspects.rear == yes), most(aspects.rear >= maybe)
    rear = settled(back, may_be_back & ~back)
    front = negated(settled(away, may_be_away & ~away))
    behind = most(aspects.aspect == Aspect.REAR)
    before = ~most(aspects.aspect != Aspect.FRONT)
    return _aspects(front, rear, before & ~behind, behind)


def side_middles(bodies: Bases) -> Array:
    """(n, 4, 2) the middles of the front, right, rear and left side of rectangles; of discs points of the rim."""
    deep = (bodies.half[:, 1:] + bodies.radius[:, None]) * bodies.ahead
    wide = (bodies.half[:, :1] + bodies.radius[:, None]) * bodies.right
    return bodies.centre[:, None] + np.stack([deep, wide, -deep, -wide], axis=1)


def show_strip(lines_of: Strips, index: int, half_width_mm: float) -> Drawing:
    """The front and the rear line of one body, drawn so far to either side."""
    across = half_width_mm * unit_vector(float(lines_of.bearing_deg[index]) + 90.0)
    return tuple(
        line("zone", [foot - across, foot + across], text)
        for foot, text in ((lines_of.front[index], "front"), (lines_of.rear[index], "rear"))
    )


def show_quarters(bodies: Bases, index: int, front_deg: float, rear_deg: float, reach_mm: float) -> Drawing:
    """The front and the rear quarter of one body as areas out to a distance; the rest is flank."""
    left_rear, right_rear, right_front, left_front = bodies.corners()[index]
    bearing = float(bodies.bearing_deg[index])
    zones = []
    for one, other, way, deg, text in (
        (left_front, right_front, bearing, front_deg, "front"),
        (right_rear, left_rear, bearing + 180.0, rear_deg, "rear"),
    ):
        rims = arc_points(one, reach_mm, way - deg, way), arc_points(other, reach_mm, way, way + deg)
        zones.append(area("zone", [one, *rims[0], *rims[1], other], text=text))
    return tuple(zones)
