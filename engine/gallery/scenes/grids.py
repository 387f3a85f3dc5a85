"""Tables played in squares and hexes: which cell, how far, which cells lie between, which way one looks."""

from __future__ import annotations

from engine.gallery.picture import Ground, Picture, Troop
from engine.gallery.scene import Family, figures, scene
from engine.geometry.drawing import line
from engine.geometry.grids import facings, grazing, levels, showing, standing, walking
from engine.geometry.grids.hexes import HexGrid
from engine.geometry.grids.squares import SquareGrid
from engine.geometry.showing import show_doubt

_SQUARES = SquareGrid(50.0, 8, 6)
_FLAT = HexGrid(50.0, 9, 6)
_POINTED = HexGrid(50.0, 8, 7, top="pointed")


def _net(grid: SquareGrid | HexGrid) -> list[Ground]:
    """The cells of a grid."""
    cells = [(column, row) for column in range(grid.columns or 0) for row in range(grid.rows or 0)]
    rings = grid.outlines(cells)
    return [Ground("cell", [(x, y) for x, y in ring.tolist()]) for ring in rings]


_SQUARE_BOX = (-4.0, -4.0, 404.0, 304.0)
_FLAT_BOX = (-4.0, -4.0, 409.0, 329.0)
_POINTED_BOX = (-4.0, -4.0, 429.0, 322.0)


@scene(
    "Distance in squares",
    "grids.squares.SquareGrid.distances", "grids.squares.SquareGrid.path", "grids.showing.show_ruler",
)  # fmt: skip
def squares() -> Picture:
    """Counted as steps, a diagonal step being one; the ruler keeps as near to the straight line as it can."""
    shown = showing.show_ruler(_SQUARES, (1, 1), (6, 4), "squares")
    ends = figures([tuple(_SQUARES.centres(cell)) for cell in ((1, 1), (6, 4))], 60.0)
    return Picture([Troop(ends, 0)], shown, _net(_SQUARES), box_mm=_SQUARE_BOX)


@scene("Squares without diagonals", "grids.squares.SquareGrid.distances", "grids.showing.show_ruler")
def squares_orthogonal() -> Picture:
    """The same two squares where only steps over the sides count."""
    shown = showing.show_ruler(_SQUARES, (1, 1), (6, 4), "squares", "orthogonal")
    ends = figures([tuple(_SQUARES.centres(cell)) for cell in ((1, 1), (6, 4))], 60.0)
    return Picture([Troop(ends, 0)], shown, _net(_SQUARES), box_mm=_SQUARE_BOX)


@scene(
    "Squares that a line of sight goes through",
    "grids.squares.SquareGrid.cells_along", "grids.showing.show_cells",
)  # fmt: skip
def squares_along() -> Picture:
    """The line between the two middles runs through these squares; grazing a corner does not count."""
    ends = _SQUARES.centres([(1, 1), (6, 3)])
    cells = _SQUARES.cells_along(ends[0], ends[1])
    shown = (*showing.show_cells(_SQUARES, cells[1:-1], "measure"), line("clear", ends))
    return Picture(
        [Troop(figures([tuple(end) for end in ends.tolist()], 70.0), 0)], shown, _net(_SQUARES),
        box_mm=_SQUARE_BOX,
    )  # fmt: skip


@scene("A line past the corner of a square", "grids.grazing.grazing", "grids.showing.show_cells")
def past_a_corner() -> Picture:
    """How far, in mm, the line would have to shift to go through a square, or past it; within two sigma of that the
    square is borderline."""
    ends = figures([(75, 75), (277, 273)], 45.0, sigma_mm=1.0)
    start, end = ends.centre
    cells = [(column, row) for column in range(1, 6) for row in range(1, 5)]
    found = grazing.grazing(_SQUARES.outlines(cells), start, end)
    near = [
        showing.show_cells(_SQUARES, [cell], "doubt" if shift <= 2 * 1.0 else "measure", f"{shift:.1f}")
        for cell, through, shift in zip(cells, found.through.tolist(), found.shift_mm.tolist(), strict=True)
        if through or shift <= 2 * 1.0
    ]
    shown = (*(part for some in near for part in some), line("clear", ends.centre))
    return Picture([Troop(ends, 0)], shown, _net(_SQUARES), box_mm=_SQUARE_BOX)


@scene(
    "Distance in hexes with flat tops",
    "grids.hexes.HexGrid.distances", "grids.hexes.HexGrid.path", "grids.showing.show_ruler",
)  # fmt: skip
def hexes_flat() -> Picture:
    """Steps from hex to hex."""
    shown = showing.show_ruler(_FLAT, (1, 1), (7, 3), "hexes")
    ends = figures([tuple(_FLAT.centres(cell)) for cell in ((1, 1), (7, 3))], 60.0)
    return Picture([Troop(ends, 0)], shown, _net(_FLAT), box_mm=_FLAT_BOX)


@scene(
    "Distance in hexes with pointed tops",
    "grids.hexes.HexGrid.distances", "grids.hexes.HexGrid.path", "grids.showing.show_ruler",
)  # fmt: skip
def hexes_pointed() -> Picture:
    """The same on the other kind of hex paper."""
    shown = showing.show_ruler(_POINTED, (1, 1), (5, 5), "hexes")
    ends = figures([tuple(_POINTED.centres(cell)) for cell in ((1, 1), (5, 5))], 60.0)
    return Picture([Troop(ends, 0)], shown, _net(_POINTED), box_mm=_POINTED_BOX)


@scene("A line along the sides of hexes", "grids.hexes.HexGrid.samples", "grids.showing.show_cells")
def hexes_along() -> Picture:
    """Where the straight line runs between two hexes, both of them count: the program names the pair."""
    start, end = (1, 2), (7, 2)
    cells = [cell for step in _FLAT.samples(start, end) for cell in step]
    shown = (*showing.show_cells(_FLAT, cells, "measure"), line("clear", _FLAT.centres([start, end])))
    ends = figures([tuple(_FLAT.centres(cell)) for cell in (start, end)], 90.0)
    return Picture([Troop(ends, 0)], shown, _net(_FLAT), box_mm=_FLAT_BOX)


@scene("A line over hexes of several levels", "grids.levels.heights_along", "grids.levels.stops_at")
def hex_levels() -> Picture:
    """The line from a hill of level 3 falls to level 0: how high it runs at each hex, and the ridge of level 2 that
    rises above it."""
    ridge = {(5, 1): 2, (5, 2): 2, (5, 3): 2, (4, 1): 1, (4, 2): 1}
    start, end = (1, 1), (8, 4)
    steps = levels.heights_along(_FLAT, start, end, 3, 0)
    stop = levels.stops_at(_FLAT, start, end, 3, 0, lambda cell: ridge.get(cell, 0))
    told = [
        part
        for cells, height in steps
        for part in showing.show_cells(_FLAT, cells, "blocker" if cells == stop else "measure", f"{height:.1f}")
    ]
    hills = [
        Ground("hill", [(x, y) for x, y in _FLAT.outlines(cell).tolist()], f"level {level}")
        for cell, level in ridge.items()
        if all(cell not in cells for cells, _ in steps)
    ]
    ends = figures([tuple(_FLAT.centres(cell)) for cell in (start, end)], 60.0)
    return Picture([Troop(ends, 0)], tuple(told), [*_net(_FLAT), *hills], box_mm=_FLAT_BOX)


@scene(
    "Facing the point of a hex",
    "grids.facings.facing_at", "grids.facings.arc_of", "grids.facings.side_zone", "grids.showing.show_facing",
)  # fmt: skip
def hex_facing() -> Picture:
    """A base that looks at a point of its hex has two frontal sides, two flanks and two rear sides; the
    shaded hexes are those in its arc."""
    cell = (4, 1)
    one = figures([tuple(_FLAT.centres(cell))], 33.0)
    found = facings.facing_at(_FLAT, 33.0)
    arc = [each for each in facings.arc_of(_FLAT, cell, found.vertex, 4).tolist() if _FLAT.holds(each)]
    shown = (*showing.show_cells(_FLAT, arc, "reach"), *showing.show_facing(_FLAT, cell, found.vertex))
    return Picture([Troop(one, 0)], shown, _net(_FLAT), box_mm=_FLAT_BOX)


@scene("Which cell a base stands in", "grids.standing.stand", "grids.showing.show_standing")
def which_cell() -> Picture:
    """The cell that holds its centre. A centre so near to the line that the measurement cannot tell is
    borderline."""
    bases = figures([(75, 225), (231, 130), (349.2, 72)], 0.0, sigma_mm=1.0)
    found = standing.stand(_SQUARES, bases, bases.sigma_mm)
    shown = (*showing.show_standing(_SQUARES, found), *show_doubt(bases))
    return Picture([Troop(bases, 0)], shown, _net(_SQUARES), box_mm=_SQUARE_BOX)


@scene("The cheapest way over hexes", "grids.walking.walk")
def cheapest_over_hexes() -> Picture:
    """Each step at its own price: here the brown hexes cost three, so that the way leads round them."""
    hills = {(4, 1), (4, 2), (3, 2), (5, 2), (4, 3)}

    def steps(cell: tuple[int, int], _: float) -> list[tuple[tuple[int, int], float]]:
        return [(near, 3.0 if near in hills else 1.0) for near in _FLAT.neighbours(cell)]

    start, end = (1, 2), (7, 2)
    found = walking.walk(start, steps)
    way = found.path(end)
    shown = (
        *showing.show_cells(_FLAT, sorted(hills), "blocker"),
        line("path", _FLAT.centres(way), f"costs {found.cost[end]:.0f}"),
    )
    ends = figures([tuple(_FLAT.centres(start))], 60.0)
    return Picture([Troop(ends, 0)], shown, _net(_FLAT), box_mm=_FLAT_BOX)


FAMILY = Family(
    "Squares and hexes",
    (
        squares, squares_orthogonal, squares_along, past_a_corner, hexes_flat, hexes_pointed, hexes_along,
        hex_levels, hex_facing, which_cell, cheapest_over_hexes,
    ),
)  # fmt: skip
