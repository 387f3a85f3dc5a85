"""The cheapest way of a body into contact with a target under the manoeuvres that it may use.

Straight lines have a closed form: the least shift leads to a nearest point of the sets of shifts that touch, or
along the rim of the sector, or just past a blocker. The least wheel-and-advance has none; it is searched to a
thousandth of a degree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.directions import unit_vector
from engine.geometry.plane.tolerance import DEG, MM
from engine.geometry.reach.blockers import Blockers, bases_as_blockers
from engine.geometry.reach.legs import Leg, Met, Try, Way, best_of, leg_of, point_of
from engine.geometry.reach.regions import Manoeuvre, Setting, Straight, Wheel, wheel_ends
from engine.geometry.reach.straight import Sums, contacts, sums_of
from engine.geometry.reach.ways import against_standing, price_of, wheeled
from engine.geometry.reach.wheels import shifted, turn_until_contact, turned
from engine.geometry.shapes.bases import Bases

__all__ = ["way_into_contact"]

Array = NDArray[np.float64]

#: Turns looked at on the way into contact, before the best is refined.
_LOOKS = 91


def way_into_contact(
    bases: Bases,
    facing_deg: float,
    manoeuvres: Sequence[Manoeuvre],
    allowance_mm: float,
    targets: Bases,
    setting: Setting | None = None,
    gap_mm: float = 0.0,
) -> Way:
    """The cheapest manoeuvre that brings a rigid body to within ``gap_mm`` of a target base, by default to touch.

    The targets do not count among what blocks. ``sigma_mm`` comes from the nearest pair of bases.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> one, foe = (bases_of([spot], [Round(diameter_mm=20)], [0]) for spot in ((0, 0), (0, 100)))
    >>> way_into_contact(one, 0.0, [Straight(half_deg=45.0)], 90.0, foe).cost_mm
    80.0
    """
    setting = setting or Setting()
    at, foes = bases.centre.mean(axis=0), bases_as_blockers(targets, [str(n) for n in range(len(targets))], gap_mm)
    tries: list[Try] = []
    for manoeuvre in manoeuvres:
        if isinstance(manoeuvre, Straight):
            tries += _straight_contact(bases, facing_deg, manoeuvre, foes, at, setting, allowance_mm)
        else:
            tries += _wheel_contact(bases, facing_deg, manoeuvre, foes, at, setting, allowance_mm)
    sigma = float(np.hypot(bases.sigma_mm.max(initial=0.0), targets.sigma_mm.max(initial=0.0)))
    return best_of(tries, allowance_mm, sigma)


def _straight_contact(
    bases: Bases,
    facing_deg: float,
    manoeuvre: Straight,
    foes: Blockers,
    at: Array,
    setting: Setting,
    allowance: float,
) -> list[Try]:
    """The least shift into contact within the sector: to a nearest point, along its rims, or past a blocker.

    Where one may not end everywhere, or ground has a price, all of these are tried, not the shortest alone.
    """
    sums, passing = sums_of(bases, foes), sums_of(bases, setting.passing)
    directions = _directions(sums, passing, facing_deg + manoeuvre.turn_deg, manoeuvre.half_deg)
    distance, _ = contacts(sums, directions)
    stopped, pair = contacts(passing, directions)
    free = np.where(stopped < distance - MM, np.inf, distance)
    first = [int(rank.argmin()) for rank in (free, distance) if np.isfinite(rank.min())]
    others = np.argsort(free, kind="stable")[: int(np.isfinite(free).sum())].tolist()
    tries: list[Try] = []
    for best in [*first, *(others if len(setting.standing) or len(setting.ground) else ())]:
        end = at + distance[best] * directions[best]
        price, barred = price_of(at, end, setting, (allowance - manoeuvre.cost_mm) * manoeuvre.factor)
        legs: tuple[Leg, ...] = (leg_of("straight", at, end, price / manoeuvre.factor),)
        if manoeuvre.cost_mm:
            legs = (leg_of("turn", at, at, manoeuvre.cost_mm, turn_deg=manoeuvre.turn_deg), *legs)
        met = None
        if stopped[best] < distance[best] - MM:
            name = setting.passing.names[int(passing.shape[pair[best]])]
            met = Met(name=name, at_mm=point_of(at + stopped[best] * directions[best]))
        why = barred + against_standing(bases, shifted(bases, end - at), end, setting)
        tries.append(Try(legs=legs, why_not=why, met=met))
    return tries


def _directions(sums: Sums, passing: Sums, middle_deg: float, half_deg: float) -> Array:
    """(m, 2) the directions in which a least shift may lead; the middle of the sector and its rims among them."""
    along = sums.end - sums.start
    squared = (along**2).sum(axis=1)
    share = np.clip(-(sums.start * along).sum(axis=1) / np.where(squared > 0, squared, 1.0), 0.0, 1.0)
    nearest = sums.start + share[:, None] * along
    to_nearest = np.degrees(np.arctan2(nearest[:, 0], nearest[:, 1]))
    rims = np.array([middle_deg, middle_deg - half_deg, middle_deg + half_deg])
    bearings = np.concatenate([to_nearest, _tangent_bearings(passing), rims])
    off = np.abs((bearings - middle_deg + 180.0) % 360.0 - 180.0)
    angles = np.radians(bearings[off <= half_deg + DEG])
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1)


def _tangent_bearings(passing: Sums) -> Array:
    """The bearings in degrees that just graze what blocks."""
    found = [np.zeros(0)]
    for centre in (passing.start, passing.end):
        distance = np.hypot(centre[:, 0], centre[:, 1])
        towards = np.degrees(np.arctan2(centre[:, 0], centre[:, 1]))
        swing = np.degrees(np.arcsin(np.minimum(passing.radius / np.maximum(distance, 1e-12), 1.0)))
        found += [towards - swing, towards + swing]
    return np.concatenate(found)


def _wheel_contact(
    bases: Bases,
    facing_deg: float,
    manoeuvre: Wheel,
    foes: Blockers,
    at: Array,
    setting: Setting,
    allowance: float,
) -> list[Try]:
    left, right = wheel_ends(bases, facing_deg)
    radius = float(np.hypot(*(bases.centre[left] - bases.centre[right])))
    if radius <= 0:
        return []
    tries = []
    for pivot, sense in ((bases.centre[left], -1.0), (bases.centre[right], 1.0)):
        most = float(np.radians(manoeuvre.most_deg))
        for blockers in (setting.passing, foes):
            stop = turn_until_contact(bases, blockers, pivot, most, clockwise=sense > 0)
            most = most if stop is None else stop.turn_rad
        touches = turn_until_contact(bases, foes, pivot, most + 1e-9, clockwise=sense > 0) is not None

        def price(turn: float, pivot: Array = pivot, sense: float = sense) -> tuple[float, float]:
            after = turned(bases, pivot, sense * turn)
            direction = unit_vector(facing_deg + sense * float(np.degrees(turn)))[None]
            ahead = float(contacts(sums_of(after, foes), direction)[0][0])
            stopped = float(contacts(sums_of(after, setting.passing), direction)[0][0])
            return (turn * radius + ahead if stopped >= ahead - MM else np.inf), ahead

        looks = np.linspace(0.0, most, _LOOKS if manoeuvre.straight_on else 1)
        prices = [price(float(turn))[0] for turn in looks]
        best = int(np.argmin(prices))
        turn = _refined(lambda t: price(t)[0], looks, best) if np.isfinite(prices[best]) else most
        ahead = price(turn)[1]
        if np.isfinite(prices[best]):
            tries.append(
                wheeled(bases, facing_deg, manoeuvre, pivot, sense, turn, ahead, radius, at, setting, allowance)
            )
        if touches:
            tries.append(
                wheeled(bases, facing_deg, manoeuvre, pivot, sense, most, 0.0, radius, at, setting, allowance)
            )
    return tries


def _refined(price: Callable[[float], float], looks: Array, best: int) -> float:
    """The turn of least price between the looks beside the best, to a thousandth of a degree."""
    low, high = float(looks[max(best - 1, 0)]), float(looks[min(best + 1, len(looks) - 1)])
    golden = (np.sqrt(5) - 1) / 2
    while high - low > np.radians(1e-3):
        one, other = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, other) if price(one) <= price(other) else (one, high)
    found = (low + high) / 2
    return found if price(found) <= price(float(looks[best])) else float(looks[best])
