"""Where a body of figures may stand at the edge that its side comes from, clear of all who stand there already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import ceil
from typing import Literal

import numpy as np

from engine.geometry.plane.directions import mean_bearing, unit_vector
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import Bases, bases_of, gaps
from engine.records.game import Base, Edge, Figure, Round, TableArea

__all__ = ["Spot", "Where", "beside", "block_before", "laid_out", "near_by"]

#: Bodies farther apart than this do not touch, whatever a rulebook calls contact.
_CLEAR_MM = 5.0

#: How finely and how far about a spot a free place is looked for.
_STEP_MM, _FAR_MM = 25.0, 600.0

#: On which flank of a body another stands, or behind it.
Where = Literal["left", "right", "behind"]

#: A place on the table in mm, and the bearing that is faced there.
Spot = tuple[float, float, float]


def laid_out(
    count: int, base: Base, edge: Edge, table: TableArea, taken: Sequence[Figure], *, gap_mm: float = 0.0,
    ranks: int = 1,
) -> tuple[Spot, ...] | None:  # fmt: skip
    """Places for so many bases in ranks along an edge, facing the table; None where there is no room for them.

    The first rank is filled first, from the left as the side looks in; ``gap_mm`` is left between neighbours and
    between ranks. Of all places that touch nobody the one nearest to the edge is taken, of those the leftmost.

    >>> from engine.records.game import Round, TableArea
    >>> laid_out(2, Round(diameter_mm=25), "north", TableArea(width_mm=1000, depth_mm=600), [])
    ((987.5, 587.5, 180.0), (962.5, 587.5, 180.0))
    """
    wide, deep = _size(base)
    files = ceil(count / ranks)
    across = table.width_mm if edge in ("south", "north") else table.depth_mm
    far = table.depth_mm if edge in ("south", "north") else table.width_mm
    block = (files * wide + (files - 1) * gap_mm, ranks * deep + (ranks - 1) * gap_mm)
    for back in _steps(far / 2.0 - block[1], deep):
        for left in _steps(across - block[0], wide):
            rows = [divmod(number, files) for number in range(count)]
            local = [
                (left + wide / 2 + column * (wide + gap_mm), back + block[1] - deep / 2 - row * (deep + gap_mm))
                for row, column in rows
            ]
            spots = tuple(_seen_from(edge, table, *place) for place in local)
            if _free(spots, base, taken):
                return spots
    return None


def block_before(
    spot: tuple[float, float], bearing_deg: float, count: int, base: Base, *, gap_mm: float = 0.0, ranks: int = 1
) -> tuple[Spot, ...]:  # fmt: skip
    """Places for so many bases in ranks that face a bearing; the middle of the block's rear edge is at a spot.

    >>> from engine.records.game import Round
    >>> block_before((0, 0), 0, 3, Round(diameter_mm=20), ranks=2)
    ((-10.0, 30.0, 0), (10.0, 30.0, 0), (-10.0, 10.0, 0))
    """
    wide, deep = _size(base)
    files = ceil(count / ranks)
    ahead = unit_vector(bearing_deg)
    right = unit_vector(bearing_deg + 90.0)
    found = []
    for number in range(count):
        row, column = divmod(number, files)
        across = (column - (files - 1) / 2) * (wide + gap_mm)
        along = deep / 2 + (ranks - 1 - row) * (deep + gap_mm)
        x, y = (np.array(spot, dtype=float) + across * right + along * ahead).round(9).tolist()
        found.append((x, y, bearing_deg))
    return tuple(found)


def near_by(
    spot: tuple[float, float], bearing_deg: float, count: int, base: Base, table: TableArea,
    taken: Sequence[Figure], *, gap_mm: float = 0.0, ranks: int = 1,
) -> tuple[Spot, ...] | None:  # fmt: skip
    """Places for so many bases in ranks, the middle of the block as near to a spot as the table and others allow.

    Of places `_STEP_MM` apart the nearest to the spot that is on the table and touches nobody; None where none is
    within `_FAR_MM`.

    >>> from engine.records.game import Round, TableArea
    >>> near_by((500, 500), 0, 1, Round(diameter_mm=20), TableArea(width_mm=900, depth_mm=900), [])
    ((500.0, 500.0, 0),)
    """
    _, deep = _size(base)
    back = unit_vector(bearing_deg) * (ranks * deep + (ranks - 1) * gap_mm) / 2
    for off in _offsets():
        x, y = (np.array(spot, dtype=float) + off - back).tolist()
        spots = block_before((x, y), bearing_deg, count, base, gap_mm=gap_mm, ranks=ranks)
        if _on_table(_bases_at(spots, base), table) and _free(spots, base, taken):
            return spots
    return None


@cache
def _offsets() -> tuple[tuple[float, float], ...]:
    """Steps away from a spot, nearest first."""
    steps = np.arange(-_FAR_MM, _FAR_MM + _STEP_MM / 2, _STEP_MM)
    every = [(float(x), float(y)) for x in steps for y in steps]
    return tuple(sorted(every, key=lambda off: (round(float(np.hypot(*off)), 6), off)))


def beside(
    line: Sequence[Figure], where: Where, count: int, base: Base, table: TableArea, taken: Sequence[Figure], *,
    gap_mm: float = 0.0, ranks: int = 1,
) -> tuple[Spot, ...] | None:  # fmt: skip
    """Places for so many bases that carry on a body's front on one flank of it, or behind it, facing as it does.

    The new block stands ``_CLEAR_MM`` off the body and a millimetre. None where it would leave the table or come so
    near to somebody, or where the body faces no way.

    >>> from engine.records.game import Figure, Round, TableArea
    >>> one = Figure(id="a", x_mm=500, y_mm=500, base=Round(diameter_mm=20), bearing_deg=0)
    >>> beside([one], "right", 1, Round(diameter_mm=20), TableArea(width_mm=900, depth_mm=900), [one])
    ((526.0, 500.0, 0.0),)
    """
    bearing = mean_bearing(one.bearing_deg for one in line if one.bearing_deg is not None)
    if bearing is None:
        return None
    ahead, right = unit_vector(bearing), unit_vector(bearing + 90.0)
    body = _bases(line)
    wide, deep = _size(base)
    files = ceil(count / ranks)
    half, depth = (files * wide + (files - 1) * gap_mm) / 2, ranks * deep + (ranks - 1) * gap_mm
    front, room = float(body.support(ahead).max()), _CLEAR_MM + 1.0
    edges = {"right": float(body.support(right).max()), "left": -float(body.support(-right).max())}
    if where == "behind":
        across, rear = (edges["right"] + edges["left"]) / 2, -float(body.support(-ahead).max()) - room - depth
    else:
        sign = 1.0 if where == "right" else -1.0
        across, rear = edges[where] + sign * (room + half), front - depth
    x, y = (across * right + rear * ahead).tolist()
    spots = block_before((x, y), bearing, count, base, gap_mm=gap_mm, ranks=ranks)
    return spots if _on_table(_bases_at(spots, base), table) and _free(spots, base, taken) else None


def _on_table(bases: Bases, table: TableArea) -> bool:
    reach = bases.support(np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])).max(axis=0)
    return bool((reach <= np.array([table.width_mm, table.depth_mm, 0.0, 0.0]) + MM).all())


def _seen_from(edge: Edge, table: TableArea, across: float, far: float) -> Spot:
    """A place told from an edge, from its left and so far in, as a place of the table; facing in."""
    width, depth = table.width_mm, table.depth_mm
    x, y, bearing = {
        "south": (across, far, 0.0),
        "north": (width - across, depth - far, 180.0),
        "west": (far, depth - across, 90.0),
        "east": (width - far, across, 270.0),
    }[edge]
    return x, y, bearing


def _size(base: Base) -> tuple[float, float]:
    return (base.diameter_mm, base.diameter_mm) if isinstance(base, Round) else (base.width_mm, base.depth_mm)


def _steps(most: float, step: float) -> Iterator[float]:
    """0 and so many steps as stay within ``most``; nothing where that is below 0."""
    yield from (number * step for number in range(int((most + MM) // step) + 1) if most >= -MM)


def _free(spots: Sequence[Spot], base: Base, taken: Sequence[Figure]) -> bool:
    """Whether bases there keep clear of all who stand."""
    if not taken:
        return True
    return bool((gaps(_bases_at(spots, base), _bases(taken)) > _CLEAR_MM).all())


def _bases_at(spots: Sequence[Spot], base: Base) -> Bases:
    return bases_of([spot[:2] for spot in spots], [base] * len(spots), [spot[2] for spot in spots])


def _bases(figures: Sequence[Figure]) -> Bases:
    spots = [(one.x_mm, one.y_mm) for one in figures]
    return bases_of(spots, [one.base for one in figures], [one.bearing_deg for one in figures])
