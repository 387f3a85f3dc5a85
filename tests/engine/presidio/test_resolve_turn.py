"""Initiative, the turn's end, rallying, drills, tasks, works, hiding: what units do besides moving and firing."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from engine.rulesets.presidio import RULESET
from engine.rulesets.presidio.units.leading import command_over, leadership
from tests.engine.presidio.scene import (
    Json,
    asked,
    do,
    figure,
    game,
    ground,
    inches,
    line,
    names,
    row,
    state,
    told,
    unit,
)

FOE = unit("b", (900, 900))


def act(action: str, *units: Json, dice: str = "", on: str = "a", **more: Any) -> Any:
    """An action of ``a``; ``about`` are conditions and terrain of the game."""
    about = more.pop("about", {})
    return do(game(*units, **about), dice, action=action, unit=on, **more)


def turn_ends(*units: Json) -> Any:
    """A turn's end."""
    return do(game(*units), action="end-turn")


@pytest.mark.rule("PR-206", "PR-105", "presidio R-7")
@pytest.mark.parametrize(
    ("dice", "order", "scores"),
    [
        ("3 4", ["spanish", "raiders"], {"spanish": 6, "raiders": 4}),
        ("1 6", ["raiders", "spanish"], {"spanish": 4, "raiders": 6}),
        ("2 5 3 5", ["spanish", "raiders"], {"spanish": 6, "raiders": 5}),
    ],
)
def test_who_goes_first(dice: str, order: list[str], scores: Json) -> None:
    a = line("a", 3, 900, 100, roles=["captain", "corporal"])
    played = do(game(a, FOE), dice, action="initiative")
    assert told(played, "initiative") == [{"order": order, "scores": scores}]
    assert state(played, "a")["initiative"] == scores["spanish"]
    assert played.game.turn.active_side == order[0]
    assert list(RULESET.turn_order(played.game)) == order


@pytest.mark.rule("PR-206")
def test_leadership_may_be_said() -> None:
    said = game(line("a", 3, 900, 100, roles=["captain"]), FOE, leadership={"spanish": 1})
    assert (leadership(said, "spanish"), leadership(said, "raiders")) == (1, 0)


@pytest.mark.rule("PR-105")
@pytest.mark.parametrize(
    ("role", "gap", "skill"),
    [
        ("corporal", 0, 1), ("sergeant", 2, 2), ("first-sergeant", 1, 3), ("sergeant-major", 1, 4),
        ("ensign", 2, 1),
        ("lieutenant", 1, 2), ("captain", 2, 3), ("field-officer", 1, 4), ("young-chief", 1, 1),
        ("tribal-chief", 1, 2), ("clan-chief", 1, 3), ("war-chief", 2, 4), ("captain", 2.1, 0), ("drummer", 0, 0),
        ("hero", 0, 0),
    ],
)  # fmt: skip
def test_command_carries_two_inches(role: str, gap: float, skill: int) -> None:
    leader = unit("a2", (1100 + 25 + inches(gap), 100), type="leader", roles=[role])
    of = game(line("a", 3, 1075, 100), leader, FOE)
    assert command_over(of, of.unit("a")) == skill


@pytest.mark.rule("PR-105")
def test_the_highest_of_several_counts_and_nobody_obeys_the_enemy() -> None:
    a = line("a", 4, 900, 100, roles=["corporal", "sergeant"])
    enemy = unit("b", (900, 130), type="leader", roles=["war-chief"])
    of = game(a, enemy)
    assert command_over(of, of.unit("a")) == 2


@pytest.mark.rule("PR-207", "PR-201")
def test_a_new_turn_gives_two_actions_and_ends_what_held_for_the_old_one() -> None:
    worn: Json = {
        "actions_left": 0, "held": 1, "moved": "run", "failed": "retreat", "initiative": 5, "evading": True,
        "taking_cover": True, "hunkered": True, "covered_reload": True, "charging": True, "fired_moving": True,
        "reload_left": 3, "bayonets": True, "casualties": 2,
    }  # fmt: skip
    played = turn_ends(line("a", 3, 900, 100, **worn), unit("b", (900, 900), stunned=1),
                       unit("c", (1000, 900), morale="surrendered"), unit("d", (1100, 900), stunned=3))  # fmt: skip
    fresh = state(played, "a")
    assert {key: fresh[key] for key in worn} == {
        "actions_left": 2, "held": 0, "moved": None, "failed": None, "initiative": None, "evading": False,
        "taking_cover": False, "hunkered": False, "covered_reload": False, "charging": False,
        "fired_moving": False, "reload_left": 3, "bayonets": True, "casualties": 2,
    }  # fmt: skip
    assert (state(played, "b")["actions_left"], state(played, "b")["stunned"]) == (1, 0)
    assert (state(played, "d")["actions_left"], state(played, "d")["stunned"]) == (0, 1)
    assert state(played, "c")["actions_left"] == 0
    assert played.game.turn.number == 3


@pytest.mark.rule("PR-208", "PR-209")
def test_actions_are_put_aside() -> None:
    assert state(act("hold", line("a", 3, 900, 100), FOE, actions=2), "a")["held"] == 2
    one = act("hold", line("a", 3, 900, 100, actions_left=1), FOE)
    assert (state(one, "a")["held"], state(one, "a")["actions_left"]) == (1, 1)
    with pytest.raises(ActionRefused, match="needs 2 actions, has 1 left"):
        act("hold", line("a", 3, 900, 100, actions_left=1), FOE, actions=2)


@pytest.mark.rule("PR-208", "PR-209")
@pytest.mark.parametrize(("own", "theirs", "actions", "may"), [(5, 2, 2, True), (2, 5, 2, False), (2, 5, 1, True)])
def test_both_actions_are_held_by_the_side_with_the_initiative(
    own: int, theirs: int, actions: int, may: bool
) -> None:
    units = (line("a", 3, 900, 100, initiative=own), line("b", 3, 900, 900, initiative=theirs))
    if may:
        assert state(act("hold", *units, actions=actions), "a")["held"] == actions
        return
    with pytest.raises(ActionRefused, match="initiative"):
        act("hold", *units, actions=actions)


@pytest.mark.rule("PR-202", "PR-203")
@pytest.mark.parametrize(
    ("roles", "dice", "rallies"),
    [
        ([], "6", True), ([], "5 1", False), (["lieutenant"], "4", True), (["lieutenant"], "3 1", False),
        (["sergeant-major"], "5 1", False), (["field-officer"], "2", True), (["war-chief"], "1 1", False),
    ],
)  # fmt: skip
def test_panicked_men_rally_on_six_less_command(roles: list[str], dice: str, rallies: bool) -> None:
    a = line("a", 3, 900, 600, roles=roles, morale="panicked", formation="disorder")
    played = act("rally", a, FOE, dice=dice)
    after = played.game.unit("a")
    if rallies:
        assert (after.state["morale"], after.formation, "rallied" in names(played.events)) == (
            "disordered", "disorder", True,
        )  # fmt: skip
        assert after.figures[0].bearing_deg == pytest.approx(0, abs=1)
    else:
        assert names(played.events)[:2] == ["rally-failed", "moved"]
        assert (after.state["morale"], after.state["actions_left"]) == ("panicked", 0)
        assert after.figures[0].y_mm < 600


@pytest.mark.rule("PR-204")
def test_at_the_edge_they_have_one_attempt() -> None:
    other = line("a2", 3, 300, 300)
    a = line("a", 3, 900, 60, morale="panicked", formation="disorder")
    off = act("rally", a, other, FOE, dice="1 6 2")
    assert state(off, "a")["morale"] == "off-board"
    saved = act("rally", a, other, FOE, dice="1 6 6")
    assert state(saved, "a")["morale"] == "disordered"
    assert saved.game.unit("a").figures[0].y_mm == pytest.approx(0, abs=13)


@pytest.mark.rule("PR-202")
def test_only_the_panicked_rally() -> None:
    with pytest.raises(ActionRefused, match="not panicked"):
        act("rally", line("a", 3, 900, 100), FOE)


@pytest.mark.rule("PR-205")
def test_ranks_close_by_an_inch() -> None:
    a = unit("a", (900, 100), (960, 100), type="line", formation="line", engaged_with=["b"], actions_left=0)
    played = act("close-ranks", a, FOE, moves={"a-2": [940, 100]})
    assert [one.x_mm for one in played.game.unit("a").figures] == [900, 940]
    with pytest.raises(ActionRefused, match=r"at most 1\.0 in"):
        act("close-ranks", a, FOE, moves={"a-2": [930, 100]})
    with pytest.raises(ActionRefused, match="disorder"):
        act("close-ranks", {**a, "formation": "disorder"}, FOE, moves={"a-2": [940, 100]})
    with pytest.raises(UnknownAction, match="a-9"):
        act("close-ranks", a, FOE, moves={"a-9": [940, 100]})


@pytest.mark.rule("PR-205")
def test_closing_up_is_free_and_the_game_says_that_both_actions_are_left() -> None:
    a = unit("a", (900, 100), (960, 100), type="line", formation="line")
    played = act("close-ranks", a, FOE, moves={"a-2": [940, 100]})
    assert played.game.unit("a").state["actions_left"] == 2


@pytest.mark.rule("PR-323", "PR-322")
@pytest.mark.parametrize(
    ("formation", "terrain", "left"),
    [("line", [], 1), ("column", [], 1), ("skirmish", [], 2), ("column", [ground("road", 800, 0, 1000, 400)], 2)],
)
def test_formed_men_turn_for_an_action(formation: str, terrain: list[Json], left: int) -> None:
    played = act("turn", unit("a", (900, 100), type="light", formation=formation), FOE, deg=180,
                 about={"terrain": terrain})  # fmt: skip
    assert played.game.unit("a").figures[0].bearing_deg == 180
    assert state(played, "a").get("actions_left", 2) == left


@pytest.mark.rule("PR-322")
def test_a_wheel_swings_about_the_inner_corner() -> None:
    played = act("wheel", line("a", 4, 900, 100), FOE, deg=90)
    figures = played.game.unit("a").figures
    corner = (950.0, 112.5)
    assert [round(one.bearing_deg or 0) for one in figures] == [90] * 4
    assert figures[-1].x_mm == pytest.approx(corner[0] - 12.5)
    assert figures[-1].y_mm == pytest.approx(corner[1] + 12.5)
    assert (state(played, "a")["moved"], state(played, "a")["actions_left"]) == ("walk", 1)
    with pytest.raises(ActionRefused, match="outermost"):
        act("wheel", line("a", 16, 900, 100), FOE, deg=90)
    with pytest.raises(ActionRefused, match="only formed"):
        act("wheel", unit("a", (900, 100)), FOE, deg=90)


@pytest.mark.rule("PR-324", "PR-319", "PR-317", "PR-212", "PR-321")
@pytest.mark.parametrize(
    ("a", "to", "left"),
    [
        (unit("a", (900, 100), type="line", formation="column"), "line", 0),
        (unit("a", (900, 100), type="line", formation="column", roles=["drummer"]), "line", 1),
        (unit("a", (900, 100), type="line", formation="disorder", morale="disordered"), "line", 0),
        (unit("a", (900, 100), type="light", formation="line"), "skirmish", 2),
        (unit("a", (900, 100), type="cavalry", formation="column", mounted=True, stats={"people": "spanish"},
              moved="walk"), "line", 2),
        (unit("a", (900, 100), type="cavalry", formation="column", mounted=True, stats={"people": "spanish"},
              moved="walk", reforms=1), "line", 0),
    ],
)  # fmt: skip
def test_what_a_change_of_formation_takes(a: Json, to: str, left: int) -> None:
    played = act("reform", a, FOE, formation=to)
    assert played.game.unit("a").formation == to
    assert state(played, "a").get("actions_left", 2) == left
    assert state(played, "a").get("morale", "steady") == "steady"


@pytest.mark.rule("PR-317")
def test_skirmish_troops_form_line_over_four_actions() -> None:
    first = act("reform", unit("a", (900, 100), type="native"), FOE, formation="line")
    assert (told(first, "drilling"), first.game.unit("a").formation) == ([{"unit": "a", "left": 2}], "skirmish")
    fresh = do(first.game, action="end-turn")
    second = do(fresh.game, action="reform", unit="a", formation="line")
    assert (second.game.unit("a").formation, state(second, "a")["actions_left"]) == ("line", 0)


@pytest.mark.rule("PR-309", "PR-210")
def test_kneeling_takes_an_action_on_the_spot() -> None:
    played = act("posture", unit("a", (900, 100)), FOE, posture="kneeling")
    assert dict(state(played, "a")) == {"actions_left": 1, "posture": "kneeling"}
    with pytest.raises(ActionRefused, match="already"):
        do(played.game, action="posture", unit="a", posture="kneeling")


@pytest.mark.rule("PR-210", "PR-1018")
@pytest.mark.parametrize("task", ["fix-bayonets", "draw", "board", "leave", "tie", "tether"])
def test_tasks_take_an_action(task: str) -> None:
    played = act("general", unit("a", (900, 100)), FOE, task=task)
    assert told(played, "done") == [{"unit": "a", "task": task}]
    assert state(played, "a")["actions_left"] == 1
    assert state(played, "a").get("bayonets", False) is (task == "fix-bayonets")


@pytest.mark.rule("PR-213")
@pytest.mark.parametrize(
    ("level", "holders", "woods", "dice", "ran", "left"),
    [
        ("average", ["a-1"], False, "", [], 0),
        ("elite", ["a-1"], False, "", [], 1),
        ("average", [], False, "1 2 3", ["a-1", "a-3"], 0),
        ("average", [], True, "", [], 0),
    ],
)
def test_unheld_horses_may_run(
    level: str, holders: list[str], woods: bool, dice: str, ran: list[str], left: int
) -> None:
    a = unit("a", *row(3, 800, 100), type="cavalry", mounted=True, stats={"morale": level})
    terrain = [ground("light-woods", 500, 0, 1300, 400)] if woods else []
    played = act("dismount", a, FOE, dice=dice, holders=holders, about={"terrain": terrain})
    assert [one["figure"] for one in told(played, "ran-off")] == ran
    assert not any(one.mounted for one in played.game.unit("a").figures)
    assert [one.role for one in played.game.unit("a").figures].count("horse-holder") == len(holders)
    assert state(played, "a")["actions_left"] == left
    back = do(do(played.game, action="end-turn").game, action="mount", unit="a")
    assert [one.id for one in back.game.unit("a").figures if not one.mounted] == ran


@pytest.mark.rule("PR-213")
def test_one_man_holds_five_horses() -> None:
    a = unit("a", *row(7, 700, 100), type="cavalry", mounted=True)
    played = act("dismount", a, FOE, dice="1 2", holders=["a-1"])
    assert [one["figure"] for one in told(played, "ran-off")] == ["a-6"]


@pytest.mark.rule("PR-327")
@pytest.mark.parametrize(
    ("before", "want", "terrain", "dice", "works", "left"),
    [
        (0, "incidental", True, "", "incidental", 0), (0, "partial", True, "", "incidental", 0),
        (2, "partial", True, "", "partial", 0), (3, "partial", False, "", "partial", 1),
        (0, "incidental", False, "3", "incidental", 0), (0, "incidental", False, "4", None, 1),
    ],
)  # fmt: skip
def test_hasty_works(before: int, want: str, terrain: bool, dice: str, works: str | None, left: int) -> None:
    near = [ground("rocks", 900, 160, 1000, 260)] if terrain else []
    a = unit("a", (900, 100), works_actions=before)
    played = act("build", a, FOE, dice=dice, about={"terrain": near}, **{"class": want})
    assert (state(played, "a").get("works"), state(played, "a")["actions_left"]) == (works, left)
    assert told(played, "works")[0]["class"] == works


@pytest.mark.rule("PR-326")
def test_units_combine_under_an_officer_over_four_actions() -> None:
    a = line("a", 3, 900, 100, roles=["captain"], casualties=2)
    a2 = line("a2", 2, 900, 150)
    first = act("combine", a, a2, FOE, **{"with": "a2"})
    assert told(first, "drilling") == [{"unit": "a", "with": "a2", "left": 2}]
    played = do(do(first.game, action="end-turn").game, action="combine", unit="a", **{"with": "a2"})
    assert [one.id for one in played.game.unit("a").figures] == ["a-1", "a-2", "a-3", "a2-1", "a2-2"]
    assert played.game.unit("a2").figures == ()
    assert (played.game.unit("a").stats["morale"], state(played, "a")["casualties"]) == ("inexperienced", 0)
    with pytest.raises(ActionRefused, match="no officer"):
        act("combine", line("a", 3, 900, 100, roles=["sergeant"]), a2, FOE, **{"with": "a2"})


@pytest.mark.rule("PR-416", "PR-417", "PR-429", "PR-418")
@pytest.mark.parametrize(
    ("action", "a", "key", "left"),
    [
        ("evade", unit("a", (900, 100)), "evading", 1),
        ("take-cover", unit("a", (900, 100), type="light"), "taking_cover", 0),
        ("covered-reload", unit("a", (900, 100)), "covered_reload", 2),
        ("hunker-down", unit("a", (900, 100), posture="prone"), "hunkered", 0),
    ],
)
def test_what_units_do_to_be_hit_less(action: str, a: Json, key: str, left: int) -> None:
    played = act(action, a, FOE)
    assert (state(played, "a")[key], state(played, "a").get("actions_left", 2)) == (True, left)
    assert names(played.events) == [action]


@pytest.mark.rule("PR-416", "PR-417", "PR-429", "PR-418")
@pytest.mark.parametrize(
    ("action", "a", "why"),
    [
        ("evade", unit("a", (900, 100), type="light"), "only skirmish"),
        ("evade", unit("a", (900, 100), actions_left=0), "needs 1"),
        ("take-cover", unit("a", (900, 100), type="light", formation="line"), "not in skirmish"),
        ("take-cover", unit("a", (900, 100), actions_left=1), "needs 2"),
        ("take-cover", unit("a", (900, 100), type="line"), "neither"),
        ("covered-reload", unit("a", (900, 100), moved="walk"), "has moved"),
        ("covered-reload", unit("a", (900, 100), formation="line"), "not in skirmish"),
        ("hunker-down", unit("a", (900, 100)), "no partial cover"),
        ("hunker-down", unit("a", (900, 100), posture="prone", actions_left=1), "needs 2"),
    ],
)
def test_who_may_not(action: str, a: Json, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        act(action, a, FOE)


@pytest.mark.rule("PR-417")
def test_where_no_cover_is_near_they_lie_down() -> None:
    rocks = ground("rocks", 940, 80, 1000, 120)
    assert state(act("take-cover", unit("a", (900, 100)), FOE), "a")["posture"] == "prone"
    near = act("take-cover", unit("a", (900, 100)), FOE, about={"terrain": [rocks]})
    assert "posture" not in state(near, "a")


def spotted(dice: str, hider: Json, **about: Any) -> bool:
    """Whether ``a`` finds a hidden unit."""
    searcher = unit("a", (900, 100), stats={"recon": 2})
    played = act("spot", searcher, {**hider, "formation": "hidden"}, dice=dice, target="b", about=about)
    found = "spotted" in names(played.events)
    assert ("stayed-hidden" in names(played.events)) is not found
    assert played.game.unit("b").formation == ("skirmish" if found else "hidden")
    return found


@pytest.mark.rule("PR-430", "PR-104")
@pytest.mark.parametrize(
    ("dice", "camou", "terrain", "found"),
    [
        ("3 3", 2, None, True), ("3 4", 2, None, False), ("5 4", 3, None, True), ("4 4", 3, None, False),
        ("4 3", 2, "brush", True), ("3 3", 2, "brush", False), ("5 3", 2, "rocks", True),
        ("4 3", 2, "rocks", False),
    ],
)  # fmt: skip
def test_searching_and_hiding(dice: str, camou: int, terrain: str | None, found: bool) -> None:
    hider = unit("b", (900, 300), stats={"camou": camou}, hidden=True)
    about = {"terrain": [ground(terrain, 800, 250, 1000, 400)]} if terrain else {}
    assert spotted(dice, hider, **about) is found


@pytest.mark.rule("PR-821", "PR-430", "presidio R-32")
@pytest.mark.parametrize(
    ("light", "moon", "dm", "dice", "found"),
    [
        ("night", "full", "both", "2 3", True), ("night", "full", "sentry", "2 3", False),
        ("night", "quarter", "both", "5 3", True), ("night", "none", "both", "5 3", True),
        ("night", "none", "both", "4 3", False), ("dusk", "none", "spot", "2 3", True),
    ],
)  # fmt: skip
def test_the_dark_alters_the_search(light: str, moon: str, dm: str, dice: str, found: bool) -> None:
    hider = unit("b", (900, 190), stats={"camou": 1}, hidden=True)
    assert spotted(dice, hider, light=light, moon=moon, options={"search_dm": dm}) is found


@pytest.mark.rule("PR-430")
def test_one_searches_only_where_one_sees_and_hides_only_unseen() -> None:
    house = ground("house", 700, 180, 1100, 220)
    hider = unit("b", (900, 300), hidden=True)
    with pytest.raises(ActionRefused, match="in the way"):
        act("spot", unit("a", (900, 100)), hider, target="b", about={"terrain": [house]})
    with pytest.raises(ActionRefused, match="b sees it"):
        act("hide", unit("a", (900, 100)), unit("b", (900, 300)))
    hides = act("hide", unit("a", (900, 100)), unit("b", (900, 300)), about={"terrain": [house]})
    assert (hides.game.unit("a").formation, state(hides, "a")["hidden"]) == ("hidden", True)


@pytest.mark.rule("PR-431")
@pytest.mark.parametrize(
    ("held", "dice", "first"),
    [(2, "3 4", "b"), (2, "4 4", "a"), (2, "5 4", "a"), (1, "", "a"), (0, "", "a")],
)
def test_an_ambush_and_who_shoots_first(held: int, dice: str, first: str) -> None:
    hidden = unit("a", (900, 100), hidden=True, formation="hidden")
    played = act("ambush", hidden, unit("b", (900, 300), held=held), dice=dice, target="b")
    assert told(played, "ambush")[0]["first"] == first
    after = played.game.unit("a")
    assert (after.state["hidden"], after.state["actions_left"], after.formation) == (False, 1, "skirmish")
    with pytest.raises(ActionRefused, match="not hidden"):
        act("ambush", unit("a", (900, 100)), FOE, target="b")


@pytest.mark.rule("PR-203")
@pytest.mark.parametrize("action", ["evade", "take-cover", "hold", "posture", "general", "build", "reload", "turn"])
def test_the_panicked_do_nothing_of_their_own_will(action: str) -> None:
    wanted: dict[str, Json] = {
        "posture": {"posture": "prone"}, "general": {"task": "draw"}, "turn": {"deg": 90},
    }  # fmt: skip
    panicked = unit("a", figure("a-1", 900, 100), morale="panicked", reload_left=1)
    with pytest.raises(ActionRefused, match="panicked"):
        act(action, panicked, FOE, **wanted.get(action, {}))


@pytest.mark.rule("PR-101", "PR-102", "PR-103")
@pytest.mark.parametrize(
    ("kind", "count", "body", "warned"),
    [
        ("line", 5, "team", False), ("line", 6, "squad", False), ("line", 16, "platoon", False),
        ("line", 25, "company", False), ("line", 26, "double-company", True), ("native", 10, "squad", False),
        ("native", 11, "platoon", True),
    ],
)  # fmt: skip
def test_a_units_strength_has_a_name_and_limits(kind: str, count: int, body: str, warned: bool) -> None:
    found = asked(game(line("a", count, 900, 100, type=kind), FOE)).extra
    assert (found["body"], bool(found["warnings"])) == (body, warned)


@pytest.mark.rule("PR-105")
def test_ask_tells_who_commands() -> None:
    assert asked(game(line("a", 5, 900, 100, roles=["sergeant"]), FOE)).extra["command"] == 2
    captain = unit("a2", (1000 + 25 + inches(2) + 0.3, 100), type="leader", roles=["captain"])
    far = asked(game(line("a", 3, 975, 100), captain, FOE, sigma_mm=0.5)).extra
    assert far["borderline"] == ["whether a2-1 leads a: 2.01 ± 0.03 in against 2 in"]


@pytest.mark.rule("PR-213")
def test_foot_soldiers_have_no_horses_to_mount() -> None:
    with pytest.raises(ActionRefused, match="has a horse"):
        act("mount", line("a", 3, 900, 100), FOE)


@pytest.mark.rule("PR-303")
def test_men_on_foot_climb_to_a_roof_and_down_again_for_an_action() -> None:
    house = ground("house", 850, 80, 950, 160, height_mm=40)
    up = act("climb", unit("a", (900, 100), (930, 100)), FOE, at="house", about={"terrain": [house]})
    assert [one.z_mm for one in up.game.unit("a").figures] == [40, 40]
    assert (state(up, "a")["position"], state(up, "a")["actions_left"]) == ("parapet", 1)
    down = do(up.game, action="climb", unit="a", at="house")
    assert [one.z_mm for one in down.game.unit("a").figures] == [0, 0]
    assert (state(down, "a")["position"], state(down, "a")["actions_left"]) == (None, 0)
    one = act("climb", unit("a", (900, 100), (930, 100)), FOE, at="house", men=1, about={"terrain": [house]})
    assert [man.z_mm for man in one.game.unit("a").figures] == [40, 0]
    with pytest.raises(ActionRefused, match="only 1 of a are below"):
        do(one.game, action="climb", unit="a", at="house", men=2)
    both = do(one.game, action="climb", unit="a", at="house", men=1)
    assert [man.z_mm for man in both.game.unit("a").figures] == [40, 40]
    with pytest.raises(ActionRefused, match="nobody of a"):
        act("climb", unit("a", (300, 100)), FOE, at="house", about={"terrain": [house]})
    above = [figure("a-1", 900, 100, z_mm=40), figure("a-2", 930, 100, z_mm=40)]
    half = act("climb", unit("a", *above), FOE, at="house", men=1, about={"terrain": [house]})
    assert ([man.z_mm for man in half.game.unit("a").figures], state(half, "a")["position"]) == ([0, 40], "parapet")
    with pytest.raises(ActionRefused, match="nobody of a"):
        act("climb", unit("a", (900, 100), mounted=True), FOE, at="house", about={"terrain": [house]})
