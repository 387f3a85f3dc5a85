"""Printed square markers in a picture: found, checked cell by cell, and placed to a few hundredths of a pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.bloom import bloom_px, grown
from calibration.edges import refine_squares
from calibration.errors import UnusableFile
from calibration.records import MarkerAt

__all__ = [
    "FoundMarker",
    "centre_of",
    "corners_on_table",
    "dictionary_names",
    "find_markers",
    "marker_bits",
    "marker_dictionary",
]

Points = NDArray[np.float64]

_FULL_WIDTH = 3840  # smaller pictures are enlarged towards this, so that small tags have pixels to be read from
_MOST_ENLARGED = 3.0
_LEAST_SIDE_PX = 9.0
_LEAST_LIKENESS = 0.80  # correlation of a marker's cells with what was printed


@dataclass(frozen=True, eq=False)
class FoundMarker:
    """A marker seen.

    ``corners_px`` (4, 2) are its outer corners as printed: top left, top right, bottom right, bottom left; pixel
    centres are at integers. ``sigma_px`` is their noise per axis.
    """

    id: int
    corners_px: Points
    sigma_px: float = 0.1

    @property
    def centre_px(self) -> Points:
        """Where its middle is seen (2,): the crossing of its diagonals, which perspective keeps."""
        return centre_of(self.corners_px)

    @property
    def side_px(self) -> float:
        """The mean length of its sides."""
        return float(np.linalg.norm(self.corners_px - np.roll(self.corners_px, -1, axis=0), axis=1).mean())


def find_markers(grey: NDArray[np.uint8], dictionary: str) -> tuple[FoundMarker, ...]:
    """All markers of a dictionary (such as ``DICT_4X4_100``) in a grey picture (H, W), by id.

    Corners are where they were printed: what bloom takes from a black square is measured on its cells and given
    back. An id may come twice where two such prints are in sight. Raises UnusableFile for an unknown dictionary.
    """
    known = marker_dictionary(dictionary)
    if grey.ndim != 2 or grey.dtype != np.uint8:
        raise ValueError(f"grey: expected uint8 (H, W), got {grey.dtype} {grey.shape}")
    ids, rough = _detect(grey, known)
    if not ids:
        return ()
    refined = refine_squares(grey, rough, known.markerSize + 2)
    like = [
        _likeness(grey, corners, marker_bits(dictionary, n))
        for n, corners in zip(ids, refined.corners_px, strict=True)
    ]
    kept = [i for i, likeness in enumerate(like) if likeness >= _LEAST_LIKENESS]
    clear = [i for i in kept if refined.good[i]]
    bloom = bloom_px(grey, refined.corners_px[clear], [marker_bits(dictionary, ids[i]) for i in clear])
    corners = grown(refined.corners_px, bloom)
    found = [FoundMarker(ids[i], _frozen(corners[i]), float(refined.sigma_px[i])) for i in kept]
    return tuple(sorted(found, key=lambda f: f.id))


def centre_of(corners_px: Points) -> Points:
    """The crossing (2,) of the diagonals of four corners (4, 2)."""
    a, b, c, d = np.column_stack([corners_px, np.ones(4)])
    crossing = np.cross(np.cross(a, c), np.cross(b, d))
    return np.asarray(crossing[:2] / crossing[2], dtype=np.float64)


def corners_on_table(marker: MarkerAt, size_mm: float) -> Points:
    """A marker's printed corners (4, 3) in the table frame: top left, top right, bottom right, bottom left."""
    bearing = np.radians(marker.rotation_deg)
    top = np.array([np.sin(bearing), np.cos(bearing), 0.0]) * size_mm / 2
    right = np.array([np.cos(bearing), -np.sin(bearing), 0.0]) * size_mm / 2
    centre = np.array([marker.x_mm, marker.y_mm, marker.z_mm])
    return np.array([centre + top - right, centre + top + right, centre - top + right, centre - top - right])


@cache
def marker_dictionary(name: str) -> Any:
    """OpenCV's dictionary of that name. Raises UnusableFile, listing the known, for another."""
    if name not in dictionary_names():
        raise UnusableFile(
            f"dictionary {name!r} is not known; expected one of: {', '.join(sorted(dictionary_names()))}"
        )
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))


@cache
def dictionary_names() -> frozenset[str]:
    """The names of all marker dictionaries."""
    return frozenset(name for name in dir(cv2.aruco) if name.startswith("DICT_"))


@cache
def marker_bits(dictionary: str, number: int) -> NDArray[np.uint8]:
    """The cells of a marker and its black border, 1 for white. Raises UnusableFile for an id it has not."""
    known = marker_dictionary(dictionary)
    if not 0 <= number < len(known.bytesList):
        raise UnusableFile(f"{dictionary} has ids 0 to {len(known.bytesList) - 1}, not {number}")
    cells = known.generateImageMarker(number, known.markerSize + 2, borderBits=1)
    return np.asarray(cells > 127, dtype=np.uint8)


def _detect(grey: NDArray[np.uint8], known: Any) -> tuple[list[int], Points]:
    """Ids and rough corners (M, 4, 2): from the picture, and, where it is small, from an enlarged copy too.

    Enlarging finds small tags; it loses large markers, whose borders become wider than what is thresholded at once.
    """
    factor = min(_MOST_ENLARGED, _FULL_WIDTH / max(grey.shape))
    ids, corners = _detect_at(grey, known, factor) if factor > 1.2 else ([], [])
    for number, places in zip(*_detect_at(grey, known, 1.0), strict=True):
        if not any(number == i and _overlap(places, c) for i, c in zip(ids, corners, strict=True)):
            ids.append(number)
            corners.append(places)
    return ids, np.array(corners).reshape(-1, 4, 2)


def _detect_at(grey: NDArray[np.uint8], known: Any, factor: float) -> tuple[list[int], list[Points]]:
    """Ids and corners from a copy enlarged by ``factor``, in pixels of the picture itself."""
    large, scale = grey, np.ones(2)
    if factor > 1:
        large = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC), np.uint8)
        scale = np.array([large.shape[1] / grey.shape[1], large.shape[0] / grey.shape[0]])
    corners, ids, _ = cv2.aruco.ArucoDetector(known, _settings(large.shape, factor)).detectMarkers(large)
    if ids is None or len(ids) == 0:
        return [], []
    places = (np.asarray(corners, dtype=np.float64).reshape(-1, 4, 2) + 0.5) / scale - 0.5
    return [int(number) for number in np.ravel(ids)], list(places)


def _overlap(one: Points, other: Points) -> bool:
    """Whether two quadrilaterals (4, 2) have nearly one middle."""
    return bool(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) < 0.5 * np.linalg.norm(one[0] - one[2]))


def _settings(shape: Sequence[int], scale: float) -> Any:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    settings.minMarkerPerimeterRate = 4 * _LEAST_SIDE_PX * scale / max(shape)
    settings.perspectiveRemovePixelPerCell = 8
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.3
    return settings


def _likeness(grey: NDArray[np.uint8], corners_px: Points, bits: NDArray[np.uint8]) -> float:
    """How well the cells, the border and the white round it agree with the print: a correlation, at most 1."""
    printed = np.pad(bits.astype(np.float64), 1, constant_values=1.0)
    cells = len(bits)
    offsets = np.array([-0.2, 0.0, 0.2])
    where = (np.arange(-1, cells + 1) + 0.5)[:, None] + offsets
    where[0], where[-1] = -0.35 + offsets, cells + 0.35 + offsets  # the quiet zone may be narrow
    x, y = np.meshgrid(where.ravel(), where.ravel())
    corner = np.array([[0, 0], [cells, 0], [cells, cells], [0, cells]], dtype=np.float32)
    shape = cv2.getPerspectiveTransform(corner, corners_px.astype(np.float32))
    places = cv2.perspectiveTransform(np.stack([x, y], axis=-1).astype(np.float32), shape)
    seen = cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    means = seen.astype(np.float64).reshape(cells + 2, 3, cells + 2, 3).mean(axis=(1, 3))
    inner = np.ones_like(printed, dtype=bool)
    inner[[0, 0, -1, -1], [0, -1, 0, -1]] = False
    return _correlation(means[inner], printed[inner])


def _correlation(a: Points, b: Points) -> float:
    a, b = a - a.mean(), b - b.mean()
    return float((a @ b) / max(float(np.sqrt((a @ a) * (b @ b))), 1e-9))


def _frozen(array: Points) -> Points:
    array = np.array(array, dtype=np.float64)
    array.setflags(write=False)
    return array
