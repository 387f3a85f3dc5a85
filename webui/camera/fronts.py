"""What the camera cannot know of a base's front is not taken from it.

Of a rectangle whose army has no mark at the front a measurement gives one of the two ways along its axis, at even
odds. In a game it must not face about by itself: which of the two it is, is for whoever put it there to say.
"""

from __future__ import annotations

from msgspec.structs import replace

from calibration.records import RectBase, Table
from vision.records import BaseSeen, Observation
from vision.unpainted import kind_of

__all__ = ["but_for_fronts"]


def but_for_fronts(seen: Observation, table: Table) -> Observation:
    """What was seen, but of rectangles without a front mark the axis alone."""
    marked = {army.name for army in table.armies if isinstance(army.front_mark, str)}
    return replace(seen, bases=tuple(base if base.army in marked else _lying(base, table) for base in seen.bases))


def _lying(base: BaseSeen, table: Table) -> BaseSeen:
    if base.bearing_deg is None or not isinstance(kind_of(base, table), RectBase):
        return base
    return replace(base, bearing_deg=None, bearing_sigma_deg=None, axis_deg=base.bearing_deg % 180.0)
