"""Range bands: in which a range lies, where the measurement cannot tell, and the die that decides then (PR-408)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dice import Roll
from engine.geometry.certainty import SIGMAS
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure, roll
from engine.rulesets.presidio.book import BANDS, Band
from engine.rulesets.presidio.table.bodies import Range
from engine.rulesets.presidio.table.field import measured

__all__ = ["band_as_measured", "band_at", "counted_band", "other_band", "range_doubts"]


def band_at(range_mm: float, limits_mm: Sequence[float]) -> Band:
    """The band of a range by the upper limits of the bands; they are strict (PR-009). Two leave long without end.

    >>> band_at(100.0, (101.6, 304.8)), band_at(101.6, (101.6, 304.8)), band_at(900.0, (101.6, 304.8))
    ('close', 'medium', 'long')
    """
    return BANDS[sum(range_mm >= limit - MM for limit in limits_mm)]


def band_as_measured(found: Range | None, limits_mm: Sequence[float]) -> Band:
    """The band of a range that was measured; ``out`` where there is none."""
    return "out" if found is None else band_at(found.length_mm, limits_mm)


def other_band(found: Range | None, limits_mm: Sequence[float]) -> Band | None:
    """The band on the other side of the nearest limit that the measurement cannot tell; None where it can.

    >>> [other_band(Range((0.0, 0.0), (0.0, mm), mm, 150.0), (101.6, 304.8, 609.6)) for mm in (300.0, 500.0, 1e3)]
    ['long', 'out', None]
    """
    if found is None or not (doubtful := _in_doubt(found, limits_mm)):
        return None
    limit = min(doubtful, key=lambda one: abs(found.length_mm - one))
    sides = (band_at(limit - 2 * MM, limits_mm), band_at(limit + 2 * MM, limits_mm))
    return sides[0] if band_at(found.length_mm, limits_mm) == sides[1] else sides[1]


def range_doubts(found: Range | None, limits_mm: Sequence[float]) -> list[str]:
    """The limits of bands that the measurement cannot settle, in words."""
    if found is None:
        return []
    doubtful = _in_doubt(found, limits_mm)
    return [f"range {measured(found.length_mm, found.sigma_mm, limit)}" for limit in doubtful]


def counted_band(band: Band, other: Band | None) -> Procedure[Band]:
    """The band that counts; a die decides where the measurement cannot: 1 to 3 the nearer (PR-010)."""
    if other is None:
        return band
    near, far = sorted((band, other), key=BANDS.index)
    rolled = yield from roll(Roll(purpose=f"the range is {near} or {far}", count=1, rule="PR-010"))
    return near if rolled.total <= 3 else far


def _in_doubt(found: Range, limits_mm: Sequence[float]) -> list[float]:
    if found.sigma_mm <= 0:
        return []
    return [limit for limit in limits_mm if abs(found.length_mm - limit) <= SIGMAS * found.sigma_mm]
