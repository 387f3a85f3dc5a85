"""Houses over turns, going off the field, and what a battle leaves to the campaign."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine.errors import ActionRefused
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, gun, names, resolve, unit, wood


def house(**more: Any) -> Plain:
    return wood("house", 800, 500, 1000, 650, "building", **{"door_mm": [900, 500], "length_in": 20, **more})


def inside(piece: Plain | None = None, **state: Any) -> Plain:
    men = unit("u", "british", number=5, leader=1, at=(900, 575), state={"in_building": "house", **state})
    return game(men, terrain=[piece or house()])


HELD = [
    ({"reload_markers": 1}, "not loaded"), ({"prone": True}, "only stand up"), ({"retiring": True}, "rally first"),
    ({"taking_trophies": True}, "taking trophies"),
]  # fmt: skip


@pytest.mark.rule("MM-171", "MM-111", "MM-50", "MM-56", "MM-67")
@pytest.mark.parametrize(("state", "why"), HELD)
def test_who_may_not_move_neither_goes_into_a_house_nor_comes_out_nor_goes_upstairs(state: Plain, why: str) -> None:
    at_door = game(unit("u", "british", number=5, leader=1, at=(900, 487.5), state=state), terrain=[house()])
    with pytest.raises(ActionRefused, match=why):
        resolve(at_door, action="enter", unit="u", building="house")
    with pytest.raises(ActionRefused, match=why):
        resolve(inside(**state), action="leave", unit="u")
    with pytest.raises(ActionRefused, match=why):
        resolve(inside(house(levels=2), **state), action="change-level", unit="u", level=1)


@pytest.mark.rule("MM-178")
@pytest.mark.parametrize("state", [{"reload_markers": 1}, {"prone": True}])
def test_out_of_a_house_half_of_which_burns_everybody_comes(state: Plain) -> None:
    played = resolve(inside(house(fire_in=10), **state), action="leave", unit="u")
    assert after(played, "u")["state"]["in_building"] is None
    assert not after(played, "u")["state"].get("prone", False)


@pytest.mark.rule("MM-178", "MM-233")
def test_a_house_half_of_which_burns_is_not_looted() -> None:
    with pytest.raises(ActionRefused, match="half of house burns"):
        resolve(inside(house(fire_in=10)), action="loot", unit="u")
    assert event(resolve(inside(house(fire_in=9)), [3], action="loot", unit="u"), "loot")["left"] == 1


@pytest.mark.rule("MM-233", "MM-56", "MM-67")
@pytest.mark.parametrize(("state", "why"), HELD[2:])
def test_who_has_to_rally_or_takes_trophies_neither_loots_nor_puts_out_fires(state: Plain, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        resolve(inside(**state), action="loot", unit="u")
    with pytest.raises(ActionRefused, match=why):
        resolve(inside(house(fire_in=2), **state), action="douse", unit="u", building="house")


@pytest.mark.rule("MM-171", "muskets-mohawks R-35")
def test_a_gun_that_stood_outside_stays_there_when_its_crew_comes_out() -> None:
    crew = gun("g", "british", at=(300, 300), state={"in_building": "house"})
    for one in crew["figures"][1:]:
        one["x_mm"], one["y_mm"] = 900.0, 575.0
    piece = after(resolve(game(crew, terrain=[house()]), action="leave", unit="g"), "g")["figures"][0]
    assert (piece["x_mm"], piece["y_mm"]) == (300.0, 300.0)


@pytest.mark.rule("MM-166", "MM-56", "MM-67", "MM-171")
@pytest.mark.parametrize(("state", "why"), [*HELD[2:], ({"in_building": "house"}, "comes out first")])
def test_who_has_something_else_to_do_first_does_not_go_off_the_table(state: Plain, why: str) -> None:
    scene = game(unit("u", "british", number=5, at=(900, 20), state=state), terrain=[house()])
    with pytest.raises(ActionRefused, match=why):
        resolve(scene, action="leave-field", unit="u")


def at_war(*units: Plain, **more: Any) -> Plain:
    """A campaign that nobody has settled the territory of: no replacements are rolled."""
    own = {"army": "british", "local_campaign_morale": 3, **more}
    return game(*units, campaign={"british": own, "french": {"army": "french", "local_campaign_morale": 3}})


def gone(name: str, **state: Any) -> Plain:
    return {**unit(name, "british", state=state), "figures": []}


@pytest.mark.rule("MM-236", "muskets-mohawks R-64")
def test_a_lost_lieutenant_is_followed_by_an_nco_who_has_left_the_table() -> None:
    lost = {**unit("lt", "british", type="leader", number=1, leader=1), "figures": []}
    scene = at_war(gone("first", left_field=True, strength=10), lost)
    played = resolve(scene, [2, 3, 3], action="afterwards", side="british", won=True, success=True)
    assert event(played, "promoted")["from"] == "first"
    assert event(played, "rep")["unit"] == "first"


@pytest.mark.rule("MM-236", "muskets-mohawks R-64")
def test_the_leader_of_a_unit_that_was_destroyed_is_replaced() -> None:
    scene = at_war(gone("lost", casualties=10, strength=0, below_half=True))
    played = resolve(scene, [6, 6, 2, 3, 1, 1], action="afterwards", side="british", won=False, success=False)
    assert event(played, "rep")["unit"] == "lost"


@pytest.mark.rule("MM-236", "MM-57")
@pytest.mark.parametrize(("leader", "noted"), [(None, True), (1, False)])
def test_of_who_runs_away_it_is_noted_whether_the_leader_fell(leader: int | None, noted: bool) -> None:
    scene = game(unit("u", "british", type="indian", leader=leader), unit("foe", "french", at=(900, 900)))
    played = resolve(scene, [6, 6], action="reaction", unit="u", tests=["received-casualty"], cause="foe")
    assert "runaway" in names(played)
    assert after(played, "u")["state"].get("leaderless", False) is noted


@pytest.mark.rule("MM-67", "MM-237", "MM-238")
def test_a_trophy_s_rep_is_for_the_game_and_not_what_rises_or_falls_after_it() -> None:
    poor = unit("u", "british", type="indian", rep=3, state={"rep_lent": True, "runaway": True})
    played = resolve(at_war(poor), [1], action="rep-change", unit="u", success=False)
    assert after(played, "u")["stats"]["rep"] == 2  # its own 2 is the lowest that there is
    month = resolve(played["game"], action="next-month")
    assert after(month, "u")["stats"]["rep"] == 2
    good = unit("u", "british", type="indian", rep=5, state={"rep_lent": True, "meleed": True})
    risen = resolve(at_war(good), [5], action="rep-change", unit="u", success=True)
    assert event(risen, "rep-change")["change"] == 1  # 5 is above its own 4
    assert after(risen, "u")["stats"]["rep"] == 5


@pytest.mark.rule("MM-199", "MM-202")
def test_snow_and_allies_of_one_encounter_are_not_those_of_the_next() -> None:
    scene = at_war(unit("u", "british"), allies={"british-indians": 2}, allies_present=["british-indians"])
    scene["conditions"] |= {"snow": "both", "month": 2, "year": 1757}
    now = resolve(scene, action="next-month")["game"]["conditions"]
    assert now["snow"] == "none"
    assert now["campaign"]["british"]["allies_present"] == []
    assert now["campaign"]["british"]["allies"] == {"british-indians": 2}


@pytest.mark.rule("MM-196", "MM-236")
@pytest.mark.parametrize("kind", ["leader", "irregular"])
def test_who_was_never_turned_up_from_under_his_marker_has_not_fallen(kind: str) -> None:
    hidden = gone("u", hidden=True, under="m1", strength=1, casualties=1 if kind == "irregular" else 0)
    dice = [] if kind == "leader" else [1, 1, 1, 1]  # the men that it lost before, and desertion
    played = resolve(
        at_war({**hidden, "type": kind}), dice, action="afterwards", side="british", won=True, success=True
    )
    assert "rep" not in names(played)


@pytest.mark.rule("MM-124", "MM-171")
def test_a_house_that_the_enemy_holds_is_charged_and_not_walked_into() -> None:
    foe = unit("foe", "french", number=3, at=(900, 575), facing=180, state={"in_building": "house"})
    us = unit("us", "british", number=5, leader=1, at=(900, 487.5))
    with pytest.raises(ActionRefused, match="foe holds house: it has to be charged"):
        resolve(game(us, foe, terrain=[house()]), action="enter", unit="us", building="house")
    gone = {**foe, "figures": [], "state": {**foe["state"], "runaway": True}}
    played = resolve(game(us, gone, terrain=[house()]), action="enter", unit="us", building="house")
    assert after(played, "us")["state"]["in_building"] == "house"


@pytest.mark.rule("MM-140", "MM-171")
def test_who_drives_one_garrison_of_two_out_is_not_in_the_house_with_the_other() -> None:
    us = unit("us", "british", at=(900, 350), formation="formed-line")
    foe = unit("foe", "french", number=3, at=(900, 575), facing=180, rep=2, state={"in_building": "house"})
    mate = unit("mate", "french", number=3, at=(900, 620), facing=180, state={"in_building": "house"})
    scene = game(us, foe, mate, terrain=[house()])
    played = resolve(scene, [1, 1, 1, 1, 6, 6, 6], action="charge", unit="us", target="foe")
    assert after(played, "foe")["state"]["runaway"] is True
    assert after(played, "us")["state"].get("in_building") is None


@pytest.mark.rule("MM-198", "MM-246", "MM-26")
@pytest.mark.parametrize("was", ["square", "unformed"])
def test_a_line_regiment_comes_to_the_next_encounter_in_line_whatever_the_last_one_left_it_in(was: str) -> None:
    scene = at_war(unit("u", "british", formation=was, state={"retiring": was == "unformed"}))
    month = resolve(scene, action="next-month")
    assert after(month, "u")["formation"] == "formed-line"
    spots = [one["x_mm"] for one in after(month, "u")["figures"]]
    assert [round(b - a, 6) for a, b in pairwise(spots)] == [25.0] * 9


@pytest.mark.rule("MM-234", "MM-239", "MM-199")
def test_who_misses_the_month_has_no_building_in_it() -> None:
    rests = unit("rests", "british", state={"misses_month": True})
    scene = at_war(unit("u", "british"), rests, territory="controlling", investment_level=3)
    scene["conditions"]["campaign"]["french"] |= {"territory": "contesting", "investment_level": 3}
    month = resolve(scene, action="next-month")["game"]
    dice = [1, 3, 1, 6]  # the opponent, the ground, the light, fine weather
    met = resolve(month, dice, action="encounter", encounter="raid-defend", keep_investment=True)
    assert event(met, "encounter")["structures"] == 1


@pytest.mark.rule("MM-198", "MM-32")
def test_a_mounted_major_and_the_army_s_own_bases_are_those_of_the_next_month() -> None:
    major = unit("major", "british", type="leader", number=1, leader=1, at=(300, 300), mounted=True,
                 state={"mounted": True}, stats={"rank": "major"})  # fmt: skip
    small = unit("u", "british")
    for one in small["figures"]:
        one["base"] = {"shape": "round", "diameter_mm": 20.0}
    month = resolve(at_war(major, small), action="next-month")
    assert after(month, "major")["state"]["mounted"] is True
    assert after(month, "major")["figures"][0]["mounted"] is True
    assert {one["base"]["diameter_mm"] for one in after(month, "u")["figures"]} == {20.0}


@pytest.mark.rule("MM-198")
def test_a_man_with_another_weapon_and_a_gun_on_its_own_base_are_those_of_the_next_month() -> None:
    mixed, battery = unit("u", "british"), gun("g", "british", at=(600, 300))
    mixed["figures"][3]["weapon"] = "rifle"
    piece = next(one for one in battery["figures"] if one["role"] == "gun")
    piece["base"] = {"shape": "rect", "width_mm": 50.0, "depth_mm": 80.0}
    month = resolve(at_war(mixed, battery), action="next-month")
    carried = [one.get("weapon") for one in after(month, "u")["figures"]]
    assert sorted(one for one in carried if one is not None) == ["rifle"]
    assert next(one for one in after(month, "g")["figures"] if one["role"] == "gun")["base"] == piece["base"]


@pytest.mark.rule("MM-166", "MM-261")
@pytest.mark.parametrize("enough", [True, False])
def test_who_comes_to_a_side_that_is_leaving_leaves_with_it(enough: bool) -> None:
    us = unit("us", "british", at=(300, 100), state={"had_enough": enough})
    scene = at_war(us, unit("foe", "french", at=(900, 1100), facing=180), investment_level=3)
    # the dice of the turn add to 7: the British are reinforced; two passed, the table, the entry
    played = resolve(scene, [4, 3, 1, 1, 1, 3, 1], action="new-turn")
    come = event(played, "arrived")["units"]
    assert [after(played, name)["state"].get("had_enough", False) for name in come] == [enough] * len(come)


@pytest.mark.rule("MM-166", "MM-110", "MM-112")
def test_who_has_had_enough_in_the_midst_of_continuous_fire_loads_and_goes() -> None:
    us = unit("us", "british", at=(900, 300), state={"reload_markers": 1, "firing_at": "foe"})
    scene = game(us, unit("foe", "french", at=(900, 560), facing=180))
    with pytest.raises(ActionRefused, match="continuous fire"):
        resolve(scene, action="reload", unit="us")
    leaving = resolve(scene, action="had-enough", side="british")["game"]
    with pytest.raises(ActionRefused, match="has had enough"):
        resolve(leaving, action="fire", unit="us", target="foe")
    loaded = resolve(leaving, action="reload", unit="us")
    fresh = resolve(loaded["game"], [1, 2], action="new-turn")["game"]
    assert event(resolve(fresh, action="march", unit="us", to=[900, 150], facing_deg=180), "marched")
