"""The grid over the picture: its cells, which one each base stands in, and what cannot be settled."""

from __future__ import annotations

import math

import pytest

from engine.records.game import Figure, Game, Grid, Rect, Side, TableArea, Unit
from webui.camera.cells import cells_view, grid_view

SQUARES = Grid(kind="square", size_mm=100.0, columns=4, rows=3)
HEXES = Grid(kind="hex", size_mm=100.0, columns=4, rows=3)


def game(grid: Grid | None, *units: Unit) -> Game:
    table = TableArea(width_mm=400.0, depth_mm=300.0, grid=grid)
    return Game(ruleset="toy", table=table, sides=(Side(name="red", edge="south"),), units=units)


def standing(x: float, y: float, sigma: float = 0.0) -> Unit:
    figure = Figure(id="a-1", x_mm=x, y_mm=y, bearing_deg=0.0, base=Rect(width_mm=40, depth_mm=20), sigma_mm=sigma)
    return Unit(id="a", side="red", type="foot", figures=(figure,))


def test_a_table_without_a_grid_has_no_cells():
    assert grid_view(game(None)) is None
    assert cells_view(game(None, standing(50, 50))) == {}


@pytest.mark.parametrize(("grid", "corners"), [(SQUARES, 4), (HEXES, 6)])
def test_every_cell_is_told_with_its_middle_and_corners(grid, corners):
    told = grid_view(game(grid))
    assert len(told["cells"]) == 12
    for cell in told["cells"]:
        assert len(cell["outline"]) == corners
        x, y = cell["centre"]
        reach = {round(math.hypot(px - x, py - y)) for px, py in cell["outline"]}
        assert len(reach) == 1


def test_hexes_have_flat_tops_and_odd_columns_stand_half_a_hex_farther_off():
    first, upper = (
        next(c for c in grid_view(game(HEXES))["cells"] if c["cell"] == cell) for cell in [(0, 0), (1, 0)]
    )
    assert first["centre"] == [57.7, 50.0]
    assert upper["centre"] == [144.3, 100.0]
    assert max(y for _, y in first["outline"]) == 100.0
    assert len([y for _, y in first["outline"] if y == 100.0]) == 2


def test_a_base_lights_its_cell_and_those_that_it_hangs_over():
    told = cells_view(game(SQUARES, standing(110.0, 50.0)))["a"]
    assert told == {"cells": [(1, 0)], "over": [(0, 0)], "doubts": []}


def test_a_base_too_near_an_edge_for_the_measurement_is_flagged_with_the_figures():
    (doubt,) = cells_view(game(SQUARES, standing(100.8, 50.0, sigma=0.5)))["a"]["doubts"]
    assert doubt == "a-1 stands 0.8 mm (± 0.5) from the edge of [1, 0]: it may stand in [0, 0]"


@pytest.mark.parametrize(
    ("unit", "bearing"),
    [
        (Unit(id="a", side="red", type="foot", square=(2, 1), state={"bearing_deg": 45.0}), 45.0),
        (Unit(id="a", side="red", type="foot", square=(2, 1)), 0.0),
    ],
)
def test_a_unit_without_figures_is_a_counter_in_its_square(unit, bearing):
    counter = cells_view(game(SQUARES, unit))["a"]["counter"]
    assert counter == {"x_mm": 250.0, "y_mm": 150.0, "bearing_deg": bearing}


def test_a_counter_on_hexes_faces_a_corner():
    unit = Unit(id="a", side="red", type="infantry", hex=(1, 0), state={"facing": "DL"})
    assert cells_view(game(HEXES, unit))["a"]["counter"] == {"x_mm": 144.3, "y_mm": 100.0, "bearing_deg": 210.0}


def test_what_was_eliminated_stands_nowhere():
    unit = Unit(id="a", side="red", type="foot", square=(2, 1), state={"eliminated": True})
    assert cells_view(game(SQUARES, unit)) == {}
