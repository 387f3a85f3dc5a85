"""Where in its hex a base is put when the rules move it: in the middle, or beside the bases that stand there."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, radians, sin

from engine.records.game import Cell, Figure, Round, Unit
from engine.rulesets.musket_pike.table.board import Board

__all__ = ["spot_in"]

PointMm = tuple[float, float]
#: How far bases are put apart, and how much of a hex's width they may be put from its middle.
_GAP_MM = 3.0
_MOST_SHARE = 0.45
#: Behind first, then ahead, right and left, as the base looks.
_TURNS_DEG = (180.0, 0.0, 90.0, -90.0)


def spot_in(board: Board, unit: Unit, cell: Cell, bearing_deg: float) -> PointMm:
    """The point in table mm where a unit's base stands in a hex it comes to; the middle where there is no room."""
    x_mm, y_mm = (float(value) for value in board.grid.centres(cell))
    own = _reach_mm(unit.figures[0])
    others = [troop.unit.figures[0] for troop in board.at(cell) if troop.id != unit.id and troop.unit.figures]
    for spot in _spots(board, (x_mm, y_mm), own, others, bearing_deg):
        if all(hypot(spot[0] - o.x_mm, spot[1] - o.y_mm) >= own + _reach_mm(o) for o in others):
            return spot
    return x_mm, y_mm


def _reach_mm(figure: Figure) -> float:
    """How far a base reaches to its front and rear."""
    return (figure.base.diameter_mm if isinstance(figure.base, Round) else figure.base.depth_mm) / 2


def _spots(
    board: Board, middle: PointMm, own: float, others: list[Figure], bearing_deg: float
) -> Iterator[PointMm]:  # fmt: skip
    """The middle, then the points just so far away that the base clears the largest of the others."""
    yield middle
    away = own + max((_reach_mm(other) for other in others), default=0.0) + _GAP_MM
    away = min(away, _MOST_SHARE * board.grid.size_mm)
    for turn in _TURNS_DEG:
        angle = radians(bearing_deg + turn)
        yield middle[0] + away * sin(angle), middle[1] + away * cos(angle)
