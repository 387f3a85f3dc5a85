"""The table in inches, as seen from the edge that sections are counted from; pieces to lay out on it (MM-180)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.records.game import TableArea
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH

__all__ = ["Box", "Frame", "Proposal"]

Spot = tuple[float, float]


class Proposal(Struct, frozen=True, kw_only=True):
    """A piece of terrain to lay out: its kind, its section (None: it runs across the table), its outline in mm.

    ``dv`` is a building's defence value.
    """

    kind: str
    section: int | None
    polygon_mm: tuple[Spot, ...]
    dv: int | None = None


class Box(Struct, frozen=True):
    """A rectangle along the table's edges, in inches: across from the left, deep from the near edge."""

    left: float
    near: float
    right: float
    far: float

    @property
    def middle(self) -> Spot:
        """Its centre, across and deep, in inches."""
        return (self.left + self.right) / 2, (self.near + self.far) / 2

    def gap(self, other: Box) -> float:
        """How far apart two boxes are, in inches: along the axis on which they are farther; less than 0 inside.

        >>> Box(0, 0, 2, 2).gap(Box(3, 0, 4, 1)), Box(0, 0, 2, 2).gap(Box(1, 1, 3, 3))
        (1, -1)
        """
        across = max(other.left - self.right, self.left - other.right)
        return max(across, other.near - self.far, self.near - other.far)

    def holds(self, other: Box) -> bool:
        """Whether another box lies in this one, its edge included."""
        inside = self.left <= other.left and self.near <= other.near
        return inside and other.right <= self.right and other.far <= self.far


class Frame:
    """The table as seen from an edge: how wide and deep it is, where its sections lie, in inches."""

    def __init__(self, table: TableArea, edge: str) -> None:
        self._table, self._edge = table, edge
        along = edge in ("south", "north")
        wide, deep = (table.width_mm, table.depth_mm) if along else (table.depth_mm, table.width_mm)
        self.wide, self.deep = wide / MM_PER_INCH, deep / MM_PER_INCH

    @property
    def whole(self) -> Box:
        """The whole table."""
        return Box(0.0, 0.0, self.wide, self.deep)

    def section(self, number: int) -> Box:
        """A section: 1 2 3 at the far end, 7 8 9 along the edge, from left to right."""
        row, column = divmod(number - 1, 3)
        wide, deep = self.wide / 3, self.deep / 3
        return Box(column * wide, (2 - row) * deep, (column + 1) * wide, (3 - row) * deep)

    def section_at(self, spot: Spot) -> int:
        """The section that a point on the table, in inches across and deep, lies in."""
        column, row = (min(2, int(3 * at / size)) for at, size in zip(spot, (self.wide, self.deep), strict=True))
        return 3 * (2 - row) + column + 1

    def outline(self, box: Box) -> tuple[Spot, ...]:
        """A box as an outline in table millimetres."""
        corners = ((box.left, box.near), (box.right, box.near), (box.right, box.far), (box.left, box.far))
        return self.ring(corners)

    def ring(self, spots: Sequence[Spot]) -> tuple[Spot, ...]:
        """Points in inches across and deep, in table millimetres."""
        return tuple(self._spot(across * MM_PER_INCH, deep * MM_PER_INCH) for across, deep in spots)

    def _spot(self, across: float, deep: float) -> Spot:
        width, depth = self._table.width_mm, self._table.depth_mm
        x, y = {
            "south": (across, deep),
            "north": (width - across, depth - deep),
            "west": (deep, depth - across),
            "east": (width - deep, across),
        }[self._edge]
        return round(x, 3), round(y, 3)
