"""Firing: dice, hits, markers, who falls, Leader checks, weather, and the test that follows."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, DiceError, UnknownAction, UnusableFile
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, names, resolve, unit, wood

STEADY = [1, 1]


def line(name: str = "s", **more: Any) -> Plain:
    return unit(name, "british", **{"formation": "formed-line", "at": (900, 300), **more})


def foe(name: str = "t", **more: Any) -> Plain:
    return unit(name, "french", **{"facing": 180, "at": (900, 600), "leader": None, **more})


@pytest.mark.rule("MM-95", "MM-98", "MM-63", "MM-64", "MM-06")
def test_a_volley_rolls_a_die_a_figure_and_places_a_marker() -> None:
    played = resolve(
        game(line(), foe()), [1, 1, 2, 3, 4, 5, 6, 2, 3, 4, *STEADY], action="fire", unit="s", target="t"
    )
    fired = event(played, "fired")
    assert (fired["mode"], fired["dice"], fired["misfires"], fired["hits"], fired["casualties"]) == (
        "volley", 10, 0, 2, 2,
    )  # fmt: skip
    state = after(played, "s")["state"]
    assert (state["reload_markers"], state["firing_at"], state["activated"]) == (1, "t", True)
    assert state["scored_casualty"] is True
    assert names(played) == ["fired", "hit", "reaction"]
    assert event(played, "reaction")["tests"] == ["received-fire", "received-casualty"]


@pytest.mark.rule("MM-63", "MM-115")
def test_a_miss_still_tests_received_fire_alone() -> None:
    played = resolve(game(line(), foe()), [2] * 10 + STEADY, action="fire", unit="s", target="t")
    assert names(played) == ["fired", "reaction"]
    assert event(played, "reaction")["tests"] == ["received-fire"]
    assert "scored_casualty" not in after(played, "s")["state"]


@pytest.mark.rule("MM-96", "MM-112")
@pytest.mark.parametrize(
    ("weapon", "before", "after_it"),
    [
        ("musket", 0, 1),
        ("musket", 1, 1),
        ("rifle", 0, 2),
        ("rifle", 1, 2),
        ("rifle", 2, 2),
        ("bow", 0, 0),
        ("pistol", 0, 1),
    ],
)
def test_fire_at_will_leaves_the_markers_of_the_weapon(weapon: str, before: int, after_it: int) -> None:
    shooter = line(formation="unformed", weapon=weapon, type="irregular", state={"reload_markers": before})
    target = foe(at=(900, 300 + 25 + 6 * INCH))
    dice = [2] * (3 if weapon == "bow" else 4)
    played = resolve(game(shooter, target), [*dice, *STEADY], action="fire", unit="s", target="t", mode="at-will")
    assert after(played, "s")["state"]["reload_markers"] == after_it
    assert event(played, "fired")["dice"] == len(dice)


@pytest.mark.rule("MM-96", "MM-109")
def test_fire_at_will_fells_no_more_than_there_are_shooters() -> None:
    shooter = line(number=1, formation="unformed", type="irregular")
    played = resolve(
        game(shooter, foe(formation="formed-line")), [1, 1, 1, 1, 1, 1, 1, 1], action="fire", unit="s", target="t"
    )
    assert (event(played, "fired")["hits"], event(played, "fired")["casualties"]) == (6, 1)


@pytest.mark.rule("R-09", "MM-109")
@pytest.mark.parametrize(("options", "casualties"), [({}, 2), ({"cap_to_seen": False}, 4)])
def test_no_more_fall_than_are_seen_unless_the_players_say_so(options: dict[str, bool], casualties: int) -> None:
    # Two of the four are hidden deep in a wood; thirteen dice for ten figures that fire at two.
    target = foe(number=4, at=(900, 600), state={"start_strength": 4})
    scene = game(line(), target, terrain=[wood("w", 890, 500, 1300, 700)], options=options)
    test = [6] if casualties == 2 else []
    played = resolve(scene, [1] * 13 + test, action="fire", unit="s", target="t")
    assert event(played, "fired")["casualties"] == casualties


@pytest.mark.rule("MM-106", "MM-109")
@pytest.mark.parametrize(("ones", "casualties"), [(1, 1), (6, 3), (7, 4)])
def test_cover_halves_the_hits_rounded_up(ones: int, casualties: int) -> None:
    scene = game(line(), foe(), terrain=[wood("w", 500, 580, 1300, 620)])
    dice = [1] * ones + [2] * (10 - ones)
    played = resolve(scene, [*dice, 1, 1, *([1] if casualties < 5 else [])], action="fire", unit="s", target="t")
    assert (event(played, "fired")["hits"], event(played, "fired")["casualties"]) == (ones, casualties)


@pytest.mark.rule("MM-108")
@pytest.mark.parametrize(
    ("facing", "casualties"), [(180.0, 1), (90.0, 2), (0.0, 2)], ids=["front", "flank", "rear"]
)
def test_fire_into_flank_or_rear_doubles_the_hits(facing: float, casualties: int) -> None:
    target = foe(number=5, facing=facing)
    dice = [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]
    played = resolve(game(line(), target), [*dice, 1, 1], action="fire", unit="s", target="t")
    assert event(played, "fired")["casualties"] == casualties


@pytest.mark.rule("MM-115")
def test_the_nearest_figures_fall_and_the_leader_last() -> None:
    target = foe(number=4, leader=2, leader_rep=4)
    for figure, y in zip(target["figures"], (640, 600, 620, 660), strict=True):
        figure["y_mm"] = y
    dice = [1, 1, 1] + [2] * 9
    played = resolve(game(line(), target), [*dice, 1, 1, 1, 1, 1, 1, 1, 1], action="fire", unit="s", target="t")
    hit = event(played, "hit")
    assert hit["figures"] == ["t-3", "t-1", "t-4"]
    assert [figure["id"] for figure in after(played, "t")["figures"]] == ["t-2"]


@pytest.mark.rule("MM-116", "MM-65")
@pytest.mark.parametrize(
    ("total", "mounted", "result"),
    [([5, 5], False, "unharmed"), ([5, 6], False, "hit"), ([4, 5], True, "unharmed"), ([4, 6], True, "hit")],
)
def test_a_leader_falls_at_eleven_on_foot_and_at_ten_on_horseback(
    total: list[int], mounted: bool, result: str
) -> None:
    target = foe(leader=5)
    target["figures"][4]["mounted"] = mounted
    horse = [4] if mounted and result == "hit" else []
    played = resolve(
        game(line(), target), [1, *[2] * 9, *total, *horse, *STEADY], action="fire", unit="s", target="t"
    )
    assert event(played, "leader-check")["result"] == result
    assert event(played, "leader-check")["total"] == sum(total)
    assert any(f"{10 if mounted else 11} or more hits him" in rolled["for"] for rolled in played["rolls"])
    left = {figure["id"] for figure in after(played, "t")["figures"]}
    assert ("t-5" in left) == (result == "unharmed")
    assert len(left) == 9
    assert ("leader-lost" in event(played, "reaction")["tests"]) == (result == "hit")


@pytest.mark.rule("MM-117", "muskets-mohawks R-26")
def test_a_ball_in_the_horse_costs_no_figure_but_stuns_the_rider() -> None:
    target = foe(leader=5)
    target["figures"][4]["mounted"] = True
    played = resolve(game(line(), target), [1, *[2] * 9, 4, 6, 3, *STEADY], action="fire", unit="s", target="t")
    assert event(played, "leader-check")["result"] == "horse-hit"
    rider = next(figure for figure in after(played, "t")["figures"] if figure["id"] == "t-5")
    assert (rider["mounted"], rider["status"]) == (False, "stunned")
    assert after(played, "t")["state"]["stunned"] is True
    assert len(after(played, "t")["figures"]) == 10
    assert event(played, "reaction")["tests"] == ["received-fire"]


@pytest.mark.rule("MM-117", "muskets-mohawks R-26")
@pytest.mark.parametrize("said", ["of the Leader alone", "of the unit alone"])
def test_a_leader_whose_horse_was_hit_is_on_foot_in_the_turns_after_it(said: str) -> None:
    target = foe(leader=5, type="cavalry")
    target["figures"][4]["mounted"] = said == "of the Leader alone"
    hit = resolve(game(line(), target), [1, *[2] * 9, 4, 6, 3, *STEADY], action="fire", unit="s", target="t")
    assert event(hit, "leader-check")["result"] == "horse-hit"
    later = resolve(hit["game"], [1, 3], action="new-turn")
    again = resolve(later["game"], [1, 2, 2, 2, 4, 6, *STEADY], action="fire", unit="s", target="t")
    assert event(again, "leader-check")["total"] == 10
    assert event(again, "leader-check")["result"] == "unharmed"


@pytest.mark.rule("muskets-mohawks R-25")
def test_checks_end_when_the_leader_has_fallen_and_none_are_made_for_a_whole_unit() -> None:
    target = foe(number=3, leader=2)
    dice = [1, 1] + [2] * 11
    # 6+5 fells the Leader on the first check; the second casualty asks for none.
    played = resolve(game(line(), target), [*dice, 6, 5, 1], action="fire", unit="s", target="t")
    assert names(played).count("leader-check") == 1
    assert event(played, "hit")["leader_lost"] is True
    whole = resolve(game(line(), target), [1, 1, 1] + [2] * 10, action="fire", unit="s", target="t")
    assert names(whole) == ["fired", "hit", "destroyed"]
    assert after(whole, "t")["figures"] == []
    assert after(whole, "s")["state"]["firing_at"] is None


@pytest.mark.rule("muskets-mohawks R-25")
def test_an_officer_is_checked_only_when_the_unit_s_leader_is_gone() -> None:
    target = foe(number=5, leader=2)
    target["figures"][0]["role"] = "officer"
    dice = [1, 1] + [2] * 10
    # Leader falls, then the officer is checked and unharmed; three dice of test: an officer is attached.
    played = resolve(game(line(), target), [*dice, 6, 6, 1, 1, 1, 1, 1], action="fire", unit="s", target="t")
    checks = [one["figure"] for one in played["events"] if one["event"] == "leader-check"]
    assert checks == ["t-2", "t-1"]


@pytest.mark.rule("MM-105", "muskets-mohawks R-11")
def test_with_no_dice_the_fire_still_happens() -> None:
    shooter = line(type="mounted-infantry", formation="unformed", rep=2, weapon="carbine", state={"mounted": True})
    target = foe(at=(900, 500))
    played = resolve(game(shooter, target), STEADY, action="fire", unit="s", target="t")
    assert event(played, "fired")["dice"] == 0
    assert after(played, "s")["state"]["reload_markers"] == 1
    assert len(played["rolls"]) == 1


@pytest.mark.rule("MM-113")
@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_in_bad_weather_fives_and_sixes_of_a_first_roll_misfire(level: int) -> None:
    scene = game(line(), foe(), weather="inclement", weather_level=level)
    first, second = [5, 6, 1, 1, 1, 1, 1, 1, 1, 4], [1, 2, 2, 2, 2, 2, 2, 2]
    played = resolve(scene, [*first, *second, *STEADY], action="fire", unit="s", target="t")
    fired = event(played, "fired")
    assert (fired["dice"], fired["misfires"], fired["hits"]) == (10, 2, 1)


@pytest.mark.rule("MM-113", "MM-87")
def test_bows_never_misfire() -> None:
    shooter = line(type="indian", weapon="bow", formation="unformed")
    scene = game(shooter, foe(at=(900, 500)), weather="inclement")
    played = resolve(scene, [1, 2, 2, *STEADY], action="fire", unit="s", target="t")
    assert event(played, "fired")["misfires"] == 0


@pytest.mark.rule("MM-114", "MM-93", "MM-94")
@pytest.mark.parametrize(
    ("state", "conditions", "why"),
    [
        ({"activated": True}, {}, "activated"),
        ({"moved_mm": 10}, {}, "moved"),
        ({"retiring": True}, {}, "retiring"),
        ({}, {"weather": "inclement", "weather_level": 1}, "weather"),
        ({}, {"weather": "inclement", "weather_level": 6}, "weather"),
    ],
)
def test_what_may_not_fire_is_refused_with_the_reason(state: Plain, conditions: dict[str, Any], why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        resolve(game(line(state=state), foe(at=(900, 500)), **conditions), [], action="fire", unit="s", target="t")


def test_the_umpire_may_overrule_and_the_log_says_so() -> None:
    played = resolve(
        game(line(state={"activated": True}), foe()), [2] * 10 + STEADY, action="fire", unit="s", target="t",
        mode="volley", override=True,
    )  # fmt: skip
    assert names(played) == ["overruled", "fired", "reaction"]
    assert event(played, "overruled")["reasons"] == ["already activated this turn"]


@pytest.mark.parametrize(
    ("keys", "error"),
    [
        ({"unit": "s"}, UnknownAction),
        ({"target": "t"}, UnknownAction),
        ({"unit": "s", "target": "nobody"}, UnknownAction),
        ({"unit": "s", "target": "t", "mode": "canister"}, UnknownAction),
        ({"unit": "s", "target": "t", "loud": True}, UnknownAction),
        ({"unit": "s", "target": "s"}, ActionRefused),
    ],
)
def test_wrong_keys_are_named(keys: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        resolve(game(line(), foe()), [], action="fire", **keys)


def test_an_unknown_action_lists_the_known_ones() -> None:
    with pytest.raises(UnusableFile, match="expected one of"):
        resolve(game(line(), foe()), [], action="sing", unit="s")


@pytest.mark.parametrize("dice", [[2] * 10, [2] * 13, [2] * 9 + [7, 1, 1]], ids=["few", "many", "impossible"])
def test_dice_that_do_not_fit_name_the_roll(dice: list[int]) -> None:
    with pytest.raises(DiceError, match=r"s fires at t|t tests"):
        resolve(game(line(), foe()), dice, action="fire", unit="s", target="t")


@pytest.mark.rule("MM-55", "MM-70", "MM-127")
def test_cavalry_that_is_fired_at_may_charge_at_once() -> None:
    horse = foe(type="cavalry", weapon="sword", leader=5)
    volley, passes, charge = [2] * 10, [4, 5], [1, 1, 1, 6, 6]
    played = resolve(game(line(), horse), [*volley, *passes, *charge], action="fire", unit="s", target="t")
    # Three passes against none: the line, which needs to reload, runs.
    assert event(played, "reaction")["result"] == "charge"
    assert event(played, "charge")["result"] == "target-runs-away"
    assert after(played, "s")["state"]["runaway"] is True
    assert "activated" not in after(played, "t")["state"]
