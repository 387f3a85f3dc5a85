"""How far units go over which ground, what that costs, who falls, who may react."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from tests.engine.presidio.scene import (
    HALF,
    Json,
    do,
    figure,
    game,
    ground,
    inches,
    line,
    moves,
    names,
    row,
    state,
    told,
    unit,
)

FOE = unit("b", (100, 1150))


def walk(dice: str, *units: Json, to: Any = (900, 1100), **more: Any) -> Any:
    """The move of ``a`` with these dice; what is no condition of the game is a key of the move."""
    keys = {key: more.pop(key) for key in ("pace", "facing_deg", "posture", "reload", "override") if key in more}
    return do(game(*units, FOE, **more), dice, action="move", unit="a", to=to, **keys)


def gone(played: Any) -> float:
    """How many inches a move went."""
    return float(told(played, "moved")[0]["distance_mm"]) / 25.4


def alone(kind: str = "skirmish", formation: str = "skirmish", **keys: Any) -> Json:
    """One man at (900, 100)."""
    return unit("a", (900, 100), type=kind, formation=formation, **keys)


@pytest.mark.rule(
    "PR-109", "PR-301", "PR-302", "PR-304", "PR-305", "PR-306", "PR-307", "PR-308", "PR-828", "presidio R-28"
)
@pytest.mark.parametrize(
    ("a", "pace", "far"),
    [
        (alone(), "walk", 10), (alone(), "run", 20), (alone("native"), "walk", 10), (alone("light"), "walk", 10),
        (alone("militia"), "walk", 9), (alone("civilian"), "walk", 6), (alone("leader"), "walk", 9),
        (alone("presidial"), "walk", 9), (alone("line", "column"), "walk", 9),
        (alone("line", "extended-line"), "walk", 4.5), (alone("line", "line"), "run", 9),
        (alone("cavalry", mounted=True), "walk", 15), (alone("cavalry", mounted=True), "run", 30),
        (alone("cavalry", "line", mounted=True), "walk", 7.5), (alone(stats={"move": -1}), "walk", 9),
        (alone(stats={"move": 2}), "run", 24), (alone(posture="prone"), "walk", 2.5),
        (alone("light", "disorder"), "walk", 5), (alone("skirmish", "line"), "walk", 10),
        (alone("wagon", "column", stats={"horses": 4}), "walk", 15), (alone("wagon", "column"), "walk", 9),
        (alone("wagon", "column", stats={"horses": 1}), "walk", 6),
        (alone("livestock", stats={"animal": "mule"}), "walk", 11),
        (alone("light", "line", roles=["drummer"]), "walk", 6),
        (alone("light", "line", roles=["drummer"]), "run", 12),
        (alone("light", "skirmish", roles=["drummer"]), "walk", 10),
    ],
)  # fmt: skip
def test_how_far_a_three_brings_a_unit(a: Json, pace: str, far: float) -> None:
    played = walk("3", a, pace=pace)
    assert gone(played) == pytest.approx(far)
    assert played.game.unit("a").figures[0].y_mm == pytest.approx(100 + inches(far))
    assert (state(played, "a")["actions_left"], state(played, "a")["moved"]) == (1 if pace == "walk" else 0, pace)


@pytest.mark.rule("PR-301")
def test_it_stops_where_it_is_sent_and_still_pays() -> None:
    played = walk("6", alone(), to=(900, 150))
    assert gone(played) == pytest.approx(50 / 25.4)
    assert state(played, "a")["actions_left"] == 1
    assert "stopped" not in names(played.events)


@pytest.mark.rule("PR-301")
def test_the_figure_nearest_the_goal_leads_and_the_others_keep_their_places() -> None:
    played = walk("1", unit("a", (800, 100), (900, 100), (900, 60)), to=(950, 100))
    assert [(one.x_mm, one.y_mm) for one in played.game.unit("a").figures] == [(850, 100), (950, 100), (950, 60)]


@pytest.mark.rule("PR-320")
@pytest.mark.parametrize(("x", "formation", "far"), [(900, "column", 12), (900, "skirmish", 9), (800, "column", 9)])
def test_a_column_goes_farther_wholly_on_a_road(x: float, formation: str, far: float) -> None:
    road = ground("road", 880, 0, 920, 1200)
    a = unit("a", (x, 100), type="line", formation=formation)
    assert gone(walk("3", a, to=(x, 1100), terrain=[road])) == pytest.approx(far)


BARRIERS = [
    ("fence", {}, 12.5 - 2), ("fence", {"height_ft": 5}, None), ("wall", {}, 12.5 - 2), ("works", {}, 12.5 - 2),
    ("stream-small", {}, 12.5 - 2), ("gate", {}, 12.5 - 2), ("road", {}, 12.5),
]  # fmt: skip


@pytest.mark.rule("PR-310", "PR-315")
@pytest.mark.parametrize(("kind", "keys", "far"), BARRIERS)
def test_a_light_barrier_takes_two_inches_once(kind: str, keys: Json, far: float | None) -> None:
    a = alone(stats={"move": 2.5})
    played = walk("3", a, terrain=[ground(kind, 600, 300, 1200, 305, **keys)])
    start = (300 - 100) / 25.4
    assert gone(played) == pytest.approx(start + (12.5 - start) / 2 if far is None else far)


@pytest.mark.rule("PR-310", "PR-315")
def test_who_cannot_pay_stops_at_the_edge() -> None:
    wall = ground("wall", 600, 100 + inches(9), 1200, 100 + inches(9.2))
    played = walk("3", alone(), terrain=[wall])
    assert gone(played) == pytest.approx(9)
    assert told(played, "stopped") == [{"unit": "a", "by": "wall"}]
    assert gone(walk("4", alone(), terrain=[wall])) == pytest.approx(9)


@pytest.mark.rule("PR-517")
@pytest.mark.parametrize(
    ("defender", "by"),
    [(215 + HALF + inches(0.9), "wall"), (215 + HALF + inches(1.1), "b1-1"), (210 - HALF - inches(0.1), "b1-1")],
)
def test_a_wall_that_an_enemy_beyond_it_holds_is_not_crossed(defender: float, by: str) -> None:
    wall = ground("wall", 600, 210, 1200, 215, height_ft=4)
    played = walk("6", alone(), unit("b1", (900, defender)), terrain=[wall])
    assert told(played, "stopped") == [{"unit": "a", "by": by}]


@pytest.mark.rule("PR-310")
def test_riders_pay_four_and_wagons_do_not_pass() -> None:
    fence = ground("fence", 600, 300, 1200, 305)
    rider = alone("cavalry", mounted=True, stats={"expert_riders": True})
    assert gone(walk("3 12", rider, terrain=[fence])) == pytest.approx(11)
    wagon = walk("3", alone("wagon", "column", stats={"horses": 4}), terrain=[fence])
    assert gone(wagon) == pytest.approx(200 / 25.4)


@pytest.mark.rule("PR-311", "PR-313", "PR-315")
@pytest.mark.parametrize(
    ("kind", "rate"),
    [("medium-woods", 2), ("woods", 2), ("rough", 2), ("rocks", 2), ("hill-medium", 2), ("heavy-woods", 4),
     ("swamp", 4), ("thicket", 4), ("abatis", 4), ("hill-steep", 4)],
)  # fmt: skip
def test_in_bad_ground_what_is_left_shrinks(kind: str, rate: float) -> None:
    played = walk("5", alone(), terrain=[ground(kind, 600, 100 + inches(6), 1200, 900)])
    assert gone(played) == pytest.approx(6 + 6 / rate)


@pytest.mark.rule("PR-311", "PR-313", "PR-315")
@pytest.mark.parametrize(
    ("kind", "keys", "rate"),
    [("fence", {"height_ft": 5}, 2), ("wall", {"height_ft": 7}, 4), ("palisade", {}, 4), ("trench", {}, 2),
     ("stream-medium", {}, 2)],
)  # fmt: skip
def test_a_thin_obstacle_leaves_half_or_a_quarter_of_what_is_left(kind: str, keys: Json, rate: float) -> None:
    played = walk("5", alone(), terrain=[ground(kind, 600, 100 + inches(6), 1200, 106 + inches(6), **keys)])
    assert gone(played) == pytest.approx(6 + 6 / rate)


@pytest.mark.rule("PR-311", "PR-313", "PR-314")
@pytest.mark.parametrize(
    ("kind", "keys", "mounted"),
    [("river", {}, False), ("cliff", {}, False), ("gate", {"shut": True}, False), ("wall", {"height_ft": 9}, False),
     ("medium-woods", {}, True), ("swamp", {}, True), ("trench", {}, True), ("palisade", {}, True)],
)  # fmt: skip
def test_what_nobody_or_no_rider_crosses(kind: str, keys: Json, mounted: bool) -> None:
    a = alone("cavalry", mounted=mounted)
    played = walk("6", a, terrain=[ground(kind, 600, 200, 1200, 260, **keys)])
    assert gone(played) == pytest.approx(100 / 25.4)
    assert told(played, "stopped")[0]["by"] == kind


@pytest.mark.rule("PR-314", "PR-320")
def test_bridges_lead_over_rivers_and_gates_through_walls() -> None:
    river, bridge = ground("river", 0, 200, 1800, 260), ground("bridge", 880, 190, 920, 270)
    assert gone(walk("3", alone(), terrain=[river, bridge])) == pytest.approx(10)
    wall = ground("wall", 0, 200, 1800, 206, height_ft=9)
    gate = ground("gate", 880, 195, 920, 211)
    assert gone(walk("3", alone(), terrain=[wall, gate])) == pytest.approx(8)


@pytest.mark.rule("PR-310")
def test_a_house_is_entered_by_its_door() -> None:
    house, door = ground("house", 800, 200, 1000, 400), ground("door", 880, 196, 920, 204)
    assert gone(walk("3", alone(), to=(900, 350), terrain=[house, door])) == pytest.approx(8)
    by_the_wall = walk("3", unit("a", (830, 100)), to=(830, 350), terrain=[house, door])
    assert told(by_the_wall, "stopped")[0]["by"] == "house"
    assert gone(walk("3", alone(), to=(900, 350), terrain=[house])) == pytest.approx(8)


@pytest.mark.rule("PR-310", "PR-311", "PR-313", "PR-316")
@pytest.mark.parametrize(
    ("a", "kind", "after"),
    [
        (alone("line", "column"), "medium-woods", "skirmish"), (alone("line", "line"), "heavy-woods", "skirmish"),
        (alone("line", "column"), "light-woods", "column"), (alone("line", "column"), "rough", "column"),
        (alone("cavalry", "column", mounted=True), "light-woods", "skirmish"),
        (alone("skirmish", "line"), "rough", "skirmish"),
    ],
)  # fmt: skip
def test_woods_break_up_formed_units(a: Json, kind: str, after: str) -> None:
    played = walk("3", a, terrain=[ground(kind, 600, 150, 1200, 900)])
    assert played.game.unit("a").formation == after


@pytest.mark.rule("PR-309", "PR-323", "PR-428", "PR-424", "PR-322")
@pytest.mark.parametrize(
    ("a", "keys", "far"),
    [
        (alone(), {"posture": "kneeling"}, 9), (alone(posture="kneeling"), {"posture": "standing"}, 9),
        (alone(), {"posture": "prone"}, 8), (alone(posture="prone"), {"posture": "standing"}, 8),
        (alone("line", "column"), {"facing_deg": 90}, 7), (alone("line", "column"), {"facing_deg": 0}, 9),
        (alone(), {"facing_deg": 90}, 10), (alone(reload_left=3), {"reload": 2}, 6),
        (alone(reload_left=3), {"reload": 1, "pace": "run"}, 16), (alone(fired_moving=True), {}, 9),
        (alone(fired_moving=True), {"pace": "run"}, 16),
    ],
)  # fmt: skip
def test_what_is_done_on_the_way_takes_inches(a: Json, keys: Json, far: float) -> None:
    played = walk("3", a, **keys)
    assert gone(played) == pytest.approx(far)
    after = played.game.unit("a")
    if "posture" in keys:
        assert after.state["posture"] == keys["posture"]
    if "facing_deg" in keys:
        assert after.figures[0].bearing_deg == keys["facing_deg"]
    if "reload" in keys:
        assert after.state["reload_left"] == 3 - keys["reload"]


@pytest.mark.rule("PR-427", "PR-428")
def test_light_troops_load_on_the_way_for_another_way_of_firing() -> None:
    """Who has fired by files loads every piece before a volley, and may do so as he goes."""
    light = alone("light", "skirmish", weapon="flintlock-musket", fire_mode="independent")
    begun = walk("3", light, reload=2)
    assert gone(begun) == pytest.approx(7 + 3 - 4)
    assert state(begun, "a")["reload_left"] == 2
    done = do(begun.game, "3", action="move", unit="a", to=[900.0, 1100.0], reload=2)
    assert (state(done, "a")["reload_left"], state(done, "a")["fire_mode"]) == (0, None)
    with pytest.raises(ActionRefused, match="only 4 more"):
        walk("", light, reload=5)


@pytest.mark.rule("PR-428", "PR-321", "PR-210", "PR-207", "PR-203")
@pytest.mark.parametrize(
    ("a", "keys", "why"),
    [
        (alone("line", "column", reload_left=3), {"reload": 1}, "light troops"),
        (alone(reload_left=1), {"reload": 2}, "only 1 more"),
        (alone("line", "disorder"), {}, "must reform"),
        (alone(actions_left=0), {}, "needs 1 action"),
        (alone(actions_left=1), {"pace": "run"}, "needs 2 actions"),
        (alone(morale="panicked"), {}, "panicked"),
        (alone(engaged_with=["b"]), {}, "in melee"),
        (alone(), {"to": (900, 5000)}, "off the table"),
    ],
)
def test_what_keeps_a_unit_from_moving(a: Json, keys: Json, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        walk("", a, **keys)


@pytest.mark.rule("PR-211", "presidio R-27")
@pytest.mark.parametrize(
    ("people", "year", "left"),
    [("spanish", 1700, 2), ("mexican", 1700, 2), ("pueblo", 1749, 1), ("pueblo", 1750, 2), ("comanche", 1750, 2),
     ("yuta", 1749, 1), ("apache", 1800, 1), ("apache", 1801, 2), ("other", 1850, 1)],
)  # fmt: skip
def test_whose_riders_keep_their_actions(people: str, year: int, left: int) -> None:
    a = alone("cavalry", mounted=True, stats={"people": people})
    assert state(walk("3", a, year=year), "a")["actions_left"] == left
    assert state(walk("3", a, year=year, pace="run"), "a")["actions_left"] == (2 if left == 2 else 0)


@pytest.mark.rule("PR-211")
def test_even_they_ride_twice_at_most() -> None:
    a = alone("cavalry", mounted=True, stats={"people": "spanish"})
    once = walk("1", a, to=(900, 200))
    twice = do(once.game, "1", action="move", unit="a", to=(900, 300))
    assert state(twice, "a")["moved"] == "run"
    with pytest.raises(ActionRefused, match="ridden twice"):
        do(twice.game, "", action="move", unit="a", to=(900, 400))


JUMP = ground("fence", 600, 200, 1200, 205)


@pytest.mark.rule("PR-214", "PR-312", "presidio R-8")
@pytest.mark.parametrize(
    ("people", "barrier", "options", "dice", "falls"),
    [
        ("spanish", JUMP, {}, "1", True), ("spanish", JUMP, {}, "2", False), ("other", JUMP, {}, "4", True),
        ("other", JUMP, {}, "5", False), ("other", {**JUMP, "height_ft": 2}, {}, "1 1", True),
        ("other", {**JUMP, "height_ft": 2}, {}, "1 2", False), ("other", {**JUMP, "height_ft": 2}, {}, "2", False),
        ("other", JUMP, {"jump": "d6"}, "2", False), ("other", {**JUMP, "kind": "wall"}, {}, "2", False),
        ("other", {**JUMP, "kind": "stream-small"}, {"jump": "d12"}, "4", True),
        ("other", {**JUMP, "kind": "light-woods"}, {}, "", False),
        ("other", {**JUMP, "kind": "gate"}, {}, "", False),
    ],
)  # fmt: skip
def test_riders_who_jump_may_fall(people: str, barrier: Json, options: Json, dice: str, falls: bool) -> None:
    a = unit("a", (900, 100), (950, 100), type="cavalry", mounted=True, stats={"people": people})
    terrain = [{**barrier, "polygon_mm": [[600, 200], [920, 200], [920, 205], [600, 205]]}]
    played = walk(f"6 {dice}", a, terrain=terrain, options=options)
    assert told(played, "fell") == ([{"unit": "a", "figure": "a-1"}] if falls else [])
    assert len(played.game.unit("a").figures) == (1 if falls else 2)
    if falls:
        assert state(played, "a")["casualties"] == 1


@pytest.mark.rule("PR-325", "PR-708")
def test_lines_that_pass_or_are_passed_check_their_order() -> None:
    through = unit("a", (900, 100), type="native")
    passed = line("a2", 5, 900, 200)
    played = walk("6 3", through, passed, to=(900, 320))
    assert [one["unit"] for one in told(played, "formation-check")] == ["a2"]
    assert played.game.unit("a2").formation == "disorder"
    both = walk("6 5 6 6", unit("a", (900, 100), type="line", formation="column"), passed, to=(900, 320))
    assert [one["unit"] for one in told(both, "formation-check")] == ["a", "a2"]
    assert "formation-check" not in names(walk("6", through, passed, to=(900, 150)).events)


def watching(y: float, **keys: Any) -> Json:
    """A formed enemy that put actions aside."""
    return line("c", 3, 900, y, **{"held": 2, **keys})


@pytest.mark.rule("PR-215")
@pytest.mark.parametrize(
    ("c", "actions"),
    [
        (watching(900), None),
        (watching(640), 1),
        (watching(400), 2),
        (watching(400, held=1), 1),
        (watching(400, held=0), None),
        (watching(400, held=2, actions_left=0), None),
        (watching(400, morale="panicked"), None),
    ],
)
def test_who_put_actions_aside_may_react_to_what_comes_near(c: Json, actions: int | None) -> None:
    played = walk("3", alone(), c, to=(900, 330))
    assert [one["actions"] for one in told(played, "reaction-offered")] == ([] if actions is None else [actions])


@pytest.mark.rule("PR-215")
def test_only_what_comes_before_the_front() -> None:
    away = line("c", 3, 900, 400, held=2)
    away["figures"] = [figure(f"c-{n}", 875 + 25 * n, 400, 0) for n in range(3)]
    assert "reaction-offered" not in names(walk("3", alone(), away, to=(900, 330)).events)
    loose = {**away, "formation": "skirmish"}
    assert "reaction-offered" in names(walk("3", alone(), loose, to=(900, 330)).events)


@pytest.mark.rule("PR-215")
def test_what_only_passes_the_front_is_seen_on_the_way() -> None:
    c = watching(800)
    passing = unit("a", (400, 600))
    played = walk("6", passing, c, to=(1400, 600), pace="run")
    assert told(played, "reaction-offered")[0]["to"] == "c"


@pytest.mark.rule("PR-301")
def test_nobody_walks_through_an_enemy_or_off_the_table() -> None:
    c = unit("c", (900, 200))
    assert told(walk("6", alone(), c), "stopped")[0]["by"] == "c-1"
    assert gone(walk("6", alone(), c)) == pytest.approx(75 / 25.4)


@pytest.mark.rule("PR-213")
def test_horse_holders_stay_behind() -> None:
    a = unit("a", (900, 100), (950, 100), type="cavalry", roles=["horse-holder"])
    after = walk("3", a, to=(950, 200)).game.unit("a")
    assert [one.y_mm for one in after.figures] == [100, 200]


@pytest.mark.rule("PR-301", "PR-306")
@pytest.mark.parametrize(
    ("a", "most", "least"),
    [(alone(), 13, 8), (line("a", 4, 900, 100), 6, 3.5), (alone("cavalry", mounted=True), 18, 13)],
)
def test_ask_says_how_far_a_walk_can_be(a: Json, most: float, least: float) -> None:
    found = moves(a, FOE)
    assert found.allowance_mm == pytest.approx(inches(most))
    assert found.extra["min_mm"] == pytest.approx(inches(least))
    assert found.extra["roll"] == {"count": 1, "die": "d6"}
    assert max(y for _, y in found.reach_mm) == pytest.approx(100 + inches(most) + 12.5, abs=0.6)
    assert found.modes == ("walk", "run")


@pytest.mark.rule("PR-314", "PR-310")
def test_ground_in_reach_ends_at_the_river() -> None:
    river = ground("river", 0, 200, 1800, 260)
    found = moves(unit("a", *row(3, 900, 100)), FOE, terrain=[river])
    assert max(y for _, y in found.reach_mm) < 220
