"""Where the program's troops would go, as ``ask`` shows it for the map, and where their dice then lead them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.records.game import game_from
from engine.rulesets.muskets_mohawks import RULESET
from tests.engine.muskets_mohawks.playing import Plain, after, game, gun, resolve, unit, wood


def field(*units: Plain, terrain: Sequence[Plain] = ()) -> Plain:
    return game(*units, terrain=terrain, evening={"play": "solo"}, player_side="british")


def plans(scene: Plain, name: str) -> list[Plain]:
    told: list[Plain] = RULESET.ask(game_from(scene, "the scene"), [name]).units[0].extra["tactics"]["results"]
    return told


def stands(result: Plain, name: str) -> tuple[float, float]:
    """The middle of a unit's men in the game after an action."""
    men = [one for one in after(result, name)["figures"] if one["role"] != "gun"]
    return sum(one["x_mm"] for one in men) / len(men), sum(one["y_mm"] for one in men) / len(men)


@pytest.mark.rule("MM-230", "MM-227")
@pytest.mark.parametrize(("die", "flank"), [(3, "left"), (4, "right")])
def test_who_goes_round_a_flank_is_shown_both_ways_and_takes_the_one_of_its_die(die: int, flank: str) -> None:
    first = unit("first", "french", number=6, at=(500, 1000), facing=180)
    second = unit("second", "french", number=6, at=(1300, 1000), facing=180, state={"tactics": "defend"})
    scene = field(unit("br", "british", number=4, at=(900, 600)), first, second)
    shown = {one["side"]: one for one in plans(scene, "second") if "side" in one}
    assert {flank: one["die"] for flank, one in shown.items()} == {
        "left": "2 passed, then 1 to 3", "right": "2 passed, then 4 to 6",
    }  # fmt: skip
    played = resolve(scene, [1, 1, 6, die], action="np-play", unit="second")
    assert stands(played, "second") == pytest.approx(shown[flank]["to_mm"])


@pytest.mark.rule("MM-230", "MM-227")
def test_the_first_half_of_those_who_split_is_shown_its_way_to_cover() -> None:
    gully = {"id": "g", "kind": "gully", "polygon_mm": [[200, 1060], [800, 1060], [800, 1140], [200, 1140]]}
    first = unit("first", "french", number=6, at=(500, 1000), facing=180, state={"tactics": "defend"})
    second = unit("second", "french", number=6, at=(1300, 1000), facing=180)
    scene = field(unit("br", "british", number=4, at=(900, 600)), first, second, terrain=[gully])
    (both,) = [one for one in plans(scene, "first") if one.get("die") == "2 passed"]
    assert both["result"] == "cover-and-fire"
    played = resolve(scene, [1, 1, 6, 1], action="np-play", unit="first")
    assert stands(played, "first") == pytest.approx(both["to_mm"])


@pytest.mark.rule("MM-229", "muskets-mohawks R-35")
def test_a_crew_away_from_its_gun_is_shown_its_way_back_to_it() -> None:
    crew = gun("np", "french", at=(900, 1000), state={"left_gun": True, "tactics": "attack"})
    for man in crew["figures"][1:]:
        man["y_mm"] -= 100
    scene = field(unit("br", "british", at=(900, 100)), crew)
    halts = next(one for one in plans(scene, "np") if one["die"] == "1 passed")
    played = resolve(scene, [1, 6], action="np-play", unit="np")
    assert stands(played, "np") == pytest.approx(halts["to_mm"])


@pytest.mark.rule("MM-191", "MM-229")
def test_the_way_that_is_shown_ends_at_the_waters_edge() -> None:
    creek = {"id": "c", "kind": "creek", "polygon_mm": [[0, 850], [1828, 850], [1828, 900], [0, 900]]}
    scene = field(
        unit("br", "british", at=(900, 100)),
        unit("np", "french", at=(900, 1000), facing=180, state={"tactics": "attack"}), terrain=[creek],
    )  # fmt: skip
    (goes,) = [one for one in plans(scene, "np") if one["result"] == "advance"]
    assert goes["to_mm"][1] > 900
    played = resolve(scene, [1, 1], action="np-play", unit="np")
    assert stands(played, "np") == pytest.approx(goes["to_mm"])


@pytest.mark.rule("MM-228", "MM-50", "MM-111", "MM-66")
@pytest.mark.parametrize(
    "state", [{"prone": True}, {"reload_markers": 1}, {"retiring": True, "last_retire_mm": 200}]
)
def test_no_way_is_shown_for_whom_something_keeps_where_it_is(state: Plain) -> None:
    withdraws = unit("np", "french", at=(900, 700), facing=180, state={"tactics": "withdraw", **state})
    scene = field(unit("br", "british", at=(900, 100)), withdraws)
    assert all("to_mm" not in one for one in plans(scene, "np"))


@pytest.mark.rule("MM-228")
def test_scouts_that_have_met_nobody_are_shown_what_their_dice_will_say() -> None:
    scouts = unit("np", "french", at=(900, 700), facing=180, state={"tactics": "scout"})
    scene = field(unit("br", "british", at=(900, 100)), scouts)
    assert [(one["die"], one["result"]) for one in plans(scene, "np")] == [
        ("2 passed", "defend-then-scout"), ("1 passed", "defend-then-withdraw"), ("0 passed", "withdraw"),
    ]  # fmt: skip
    scene["conditions"]["campaign"] = {"french": {"investment_level": 3}}
    gone = resolve(resolve(scene, [6, 6], action="np-scout", side="french")["game"], action="np-play", unit="np")
    assert stands(gone, "np") == pytest.approx(plans(scene, "np")[2]["to_mm"])


HOUSE = wood("house", 800, 800, 1000, 950, "building", door_mm=[900, 800], length_in=20)


@pytest.mark.rule("MM-171", "MM-44", "MM-229")
@pytest.mark.parametrize(("tactics", "dice"), [("attack", [1, 1]), ("withdraw", [])])
def test_who_has_just_gone_into_a_house_stays_there_and_comes_out_in_its_next_activation(
    tactics: str, dice: list[int]
) -> None:
    men = unit("np", "french", type="indian", number=5, at=(900, 787.5), state={"tactics": tactics})
    scene = field(unit("br", "british", at=(900, 100)), men, terrain=[HOUSE])
    inside = resolve(scene, action="enter", unit="np", building="house")["game"]
    assert all("to_mm" not in one for one in plans(inside, "np") if one["result"] != "retire")
    stays = resolve(inside, dice, action="np-play", unit="np")
    assert after(stays, "np")["state"]["in_building"] == "house"
    assert after(stays, "np")["state"]["activated"] is True
    fresh = resolve(stays["game"], [1, 2], action="new-turn")["game"]
    assert after(resolve(fresh, dice, action="np-play", unit="np"), "np")["state"]["in_building"] is None


@pytest.mark.rule("MM-171", "MM-56", "MM-229")
def test_who_retires_out_of_a_house_is_shown_where_to() -> None:
    men = unit("np", "french", type="indian", number=4, at=(900, 875), facing=180,
               state={"tactics": "attack", "in_building": "house"})  # fmt: skip
    scene = field(unit("br", "british", at=(900, 100)), men, terrain=[HOUSE])
    (back,) = [one for one in plans(scene, "np") if one["result"] == "retire"]
    assert stands(resolve(scene, [6, 6], action="np-play", unit="np"), "np") == pytest.approx(back["to_mm"])
