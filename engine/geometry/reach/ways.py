"""The cheapest legal way of a body to a point, leg by leg, and why there is none.

Each manoeuvre is tried by its closed form: a straight line is given by its end, a wheel by the angle after which
the point lies straight ahead.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.directions import unit_vector
from engine.geometry.plane.tolerance import DEG, MM
from engine.geometry.reach.blockers import Blockers
from engine.geometry.reach.detours import net_of
from engine.geometry.reach.endings import ended_on
from engine.geometry.reach.going import walk
from engine.geometry.reach.graded import cheapest, no_price
from engine.geometry.reach.legs import Leg, Met, Try, Way, best_of, leg_of, point_of
from engine.geometry.reach.loose import obstacles_for
from engine.geometry.reach.regions import Manoeuvre, Setting, Straight, Wheel, wheel_ends
from engine.geometry.reach.straight import contacts, sums_of
from engine.geometry.reach.wheels import shifted, turn_until_contact, turned
from engine.geometry.shapes.bases import Bases, points

__all__ = ["against_standing", "loose_way", "price_of", "way_to", "wheeled"]

Array = NDArray[np.float64]

#: An allowance that is enough for any way.
_PLENTY_MM = 1e7


def way_to(
    bases: Bases,
    facing_deg: float,
    manoeuvres: Sequence[Manoeuvre],
    allowance_mm: float,
    goal: Array,
    setting: Setting | None = None,
    reference: Array | None = None,
    sigma_mm: float = 0.0,
) -> Way:
    """The cheapest manoeuvre that brings a rigid body's reference point (2,) to a goal (2,).

    ``sigma_mm`` is the standard deviation of the way's length: a goal that is measured has one of its own.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> one = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> way = way_to(one, 0.0, [Straight(half_deg=45.0)], 100.0, np.array([0.0, 120.0]))
    >>> way.reachable.name, way.too_far_mm, way.why_not
    ('NO', 20.0, ('20.0 mm too far: 120.0 mm, has 100.0 mm',))
    """
    at = bases.centre.mean(axis=0) if reference is None else np.asarray(reference, dtype=float)
    setting, goal = setting or Setting(), np.asarray(goal, dtype=float)
    tries: list[Try] = []
    for manoeuvre in manoeuvres:
        if isinstance(manoeuvre, Straight):
            tries.append(_straight_to(bases, facing_deg, manoeuvre, goal, at, setting, allowance_mm))
        else:
            tries += _wheels_to(bases, facing_deg, manoeuvre, goal, at, setting, allowance_mm)
    return best_of(tries, allowance_mm, sigma_mm)


def _straight_to(
    bases: Bases, facing_deg: float, manoeuvre: Straight, goal: Array, at: Array, setting: Setting, allowance: float
) -> Try:
    to = goal - at
    length = float(np.hypot(*to))
    bearing = float(np.degrees(np.arctan2(to[0], to[1]))) if length > MM else facing_deg + manoeuvre.turn_deg
    off = abs((bearing - facing_deg - manoeuvre.turn_deg + 180.0) % 360.0 - 180.0)
    why: tuple[str, ...] = ()
    if off > manoeuvre.half_deg + DEG:
        why = (f"{off:.1f}° off the way it may go, {manoeuvre.half_deg:.1f}° allowed",)
    price, barred = price_of(at, goal, setting, (allowance - manoeuvre.cost_mm) * manoeuvre.factor)
    why += barred
    legs: tuple[Leg, ...] = (leg_of("straight", at, goal, price / manoeuvre.factor),)
    if manoeuvre.cost_mm:
        legs = (leg_of("turn", at, at, manoeuvre.cost_mm, turn_deg=manoeuvre.turn_deg), *legs)
    met = _met(bases, setting.passing, bearing, length, at)
    return Try(legs=legs, why_not=why + against_standing(bases, shifted(bases, goal - at), goal, setting), met=met)


def price_of(start: Array, end: Array, setting: Setting, budget_mm: float) -> tuple[float, tuple[str, ...]]:
    """What a straight way takes of so many mm on its ground, and why it cannot be gone: then its mere length.

    Where that is not enough, it is what would just be enough.
    """
    length = float(np.hypot(*(end - start)))
    if not len(setting.ground) or length <= MM:
        return length, ()
    way = np.stack([start, end])
    left = float(walk(setting.ground, way, budget_mm)[0][-1]) if budget_mm >= 0 else -1.0
    if left >= 0:
        return budget_mm - left, ()
    (one, _, stopped), (other, _, _) = (
        walk(setting.ground, way, plenty) for plenty in (_PLENTY_MM, 2 * _PLENTY_MM)
    )
    if one[-1] < 0:
        return length, (f"{setting.ground.goings[stopped].name or 'the ground'} cannot be entered",)
    share = float(other[-1] - one[-1]) / _PLENTY_MM  # of each mm of a great allowance, this is kept to the end
    return _PLENTY_MM - float(one[-1]) / share, ()


def _met(bases: Bases, blockers: Blockers, bearing_deg: float, length: float, at: Array) -> Met | None:
    """What a body meets before it has gone so far, and where its reference point (2,) is then."""
    direction = unit_vector(bearing_deg)
    sums = sums_of(bases, blockers)
    distance, pair = contacts(sums, direction[None])
    if pair[0] < 0 or distance[0] >= length - MM:
        return None
    return Met(name=blockers.names[int(sums.shape[pair[0]])], at_mm=point_of(at + distance[0] * direction))


def against_standing(bases: Bases, there: Bases, at: Array, setting: Setting) -> tuple[str, ...]:
    """Why a body may not end its move where its bases then are, its reference point at (2,); empty where it may."""
    found: list[str] = []
    if setting.table_mm is not None:
        low, high = there.centre.min(axis=0), there.centre.max(axis=0)
        if (low < -MM).any() or (high > np.array(setting.table_mm) + MM).any():
            found.append("off the table")
    if len(setting.standing):
        on = np.flatnonzero(ended_on(bases, there, setting.standing)).tolist()
        found += [f"would end on {name}" for name in sorted({setting.standing.names[number] for number in on})]
    if len(setting.ground) and setting.ground.no_end(at[None])[0]:
        found.append("may not end there")
    return tuple(found)


def _wheels_to(
    bases: Bases, facing_deg: float, manoeuvre: Wheel, goal: Array, at: Array, setting: Setting, allowance: float
) -> list[Try]:
    """The wheels after which the goal lies straight ahead of the reference point, or just under it."""
    left, right = wheel_ends(bases, facing_deg)
    radius = float(np.hypot(*(bases.centre[left] - bases.centre[right])))
    tries = []
    for pivot, sense in ((bases.centre[left], -1.0), (bases.centre[right], 1.0)):
        for turn, ahead in _turns_to(goal - pivot, at - pivot, facing_deg, sense):
            if ahead < -MM or turn > 2 * np.pi - 1e-9 or (ahead > MM and not manoeuvre.straight_on):
                continue
            tries.append(
                wheeled(bases, facing_deg, manoeuvre, pivot, sense, turn, ahead, radius, at, setting, allowance)
            )
    return tries


def _turns_to(goal: Array, at: Array, facing_deg: float, sense: float) -> list[tuple[float, float]]:
    """Turns in radians about the origin, and the way ahead after each, that bring a point to a goal."""
    across, along = unit_vector(facing_deg + 90.0), unit_vector(facing_deg)
    side, reach = float(at @ across), float(np.hypot(*goal))
    if reach < MM or abs(side) > reach + MM:
        return []
    lean = float(np.arcsin(np.clip(side / reach, -1.0, 1.0)))
    bearing = float(np.arctan2(goal @ across, goal @ along))
    found = []
    for relative in (lean, np.pi - lean):
        turn = float((sense * (bearing - relative)) % (2 * np.pi))
        turn = 0.0 if turn > 2 * np.pi - 1e-9 else turn
        found.append((turn, reach * float(np.cos(relative)) - float(at @ along)))
    return found


def wheeled(
    bases: Bases, facing_deg: float, manoeuvre: Wheel, pivot: Array, sense: float, turn: float, ahead: float,
    radius: float, at: Array, setting: Setting, allowance: float,
) -> Try:  # fmt: skip
    """A wheel about a point by so many radians (sense 1: clockwise), then so far ahead; ``radius`` is measured."""
    why: list[str] = []
    turn_deg = float(np.degrees(turn))
    if turn_deg > manoeuvre.most_deg + DEG:
        why.append(f"a wheel of {turn_deg:.1f}°, {manoeuvre.most_deg:.1f}° allowed")
    corner = turned(points(at[None]), pivot, sense * turn).centre[0]
    direction = unit_vector(facing_deg + sense * turn_deg)
    end = corner + ahead * direction
    legs = [leg_of("wheel", at, corner, turn * radius / manoeuvre.factor, turn_deg=sense * turn_deg, centre=pivot)]
    if ahead > MM:
        budget = (allowance - manoeuvre.cost_mm) * manoeuvre.factor - turn * radius
        price, barred = price_of(corner, end, setting, budget)
        why += barred
        legs.append(leg_of("straight", corner, end, price / manoeuvre.factor))
    if manoeuvre.cost_mm:
        legs.insert(0, leg_of("turn", at, at, manoeuvre.cost_mm))
    stop = turn_until_contact(bases, setting.passing, pivot, turn, clockwise=sense > 0)
    after = turned(bases, pivot, sense * turn)
    why += against_standing(bases, shifted(after, end - corner), end, setting)
    if stop is not None and stop.turn_rad < turn - 1e-9:
        there = turned(points(at[None]), pivot, sense * stop.turn_rad).centre[0]
        met: Met | None = Met(name=setting.passing.names[stop.shape], at_mm=point_of(there))
    else:
        met = _met(after, setting.passing, facing_deg + sense * turn_deg, ahead, corner)
    return Try(legs=tuple(legs), why_not=tuple(why), met=met)


def loose_way(
    base: Bases, allowance_mm: float, goal: Array, setting: Setting | None = None, sigma_mm: float = 0.0
) -> Way:
    """The shortest way of one figure, round what blocks, to a goal (2,); exact where ground costs the same.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> one = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> loose_way(one, 60.0, np.array([30.0, 40.0])).reachable.name
    'YES'
    """
    setting, goal = (setting or Setting()), np.asarray(goal, dtype=float)
    size = float(base.radius[0] if not base.is_rect[0] else base.half[0].min())
    start = base.centre[0]
    obstacles = obstacles_for(size, setting.passing, start[None], setting.table_mm)
    legs: tuple[Leg, ...]
    if no_price(setting.ground):
        legs = tuple(
            Leg(
                kind="straight" if part.centre is None else "arc", start_mm=part.start, end_mm=part.end,
                cost_mm=part.length_mm, turn_deg=float(np.degrees(part.turn_rad)), centre_mm=part.centre,
            )
            for part in net_of(start[None], goal[None], obstacles).way()
        )  # fmt: skip
        found = bool(legs) or float(np.hypot(*(goal - start))) <= MM
    else:
        route = cheapest(start, goal, setting.ground, obstacles, allowance_mm)
        if route is None and all(going.keeps == 1.0 for going in setting.ground.goings):
            route = cheapest(start, goal, setting.ground, obstacles, 100.0 * allowance_mm + 1e4)
        found = route is not None
        legs = ()
        if route is not None:
            steps = zip(route.points[:-1], route.points[1:], -np.diff(route.left_mm), strict=True)
            legs = tuple(leg_of("straight", one, other, float(cost)) for one, other, cost in steps)
    if not found:
        to = goal - start
        met = _met(base, setting.passing, float(np.degrees(np.arctan2(to[0], to[1]))), float(np.hypot(*to)), start)
        return best_of([Try(legs=(), why_not=("there is no way there",), met=met)], allowance_mm, sigma_mm)
    why = against_standing(base, shifted(base, goal - start), goal, setting)
    return best_of([Try(legs=legs, why_not=why)], allowance_mm, sigma_mm)
