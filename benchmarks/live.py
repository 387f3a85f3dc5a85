"""How soon the game follows the table: a look at all of a frame, at one that has not changed, at one unit moved."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

_RUNS = 5


def follow_one_unit() -> str:
    """Each as a multiple of what OpenCV takes to find the markers in the same frame; medians."""
    import cv2
    from msgspec.structs import replace

    from calibration.markers import marker_dictionary
    from calibration.pictures import grey_of
    from vision.measure import Measurer
    from vision.simulated import Renderer, load_demo

    demo = load_demo()
    table, lens = demo.virtual.table, demo.camera.intrinsics
    renderer = Renderer(demo.camera)
    still = [renderer.render(demo.virtual) for _ in range(_RUNS)]
    steps = [
        tuple(replace(b, y_mm=b.y_mm + 20.0 * n) if k < 10 else b for k, b in enumerate(demo.virtual.bases))
        for n in range(1, _RUNS + 1)
    ]
    marches = [renderer.render(replace(demo.virtual, bases=bases)) for bases in steps]
    detector = cv2.aruco.ArucoDetector(marker_dictionary(table.markers.dictionary))
    measurer = Measurer(table, lens)
    unit = _median([partial(detector.detectMarkers, grey_of(f)) for f in still])
    whole = _median([partial(measurer.measure, f, anew=True) for f in (still[0], marches[2], still[1])])
    same = _median([partial(measurer.measure, f) for f in still])
    part = _median([partial(measurer.measure, f) for f in marches])
    told = ", ".join(
        f"{took / unit:.0f} x ({1000 * took:.0f} ms) {what}"
        for took, what in ((whole, "all of it"), (same, "nothing changed"), (part, "one unit moved"))
    )
    return f"{told}; finding markers takes OpenCV {1000 * unit:.0f} ms"


def _median(jobs: list[Callable[[], object]]) -> float:
    return statistics.median(_seconds(job) for job in jobs)


def _seconds(job: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    job()
    return time.perf_counter() - began_s
