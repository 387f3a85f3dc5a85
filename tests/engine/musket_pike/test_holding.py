"""Threat, zones of control, morale, changes of formation: what holds a unit and what shakes it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from engine.rulesets.musket_pike.table.troops import QUALITY
from tests.engine.musket_pike.scene import after, asked, do, game, ground, hexside, told, unit


def facts(*units: Any, **more: Any) -> Any:
    return asked(game(*units, **more)).extra


@pytest.mark.rule("MP-80")
@pytest.mark.parametrize(
    ("kind", "formation", "strength", "by_distance"),
    [
        ("infantry", "line", 300, (6, 3, 0, 0, 0, 0, 0)),
        ("pioneer", "column", 300, (6, 3, 0, 0, 0, 0, 0)),
        ("infantry", "block", 250, (5, 2.5, 0, 0, 0, 0, 0)),
        ("cavalry", "dismounted", 100, (2, 1, 0, 0, 0, 0, 0)),
        ("skirmisher", "skirmish", 50, (1, 0.5, 0, 0, 0, 0, 0)),
        ("artillery", "unlimbered", 6, (12, 12, 6, 6, 0, 0, 0)),
        ("artillery", "limbered", 6, (12, 12, 6, 6, 0, 0, 0)),
        ("cavalry", "mounted", 300, (9, 9, 6, 6, 3, 3, 0)),
        ("squadron", "mounted", 100, (3, 3, 2, 2, 1, 1, 0)),
    ],
)
def test_threat_falls_with_the_distance_by_kind(kind: str, formation: str, strength: int, by_distance: Any) -> None:
    attributes = ["dragoon"] if formation == "dismounted" else []
    for away, threat in enumerate(by_distance, start=1):
        enemy = unit("b", (10, 4), kind, formation, stats={"strength": strength, "attributes": attributes})
        assert facts(unit("a", (10 - away, 4)), enemy)["threat"] == pytest.approx(threat)


@pytest.mark.rule("MP-80", "MP-81", "musket-pike R16")
@pytest.mark.parametrize(
    ("kind", "state", "threat"),
    [
        ("infantry", {}, 8), ("infantry", {"facing": "R"}, 0), ("infantry", {"disordered": True}, 0),
        ("infantry", {"routed": True}, 0), ("skirmisher", {"facing": "R"}, 8), ("leader", {}, 0),
        ("supply-wagon", {}, 0), ("ship", {}, 0), ("artillery", {"uncrewed": True}, 0),
        ("artillery", {"setup": "setting-up"}, 12),
    ],
)  # fmt: skip
def test_only_units_in_order_that_face_the_hex_threaten_it(kind: str, state: Any, threat: float) -> None:
    assert facts(unit("a", (4, 4)), unit("b", (5, 4), kind, **state))["threat"] == threat


@pytest.mark.rule("MP-80", "musket-pike R2")
@pytest.mark.parametrize(("flanks", "threat"), [(True, 0), (False, 8)])
def test_a_block_threatens_only_ahead_unless_the_players_say_otherwise(flanks: bool, threat: float) -> None:
    enemy = unit("b", (5, 4), "infantry", "block", facing="R")
    assert facts(unit("a", (4, 4)), enemy, options={"block_has_flanks": flanks})["threat"] == threat


@pytest.mark.rule("MP-80")
def test_threats_add_up_without_rounding() -> None:
    enemies = [unit("b-1", (5, 4), stats={"strength": 333}), unit("b-2", (6, 4), stats={"strength": 125})]
    assert facts(unit("a", (4, 4)), *enemies)["threat"] == pytest.approx(6.66 + 1.25)


@pytest.mark.rule("MP-84", "MP-85", "musket-pike R16")
@pytest.mark.parametrize(
    ("kind", "formation", "state", "zone"),
    [
        ("infantry", "line", {}, [[5, 4], [5, 3]]), ("infantry", "column", {"disordered": True}, [[5, 4], [5, 3]]),
        ("cavalry", "mounted", {"facing": "UL"}, [[3, 4], [4, 5]]),
        ("infantry", "block", {}, [[4, 5], [5, 4], [5, 3], [4, 3], [3, 3], [3, 4]]),
        ("artillery", "unlimbered", {}, [[5, 4], [5, 3]]), ("artillery", "limbered", {}, []),
        ("artillery", "unlimbered", {"uncrewed": True}, []), ("infantry", "line", {"routed": True}, []),
        ("skirmisher", "skirmish", {}, []), ("leader", "mounted", {}, []), ("supply-wagon", "column", {}, []),
        ("ship", "anchored", {}, []),
    ],
)  # fmt: skip
def test_whose_zone_of_control_reaches_where(kind: str, formation: str, state: Any, zone: Any) -> None:
    assert facts(unit("a", (4, 4), kind, formation, **state))["zoc"] == zone


@pytest.mark.rule("MP-84")
def test_zones_end_at_the_edge_of_the_map_and_at_high_walls() -> None:
    assert facts(unit("a", (23, 4)))["zoc"] == []
    wall = [hexside("high-wall", 4, 4, "NE")]
    assert facts(unit("a", (4, 4)), terrain=wall)["zoc"] == [[5, 3]]


@pytest.mark.rule("MP-219")
@pytest.mark.parametrize(
    ("stats", "state", "conditions", "value"),
    [
        ({"quality": "A+++"}, {}, {}, 9), ({"quality": "A++"}, {}, {}, 8), ({"quality": "A+"}, {}, {}, 7),
        ({"quality": "A"}, {}, {}, 6), ({"quality": "B"}, {}, {}, 5), ({}, {}, {}, 4),
        ({"quality": "D"}, {}, {}, 3), ({"quality": "E"}, {}, {}, 2), ({"quality": "F"}, {}, {}, 1),
        ({}, {"ammo": "low"}, {}, 3),
        ({}, {"ammo": "out"}, {}, 3), ({}, {}, {"night": True}, 2), ({}, {"fatigue": 299}, {}, 4),
        ({}, {"fatigue": 300}, {}, 3), ({}, {"fatigue": 600}, {}, 2), ({}, {"fatigue": 900}, {}, 2),
        ({}, {"disordered": True}, {}, 3), ({"attributes": ["fanatical"]}, {}, {}, 6),
        ({"quality": "F"}, {"disordered": True, "ammo": "out", "fatigue": 650}, {"night": True}, -5),
    ],
)  # fmt: skip
def test_morale_is_quality_with_all_that_lifts_and_lowers_it(
    stats: Any, state: Any, conditions: Any, value: int
) -> None:
    found = facts(unit("a", (4, 4), stats=stats, **state), **conditions)["morale"]
    assert found["value"] == value
    assert sum(one["value"] for one in found["modifiers"]) == value - QUALITY[stats.get("quality", "C")]


@pytest.mark.rule("MP-219", "MP-20", "MP-213")
@pytest.mark.parametrize(("secondary", "hex", "value"), [(False, (4, 4), 5), (True, (4, 4), 4), (False, (4, 5), 4)])
def test_a_leader_in_the_hex_lifts_morale_a_deputy_does_not(secondary: bool, hex: Any, value: int) -> None:
    leader = unit("a-l", hex, "leader", stats={"secondary": secondary})
    assert facts(unit("a", (4, 4)), leader)["morale"]["value"] == value


@pytest.mark.rule("MP-219")
def test_skirmishers_have_one_less_morale() -> None:
    assert facts(unit("a", (4, 4), "skirmisher"))["morale"]["value"] == 3


@pytest.mark.rule("musket-pike R30", "MP-219")
@pytest.mark.parametrize(
    ("left", "right", "kind", "value"),
    [
        ((4, 5), (4, 3), "infantry", 5), ((4, 5), (5, 4), "infantry", 4), ((4, 5), (4, 3), "skirmisher", 4),
        ((4, 5), (4, 3), "leader", 4), ((4, 5), (4, 3), "cavalry", 5), ((3, 4), (3, 3), "infantry", 4),
    ],
)  # fmt: skip
def test_by_option_friends_on_both_flanks_lift_morale(left: Any, right: Any, kind: str, value: int) -> None:
    units = [unit("a", (4, 4)), unit("a-2", left, kind), unit("a-3", right, kind)]
    assert facts(*units, options={"flank_morale": True})["morale"]["value"] == value
    assert facts(*units)["morale"]["value"] == 4


@pytest.mark.rule("MP-240")
@pytest.mark.parametrize(
    ("fatigue", "level"),
    [(0, "low"), (299, "low"), (300, "medium"), (599, "medium"), (600, "high"), (899, "high"), (900, "maximum")],
)
def test_fatigue_has_four_levels(fatigue: int, level: str) -> None:
    assert facts(unit("a", (4, 4), fatigue=fatigue))["fatigue_level"] == level
    assert facts(unit("a", (4, 4), "leader"))["fatigue_level"] is None


def change(of: Any, to: str) -> Any:
    return next(one for one in asked(of).extra["formation_change"] if one["to"] == to)


@pytest.mark.rule("MP-82")
@pytest.mark.parametrize(
    ("strength", "quality", "chance"),
    [(400, "C", 80 / 88), (300, "B", 100 / 106), (1000, "F", 20 / 40), (0, "C", 1.0)],
)
def test_a_change_of_formation_weighs_morale_against_threat(strength: int, quality: str, chance: float) -> None:
    of = game(unit("a", (4, 4), stats={"quality": quality}), unit("b", (5, 4), stats={"strength": strength}))
    assert change(of, "column")["probability"] == pytest.approx(chance)


@pytest.mark.rule("MP-82")
def test_without_morale_under_threat_it_is_impossible_and_guns_always_succeed() -> None:
    low = unit("a", (4, 4), stats={"quality": "F"}, ammo="out")
    assert change(game(low, unit("b", (5, 4))), "column")["probability"] == 0
    assert change(game(low), "column")["probability"] == 1
    guns = unit("a", (4, 4), "artillery", stats={"quality": "F"}, ammo="out")
    assert change(game(guns, unit("b", (5, 4))), "limbered")["probability"] == 1


@pytest.mark.rule("MP-44")
@pytest.mark.parametrize(
    ("kind", "old", "to", "stats", "cost", "rows"),
    [
        ("infantry", "line", "column", {}, 4, []), ("infantry", "column", "line", {}, 4, []),
        ("infantry", "line", "block", {"attributes": ["can-block"]}, 6, []),
        ("infantry", "line", "block", {}, 6, ["MP-44"]),
        ("infantry", "block", "column", {}, 6, []),
        ("infantry", "column", "line", {"attributes": ["no-line"]}, 4, ["MP-44"]),
        ("pioneer", "line", "block", {"attributes": ["can-block"]}, 6, ["MP-35"]),
        ("pioneer", "line", "block", {}, 6, ["MP-35", "MP-44"]),
        ("cavalry", "mounted", "dismounted", {"attributes": ["dragoon"]}, 6, []),
        ("cavalry", "dismounted", "mounted", {"attributes": ["dragoon"]}, 6, []),
        ("cavalry", "mounted", "dismounted", {}, 6, ["MP-44"]),
        ("artillery", "limbered", "unlimbered", {}, 6, []), ("artillery", "unlimbered", "limbered", {}, 6, []),
        ("infantry", "line", "extended-line", {"strength": 600}, 6, []),
        ("infantry", "line", "extended-line", {"strength": 599}, 6, ["MP-36"]),
        ("infantry", "column", "extended-line", {"strength": 600}, 6, ["MP-36"]),
        ("infantry", "shortened-line", "extended-line", {"strength": 600}, 6, []),
        ("infantry", "line", "shortened-line", {"strength": 600}, 6, ["MP-36"]),
        ("infantry", "shortened-line", "column", {}, 4, []), ("infantry", "extended-line", "column", {}, 6, []),
    ],
)  # fmt: skip
def test_what_may_change_into_what(kind: str, old: str, to: str, stats: Any, cost: float, rows: Any) -> None:
    found = change(game(unit("a", (4, 4), kind, old, stats=stats)), to)
    assert (found["cost_mp"], found["legal"], found["why_rules"]) == (cost, not rows, rows)


@pytest.mark.rule(
    "MP-44", "musket-pike R9", "musket-pike R36", "musket-pike R45", "MP-12", "MP-13", "MP-65", "MP-88"
)
@pytest.mark.parametrize(
    ("state", "more", "rows"),
    [
        ({"disordered": True}, {}, ["MP-44"]), ({"routed": True}, {}, ["MP-44"]), ({"fired": True}, {}, ["MP-12"]),
        ({"disordered": True}, {"options": {"disordered_may_change_formation": True}}, []),
        ({"meleed": True}, {}, ["MP-13"]), ({"fixed": True}, {}, []), ({"mp_used": 6}, {}, []),
        ({"mp_used": 6.5}, {}, ["MP-40"]), ({}, {"active": "b"}, ["MP-11"]),
        ({}, {"terrain": [ground("forest", (4, 4))]}, ["MP-44"]),
        ({}, {"terrain": [ground("chateau", (4, 4))]}, ["MP-44"]),
        ({}, {"terrain": [ground("building", (4, 4))]}, []),
    ],
)  # fmt: skip
def test_what_keeps_a_unit_from_forming_block(state: Any, more: Any, rows: Any) -> None:
    of = game(unit("a", (4, 4), stats={"attributes": ["can-block"]}, **state), **more)
    assert change(of, "block")["why_rules"] == rows


@pytest.mark.rule("MP-82", "MP-83")
@pytest.mark.parametrize(("die", "formation", "disordered"), [(90, "column", None), (91, "line", True)])
def test_a_failed_change_disorders_and_costs_its_points_all_the_same(
    die: int, formation: str, disordered: Any
) -> None:
    played = do(game(unit("a", (4, 4)), unit("b", (5, 4))), "formation", die, unit="a", to="column")
    assert after(played, "a").formation == formation
    assert (after(played, "a").state["mp_used"], after(played, "a").state.get("disordered")) == (4, disordered)
    (event,) = told(played, "formation")
    assert (event["success"], event["probability"]) == (formation == "column", pytest.approx(80 / 88))


@pytest.mark.rule("MP-83", "musket-pike R36")
def test_a_disordered_unit_that_fails_is_routed() -> None:
    of = game(
        unit("a", (4, 4), disordered=True), unit("b", (5, 4)), options={"disordered_may_change_formation": True}
    )
    now = after(do(of, "formation", 99, unit="a", to="column"), "a").state
    assert (now["routed"], now["disordered"]) == (True, False)


@pytest.mark.rule("MP-50", "MP-83")
def test_of_units_that_change_together_one_failure_disorders_both() -> None:
    of = game(unit("a", (4, 4)), unit("a-2", (4, 4)), unit("b", (5, 4)))
    played = do(of, "formation", 0, 99, unit="a", with_=["a-2"], to="column")
    assert [after(played, name).formation for name in ("a", "a-2")] == ["column", "line"]
    assert [after(played, name).state["disordered"] for name in ("a", "a-2")] == [True, True]
    both = do(of, "formation", 0, 0, unit="a", with_=["a-2"], to="column")
    assert told(both, "disordered") == []


@pytest.mark.rule("MP-50", "MP-51")
def test_a_unit_that_changes_by_itself_disorders_who_stands_with_it() -> None:
    lines = game(unit("a", (4, 4)), unit("a-2", (4, 4)), unit("a-3", (4, 4), "artillery"), unit("b", (9, 4)))
    played = do(lines, "formation", unit="a", to="column")
    assert [one["unit"] for one in told(played, "disordered")] == ["a", "a-2"]
    riders = {"stats": {"strength": 200, "attributes": ["dragoon"]}, "weapon": "carbine"}
    first, second = (unit(name, (4, 4), "cavalry", **riders) for name in ("a", "a-2"))
    dragoons = game(first, second, unit("b", (9, 4)))
    played = do(dragoons, "formation", unit="a", to="dismounted")
    assert [(one["unit"], played.events[-1].rule) for one in told(played, "disordered")] == [
        ("a", "MP-51"), ("a-2", "MP-51"),
    ]  # fmt: skip
    both = do(dragoons, "formation", unit="a", with_=["a-2"], to="dismounted")
    assert told(both, "disordered") == []


@pytest.mark.rule("MP-49")
def test_columns_that_form_line_together_face_as_the_top_one() -> None:
    of = game(unit("a-2", (4, 4), "infantry", "column", facing="UL"), unit("a", (4, 4), "infantry", "column"))
    played = do(of, "formation", unit="a", with_=["a-2"], to="line")
    assert [after(played, name).state["facing"] for name in ("a", "a-2")] == ["UL", "UL"]
    assert [(one["unit"], one["facing"]) for one in told(played, "turned")] == [("a", "UL")]


@pytest.mark.rule("MP-36", "MP-29", "musket-pike R46")
def test_a_line_extends_beyond_its_flank_and_rejoins() -> None:
    start = unit("a", (4, 4), stats={"strength": 701, "quality": "B"}, fatigue=40)
    out = do(game(start), "formation", unit="a", to="extended-line")
    half = after(out, "a-x")
    assert (half.hex, half.formation, half.stats["strength"], half.stats["parent"]) == (
        (4, 3),
        "extended-line",
        350,
        "a",
    )
    assert (half.state["facing"], half.stats["quality"], half.state["fatigue"]) == ("R", "B", 40)
    assert (after(out, "a").formation, after(out, "a").stats["strength"]) == ("extended-line", 351)
    fresh = do(out.game, "begin-turn", 50, 50, side="a").game
    back = do(fresh, "formation", unit="a-x", to="shortened-line")
    assert "a-x" not in back.game.by_id
    whole = after(back, "a")
    assert (whole.formation, whole.stats["strength"], whole.hex) == ("shortened-line", 701, (4, 3))


@pytest.mark.rule("MP-36")
def test_half_of_a_line_goes_beyond_the_flank_that_is_named_if_it_can_enter_there() -> None:
    of = game(unit("a", (4, 4), stats={"strength": 600}), terrain=[ground("water", (4, 3))])
    out = do(of, "formation", unit="a", to="extended-line", hex=[4, 5])
    assert after(out, "a-x").hex == (4, 5)
    for wrong in (None, [5, 4]):
        keys = {} if wrong is None else {"hex": wrong}
        with pytest.raises(ActionRefused):
            do(of, "formation", unit="a", to="extended-line", **keys)


@pytest.mark.rule("MP-36")
@pytest.mark.parametrize(("guns", "legal"), [(11, False), (12, True)])
def test_a_battery_extends_from_twelve_guns_on_and_stays_in_action(guns: int, legal: bool) -> None:
    of = game(unit("a", (4, 4), "artillery", stats={"strength": guns}))
    if not legal:
        with pytest.raises(ActionRefused):
            do(of, "formation", unit="a", to="extended-line")
        return
    out = do(of, "formation", unit="a", to="extended-line")
    assert [after(out, name).formation for name in ("a", "a-x")] == ["unlimbered", "unlimbered"]
    back = do(do(out.game, "begin-turn", side="a").game, "formation", unit="a", to="shortened-line")
    assert (after(back, "a").formation, after(back, "a").stats["strength"]) == ("unlimbered", 12)


@pytest.mark.rule("MP-36", "MP-44")
def test_halves_rejoin_only_side_by_side_and_in_order() -> None:
    far = [unit("a", (4, 4), "infantry", "extended-line"),
           unit("a-x", (4, 2), "infantry", "extended-line", stats={"parent": "a"})]  # fmt: skip
    assert change(game(*far), "shortened-line")["why_rules"] == ["MP-36"]
    shaken = [far[0], {**far[1], "hex": [4, 3], "state": {"disordered": True, "facing": "R"}}]
    assert change(game(*shaken), "shortened-line")["why_rules"] == ["MP-36"]
    assert change(game(far[0], {**far[1], "hex": [4, 3]}), "shortened-line")["legal"]


@pytest.mark.rule("MP-36")
def test_an_umpire_who_names_both_halves_has_them_rejoin_once() -> None:
    halves = [unit("a", (4, 4), "infantry", "extended-line"),
              unit("a-x", (4, 3), "infantry", "extended-line", stats={"parent": "a"})]  # fmt: skip
    keys = {"with": ["a-x"], "to": "shortened-line", "override": True}
    back = do(game(*halves), "formation", unit="a", **keys)
    assert "a-x" not in back.game.by_id
    assert (after(back, "a").formation, after(back, "a").stats["strength"]) == ("shortened-line", 800)


@pytest.mark.rule("MP-34", "MP-86", "MP-23")
def test_guns_that_unlimber_are_marked_and_may_have_to_set_up() -> None:
    plain = after(do(game(unit("a", (4, 4), "artillery", "limbered")), "formation", unit="a", to="unlimbered"), "a")
    assert (plain.formation, plain.state["unlimbered_now"], plain.state.get("setup")) == ("unlimbered", True, None)
    slow = unit("a", (4, 4), "artillery", "limbered", stats={"attributes": ["needs-setup"]})
    assert after(do(game(slow), "formation", unit="a", to="unlimbered"), "a").state["setup"] == "setting-up"


@pytest.mark.rule("MP-62")
@pytest.mark.parametrize(
    ("kind", "formation", "to", "cost"),
    [
        ("infantry", "line", "UR", 1), ("infantry", "line", "DL", 2), ("infantry", "line", "L", 3),
        ("infantry", "block", "UL", 4), ("artillery", "unlimbered", "L", 6), ("infantry", "column", "L", 0),
        ("cavalry", "mounted", "L", 0), ("artillery", "limbered", "L", 0),
    ],
)  # fmt: skip
def test_turning_costs_points_for_each_vertex(kind: str, formation: str, to: str, cost: float) -> None:
    now = after(do(game(unit("a", (4, 4), kind, formation)), "turn", unit="a", facing=to), "a").state
    assert (now["facing"], now["mp_used"], now["turned_now"], now.get("moved")) == (to, cost, True, None)


@pytest.mark.rule("MP-62", "MP-24", "musket-pike R45")
@pytest.mark.parametrize(
    ("kind", "state", "legal"),
    [
        ("infantry", {}, True), ("infantry", {"fixed": True}, True), ("infantry", {"fired": True}, False),
        ("infantry", {"meleed": True}, False), ("infantry", {"mp_used": 10}, False), ("skirmisher", {}, False),
        ("leader", {}, False), ("infantry", {"facing": "L"}, False),
    ],
)  # fmt: skip
def test_who_may_turn(kind: str, state: Any, legal: bool) -> None:
    of = game(unit("a", (4, 4), kind, **state))
    if legal:
        assert told(do(of, "turn", unit="a", facing="L"), "turned")
        return
    with pytest.raises(ActionRefused):
        do(of, "turn", unit="a", facing="L")


@pytest.mark.rule("MP-49", "MP-62")
def test_lines_of_one_hex_turn_together() -> None:
    of = game(unit("a", (4, 4)), unit("a-2", (4, 4)), unit("a-3", (4, 4), "skirmisher"))
    played = do(of, "turn", unit="a", facing="UR")
    assert [after(played, name).state["facing"] for name in ("a", "a-2")] == ["UR", "UR"]


@pytest.mark.rule("MP-53")
@pytest.mark.parametrize(("used", "then"), [(0, 6), (4, 10), (8, 12), (12, 12)])
def test_changing_places_in_a_stack_costs_half_the_points_or_what_is_left(used: float, then: float) -> None:
    of = game(unit("a-2", (4, 4)), unit("a-3", (4, 4)), unit("a", (4, 4), mp_used=used))
    played = do(of, "stack-top", unit="a")
    stack = [one.id for one in played.game.units if one.hex == (4, 4)]
    assert (stack, after(played, "a").state["mp_used"]) == (["a", "a-2", "a-3"], then)


@pytest.mark.rule("MP-53")
def test_a_unit_goes_to_the_bottom_of_its_stack() -> None:
    played = do(game(unit("a", (4, 4)), unit("a-2", (4, 4)), unit("b", (9, 9))), "stack-bottom", unit="a")
    assert [one.id for one in played.game.units if one.hex == (4, 4)] == ["a-2", "a"]
    with pytest.raises(ActionRefused):
        do(game(unit("a", (4, 4))), "stack-bottom", unit="a")


def test_a_formation_that_there_is_not_is_no_action() -> None:
    with pytest.raises(UnknownAction, match="formation: to"):
        do(game(unit("a", (4, 4))), "formation", unit="a", to="phalanx")
    with pytest.raises(ActionRefused, match="does not change into"):
        do(game(unit("a", (4, 4))), "formation", unit="a", to="limbered")
