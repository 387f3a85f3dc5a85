"""How long the ground in reach takes: regions for forty units of ten among sixty pieces, against exact contacts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

_RUNS = 3


def regions_of_forty_units() -> str:
    """One region for each of 40 units of 10 figures among 60 pieces of terrain, a third of which block."""
    from engine.geometry.reach import Setting, Straight, Wheel, first_contact, loose_region, region

    units, terrain = _units(), _terrain()
    table = (1828.8, 1219.2)
    ways = (Straight(half_deg=45.0), Wheel(), Straight(turn_deg=180.0))

    def formed() -> None:
        for bases, facing, others in units:
            region(bases, facing, ways, 203.2, Setting(terrain, others, table))

    def passing() -> None:
        for bases, facing, _ in units:
            region(bases, facing, ways, 203.2, Setting(terrain, table_mm=table))

    def loose() -> None:
        for bases, _, others in units:
            loose_region(bases, 203.2, Setting(terrain, others, table))

    def one_contact() -> None:
        for bases, facing, _ in units:
            angle = np.radians(facing)
            first_contact(bases, terrain, np.array([np.sin(angle), np.cos(angle)]))

    base = _least(one_contact)
    figures = [
        (name, _least(work))
        for name, work in (("formed", passing), ("formed, others to mind", formed), ("loose", loose))
    ]
    told = ", ".join(f"{name} {1000 * seconds:.0f} ms" for name, seconds in figures)
    return f"{told} for 40 units; {figures[0][1] / base:.1f} times one first contact each ({1000 * base:.0f} ms)"


def _least(work: Callable[[], None]) -> float:
    work()
    spent = []
    for _ in range(_RUNS):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def _units() -> list[tuple[Any, float, Any]]:
    from engine.geometry.reach import bases_as_blockers, joined
    from engine.geometry.shapes.bases import bases_of
    from engine.records.game import Round

    every = []
    for n in range(40):
        x, y, facing = 100 + 170 * (n % 10), 150 + 280 * (n // 10), 0.0 if n < 20 else 180.0
        spots = [(x + 14.0 * i, y + 7.0 * (n % 3)) for i in range(10)]
        every.append((bases_of(spots, [Round(diameter_mm=14.0)] * 10, [facing] * 10), facing))
    bodies = [bases_as_blockers(bases, [str(n)] * 10) for n, (bases, _) in enumerate(every)]
    return [
        (bases, facing, joined([body for m, body in enumerate(bodies) if m != n]))
        for n, (bases, facing) in enumerate(every)
    ]


def _terrain() -> Any:
    from engine.geometry.reach import outlines_as_blockers

    outlines = []
    for n in range(60):
        x, y, turn = 60.0 + 115 * (n % 15), 60.0 + 280 * (n // 15), 0.4 * n
        angles = turn + np.arange(5) * 2 * np.pi / 5
        outlines.append([(x + 22 * np.sin(a), y + 22 * np.cos(a)) for a in angles])
    blocking = outlines[::3]  # the others are woods and the like, which a loose unit passes
    return outlines_as_blockers(blocking, [f"piece {n}" for n in range(0, 60, 3)])
