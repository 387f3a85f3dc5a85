"""A known length against what the camera makes of it: the check that a table is set up right."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.errors import JobFailed

__all__ = ["Taped", "compare", "ends_of"]

Points = NDArray[np.float64]

_TAPE_MM = 2.0  # a tape in careful hands is right to so much
_SHARE = 0.0015  # and so much of a length is nothing to mend
_PRINTERS = 0.012  # no printer is off by more
_POINTED_PX = 1.5  # how exactly people point


class Taped(Struct, frozen=True, kw_only=True):
    """A length by the camera and by the tape, in mm; ``sigma_mm`` is the camera's.

    ``agrees`` tells whether the table may be used as it is; ``said`` is one sentence on it and what to do.
    """

    camera_mm: float
    tape_mm: float
    sigma_mm: float
    agrees: bool
    factor: float
    said: str

    @property
    def off_mm(self) -> float:
        """By how much the camera makes it longer than the tape."""
        return self.camera_mm - self.tape_mm


def ends_of(places: Mapping[int, Points], first: int, second: int) -> tuple[Points, Points]:
    """The pixels of two markers' centres. Raises JobFailed where one is not in sight."""
    for marker in (first, second):
        if marker not in places:
            seen = ", ".join(map(str, sorted(places))) or "none"
            raise JobFailed(
                f"marker {marker} is not in sight (seen: {seen}): uncover it, or measure between others"
            )
    return places[first], places[second]


def compare(camera: CameraModel, ends_px: tuple[Points, Points], tape_mm: float, *, pointed: bool = False) -> Taped:
    """A length on the table plane between two pixels, beside the tape's figure for it.

    ``pointed``: the ends were pointed at by hand, and are no marker's centres. Raises JobFailed for a length that
    is none.
    """
    if not (math.isfinite(tape_mm) and 10 <= tape_mm <= 100_000):
        raise JobFailed(f"the tape's figure: expected millimetres from 10 to 100000, got {tape_mm:g}")
    ends = np.array(ends_px)
    places = camera.to_plane(ends, 0.0)
    if not np.isfinite(places).all():
        raise JobFailed("an end of the length is not on the table: touch both ends again")
    along = places[1] - places[0]
    length = float(np.linalg.norm(along))
    if length < 10:
        raise JobFailed("both ends lie in one place: touch one end of the length, and then the other")
    spread = camera.plane_covariance(ends, 0.0, _POINTED_PX if pointed else 0.15)
    ahead = along / length
    sigma = float(np.sqrt(max(sum(ahead @ one @ ahead for one in spread), 0.0)))
    off, allowed = length - tape_mm, _TAPE_MM + _SHARE * tape_mm + 2 * sigma * pointed
    agrees = abs(off) <= allowed
    return Taped(
        camera_mm=round(length, 2), tape_mm=tape_mm, sigma_mm=round(sigma, 2), agrees=agrees,
        factor=tape_mm / length, said=_said(length, tape_mm, off, agrees=agrees),
    )  # fmt: skip


def _said(length: float, tape_mm: float, off: float, *, agrees: bool) -> str:
    share = 100 * (length / tape_mm - 1)
    if agrees:
        return f"the camera makes it {length:.1f} mm, the tape {tape_mm:g} mm: they agree"
    told = f"the camera makes it {length:.1f} mm, the tape {tape_mm:g} mm: {off:+.1f} mm ({share:+.2f} %)"
    if abs(share) <= 100 * _PRINTERS:
        return f"{told}; printers are off by as much: scale the table to the tape"
    return (
        f"{told}; no printer is off by so much: was the tape laid from centre to centre of these two, is the figure"
        " in millimetres, and is the marker's black square as large as was said?"
    )
