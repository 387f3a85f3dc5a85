"""Moving hex by hex: what it costs in all, where it ends, and whom it disorders."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, DiceError, UnknownAction
from engine.rulesets.musket_pike.movement.steps import turned_towards
from tests.engine.musket_pike.scene import after, asked, do, game, ground, hexside, told, unit


def reach(*units: Any, **more: Any) -> dict[tuple[int, int], float]:
    found = asked(game(*units, **more)).move.extra["reach_hexes"]
    return {tuple(one["hex"]): one["cost_mp"] for one in found}


def refused(of: Any, action: str, **keys: Any) -> tuple[str, ...]:
    with pytest.raises(ActionRefused) as caught:
        do(of, action, **keys)
    return tuple(caught.value.reasons)


@pytest.mark.rule("MP-40")
@pytest.mark.parametrize(
    ("kind", "formation", "stats", "points"),
    [
        ("leader", None, {}, 24), ("infantry", "line", {}, 12), ("pioneer", "column", {}, 12),
        ("skirmisher", None, {}, 12), ("cavalry", None, {}, 20), ("squadron", None, {}, 20),
        ("cavalry", "dismounted", {"attributes": ["dragoon"]}, 20), ("artillery", "limbered", {}, 12),
        ("artillery", "limbered", {"attributes": ["horse-artillery"]}, 18), ("supply-wagon", None, {}, 10),
        ("ship", None, {}, 0), ("infantry", "line", {"movement": 7}, 7),
    ],
)  # fmt: skip
def test_each_type_has_its_points(kind: str, formation: Any, stats: Any, points: float) -> None:
    found = asked(game(unit("a", (4, 4), kind, formation, stats=stats))).move.extra
    assert (found["allowance_mp"], found["remaining_mp"]) == (points, points)


@pytest.mark.rule("MP-54")
@pytest.mark.parametrize(
    ("kind", "points"), [("infantry", 8), ("cavalry", 13), ("artillery", 8), ("skirmisher", 8), ("squadron", 13)]
)
def test_disorder_leaves_two_thirds_of_the_points_rounded_down(kind: str, points: float) -> None:
    formation = "limbered" if kind == "artillery" else None
    found = asked(game(unit("a", (4, 4), kind, formation, disordered=True))).move.extra
    assert found["allowance_mp"] == points


@pytest.mark.rule("MP-40")
def test_a_way_needs_the_full_cost_of_each_step() -> None:
    found = reach(unit("a", (4, 4), mp_used=4))
    assert found[(5, 4)] == 4
    assert found[(6, 5)] == 8
    assert (7, 5) not in found
    assert max(found.values()) <= 8


@pytest.mark.rule("MP-54")
def test_ground_that_disorders_on_the_way_cuts_the_way_short() -> None:
    # in order 12 points: 8 for the orchard's neighbour; disordered by the orchard (6) only 2 of 8 are left
    orchard = [ground("orchard", *[(5, row) for row in range(18)])]
    assert (6, 4) not in reach(unit("a", (4, 4)), terrain=orchard)
    assert reach(unit("a", (4, 4), "infantry", "column"), terrain=orchard)[(6, 4)] == 7


@pytest.mark.rule("MP-72", "MP-84")
def test_a_zone_of_control_ends_the_way_but_does_not_hold_who_starts_in_it() -> None:
    wall = [unit(f"b-{row}", (7, row), "infantry", stats={"strength": 50}) for row in range(0, 18, 2)]
    found = reach(unit("a", (4, 4), "cavalry"), *wall)
    assert (6, 4) in found
    assert not any(column > 6 for column, _ in found)
    inside = reach(unit("a", (6, 4), "cavalry"), unit("b", (7, 4)))
    assert (4, 4) in inside


@pytest.mark.rule("MP-72")
def test_entering_a_zone_of_control_uses_up_all_points() -> None:
    played = do(game(unit("a", (4, 4)), unit("b", (6, 5))), "move", unit="a", path=["NE", "NE"])
    assert after(played, "a").hex == (5, 4)
    assert after(played, "a").state["mp_used"] == 12
    assert [facts["unit"] for facts in told(played, "stopped")] == ["a"]


@pytest.mark.rule("MP-41", "MP-62")
def test_moving_marks_the_unit_and_adds_up_its_points() -> None:
    played = do(game(unit("a", (4, 4), "infantry", "column")), "move", unit="a", path=["NE", "SE", "S"])
    moved = after(played, "a")
    assert (moved.hex, moved.state["facing"]) == ((6, 3), "DR")
    assert (moved.state["mp_used"], moved.state["moved"], moved.state["exerted"]) == (9, True, True)
    assert [(facts["to"], facts["cost_mp"]) for facts in told(played, "moved")] == [
        ([5, 4], 3), ([6, 4], 3), ([6, 3], 3),
    ]  # fmt: skip


@pytest.mark.rule("MP-62", "musket-pike R13")
@pytest.mark.parametrize(
    ("facing", "expected"),
    [(0, (0, 0, 1, 2, 4, 5)), (1, (0, 1, 1, 2, 3, 5)), (3, (5, 1, 2, 3, 3, 4)), (5, (5, 0, 1, 3, 4, 5))],
)
def test_who_marches_turns_by_the_fewest_vertices_so_that_the_step_was_frontal(facing: int, expected: Any) -> None:
    assert tuple(turned_towards(facing, direction) for direction in range(6)) == expected
    for direction, after_it in enumerate(expected):
        assert (direction - after_it) % 6 in (0, 1)


@pytest.mark.rule("MP-62", "MP-54")
def test_riders_whom_the_way_has_disordered_turn_on_the_spot_for_nothing() -> None:
    of = game(unit("a", (4, 4), "cavalry", mp_used=15, disordered=True), unit("b", (12, 4)))
    turned = do(of, "turn", unit="a", facing="L")
    assert (after(turned, "a").state["facing"], after(turned, "a").state["mp_used"]) == ("L", 15)


@pytest.mark.rule("MP-62")
def test_lines_keep_their_facing_as_they_move() -> None:
    played = do(game(unit("a", (4, 4))), "move", unit="a", path=["N"])
    assert (after(played, "a").state["facing"], after(played, "a").state["mp_used"]) == ("R", 6)


@pytest.mark.rule("MP-49")
@pytest.mark.parametrize(("formation", "facing"), [("line", "UR"), ("extended-line", "UR"), ("block", "R")])
def test_a_line_that_joins_a_line_takes_over_its_facing(formation: str, facing: str) -> None:
    of = game(unit("a", (4, 4), "infantry", formation), unit("a-2", (5, 4), facing="UR"))
    assert after(do(of, "move", unit="a", path=["NE"]), "a").state["facing"] == facing


@pytest.mark.rule("MP-46", "MP-54")
def test_a_line_that_enters_a_wood_is_disordered_there() -> None:
    of = game(unit("a", (4, 4)), terrain=[ground("forest", (5, 4))])
    played = do(of, "move", unit="a", path=["NE"])
    assert after(played, "a").state["disordered"] is True
    assert played.events[1].rule == "MP-46"


@pytest.mark.rule("MP-40")
def test_a_path_that_is_too_dear_is_refused_as_a_whole() -> None:
    of = game(unit("a", (4, 4)))
    assert len(refused(of, "move", unit="a", path=["NE", "SE", "NE", "SE"])) == 1
    assert after(do(of, "move", unit="a", path=["NE", "SE", "NE"]), "a").state["mp_used"] == 12


@pytest.mark.parametrize(
    ("state", "conditions", "rows"),
    [
        pytest.param({"fired": True}, {}, ["MP-12"], marks=pytest.mark.rule("MP-12")),
        pytest.param({"meleed": True}, {}, ["MP-13"], marks=pytest.mark.rule("MP-13")),
        pytest.param({"fixed": True}, {}, ["MP-65"], marks=pytest.mark.rule("MP-65")),
        pytest.param({}, {"active": "b"}, ["MP-11"], marks=pytest.mark.rule("MP-11")),
        pytest.param(
            {}, {"mode": "phases", "phase": "melee"}, ["MP-14"], marks=pytest.mark.rule("MP-14", "musket-pike R37")
        ),
        pytest.param({}, {"mode": "phases", "phase": "movement"}, [], marks=pytest.mark.rule("MP-14")),
        pytest.param({"fired": True, "fixed": True}, {"active": "b"}, ["MP-11", "MP-12", "MP-65"]),
    ],
)
def test_why_a_unit_may_not_move(state: Any, conditions: Any, rows: Any) -> None:
    of = game(unit("a", (4, 4), **state), **conditions)
    move = asked(of).move.extra
    assert all(one["why_rules"] == rows for one in move["steps"])
    assert bool(move["reach_hexes"]) is (not rows)
    if rows:
        assert len(refused(of, "move", unit="a", path=["NE"])) == len(rows)


@pytest.mark.rule("MP-23", "MP-27", "MP-88")
@pytest.mark.parametrize(
    ("kind", "state", "row"),
    [("artillery", {}, "MP-23"), ("ship", {}, "MP-27"), ("artillery", {"uncrewed": True}, "MP-88")],
)
def test_guns_in_action_and_ships_stay(kind: str, state: Any, row: str) -> None:
    move = asked(game(unit("a", (4, 4), kind, **state))).move.extra
    assert all(row in one["why_rules"] for one in move["steps"])
    assert move["reach_hexes"] == []


@pytest.mark.rule("MP-66")
def test_leaders_and_wagons_alone_are_overrun_by_who_enters() -> None:
    of = game(
        unit("a", (4, 4)),
        unit("b-l", (5, 4), "leader"),
        unit("b-w", (5, 4), "supply-wagon", stats={"strength": 25}),
    )
    played = do(of, "move", unit="a", path=["NE"])
    assert "b-l" not in played.game.by_id
    wagon = after(played, "b-w")
    assert (wagon.side, wagon.stats["strength"], wagon.hex) == ("a", 12, (5, 4))
    assert told(played, "overrun") == [{"unit": "a", "units": ["b-l", "b-w"]}]
    assert {facts["unit"]: facts["by"] for facts in told(played, "captured")} == {"b-l": "a", "b-w": "a"}


@pytest.mark.rule("MP-213")
def test_a_leader_taken_is_followed_by_his_first_deputy() -> None:
    def leader(name: str, hex: Any, **stats: Any) -> Any:
        return unit(name, hex, "leader", stats=stats)

    of = game(
        unit("a", (4, 4)),
        leader("b-army", (12, 12), level="army"),
        leader("b-l", (5, 4), level="wing", commander="b-army"),
        leader("b-first", (9, 9), commander="b-l", secondary=True),
        leader("b-second", (9, 9), commander="b-l", secondary=True),
        unit("b-1", (10, 10), stats={"commander": "b-l"}),
    )
    now = do(of, "move", unit="a", path=["NE"]).game
    first = now.unit("b-first").stats
    assert (first["commander"], first["secondary"]) == ("b-army", False)
    assert [now.unit(name).stats["commander"] for name in ("b-second", "b-1")] == ["b-first", "b-first"]


@pytest.mark.rule("MP-50", "MP-51", "MP-52")
@pytest.mark.parametrize(
    ("mover", "there", "men", "disordered"),
    [
        (("infantry", "line"), ("infantry", "column"), 400, {"a", "a-2"}),
        (("infantry", "column"), ("infantry", "column"), 400, set()),
        (("cavalry", None), ("infantry", "block"), 400, {"a", "a-2"}),
        (("cavalry", None), ("skirmisher", None), 199, {"a-2"}),
        (("cavalry", None), ("skirmisher", None), 200, {"a", "a-2"}),
        (("skirmisher", None), ("infantry", "line"), 400, set()),
    ],
)
def test_units_that_come_together_disorder_each_other_in_passing_too(
    mover: Any, there: Any, men: int, disordered: Any
) -> None:
    of = game(unit("a", (4, 4), *mover), unit("a-2", (5, 4), *there, stats={"strength": men}))
    for path in (["NE"], ["NE", "NE"]):
        if path == ["NE", "NE"] and mover[1] == "line":
            continue
        played = do(of, "move", unit="a", path=path)
        assert {one.id for one in played.game.units if one.state.get("disordered")} == disordered


@pytest.mark.rule("MP-225")
def test_a_routed_unit_disorders_the_friends_that_it_runs_through() -> None:
    of = game(
        unit("a", (4, 4), routed=True), unit("a-2", (5, 4), "infantry", "column"), unit("a-3", (5, 4), "leader")
    )
    played = do(of, "move", unit="a", path=["NE", "NE"])
    assert [facts["unit"] for facts in told(played, "disordered")] == ["a-2"]
    assert after(played, "a").state.get("disordered", False) is False


@pytest.mark.rule("MP-61")
def test_a_marching_column_follows_its_head_unit_by_unit() -> None:
    column = [
        unit(name, (4, 4 - n), "infantry", "column", facing="UR") for n, name in enumerate(("a", "a-2", "a-3"))
    ]
    of = game(*column)
    for name, path in (("a", ["N", "NE"]), ("a-2", ["N", "N"]), ("a-3", ["N", "N"])):
        of = do(of, "move", unit=name, path=path).game
    assert [one.hex for one in of.units] == [(5, 5), (4, 5), (4, 4)]
    assert {one.state["mp_used"] for one in of.units} == {6}


@pytest.mark.rule("MP-40")
def test_units_of_a_hex_move_together_each_by_its_own_costs() -> None:
    of = game(
        unit("a", (4, 4), "infantry", "column"),
        unit("a-l", (4, 4), "leader"),
        unit("a-c", (4, 4), "artillery", "limbered"),
    )
    played = do(of, "move", unit="a", with_=["a-l", "a-c"], path=["NE", "NE"])
    assert {after(played, name).hex for name in ("a", "a-l", "a-c")} == {(6, 5)}
    assert [after(played, name).state["mp_used"] for name in ("a", "a-l", "a-c")] == [6, 6, 6]


@pytest.mark.rule("MP-55")
def test_on_a_road_only_the_first_of_a_stack_pays_the_road() -> None:
    terrain = [{"id": "r", "kind": "pike", "path": [[4, 4], [5, 4], [6, 5]]}]
    of = game(unit("a", (4, 4), "infantry", "column"), unit("a-2", (4, 4), "infantry", "column"), terrain=terrain)
    played = do(of, "move", unit="a", with_=["a-2"], path=["NE", "NE"])
    assert [after(played, name).state["mp_used"] for name in ("a", "a-2")] == [2, 6]


@pytest.mark.rule("MP-58")
def test_a_bridge_is_entered_by_one_unit_at_a_time() -> None:
    terrain = [ground("water", (5, 4)), ground("bridge", (5, 4))]
    of = game(unit("a", (4, 4), "infantry", "column"), unit("a-2", (4, 4), "infantry", "column"),
              unit("a-l", (4, 4), "leader"), terrain=terrain)  # fmt: skip
    assert "one unit at a time" in refused(of, "move", unit="a", with_=["a-2"], path=["NE"])[0]
    on_it = do(of, "move", unit="a", path=["NE"]).game
    assert "one unit at a time" in refused(on_it, "move", unit="a-2", path=["NE"])[0]
    assert after(do(on_it, "move", unit="a", path=["NE"]), "a").hex == (6, 5)
    assert after(do(of, "move", unit="a", with_=["a-l"], path=["NE", "NE"]), "a-l").hex == (6, 5)


@pytest.mark.rule("MP-40")
def test_a_stack_goes_only_as_far_as_its_slowest() -> None:
    of = game(unit("a", (4, 4), "cavalry"), unit("a-2", (4, 4), "supply-wagon"))
    assert refused(of, "move", unit="a", with_=["a-2"], path=["NE", "NE", "NE"])[0].startswith("a-2")
    assert after(do(of, "move", unit="a", with_=["a-2"], path=["NE", "NE"]), "a").state["mp_used"] == 6


@pytest.mark.rule("MP-60")
def test_a_leader_crosses_with_a_unit_that_has_boats() -> None:
    of = game(unit("a", (4, 4), "infantry", "column", stats={"attributes": ["has-boats"]}),
              unit("a-l", (4, 4), "leader"), terrain=[ground("water", (5, 4))])  # fmt: skip
    played = do(of, "move", unit="a", with_=["a-l"], path=["NE"])
    assert (after(played, "a-l").hex, after(played, "a-l").state["mp_used"]) == ((5, 4), 8)
    refused(of, "move", unit="a-l", path=["NE"])


@pytest.mark.rule("MP-71", "musket-pike R15")
@pytest.mark.parametrize(
    ("quality", "percent"), [("A+", None), ("A", None), ("B", None), ("C", 5), ("D", 15), ("E", 25), ("F", 35)]
)
def test_by_option_each_hex_entered_in_line_may_disorder(quality: str, percent: int | None) -> None:
    of = game(unit("a", (4, 4), stats={"quality": quality}), options={"line_movement_restriction": True})
    if percent is None:
        assert do(of, "move", unit="a", path=["NE", "NE"]).rolls == ()
        return
    played = do(of, "move", percent, percent - 1, unit="a", path=["NE", "NE"])
    assert [facts["unit"] for facts in told(played, "disordered")] == ["a"]
    assert after(played, "a").hex == (6, 5)
    assert (
        do(of, "move", percent, percent, unit="a", path=["NE", "NE"]).game.unit("a").state.get("disordered") is None
    )


@pytest.mark.rule("MP-71", "MP-54")
def test_who_is_disordered_on_the_way_stops_where_its_points_end_and_is_asked_no_more() -> None:
    of = game(unit("a", (4, 4)), options={"line_movement_restriction": True})
    played = do(of, "move", 0, unit="a", path=["NE", "SE", "NE"])
    assert (after(played, "a").hex, after(played, "a").state["mp_used"]) == ((6, 4), 8)
    assert told(played, "stopped")[0]["unit"] == "a"
    with pytest.raises(DiceError):
        do(of, "move", 0, 50, unit="a", path=["NE", "SE"])


@pytest.mark.rule("MP-71")
def test_a_nation_may_have_its_own_chance_of_line_disorder() -> None:
    of = game(unit("a", (4, 4), stats={"nation": "sax"}), options={"line_movement_restriction": True},
              parameters={"nations": {"sax": {"line_disorder_percent": 40}}})  # fmt: skip
    assert after(do(of, "move", 39, unit="a", path=["NE"]), "a").state["disordered"] is True
    assert "disordered" not in after(do(of, "move", 40, unit="a", path=["NE"]), "a").state


@pytest.mark.rule("MP-71")
def test_columns_are_not_tested_and_stacks_in_their_order() -> None:
    of = game(unit("a", (4, 4)), unit("a-2", (4, 4)), unit("a-3", (4, 4), "skirmisher"),
              options={"line_movement_restriction": True})  # fmt: skip
    played = do(of, "move", 99, 0, unit="a", with_=["a-2", "a-3"], path=["NE"])
    assert [facts["unit"] for facts in told(played, "disordered")] == ["a-2"]


@pytest.mark.rule("MP-47")
def test_ways_lead_round_what_cannot_be_crossed() -> None:
    walls = [hexside("high-wall", 4, 4, name) for name in ("N", "NE", "SE", "S", "SW")]
    found = reach(unit("a", (4, 4), "cavalry"), terrain=walls)
    assert found[(5, 4)] == 9


def test_units_that_go_along_must_be_there() -> None:
    of = game(unit("a", (4, 4)), unit("a-2", (9, 9)), unit("b", (4, 4), "leader"))
    with pytest.raises(UnknownAction, match="with: expected one of"):
        do(of, "move", unit="a", with_=["nobody"], path=["N"])
    assert len(refused(of, "move", unit="a", with_=["a-2"], path=["N"])) == 1
    assert "not of a" in " ".join(refused(of, "move", unit="a", with_=["b"], path=["N"]))
