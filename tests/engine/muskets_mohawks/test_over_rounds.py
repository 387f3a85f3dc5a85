"""Melees over rounds and turns that others join and leave, and squares from their forming to their breaking up."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks.guide import guide
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, names, resolve, unit


def fighting(name: str, side: str, y: float, *foes: str, rounds: int = 1, **more: Any) -> Plain:
    state = {"in_melee": list(foes), "melee_round": rounds, **more.pop("state", {})}
    return unit(name, side, at=(900, y), facing=180 if side == "french" else 0, state=state, **more)


def next_turn(scene: Plain, *dice: int) -> Plain:
    played: Plain = resolve(scene, dice or (1, 2), action="new-turn")["game"]
    return played


def pair(active: str = "british", **state: Any) -> Plain:
    us, foe = fighting("us", "british", 300, "foe", state=state), fighting("foe", "french", 325, "us")
    return game(us, foe, active=active)


@pytest.mark.rule("MM-162")
@pytest.mark.parametrize("named", ["us", "foe"])
def test_a_round_is_fought_once_an_activation_whoever_is_named_first(named: str) -> None:
    fought = resolve(pair(), [6] * 8, action="melee", unit="us", enemy="foe")
    other = "foe" if named == "us" else "us"
    with pytest.raises(ActionRefused, match="have fought their round of this activation"):
        resolve(fought["game"], action="melee", unit=named, enemy=other)
    theirs = resolve(fought["game"], action="pass-turn", side="french")["game"]
    again = resolve(theirs, [6] * 8, action="melee", unit="foe", enemy="us")
    assert after(again, "foe")["state"]["melee_round"] == 3


@pytest.mark.rule("MM-124", "MM-149")
def test_who_has_charged_home_fights_the_first_round_at_once_and_no_second() -> None:
    us = unit("us", "british", type="indian", at=(900, 300))
    foe = unit("foe", "french", at=(900, 560), facing=180)
    home = resolve(game(us, foe), [1, 1, 1, 1, 6], action="charge", unit="us", target="foe")
    assert after(home, "us")["state"]["activated"] is True
    ready = game_from({**home["game"]}, "the scene")
    assert ready.turn.active_side == "british"
    fought = resolve(home["game"], [6] * 10 + [1] * 8, action="melee", unit="us", enemy="foe")
    assert event(fought, "melee")["unit_casualties"] == 1
    with pytest.raises(ActionRefused, match="fought their round"):
        resolve(fought["game"], action="melee", unit="us", enemy="foe")


@pytest.mark.rule("MM-163", "MM-158")
def test_after_a_follow_up_the_round_is_fought_at_once() -> None:
    followed = resolve(pair(), [1, 6], action="break-off", unit="us", enemy="foe")
    assert after(followed, "us")["state"]["activated"] is True
    fought = resolve(followed["game"], [6] * 9, action="melee", unit="us", enemy="foe")
    assert event(fought, "melee")["enemy_dice"] == 5
    with pytest.raises(ActionRefused, match="fought their round"):
        resolve(fought["game"], action="melee", unit="us", enemy="foe")


@pytest.mark.rule("MM-163", "MM-164")
@pytest.mark.parametrize("dice", [[1, 6], [6, 6]], ids=["kept in contact", "got away"])
def test_who_goes_after_one_enemy_leaves_the_other_whose_melee_is_over(dice: list[int]) -> None:
    foe = fighting("foe", "french", 325, "us", "friend", rounds=2)
    friend = fighting("friend", "british", 350, "foe", formation="mob")
    scene = game(fighting("us", "british", 300, "foe"), friend, foe)
    played = resolve(scene, dice, action="break-off", unit="us", enemy="foe")
    assert after(played, "friend")["state"]["in_melee"] == []
    assert after(played, "friend")["formation"] == "unformed"
    kept = ["us"] if event(played, "break-off")["contact"] else []
    assert after(played, "foe")["state"]["in_melee"] == kept
    gone = next_turn(played["game"])
    assert event(resolve(gone, action="march", unit="friend", to=[900, 500]), "marched")


@pytest.mark.rule("MM-163", "MM-50")
def test_who_breaks_off_and_who_goes_after_him_are_on_their_feet() -> None:
    scene = pair(prone=True)
    scene["units"][1]["state"]["prone"] = True
    played = resolve(scene, [6, 1], action="break-off", unit="us", enemy="foe")
    assert after(played, "us")["state"]["prone"] is False
    assert after(played, "foe")["state"]["prone"] is False


@pytest.mark.rule("MM-159", "MM-149")
def test_a_third_unit_that_joins_loses_a_figure_and_those_who_fought_before_do_not() -> None:
    foe = fighting("foe", "french", 325, "us", "friend", rounds=2)
    scene = game(
        fighting("us", "british", 300, "foe", rounds=2), fighting("friend", "british", 350, "foe", rounds=0), foe
    )
    shares = [{"id": "us", "dice": 2, "figures": 5}, {"id": "friend", "dice": 2, "figures": 5}]
    played = resolve(scene, [6] * 22 + [1] * 8, action="melee", unit="foe", enemies=shares)
    lost = [one["enemy_casualties"] for one in played["events"] if one["event"] == "melee"]
    assert lost == [0, 1]
    assert [after(played, name)["state"]["melee_round"] for name in ("us", "friend", "foe")] == [3, 1, 3]
    assert after(played, "us")["state"]["activated"] is True
    assert after(played, "friend")["state"]["activated"] is True


def evening(*units: Plain, active: str = "british") -> Plain:
    return game(*units, active=active, evening={"play": "solo", "stage": "battle", "markers": True})


@pytest.mark.rule("MM-259", "MM-124")
def test_the_contact_of_a_charge_is_what_comes_next() -> None:
    braves = unit("np", "french", type="indian", at=(900, 560), facing=180, state={"tactics": "attack"})
    scene = evening(unit("us", "british", at=(900, 300)), braves, active="french")
    home = resolve(scene, [1, 1, 1, 1, 6], action="np-play", unit="np")["game"]
    step = guide(game_from(home, "the scene"))[0]
    assert (step["step"], step["unit"], step["keys"]) == ("melee", "us", {"enemy": "np"})
    fought = resolve(home, [6] * 10 + [1] * 8, action="melee", unit="us", enemy="np")["game"]
    assert guide(game_from(fought, "the scene"))[0]["step"] != "melee"


@pytest.mark.rule("MM-159", "MM-162")
def test_who_fights_several_is_told_to_share_itself_out() -> None:
    foe = fighting("foe", "french", 325, "us", "friend")
    scene = evening(fighting("us", "british", 300, "foe"), fighting("friend", "british", 350, "foe"), foe)
    step = guide(game_from(scene, "the scene"))[0]
    assert (step["step"], step["unit"]) == ("melee-shared", "foe")
    assert [share["dice"] for share in step["keys"]["enemies"]] == [2, 2]
    played = resolve(scene, [6] * 22, action="melee", unit="foe", **step["keys"])
    assert names(played).count("melee") == 2


def napoleonic(*units: Plain, **more: Any) -> Plain:
    return game(*units, period="napoleonic", squares=True, **more)


def foot(formation: str = "square", **more: Any) -> Plain:
    return unit("foot", "british", at=(900, 300), formation=formation, **more)


HORSE = unit("horse", "french", type="cavalry", weapon="sword", at=(900, 700), facing=180, mounted=True)


@pytest.mark.rule("MM-246")
def test_a_line_forms_square_of_its_own_accord_and_that_is_its_turn() -> None:
    played = resolve(napoleonic(foot("formed-line"), HORSE), action="reform", unit="foot", formation="square")
    assert after(played, "foot")["formation"] == "square"
    assert after(played, "foot")["state"]["activated"] is True
    with pytest.raises(ActionRefused, match="from a formed line"):
        resolve(napoleonic(foot("mob"), HORSE), action="reform", unit="foot", formation="square")
    with pytest.raises(ActionRefused, match="not in use"):
        resolve(game(foot("formed-line"), HORSE), action="reform", unit="foot", formation="square")


@pytest.mark.rule("MM-246", "MM-44")
def test_a_square_breaks_up_into_line_and_goes_half_its_move() -> None:
    scene = napoleonic(foot(), HORSE)
    line = resolve(scene, action="reform", unit="foot", formation="formed-line")
    assert after(line, "foot")["formation"] == "formed-line"
    with pytest.raises(ActionRefused, match="it may move 4 in"):
        resolve(line["game"], action="march", unit="foot", to=[900, 410])
    assert event(resolve(line["game"], action="march", unit="foot", to=[900, 400]), "marched")
    with pytest.raises(ActionRefused, match="has moved"):
        resolve(line["game"], action="fire", unit="foot", target="horse")


@pytest.mark.rule("MM-44", "MM-66", "MM-244")
@pytest.mark.parametrize(
    ("was", "to", "period", "why"),
    [("unformed", "formed-line", "fiw", "tests whether it forms line"), ("mob", "mob", "fiw", "already"),
     ("formed-line", "mob", "napoleonic", "does not form a mob"),
     ("formed-line", "unformed", "napoleonic", "only light infantry")],
)  # fmt: skip
def test_a_formation_that_the_rules_do_not_give_by_choice(was: str, to: str, period: str, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        resolve(game(foot(was), HORSE, period=period), action="reform", unit="foot", formation=to)


@pytest.mark.rule("MM-246", "MM-166", "MM-163")
def test_a_square_neither_leaves_the_field_nor_breaks_off_nor_goes_after_anybody() -> None:
    at_edge = unit("foot", "british", at=(900, 20), formation="square")
    with pytest.raises(ActionRefused, match="a square cannot move"):
        resolve(napoleonic(at_edge, HORSE), action="leave-field", unit="foot")
    square = fighting("foe", "french", 325, "us", formation="square")
    scene = napoleonic(fighting("us", "british", 300, "foe"), square)
    with pytest.raises(ActionRefused, match="a square cannot move"):
        resolve(scene, action="break-off", unit="foe", enemy="us")
    played = resolve(scene, [1, 6], action="break-off", unit="us", enemy="foe")
    assert event(played, "break-off")["contact"] is False
    assert {one["y_mm"] for one in after(played, "foe")["figures"]} == {325}


@pytest.mark.rule("MM-246", "MM-229")
@pytest.mark.parametrize(("tactics", "dice"), [("attack", [1, 1]), ("withdraw", [])])
def test_a_square_that_nobody_plays_forms_line_before_it_goes(tactics: str, dice: list[int]) -> None:
    np = unit("np", "french", at=(900, 900), facing=180, formation="square", state={"tactics": tactics})
    scene = napoleonic(unit("foe", "british", at=(900, 100)), np, active="french")
    played = resolve(scene, dice, action="np-play", unit="np")
    assert after(played, "np")["formation"] == "formed-line"
    assert {one["y_mm"] for one in after(played, "np")["figures"]} == {900}
    fresh = {**next_turn(played["game"]), "turn": {"number": 4, "active_side": "french"}}
    assert {one["y_mm"] for one in after(resolve(fresh, dice, action="np-play", unit="np"), "np")["figures"]} != {
        900
    }


@pytest.mark.rule("MM-247", "MM-248", "MM-147")
def test_horse_before_a_square_retires_and_the_square_stands_over_turns() -> None:
    line = unit("foot", "british", at=(900, 300), formation="formed-line")
    near = {**HORSE, "figures": [{**one, "y_mm": 500.0} for one in HORSE["figures"]]}
    scene = napoleonic(line, near, active="french")
    played = resolve(scene, [6], action="charge", unit="horse", target="foot", form_square=True)
    assert after(played, "foot")["formation"] == "square"
    assert after(played, "horse")["state"]["retiring"] is True
    later = next_turn(played["game"])
    assert next(one for one in later["units"] if one["id"] == "foot")["formation"] == "square"


@pytest.mark.rule("MM-117", "MM-19")
def test_a_leader_whose_horse_was_hit_does_not_mount_again_with_his_men() -> None:
    riders = unit("riders", "british", type="cavalry", weapon="carbine", at=(900, 300), mounted=True,
                  leader=1, state={"unhorsed": True})  # fmt: skip
    riders["figures"][0]["mounted"] = False
    scene = game(riders, unit("foe", "french", at=(900, 1100), facing=180))
    on_foot = next_turn(resolve(scene, action="dismount", unit="riders")["game"])
    up = after(resolve(on_foot, action="mount", unit="riders"), "riders")
    assert [one["mounted"] for one in up["figures"]] == [False] + [True] * 9
    assert up["state"]["unhorsed"] is True


@pytest.mark.rule("MM-166", "MM-162")
def test_who_is_taken_off_by_the_umpire_out_of_a_melee_holds_nobody() -> None:
    us = fighting("us", "british", 100, "foe")
    foe = fighting("foe", "french", 125, "us")
    played = resolve(game(us, foe), action="leave-field", unit="us", override=True)
    assert after(played, "foe")["state"]["in_melee"] == []


@pytest.mark.rule("MM-162", "MM-164")
@pytest.mark.parametrize("gone", ["figures", "unit"])
def test_who_fights_an_enemy_that_was_taken_off_by_hand_is_free_in_the_next_turn(gone: str) -> None:
    scene = pair()
    scene["units"][0]["formation"] = "formed-line"
    if gone == "unit":
        del scene["units"][1]
    else:
        scene["units"][1]["figures"] = []
    fresh = next_turn(scene)
    us = next(one for one in fresh["units"] if one["id"] == "us")
    assert (us["state"]["in_melee"], us["formation"]) == ([], "unformed")
    assert event(resolve(fresh, action="march", unit="us", to=[900, 400]), "marched")
