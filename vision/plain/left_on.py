"""Whether figures were left on the table when the picture of the empty one was taken."""

from __future__ import annotations

from collections import Counter

from calibration.errors import JobFailed, UnusableFile
from calibration.poses.pose import solve_pose
from calibration.prints.markers import find_markers
from vision.bases import find_bases
from vision.errors import EMPTY_PHOTO
from vision.plain.picture.backdrop import scaled
from vision.plain.pictures import Pictures

__all__ = ["left_on"]


def left_on(pictures: Pictures) -> str | None:
    """What to do about painted bases that stand on the picture of the empty table; None where there are none.

    Whatever is put down later where something stood, or stands there still, shows no change and is missed.
    """
    empty, table = pictures.empty_bgr, pictures.table
    size = empty.shape[1], empty.shape[0]
    try:
        found = find_markers(empty, table.markers.dictionary)
        camera = solve_pose(found, table, scaled(pictures.camera.intrinsics, size), size)
    except (JobFailed, UnusableFile):
        return None  # it lies over the frame as it is, and is judged by that
    seen = Counter(base.army for base in find_bases(empty, camera, table, pictures.ground, found))
    if not seen:
        return None
    told = " and ".join(f"{count} of {army}" for army, count in sorted(seen.items(), key=lambda one: str(one[0])))
    return f"bases stand on the {EMPTY_PHOTO} ({told}): what is put there is missed; take it again, all figures off"
