"""What is proposed to be laid out after the terrain was rolled."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon, box

from engine.records.game import TableArea
from engine.rulesets.muskets_mohawks.procedures.setup.terrain_layout import arranged, proposals
from tests.engine.muskets_mohawks.playing import game, resolve
from tests.long_runs import examples

TABLE = TableArea(width_mm=1800.0, depth_mm=1200.0)
KINDS = ("clear", "hill", "woods", "wooded-hill", "road", "river-over-clear")
AREAS = ("hill", "woods", "wooded-hill")
BESIDE = [(1, 2), (2, 3), (4, 5), (5, 6), (7, 8), (8, 9), (1, 4), (4, 7), (2, 5), (5, 8), (3, 6), (6, 9)]
EDGES = ("south", "north", "west", "east")


def like(kinds: tuple[str, ...]) -> int:
    """How many pairs of neighbouring sections hold the same kind of area."""
    return sum(kinds[one - 1] == kinds[other - 1] and kinds[one - 1] in AREAS for one, other in BESIDE)


@pytest.mark.rule("MM-186")
@settings(max_examples=examples(15))
@given(st.lists(st.sampled_from(KINDS), min_size=9, max_size=9))
def test_like_terrain_adjoins_as_much_as_it_can_and_the_middle_stays(terrain: list[str]) -> None:
    order = arranged(terrain)
    assert sorted(order) == list(range(1, 10))
    assert order[4] == 5
    now = tuple(terrain[of - 1] for of in order)
    outer = terrain[:4] + terrain[5:]
    every = {(*some[:4], terrain[4], *some[4:]) for some in permutations(outer)}
    most = max(map(like, every))
    assert like(now) == most
    assert all(of == section for section, of in enumerate(order, start=1)) or like(tuple(terrain)) < most


@pytest.mark.rule("MM-187", "MM-180")
@pytest.mark.parametrize("edge", EDGES)
def test_an_area_fills_three_quarters_of_its_section(edge: str) -> None:
    pieces = proposals(TABLE, edge, ["hill"] * 9, [])
    assert [piece.section for piece in pieces] == list(range(1, 10))
    for piece in pieces:
        outline = Polygon(piece.polygon_mm)
        assert outline.area >= 0.75 * TABLE.width_mm * TABLE.depth_mm / 9
        thirds = [
            box(x * 600, y * 400, x * 600 + 600, y * 400 + 400).contains(outline)
            for x in range(3)
            for y in range(3)
        ]
        assert sum(thirds) == 1


@pytest.mark.rule("MM-180")
def test_section_one_is_at_the_far_left_of_the_players_edge() -> None:
    terrain = ["woods"] + ["clear"] * 8
    for edge, x, y in (("south", 300, 1000), ("north", 1500, 200), ("west", 1500, 1000), ("east", 300, 200)):
        piece = proposals(TABLE, edge, terrain, [])[0]
        assert Polygon(piece.polygon_mm).centroid.coords[0] == pytest.approx((x, y), abs=0.01)


@pytest.mark.rule("MM-188", "MM-191", "MM-192")
@pytest.mark.parametrize(
    ("feature", "size"),
    [({"kind": "road", "direction": "lengthwise"}, (1800, 50.8)),
     ({"kind": "road", "direction": "widthwise"}, (50.8, 1200)),
     ({"kind": "creek", "direction": "lengthwise", "width_in": 2}, (1800, 50.8)),
     ({"kind": "river", "direction": "widthwise", "width_in": 6}, (152.4, 1200)),
     ({"kind": "lake", "direction": "lengthwise", "width_in": 5}, (600, 127))],
)  # fmt: skip
def test_roads_and_waters_run_across_the_table(feature: dict[str, object], size: tuple[float, float]) -> None:
    piece = proposals(TABLE, "south", ["clear"] * 9, [{"section": 5, **feature}])[0]
    left, near, right, far = Polygon(piece.polygon_mm).bounds
    assert (right - left, far - near) == pytest.approx(size, abs=0.01)


@pytest.mark.rule("MM-192")
def test_a_bridge_and_fords_lie_over_their_river() -> None:
    river = {"section": 4, "kind": "river", "direction": "lengthwise", "width_in": 6}
    for more, kinds in (
        ({"crossing": "bridge"}, ["bridge"]),
        ({"crossing": "two-fords", "ford_width_in": [2, 3], "ford_sections": [1, 3]}, ["ford", "ford"]),
    ):
        water, *over = proposals(TABLE, "south", ["clear"] * 9, [{**river, **more}])
        assert [piece.kind for piece in over] == kinds
        for piece in over:
            across = Polygon(piece.polygon_mm).intersection(Polygon(water.polygon_mm))
            assert across.bounds[3] - across.bounds[1] == pytest.approx(6 * 25.4, abs=0.01)


@pytest.mark.rule("MM-193", "MM-186", "MM-187")
def test_what_is_rolled_is_proposed_last() -> None:
    # Wooded; nine sections: 2 woods, 4 wooded hill, the rest 6: clear.
    dice = [1, 1, 2, 2, *[3, 3] * 7]
    played = resolve(game(), dice, action="terrain", type="wooded")
    told = [one for one in played["events"] if one["event"] == "proposal"]
    assert [one["kind"] for one in told] == ["woods", "wooded-hill"]
    assert played["events"][-2:] == told


@pytest.mark.rule("MM-193")
@pytest.mark.parametrize("edge", EDGES)
def test_buildings_stand_apart_in_their_section(edge: str) -> None:
    pieces = proposals(
        TABLE, edge, ["clear"] * 9, [{"section": 2, "kind": "buildings", "number": 3, "dv": [1, 1, 2]}]
    )
    houses = [Polygon(piece.polygon_mm) for piece in pieces]
    assert len(houses) == 3
    assert min(houses[0].distance(houses[1]), houses[1].distance(houses[2])) >= 25.4 - 0.01
