"""Line of sight from hex to hex, over ground and over units."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.geometry.grids import HexGrid
from engine.records.game import Cell, Game
from engine.rulesets.musket_pike import RULESET
from engine.rulesets.musket_pike.table.board import board_of
from engine.rulesets.musket_pike.table.sight import sight_over
from tests.engine.musket_pike.scene import Json, asked, game, ground, shot, unit

CASE = pytest.mark.rule

A, FAR = unit("a", (4, 4), facing="UR"), unit("b", (4, 7), facing="DL")


def line(of: Game, start: Cell = (4, 4), end: Cell = (4, 7)) -> tuple[bool, bool]:
    """Whether a line is open, and whether it is veiled."""
    found = sight_over(board_of(of)).line(start, end)
    assert found == sight_over(board_of(of)).line(end, start)
    return found.open, found.veiled


OVER_GROUND = [
    # levels of [4, 4] to [4, 7], the kind of ground in [4, 5] → open
    ((0, 0, 0, 0), "clear", True),
    ((0, 0, 0, 0), "forest", False),
    ((0, 0, 0, 0), "orchard", False),
    ((0, 0, 0, 0), "building", False),
    ((0, 0, 0, 0), "chateau", False),
    ((0, 0, 0, 0), "field", True),
    ((0, 0, 0, 0), "rough", True),
    ((0, 0, 0, 0), "marsh", True),
    ((0, 1, 0, 0), "clear", False),
    ((1, 1, 0, 0), "clear", False),
    ((1, 1, 1, 1), "clear", True),
    ((1, 1, 1, 1), "forest", False),
    ((2, 1, 0, 0), "clear", True),
    ((3, 2, 0, 0), "clear", True),
    ((3, 2, 0, 0), "forest", False),
    ((3, 1, 0, 0), "forest", True),
    ((3, 1, 1, 0), "forest", True),
    ((2, 0, 0, 0), "forest", True),
    ((1, 0, 0, 0), "forest", False),
    ((1, 0, 0, 1), "forest", True),
    ((0, -1, 0, 0), "forest", True),
]


@CASE("MP-130", "MP-131", "MP-132", "musket-pike R26")
@pytest.mark.parametrize(("levels", "kind", "clear"), OVER_GROUND)
def test_ground_stops_a_line_that_runs_below_it(levels: Sequence[int], kind: str, clear: bool) -> None:
    pieces = [ground("elevation", (4, 4 + k), level=level) for k, level in enumerate(levels)]
    of = game(A, FAR, terrain=[*pieces, ground(kind, (4, 5))])
    assert line(of) == (clear, False)
    assert ("MP-123" not in shot(of).why_rules) is clear


@CASE("musket-pike R26")
def test_how_high_woods_stand_is_a_parameter() -> None:
    low = game(A, FAR, terrain=[ground("forest", (4, 5))], parameters={"terrain_height": {"forest": 0}})
    assert line(low) == (True, False)


OVER_UNITS = [
    ([("infantry", {})], 0, (False, False), 0),
    ([("infantry", {})], -1, (True, False), 0),
    ([("cavalry", {})], 0, (False, False), 0),
    ([("supply-wagon", {})], 0, (False, False), 0),
    ([("artillery", {"uncrewed": True})], 0, (False, False), 0),
    ([("infantry", {"routed": True})], 0, (False, False), 0),
    ([("skirmisher", {})], 0, (True, True), -20),
    ([("leader", {})], 0, (True, True), -20),
    ([("skirmisher", {}), ("leader", {})], 0, (True, True), -20),
    ([("skirmisher", {}), ("infantry", {})], 0, (False, False), 0),
    ([("skirmisher", {})], -1, (True, False), 0),
    ([("infantry", {"off_map": True})], 0, (True, False), 0),
]


@CASE("MP-133", "MP-134", "MP-160")
@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize(("there", "level", "expected", "percent"), OVER_UNITS)
def test_units_stop_a_line_and_light_ones_only_hinder_it(
    there: list[tuple[str, Json]], level: int, expected: tuple[bool, bool], percent: float, side: str
) -> None:
    between = [unit(f"{side}{number}", (4, 5), kind, **state) for number, (kind, state) in enumerate(there)]
    of = game(A, FAR, *between, terrain=[ground("elevation", (4, 5), level=level)])
    assert line(of) == expected
    roll = shot(of).roll
    assert roll is not None
    assert roll.extra["percent"] == percent


@CASE("MP-134")
def test_several_hexes_of_skirmishers_hinder_once() -> None:
    light = [unit(f"a{row}", (4, row), "skirmisher") for row in (5, 6)]
    assert [one.rule for one in shot(game(A, FAR, *light)).modifiers] == ["MP-160"]


@CASE("MP-130", "MP-134")
@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [
        (None, None, (True, False)),
        ("infantry", None, (True, False)),
        (None, "infantry", (True, False)),
        ("infantry", "infantry", (False, False)),
        ("skirmisher", None, (True, False)),
        ("skirmisher", "infantry", (True, True)),
        ("skirmisher", "skirmisher", (True, True)),
    ],
)
def test_along_a_common_side_the_clearer_hex_counts(
    lower: str | None, upper: str | None, expected: tuple[bool, bool]
) -> None:
    beside = [unit(f"a{row}", (5, row), kind) for row, kind in ((3, lower), (4, upper)) if kind is not None]
    assert line(game(unit("a", (4, 4)), unit("b", (6, 4)), *beside), (4, 4), (6, 4)) == expected


@CASE("MP-123")
def test_neighbours_always_see_each_other() -> None:
    woods = [ground("forest", (4, 4), (5, 4)), ground("elevation", (5, 4), level=9)]
    assert line(game(unit("a", (4, 4)), unit("b", (5, 4)), terrain=woods), (4, 4), (5, 4)) == (True, False)


def plainly(of: Game, start: Cell, end: Cell) -> tuple[bool, bool]:
    """The same line, sample by sample, as the rows say it."""
    board = board_of(of)
    steps = HexGrid(100.0).samples(start, end)
    veiled = False
    for number, cells in enumerate(steps, start=1):
        share = Fraction(number, len(steps) + 1)
        here, there = board.ground.level(start), board.ground.level(end)
        height = here + (there - here) * share
        found = {way(of, cell, height) for cell in cells if board.grid.holds(cell)}
        if found == {"stopped"}:
            return False, False
        veiled = veiled or "clear" not in found
    return True, veiled


def way(of: Game, cell: Cell, height: Fraction) -> str:
    """What a sample does to a line of that height."""
    board = board_of(of)
    level = board.ground.level(cell)
    rise = board.parameters.terrain_height.get(board.ground.kind(cell), 0)
    if level > height or level + rise > height:
        return "stopped"
    there = board.at(cell)
    if not there or level < height:
        return "clear"
    light = all(troop.type in ("skirmisher", "leader") for troop in there)
    return "veiled" if light else "stopped"


hexes = st.tuples(st.integers(0, 23), st.integers(0, 17))


@CASE("MP-130", "MP-131", "MP-132", "MP-133", "MP-134")
@settings(max_examples=max(20, settings().max_examples // 2))
@given(st.data())
def test_lines_worked_out_together_are_those_worked_out_one_by_one(data: st.DataObject) -> None:
    cells = data.draw(st.lists(hexes, min_size=4, max_size=14, unique=True))
    kinds = st.sampled_from(["infantry", "skirmisher", "leader"])
    units = [unit(f"{'ab'[number % 2]}{number}", cell, data.draw(kinds)) for number, cell in enumerate(cells)]
    high = [
        ground("elevation", cell, level=level) for level, cell in enumerate(data.draw(st.lists(hexes, max_size=6)))
    ]
    woods = data.draw(st.lists(hexes, min_size=1, max_size=8))
    of = game(*units, terrain=[*{piece["id"]: piece for piece in high}.values(), ground("forest", *woods)])
    for start, end in [(cells[0], other) for other in cells[1:]] + [(cells[1], data.draw(hexes))]:
        if start != end:
            assert line(of, start, end) == plainly(of, *sorted((start, end)))


@CASE("MP-305")
def test_in_the_fog_of_war_answers_tell_of_whom_the_side_sees_alone() -> None:
    scouts = unit("a2", (10, 4), "squadron")
    woods = [ground("forest", *((7, row) for row in range(18)))]
    hidden = game(unit("a", (4, 4)), unit("b", (12, 4)), terrain=woods, fog_of_war=True)
    assert asked(hidden).fire == ()
    assert asked(hidden).charge == ()
    seen = game(unit("a", (4, 4)), scouts, unit("b", (12, 4)), terrain=woods, fog_of_war=True)
    assert [option.target for option in asked(seen).fire] == ["b"]
    assert asked(game(unit("a", (4, 4)), unit("b", (12, 4)), terrain=woods)).fire != ()
    night = game(
        unit("a", (4, 4)), unit("b", (12, 4)), unit("b2", (9, 9), off_map=True), fog_of_war=True, visibility=7
    )
    assert asked(night).fire == ()


@CASE("MP-305")
def test_the_fog_of_war_hides_units_from_the_page_of_a_side() -> None:
    woods = [ground("forest", *((7, row) for row in range(18)))]
    units = unit("a", (4, 4)), unit("a2", (6, 4), "squadron"), unit("b", (12, 4)), unit("b2", (5, 8))
    foggy = game(*units, terrain=woods, fog_of_war=True)
    assert RULESET.concealed(foggy, "a") == {"b"}
    assert RULESET.concealed(foggy, "b") == set()
    assert RULESET.concealed(foggy, None) == {"b"}
    assert RULESET.concealed(game(*units, terrain=woods), "a") == set()
