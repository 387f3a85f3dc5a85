"""Where points stand to a body of bases facing one way: before its front line, behind its rear line, between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import Bases, extent
from engine.geometry.directions import unit_vector
from engine.geometry.tolerance import MM

Array = NDArray[np.float64]


def front_and_rear(bases: Bases, bearing_deg: float) -> tuple[float, float]:
    """How far along its facing the foremost and the hindmost base edge lie, in mm from the table's origin.

    >>> from engine.geometry.bases import bases_of
    >>> from engine.records.game import Round
    >>> front_and_rear(bases_of([(0, 100), (30, 90)], [Round(diameter_mm=20)] * 2, [0, 0]), 0)
    (110.0, 80.0)
    """
    back, front = extent(bases, unit_vector(bearing_deg))
    return float(front.max()), float(back.min())


def stand(points: Array, bases: Bases, bearing_deg: float) -> list[str]:
    """``front``, ``flank`` or ``rear`` for each of the points (n, 2).

    Exactly on the front line is front, exactly on the rear line is flank (0.001 mm allowed).

    >>> from engine.geometry.bases import bases_of
    >>> from engine.records.game import Round
    >>> body = bases_of([(0, 100)], [Round(diameter_mm=20)], [0])
    >>> stand(np.array([[0.0, 110.0], [50.0, 90.0], [50.0, 89.0]]), body, 0)
    ['front', 'flank', 'rear']
    """
    front, rear = front_and_rear(bases, bearing_deg)
    along = np.asarray(points, dtype=float) @ unit_vector(bearing_deg)
    return ["front" if at >= front - MM else "rear" if at < rear - MM else "flank" for at in along]
