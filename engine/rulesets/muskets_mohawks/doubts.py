"""The limits of sight that the measurement does not settle, in words with their figures."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import to_segments
from engine.geometry.sight import Crests, Limit, Opaque, Standing, Veil
from engine.geometry.sight.clearance import clearance_of, from_path
from engine.geometry.sight.crossing import lengths_in
from engine.rulesets.muskets_mohawks.obstacles import WOOD_EDGE_MM
from engine.rulesets.muskets_mohawks.sheet import Sheet
from engine.rulesets.muskets_mohawks.sight import Pairs

__all__ = ["doubts_of_side", "sight_doubts"]

Array = NDArray[np.float64]


def sight_doubts(
    seen: Pairs, looker: int, other: int, known: Callable[[str, int, int], str] | None = None
) -> list[str]:
    """Each limit of sight that is in doubt between a looker and a figure looked at, by their numbers.

    ``known`` tells a limit in words, by its row and the two numbers, where it is not to be worked out anew.
    """
    tell = known or partial(_doubt, seen)
    return [tell(rule, looker, other) for rule, mask in seen.doubtful_by.items() if mask[looker, other]]


def doubts_of_side(sheet: Sheet, side: str, seen: Pairs) -> Callable[[str, int, int], str]:
    """As `sight_doubts` tells them of all that a side sees: limits told for an earlier game are told again where
    figures, places and obstacle are the same."""
    now: dict[Hashable, str] = sheet.memo(("doubts", side), dict)
    before = sheet.earlier(("doubts", side))
    old = before.value if before is not None and sheet.moved_since(before.game) is not None else {}

    def tell(rule: str, looker: int, other: int) -> str:
        key = (rule, *_mark(seen, rule, looker, other))
        if key not in now:
            now[key] = old[key] if key in old else _doubt(seen, rule, looker, other)
        return now[key]

    return tell


def _mark(seen: Pairs, rule: str, i: int, j: int) -> tuple[Hashable, ...]:
    """All that the words of a limit follow from, but for the terrain and the game's conditions."""
    obstacle, part = seen.obstacles[rule], int(seen.part[rule][i, j])
    ends = seen.start[i, j].tobytes(), seen.end[i, j].tobytes()
    sigmas = float(seen.lookers.sigma_mm[i]), float(seen.seen.sigma_mm[j]), float(seen.sigma_mm[i, j])
    who = seen.lookers.ids[i], seen.seen.ids[j], obstacle.names[part] if obstacle.names else ""
    stands: tuple[bytes, ...] = ()
    if isinstance(obstacle.blocker, Standing):
        bases = obstacle.blocker.bases
        arrays = bases.centre, bases.radius, bases.half, bases.bearing_rad
        stands = tuple(np.asarray(array[part]).tobytes() for array in arrays)
    return (*who, *ends, *sigmas, float(seen.gap_mm[i, j]), part, *stands)


def _doubt(seen: Pairs, rule: str, i: int, j: int) -> str:
    who = f"{seen.lookers.ids[i]} to {seen.seen.ids[j]}"
    obstacle, part = seen.obstacles[rule], int(seen.part[rule][i, j])
    name = obstacle.names[part] if obstacle.names else ""
    start, end = seen.start[i, j][None], seen.end[i, j][None]
    sigma = float(seen.sigma_mm[i, j])
    match obstacle.blocker:
        case Limit(most_mm=most):
            limit = float(np.asarray(most)[0, seen.first_column + j])
            return _said(f"sight, {who}", float(seen.gap_mm[i, j]), sigma, limit)
        case Veil() as veil:
            return _in_wood(seen, veil, part, (name, who), i, j)
        case Opaque(pieces=pieces):
            way = float(clearance_of(pieces, part, start, end)[0])
        case Crests(paths=paths):
            way = float(from_path(paths[part], start, end)[1][0])
        case Standing(bases=bases):
            one = bases.pick([part])
            way = float(to_segments(one, start, end)[0, 0] - 0.1 * one.width[0])
        case _:
            raise AssertionError(f"no such obstacle in this ruleset: {obstacle.blocker!r}")
    return f"sight past {name}, {who}: {abs(way):.1f} ± {sigma:.1f} mm {'clear' if way > 0 else 'short'} of it"


def _in_wood(seen: Pairs, veil: Veil, part: int, names: tuple[str, str], i: int, j: int) -> str:
    """How far a line runs in a wood, or how deep its one end stands in it."""
    (name, who), start, end = names, seen.start[i, j][None], seen.end[i, j][None]
    inside = float(lengths_in(veil.pieces, part, start, end)[0])
    ends = [bool(veil.pieces.contains(point)[0, part]) for point in (start, end)]
    if np.ndim(veil.inside_mm):
        limit = float(np.asarray(veil.inside_mm)[0, seen.first_column + j])
        return _said(f"sight in {name}, {who}", inside, float(seen.sigma_mm[i, j]), limit)
    if ends[0] == ends[1]:
        return _said(f"sight through {name}, {who}", inside, float(seen.sigma_mm[i, j]), WOOD_EDGE_MM)
    point, sigma = (start, seen.lookers.sigma_mm[i]) if ends[0] else (end, seen.seen.sigma_mm[j])
    return _said(
        f"depth in {name}, {who}", float(veil.pieces.to_outline(point)[0, part]), float(sigma), WOOD_EDGE_MM
    )


def _said(what: str, value: float, sigma: float, limit: float) -> str:
    return f"{what}: {value:.1f} ± {sigma:.1f} mm against {limit:.1f} mm"
