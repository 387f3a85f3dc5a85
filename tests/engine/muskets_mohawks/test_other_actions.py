"""Reloading, rallying, trophies, breaking off, recovering, hurrying, lying down, horses and limbers."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, gun, names, resolve, unit, wood

FAR = unit("foe", "french", at=(900, 1150), facing=180)


def alone(state: Plain | None = None, **more: Any) -> Plain:
    return unit("u", "british", state=state or {}, **more)


@pytest.mark.rule("MM-112", "MM-92")
@pytest.mark.parametrize(("weapon", "markers"), [("musket", 1), ("rifle", 2)])
def test_reloading_takes_one_marker_and_the_whole_activation(weapon: str, markers: int) -> None:
    played = resolve(game(alone({"reload_markers": markers}, weapon=weapon), FAR), [], action="reload", unit="u")
    seen = event(played, "reload")
    assert (seen["removed"], seen["markers"]) == (1, markers - 1)
    assert after(played, "u")["state"]["activated"] is True
    assert played["rolls"] == []


@pytest.mark.rule("MM-110", "MM-112")
def test_whoever_reloads_is_no_longer_bound_to_an_old_target() -> None:
    # Its target has gone out of range, so it may reload.
    played = resolve(game(alone({"reload_markers": 1, "firing_at": "foe"}), FAR), [], action="reload", unit="u")
    assert after(played, "u")["state"]["firing_at"] is None


@pytest.mark.rule("MM-123", "muskets-mohawks R-36")
@pytest.mark.parametrize(
    ("crew", "trained", "die", "removed"),
    [(5, True, 5, 1), (5, True, 6, 0), (5, False, 5, 0), (5, False, 4, 1), (1, False, 1, 0)],
)
def test_guns_are_reloaded_by_a_die_against_the_crew(crew: int, trained: bool, die: int, removed: int) -> None:
    piece = gun("u", "british", at=(900, 300), crew=crew, state={"reload_markers": 2})
    if not trained:
        for figure in piece["figures"][1:]:
            figure["role"] = "rank"
    played = resolve(game(piece, FAR), [die], action="reload", unit="u")
    assert (event(played, "reload")["removed"], event(played, "reload")["markers"]) == (removed, 2 - removed)


RALLY = [
    # type, dice, result, formation, retiring, row
    ("regular", [4, 4], "form-up", "formed-line", False, "MM-81"),
    ("regular", [4, 5, 4], "form-up", "formed-line", False, "MM-81"),
    ("regular", [4, 5, 5], "retire-half", "unformed", True, "MM-81"),
    ("regular", [5, 5], "retire-half", "unformed", True, "MM-81"),
    ("indian", [4, 4], "form-up", "mob", False, "R-59"),
    ("militia", [4, 4], "form-up", "formed-line", False, "R-59"),
    ("cavalry", [4, 4], "form-up", "formed-line", False, "MM-73"),
    ("cavalry", [4, 5], "halt-unformed", "unformed", False, "MM-73"),
    ("cavalry", [5, 5], "retire-half", "unformed", True, "MM-73"),
]


@pytest.mark.parametrize(
    ("kind", "dice", "result", "formation", "retiring"),
    [pytest.param(*row[:5], marks=pytest.mark.rule(row[5], "MM-66")) for row in RALLY],
)
def test_rallying(kind: str, dice: list[int], result: str, formation: str, retiring: bool) -> None:
    state = {"retiring": True, "last_retire_mm": 200.0}
    played = resolve(game(alone(state, type=kind, at=(900, 600)), FAR), dice, action="rally", unit="u")
    assert event(played, "reaction")["result"] == result
    assert event(played, "reaction")["tests"] == ["rally-or-form-line"]
    rallied = after(played, "u")
    assert (rallied["formation"], rallied["state"]["retiring"]) == (formation, retiring)
    if result == "retire-half":
        assert rallied["state"]["last_retire_mm"] == 100
        assert {figure["y_mm"] for figure in rallied["figures"]} == {500}


@pytest.mark.rule("MM-73", "R-59", "muskets-mohawks R-35")
def test_gunners_form_up_unformed() -> None:
    crew = gun("u", "british", at=(900, 600), state={"retiring": True})
    played = resolve(game(crew, FAR), [4, 4], action="rally", unit="u")
    assert (after(played, "u")["formation"], after(played, "u")["state"]["retiring"]) == ("unformed", False)


@pytest.mark.rule("MM-81")
def test_a_failed_rally_at_the_edge_leaves_the_field() -> None:
    state = {"retiring": True, "last_retire_mm": 200.0}
    played = resolve(game(alone(state, at=(900, 100)), FAR), [5, 5], action="rally", unit="u")
    assert "left-field" in names(played)
    assert after(played, "u")["figures"] == []
    assert after(played, "u")["state"].get("runaway", False) is False


@pytest.mark.rule("R-59")
def test_the_player_may_choose_the_formation_to_form_up_in() -> None:
    scene = game(alone({"retiring": True}), FAR)
    played = resolve(scene, [4, 4], action="rally", unit="u", formation="mob")
    assert after(played, "u")["formation"] == "mob"
    with pytest.raises(ActionRefused, match="formed line"):
        resolve(
            game(alone({"retiring": True}, type="indian"), FAR),
            [],
            action="rally",
            unit="u",
            formation="formed-line",
        )


@pytest.mark.rule("MM-66", "MM-81", "MM-73", "R-59")
@pytest.mark.parametrize(
    ("kind", "dice", "result"),
    [
        ("regular", [4, 4], "form-line"),
        ("regular", [4, 5, 4], "form-line"),
        ("regular", [4, 5, 5], "stay-unformed"),
        ("regular", [5, 5], "stay-unformed"),
        ("cavalry", [4, 5], "form-line"),
        ("cavalry", [5, 5], "stay-unformed"),
    ],
)
def test_forming_line(kind: str, dice: list[int], result: str) -> None:
    played = resolve(game(alone(type=kind), FAR), dice, action="form-line", unit="u")
    assert event(played, "reaction")["result"] == result
    formation = "formed-line" if result == "form-line" else "unformed"
    assert after(played, "u")["formation"] == formation


@pytest.mark.rule("MM-67", "MM-82", "R-43")
@pytest.mark.parametrize(
    ("dice", "result"),
    [([4, 4], "no-trophies"), ([4, 5, 4], "no-trophies"), ([4, 5, 5], "take-trophies"), ([5, 5], "take-trophies")],
)
def test_whether_indians_stop_for_trophies(dice: list[int], result: str) -> None:
    played = resolve(game(alone(type="indian"), FAR), dice, action="trophies", unit="u")
    assert event(played, "reaction")["result"] == result
    state = after(played, "u")["state"]
    assert (state["taking_trophies"], state["won_melee"]) == (result == "take-trophies", True)
    if result == "take-trophies":
        taken = resolve(played["game"], [], action="trophies", unit="u")
        assert (after(taken, "u")["stats"]["rep"], after(taken, "u")["state"]["trophy"]) == (5, True)
        assert after(taken, "u")["state"]["taking_trophies"] is False


@pytest.mark.rule("MM-67")
def test_fire_interrupts_the_taking_of_trophies() -> None:
    indians = alone({"taking_trophies": True}, type="indian", at=(900, 600))
    foe = unit("foe", "french", at=(900, 900), facing=180, formation="formed-line")
    scene = game(indians, foe, active="french")
    played = resolve(scene, [2] * 10 + [1, 1], action="fire", unit="foe", target="u")
    assert after(played, "u")["state"]["taking_trophies"] is False


@pytest.mark.rule("MM-67")
@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"type": "regular"}, "Irregulars"),
        ({"type": "indian", "state": {"won_melee": True, "trophies_due": False}}, "first"),
    ],
)
def test_who_takes_no_trophies(keys: Plain, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        resolve(game(alone(**keys), FAR), [], action="trophies", unit="u")


@pytest.mark.rule("MM-67")
def test_a_game_written_by_hand_after_the_first_melee_won_may_be_tested_for_trophies_once() -> None:
    written = game(alone({"won_melee": True}, type="indian"), FAR)
    tested = resolve(written, [4, 4], action="trophies", unit="u")
    assert event(tested, "reaction")["result"] == "no-trophies"
    with pytest.raises(ActionRefused, match="first"):
        resolve(tested["game"], [], action="trophies", unit="u")


def locked() -> Plain:
    ours = alone({"in_melee": ["foe"], "melee_round": 1}, number=4, at=(900, 600), formation="formed-line")
    foe = unit(
        "foe",
        "french",
        number=4,
        at=(900, 625),
        facing=180,
        formation="formed-line",
        state={"in_melee": ["u"], "melee_round": 1},
    )
    return game(ours, foe)


@pytest.mark.rule("MM-163", "MM-164", "MM-158", "MM-05")
@pytest.mark.parametrize(
    ("dice", "distance", "follow", "contact"),
    [([1, 6], 2, 4, True), ([2, 4], 3, 3, True), ([3, 4], 4, 3, False), ([6, 6], 7, 4, False)],
)
def test_breaking_off(dice: list[int], distance: int, follow: int, contact: bool) -> None:
    played = resolve(locked(), dice, action="break-off", unit="u", enemy="foe")
    seen = event(played, "break-off")
    assert (seen["distance_mm"], seen["follow_mm"]) == (
        pytest.approx(distance * INCH),
        pytest.approx(follow * INCH),
    )
    assert seen["contact"] is contact
    assert after(played, "foe")["state"]["following_up"] is contact
    assert all(f["y_mm"] == pytest.approx(600 - distance * INCH) for f in after(played, "u")["figures"])
    followed = min(distance, follow)
    assert all(f["y_mm"] == pytest.approx(625 - followed * INCH) for f in after(played, "foe")["figures"])
    for name in ("u", "foe"):
        other = {"u": "foe", "foe": "u"}[name]
        assert after(played, name)["state"]["in_melee"] == ([other] if contact else [])
        assert after(played, name)["formation"] == ("formed-line" if contact else "unformed")
    if contact:
        fought = resolve(played["game"], [6] * 11, action="melee", unit="u", enemy="foe")
        assert event(fought, "melee")["enemy_dice"] == 6
        assert after(fought, "foe")["state"]["following_up"] is False


@pytest.mark.rule("MM-163")
def test_who_cannot_move_away_cannot_break_off() -> None:
    scene = locked()
    scene["terrain"] = [wood("lake", 0, 500, 1800, 590, kind="lake")]
    with pytest.raises(ActionRefused, match="lake"):
        resolve(scene, [], action="break-off", unit="u", enemy="foe")


@pytest.mark.rule("MM-165")
@pytest.mark.parametrize(("casualties", "back"), [(5, 2), (4, 2), (1, 0)])
def test_recovering_brings_back_half_behind_the_rear_line(casualties: int, back: int) -> None:
    tired = alone({"casualties": casualties, "start_strength": 10}, number=5)
    played = resolve(game(tired, FAR), [], action="recover", unit="u")
    assert event(played, "recovered")["figures"] == back
    rested = after(played, "u")
    assert len(rested["figures"]) == 5 + back
    assert (rested["state"]["casualties"], rested["state"]["recovered"]) == (casualties - back, True)
    assert all(figure["y_mm"] == pytest.approx(275) for figure in rested["figures"][5:])
    assert len({figure["id"] for figure in rested["figures"]}) == 5 + back


FAST = [
    # road, snow, dice, passed, unformed and formed in inches, row
    (False, "none", [4, 4], 2, 16, 12, "MM-47"),
    (False, "none", [4, 5], 1, 12, 8, "MM-47"),
    (False, "none", [5, 5], 0, 8, None, "MM-47"),
    (True, "none", [4, 5, 4], 2, 16, 12, "MM-49"),
    (True, "none", [4, 4, 4], 2, 16, 12, "MM-49"),
    (False, "ground", [4], 1, 6, 4, "MM-194"),
    (True, "snowing", [4, 4], 1, 6, 4, "MM-194"),
]


@pytest.mark.parametrize(
    ("road", "snow", "dice", "passed", "loose", "formed"),
    [pytest.param(*row[:6], marks=pytest.mark.rule(row[6])) for row in FAST],
)
def test_fast_moves(
    road: bool, snow: str, dice: list[int], passed: int, loose: float, formed: float | None
) -> None:
    terrain = [wood("road", 0, 280, 1800, 320, kind="road")] if road else []
    played = resolve(game(alone(), FAR, terrain=terrain, snow=snow), dice, action="fast-move", unit="u")
    seen = event(played, "fast-move")
    assert seen["passed"] == passed
    assert seen["unformed_mm"] == pytest.approx(loose * INCH)
    assert seen["formed_mm"] == (None if formed is None else pytest.approx(formed * INCH))


@pytest.mark.rule("MM-47", "R-45")
@pytest.mark.parametrize(("die", "formed"), [(4, True), (5, False)])
def test_a_unit_that_nobody_plays_chooses_by_its_leader(die: int, formed: bool) -> None:
    runner = alone({"tactics": "attack", "start_strength": 30})
    seen = event(resolve(game(runner, FAR), [4, 4, die], action="fast-move", unit="u"), "fast-move")
    assert (seen["unformed_mm"] is None, seen["formed_mm"] is None) == (formed, not formed)


@pytest.mark.rule("MM-48")
def test_no_fast_move_with_an_enemy_within_24_inches() -> None:
    near = unit("foe", "french", at=(900, 300 + 25 + 23.9 * INCH), facing=180)
    with pytest.raises(ActionRefused, match="24 in"):
        resolve(game(alone(), near), [], action="fast-move", unit="u")


@pytest.mark.rule("MM-50")
def test_lying_down_and_getting_up_again() -> None:
    down = resolve(game(alone(), FAR), [], action="prone", unit="u")
    assert after(down, "u")["state"]["prone"] is True
    up = resolve(down["game"], [], action="stand", unit="u")
    assert (after(up, "u")["state"]["prone"], after(up, "u")["state"]["moved_mm"]) == (
        False,
        pytest.approx(8 * INCH),
    )


@pytest.mark.rule("MM-50")
def test_who_has_stood_up_does_not_charge_even_those_within_six_inches_until_the_next_turn() -> None:
    near = unit("foe", "french", at=(900, 300 + 25 + 5 * INCH), facing=180)
    up = resolve(game(alone({"prone": True}), near), [], action="stand", unit="u")
    with pytest.raises(ActionRefused, match="stood up"):
        resolve(up["game"], [], action="charge", unit="u", target="foe")
    later = resolve(up["game"], [1, 3], action="new-turn")
    charged = resolve(later["game"], [1, 1, 6, 6], action="charge", unit="u", target="foe")
    assert event(charged, "charge")["result"] == "melee"


@pytest.mark.rule("MM-19")
def test_a_fifth_of_dismounted_horse_holds_the_horses() -> None:
    horse = alone({"mounted": True}, type="mounted-infantry", weapon="carbine", number=6, mounted=True)
    played = resolve(game(horse, FAR), [], action="dismount", unit="u")
    foot = after(played, "u")
    holders = [figure for figure in foot["figures"] if figure["role"] == "holder"]
    assert len(holders) == 2
    assert all(figure["y_mm"] == pytest.approx(300 - 25 - 3 * INCH) for figure in holders)
    assert foot["state"]["mounted"] is False
    assert not any(figure["mounted"] for figure in foot["figures"])
    again = {**played["game"], "units": [{**foot, "state": {**foot["state"], "activated": False}}]}
    up = after(resolve(again, [], action="mount", unit="u"), "u")
    assert up["state"]["mounted"] is True
    assert all(figure["mounted"] and figure["role"] != "holder" for figure in up["figures"])


@pytest.mark.rule("MM-45")
def test_guns_are_limbered_and_unlimbered() -> None:
    hitched = resolve(game(gun("u", "british", at=(900, 300)), FAR), [], action="limber", unit="u")
    assert after(hitched, "u")["state"]["limbered"] is True
    with pytest.raises(ActionRefused, match="already"):
        resolve(hitched["game"], [], action="unlimber", unit="u")


@pytest.mark.rule("MM-44")
@pytest.mark.parametrize(
    ("action", "keys", "why"),
    [
        ("prone", {"type": "cavalry"}, "only infantry"),
        ("stand", {}, "not prone"),
        ("dismount", {}, "only cavalry"),
        ("mount", {"type": "cavalry"}, "already mounted"),
        ("limber", {}, "no gun"),
        ("rally", {}, "not retiring"),
        ("reload", {}, "no reload markers"),
        ("break-off", {}, "not in melee"),
        ("recover", {}, "no casualties"),
        ("form-line", {"formation": "mob"}, "not unformed"),
        ("prone", {"state": {"activated": True}}, "activated"),
    ],
)
def test_what_is_not_allowed_is_refused_with_the_reason(action: str, keys: Plain, why: str) -> None:
    extra = {"enemy": "foe"} if action == "break-off" else {}
    with pytest.raises(ActionRefused, match=why):
        resolve(game(alone(**keys), FAR), [], action=action, unit="u", **extra)


@pytest.mark.parametrize("action", ["reload", "recover", "prone", "trophies"])
def test_an_action_without_keys_refuses_any(action: str) -> None:
    with pytest.raises(UnknownAction, match="twice"):
        resolve(game(alone(), FAR), [], action=action, unit="u", twice=True)
