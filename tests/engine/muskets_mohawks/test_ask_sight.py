"""Who sees whom: arcs, friends in the way, darkness, weather, woods, crests, buildings."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.engine.muskets_mohawks.scene import INCH, box, fire, game, row, unit

HERE = (900.0, 300.0)


def foe(x: float = 900.0, y: float = 600.0, **keys: Any) -> dict[str, Any]:
    return unit("them", "french", [(x, y)], bearing=180.0, **keys)


def ahead(inches: float, bearing: float = 0.0) -> tuple[float, float]:
    """The centre of a base whose rim is so many inches from that of the base at HERE, on a bearing."""
    distance, angle = inches * INCH + 25.0, math.radians(bearing)
    return HERE[0] + distance * math.sin(angle), HERE[1] + distance * math.cos(angle)


@pytest.mark.rule("MM-83", "R-05")
@pytest.mark.parametrize(
    ("bearing", "sees"),
    [(0, True), (44, True), (45.0, True), (45.0009, True), (45.01, False), (46, False), (-45.0, True),
     (-45.1, False), (90, False), (180, False)],
)  # fmt: skip
def test_a_figure_fires_up_to_45_degrees_either_side_of_its_front(bearing: float, sees: bool) -> None:
    option = fire(game(unit("us"), foe(*ahead(10, bearing))))
    assert option.legal is sees
    assert ("MM-83" in option.why_rules) is not sees


@pytest.mark.rule("R-05")
def test_a_figure_of_unknown_bearing_faces_as_its_unit_does() -> None:
    us = unit("us", at=row(3, *HERE))
    us["figures"][1]["bearing_deg"] = None
    assert len(fire(game(us, foe())).shooters) == 3
    us["figures"][0]["bearing_deg"] = us["figures"][2]["bearing_deg"] = 180.0
    assert fire(game(us, foe())).shooters == ()


@pytest.mark.rule("MM-85", "R-03")
@pytest.mark.parametrize(
    ("aside", "sees"),
    [(0.0, False), (14.9, False), (15.0, True), (15.1, True), (-14.9, False), (-15.0, True)],
)  # fmt: skip
def test_a_friend_blocks_with_its_base_and_a_tenth_of_its_width(aside: float, sees: bool) -> None:
    table = game(unit("us"), unit("friend", at=[(900 + aside, 450)]), foe())
    assert fire(table).legal is sees


@pytest.mark.rule("MM-85", "R-03")
def test_there_is_no_seeing_between_two_bases_in_contact_but_through_a_real_gap() -> None:
    touching = unit("friends", at=row(2, 900, 450, 25))
    apart = unit("friends", at=row(2, 900, 450, 30.1))
    assert not fire(game(unit("us"), touching, foe())).legal
    assert fire(game(unit("us"), apart, foe())).legal


@pytest.mark.rule("MM-85")
@pytest.mark.parametrize(
    ("friend", "sees"),
    [(unit("friend", at=[(900, 450)], prone=True), True),
     (unit("friend", at=[(900, 620)]), True),
     (unit("friend", at=[(900, 280)]), True),
     (unit("friend", at=[(905, 450)], base={"shape": "rect", "width_mm": 40, "depth_mm": 20}), False),
     (unit("friend", at=[(925, 450)], base={"shape": "rect", "width_mm": 40, "depth_mm": 20}), True),
     (unit("friend", at=[(923.9, 450)], base={"shape": "rect", "width_mm": 40, "depth_mm": 20}), False)],
    ids=["prone", "behind the target", "behind the shooter", "rectangle across", "rectangle clear of its margin",
         "rectangle's margin"],
)  # fmt: skip
def test_which_friends_stand_in_the_way(friend: dict[str, Any], sees: bool) -> None:
    assert fire(game(unit("us"), friend, foe())).legal is sees


@pytest.mark.rule("MM-84", "R-04")
def test_enemies_do_not_block_unless_the_players_chose_so() -> None:
    other = unit("other", "french", [(900, 450)], bearing=180.0)
    assert fire(game(unit("us"), other, foe())).legal
    blocked = fire(game(unit("us"), other, foe(), options={"enemy_figures_block": True}))
    assert not blocked.legal
    assert blocked.why_rules == ("R-04",)


@pytest.mark.rule("MM-86", "MM-87")
@pytest.mark.parametrize(
    ("conditions", "inches"),
    [({"light": "night"}, 12), ({"weather": "inclement"}, 12), ({"snow": "snowing"}, 12), ({"snow": "both"}, 12),
     ({"weather": "inclement", "light": "night"}, 6), ({"snow": "snowing", "light": "night"}, 6)],
)  # fmt: skip
def test_night_weather_and_snow_limit_sight(conditions: dict[str, Any], inches: float) -> None:
    assert fire(game(unit("us"), foe(*ahead(inches)), **conditions)).legal
    assert not fire(game(unit("us"), foe(*ahead(inches + 0.04)), **conditions)).legal


@pytest.mark.rule("MM-86")
def test_targets_in_lit_ground_are_seen_as_by_day() -> None:
    lit = box("camp-fire", "lit-area", (800, 650), (1000, 800))
    assert not fire(game(unit("us"), foe(*ahead(15)), light="night")).legal
    assert fire(game(unit("us"), foe(*ahead(15)), light="night", terrain=[lit])).legal
    assert not fire(game(unit("us"), foe(*ahead(15)), light="night", weather="inclement", terrain=[lit])).legal


@pytest.mark.rule("MM-87", "MM-194")
def test_snow_on_the_ground_hides_nothing() -> None:
    assert fire(game(unit("us"), foe(*ahead(17)), snow="ground")).legal


def wood(low_y: float, high_y: float) -> dict[str, Any]:
    return box("wood", "woods", (500, low_y), (1300, high_y))


@pytest.mark.rule("MM-89", "muskets-mohawks R-15")
@pytest.mark.parametrize(("depth_in", "sees"), [(0.5, True), (1.0, True), (1.01, False), (3, False)])
def test_one_inch_inside_woods_is_the_edge(depth_in: float, sees: bool) -> None:
    there = wood(600 - depth_in * INCH, 1000)
    assert fire(game(unit("us"), foe(), terrain=[there])).legal is sees
    here = wood(0, 300 + depth_in * INCH)
    assert fire(game(unit("us"), foe(), terrain=[here])).legal is sees


@pytest.mark.rule("MM-89", "muskets-mohawks R-15")
@pytest.mark.parametrize(("inches", "sees"), [(0.9, True), (1.0, True), (1.1, False)])
def test_a_line_through_woods_is_open_for_an_inch(inches: float, sees: bool) -> None:
    assert fire(game(unit("us"), foe(), terrain=[wood(450, 450 + inches * INCH)])).legal is sees


@pytest.mark.rule("MM-88", "muskets-mohawks R-15")
@pytest.mark.parametrize(
    ("conditions", "inches"), [({}, 12), ({"light": "night"}, 6), ({"weather": "inclement"}, 6)]
)  # fmt: skip
def test_inside_a_wood_the_line_is_as_long_as_the_visibility(conditions: dict[str, Any], inches: float) -> None:
    near = (900.0, 300 + inches * INCH)
    assert fire(game(unit("us"), foe(*near), terrain=[wood(100, 1100)], **conditions)).legal
    far = (900.0, 300.1 + inches * INCH)
    assert not fire(game(unit("us"), foe(*far), terrain=[wood(100, 1100)], **conditions)).legal


@pytest.mark.rule("MM-88", "MM-89")
def test_a_wooded_hill_is_woods_and_a_bare_one_is_not() -> None:
    hill = box("hill", "hill", (500, 400), (1300, 500))
    assert fire(game(unit("us"), foe(), terrain=[hill])).legal
    assert fire(game(unit("us"), foe(), terrain=[{**hill, "wooded": True}])).why_rules == ("MM-89",)


@pytest.mark.rule("MM-88")
def test_an_edge_figure_sees_out_along_the_slant_no_farther_than_the_visibility() -> None:
    slanting = {"id": "wood", "kind": "woods", "polygon_mm": [[880, 280], [920, 280], [920, 700], [880, 700]]}
    along = game(unit("us", at=[(900, 300)]), foe(900, 750), terrain=[slanting])
    assert fire(along).why_rules == ("MM-88",)
    aside = game(unit("us", at=[(900, 300)]), foe(1000, 750), terrain=[slanting])
    assert fire(aside).legal


CREST = {**box("hill", "hill", (500, 350), (1300, 550)), "crest_mm": [[500, 450], [1300, 450]]}


@pytest.mark.rule("MM-90", "muskets-mohawks R-16")
@pytest.mark.parametrize(
    ("shooter_y", "target_y", "sees", "cover"),
    [(300, 600, False, None), (434.5, 600, True, None), (434.4, 600, False, None), (300, 465.5, True, "crest"),
     (300, 465.6, False, None), (300, 440, True, None), (465, 600, True, None)],
)  # fmt: skip
def test_a_crest_hides_but_for_those_who_touch_it(
    shooter_y: float, target_y: float, sees: bool, cover: str | None
) -> None:
    option = fire(game(unit("us", at=[(900, shooter_y)]), foe(900, target_y), terrain=[CREST]))
    assert (option.legal, option.cover) == (sees, cover)


@pytest.mark.rule("muskets-mohawks R-16")
def test_a_hill_without_a_crest_never_blocks() -> None:
    assert fire(game(unit("us"), foe(), terrain=[box("hill", "hill", (500, 350), (1300, 550))])).legal


@pytest.mark.rule("MM-91", "MM-84")
def test_buildings_block_and_low_things_do_not() -> None:
    house = box("house", "building", (850, 400), (950, 500))
    assert fire(game(unit("us"), foe(), terrain=[house])).why_rules == ("MM-91",)
    for kind in ("wall", "fieldworks", "gully", "creek", "river", "road", "clear"):
        assert fire(game(unit("us"), foe(), terrain=[{**house, "kind": kind}])).legal


@pytest.mark.rule("muskets-mohawks R-17", "MM-170")
def test_a_wall_given_as_a_line_does_not_block() -> None:
    wall = {"id": "wall", "kind": "wall", "polyline_mm": [[700, 450], [1100, 450]], "width_mm": 10}
    assert fire(game(unit("us"), foe(), terrain=[wall])).legal


@pytest.mark.rule("MM-97", "MM-27")
def test_the_book_s_mob_of_ten_fires_with_its_front_rank_of_four() -> None:
    from tests.engine.muskets_mohawks.scene import block

    mob = unit("us", at=block((4, 3, 3), 900, 300, -1), formation="mob", stats={"rep": 3})
    option = fire(game(mob, foe(900, 700)))
    assert option.shooters == ("us-1", "us-2", "us-3", "us-4")
    assert option.roll is not None
    assert option.roll.count == 3 + 3  # Rep, and three to one on a single target
