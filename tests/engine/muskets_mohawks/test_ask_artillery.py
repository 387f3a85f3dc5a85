"""What ask says about canister and ball: who is at risk, range, arc, sight, what keeps a gun from firing."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.rulesets.muskets_mohawks.options.artillery import ball_at_risk, canister_at_risk, gun_at
from tests.engine.muskets_mohawks.scene import INCH, block, box, effects, fire, game, gun, row, unit

#: The muzzle of a gun at (900, 300): 30 mm ahead of its centre.
MUZZLE_Y = 330.0


def foe(ahead_in: float = 8.0, aside_in: float = 0.0, **keys: Any) -> dict[str, Any]:
    """An enemy figure whose centre is so far ahead of the muzzle and aside."""
    return unit("them", "french", [(900 + aside_in * INCH, MUZZLE_Y + ahead_in * INCH)], bearing=180.0, **keys)


@pytest.mark.rule("muskets-mohawks R-33")
def test_the_muzzle_is_the_middle_of_the_gun_s_front_edge_and_turns_with_it() -> None:
    table = game(gun("us"))
    found = gun_at(table, table.unit("us"), turn_deg=90.0)
    assert found is not None
    assert found.muzzle.tolist() == pytest.approx([930.0, 300.0])
    assert found.bearing_deg == 90.0


@pytest.mark.rule("MM-119", "muskets-mohawks R-33")
@pytest.mark.parametrize(
    ("ahead", "aside", "hit"),
    [(8, 0, True), (18, 0, True), (18.01, 0, False), (8, 2, True), (8, -2, True), (8, 2.01, False), (0, 1, True),
     (-0.5, 0, False)],
)  # fmt: skip
def test_canister_sweeps_a_strip_18_in_long_and_4_in_wide(ahead: float, aside: float, hit: bool) -> None:
    option = fire(game(gun("us", crew=1), foe(ahead, aside)), "canister")
    assert option.legal is hit
    assert option.targets_seen == (("them-1",) if hit else ())
    assert option.roll is not None
    assert (option.roll.count, option.roll.success) == (int(hit), "<=2")


@pytest.mark.rule("MM-119", "muskets-mohawks R-33")
def test_canister_endangers_friends_and_never_its_own_crew() -> None:
    friend = unit("friend", at=[(900, MUZZLE_Y + 100), (1200, 500)])
    option = fire(game(gun("us"), friend, foe(8)), "canister")
    assert option.targets_seen == ("friend-1", "them-1")
    assert option.extra["at_risk"] == ["friend"]
    assert option.legal


@pytest.mark.rule("MM-120", "MM-119")
def test_canister_puts_no_more_figures_at_risk_than_inches_to_the_farthest() -> None:
    mob = unit("them", "french", block((4, 4, 4), 900, MUZZLE_Y + 3 * INCH, 1), bearing=180.0, formation="mob")
    table = game(gun("us"), mob)
    # the farthest is 76.2 + 50 ahead and 37.5 aside: 5.18 in
    assert len(canister_at_risk(table, table.unit("us"))) == 6
    exactly = unit("them", "french", [(900 + d, MUZZLE_Y + 2 * INCH) for d in (0.0, 0.0, 0.0)], bearing=180.0)
    table = game(gun("us"), exactly)
    assert len(canister_at_risk(table, table.unit("us"))) == 2


@pytest.mark.rule("MM-119", "MM-120")
def test_the_book_s_canister_rolls_six_dice_for_the_six_in_the_cone() -> None:
    # ten Irregulars in mob, four ranks, all within ten inches; six of them stand within the strip
    inside = block((3, 3), 900, MUZZLE_Y + 8 * INCH, 1)
    outside = [(900.0 + 60 + 25 * n, MUZZLE_Y + 8 * INCH) for n in range(4)]
    mob = unit("them", "french", [*inside, *outside], bearing=180.0, formation="mob")
    roll = fire(game(gun("us"), mob), "canister").roll
    assert roll is not None
    assert (roll.count, roll.success) == (6, "<=2")


@pytest.mark.rule("muskets-mohawks R-33", "MM-91", "MM-89")
@pytest.mark.parametrize(
    ("terrain", "hit"),
    [(box("house", "building", (850, 400), (950, 450)), False),
     (box("wood", "woods", (500, MUZZLE_Y + 8 * INCH - 25.4), (1300, 1000)), True),
     (box("wood", "woods", (500, MUZZLE_Y + 8 * INCH - 25.5), (1300, 1000)), False)],
    ids=["behind a building", "an inch inside woods", "deeper in woods"],
)  # fmt: skip
def test_canister_does_not_reach_behind_buildings_or_deep_into_woods(terrain: dict[str, Any], hit: bool) -> None:
    table = game(gun("us"), foe(8), terrain=[terrain])
    assert bool(canister_at_risk(table, table.unit("us"))) is hit
    assert fire(table, "canister").legal is hit


@pytest.mark.rule("MM-121", "muskets-mohawks R-34")
@pytest.mark.parametrize(("off", "legal"), [(0, True), (15.0, True), (-15.0, True), (15.1, False), (90, False)])
def test_a_ball_is_aimed_within_15_degrees(off: float, legal: bool) -> None:
    angle = math.radians(off)
    there = [(900 + 500 * math.sin(angle), MUZZLE_Y + 500 * math.cos(angle))]
    option = fire(game(gun("us"), unit("them", "french", there)), "ball")
    assert option.legal is legal
    assert (option.roll is None) is not legal
    if legal:
        assert option.range_mm == pytest.approx(500)


@pytest.mark.rule("MM-121")
@pytest.mark.parametrize(("aside", "hit"), [(0.0, True), (25.4, True), (-25.4, True), (25.5, False)])
def test_a_ball_endangers_all_within_an_inch_of_its_line(aside: float, hit: bool) -> None:
    other = unit("other", "french", [(900 + aside, 900)])
    friend = unit("friend", at=[(900 + aside, 400)])
    option = fire(game(gun("us"), foe(8), other, friend), "ball")
    wanted = ["friend-1", "them-1", "other-1"] if hit else ["them-1"]
    assert list(option.targets_seen) == wanted
    assert option.roll is not None
    assert (option.roll.count, option.roll.success) == (len(wanted), "<=3")


@pytest.mark.rule("MM-121")
def test_the_book_s_ball_goes_between_two_figures_of_each_of_two_units() -> None:
    inch = {"shape": "round", "diameter_mm": 25.4}
    front = unit("front", "french", row(10, 900, MUZZLE_Y + 20 * INCH, 25.4), bearing=180.0, base=inch)
    rear = unit("rear", "french", row(10, 900, MUZZLE_Y + 23 * INCH, 25.4), bearing=180.0, base=inch)
    table = game(gun("us"), front, rear)
    between = (front["figures"][2]["x_mm"] + 12.7, MUZZLE_Y + 23 * INCH)
    risk = ball_at_risk(table, table.unit("us"), between)
    assert {one.figure for one in risk} == {"front-3", "front-4", "rear-3", "rear-4"}
    assert [one.unit for one in risk] == ["front", "front", "rear", "rear"]


@pytest.mark.rule("muskets-mohawks R-34", "MM-90", "MM-91")
@pytest.mark.parametrize("stop", ["building", "crest"])
def test_crests_and_buildings_stop_the_ball(stop: str) -> None:
    if stop == "building":
        terrain = [box("house", "building", (850, 700), (950, 750))]
    else:
        terrain = [{**box("hill", "hill", (800, 650), (1000, 800)), "crest_mm": [[800, 720], [1000, 720]]}]
    behind, before = unit("behind", "french", [(900, 900)]), unit("before", "french", [(900, 600)])
    table = game(gun("us"), behind, before, terrain=terrain)
    assert fire(table, "ball", target="before").targets_seen == ("before-1",)
    blocked = fire(table, "ball", target="behind")
    assert not blocked.legal
    assert blocked.why_rules == (("MM-91",) if stop == "building" else ("MM-90",))


@pytest.mark.rule("muskets-mohawks R-34", "MM-84")
def test_friends_do_not_hide_a_gun_s_target() -> None:
    friends = unit("friends", at=row(9, 900, 400, 25))
    assert fire(game(gun("us"), friends, foe(8)), "ball").legal


@pytest.mark.rule("MM-118", "MM-45", "MM-94", "MM-114", "muskets-mohawks R-35", "R-44")
@pytest.mark.parametrize(
    ("keys", "them", "conditions", "row_of_it"),
    [({"limbered": True}, {}, {}, "MM-118"), ({"reload_markers": 1}, {}, {}, "MM-118"),
     ({"crew": 0}, {}, {}, "MM-118"), ({"activated": True}, {}, {}, "MM-94"), ({"moved_mm": 5.0}, {}, {}, "MM-94"),
     ({"left_gun": True}, {}, {}, "MM-94"), ({}, {"in_melee": ["x"]}, {}, "R-44"),
     ({}, {}, {"weather": "inclement", "weather_level": 6}, "MM-114")],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["canister", "ball"])
def test_what_keeps_a_gun_from_firing(
    mode: str, keys: dict[str, Any], them: dict[str, Any], conditions: dict[str, Any], row_of_it: str
) -> None:
    option = fire(game(gun("us", **keys), foe(8, **them), **conditions), mode)
    assert not option.legal
    assert row_of_it in option.why_rules
    if keys.get("crew") == 0:
        assert (option.shooters, option.roll) == ((), None)
    else:
        assert option.roll is not None


@pytest.mark.rule("MM-118", "MM-99", "MM-106")
def test_small_arm_modifiers_do_not_touch_guns() -> None:
    option = fire(game(gun("us"), foe(8, prone=True, formation="mob")), "canister")
    assert (option.modifiers, option.cover) == ((), None)


@pytest.mark.rule("MM-246")
def test_each_figure_of_a_square_at_risk_rolls_two_dice() -> None:
    square = unit("them", "french", block((3,), 900, MUZZLE_Y + 8 * INCH, 1), kind="regular", formation="square")
    option = fire(game(gun("us"), square), "canister")
    assert option.roll is not None
    assert option.roll.count == 6
    assert effects(option) == {"MM-246": "+3d6"}


@pytest.mark.rule("R-48", "MM-113")
def test_guns_misfire_in_foul_weather_too() -> None:
    roll = fire(game(gun("us"), foe(5), weather="inclement"), "canister").roll
    assert roll is not None
    assert roll.extra["misfire"] == ">=5"


@pytest.mark.rule("MM-119", "MM-121")
def test_a_gun_s_range_can_be_borderline() -> None:
    option = fire(game(gun("us"), foe(18 - 0.01), sigma=0.5), "canister")
    assert len(option.borderline) == 1
    assert option.range_mm == pytest.approx(17.99 * INCH)
    assert option.range_sigma_mm == pytest.approx(0.5 * 2**0.5)


@pytest.mark.rule("MM-174", "muskets-mohawks R-34")
def test_a_ball_at_a_unit_in_a_building_is_a_ball_at_the_building() -> None:
    house = box("house", "building", (850, 500), (950, 600))
    table = game(gun("us"), unit("them", "french", [(900, 550)], in_building="house"), terrain=[house])
    option = fire(table, "ball")
    assert (option.legal, option.targets_seen) == (False, ())
    assert "MM-174" in option.why_rules
