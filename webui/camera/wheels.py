"""By how much a unit was turned, told by where its bases stand: a round one without a mark shows no turn itself."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["Turn", "turn_between"]

Floats = NDArray[np.float64]
Turn = tuple[float, float]

_FEW = 3  # bases: of two any turn may be a change of places
_DRESSED_MM = 6.0  # bases of a unit that was carried or wheeled as one are out of their places by less, rms
_LEAST_MM, _TELLING = 0.5, 3.0  # no place is known better; and a turn must be so many of its sigmas


def turn_between(before_mm: Floats, after_mm: Floats) -> Turn | None:
    """The turn, in degrees clockwise, that lays the places (N, 2) of a unit's bases over where they stand after it,
    and one sigma of it; None where they did not move as one, or not turned.

    The least-squares rotation of one set of points to another (Kabsch).
    """
    if len(before_mm) < _FEW:
        return None
    was, now = before_mm - before_mm.mean(axis=0), after_mm - after_mm.mean(axis=0)
    along = float((was * now).sum())
    across = float((was[:, 1] * now[:, 0] - was[:, 0] * now[:, 1]).sum())
    turn = math.atan2(across, along)
    turned = was @ np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    off_mm = float(np.sqrt(np.square(now - turned).sum(axis=1).mean()))
    reach_mm = float(np.sqrt(np.square(was).sum()))
    if off_mm > _DRESSED_MM or reach_mm < _DRESSED_MM:
        return None
    sigma = max(off_mm, _LEAST_MM) / reach_mm
    return (math.degrees(turn), math.degrees(sigma)) if abs(turn) > _TELLING * sigma else None
