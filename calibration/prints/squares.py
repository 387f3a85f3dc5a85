"""Where in a picture a printed square may be: four-sided outlines, roughly, whatever they hold."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["rough_squares"]

Points = NDArray[np.float64]

_WORKING_PX = 1920  # larger pictures are looked at in a copy of this width: prints in them are large as well
_WINDOW_PX = 7  # over which dark is told from light: the edges of cells of two pixels hold their own in it
_LEAST_SIDE_PX = 7.0
_CROOKED = 0.05  # an outline of a few pixels is crooked: by so much of its length it may stray from a square's
_ALIKE = 0.02  # outlines nearer to each other than this share of their length are one


def rough_squares(grey: NDArray[np.uint8], dictionary: Any) -> Points:
    """Corners (N, 4, 2), clockwise, of all that looks like a square in a grey picture (H, W), to a pixel or two.

    Cards come as well as the squares printed on them. ``dictionary`` is OpenCV's, which wants one.
    """
    scale = min(1.0, _WORKING_PX / max(grey.shape))
    once = _reduced(grey, scale)
    fine = _outlines(once, dictionary, _LEAST_SIDE_PX, minMarkerDistanceRate=_ALIKE / 2, minGroupDistance=_ALIKE)
    half = _reduced(once, 0.5)  # what is blurred, or large, has clear outlines only when it is made smaller
    coarse = _outlines(half, dictionary, 2 * _LEAST_SIDE_PX)
    found = [_enlarged(quads, small.shape, grey.shape) for quads, small in ((fine, once), (coarse, half))]
    return _clockwise(np.concatenate(found))


def _outlines(grey: NDArray[np.uint8], dictionary: Any, least_px: float, **more: float) -> Points:
    """The four-sided outlines (N, 4, 2) in a picture."""
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = _WINDOW_PX
    settings.minMarkerPerimeterRate = 4 * least_px / max(grey.shape)
    settings.minDistanceToBorder = 1
    settings.polygonalApproxAccuracyRate = _CROOKED
    for name, value in more.items():
        setattr(settings, name, value)
    told, _, untold = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    return np.array([np.ravel(quad) for quad in (*told, *untold)], dtype=np.float64).reshape(-1, 4, 2)


def _reduced(grey: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    if scale >= 1.0:
        return grey
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _enlarged(quads: Points, small: tuple[int, ...], large: tuple[int, ...]) -> Points:
    """Corners in pixels of a picture, from those of a reduced copy; pixel centres are at integers in both."""
    return np.asarray((quads + 0.5) * (large[1] / small[1], large[0] / small[0]) - 0.5, dtype=np.float64)


def _clockwise(quads: Points) -> Points:
    """Quadrilaterals with their corners in clockwise order as seen in the picture."""
    ahead = np.roll(quads, -1, axis=1)
    turn = (quads[..., 0] * ahead[..., 1] - quads[..., 1] * ahead[..., 0]).sum(axis=1)
    return np.where((turn < 0)[:, None, None], quads[:, ::-1], quads)
