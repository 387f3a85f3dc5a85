"""``vedette watch``: frames in, events out. Nothing is reported as moved while it is covered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.records import Intrinsics, Table
from vision.measure import Measurer
from vision.records import WatchEvent
from vision.sources import Frame
from vision.stillness import Stillness
from vision.tracking import Tracker

__all__ = ["watch"]

Image = NDArray[np.uint8]

#: The table has settled when nothing has moved for this long, and nothing reaches in from the border …
_SETTLED_S = 0.4
#: … or when what reaches in has lain still so long that it belongs to the table now.
_STAYS_S = 4.0
#: A change counts for a base when it lies within this of the base's centre.
_NEAR_MM = 25.0


def watch(
    frames: Iterable[Frame],
    table: Table,
    intrinsics: Intrinsics | None = None,
    empty_bgr: Image | None = None,
) -> Iterator[WatchEvent]:
    """The events of a table that is watched: what stands there at first, then what moves, comes and goes.

    Each is said once, when the table has settled. Raises calibration.errors.JobFailed where too few table markers
    are in sight when the table is first looked at.
    """
    measurer = Measurer(table, intrinsics, empty_bgr)
    stillness, tracker = Stillness(), Tracker()
    moved_at_s = float("-inf")
    disturbed, started = False, False
    for frame in frames:
        change = stillness.update(frame.image)
        if started and (change.since_last or (change.covered and not disturbed)):
            moved_at_s = frame.t_s
            if not disturbed:
                disturbed = True
                yield WatchEvent(event="disturbed", frame=frame.number, t_s=frame.t_s)
        quiet_s = frame.t_s - moved_at_s
        if quiet_s < _SETTLED_S or (change.covered and quiet_s < _STAYS_S):
            continue
        if disturbed:
            disturbed = False
            yield WatchEvent(event="settled", frame=frame.number, t_s=frame.t_s)
        if change.since_kept:
            seen = measurer.measure(frame.image)
            assert measurer.camera is not None
            changed = _changed_on_table(measurer.camera, frame.image, stillness)
            yield from tracker.update(frame.number, frame.t_s, seen.bases, changed)
            stillness.keep()
            started = True


def _changed_on_table(camera: CameraModel, image: Image, stillness: Stillness) -> Callable[[float, float], bool]:
    """Whether the picture changed near a place of the table, given in mm."""
    height, width = image.shape[:2]
    changed = stillness.changes()

    def near(x_mm: float, y_mm: float) -> bool:
        place = np.array([[x_mm, y_mm, 0.0]])
        radius = _NEAR_MM * float(camera.px_per_mm(place)[0]) / width
        return changed(camera.project(place)[0] / (width, height), radius)

    return near
