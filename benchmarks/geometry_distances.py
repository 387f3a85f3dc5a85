"""Distances, arcs, aspects, formation and templates of whole tables against loops over shapely objects, in one run.

Run it alone with ``python -m benchmarks.geometry_distances``.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

_SIZES = (100, 400, 1000)
_UNIT = 10
_LOOP = 60  # figures a side that the plain loop measures; its time is taken on to all pairs


def distances_arcs_and_formation() -> str:
    """Milliseconds for all pairs of 100, 400 and 1,000 figures; the ratio to the loop, the growth, the memory."""
    lines = []
    times: dict[str, list[float]] = {}
    for count in _SIZES:
        for name, work in _works(count).items():
            times.setdefault(name, []).append(_least(work))
    loops = {"gaps": _loop_gaps(), "arcs": _loop_arcs()}
    for name, (small, middle, large) in times.items():
        words = f"{name} {1e3 * small:.1f}, {1e3 * middle:.1f}, {1e3 * large:.1f} ms"
        if name in loops:
            words += f" ({loops[name] * _SIZES[1] ** 2 / middle:.0f}x the loop)"
        lines.append(words)
    return f"100, 400, 1000 figures: {'; '.join(lines)}; most memory {_memory():.0f} MB"


def _works(count: int) -> dict[str, Callable[[], Any]]:
    from engine.geometry import distances, templates
    from engine.geometry.facing.arcs import arcs, aspects
    from engine.geometry.formations import patterns, ranks

    bases, units = _table(count)
    number = count // _UNIT
    facing = np.degrees(bases.bearing_rad[::_UNIT])
    fronts, table = arcs.from_front_middles(bases), distances.edges(bases, bases)
    return {
        "gaps": lambda: distances.edges(bases, bases),
        "front middles": lambda: distances.front_middles_to_edges(bases, bases),
        "units": lambda: distances.between_units(table, units, units, (number, number)),
        "arcs": lambda: arcs.arcs(fronts, bases, 45.0),
        "aspects": lambda: aspects.strips(bases, units, number, facing).aspects(bases.centre, bases.sigma_mm),
        "quarters": lambda: aspects.quarters(bases.centre, bases),
        "formation": lambda: patterns.shapes(bases, units, facing, 12.5, 1.0),
        "front lines": lambda: ranks.front_lines(bases, units, facing, np.ones(count, dtype=bool)),
        "a lane": lambda: templates.lane(
            templates.Lane(start=(900.0, 0.0), bearing_deg=10.0, length_mm=3048.0, half_width_mm=25.4), bases
        ),
    }


def _table(count: int) -> tuple[Any, Any]:
    """Units of ten, every second one on rectangles, over a table of six feet by four."""
    from engine.geometry.shapes.bases import Bases

    random = np.random.default_rng(count)
    units = np.arange(count) // _UNIT
    middle = random.uniform((0, 0), (1800, 1200), (count // _UNIT, 2))
    turn = random.uniform(0, 2 * np.pi, count // _UNIT)[units]
    place = np.arange(count) % _UNIT
    across, along = 26.0 * (place % 5 - 2), -26.0 * (place // 5)
    centre = middle[units] + np.stack(
        [across * np.cos(turn) + along * np.sin(turn), along * np.cos(turn) - across * np.sin(turn)], axis=-1
    )
    rect = units % 2 == 1
    half = np.where(rect[:, None], [12.5, 20.0], 0.0)
    return Bases(centre, np.where(rect, 0.0, 12.5), half, turn, np.full(count, 0.4), np.full(count, 1.0)), units


def _least(work: Callable[[], Any], repeats: int = 5) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def _loop_shapes() -> list[Any]:
    import shapely

    bases, _ = _table(_SIZES[1])
    return [
        shapely.Polygon(bases.corners()[k]) if bases.is_rect[k] else shapely.Point(bases.centre[k]).buffer(12.5)
        for k in np.linspace(0, len(bases) - 1, _LOOP).astype(int)
    ]


def _loop_gaps() -> float:
    """Seconds a pair of a plain loop over shapely objects."""
    shapes = _loop_shapes()
    return _least(lambda: [one.distance(other) for one in shapes for other in shapes], 2) / _LOOP**2


def _loop_arcs() -> float:
    """Seconds a pair of a plain loop over cones and bases: meets, holds."""
    import shapely

    bases, _ = _table(_SIZES[1])
    shapes, far = _loop_shapes(), 5000.0
    turns = bases.bearing_rad[:_LOOP, None] + np.radians([-45.0, 0.0, 45.0])
    rims = bases.front_middle[:_LOOP, None] + far * np.stack([np.sin(turns), np.cos(turns)], axis=-1)
    cones = [shapely.Polygon([at, *rim]) for at, rim in zip(bases.front_middle[:_LOOP], rims, strict=True)]
    return _least(lambda: [(c.intersects(s), c.contains(s)) for c in cones for s in shapes], 2) / _LOOP**2


def _memory() -> float:
    """The most megabytes that any of the works needs at 1,000 figures, its answer included."""
    most = 0.0
    for work in _works(_SIZES[-1]).values():
        tracemalloc.start()
        work()
        most = max(most, tracemalloc.get_traced_memory()[1] / 1e6)
        tracemalloc.stop()
    return most


if __name__ == "__main__":
    print(distances_arcs_and_formation())
