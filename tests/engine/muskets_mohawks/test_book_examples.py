"""The worked examples of the book (pages 12 to 18), with the book's own dice."""

from __future__ import annotations

import pytest

from tests.engine.muskets_mohawks.playing import INCH, after, event, game, gun, names, resolve, unit

EIGHT_INCHES_AWAY = 300 + 25 + 8 * INCH


@pytest.mark.rule("MM-139", "MM-142", "MM-125", "MM-128", "MM-130", "MM-134")
def test_page_17_indians_come_round_the_bend_and_charge_the_french() -> None:
    indians = unit("indians", "british", type="indian", state={"moved_mm": 4 * INCH})
    french = unit(
        "french", "french", rep=3, formation="formed-line", at=(900, EIGHT_INCHES_AWAY), facing=180, leader=1
    )
    volley = [1, 1, 2, 3, 4, 5, 6, 2, 3, 4]
    dice = [2, 3, 5, 1, 4, 5, *volley, 2, 2, 2, 2]
    played = resolve(game(indians, french), dice, action="charge", unit="indians", target="french")
    assert event(played, "advance")["distance_mm"] == pytest.approx(2 * INCH, abs=0.5)
    charge = event(played, "charge")
    assert (charge["charger_passed"], charge["target_passed"], charge["difference"]) == (2, 1, 1)
    assert charge["result"] == "melee"
    assert (event(played, "fired")["mode"], event(played, "hit")["casualties"]) == ("volley", 2)
    assert "reaction" not in names(played)
    assert len(after(played, "indians")["figures"]) == 8
    assert after(played, "indians")["state"]["in_melee"] == ["french"]
    assert after(played, "french")["state"]["in_melee"] == ["indians"]


@pytest.mark.rule("MM-149", "MM-150", "MM-151", "MM-152", "MM-156", "MM-160")
def test_page_18_eight_indians_fight_ten_french() -> None:
    indians = unit(
        "indians", "british", type="indian", number=8, state={"in_melee": ["french"], "start_strength": 10}
    )
    french = unit(
        "french", "french", rep=3, formation="formed-line", at=(900, 325), facing=180,
        state={"in_melee": ["indians"]},
    )  # fmt: skip
    fight = [1, 2, 2, 3, 4, 6, 1, 2, 4, 5, 6, 6]
    checks, tests = [3, 3, 3, 3, 3, 3, 3, 3], [1, 2, 1, 2]
    played = resolve(
        game(indians, french), [*fight, *checks, *tests], action="melee", unit="indians", enemy="french"
    )
    melee = event(played, "melee")
    assert (melee["unit_dice"], melee["enemy_dice"]) == (6, 6)
    assert (melee["unit_successes"], melee["enemy_successes"]) == (4, 2)
    assert (melee["unit_casualties"], melee["enemy_casualties"]) == (1, 3)
    assert [one["unit"] for one in played["events"] if one["event"] == "reaction"] == ["indians", "french"]
    assert (len(after(played, "indians")["figures"]), len(after(played, "french")["figures"])) == (7, 7)
    for name in ("indians", "french"):
        assert after(played, name)["state"]["melee_round"] == 1
        assert after(played, name)["state"]["meleed"] is True


@pytest.mark.rule("MM-119")
def test_page_15_canister_at_six_of_ten_figures_fells_the_three_nearest() -> None:
    mob = unit("irregulars", "french", type="irregular", number=10, formation="mob", at=(900, 500), facing=180)
    for place, figure in enumerate(mob["figures"]):
        # Six in the strip 4 in wide, in two ranks; four beside it.
        figure["x_mm"] = (
            900 + (place - 1) * 25 if place < 3 else 900 + (place - 4) * 25 if place < 6 else 1000 + place
        )
        figure["y_mm"] = 450 if place < 3 else 475 if place < 6 else 475 + place
    for figure in mob["figures"]:
        figure["role"] = "rank"
    scene = game(gun("gun", "british", at=(900, 200)), mob)
    dice = [1, 2, 2, 3, 4, 5, 1, 1]
    played = resolve(scene, dice, action="fire-canister", unit="gun", target="irregulars")
    assert (event(played, "fired")["dice"], event(played, "fired")["hits"]) == (6, 3)
    assert sorted(event(played, "hit")["figures"]) == ["irregulars-1", "irregulars-2", "irregulars-3"]
    assert after(played, "gun")["state"]["reload_markers"] == 2
    assert "firing_at" not in after(played, "gun")["state"]


@pytest.mark.rule("MM-65", "MM-68")
def test_page_12_two_indians_fall_one_of_them_the_leader_and_the_worst_test_holds() -> None:
    british = unit("british", "british", formation="formed-line", rep=4)
    indians = unit("indians", "french", type="indian", at=(900, 600), facing=180)
    volley = [1, 1, 2, 3, 4, 5, 6, 2, 3, 4]
    # The first casualty is the Leader (11), so the second asks for no check. One die of two passes:
    # seek cover, runaway (the Leader is lost) and retire; the worst holds.
    played = resolve(game(british, indians), [*volley, 5, 6, 2, 5], action="fire", unit="british", target="indians")
    seen = event(played, "reaction")
    assert seen["tests"] == ["received-fire", "received-casualty", "leader-lost"]
    assert (seen["passed"], seen["result"]) == (1, "runaway")


@pytest.mark.rule("MM-96", "MM-102", "MM-110")
def test_page_15_the_second_round_of_the_french_line_is_at_will() -> None:
    french = unit("french", "british", formation="formed-line")
    mob = unit("irregulars", "french", type="irregular", rep=3, formation="mob", at=(900, 600), facing=180)
    first = resolve(game(french, mob), [2] * 12 + [1, 1], action="fire", unit="french", target="irregulars")
    assert event(first, "fired")["mode"] == "volley"
    scene = first["game"]
    turned = resolve(scene, [1, 2], action="new-turn")
    again = resolve(turned["game"], [2] * 6 + [1, 1], action="fire", unit="french", target="irregulars")
    assert (event(again, "fired")["mode"], event(again, "fired")["dice"]) == ("at-will", 6)
    assert after(again, "french")["state"]["reload_markers"] == 1


@pytest.mark.rule("MM-148", "MM-140")
def test_page_17_rangers_go_on_to_a_second_enemy_when_the_first_runs() -> None:
    rangers = unit("rangers", "british", type="irregular", number=5, rep=5)
    indians = unit("indians", "french", type="indian", number=5, at=(900, 300 + 25 + 7 * INCH), facing=180, rep=2)
    regulars = unit("regulars", "french", number=5, at=(900, 300 + 25 + 14 * INCH), facing=180, rep=3)
    played = resolve(
        game(rangers, indians, regulars), [1, 1, 1, 6, 6], action="charge", unit="rangers", target="indians"
    )
    assert event(played, "charge")["result"] == "target-runs-away"
    assert after(played, "indians")["state"]["runaway"] is True
    moved = after(played, "rangers")["state"]["moved_mm"]
    assert moved == pytest.approx(1 * INCH, abs=0.5)
    assert after(played, "rangers")["state"]["activated"] is False
    second = resolve(played["game"], [1, 6, 6, 6, 6, 2, 2, 2], action="charge", unit="rangers", target="regulars")
    assert (event(second, "charge")["difference"], event(second, "fired")["mode"]) == (1, "at-will")
