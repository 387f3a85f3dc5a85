"""What measuring costs, against OpenCV's own search for markers in the same frame, on a table with 120 bases.

Everything is timed in turn, round after round, and held against that round's search: so a machine that is slow, or
busy with others, shows the same ratios. (pytest-benchmark times one thing after the other; on a busy machine its
ratios are those of two different moments.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.pictures import grey_of
from calibration.poses.pose import solve_pose
from calibration.prints.markers import find_markers, marker_dictionary
from vision.bases import find_bases
from vision.ground import ground_of
from vision.measure import Measurer
from vision.renewing.glance import glance_at
from vision.simulated import BasePlaced, Demo, Renderer, VirtualTable, load_demo
from vision.tags import find_tags
from vision.terrain import find_terrain

__all__ = ["crowd", "measure_a_crowd"]

_ROUNDS = 7
_RANKS, _FILES = 2, 5
_APART_MM = 26.0


def crowd(demo: Demo) -> VirtualTable:
    """The demo's table with twelve units of ten on it, half of them of each army, in two ranks."""
    size = demo.virtual.table.table
    bases: list[BasePlaced] = []
    for unit in range(12):
        army = demo.virtual.table.armies[unit % 2]
        figure = next(b.figure for b in demo.virtual.bases if b.army == army.name)
        left = size.width_mm * (0.12 + 0.15 * (unit % 6)) + 7.0 * (unit % 4)
        near = size.depth_mm * (0.36 if unit < 6 else 0.68) + 11.0 * (unit % 3)
        bases += [
            BasePlaced(
                id=f"{unit}-{n}", army=army.name, base=army.bases[0].name, figure=figure,
                x_mm=left + _APART_MM * (n % _FILES), y_mm=near + _APART_MM * (n // _FILES),
                bearing_deg=5.0 * unit,
            )
            for n in range(_RANKS * _FILES)
        ]  # fmt: skip
    return replace(demo.virtual, bases=tuple(bases), trees=(), clutter=())


def measure_a_crowd() -> str:
    """Full measurements, one where nothing has changed, one where a unit has moved, and every stage by itself."""
    demo = load_demo()
    table = crowd(demo)
    steps = [_marched(table, 12.0 * n) for n in range(_ROUNDS + 1)]
    renderer = Renderer(demo.camera)
    still = [renderer.render(table) for _ in range(2)]
    marches = [renderer.render(step) for step in steps]
    whole, kept, following = (Measurer(table.table, demo.camera.intrinsics) for _ in range(3))
    for measurer, first in ((whole, still[0]), (kept, still[0]), (following, marches[0])):
        seen = measurer.measure(first)
    jobs = _stages(still[0], table, demo)
    times: dict[str, list[float]] = {}
    for n in range(_ROUNDS):
        moments: Mapping[str, Callable[[], object]] = {
            **jobs,
            "all, at first": lambda: Measurer(table.table, demo.camera.intrinsics).measure(still[0]),
            "all, terrain known": partial(whole.measure, still[n % 2], anew=True),
            "nothing changed": partial(kept.measure, still[n % 2]),
            "one unit moved": partial(following.measure, marches[n + 1]),
        }
        for name, job in moments.items():
            times.setdefault(name, []).append(_milliseconds(job))
    return f"{len(seen.bases)} of {len(table.bases)} bases seen\n{_told(times)}"


def _marched(table: VirtualTable, by_mm: float) -> VirtualTable:
    """The table with its first unit moved ahead."""
    return replace(
        table, bases=tuple(replace(b, y_mm=b.y_mm - by_mm) if n < 10 else b for n, b in enumerate(table.bases))
    )


def _stages(frame_bgr: NDArray[np.uint8], virtual: VirtualTable, demo: Demo) -> dict[str, Callable[[], object]]:
    """Every stage of a full measurement by itself, OpenCV's search first."""
    table, lens = virtual.table, demo.camera.intrinsics
    grey, size = grey_of(frame_bgr), (frame_bgr.shape[1], frame_bgr.shape[0])
    found = find_markers(grey, table.markers.dictionary)
    camera = solve_pose(found, table, lens, size)
    terrain = find_terrain(frame_bgr, camera, table, found)
    ground = ground_of(terrain, table)
    detector: Any = cv2.aruco.ArucoDetector(marker_dictionary(table.markers.dictionary))
    return {
        "detectMarkers": partial(detector.detectMarkers, grey),
        "  glance": partial(glance_at, frame_bgr),
        "  markers": lambda: find_markers(frame_bgr, table.markers.dictionary),
        "  pose": partial(solve_pose, found, table, lens, size),
        "  terrain": partial(find_terrain, frame_bgr, camera, table, found),
        "  bases": partial(find_bases, frame_bgr, camera, table, ground, found),
        "  tags": partial(find_tags, found, camera, table, ground),
    }


def _told(times: Mapping[str, list[float]]) -> str:
    """A line for each: least and median milliseconds, and the least and median of the ratio round by round."""
    unit = np.array(times["detectMarkers"])
    lines = [f"{'':18}{'ms, least':>12}{'median':>10}{'x, least':>12}{'median':>10}"]
    for name, took in times.items():
        each = np.array(took)
        ratio = float(each.min() / unit.min()), float(np.median(each / unit))
        lines.append(f"{name:18}{each.min():12.1f}{np.median(each):10.1f}{ratio[0]:12.2f}{ratio[1]:10.2f}")
    return "\n".join(lines)


def _milliseconds(job: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    job()
    return 1000 * (time.perf_counter() - began_s)
