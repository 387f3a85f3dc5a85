"""OpenCV's dictionaries of markers, by name, and the cells of each print."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import UnusableFile

__all__ = ["dictionary_names", "marker_bits", "marker_dictionary"]


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
    """The cells (N, N) of a marker and its black border, 1 for white. Raises UnusableFile for an id it has not."""
    known = marker_dictionary(dictionary)
    if not 0 <= number < len(known.bytesList):
        raise UnusableFile(f"{dictionary} has ids 0 to {len(known.bytesList) - 1}, not {number}")
    cells = known.generateImageMarker(number, known.markerSize + 2, borderBits=1)
    return np.asarray(cells > 127, dtype=np.uint8)
