"""What one turn leaves to the next: water, works, guns left, markers, and troops that nobody plays."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks.procedures.movement.defences import defended
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, gun, names, resolve, unit, wood

#: Two inches of water across the table, its near bank 90 mm from the bases of a unit at 300 mm.
CREEK = wood("creek", 0, 402.5, 1828, 453.3, "creek")


def march(scene: Plain, to: float, name: str = "foot") -> Plain:
    played: Plain = resolve(scene, action="march", unit=name, to=[900, to])["game"]
    return played


def next_turn(scene: Plain) -> Plain:
    played: Plain = resolve(scene, [1, 2], action="new-turn")["game"]
    return played


def state_in(scene: Plain, name: str) -> Plain:
    found: Plain = next(one["state"] for one in scene["units"] if one["id"] == name)
    return found


@pytest.mark.rule("MM-191")
def test_a_creek_is_crossed_in_three_activations_to_its_edge_into_it_and_out() -> None:
    scene = game(unit("foot", "british", at=(900, 300)), terrain=[CREEK])
    with pytest.raises(ActionRefused, match="leads to the water's edge"):
        march(scene, 430)
    at_edge = march(scene, 385)
    assert state_in(at_edge, "foot")["at_edge_since"] == "edge"
    with pytest.raises(ActionRefused, match="leads to the water's edge"):
        march(at_edge, 430)  # not in the same activation
    with pytest.raises(ActionRefused, match="one activation leads into the water"):
        march(next_turn(at_edge), 500)
    inside = march(next_turn(at_edge), 430)
    assert state_in(inside, "foot")["at_edge_since"] == "inside"
    with pytest.raises(ActionRefused, match="out of it in its next activation"):
        march(inside, 500)
    out = march(next_turn(inside), 560)
    assert state_in(out, "foot")["at_edge_since"] is None


@pytest.mark.rule("MM-191")
def test_a_line_that_goes_into_a_creek_is_unformed_and_a_bridge_is_gone_over_dry() -> None:
    line = unit(
        "foot", "british", number=4, at=(900, 385), formation="formed-line", state={"at_edge_since": "edge"}
    )
    wet = resolve(game(line, terrain=[CREEK]), action="march", unit="foot", to=[900, 430])
    assert after(wet, "foot")["formation"] == "unformed"
    bridge = wood("bridge", 800, 390, 1000, 470, "bridge")
    file = unit("foot", "british", number=4, at=(900, 385), formation="formed-line")
    over = resolve(game(file, terrain=[CREEK, bridge]), action="march", unit="foot", to=[900, 500])
    assert after(over, "foot")["formation"] == "formed-line"


@pytest.mark.rule("MM-191", "MM-56")
def test_who_retires_from_the_bank_comes_to_it_again_before_going_in() -> None:
    at_bank = unit("foot", "british", at=(900, 385), state={"at_edge_since": "edge"})
    foe = unit("foe", "french", at=(900, 700), facing=180)
    scene = game(at_bank, foe, terrain=[CREEK])
    fled = resolve(scene, [6, 6], action="reaction", unit="foot", tests=["received-fire"], cause="foe")
    assert after(fled, "foot")["state"]["retiring"] is True
    assert after(fled, "foot")["state"]["at_edge_since"] is None


@pytest.mark.rule("MM-191", "MM-229")
def test_troops_that_nobody_plays_stop_at_the_water_too() -> None:
    foe = unit("foe", "british", at=(900, 1100))
    theirs = unit("np", "french", at=(900, 340), state={"tactics": "attack"})
    played = resolve(game(theirs, foe, terrain=[CREEK], active="french"), [1, 1], action="np-play", unit="np")
    assert event(played, "np-plays")["moved_mm"] == pytest.approx(402.5 - 340, abs=5.01)
    assert after(played, "np")["state"]["at_edge_since"] == "edge"
    scene = {**next_turn(played["game"]), "turn": {"number": 4, "active_side": "french"}}
    again = resolve(scene, [1, 1], action="np-play", unit="np")
    assert after(again, "np")["state"]["at_edge_since"] == "inside"


@pytest.mark.rule("muskets-mohawks R-32", "MM-155")
@pytest.mark.parametrize(("y", "holds"), [(470, True), (430, False)])
def test_who_is_moved_away_from_the_works_by_hand_defends_them_no_more(y: float, holds: bool) -> None:
    works = wood("works", 700, 500, 1100, 520, "fieldworks")
    scene = game(
        unit("us", "british", at=(900, y), state={"behind": "works"}), unit("foe", "french", at=(900, 600)),
        terrain=[works],
    )  # fmt: skip
    ready = game_from(scene, "the scene")
    assert defended(ready, ready.unit("us"), ready.unit("foe").figures) == ("works" if holds else None)


@pytest.mark.rule("muskets-mohawks R-35")
def test_a_crew_that_walks_leaves_its_gun_where_it_is_and_serves_it_again_once_back() -> None:
    crew = gun("g", "british", at=(900, 500), state={"left_gun": True})
    for one in crew["figures"][1:]:
        one["y_mm"] = 300.0
    played = resolve(game(crew), action="march", unit="g", to=[900, 350])
    moved = after(played, "g")
    assert [one["y_mm"] for one in moved["figures"]] == [500.0] + [350.0] * 5
    assert moved["state"]["left_gun"] is True
    back = resolve(played["game"], action="march", unit="g", to=[900, 440])
    assert after(back, "g")["state"]["left_gun"] is False


def theirs(**state: Any) -> Plain:
    return unit("np", "french", at=(900, 1000), facing=180, state={"tactics": "attack", **state})


def far_off(np: Plain, *more: Plain) -> Plain:
    return game(unit("foe", "british", at=(900, 100)), np, active="french", terrain=more)


@pytest.mark.rule("MM-111", "MM-112", "MM-229")
@pytest.mark.parametrize("tactics", ["attack", "withdraw"])
def test_who_may_not_move_for_its_markers_loads_instead_of_standing_for_ever(tactics: str) -> None:
    dice = [1, 1] if tactics == "attack" else []
    played = resolve(far_off(theirs(tactics=tactics, reload_markers=1)), dice, action="np-play", unit="np")
    assert event(played, "reload")["removed"] == 1
    assert after(played, "np")["state"]["reload_markers"] == 0
    assert after(played, "np")["state"]["activated"] is True
    moves = resolve(next_turn(played["game"]), dice, action="np-play", unit="np")
    assert event(moves, "np-plays")["moved_mm"] == pytest.approx(8 * INCH)


@pytest.mark.rule("MM-123", "MM-229")
@pytest.mark.parametrize("orders", [[1, 1], [1, 6]])
def test_a_gun_that_nobody_plays_loads_after_its_shot(orders: list[int]) -> None:
    piece = gun("np", "french", at=(900, 600), state={"tactics": "attack", "reload_markers": 2})
    played = resolve(far_off(piece), [*orders, 3], action="np-play", unit="np")
    assert after(played, "np")["state"]["reload_markers"] == 1


@pytest.mark.rule("MM-50", "MM-229")
def test_who_is_to_go_forward_stands_up_first() -> None:
    played = resolve(far_off(theirs(prone=True)), [1, 1], action="np-play", unit="np")
    assert names(played) == ["np-order", "stand", "np-done"]
    assert after(played, "np")["state"]["prone"] is False
    assert (
        event(resolve(next_turn(played["game"]), [1, 1], action="np-play", unit="np"), "np-plays")["moved_mm"] > 0
    )


@pytest.mark.rule("MM-67", "MM-229")
def test_who_is_to_take_trophies_does_so_whatever_its_orders() -> None:
    braves = {**theirs(taking_trophies=True, won_melee=True), "type": "indian"}
    played = resolve(far_off(braves), action="np-play", unit="np")
    assert names(played) == ["trophy"]
    assert after(played, "np")["stats"]["rep"] == 5


@pytest.mark.rule("MM-171", "MM-178")
@pytest.mark.parametrize(("burning", "dice"), [(0, [1, 1]), (12, [])])
def test_they_come_out_of_a_house_to_go_on_or_when_it_burns(burning: int, dice: list[int]) -> None:
    house = wood("house", 800, 950, 1000, 1050, "building", door_mm=[900, 950], length_in=20, fire_in=burning)
    inside = unit("np", "french", number=4, at=(900, 1000), state={"tactics": "attack", "in_building": "house"})
    played = resolve(far_off(inside, house), dice, action="np-play", unit="np")
    assert event(played, "left-building")["building"] == "house"
    assert after(played, "np")["state"]["activated"] is True
    assert after(played, "np")["state"]["in_building"] is None


@pytest.mark.rule("muskets-mohawks R-35", "MM-229")
def test_a_crew_that_nobody_plays_goes_back_to_its_gun() -> None:
    crew = gun("np", "french", at=(900, 800), state={"tactics": "attack", "left_gun": True})
    for one in crew["figures"][1:]:
        one["y_mm"] = 1000.0
    played = resolve(far_off(crew), [1, 1], action="np-play", unit="np")
    assert after(played, "np")["figures"][0]["y_mm"] == 800.0
    assert after(played, "np")["state"]["left_gun"] is False


@pytest.mark.rule("MM-44", "MM-81")
@pytest.mark.parametrize(("dice", "formation"), [([1, 1], "formed-line"), ([6, 6], "unformed")])
def test_a_line_that_goes_straight_back_tests_whether_it_keeps_its_line(dice: list[int], formation: str) -> None:
    line = unit("foot", "british", number=4, at=(900, 300), formation="formed-line")
    played = resolve(game(line), dice, action="march", unit="foot", to=[900, 200])
    assert after(played, "foot")["formation"] == formation
    assert after(played, "foot")["state"]["activated"] is True
    assert {one["y_mm"] for one in after(played, "foot")["figures"]} == {200.0}


@pytest.mark.rule("MM-163")
def test_nobody_breaks_off_into_a_lake() -> None:
    us = unit("us", "british", at=(900, 300), state={"in_melee": ["foe"], "melee_round": 1})
    foe = unit("foe", "french", at=(900, 325), facing=180, state={"in_melee": ["us"], "melee_round": 1})
    lake = wood("lake", 0, 50, 1828, 220, "lake")
    played = resolve(game(us, foe, terrain=[lake]), [6, 1], action="break-off", unit="us", enemy="foe")
    assert 75 <= event(played, "break-off")["distance_mm"] <= 80
    assert min(one["y_mm"] for one in after(played, "us")["figures"]) >= 220


@pytest.mark.rule("MM-228")
@pytest.mark.parametrize(("dice", "then"), [([1, 1], "scout"), ([1, 6], "withdraw")])
def test_scouts_who_stood_to_fight_and_were_beaten_away_scout_again_or_go_home(dice: list[int], then: str) -> None:
    levels = {"french": {"army": "french", "investment_level": 3}}
    scouts = unit("np", "french", at=(900, 700), facing=180, state={"tactics": "scout"})
    scene = game(unit("foe", "british", at=(900, 300)), scouts, active="french", campaign=levels)
    met = resolve(scene, dice, action="np-scout", side="french")
    assert after(met, "np")["state"]["tactics"] == "defend"
    shot = resolve(met["game"], [6, 6], action="reaction", unit="np", tests=["received-fire"], cause="foe")
    assert after(shot, "np")["state"]["retiring"] is True
    rallied = resolve(shot["game"], [1, 1], action="np-play", unit="np")
    assert event(rallied, "np-beaten")["tactics"] == then
    assert after(rallied, "np")["state"]["tactics"] == then
