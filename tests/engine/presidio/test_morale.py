"""Nerve: what a unit must roll, what falling short comes to, where it goes (section 7 of the rulebook)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.errors import ActionRefused
from engine.records.action import action_from
from engine.rulesets.base.answers.chances import chances
from engine.rulesets.presidio import RULESET
from tests.engine.presidio.scene import Json, do, figure, game, ground, inches, line, row, state, told, unit

ENEMY = unit("b", (900, 733))


def checked(*units: Json, dice: str, cause: str = "casualties", by: str = "b", **more: Any) -> dict[str, Any]:
    """What the event of a check of unit ``a`` says."""
    played = do(game(*units, ENEMY, **more), dice, action="morale", unit="a", cause=cause, **{"from": by})
    return told(played, "morale")[0]


@pytest.mark.rule("PR-701")
@pytest.mark.parametrize(
    ("level", "required"), [("elite", 5), ("veteran", 6), ("average", 7), ("inexperienced", 8)]
)
def test_each_level_needs_its_number(level: str, required: int) -> None:
    told_ = checked(unit("a", *row(6, 800, 200), stats={"morale": level}), dice="6 3")
    assert (told_["required"], told_["total"], told_["result"]) == (required, 9, "pass")


@pytest.mark.rule("PR-702")
@pytest.mark.parametrize(
    ("left", "lost", "added"),
    [
        (14, 2, 1),
        (13, 3, 1),
        (12, 4, 2),
        (9, 1, 1),
        (8, 2, 2),
        (8, 1, 2),
        (4, 1, 2),
        (3, 2, 4),
        (3, 1, 3),
        (2, 2, 6),
    ],
)
def test_losses_count_by_the_strength_that_the_unit_began_with(left: int, lost: int, added: int) -> None:
    told_ = checked(unit("a", *row(left, 300, 200), casualties=lost), dice="6 6")
    assert told_["required"] == 7 + added


@pytest.mark.rule("PR-703", "PR-706")
@pytest.mark.parametrize(
    ("cause", "keys", "required"),
    [
        ("charging", {}, 5),
        ("charged", {}, 9),
        ("impact", {}, 7),
        ("casualties", {"leader_lost": True}, 9),
        ("casualties", {"type": "line", "formation": "extended-line"}, 6),
    ],
)
def test_what_the_unit_is_about_alters_its_number(cause: str, keys: dict[str, Any], required: int) -> None:
    assert checked(unit("a", *row(4, 850, 200, 25), **keys), dice="6 5", cause=cause)["required"] == required


@pytest.mark.rule("PR-706")
def test_a_leader_is_missed_for_one_check_only() -> None:
    played = do(game(unit("a", *row(4, 800, 200), leader_lost=True), ENEMY), "6 5", action="morale", unit="a",
                **{"from": "b"})  # fmt: skip
    assert state(played, "a")["leader_lost"] is False


@pytest.mark.rule("PR-105", "PR-701", "PR-706", "PR-111")
@pytest.mark.parametrize(
    ("roles", "extra", "total"),
    [
        (["captain"], [], 5 + 3),
        (["corporal"], [], 5 + 1),
        ([], [unit("a9", figure("cap", 800, 200 - 25 - inches(2), role="captain"), type="leader")], 5 + 3),
        ([], [unit("a9", figure("cap", 800, 200 - 25 - inches(2.1), role="captain"), type="leader")], 5),
        (["captain", "sergeant"], [], 5 + 3),
        (["hero"], [], 5 + 2),
    ],
)
def test_the_best_leader_near_and_a_hero_within_add_to_the_die(roles: Any, extra: Any, total: int) -> None:
    told_ = checked(unit("a", *row(4, 800, 200), roles=roles, stats={"morale": "elite"}), *extra, dice="5")
    assert told_["total"] == total


@pytest.mark.rule("PR-704", "PR-107", "PR-108", "PR-110", "R-6")
@pytest.mark.parametrize(
    ("role", "far", "kind", "options", "required"),
    [
        ("fifer", 18.0, "skirmish", {}, 6),
        ("fifer", 18.1, "skirmish", {}, 7),
        ("flag-bearer", 12.0, "skirmish", {}, 6),
        ("flag-bearer", 12.1, "skirmish", {}, 7),
        ("flag-bearer", 11.0, "skirmish", {"flag_in": 2}, 7),
        ("flag-bearer", 1.9, "skirmish", {"flag_in": 2}, 6),
        ("chaplain", 12.0, "skirmish", {}, 6),
        ("chaplain", 11.0, "native", {}, 7),
        ("shaman", 12.0, "native", {}, 6),
        ("shaman", 11.0, "skirmish", {}, 7),
    ],
)
def test_music_flag_and_clergy_steady_those_near(
    role: str, far: float, kind: str, options: dict[str, Any], required: int
) -> None:
    other = unit("a9", figure("x", 800 - 25 - inches(far), 200, role=role), type="leader")
    told_ = checked(unit("a", *row(4, 800, 200), type=kind), other, dice="6 5", options=options)
    assert told_["required"] == required


@pytest.mark.rule("PR-704", "PR-705")
@pytest.mark.parametrize(
    ("kind", "keys", "required"),
    [
        ("light-woods", {}, 6),
        ("medium-woods", {}, 5),
        ("heavy-woods", {}, 4),
        ("rough", {"cover": "full"}, 3),
        ("road", {}, 7),
    ],
)
def test_cover_against_the_enemy_steadies(kind: str, keys: dict[str, Any], required: int) -> None:
    wood = ground(kind, 700, 150, 1100, 250, **keys)
    assert checked(unit("a", *row(4, 800, 200)), dice="6 5", terrain=[wood])["required"] == required


@pytest.mark.rule("PR-704")
@pytest.mark.parametrize(("x", "required"), [(875, 6), (1200, 7)])
def test_friends_before_the_unit_steady_it_once(x: float, required: int) -> None:
    friends = unit("a1", (x, 450))
    assert checked(unit("a", *row(4, 800, 200)), friends, dice="6 5")["required"] == required
    in_brush = ground("brush", 700, 150, 1100, 250)
    told_ = checked(unit("a", *row(4, 800, 200)), friends, dice="6 5", terrain=[in_brush])
    assert told_["required"] == 6


@pytest.mark.rule("PR-707")
@pytest.mark.parametrize(
    ("failed", "keys", "far", "required"),
    [
        ("fall-back", {}, 12.0, 8),
        ("retreat", {}, 12.0, 9),
        ("panic", {}, 12.0, 10),
        ("destroyed", {}, 12.0, 10),
        ("panic", {}, 12.1, 7),
        ("panic", {"type": "line", "formation": "extended-line"}, 5.0, 6),
        ("retreat", {"type": "line", "formation": "extended-line"}, 5.0, 8),
    ],
)
def test_friends_who_failed_near_unsettle(failed: str, keys: dict[str, Any], far: float, required: int) -> None:
    friend = unit("a1", (800 - 25 - inches(far), 200), failed=failed)
    own = unit("a", *row(4, 800, 200, 25), **keys)
    assert checked(own, friend, dice="6 6", cause="friend", by="a1")["required"] == required


@pytest.mark.rule("PR-707")
@pytest.mark.parametrize(("far", "required"), [(12.0, 10), (12.1, 7)])
def test_friends_see_a_unit_shot_down_to_the_last_man_beside_them(far: float, required: int) -> None:
    # The last man of a1 stood so far from a's nearest; he is shot in his place and taken off the table.
    own, friend = unit("a", *row(4, 800, 200, 25)), unit("a1", (800 - 25 - inches(far), 200))
    foe = unit("b", (800 - 25 - inches(far), 700))
    shot_down = do(game(own, friend, foe), "12 12", action="fire", unit="b", target="a1", mode="independent")
    assert shot_down.game.unit("a1").figures == ()
    played = do(shot_down.game, "6 6", action="morale", unit="a", cause="friend", **{"from": "b"})
    assert told(played, "morale")[0]["required"] == required
    later = do(do(shot_down.game, action="end-turn").game, "6 6", action="morale", unit="a", cause="friend")
    assert told(later, "morale")[0]["required"] == 7


@pytest.mark.rule("PR-708", "presidio R-16")
@pytest.mark.parametrize(("dice", "passed", "total"), [("6 1", True, 7), ("5", False, 5), ("6 6", True, 12)])
def test_a_formation_check_needs_the_base_number_alone(dice: str, passed: bool, total: int) -> None:
    own = unit("a", *row(4, 800, 200, 25), type="line", formation="extended-line", casualties=3)
    played = do(game(own, ENEMY), dice, action="formation-check", unit="a")
    assert told(played, "formation-check") == [{"unit": "a", "passed": passed, "required": 7, "total": total}]
    assert played.rolls[0].roll.purpose == "formation check of a, 7 or more keeps its order"
    assert played.game.unit("a").formation == ("extended-line" if passed else "disorder")


@pytest.mark.rule("PR-708", "PR-710")
def test_chances_tell_what_a_unit_comes_to_and_not_the_check_on_the_way_there() -> None:
    own = unit("a", *row(4, 800, 200, 25), type="line", formation="extended-line", casualties=1)
    own["figures"][0]["role"] = "corporal"
    of = game(own, ENEMY)
    alone = chances(RULESET, of, action_from({"action": "formation-check", "unit": "a"}))
    assert [one.what for one in alone.outcomes] == ["disordered", "in good order"]
    check = action_from({"action": "morale", "unit": "a", "from": "b", "cause": "casualties"})
    morale = chances(RULESET, of, check)
    assert {one.what for one in morale.outcomes} <= {"pass", "hold", "disordered", "fall back", "retreat", "panic"}


@pytest.mark.rule("PR-709", "PR-713", "PR-714", "PR-715")
@pytest.mark.parametrize(
    ("die", "dice", "result", "moved", "left", "formation", "facing"),
    [
        (6, "6 1", "pass", 0.0, 2, "skirmish", 0.0),
        (5, "5 4", "fall-back", 6 + 4, 1, "skirmish", 0.0),
        (3, "3 2", "retreat", 2 * (6 + 2), 0, "disorder", 0.0),
        (2, "2 2", "panic", 2 * (6 + 2), 0, "disorder", 180.0),
    ],
)
def test_in_the_open_a_unit_falls_back_retreats_or_panics(
    die: int, dice: str, result: str, moved: float, left: int, formation: str, facing: float
) -> None:
    own = unit("a", (900, 700), type="militia")
    played = do(game(own, unit("b", (900, 1100))), dice, action="morale", unit="a", **{"from": "b"})
    after = played.game.unit("a")
    assert told(played, "morale")[0]["result"] == result
    assert after.figures[0].y_mm == pytest.approx(700 - inches(moved))
    assert (state(played, "a").get("actions_left", 2), after.formation) == (left, formation)
    assert after.figures[0].bearing_deg == pytest.approx(facing)


@pytest.mark.rule("PR-710", "PR-418", "presidio R-33")
@pytest.mark.parametrize(
    ("dice", "options", "result", "left"),
    [
        ("4", {}, "flinch", 1),
        ("2", {}, "hunker-down", 0),
        ("2 3 6", {"partial_hunkers": False}, "retreat", 0),
    ],
)
def test_in_cover_a_unit_flinches_or_hunkers_down(
    dice: str, options: dict[str, Any], result: str, left: int
) -> None:
    wood = ground("medium-woods", 700, 150, 1100, 250)
    own = unit("a", *row(6, 800, 200))
    played = do(game(own, ENEMY, terrain=[wood], options=options), dice, action="morale", unit="a", **{"from": "b"})
    assert told(played, "morale")[0]["result"] == result
    assert state(played, "a")["actions_left"] == left
    assert state(played, "a").get("hunkered", False) is (result == "hunker-down")


@pytest.mark.rule("PR-710", "presidio R-34")
@pytest.mark.parametrize(
    ("roles", "dice", "result", "left", "formation"),
    [
        ([], "5", "disordered", 1, "disorder"),
        (["sergeant"], "3 6 1", "hold", 2, "extended-line"),
        (["sergeant"], "3 1", "disordered", 1, "disorder"),
        ([], "3 4", "retreat", 0, "disorder"),
        (["sergeant"], "1 6 1 4", "fall-back", 1, "extended-line"),
        (["sergeant"], "1 1 4", "retreat", 0, "disorder"),
    ],
)
def test_a_line_holds_by_its_leaders_and_its_order(
    roles: list[str], dice: str, result: str, left: int, formation: str
) -> None:
    own = line("a", 5, 900, 600, roles=roles)
    played = do(game(own, unit("b", (900, 1000))), dice, action="morale", unit="a", **{"from": "b"})
    after = played.game.unit("a")
    assert told(played, "morale")[0]["result"] == result
    assert (state(played, "a")["actions_left"], after.formation) == (left, formation)


@pytest.mark.rule("PR-710")
@pytest.mark.parametrize(
    ("dice", "result", "formation"),
    [
        ("4", "disordered", "disorder"),
        ("2 6 2", "disordered", "disorder"),
        ("2 1 4", "fall-back", "disorder"),
        ("1 3", "retreat", "disorder"),
    ],
)
def test_a_charger_goes_on_in_disorder_or_turns_back(dice: str, result: str, formation: str) -> None:
    own = unit("a", *row(6, 800, 600), stats={"morale": "inexperienced"})
    if result == "retreat":
        own["stats"]["morale"] = "inexperienced"
        own["state"]["casualties"] = 1
    played = do(game(own, unit("b", (900, 1000))), dice, action="morale", unit="a", cause="charging",
                **{"from": "b"})  # fmt: skip
    assert told(played, "morale")[0]["result"] == result
    assert played.game.unit("a").formation == formation


@pytest.mark.rule("PR-306", "PR-713")
@pytest.mark.parametrize(
    ("keys", "far"),
    [
        ({"type": "light", "formation": "extended-line", "roles": ["sergeant"]}, (7 + 4) / 2),
        ({"type": "light", "formation": "extended-line", "roles": ["sergeant", "drummer"]}, (7 + 4) / 2 + 1),
        ({"type": "light", "formation": "disorder"}, 7 + 4),
        ({"type": "line", "formation": "disorder"}, (6 + 4) / 2),
        ({"type": "skirmish"}, 7 + 4),
        ({"type": "cavalry", "mounted": True}, 12 + 4),
    ],
)
def test_lines_fall_back_at_half_speed(keys: dict[str, Any], far: float) -> None:
    own = unit("a", *row(5, 800, 700, 25), stats={"morale": "inexperienced"}, **keys)
    dice = "2 6 1 4" if "roles" in keys else "6 1 4"
    played = do(game(own, unit("b", (850, 1100))), dice, action="morale", unit="a", **{"from": "b"})
    assert told(played, "moved")[0]["distance_mm"] == pytest.approx(inches(far))


@pytest.mark.rule("PR-713", "PR-714")
@pytest.mark.parametrize(
    ("near", "far", "kind", "options", "ends"),
    [
        (5.5, 6.5, "rough", {}, 5.5),
        (3.0, 4.0, "rough", {}, 9.0),
        (3.0, 4.0, "trees", {}, 10.0),
        (10.5, 12.0, "rough", {}, 10.0),
        (3.0, 8.0, "trees", {}, 5.0),
        (6.0, 6.2, "wall", {}, None),
        (5.5, 6.5, "road", {}, 10.0),
    ],
)
def test_a_unit_falls_back_into_the_nearest_cover_on_the_second_half_of_its_way(
    near: float, far: float, kind: str, options: dict[str, Any], ends: float | None
) -> None:
    piece = ground(kind, 600, 800 - inches(far), 1200, 800 - inches(near))
    own = unit("a", (900, 800), type="militia")
    of = game(own, unit("b", (900, 1150)), terrain=[piece], options=options)
    played = do(of, "5 4", action="morale", unit="a", **{"from": "b"})
    behind_wall = inches(6.2) + 12.5
    expected = behind_wall if ends is None else inches(ends)
    assert 800 - played.game.unit("a").figures[0].y_mm == pytest.approx(expected, abs=0.01)


@pytest.mark.rule("PR-714", "presidio R-31")
@pytest.mark.parametrize(("choice", "ends"), [("nearest", 11.0), ("furthest", 13.0)])
def test_a_retreat_ends_in_the_cover_that_the_players_have_agreed_on(choice: str, ends: float) -> None:
    pieces = [
        ground("trees", 600, 800 - inches(at + 1), 1200, 800 - inches(at), id=f"t{at}") for at in (11.0, 13.0)
    ]
    of = game(unit("a", (900, 800), type="militia"), unit("b", (900, 1150)), terrain=pieces,
              options={"retreat_cover": choice})  # fmt: skip
    played = do(of, "3 4", action="morale", unit="a", **{"from": "b"})
    moved = 800 - played.game.unit("a").figures[0].y_mm
    assert moved == pytest.approx(inches(ends))


@pytest.mark.rule("PR-711")
def test_a_unit_whom_a_friend_unsettles_goes_as_the_friend_goes() -> None:
    friend = unit("a1", figure("x", 700, 500, 90.0), failed="fall-back")
    own = unit("a", (900, 500), type="militia")
    played = do(game(own, friend, unit("b", (900, 1100))), "5 2", action="morale", unit="a", cause="friend",
                **{"from": "a1"})  # fmt: skip
    assert played.game.unit("a").figures[0].x_mm == pytest.approx(900 - inches(8) * 2)


@pytest.mark.rule("PR-713", "PR-714", "PR-715", "PR-204")
@pytest.mark.parametrize(
    ("dice", "keys", "extra", "event", "ends"),
    [
        ("5 6", {}, [], None, 0.0),
        ("3 6 6", {}, [], "rallied", 0.0),
        ("3 6 5", {}, [], "off-board", 0.0),
        ("1 6 6", {}, [unit("a1", (300, 900))], "rallied", 0.0),
        ("1 6 5", {}, [unit("a1", (300, 900))], "off-board", 0.0),
        ("1 6", {}, [], "off-board", 0.0),
        ("1 6 3", {"roles": ["captain"], "stats": {"morale": "inexperienced"}, "casualties": 1},
         [unit("a1", (300, 900))], "rallied", 0.0),
    ],
)  # fmt: skip
def test_at_the_edge_one_attempt_to_rally_but_none_for_the_last(
    dice: str, keys: dict[str, Any], extra: list[Json], event: str | None, ends: float
) -> None:
    own = unit("a", (900, 100), type="militia", **keys)
    played = do(game(own, unit("b", (900, 700)), *extra), dice, action="morale", unit="a", **{"from": "b"})
    assert [one for one in ("rallied", "off-board") if told(played, one)] == ([event] if event else [])
    assert played.game.unit("a").figures[0].y_mm == pytest.approx(ends)
    if event == "off-board":
        assert state(played, "a")["morale"] == "off-board"


@pytest.mark.rule("PR-203", "PR-204")
def test_who_rallies_at_the_edge_turns_to_the_nearest_enemy() -> None:
    near = unit("b1", (900, 500))
    played = do(game(unit("a", (900, 100)), unit("a1", (300, 900)), unit("b", (600, 500)), near), "1 6 6",
                action="morale", unit="a", **{"from": "b"})  # fmt: skip
    assert told(played, "rallied")
    stands = played.game.unit("a").figures[0]
    assert stands.bearing_deg == pytest.approx(math.degrees(math.atan2(900 - stands.x_mm, 500)) % 360, abs=0.01)


@pytest.mark.rule("PR-712", "PR-716")
@pytest.mark.parametrize(
    ("far", "cause", "result"),
    [(4.0, "casualties", "surrender"), (4.1, "casualties", "panic"), (3.0, "impact", "panic")],
)
def test_who_panics_near_an_enemy_surrenders_but_not_by_impact(far: float, cause: str, result: str) -> None:
    foe = unit("b", (900, 600 + 25 + inches(far)))
    dice = "1" if result == "surrender" else "1 1"
    own = unit("a", (900, 600), type="militia", stats={"morale": "inexperienced"})
    played = do(game(own, unit("a1", (100, 900)), foe), dice, action="morale", unit="a", cause=cause,
                **{"from": "b"})  # fmt: skip
    assert told(played, "morale")[0]["result"] == result
    assert bool(told(played, "surrendered")) is (result == "surrender")
    if result == "surrender":
        assert (state(played, "a")["morale"], state(played, "a")["actions_left"]) == ("surrendered", 0)


@pytest.mark.rule("PR-712", "PR-710", "presidio R-17")
@pytest.mark.parametrize(
    ("spots", "said", "result"),
    [
        ([(900, 800), (1100, 600), (700, 600)], None, "flinch"),
        ([(900, 800), (1100, 600)], None, "fall-back"),
        ([(900, 800), (1100, 600), (560, 600)], None, "fall-back"),
        ([(900, 800)], True, "flinch"),
        ([(900, 800), (1100, 600), (700, 600)], False, "fall-back"),
    ],
)
def test_enemies_in_three_quarters_surround_a_unit(spots: Any, said: bool | None, result: str) -> None:
    foes = [unit(f"b{number or ''}", spot) for number, spot in enumerate(spots)]
    own = unit("a", (900, 600), type="militia", surrounded=said)
    played = do(game(own, *foes), "5" if result == "flinch" else "5 1", action="morale", unit="a", **{"from": "b"})
    assert told(played, "morale")[0]["result"] == result


@pytest.mark.rule("PR-731")
def test_two_sixes_pass_raise_the_level_and_wipe_out_the_losses() -> None:
    own = unit("a", *row(2, 800, 200), casualties=2, stats={"morale": "elite"})
    played = do(game(own, ENEMY), "6 6", action="morale", unit="a", **{"from": "b"})
    assert told(played, "morale")[0]["result"] == "pass"
    assert (state(played, "a")["level_bonus"], state(played, "a")["casualties_ignored"]) == (1, 2)
    again = do(played.game, "4", action="morale", unit="a", **{"from": "b"})
    assert told(again, "morale")[0]["required"] == 4
    unhurt = do(game(unit("a", *row(2, 800, 200)), ENEMY), "6 6", action="morale", unit="a", **{"from": "b"})
    assert state(unhurt, "a")["casualties_ignored"] == 0, "written though it is none"


@pytest.mark.rule("PR-106")
@pytest.mark.parametrize(("lost", "dice", "total"), [(False, "3", None), (True, "6 6", 12)])
def test_a_unit_without_its_last_leader_panics_at_the_next_loss(lost: bool, dice: str, total: int | None) -> None:
    own = unit("a", *row(4, 800, 600), leaderless=True, leader_lost=lost)
    of = game(own, unit("a1", (100, 900)), unit("b", (900, 1100)))
    played = do(of, dice, action="morale", unit="a", **{"from": "b"})
    assert told(played, "morale")[0]["total"] == total
    assert told(played, "morale")[0]["result"] == ("pass" if lost else "panic")


@pytest.mark.rule("PR-716")
def test_who_has_surrendered_checks_no_more() -> None:
    with pytest.raises(ActionRefused, match="surrendered"):
        do(game(unit("a", (800, 200), morale="surrendered"), ENEMY), action="morale", unit="a")


@pytest.mark.rule("PR-713")
def test_who_falls_back_leaves_his_works_and_his_window() -> None:
    own = unit("a", (900, 600), type="militia", position="doorway", works="incidental", works_actions=2)
    played = do(game(own, unit("b", (900, 1000))), "2", action="disengage", unit="a", override=True, by="fall-back")
    assert (state(played, "a")["position"], state(played, "a")["works"]) == (None, None)
