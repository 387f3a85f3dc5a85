"""The changes that the procedures of this ruleset make, in few words."""

from __future__ import annotations

from typing import Any

from engine.events import Change, Place, PlaceFigures, SetState, SetUnit
from engine.records.game import Cell, Unit
from engine.rulesets.palouse.board import Board

__all__ = ["bearing", "place", "state"]


def state(unit: str, **values: Any) -> tuple[SetState, ...]:
    """The unit's state gets these values, each written even where it is the default."""
    return tuple(SetState(unit=unit, key=key, value=value) for key, value in values.items())


def place(board: Board, unit: Unit, cell: Cell) -> tuple[Change, ...]:
    """The unit stands in the middle of a square, facing as it did."""
    if not unit.figures:
        return (SetUnit(unit=unit.id, key="square", value=cell),)
    x, y = board.grid.centres(cell)
    return _figure(unit, float(x), float(y), unit.figures[0].bearing_deg)


def bearing(unit: Unit, bearing_deg: float) -> tuple[Change, ...]:
    """The unit faces a bearing where it stands."""
    if not unit.figures:
        return state(unit.id, bearing_deg=bearing_deg)
    return _figure(unit, unit.figures[0].x_mm, unit.figures[0].y_mm, bearing_deg)


def _figure(unit: Unit, x_mm: float, y_mm: float, bearing_deg: float | None) -> tuple[Change, ...]:
    figure = unit.figures[0]
    spot = Place(
        figure=figure.id, x_mm=x_mm, y_mm=y_mm, bearing_deg=bearing_deg, z_mm=figure.z_mm, sigma_mm=figure.sigma_mm,
        bearing_sigma_deg=figure.bearing_sigma_deg,
    )  # fmt: skip
    return (PlaceFigures(places=(spot,)),)
