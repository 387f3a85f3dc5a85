"""The frame of two markers: a bundle's places and cameras turned and shifted into it.

A motion is (clockwise turn in radians as seen from above, x, y, z in mm): a point is turned about the origin first,
then shifted.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.surveys.bundle import Bundle, height_likely
from calibration.surveys.flatmap import turned

__all__ = ["in_frame", "moved_camera"]

Points = NDArray[np.float64]


def in_frame(bundle: Bundle) -> Bundle:
    """The bundle with its first frame marker over the origin, the second towards x, most markers at height 0."""
    origin, along = (bundle.markers[i][:2] for i in bundle.frame)
    turn = float(np.arctan2(*(along - origin)[::-1]))
    level = _level(np.array([place[2] for place in bundle.markers.values()]))
    motion = np.array([turn, *(-turned(origin[None], turn)[0]), -level])
    return replace(
        bundle,
        markers={i: _moved(place, motion) for i, place in bundle.markers.items()},
        views=tuple(replace(view, pose=moved_camera(view.pose, motion)) for view in bundle.views),
    )


def moved_camera(pose: Points, motion: Points) -> Points:
    """A camera's rvec and tvec (6,), as it sees the points of a table that are moved.

    Its rays go to the same points as before: where q was seen, T q + m is now.
    """
    c, s = np.cos(motion[0]), np.sin(motion[0])
    back = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    rotation = np.asarray(cv2.Rodrigues(pose[:3])[0], dtype=np.float64) @ back
    return np.concatenate([np.ravel(cv2.Rodrigues(rotation)[0]), pose[3:] - rotation @ motion[1:]])


def _moved(place: Points, motion: Points) -> Points:
    x, y = turned(place[None, :2], float(motion[0]))[0] + motion[1:3]
    return np.array([x, y, place[2] + motion[3], place[3] + motion[0]])


def _level(heights: Points) -> float:
    """The height that the others are likeliest about: what most markers lie on."""
    unlikely = -np.log(height_likely(heights - heights[:, None])).sum(axis=1)
    return float(heights[np.argmin(unlikely)])
