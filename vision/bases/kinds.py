"""Which outline a base that was seen has, by the table's file, and where it covers the table for sure."""

from __future__ import annotations

from dataclasses import replace

from calibration.records import Table
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, outline_of
from vision.records import BaseSeen
from vision.unpainted import called, shapes_of

__all__ = ["Kinds"]


class Kinds:
    """The outlines of bases. One that no paint tells has the shape that is called so, or the largest
    of all."""

    def __init__(self, table: Table) -> None:
        self._own = {(army.name, kind.name): outline_of(kind) for army in table.armies for kind in army.bases}
        self._shapes = {shape.name: outline_of(shape.kind) for shape in shapes_of(table)}
        self._largest = max(self._own.values(), key=lambda o: o.reach_mm, default=None)

    @property
    def most_mm(self) -> float:
        """How far the largest reaches."""
        return 0.0 if self._largest is None else self._largest.reach_mm

    @property
    def all(self) -> tuple[Outline, ...]:
        """The outlines of the bases of every army."""
        return tuple(self._own.values())

    @property
    def without_paint(self) -> tuple[Outline, ...]:
        """Each shape once, as `shapes_of` has them."""
        return tuple(self._shapes.values())

    def of(self, base: BaseSeen) -> Outline:
        """A base's outline. Raises KeyError where the table has no bases at all."""
        own = self._own.get((base.army or "", base.base or ""))
        told = own or self._shapes.get(called(base)) or self._largest
        if told is None:
            raise KeyError(f"the table knows no base {base.base!r}")
        return told

    def placed(self, base: BaseSeen) -> Placed:
        """Where a base covers the table for sure: of one whose axis is not known either, the circle within it."""
        kind = self.of(base)
        if base.lies_deg is None and not kind.round_:  # no more is known of it than the circle within
            least = min(kind.half_width_mm, kind.half_depth_mm)
            kind = replace(kind, round_=True, half_width_mm=least, half_depth_mm=least)
        return Placed(kind, base.x_mm, base.y_mm, base.z_mm, base.lies_deg or 0.0)
