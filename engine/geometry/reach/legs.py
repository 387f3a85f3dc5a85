"""What is told of a way: its legs, its cost, what stands against it, and the shapes that show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict, at_most
from engine.geometry.drawing import Area, Drawing, Line, Spot, arc_points, line, spot
from engine.geometry.plane.tolerance import MM

__all__ = ["Leg", "Met", "Try", "Way", "best_of", "leg_of", "point_of"]

Array = NDArray[np.float64]
PointMm = tuple[float, float]


class Leg(Struct, frozen=True, kw_only=True):
    """A part of a way: how the reference point goes and what it costs of the allowance.

    ``kind``: ``turn`` on the spot, ``straight``, ``wheel`` or ``arc``; ``turn_deg`` is positive clockwise.
    """

    kind: str
    start_mm: PointMm
    end_mm: PointMm
    cost_mm: float
    turn_deg: float = 0.0
    centre_mm: PointMm | None = None


class Way(Struct, frozen=True, kw_only=True):
    """How a body gets somewhere, and whether it does.

    ``legs`` is the cheapest way, () where no manoeuvre leads there; ``cost_mm`` what it takes, with ``sigma_mm``;
    ``reachable`` the verdict; ``why_not`` says what stands against it, ``blocker`` names what is met first,
    ``too_far_mm`` is what the allowance lacks (0 where it lacks nothing), ``shapes`` shows all that.
    """

    reachable: Verdict
    legs: tuple[Leg, ...] = ()
    cost_mm: float = float("inf")
    sigma_mm: float = 0.0
    why_not: tuple[str, ...] = ()
    blocker: str | None = None
    too_far_mm: float = 0.0
    shapes: Drawing = ()


class Met(Struct, frozen=True, kw_only=True):
    """What a body meets on its way: its name, and where the reference point then is."""

    name: str
    at_mm: PointMm


class Try(Struct, frozen=True, kw_only=True):
    """One manoeuvre's way: its legs, what speaks against it, and what it meets."""

    legs: tuple[Leg, ...]
    why_not: tuple[str, ...] = ()
    met: Met | None = None

    @property
    def cost_mm(self) -> float:
        """What all legs cost."""
        return sum(leg.cost_mm for leg in self.legs)


def leg_of(
    kind: str, start: Array, end: Array, cost: float, turn_deg: float = 0.0, centre: Array | None = None
) -> Leg:
    """A leg between two points (2,), about a centre if it is an arc."""
    middle = None if centre is None else point_of(centre)
    return Leg(
        kind=kind, start_mm=point_of(start), end_mm=point_of(end), cost_mm=cost, turn_deg=turn_deg, centre_mm=middle
    )


def point_of(spot: Iterable[float]) -> PointMm:
    """A point as a record has it."""
    x, y = spot
    return float(x), float(y)


def best_of(tries: Sequence[Try], allowance_mm: float, sigma_mm: float) -> Way:
    """The cheapest way that nothing but its length speaks against, else the one with the least against it."""
    if not tries:
        return Way(reachable=Verdict.NO, why_not=("no manoeuvre leads there",))
    best = min(tries, key=lambda one: (len(one.why_not) + (one.met is not None), one.cost_mm))
    why, cost = list(best.why_not), best.cost_mm
    if best.met is not None:
        why.append(f"blocked by {best.met.name}")
    verdict = Verdict(int(at_most(cost, allowance_mm, sigma_mm)))
    lacking = max(0.0, cost - allowance_mm) if cost > allowance_mm + MM else 0.0
    if lacking:
        why.append(f"{lacking:.1f} mm too far: {cost:.1f} mm, has {allowance_mm:.1f} mm")
    if best.why_not or best.met is not None:
        verdict = Verdict.NO
    return Way(
        reachable=verdict, legs=best.legs, cost_mm=cost, sigma_mm=sigma_mm, why_not=tuple(why),
        blocker=None if best.met is None else best.met.name, too_far_mm=lacking, shapes=_drawn(best, lacking),
    )  # fmt: skip


def _drawn(one: Try, lacking: float) -> Drawing:
    shapes: list[Line | Area | Spot] = []
    for leg in one.legs:
        if leg.kind == "turn":
            continue
        shapes.append(line("path", _leg_points(leg), f"{leg.cost_mm:.0f} mm"))
    if one.met is not None:
        shapes.append(spot("blocker", one.met.at_mm, text=one.met.name))
    if lacking and one.legs:
        shapes.append(spot("stopped", one.legs[-1].end_mm, text=f"{lacking:.0f} mm too far"))
    return tuple(shapes)


def _leg_points(leg: Leg) -> Array:
    if leg.centre_mm is None or not leg.turn_deg:
        return np.array([leg.start_mm, leg.end_mm])
    to = np.subtract(leg.start_mm, leg.centre_mm)
    bearing = float(np.degrees(np.arctan2(to[0], to[1])))
    return arc_points(leg.centre_mm, float(np.hypot(*to)), bearing, bearing + leg.turn_deg)
