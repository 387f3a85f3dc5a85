"""The mat: hexes, facings and arcs; bases that were measured on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.grids import HexGrid
from engine.geometry.grids.facings import in_arc
from engine.geometry.grids.flat import around, beyond, direction_between, faces, steps_apart
from engine.geometry.grids.placing import placed
from engine.records.game import game_builtins, game_from
from engine.rulesets.musket_pike import RULESET
from engine.rulesets.musket_pike.table.board import board_of
from engine.rulesets.musket_pike.vocabulary import FACINGS
from tests.engine.musket_pike.scene import asked, game, shot, unit

GRID = HexGrid(100.0)
CELLS = st.tuples(st.integers(0, 30), st.integers(0, 30))


@pytest.mark.rule("MP-01", "MP-02")
@pytest.mark.parametrize(
    ("cell", "neighbours"),
    [
        ((4, 4), [(4, 5), (5, 4), (5, 3), (4, 3), (3, 3), (3, 4)]),
        ((5, 4), [(5, 5), (6, 5), (6, 4), (5, 3), (4, 4), (4, 5)]),
    ],
)
def test_every_hex_has_six_neighbours_clockwise_from_straight_away(cell: Any, neighbours: Any) -> None:
    assert [beyond(cell, direction) for direction in range(6)] == neighbours
    assert list(around(cell)) == neighbours


@pytest.mark.rule("MP-02")
@given(CELLS, CELLS)
def test_single_hexes_are_counted_as_whole_arrays_are(cell: Any, other: Any) -> None:
    assert steps_apart(cell, other) == int(GRID.distances(cell, other))
    assert direction_between(cell, other) == GRID.side_between(cell, other)


@pytest.mark.rule("MP-04", "musket-pike R1")
@given(CELLS, CELLS, st.integers(0, 5))
def test_arcs_of_single_hexes_are_those_of_whole_arrays(cell: Any, other: Any, facing: int) -> None:
    for arc in ("cone", "wedge"):
        expected = bool(in_arc(GRID, cell, facing, other, arc) == 2)
        assert faces(cell, facing, other, arc) is expected


@pytest.mark.rule("MP-04")
@pytest.mark.parametrize("reach", [1, 2, 3, 5])
def test_the_fan_of_a_facing_has_one_hex_more_than_the_distance(reach: int) -> None:
    ring = [(c, r) for c in range(31) for r in range(31) if steps_apart((15, 15), (c, r)) == reach]
    for facing in range(6):
        assert sum(faces((15, 15), facing, cell) for cell in ring) == reach + 1


@pytest.mark.rule("musket-pike R1", "MP-04")
@pytest.mark.parametrize(("arc", "legal"), [("cone60", False), ("wedge120", True)])
def test_players_may_have_facings_reach_over_120_degrees(arc: str, legal: bool) -> None:
    # (5, 5) bears 30 degrees, 60 to the left of where R points: on the rim of the wide arc
    of = game(unit("a", (4, 4)), unit("b", (5, 5), facing="L"), options={"arc": arc})
    assert shot(of).legal is legal


def based(x: float, y: float, bearing: float | None, **more: Any) -> Any:
    """What is asked of one measured battalion."""
    made = unit("a", (0, 0))
    del made["hex"]
    made["figures"] = [
        {"id": "a1", "x_mm": x, "y_mm": y, "bearing_deg": bearing,
         "base": {"shape": "rect", "width_mm": 60.0, "depth_mm": 30.0}, **more}
    ]  # fmt: skip
    return asked(game(made)).extra


def centre(column: int, row: int) -> tuple[float, float]:
    x, y = GRID.centres([column, row])
    return float(x), float(y)


@pytest.mark.rule("MP-03")
@pytest.mark.parametrize(
    ("across", "bearing", "hex", "facing", "doubts"),
    [
        ((0, 0), 90, [4, 4], "R", []),
        ((0, 49), 31, [4, 4], "UR", []),
        ((0, 51), 89, [4, 5], "R", []),
        ((0, 0), 59, [4, 4], "UR", []),
        ((0, 0), 60, [4, 4], "R", []),
        ((0, 0), 0, [4, 4], "UR", []),
        ((0, 0), 359, [4, 4], "UL", []),
        ((0, 50), 90, [4, 4], "R", []),
        ((0, -50), 90, [4, 3], "R", []),
    ],
)
def test_a_base_stands_in_the_hex_of_its_centre_and_faces_the_nearest_vertex(
    across: Any, bearing: float, hex: Any, facing: str, doubts: Any
) -> None:
    x, y = centre(4, 4)
    found = based(x + across[0], y + across[1], bearing)
    assert (found["hex"], found["facing"], found["borderline"]) == (hex, facing, doubts)


@pytest.mark.rule("MP-03")
@pytest.mark.parametrize(
    ("below", "sigma", "doubts"),
    [(0.3, 0.5, ["hex [4, -1] or [4, 0]: 0.3 ± 0.5 mm from the side"]), (0.3, 0.0, []), (1.1, 0.5, [])],
)
def test_a_base_measured_hardly_beside_the_map_may_stand_on_it(
    below: float, sigma: float, doubts: list[str]
) -> None:
    x, y = centre(4, 0)
    found = based(x, y - 50 - below, 90, sigma_mm=sigma)
    assert (found["hex"], found["borderline"]) == (None, doubts)


@pytest.mark.rule("MP-03")
def test_whom_a_base_hardly_beside_the_map_may_fire_at_is_in_doubt() -> None:
    made = unit("b", (0, 0))
    del made["hex"]
    x, y = centre(4, 0)
    made["figures"] = [{"id": "b1", "x_mm": x, "y_mm": y - 50.3, "bearing_deg": 270, "sigma_mm": 0.5,
                        "base": {"shape": "rect", "width_mm": 60.0, "depth_mm": 30.0}}]  # fmt: skip
    said = ("hex [4, -1] or [4, 0]: 0.3 ± 0.5 mm from the side",)
    there = asked(game(unit("a", (3, 0)), made))
    assert (there.fire[0].legal, there.fire[0].borderline, there.charge[0].borderline) == (False, said, said)


@pytest.mark.rule("MP-03")
@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 5))
def test_exactly_on_a_side_the_lower_column_counts_then_the_lower_row(column: int, row: int, side: int) -> None:
    middle = GRID.centres([column, row])
    bearing = np.radians(60 * side)
    found = placed(GRID, [middle + 50 * np.array([np.sin(bearing), np.cos(bearing)])])
    assert tuple(found.cell[0].tolist()) == min((column, row), beyond((column, row), side))
    assert found.to_side_mm[0] == pytest.approx(0, abs=1e-6)


@pytest.mark.rule("MP-03")
@pytest.mark.parametrize(
    ("up", "sigma", "bearing", "turn_sigma", "words"),
    [
        (48.0, 1.0, 90, 0, ["hex"]),
        (47.9, 1.0, 90, 0, []),
        (48.0, 0.0, 90, 0, []),
        (0.0, 0.0, 62, 1.0, ["facing"]),
        (0.0, 0.0, 62.1, 1.0, []),
        (0.0, 0.0, 58, 1.0, ["facing"]),
        (49.0, 1.0, 61, 1.0, ["hex", "facing"]),
    ],
)
def test_what_lies_within_two_sigma_of_a_side_or_a_bisector_is_in_doubt(
    up: float, sigma: float, bearing: float, turn_sigma: float, words: list[str]
) -> None:
    x, y = centre(4, 4)
    found = based(x, y + up, bearing, sigma_mm=sigma, bearing_sigma_deg=turn_sigma)["borderline"]
    assert [word for sentence in found for word in ("hex", "facing") if sentence.startswith(word)] == words


@pytest.mark.rule("MP-03")
def test_a_base_beside_the_mat_takes_no_part() -> None:
    found = based(-30.0, 20.0, 90)
    assert (found["hex"], found["off_map"]) == (None, True)


@pytest.mark.rule("MP-04", "MP-24")
def test_facings_go_clockwise_and_skirmishers_have_none() -> None:
    assert FACINGS == ("UR", "R", "DR", "DL", "L", "UL")
    board = board_of(game(unit("a", (4, 4), "skirmisher"), unit("b", (5, 5), "leader")))
    assert {troop.facing for troop in board.troops.values()} == {None}


@pytest.mark.rule("MP-03")
def test_a_mat_may_lie_askew_on_the_table() -> None:
    made = unit("a", (0, 0))
    del made["hex"]
    grid = HexGrid(100.0, 24, 18, (50.0, 20.0), 20.0)
    x, y = (float(value) for value in grid.centres([4, 4]))
    made["figures"] = [{"id": "f", "x_mm": x, "y_mm": y, "bearing_deg": 110.0, "bearing_sigma_deg": 20.0,
                        "base": {"shape": "rect", "width_mm": 60.0, "depth_mm": 30.0}}]  # fmt: skip
    raw = game_builtins(game(made))
    raw["table"]["grid"] |= {"origin_mm": [50.0, 20.0], "turn_deg": 20.0}
    of = game_from(raw, "the game")
    RULESET.check(of)
    found = RULESET.ask(of).units[0].extra
    assert (found["hex"], found["facing"]) == ([4, 4], "R")
    assert found["borderline"][0].startswith("facing R or")
