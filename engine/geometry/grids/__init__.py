"""Tables that are played in cells: squares and hexes, flat-topped or pointed, laid over the table in millimetres.

Cells are whole numbers (column, row) from 0 at the near left; arrays of cells have the shape (..., 2). A grid may
lie askew: ``turn_deg`` turns it clockwise about its origin.
"""

from engine.geometry.grids.hexes import HexGrid
from engine.geometry.grids.squares import SquareGrid
from engine.geometry.grids.standing import Standing, stand
from engine.geometry.grids.walking import Walk, walk

__all__ = ["HexGrid", "SquareGrid", "Standing", "Walk", "stand", "walk"]
