"""Front, flank and rear; who counts as in cover."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rulesets.muskets_mohawks.options.charge_options import aspect
from engine.rulesets.muskets_mohawks.table.broken_ground import mostly_in, on_road
from engine.rulesets.muskets_mohawks.table.facts import half_strength, in_contact, in_cover
from tests.engine.muskets_mohawks.scene import INCH, box, fire, game, row, unit

#: The target's line: four round bases at y = 500 facing south; its front line is at 487.5, its rear line at 512.5.
LINE = unit("them", "french", row(4, 900, 500, 25), bearing=180.0, kind="regular", formation="formed-line")


@pytest.mark.rule("MM-09", "MM-10", "MM-11", "R-06")
@pytest.mark.parametrize(
    ("y", "where"),
    [
        (300, "front"),
        (487.5, "front"),
        (487.6, "flank"),
        (500, "flank"),
        (512.5, "flank"),
        (512.6, "rear"),
        (800, "rear"),
    ],
)
def test_the_lines_through_the_outermost_edges_divide_front_flank_and_rear(y: float, where: str) -> None:
    table = game(unit("us", at=[(600, y)]), LINE)
    assert aspect(table, table.unit("us"), table.unit("them")) == where


@pytest.mark.rule("MM-12", "R-06")
@pytest.mark.parametrize(
    ("places", "where"),
    [((300, 300, 500, 500), "front"), ((300, 500, 500, 500), "flank"), ((300, 500, 500, 800), "flank"),
     ((300, 500, 800, 800), "flank"), ((500, 800, 800, 800), "rear"), ((300, 300, 800, 800), "front"),
     ((300, 800, 800, 800), "rear"), ((500, 500, 800, 800), "flank")],
)  # fmt: skip
def test_more_than_half_of_the_attackers_decide(places: tuple[float, ...], where: str) -> None:
    spots = [(500.0 + 30 * n, y) for n, y in enumerate(places)]
    table = game(unit("us", at=spots), LINE)
    assert aspect(table, table.unit("us"), table.unit("them")) == where


@pytest.mark.rule("MM-12", "MM-172")
@pytest.mark.parametrize("keys", [{"formation": "square"}, {"type": "pef"}, {"state": {"in_building": "house"}}])
def test_squares_buildings_and_possible_forces_have_only_a_front(keys: dict[str, Any]) -> None:
    house = box("house", "building", (800, 450), (1000, 550))
    table = game(unit("us", at=[(900, 900)]), {**LINE, **keys}, terrain=[house])
    assert aspect(table, table.unit("us"), table.unit("them")) == "front"


@pytest.mark.rule("MM-09", "MM-08")
def test_facing_is_the_mean_of_the_bearings_and_rectangles_reach_as_deep_as_they_are() -> None:
    horse = unit("them", "french", row(3, 900, 500, 60), bearing=180.0, kind="cavalry",
                 base={"shape": "rect", "width_mm": 25, "depth_mm": 50})  # fmt: skip
    horse["figures"][0]["bearing_deg"] = 170.0
    horse["figures"][2]["bearing_deg"] = 190.0
    table = game(unit("us", at=[(600, 525.1)]), horse)
    # the turned bases reach back 25 cos 10 + 12.5 sin 10 = 26.8 mm
    assert aspect(table, table.unit("us"), table.unit("them")) == "flank"
    table = game(unit("us", at=[(600, 526.9)]), horse)
    assert aspect(table, table.unit("us"), table.unit("them")) == "rear"


def target(**keys: Any) -> dict[str, Any]:
    return unit("them", "french", row(4, 900, 600), bearing=180.0, **keys)


@pytest.mark.rule("R-08", "MM-106", "MM-189", "MM-195", "MM-50", "MM-191")
@pytest.mark.parametrize(
    ("kind", "cover"),
    [("woods", "woods"), ("gully", "gully"), ("creek", None), ("ford", None), ("road", None), ("clear", None),
     ("hill", None)],
)  # fmt: skip
def test_cover_by_the_ground_one_stands_in(kind: str, cover: str | None) -> None:
    there = box("there", kind, (700, 585), (1100, 700))
    assert fire(game(unit("us"), target(), terrain=[there])).cover == cover  # a creek keeps shooters at its bank


@pytest.mark.rule("MM-50", "R-08")
def test_prone_is_cover_from_fire_and_not_from_a_charge() -> None:
    table = game(unit("us"), target(prone=True))
    assert fire(table).cover == "prone"
    them = table.unit("them")
    assert in_cover(table, them, cause_xy=(900, 300), fired_at=True) == "prone"
    assert in_cover(table, them, cause_xy=(900, 300), fired_at=False) is None


@pytest.mark.rule("R-08", "R-50")
@pytest.mark.parametrize(("covered", "cover"), [(2, None), (3, "woods")])
def test_more_than_half_of_those_seen_must_be_in_cover(covered: int, cover: str | None) -> None:
    there = box("there", "woods", (700, 590), (800 + 50 * covered, 620))
    assert fire(game(unit("us"), target(), terrain=[there])).cover == cover


@pytest.mark.rule("R-08", "muskets-mohawks R-17")
@pytest.mark.parametrize(
    ("kind", "gap_in", "cover"),
    [
        ("wall", 0.5, True),
        ("wall", 1.0, True),
        ("wall", 1.05, False),
        ("fieldworks", 1.0, True),
        ("fieldworks", 2, False),
    ],
)
def test_low_obstacles_cover_those_within_an_inch_behind_them(kind: str, gap_in: float, cover: bool) -> None:
    edge = 600 - 12.5 - gap_in * INCH
    there = box("there", kind, (500, edge - 10), (1300, edge))
    assert fire(game(unit("us"), unit("them", "french", [(900, 600)], bearing=180.0), terrain=[there])).cover == (
        kind if cover else None
    )


@pytest.mark.rule("R-08")
def test_an_obstacle_on_the_far_side_covers_nobody() -> None:
    behind = box("wall", "wall", (500, 615), (1300, 625))
    assert fire(game(unit("us"), target(), terrain=[behind])).cover is None


@pytest.mark.rule("R-08")
def test_the_kind_named_is_the_one_that_covers_most() -> None:
    trees, ditch = box("a", "woods", (780, 590), (850, 620)), box("b", "gully", (851, 590), (1000, 620))
    assert fire(game(unit("us"), target(), terrain=[trees, ditch])).cover == "gully"


@pytest.mark.rule("MM-172", "muskets-mohawks R-18")
def test_inside_a_building_all_are_in_cover_and_half_of_them_fire() -> None:
    house = box("house", "building", (800, 550), (1000, 700))
    inside = unit("them", "french", row(5, 900, 620), bearing=180.0, in_building="house", formation="formed-line")
    table = game(unit("us"), inside, terrain=[house])
    at_them = fire(table)
    assert (at_them.cover, at_them.aspect, at_them.legal) == ("building", "front", True)
    assert at_them.range_mm == pytest.approx(550 - 312.5)
    assert len(at_them.targets_seen) == 5
    assert "MM-99" not in {modifier.rule for modifier in at_them.modifiers}
    from_them = fire(table, shooter="them", target="us")
    assert from_them.shooters == ("them-1", "them-2", "them-3")
    assert from_them.range_mm == pytest.approx(550 - 312.5)


@pytest.mark.rule("MM-172", "muskets-mohawks R-18")
def test_there_is_no_arc_from_inside_a_building() -> None:
    house = box("house", "building", (800, 550), (1000, 700))
    inside = unit("us", at=row(2, 900, 620), bearing=0.0, in_building="house")
    assert fire(game(inside, unit("them", "french", [(900, 400)]), terrain=[house])).legal


@pytest.mark.rule("MM-124")
@pytest.mark.parametrize(("gap", "touch"), [(0.0, True), (3.0, True), (3.1, False)])
def test_bases_within_3_mm_are_in_contact(gap: float, touch: bool) -> None:
    table = game(unit("us"), unit("them", "french", [(900, 325 + gap)]))
    assert in_contact(table, table.unit("us"), table.unit("them")) is touch


@pytest.mark.rule("R-52", "MM-08")
def test_figures_that_share_a_base_are_listed_and_counted_one_by_one() -> None:
    shared = unit("us", at=[(887.5, 300), (912.5, 300)], base={"shape": "rect", "width_mm": 25, "depth_mm": 25})
    option = fire(game(shared, unit("them", "french", [(900, 600)], bearing=180.0)))
    assert option.shooters == ("us-1", "us-2")
    assert option.range_mm == pytest.approx(600 - 12.5 - 312.5)


@pytest.mark.rule("muskets-mohawks R-28", "R-50", "MM-61")
@pytest.mark.parametrize(("left", "half"), [(6, False), (5, True), (4, True)])
def test_exactly_half_is_half_strength(left: int, half: bool) -> None:
    table = game(unit("us", at=row(left, 900, 300), start_strength=10))
    assert half_strength(table.unit("us")) is half


@pytest.mark.rule("MM-49")
def test_a_unit_is_on_a_road_when_every_centre_is() -> None:
    road = {"id": "road", "kind": "road", "polyline_mm": [[900, 0], [900, 1219]], "width_mm": 60}
    column = game(unit("us", at=[(900, 300), (900, 340)]), terrain=[road])
    assert on_road(column, column.unit("us"))
    wide = game(unit("us", at=row(3, 900, 300)), terrain=[road])
    assert not on_road(wide, wide.unit("us"))
    assert not mostly_in(wide, wide.unit("us"), "road")
