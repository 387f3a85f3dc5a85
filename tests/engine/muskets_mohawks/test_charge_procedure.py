"""The charge: its table row by row, fire in between, horse that does not close, squares, what it leaves."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.errors import ActionRefused
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, gun, names, resolve, unit, wood

MISS = [2, 2, 2, 2]


def charger(**more: Any) -> Plain:
    return unit("c", "british", **{"number": 4, "at": (900, 300), "state": {"start_strength": 4}, **more})


def target(inches: float = 10, **more: Any) -> Plain:
    state = {"start_strength": 4, **more.pop("state", {})}
    where = {"number": 4, "at": (900, 325 + inches * INCH), "facing": 180}
    return unit("t", "french", **{**where, "state": state, **more})


def charge(scene: Plain, dice: list[int], **keys: Any) -> Plain:
    return resolve(scene, dice, action="charge", unit="c", target="t", **keys)


def gap(played: Plain) -> float:
    one, other = (after(played, name)["figures"] for name in ("c", "t"))
    return min(math.dist((a["x_mm"], a["y_mm"]), (b["x_mm"], b["y_mm"])) for a in one for b in other) - 25


ROWS = [
    # charger's dice (unformed irregular: 3d6), target's (unformed: 2d6), fire, result, gap in inches, row
    ([1, 1, 1], [6, 6], [], "target-runs-away", None, "MM-140"),
    ([1, 1, 6], [6, 6], [], "melee", 0, "MM-141"),
    ([1, 1, 1], [1, 6], [], "melee", 0, "MM-141"),
    ([1, 6, 6], [6, 6], MISS, "melee", 0, "MM-142"),
    ([6, 6, 6], [1, 6], MISS, "charger-halts", 6, "MM-144"),
    ([6, 6, 6], [1, 1], MISS, "charger-halts", 6, "MM-144"),
]


@pytest.mark.parametrize(
    ("mine", "theirs", "fire", "result", "inches"),
    [pytest.param(*row[:5], marks=pytest.mark.rule(row[5], "MM-139")) for row in ROWS],
)
def test_the_difference_decides(
    mine: list[int], theirs: list[int], fire: list[int], result: str, inches: float | None
) -> None:
    played = charge(game(charger(type="irregular"), target()), [*mine, *theirs, *fire])
    seen = event(played, "charge")
    assert (seen["charger_passed"], seen["target_passed"]) == (mine.count(1), theirs.count(1))
    assert seen["difference"] == mine.count(1) - theirs.count(1)
    assert (seen["result"], seen["leader_passed"]) == (result, None)
    assert ("fired" in names(played)) == bool(fire)
    assert "reaction" not in names(played)
    if inches is not None:
        assert gap(played) == pytest.approx(inches * INCH, abs=1e-6)
        assert ("contact" in names(played)) == (inches == 0)
    fighting = result == "melee"
    assert after(played, "c")["state"].get("in_melee", []) == (["t"] if fighting else [])
    assert after(played, "t")["state"].get("in_melee", []) == (["c"] if fighting else [])


@pytest.mark.rule("MM-143")
@pytest.mark.parametrize(("leader", "result"), [(4, "melee"), (5, "charger-halts")])
def test_equal_dice_are_settled_by_the_charger_s_leader(leader: int, result: str) -> None:
    played = charge(game(charger(), target()), [1, 6, 1, 6, leader, *MISS])
    assert (event(played, "charge")["leader_passed"], event(played, "charge")["result"]) == (
        int(leader == 4),
        result,
    )


@pytest.mark.rule("MM-143", "MM-33")
def test_without_a_leader_the_tie_is_lost_without_a_die() -> None:
    played = charge(game(charger(leader=None), target()), [1, 6, 1, 6, *MISS])
    assert (event(played, "charge")["leader_passed"], event(played, "charge")["result"]) == (None, "charger-halts")


@pytest.mark.rule("MM-145", "muskets-mohawks R-24", "MM-69")
@pytest.mark.parametrize(
    ("fire", "test", "result"),
    [([2] * 4, [1, 1], "retire"), ([2] * 4, [6, 6], "runaway"), ([1, 2, 2, 2], [1, 1, 1], "retire")],
    ids=["steady", "worse", "hit"],
)
def test_three_below_the_charger_retires_or_worse(fire: list[int], test: list[int], result: str) -> None:
    # Target formed and in numbers: 4d6; the charger, an Irregular, 3d6.
    scene = game(charger(type="irregular"), target(number=8, formation="formed-line", type="grenadier"))
    fire = [2] * 8 if result != "hit" and fire.count(1) == 0 else [1] + [2] * 7
    check = [1, 1] if fire.count(1) else []
    dice = [6, 6, 6, 1, 1, 1, 6, *fire, 2, 2, *check, *test[:2]]
    played = charge(scene, dice)
    assert event(played, "charge")["result"] == "charger-retires"
    assert event(played, "reaction")["result"] == result
    if result == "retire":
        assert after(played, "c")["state"]["retiring"] is True
    else:
        assert after(played, "c")["figures"] == []


@pytest.mark.rule("muskets-mohawks R-24", "MM-146")
def test_a_charger_that_cannot_be_fired_at_retires_without_a_die() -> None:
    scene = game(charger(), target(number=8, formation="formed-line", weapon="none"))
    played = charge(scene, [6, 6, 1, 1, 1, 1])
    assert names(played) == ["advance", "charge", "retire"]


@pytest.mark.rule("MM-146", "MM-107", "muskets-mohawks R-20")
@pytest.mark.parametrize(
    ("state", "mode", "dice"),
    [
        ({}, "volley", 4),
        ({"reload_markers": 1}, "at-will", 4),
        ({"activated": True, "moved_mm": 50.0}, "volley", 4),
    ],
)
def test_the_target_volleys_when_it_could_and_else_fires_at_will_halved(state: Plain, mode: str, dice: int) -> None:
    scene = game(charger(type="irregular"), target(formation="formed-line", state=state))
    theirs = [6, 6] if state.get("reload_markers") else [6, 6, 6]
    checks = [1, 1, 1, 1] if mode == "volley" else [1, 1]
    played = charge(scene, [1, 6, 6, *theirs, 1, 1, 2, 2, *checks])
    fired = event(played, "fired")
    assert (fired["mode"], fired["dice"], fired["hits"]) == (mode, dice, 2)
    assert fired["casualties"] == (2 if mode == "volley" else 1)
    assert after(played, "t")["state"]["reload_markers"] == 1


@pytest.mark.rule("MM-146")
def test_the_target_may_choose_to_fire_at_will() -> None:
    scene = game(charger(type="irregular"), target(formation="formed-line"))
    played = charge(scene, [1, 6, 6, 6, 6, 6, 2, 2, 2, 2], target_mode="at-will")
    assert event(played, "fired")["mode"] == "at-will"


@pytest.mark.rule("MM-146")
@pytest.mark.parametrize("mode", ["canister", "ball"])
def test_men_without_a_gun_do_not_answer_a_charge_with_one(mode: str) -> None:
    scene = game(charger(type="irregular"), target(formation="formed-line"))
    with pytest.raises(ActionRefused, match=f"may fire by volley or at-will, not by {mode}"):
        charge(scene, [], target_mode=mode)


@pytest.mark.rule("MM-247")
def test_who_may_not_form_square_is_told_by_which_row() -> None:
    with pytest.raises(ActionRefused) as refused:
        charge(game(charger(type="irregular"), target(formation="unformed")), [], form_square=True)
    assert "MM-247" in refused.value.rules


@pytest.mark.rule("MM-147", "muskets-mohawks R-23")
@pytest.mark.parametrize(
    ("mine", "theirs", "fires"),
    [([1, 1, 6], [6, 6], False), ([1, 6, 6], [6, 6], True)],
    ids=["two above", "one above"],
)
@pytest.mark.parametrize("kind", ["regular", "civilian", "indian"])
def test_horse_does_not_close_with_standing_foot_but_goes_out_of_musket_range(
    mine: list[int], theirs: list[int], fires: bool, kind: str
) -> None:
    horse = charger(type="cavalry", weapon="sword", at=(900, 500))
    played = charge(game(horse, target(7, type=kind, at=(900, 700))), [*mine, *theirs, *(MISS if fires else [])])
    assert event(played, "charge")["result"] == "cavalry-refuses"
    assert ("fired" in names(played)) == fires
    assert gap(played) == pytest.approx(18.01 * INCH, abs=0.01)
    state = after(played, "c")["state"]
    assert (state["retiring"], after(played, "c")["formation"]) == (True, "unformed")


@pytest.mark.rule("muskets-mohawks R-23", "MM-135", "MM-129")
def test_horse_closes_with_horse() -> None:
    horse, other = charger(type="cavalry", weapon="sword"), target(type="cavalry", weapon="sword")
    played = charge(game(horse, other), [1, 1, 6, 6, 6, 6])
    assert event(played, "charge")["result"] == "melee"


@pytest.mark.rule("MM-140", "MM-148")
def test_the_charger_takes_the_place_of_a_target_that_runs() -> None:
    played = charge(game(charger(type="irregular"), target(10)), [1, 1, 1, 6, 6])
    figures = after(played, "c")["figures"]
    assert sum(f["x_mm"] for f in figures) / 4 == pytest.approx(900)
    assert sum(f["y_mm"] for f in figures) / 4 == pytest.approx(325 + 10 * INCH)
    assert after(played, "t")["state"]["runaway"] is True
    # Nobody else is in reach: the activation is over.
    assert after(played, "c")["state"]["activated"] is True
    assert after(played, "c")["state"]["moved_mm"] == pytest.approx(4 * INCH)


@pytest.mark.rule("MM-148", "MM-44")
def test_who_may_charge_on_does_nothing_else_in_that_activation() -> None:
    beyond = unit("o", "french", number=4, at=(900, 325 + 12 * INCH), facing=180)
    routed = charge(game(charger(type="irregular"), target(4), beyond), [1, 1, 1, 6, 6])
    assert "may-charge-on" in names(routed)
    for action, more in (
        ("fire", {"target": "o"}),
        ("fast-move", {}),
        ("prone", {}),
        ("march", {"to": [900, 300]}),
    ):
        with pytest.raises(ActionRefused, match="charge another"):
            resolve(routed["game"], [], action=action, unit="c", **more)
    on = resolve(routed["game"], [1, 1, 6, 6, 6], action="charge", unit="c", target="o")
    assert event(on, "charge")["result"] == "melee"
    assert after(on, "c")["state"]["charging_on"] is False


@pytest.mark.rule("MM-125")
def test_a_charger_already_within_six_inches_need_not_move() -> None:
    played = charge(game(charger(), target(4)), [6, 6, 1, 1, *MISS])
    assert event(played, "advance")["distance_mm"] == 0
    assert gap(played) == pytest.approx(4 * INCH)


@pytest.mark.rule("muskets-mohawks R-22")
def test_a_line_that_charges_through_woods_is_unformed_afterwards() -> None:
    # A grove of 40 mm lies on the shortest way, while the far end of the line sees past it.
    scene = game(
        charger(formation="formed-line"), target(number=1, at=(1000, 520)),
        terrain=[wood("grove", 955, 380, 990, 430)],
    )  # fmt: skip
    played = charge(scene, [1, 1, 1, 6, 6])
    assert after(played, "c")["formation"] == "unformed"


@pytest.mark.rule("MM-127")
@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({"reload_markers": 1}, "not loaded"),
        ({"prone": True}, "prone"),
        ({"retiring": True}, "retiring"),
        ({"activated": True}, "activated"),
        ({"had_enough": True}, "enough"),
    ],
)
def test_who_may_not_charge_is_refused_with_the_reason(state: Plain, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        charge(game(charger(state={"start_strength": 4, **state}), target()), [])


@pytest.mark.rule("MM-246", "MM-247", "MM-248")
@pytest.mark.parametrize(("die", "formation"), [(6, "square"), (5, "unformed")])
def test_a_line_may_try_to_form_square_against_horse(die: int, formation: str) -> None:
    # 10.0 in off: 1d6 + 4 - 10.
    horse = charger(type="cavalry", weapon="sword", formation="formed-line")
    scene = game(horse, target(10, formation="formed-line"), squares=True)
    dice = [die] if formation == "square" else [die, 1, 1, 1, 1, 6, 6]
    played = charge(scene, dice, form_square=True)
    assert after(played, "t")["formation"] == formation
    result = event(played, "charge")
    assert result["result"] == ("cavalry-refuses" if formation == "square" else "target-runs-away")
    assert (result["charger_passed"] is None) == (formation == "square")


@pytest.mark.rule("MM-246")
@pytest.mark.parametrize(
    ("one", "other", "conditions", "why"),
    [
        ({"type": "cavalry"}, {"formation": "formed-line"}, {}, "not in use"),
        ({}, {"formation": "formed-line"}, {"squares": True}, "against cavalry"),
        ({"type": "cavalry"}, {"formation": "mob"}, {"squares": True}, "from a formed line"),
        ({"type": "cavalry"}, {"type": "militia", "formation": "formed-line"}, {"squares": True}, "Regular"),
    ],
)
def test_a_square_that_the_rules_do_not_allow_is_refused(
    one: Plain, other: Plain, conditions: dict[str, Any], why: str
) -> None:
    with pytest.raises(ActionRefused, match=why):
        charge(game(charger(**one), target(**other), **conditions), [], form_square=True)


@pytest.mark.rule("MM-254")
def test_texian_scouts_test_one_rep_lower() -> None:
    scouts = charger(stats={"special": ["texian-scout"]})
    played = charge(game(scouts, target()), [4, 4, 4, 5, *MISS])
    assert event(played, "charge")["charger_passed"] == 0
    assert event(played, "charge")["target_passed"] == 1


@pytest.mark.rule("MM-136", "MM-119", "MM-146")
def test_gunners_at_their_gun_receive_a_charge_with_canister() -> None:
    piece = gun("t", "british", at=(900, 300))
    foot = unit("c", "french", type="irregular", number=2, at=(900, 300 + 25 + 8 * INCH), facing=180)
    scene = game(piece, foot, active="french")
    played = charge(scene, [1, 6, 6, 6, 6, 6, 6, 6, 1, 1, 1])
    assert (event(played, "fired")["mode"], event(played, "fired")["dice"]) == ("canister", 2)
    assert after(played, "t")["state"]["reload_markers"] == 2
