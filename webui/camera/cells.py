"""The grid of a table that is played in squares or hexes: its cells for drawing, and which each unit stands in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.geometry.certainty import Verdict
from engine.geometry.grids import HexGrid, SquareGrid, stand
from engine.geometry.shapes.bases import bases_of
from engine.moved.cells import grid_of
from engine.records.game import Game, Unit

__all__ = ["cells_view", "grid_view"]

#: The bearing of each facing of a flat-topped hex, by the name that games write.
_FACINGS_DEG: Mapping[str, float] = {"UR": 30.0, "R": 90.0, "DR": 150.0, "DL": 210.0, "L": 270.0, "UL": 330.0}

#: States of a unit that is no longer, or not yet, on the table.
_AWAY = ("eliminated", "off_map", "off")


def grid_view(game: Game) -> dict[str, Any] | None:
    """Every cell of a game's table with its middle and corners, to a tenth of a millimetre; None without a grid."""
    grid, record = grid_of(game), game.table.grid
    if grid is None or record is None:
        return None
    cells = [(column, row) for column in range(record.columns) for row in range(record.rows)]
    centres, outlines = grid.centres(cells).round(1).tolist(), grid.outlines(cells).round(1).tolist()
    return {
        "kind": record.kind,
        "size_mm": record.size_mm,
        "cells": [
            {"cell": cell, "centre": centre, "outline": outline}
            for cell, centre, outline in zip(cells, centres, outlines, strict=True)
        ],
    }


def cells_view(game: Game) -> dict[str, dict[str, Any]]:
    """Where each unit stands on the grid, by its id; empty without a grid.

    ``cells`` are those that hold the middles of its bases, ``over`` those that a base hangs over into, ``doubts``
    say which the measurement cannot settle. A unit without figures is a ``counter``: its place and bearing.
    """
    grid = grid_of(game)
    if grid is None:
        return {}
    found: dict[str, dict[str, Any]] = {}
    for unit in game.units:
        if unit.figures:
            found[unit.id] = _of_figures(game, unit, grid)
        elif (cell := unit.square or unit.hex) is not None and not any(unit.state.get(key) for key in _AWAY):
            x, y = grid.centres(cell).round(1).tolist()
            counter = {"x_mm": x, "y_mm": y, "bearing_deg": _faces(unit)}
            found[unit.id] = {"cells": [cell], "over": [], "doubts": [], "counter": counter}
    return found


def _faces(unit: Unit) -> float | None:
    facing = unit.state.get("facing")
    if facing is not None:
        return _FACINGS_DEG.get(str(facing))
    bearing = unit.state.get("bearing_deg", 0.0 if unit.square is not None else None)
    return float(bearing) if isinstance(bearing, int | float) else None


def _of_figures(game: Game, unit: Unit, grid: SquareGrid | HexGrid) -> dict[str, Any]:
    figures = unit.figures
    sigmas = [game.sigma_mm(figure) for figure in figures]
    there = stand(
        grid,
        bases_of(
            [(figure.x_mm, figure.y_mm) for figure in figures],
            [figure.base for figure in figures],
            [figure.bearing_deg for figure in figures],
        ),
        sigmas,
    )
    cells = [(int(column), int(row)) for column, row in there.cell]
    over = {cell for straddled in there.straddled for cell in straddled} - set(cells)
    doubts = [
        f"{figure.id} stands {edge:.1f} mm (± {sigma:.1f}) from the edge of {list(cell)}:"
        f" it may stand in {[int(part) for part in beyond]}"
        for figure, cell, edge, beyond, verdict, sigma in zip(
            figures, cells, there.to_edge_mm, there.next_cell, there.settled, sigmas, strict=True
        )
        if verdict == Verdict.BORDERLINE
    ]
    return {"cells": list(dict.fromkeys(cells)), "over": sorted(over), "doubts": doubts}
