"""Going into buildings and out of them, from floor to floor, and putting out fires."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.errors import ActionRefused
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, gun, resolve, unit, wood

#: A house of 200 by 150 mm whose door is in the middle of its near wall.
HOUSE = {
    "id": "house", "kind": "building", "polygon_mm": [[800, 500], [1000, 500], [1000, 650], [800, 650]],
    "door_mm": [900, 500], "levels": 2,
}  # fmt: skip


def house(**more: Any) -> Plain:
    return {**HOUSE, **more}


def at_door(gap_mm: float = 0.0, **more: Any) -> Plain:
    """A unit of five in front of the house, its middle man that far from the door."""
    return unit("u", "british", number=5, leader=1, at=(900, 500 - 12.5 - gap_mm), **more)


def outside(gap_mm: float, piece: Plain | None = None, **more: Any) -> Plain:
    return game(at_door(gap_mm, **more), terrain=[piece or house()])


@pytest.mark.rule("MM-171")
@pytest.mark.parametrize(("gap_mm", "may"), [(0, True), (2.9, True), (3.0, True), (3.1, False), (200, False)])
def test_who_touches_the_door_is_inside_and_all_with_him(gap_mm: float, may: bool) -> None:
    if not may:
        with pytest.raises(ActionRefused, match="nobody touches the door"):
            resolve(outside(gap_mm), action="enter", unit="u", building="house")
        return
    played = resolve(outside(gap_mm), action="enter", unit="u", building="house")
    assert event(played, "entered")["building"] == "house"
    assert after(played, "u")["state"]["in_building"] == "house"


@pytest.mark.rule("MM-171")
@pytest.mark.parametrize(
    ("type", "state", "may"),
    [("regular", {}, True), ("indian", {}, True), ("cavalry", {"mounted": True}, False),
     ("cavalry", {"mounted": False}, True), ("mounted-infantry", {"mounted": False}, True),
     ("mounted-infantry", {"mounted": True}, False)],
)  # fmt: skip
def test_horses_stay_outside(type: str, state: Plain, may: bool) -> None:
    of = outside(0, type=type, state=state)
    if may:
        assert (
            after(resolve(of, action="enter", unit="u", building="house"), "u")["state"]["in_building"] == "house"
        )
    else:
        with pytest.raises(ActionRefused, match="only troops on foot"):
            resolve(of, action="enter", unit="u", building="house")


@pytest.mark.rule("MM-171")
def test_a_gun_crew_goes_in() -> None:
    of = game(gun("g", "british", at=(900, 440)), terrain=[house(door_mm=[900, 412.5])])
    assert after(resolve(of, action="enter", unit="g", building="house"), "g")["state"]["in_building"] == "house"


@pytest.mark.rule("MM-171")
def test_a_house_without_a_door_is_entered_where_it_is_touched() -> None:
    piece = {key: value for key, value in house().items() if key != "door_mm"}
    assert after(resolve(outside(1, piece), action="enter", unit="u", building="house"), "u")["state"][
        "in_building"
    ]
    with pytest.raises(ActionRefused, match="nobody touches the building"):
        resolve(outside(50, piece), action="enter", unit="u", building="house")


@pytest.mark.rule("MM-178")
@pytest.mark.parametrize(("fire_in", "may"), [(4.9, True), (5.0, False), (9.0, False)])
def test_nobody_goes_into_a_house_half_of_which_burns(fire_in: float, may: bool) -> None:
    of = outside(0, house(fire_in=fire_in, length_in=10))
    if may:
        resolve(of, action="enter", unit="u", building="house")
    else:
        with pytest.raises(ActionRefused, match="half of house burns"):
            resolve(of, action="enter", unit="u", building="house")


@pytest.mark.rule("MM-171")
def test_a_unit_that_comes_out_stands_in_mob_before_the_door() -> None:
    played = resolve(outside(0, state={"in_building": "house"}), action="leave", unit="u")
    now = after(played, "u")
    assert (now["formation"], now["state"]["in_building"]) == ("mob", None)
    spots = sorted((round(one["x_mm"], 1), round(one["y_mm"], 1)) for one in now["figures"])
    assert spots == [(875, 462.5), (900, 462.5), (900, 487.5), (925, 462.5), (925, 487.5)]
    assert {one["bearing_deg"] for one in now["figures"]} == {180.0}


def facing_foes(**state: Any) -> Plain:
    """The unit at the door, as the state has it, and enemies within musket shot of it."""
    return game(at_door(state=state), unit("t", "french", number=5, at=(900, 200)), terrain=[house()])


@pytest.mark.rule("MM-44", "MM-171")
@pytest.mark.parametrize(
    ("state", "way"),
    [({}, {"action": "enter", "building": "house"}), ({"in_building": "house"}, {"action": "leave"})],
)
def test_who_goes_in_or_out_has_moved_and_does_not_fire_in_the_same_activation(state: Plain, way: Plain) -> None:
    gone = resolve(facing_foes(**state), unit="u", **way)["game"]
    with pytest.raises(ActionRefused, match="has moved"):
        resolve(gone, action="fire", unit="u", target="t")


@pytest.mark.rule("MM-44", "MM-171")
def test_who_has_gone_in_comes_out_in_another_activation() -> None:
    inside = resolve(facing_foes(), action="enter", unit="u", building="house")["game"]
    with pytest.raises(ActionRefused, match="comes out in another activation"):
        resolve(inside, action="leave", unit="u")


@pytest.mark.rule("MM-44", "MM-171")
def test_who_comes_out_changes_formation_and_has_half_of_its_move_left() -> None:
    out = resolve(facing_foes(in_building="house"), action="leave", unit="u")
    assert after(out, "u")["state"]["moved_mm"] == pytest.approx(4 * INCH)


@pytest.mark.rule("MM-178")
def test_out_of_a_burning_house_comes_also_who_has_moved_in_it() -> None:
    start = outside(0, house(fire_in=14), state={"in_building": "house", "moved_mm": 203.2})
    assert after(resolve(start, action="leave", unit="u"), "u")["state"]["in_building"] is None


@pytest.mark.rule("MM-171")
def test_only_who_is_inside_comes_out() -> None:
    with pytest.raises(ActionRefused, match="not in a building"):
        resolve(outside(0), action="leave", unit="u")


@pytest.mark.rule("MM-173")
def test_a_change_of_level_is_the_whole_move() -> None:
    inside = outside(0, state={"in_building": "house"})
    played = resolve(inside, action="change-level", unit="u", level=1)
    assert {one["level"] for one in after(played, "u")["figures"]} == {1}
    with pytest.raises(ActionRefused, match="whole move"):
        resolve(played["game"], action="change-level", unit="u", level=0)


@pytest.mark.rule("MM-173")
@pytest.mark.parametrize(
    ("state", "level", "why"),
    [({}, 1, "not in a building"), ({"in_building": "house"}, 2, "has 2, counted from 0"),
     ({"in_building": "house"}, 0, "there already"), ({"in_building": "house", "moved_mm": 25.4}, 1, "has moved")],
)  # fmt: skip
def test_when_no_level_is_changed(state: Plain, level: int, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        resolve(outside(0, state=state), action="change-level", unit="u", level=level)


@pytest.mark.rule("MM-179")
@pytest.mark.parametrize(("fire_in", "buckets", "left"), [(4, 1, 3), (4, 3, 1), (2, 3, 0)])
def test_each_bucket_takes_an_inch_off_a_fire(fire_in: float, buckets: int, left: float) -> None:
    of = outside(0, house(fire_in=fire_in))
    played = resolve(of, action="douse", unit="u", building="house", buckets=buckets)
    assert played["game"]["terrain"][0]["fire_in"] == left
    assert after(played, "u")["state"]["activated"] is True


@pytest.mark.rule("MM-179")
def test_buckets_are_brought_by_those_who_touch_the_house() -> None:
    burning = house(fire_in=4)
    with pytest.raises(ActionRefused, match="0 figures touch house"):
        resolve(outside(4, burning), action="douse", unit="u", building="house")
    with pytest.raises(ActionRefused, match="does not burn"):
        resolve(outside(0), action="douse", unit="u", building="house")
    inside = outside(300, burning, state={"in_building": "house"})
    assert resolve(inside, action="douse", unit="u", building="house", buckets=5)


def broken_off(dice: list[int], *, y: float = 560, kind: str = "regular") -> Plain:
    """Those who broke off from a garrison, and the garrison, which has followed them."""
    house = wood("h", 700, 500, 1100, 600, "building", door_mm=[900, 500], levels=2)
    inside = {"in_building": "h", "in_melee": ["out"], "melee_round": 1}
    garrison = unit("in", "french", type=kind, number=4, at=(900, y), facing=180, state=inside)
    garrison["figures"][0]["level"] = 1
    out = unit("out", "british", number=4, at=(900, 620), state={"in_melee": ["in"], "melee_round": 1})
    return resolve(game(garrison, out, terrain=[house]), dice, action="break-off", unit="out", enemy="in")


@pytest.mark.rule("MM-163", "MM-171")
@pytest.mark.parametrize(
    ("dice", "y", "kind", "contact", "formation"),
    [
        ([1, 6], 560, "regular", True, "mob"),
        ([1, 6], 515, "regular", True, "mob"),
        ([1, 6], 560, "gunners", True, "unformed"),
        ([6, 1], 560, "regular", False, "unformed"),
        ([6, 1], 515, "regular", False, "unformed"),
    ],
)
def test_a_garrison_that_follows_those_who_break_off_is_out_of_its_house(
    dice: list[int], y: float, kind: str, contact: bool, formation: str
) -> None:
    played = broken_off(dice, y=y, kind=kind)
    followers, gone = after(played, "in"), after(played, "out")
    assert followers["state"]["in_building"] is None
    assert followers["formation"] == formation
    assert all(one["y_mm"] > 600 and one.get("level") is None for one in followers["figures"])
    assert followers["state"]["in_melee"] == (["out"] if contact else [])
    gaps = [math.dist((a["x_mm"], a["y_mm"]), (b["x_mm"], b["y_mm"])) - 25
            for a in followers["figures"] for b in gone["figures"]]  # fmt: skip
    assert (min(gaps) == pytest.approx(0, abs=0.01)) is contact


@pytest.mark.rule("MM-163", "MM-171")
def test_a_garrison_from_which_nobody_gets_away_stays_in_its_house() -> None:
    house = wood("h", 700, 500, 1100, 600, "building", door_mm=[900, 500])
    inside = {"in_building": "h", "in_melee": ["out"], "melee_round": 1}
    garrison = unit("in", "french", number=4, at=(900, 560), facing=180, state=inside)
    out = unit("out", "british", number=4, at=(900, 620), state={"in_melee": ["in"], "melee_round": 1})
    scene = game(garrison, out, terrain=[house, wood("lake", 0, 621, 1828, 800, "lake")])
    played = resolve(scene, [1, 6], action="break-off", unit="out", enemy="in", override=True)
    assert after(played, "in")["state"]["in_building"] == "h"
