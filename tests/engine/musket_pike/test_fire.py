"""Who may fire at whom, and everything that speaks against it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.musket_pike.scene import Json, after, asked, case, do, game, ground, shot, unit

CASE = pytest.mark.rule


def rules(of: Any, name: str = "a", target: str = "b", mode: str = "direct") -> list[str]:
    """The rows that speak against a shot."""
    option = shot(of, name, target, mode)
    assert option.legal == (not option.why_rules)
    assert len(option.why_not) == len(option.why_rules)
    return list(option.why_rules)


TARGET = unit("b", (5, 4))


OWN_BARS = [
    case([], "MP-116", "nothing against it"),
    case([], "MP-116", "after moving", {"moved": True}),
    case(["MP-117"], "MP-117", "low on ammunition", {"ammo": "low"}),
    case([], "MP-117", "low, defending", {"ammo": "low"}, active="b"),
    case(["MP-117"], "MP-117", "out, defending", {"ammo": "out"}, active="b"),
    case(["MP-119"], "MP-119", "has fired", {"fired": True}),
    case(["MP-119"], ("MP-119", "MP-13"), "has fought", {"meleed": True}),
    case([], "MP-119", "fought in its own turn", {"meleed": True}, active="b"),
    case(["MP-124"], ("MP-124", "musket-pike R20"), "routed", {"routed": True}),
    case([], "musket-pike R20", "routed, by option", {"routed": True}, options={"routed_may_fire": True}),
    case(["MP-122", "MP-124"], "MP-21", "pikes", {"weapon": "pike"}),
    case(["MP-122", "MP-124"], "MP-124", "no weapon", {"weapon": "none"}),
    case([], "MP-115", "javelins attacking", {"weapon": "javelin"}),
    case(["MP-115"], "MP-115", "javelins defending", {"weapon": "javelin"}, active="b"),
    case(["MP-122", "MP-124"], ("MP-20", "MP-124"), "leader", {"kind": "leader"}),
    case(["MP-122", "MP-124"], "MP-26", "wagon", {"kind": "supply-wagon"}),
    case([], "MP-27", "ship", {"kind": "ship"}),
    case([], "MP-142", "column with half its fire", {"formation": "column"}),
    case(
        ["MP-124"],
        ("MP-124", "MP-28"),
        "column without fire",
        {"formation": "column"},
        parameters={"column_fire_percent": 0},
    ),
    case([], "MP-23", "guns in action", {"kind": "artillery"}),
    case(["MP-124"], "MP-23", "limbered", {"kind": "artillery", "formation": "limbered"}),
    case(["MP-124"], "MP-86", "setting up", {"kind": "artillery", "setup": "setting-up"}),
    case(["MP-124"], "MP-88", "without crew", {"kind": "artillery", "uncrewed": True}),
    case(["MP-124"], "MP-34", "just unlimbered", {"kind": "artillery", "unlimbered_now": True}),
    case(["MP-124"], "MP-34", "just turned", {"kind": "artillery", "turned_now": True}),
    case(["MP-124"], "musket-pike R23", "foot guns moved", {"kind": "artillery", "moved": True}),
    case([], "musket-pike R47", "turned, defending", {"kind": "artillery", "turned_now": True}, active="b"),
    case(
        [],
        ("MP-34", "musket-pike R23"),
        "horse artillery moved",
        {"kind": "artillery", "stats": {"attributes": ["horse-artillery"]}, "moved": True, "unlimbered_now": True},
    ),
    case(["MP-127"], "MP-127", "no shot left", {"kind": "artillery"}, artillery_ammo={"a": 0}),
    case([], "MP-127", "one shot left", {"kind": "artillery"}, artillery_ammo={"a": 1}),
    case([], "MP-127", "muskets need no artillery ammo", artillery_ammo={"a": 0}),
    case(["MP-118"], "MP-118", "over-stacked", {"stats": {"strength": 1601}}),
    case([], "MP-118", "a full hex", {"stats": {"strength": 1600}}),
    case([], "MP-14", "its fire phase", mode="phases", phase="offensive-fire"),
    case(["MP-14"], "MP-14", "movement phase", mode="phases", phase="movement"),
    case(["MP-14"], "MP-14", "the enemy's fire", mode="phases", phase="defensive-fire"),
    case([], "MP-14", "defending", mode="phases", phase="defensive-fire", active="b"),
    case([], "MP-14", "phases not kept", mode="phases"),
]


@pytest.mark.parametrize(("expected", "made", "conditions"), OWN_BARS)
def test_what_keeps_a_unit_from_firing(expected: list[str], made: Json, conditions: Json) -> None:
    assert sorted(rules(game(unit("a", (4, 4), **made), TARGET, **conditions))) == expected


@CASE("MP-121")
@pytest.mark.parametrize(
    ("first", "free"),
    [("line", False), ("shortened-line", False), ("extended-line", False), ("column", True), ("block", True)],
)
def test_who_stands_behind_a_line_in_its_hex_does_not_fire(first: str, free: bool) -> None:
    ahead = unit("a1", (4, 4), formation=first)
    of = game(ahead, unit("a", (4, 4), "skirmisher", stats={"strength": 100}), TARGET)
    assert (rules(of) == []) is free
    behind = game(unit("a", (4, 4), "skirmisher", stats={"strength": 100}), ahead, TARGET)
    assert rules(behind) == []


ARCS = [
    # target hex → whether a line facing R at [4, 4] fires at it; skirmishers, blocks and ships fire at all
    ((5, 4), True),
    ((5, 3), True),
    ((4, 5), False),
    ((4, 3), False),
    ((3, 4), False),
    ((3, 3), False),
    ((6, 4), True),
    ((6, 5), True),
    ((6, 3), True),
    ((5, 5), False),
]


@CASE("MP-120", "MP-04", "MP-24", "MP-27", "musket-pike R2")
@pytest.mark.parametrize(("hex", "inside"), ARCS)
def test_a_unit_fires_into_its_arc_and_some_all_round(hex: tuple[int, int], inside: bool) -> None:
    target = unit("b", hex)
    assert ("MP-120" in rules(game(unit("a", (4, 4)), target))) is not inside
    for kind, formation in (("skirmisher", "skirmish"), ("infantry", "block"), ("ship", "anchored")):
        made = unit("a", (4, 4), kind, formation, stats={"attributes": ["can-block"]})
        assert "MP-120" not in rules(game(made, target))


@CASE("musket-pike R1")
def test_a_wider_arc_by_option_holds_what_bears_within_60_degrees() -> None:
    options = {"arc": "wedge120"}
    assert "MP-120" not in rules(game(unit("a", (4, 4)), unit("b", (5, 5)), options=options))
    assert "MP-120" in rules(game(unit("a", (4, 4)), unit("b", (4, 5)), options=options))


@CASE("MP-122", "MP-30", "MP-02")
@pytest.mark.parametrize(
    ("hexes", "stats", "expected"),
    [
        (1, {}, []),
        (3, {}, []),
        (4, {}, ["MP-122"]),
        (2, {"range": 2}, []),
        (3, {"range": 2}, ["MP-122"]),
        (4, {"range": 9}, ["MP-122"]),
    ],
)
def test_range_is_the_units_own_and_the_weapons(hexes: int, stats: Json, expected: list[str]) -> None:
    of = game(unit("a", (4, 4), facing="UR", stats=stats), unit("b", (4, 4 + hexes), facing="DL"))
    option = shot(of)
    assert (rules(of), option.extra["range_hexes"], option.range_mm) == (expected, hexes, 100.0 * hexes)
    assert option.band == ("out-of-range" if expected else "in-range")


@CASE("MP-122")
def test_a_roll_is_told_where_the_weapon_is_rated_though_the_unit_may_not_fire() -> None:
    of = game(unit("a", (4, 4), stats={"range": 1}, facing="UR"), unit("b", (4, 6)), unit("b2", (4, 8)))
    assert shot(of).roll is not None
    assert shot(of, target="b2").roll is None


@CASE("MP-123", "MP-135", "MP-276")
@pytest.mark.parametrize(
    ("conditions", "hexes", "expected"),
    [
        ({}, 5, []),
        ({"visibility": 5}, 5, []),
        ({"visibility": 4}, 5, ["MP-123"]),
        ({"weather": "foggy"}, 3, []),
        ({"weather": "foggy"}, 4, ["MP-123"]),
        ({"weather": "foggy", "visibility": 2}, 3, ["MP-123"]),
        ({"weather": "foggy", "visibility": 9}, 4, ["MP-123"]),
        ({"parameters": {"weather_changes": [{"turn": 3, "weather": "foggy"}]}}, 4, ["MP-123"]),
        ({"parameters": {"weather_changes": [{"turn": 4, "weather": "foggy"}]}}, 4, []),
    ],
)
def test_nobody_is_fired_at_whom_the_weather_hides(conditions: Json, hexes: int, expected: list[str]) -> None:
    battery = unit("a", (4, 4), "artillery", facing="UR")
    assert rules(game(battery, unit("b", (4, 4 + hexes)), **conditions)) == expected


@CASE("MP-125", "musket-pike R21")
def test_every_enemy_is_listed_nearest_first_and_leaders_are_no_targets() -> None:
    far, leader = unit("b2", (8, 4)), unit("b", (5, 4), "leader")
    fire = asked(game(unit("a", (4, 4)), far, unit("b3", (6, 4), off_map=True), leader)).fire
    assert [option.target for option in fire] == ["b", "b2", "b3"]
    assert fire[0].why_rules == ("MP-125",)
    assert fire[2].why_rules == ("MP-03",)
    assert fire[2].range_mm is None


@CASE("MP-03", "MP-125")
def test_a_unit_that_is_not_on_the_map_is_told_so_of_every_enemy_that_it_knows() -> None:
    units = unit("a", (4, 4), off_map=True), unit("b", (6, 4)), unit("b2", (8, 4), off_map=True)
    waits = asked(game(*units))
    for options in (waits.fire, waits.charge):
        assert [option.target for option in options] == ["b", "b2"]
        assert {option.why_not for option in options} == {("a is not on the map",)}
    blind = asked(game(*units, fog_of_war=True))
    assert (blind.fire, blind.charge) == ((), ())


@CASE("MP-126")
def test_indirect_fire_needs_no_sight() -> None:
    units = unit("a", (4, 4), "artillery", weapon="howitzer", facing="UR"), unit("b2", (4, 6)), unit("b", (4, 8))
    of = game(*units, terrain=[ground("forest", (4, 7))])
    assert rules(of) == ["MP-123"]
    assert rules(of, mode="indirect") == []
    assert [option.mode for option in asked(of).fire] == ["direct", "indirect"] * 2
    assert rules(game(units[0], unit("b", (4, 3))), mode="indirect") == ["MP-120"]


@CASE("MP-166")
def test_a_gunners_answer_names_all_who_are_at_risk() -> None:
    others = unit("b2", (5, 4)), unit("b3", (5, 4), "infantry", "column")
    of = game(unit("a", (4, 4), "artillery"), TARGET, *others)
    assert shot(of).extra["at_risk"] == ["b2"]
    assert "at_risk" not in shot(of, target="b3").extra
    wide = game(unit("a", (4, 4), "artillery"), TARGET, *others, options={"column_pass_through": True})
    assert shot(wide, target="b3").extra["at_risk"] == ["b", "b2"]


@CASE("MP-03")
def test_doubts_of_a_measured_base_stand_by_every_shot() -> None:
    of = game(unit("a", (4, 4)), TARGET)
    assert shot(of).borderline == ()
    assert shot(of).aspect == "front"
    assert shot(game(unit("a", (4, 4)), unit("b", (5, 4), facing="R"))).aspect == "rear"
    assert shot(game(unit("a", (4, 4)), unit("b", (5, 4), facing="UL"))).aspect == "flank"


@CASE("MP-87")
def test_captured_guns_act_for_their_captor_and_need_their_set_up() -> None:
    of = game(unit("b-guns", (4, 4), "artillery", facing="R", captured_by="a"), unit("a", (4, 4)), TARGET)
    assert "b-guns" not in [option.target for option in asked(of).fire]
    assert rules(of, "b-guns") == []
    turned = unit("b-guns", (4, 4), "artillery", facing="R", captured_by="a", turned_now=True,
                  stats={"attributes": ["needs-setup", "horse-artillery"]})  # fmt: skip
    assert "MP-87" in rules(game(turned, unit("a", (4, 4)), TARGET), "b-guns")
    ready = unit("b-guns", (4, 4), "artillery", facing="R", captured_by="a", turned_now=True)
    assert rules(game(ready, unit("a", (4, 4)), TARGET), "b-guns") == []


@CASE("MP-87")
def test_captured_guns_that_need_set_up_are_silent_for_good_once_turned() -> None:
    guns = unit("b-guns", (4, 4), "artillery", facing="L", captured_by="a", stats={"attributes": ["needs-setup"]})
    turned = do(game(guns, unit("a", (4, 4)), TARGET), "turn", unit="b-guns", facing="R").game
    assert "MP-87" in rules(turned, "b-guns")
    enemy_turn = do(turned, "begin-turn", side="b").game
    assert "MP-87" in rules(enemy_turn, "b-guns")
    next_turn = do(enemy_turn, "begin-turn", side="a").game
    assert "MP-87" in rules(next_turn, "b-guns")
    plain = unit("b-guns", (4, 4), "artillery", facing="R", captured_by="a", turned_now=True)
    own = do(game(plain, unit("a", (4, 4)), TARGET, active="b"), "begin-turn", side="a").game
    assert own.unit("b-guns").state["turned_now"] is False
    abandoned = do(next_turn, "move", unit="a", path=["NW"])
    assert after(abandoned, "b-guns").state["turned_now"] is False
