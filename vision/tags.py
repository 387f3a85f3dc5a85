"""Unit tags: small printed markers that lie flat beside a unit, on whatever ground there is."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.prints.markers import FoundMarker
from calibration.records import Table
from vision.ground import Ground
from vision.records import TagSeen

__all__ = ["CARD_MM", "TAG_IDS", "find_tags"]

Points = NDArray[np.float64]

TAG_IDS = range(10, 100)

CARD_MM = 0.3  # how far the print lies above its ground: common card
_WRONG_SIZE = 0.2  # a print that is this much larger or smaller than a tag is none
_LIES_MM = 0.12  # how far card that bulges a little moves its own centre in the picture


def find_tags(found: Iterable[FoundMarker], camera: CameraModel, table: Table, ground: Ground) -> list[TagSeen]:
    """The unit tags among the markers found, by id.

    Prints of another size than the table's tags are none; of two with one id the one nearer to that size is taken.
    """
    if table.tags is UNSET:
        return []
    listed = {marker.id for marker in table.markers.at}
    best: dict[int, tuple[float, TagSeen]] = {}
    for marker in found:
        if marker.id not in TAG_IDS or marker.id in listed:
            continue
        height = float(ground.height_seen(camera, marker.centre_px[None], CARD_MM)[0]) + CARD_MM
        corners = camera.to_plane(marker.corners_px, height)
        off = _size_error(corners, table.tags.size_mm)
        if off < _WRONG_SIZE and (marker.id not in best or off < best[marker.id][0]):
            best[marker.id] = off, _tag(marker, corners, camera, height)
    return [best[number][1] for number in sorted(best)]


def _size_error(corners: Points, size_mm: float) -> float:
    """By how much of a tag's size its longest or shortest side is off; infinite where it has no place."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    off = float(np.abs(sides / size_mm - 1.0).max())
    return off if np.isfinite(off) else float("inf")


def _tag(marker: FoundMarker, corners: Points, camera: CameraModel, height_mm: float) -> TagSeen:
    centre = camera.to_plane(marker.centre_px[None], height_mm)[0]
    spread = camera.plane_covariance(marker.centre_px[None], height_mm, marker.sigma_px)[0]
    return TagSeen(
        id=marker.id,
        x_mm=float(centre[0]),
        y_mm=float(centre[1]),
        bearing_deg=_bearing_deg(corners),
        sigma_mm=float(np.sqrt(np.trace(spread) / 2.0 + _LIES_MM**2)),
    )


def _bearing_deg(corners: Points) -> float:
    """The bearing of the top edge that fits all four corners (4, 2) best: the up and right directions, joined."""
    top_left, top_right, bottom_right, bottom_left = corners
    up = top_left + top_right - bottom_right - bottom_left
    right = top_right + bottom_right - top_left - bottom_left
    up = up + np.array([-right[1], right[0]])
    return float(np.degrees(np.arctan2(up[0], up[1])) % 360.0)
