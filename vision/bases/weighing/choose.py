"""Which of many rivals stand on the table: solid bases that keep clear of each other and explain the most paint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.shapes import turned

__all__ = [
    "beside_them",
    "clear_of",
    "conflicts",
    "distinct",
    "heaviest",
    "in_line",
    "in_the_way",
    "nests",
    "polygons_of",
]

Floats = NDArray[np.float64]

_SAME_MM, _SAME_DEG = 3.0, 10.0
_GAP_MM = 0.4  # between bases that are pushed together
_IN_TOUCH_MM = 1.6  # round bases so nearly touching stand in one line
_NEST_MM = 2.0  # so far round bases of a mob may run into each other where it is looked for the next
_SWEEPS = 6
_CORNERS = 24  # of a round base's polygon


def polygons_of(placed: Sequence[Placed], shrink_mm: float = 0.0) -> NDArray[np.object_]:
    """The outlines (N,) of bases on the table, drawn in by ``shrink_mm``."""
    return np.asarray(shapely.polygons(_corners(placed, shrink_mm)), dtype=np.object_)


def _corners(placed: Sequence[Placed], shrink_mm: float) -> Floats:
    """The corners (N, 24, 2) of bases' outlines; those of a rectangle are repeated."""
    angle = np.arange(_CORNERS) * (2 * np.pi / _CORNERS)
    circle = np.column_stack([np.sin(angle), np.cos(angle)])
    box = np.repeat(np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]]), _CORNERS // 4, axis=0)
    told = np.array(
        [
            [p.x_mm, p.y_mm, p.bearing_deg, p.outline.half_width_mm, p.outline.half_depth_mm, p.outline.round_]
            for p in placed
        ]
    ).reshape(-1, 6)
    unit = np.where(told[:, 5, None, None] > 0, circle, box)
    return told[:, None, :2] + turned(unit * (told[:, None, 3:5] - shrink_mm), told[:, 2, None])


def distinct(placed: Sequence[Placed], same_mm: float = _SAME_MM) -> list[int]:
    """Which of bases, best first, are not nearly the same as a better one."""
    if not placed:
        return []
    x, y, bearing = (np.array([getattr(p, name) for p in placed]) for name in ("x_mm", "y_mm", "bearing_deg"))
    number = {outline: k for k, outline in enumerate(dict.fromkeys(p.outline for p in placed))}
    kind = np.array([number[p.outline] for p in placed])
    turn = np.array([p.outline.turn_deg for p in placed])
    near = (np.abs(x[:, None] - x) < same_mm) & (np.abs(y[:, None] - y) < same_mm)
    first, second = np.nonzero(np.triu(near, 1))
    apart = np.abs((bearing[second] - bearing[first] + turn[first] / 2) % turn[first] - turn[first] / 2)
    same = (kind[first] == kind[second]) & (apart < _SAME_DEG)
    gone = np.zeros(len(placed), dtype=bool)
    for better, worse in zip(first[same].tolist(), second[same].tolist(), strict=True):
        gone[worse] |= not gone[better]  # in the order of the better ones: those before are settled
    return np.flatnonzero(~gone).tolist()


def beside_them(placed: Sequence[Placed]) -> list[Placed]:
    """Where in a formed block the next rectangle would stand: touching one of these, side by side or behind."""
    spots: list[Placed] = []
    for base in placed:
        if base.outline.round_:
            continue
        across, deep = 2 * base.outline.half_width_mm + _GAP_MM, 2 * base.outline.half_depth_mm + _GAP_MM
        steps = turned(np.array([[across, 0.0], [-across, 0.0], [0.0, deep], [0.0, -deep]]), base.bearing_deg)
        spots += [replace(base, x_mm=base.x_mm + float(dx), y_mm=base.y_mm + float(dy)) for dx, dy in steps]
    return [spots[k] for k in distinct(spots, 1.5)]


def in_line(placed: Sequence[Placed]) -> list[Placed]:
    """Where lines of round bases would go on, and the ranks before and behind them stand.

    That is as far from one of these as another of its kind that touches it, in line with both or square to them.
    """
    bases = [base for base in placed if base.outline.round_]
    if not bases:
        return []
    at, number = np.array([[p.x_mm, p.y_mm] for p in bases]), {p.outline: k for k, p in enumerate(bases)}
    reach = np.array([2 * p.outline.half_width_mm for p in bases])
    kind = np.array([number[p.outline] for p in bases])
    apart = np.linalg.norm(at[:, None] - at, axis=2)
    touch = (np.abs(apart - reach) < _IN_TOUCH_MM) & (kind[:, None] == kind) & ~np.eye(len(bases), dtype=bool)
    spots = []
    for a, b in zip(*np.nonzero(touch), strict=True):
        x, y = at[a] - at[b]
        for dx, dy in ((x, y), (y, -x), (-y, x)):
            spots.append(replace(bases[a], x_mm=float(at[a, 0] + dx), y_mm=float(at[a, 1] + dy)))
    return [spots[k] for k in distinct(spots, 1.5)]


def nests(placed: Sequence[Placed]) -> list[Placed]:
    """Where in a mob the next round base would stand: touching two of these of one kind, clear of the others."""
    spots: list[Placed] = []
    bases = [base for base in placed if base.outline.round_]
    if not bases:
        return spots
    at = np.array([[p.x_mm, p.y_mm] for p in bases])
    radius = np.array([p.outline.half_width_mm for p in bases])
    apart = np.linalg.norm(at[:, None] - at, axis=2)
    first, second = np.nonzero(np.triu(apart < 4 * radius + 2 * _GAP_MM, 1))
    middles, kinds = list[Floats](), list[Placed]()
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        if bases[a].outline != bases[b].outline:
            continue
        half, reach = (at[b] - at[a]) / 2, 2 * radius[a] + _GAP_MM
        length = max(float(np.hypot(*half)), 1e-6)
        off = np.array([half[1], -half[0]]) * np.sqrt(max(reach**2 - length**2, 0.0)) / length
        middles += [at[a] + half + off, at[a] + half - off]
        kinds += [bases[a]] * 2
    if not kinds:
        return spots
    there = np.array(middles)
    room = np.array([kind.outline.half_width_mm for kind in kinds])[:, None] + radius - _NEST_MM
    free = (np.hypot(there[:, None, 0] - at[:, 0], there[:, None, 1] - at[:, 1]) > room).all(axis=1)
    for k in np.flatnonzero(free).tolist():
        spots.append(replace(kinds[k], x_mm=float(there[k, 0]), y_mm=float(there[k, 1])))
    return [spots[k] for k in distinct(spots, 1.5)]


def conflicts(placed: Sequence[Placed], shrink_mm: float, part: NDArray[np.int64] | None = None) -> list[set[int]]:
    """For each base the others that it would run into by more than twice ``shrink_mm``; of those of different parts
    (N,), of which 0 is none, nobody asks."""
    against: list[set[int]] = [set() for _ in placed]
    if len(placed):
        shapes = polygons_of(placed, shrink_mm)
        first, second = shapely.STRtree(shapes).query(shapes)  # whose boxes meet
        asked = first < second
        if part is not None:
            asked &= (part[first] == part[second]) | (part[first] * part[second] == 0)
        first, second = first[asked], second[asked]
        at, within = np.array([[p.x_mm, p.y_mm] for p in placed]), _within(placed, shrink_mm)
        meet = np.hypot(*(at[first] - at[second]).T) < within[first] + within[second]
        left = np.flatnonzero(~meet)
        meet[left] = shapely.intersects(shapes[first[left]], shapes[second[left]])
        for a, b in zip(first[meet].tolist(), second[meet].tolist(), strict=True):
            against[a].add(b)
            against[b].add(a)
    return against


def _within(placed: Sequence[Placed], shrink_mm: float) -> Floats:
    """The radius (N,) of the circle within each outline's polygon, drawn in by ``shrink_mm``."""
    least = np.array([min(p.outline.half_width_mm, p.outline.half_depth_mm) for p in placed]) - shrink_mm
    round_ = np.array([p.outline.round_ for p in placed])
    return np.maximum(np.where(round_, np.cos(np.pi / _CORNERS), 1.0) * least, 0.0)


def in_the_way(placed: Sequence[Placed], of: Sequence[Placed], shrink_mm: float) -> NDArray[np.bool_]:
    """Which of bases (N, M) would run into which of others by more than twice ``shrink_mm``."""
    against = np.zeros((len(placed), len(of)), dtype=np.bool_)
    if len(placed) and len(of):
        shapes, theirs = (polygons_of(some, shrink_mm) for some in (placed, of))
        against[tuple(shapely.STRtree(theirs).query(shapes, predicate="intersects"))] = True
    return against


def clear_of(placed: Sequence[Placed], shrink_mm: float) -> list[int]:
    """Which of bases, best first, stand clear of all better ones."""
    against = conflicts(placed, shrink_mm)
    kept: list[int] = []
    taken: set[int] = set()
    for number in range(len(placed)):
        if not against[number] & taken:
            kept.append(number)
            taken.add(number)
    return kept


def heaviest(weights: Sequence[float], against: Sequence[set[int]]) -> list[int]:
    """A set of rivals without conflicts whose weights sum to as much as exchanges of one for several can reach."""
    order = sorted((k for k in range(len(weights)) if weights[k] > 0), key=lambda k: -weights[k])
    chosen: set[int] = set()
    for k in order:
        if not against[k] & chosen:
            chosen.add(k)
    for _ in range(_SWEEPS):
        changed = False
        for k in order:
            if k not in chosen:
                changed |= _exchange(k, order, weights, against, chosen)
        if not changed:
            break
    return sorted(chosen, key=lambda k: -weights[k])


def _exchange(
    into: int, order: list[int], weights: Sequence[float], against: Sequence[set[int]], chosen: set[int]
) -> bool:
    """Puts one rival in, and whatever then fits where others had to leave, if that weighs more."""
    out = against[into] & chosen
    left = chosen - out
    near = set().union(*(against[k] for k in out)) - {into} if out else set()
    gained = [into]
    held = left | {into}
    for k in sorted(near - against[into], key=lambda k: -weights[k]):
        if weights[k] > 0 and k not in held and not against[k] & held:
            gained.append(k)
            held.add(k)
    if sum(weights[k] for k in gained) > sum(weights[k] for k in out) + 1e-9:
        chosen.clear()
        chosen.update(held)
        return True
    return False
