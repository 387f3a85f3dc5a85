"""Distances and arcs on a grid as they are drawn on the map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.drawing import Area, Drawing, Line, Part, Spot, area, line
from engine.geometry.grids.facings import side_zone
from engine.geometry.grids.hexes import HexGrid
from engine.geometry.grids.squares import Diagonals, SquareGrid
from engine.geometry.grids.standing import Standing

__all__ = ["rings_round", "show_cells", "show_facing", "show_ruler", "show_standing"]


def rings_round(grid: SquareGrid | HexGrid, cells: Iterable[Sequence[int]]) -> list[NDArray[np.float64]]:
    """The outlines (k, 2) of the parts that cells hang together in by their sides, the largest part first.

    Holes are left out.

    >>> [len(ring) for ring in rings_round(SquareGrid(100.0), [(0, 0), (1, 0), (5, 5)])]
    [4, 4]
    """
    area = shapely.union_all([shapely.Polygon(grid.outlines(cell)) for cell in cells])
    parts = [part for part in shapely.get_parts(area).tolist() if isinstance(part, shapely.Polygon)]
    parts.sort(key=lambda part: -part.area)
    return [shapely.get_coordinates(part.exterior.normalize().simplify(1e-6))[:-1] for part in parts]


def show_cells(grid: SquareGrid | HexGrid, cells: Iterable[Sequence[int]], part: Part, text: str = "") -> Drawing:
    """Cells as areas; the text stands in the first.

    >>> len(show_cells(SquareGrid(100.0), [(0, 0), (1, 0)], "reach"))
    2
    """
    return tuple(
        area(part, grid.outlines(cell), text=text if number == 0 else "") for number, cell in enumerate(cells)
    )


def show_ruler(
    grid: SquareGrid | HexGrid, start: Sequence[int], end: Sequence[int], unit: str, diagonals: Diagonals = "one"
) -> Drawing:
    """The cells that a distance counts, and the line through their middles with the count in ``unit``.

    >>> show_ruler(HexGrid(100.0), (0, 0), (0, 3), "hexes")[-1].text
    '3 hexes'
    """
    way = grid.path(start, end) if isinstance(grid, HexGrid) else grid.path(start, end, diagonals)
    middles = grid.centres(way)
    return (*show_cells(grid, way[1:], "measure"), line("measure", middles, f"{len(way) - 1} {unit}"))


def show_facing(grid: HexGrid, cell: Sequence[int], vertex: int) -> Drawing:
    """The six sides of a hex with what each is to a facing, and the facing itself.

    >>> [shape.text for shape in show_facing(HexGrid(100.0), (0, 0), 0)[:6]]
    ['front', 'front', 'flank', 'rear', 'rear', 'flank']
    """
    ring = grid.outlines(cell)
    parts: dict[str, Part] = {"front": "clear", "flank": "doubt", "rear": "stopped"}
    zones = [side_zone(vertex, side) for side in range(6)]
    sides = [line(parts[zone], [ring[side - 1], ring[side]], zone) for side, zone in enumerate(zones)]
    return (*sides, line("path", [grid.centres(cell), ring[vertex]]))


def show_standing(grid: SquareGrid | HexGrid, found: Standing) -> Drawing:
    """The cell of each base, and where that is in doubt the other one that it may be, both as in doubt."""
    shown: list[Area | Line | Spot] = []
    for cell, other, verdict in zip(found.cell.tolist(), found.next_cell.tolist(), found.settled, strict=True):
        sure = verdict == Verdict.YES
        shown += show_cells(grid, [cell] if sure else [cell, other], "hit" if sure else "doubt")
    return tuple(shown)
