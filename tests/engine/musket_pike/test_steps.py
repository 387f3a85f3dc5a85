"""What a step costs, what it does and what bars it, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.musket_pike.scene import asked, game, ground, hexside, road, unit

LINE, COLUMN, RIDERS, GUNS = ("infantry", "line"), ("infantry", "column"), ("cavalry",), ("artillery", "limbered")
WAGON, LEADER, LIGHT = ("supply-wagon",), ("leader",), ("skirmisher",)
BLOCK, ON_FOOT = ("infantry", "block"), ("cavalry", "dismounted")


def step(troops: Any, *others: Any, to: str = "NE", stats: Any = None, state: Any = None, **more: Any) -> Any:
    """A step of a unit in (4, 4) that faces right, NE leading into (5, 4)."""
    mine = unit("a", (4, 4), *troops, stats=stats, **(state or {}))
    if troops == ON_FOOT:
        mine["stats"]["attributes"] = ["dragoon"]
    steps = asked(game(mine, *others, **more)).move.extra["steps"]
    return next(one for one in steps if one["direction"] == to)


@pytest.mark.rule("MP-41", "MP-40")
@pytest.mark.parametrize("kind", ["clear", "field", "building", "chateau", "forest", "orchard", "rough", "marsh"])
@pytest.mark.parametrize(
    ("troops", "costs"),
    [
        (LINE, (4, 5, 6, 8, 8, 6, 8, 10)),
        (BLOCK, (5, 6, 8, None, 10, 8, 10, 12)),
        (ON_FOOT, (4, 5, 6, 8, 8, 6, 8, 10)),
        (COLUMN, (3, 4, 4, 6, 6, 4, 6, 8)),
        (LIGHT, (3, 4, 4, 6, 6, 4, 6, 8)),
        (RIDERS, (3, 4, 5, None, 9, 5, 9, 12)),
        (LEADER, (3, 4, 5, None, 9, 5, 9, 12)),
        (GUNS, (3, 4, 5, None, 12, 6, 12, None)),
        (WAGON, (4, 5, 6, None, None, 8, None, None)),
    ],
)
def test_each_ground_has_its_price_for_each_class(kind: str, troops: Any, costs: Any) -> None:
    names = ("clear", "field", "building", "chateau", "forest", "orchard", "rough", "marsh")
    price = costs[names.index(kind)]
    found = step(troops, terrain=[ground(kind, (5, 4))])
    assert found["cost_mp"] == price
    assert found["legal"] is (price is not None and price <= 24)
    assert ("MP-41" in found["why_rules"]) is (price is None)


@pytest.mark.rule("MP-41", "MP-47", "MP-42")
@pytest.mark.parametrize(
    ("kind", "line", "block", "column", "mounted", "limbered", "wagon"),
    [
        ("hedge", 1, 2, 1, 2, 4, 4), ("stone-wall", 2, 3, 2, 3, None, None), ("embankment", 2, 3, 2, 3, 4, 4),
        ("stream", 3, 4, 3, 3, 6, 6), ("gate", None, None, 0, 0, 0, 0), ("fort", 4, 4, 4, None, None, None),
        ("high-wall", None, None, None, None, None, None), ("creek", None, None, None, None, None, None),
    ],
)  # fmt: skip
def test_each_hexside_adds_its_price(
    kind: str, line: Any, block: Any, column: Any, mounted: Any, limbered: Any, wagon: Any
) -> None:
    for troops, clear, more in (
        (LINE, 4, line), (BLOCK, 5, block), (COLUMN, 3, column), (RIDERS, 3, mounted), (GUNS, 3, limbered),
        (WAGON, 4, wagon),
    ):  # fmt: skip
        for side in (hexside(kind, 4, 4, "NE"), hexside(kind, 5, 4, "SW")):
            found = step(troops, terrain=[side])
            assert found["cost_mp"] == (None if more is None else clear + more)
    rule = {"gate": "MP-47", "high-wall": "MP-47", "creek": "MP-42"}.get(kind, "MP-41")
    assert (rule in step(WAGON, terrain=[hexside(kind, 4, 4, "NE")])["why_rules"]) is (wagon is None)


@pytest.mark.rule("MP-47")
def test_a_gate_in_a_high_wall_lets_through_who_may_use_gates() -> None:
    sides = [hexside("high-wall", 4, 4, "NE"), hexside("gate", 4, 4, "NE")]
    assert step(COLUMN, terrain=sides)["cost_mp"] == 3
    assert step(RIDERS, terrain=sides)["cost_mp"] == 3
    assert step(LIGHT, terrain=sides)["legal"]
    for troops in (LINE, BLOCK, ON_FOOT):
        assert "MP-47" in step(troops, terrain=sides)["why_rules"]


@pytest.mark.rule("MP-41")
@pytest.mark.parametrize(("here", "there", "more"), [(0, 1, 1), (0, 3, 3), (2, 1, 0), (1, 1, 0), (-1, 1, 2)])
def test_climbing_costs_a_point_an_increment_and_going_down_nothing(here: int, there: int, more: int) -> None:
    hills = [ground("elevation", (4, 4), level=here), ground("elevation", (5, 4), level=there)]
    assert step(COLUMN, terrain=hills)["cost_mp"] == 3 + more


@pytest.mark.rule("MP-41", "MP-276")
@pytest.mark.parametrize(("weather", "share"), [("clear", 1.0), ("soft", 1.2), ("mud", 1.5), ("foggy", 1.0)])
def test_the_weather_slows_the_whole_step(weather: str, share: float) -> None:
    terrain = [ground("forest", (5, 4)), hexside("hedge", 4, 4, "NE")]
    assert step(COLUMN, terrain=terrain, weather=weather)["cost_mp"] == pytest.approx(7 * share)
    assert step(LINE, to="N", weather=weather)["cost_mp"] == pytest.approx(6 * share)


@pytest.mark.rule("MP-276", "MP-41")
@pytest.mark.parametrize(("turn", "cost"), [(2, 3), (3, 4.5), (9, 4.5)])
def test_the_weather_that_a_turn_brings_slows_from_that_turn_on(turn: int, cost: float) -> None:
    parameters = {"weather_changes": [{"turn": 3, "weather": "mud"}]}
    assert step(COLUMN, turn=turn, parameters=parameters)["cost_mp"] == pytest.approx(cost)


@pytest.mark.rule("MP-63", "MP-62")
@pytest.mark.parametrize(
    ("troops", "penalty"), [(LINE, 2), (BLOCK, 2), (ON_FOOT, 2), (COLUMN, 0), (RIDERS, 0), (GUNS, 0), (LIGHT, 0)]
)
def test_lines_and_blocks_pay_for_steps_to_flank_and_rear(troops: Any, penalty: int) -> None:
    ahead = step(troops)["cost_mp"]
    for direction in ("N", "S", "SW", "NW"):
        found = step(troops, to=direction)
        assert found["cost_mp"] == ahead + penalty
        assert ("rear-penalty" in found["effects"]) is bool(penalty)
    assert step(troops, to="SE")["cost_mp"] == ahead


@pytest.mark.rule("MP-45", "MP-46", "musket-pike R10")
@pytest.mark.parametrize(
    ("kind", "obstructed"),
    [("clear", False), ("building", False), ("field", False), ("chateau", False), ("forest", True),
     ("orchard", True), ("rough", True), ("marsh", True)],
)  # fmt: skip
def test_obstructed_ground_disorders_lines_blocks_and_riders(kind: str, obstructed: bool) -> None:
    for troops, minds in ((LINE, True), (ON_FOOT, True), (COLUMN, False), (LIGHT, False), (LEADER, False)):
        found = step(troops, terrain=[ground(kind, (5, 4))])
        assert ("disordered" in found["effects"]) is (obstructed and minds)
    if kind != "chateau":
        for troops in (BLOCK, RIDERS):
            found = step(troops, terrain=[ground(kind, (5, 4))])
            assert ("disordered" in found["effects"]) is obstructed
        assert "disordered" not in step(GUNS, terrain=[ground(kind, (5, 4))])["effects"]


@pytest.mark.rule("MP-45", "MP-46")
@pytest.mark.parametrize("kind", ["hedge", "stone-wall", "embankment", "stream", "fort"])
def test_obstructed_sides_disorder_as_obstructed_ground_does(kind: str) -> None:
    assert "disordered" in step(LINE, terrain=[hexside(kind, 4, 4, "NE")])["effects"]
    assert "disordered" not in step(COLUMN, terrain=[hexside(kind, 4, 4, "NE")])["effects"]
    assert "disordered" not in step(LINE, to="SE", terrain=[hexside(kind, 4, 4, "NE")])["effects"]


@pytest.mark.rule("MP-45", "MP-46")
def test_a_gate_disorders_riders_off_the_road() -> None:
    gate = hexside("gate", 4, 4, "NE")
    assert step(RIDERS, terrain=[gate])["effects"] == ["disordered"]
    assert step(RIDERS, terrain=[gate, road("path", (4, 4), (5, 4))])["effects"] == ["road"]


@pytest.mark.rule("MP-56", "MP-57", "MP-68")
@pytest.mark.parametrize(("kind", "more", "from_works"), [("abatis", 4, (7, True)), ("trench", 3, (3, False))])
def test_works_cost_more_and_disorder_all_but_skirmishers(kind: str, more: int, from_works: Any) -> None:
    for troops in (COLUMN, RIDERS, GUNS):
        found = step(troops, terrain=[ground(kind, (5, 4))])
        assert (found["cost_mp"], found["effects"]) == (3 + more, ["disordered"])
    light = step(LIGHT, terrain=[ground(kind, (5, 4))])
    assert (light["cost_mp"], light["effects"]) == (3 + more, [])
    found = step(COLUMN, terrain=[ground(kind, (5, 4), (4, 4))])
    assert (found["cost_mp"], "disordered" in found["effects"]) == from_works
    on_road = step(COLUMN, terrain=[ground(kind, (5, 4)), road("road", (4, 4), (5, 4))])
    assert (on_road["cost_mp"], on_road["effects"]) == (2, ["road"])


@pytest.mark.rule("MP-55")
@pytest.mark.parametrize(("kind", "cost"), [("path", 2), ("road", 2), ("pike", 1)])
def test_roads_replace_the_price_of_the_ground_for_who_marches(kind: str, cost: int) -> None:
    terrain = [
        road(kind, (4, 4), (5, 4), (6, 5)),
        ground("forest", (5, 4)),
        hexside("stone-wall", 4, 4, "NE"),
        ground("elevation", (5, 4), level=3),
    ]
    for troops in (COLUMN, RIDERS, GUNS, WAGON, LEADER):
        found = step(troops, terrain=terrain)
        assert (found["cost_mp"], found["effects"]) == (cost, ["road"])
    assert step(LINE, terrain=terrain)["cost_mp"] == 13
    assert step(LIGHT, terrain=terrain)["cost_mp"] == 11
    # a road through both hexes must join them
    apart = [road(kind, (4, 4), (4, 5)), road(kind, (5, 4), (6, 5))]
    assert step(COLUMN, terrain=apart)["cost_mp"] == 3


@pytest.mark.rule("MP-55")
@pytest.mark.parametrize(
    ("there", "road_taken"), [(("infantry", "column"), False), (("leader",), True), (("supply-wagon",), False)]
)
def test_a_road_bears_one_unit_in_a_hex_leaders_apart(there: Any, road_taken: bool) -> None:
    found = step(COLUMN, unit("a-2", (5, 4), *there), terrain=[road("road", (4, 4), (5, 4))])
    assert (found["cost_mp"] == 2, "road" in found["effects"]) == (road_taken, road_taken)
    leader = step(LEADER, unit("a-2", (5, 4), *there), terrain=[road("road", (4, 4), (5, 4))])
    assert leader["cost_mp"] == 2


@pytest.mark.rule("MP-58", "MP-59", "MP-42", "musket-pike R11", "musket-pike R12", "musket-pike R35")
@pytest.mark.parametrize(
    ("troops", "least"), [(COLUMN, 50), (LIGHT, 50), (LEADER, 50), (RIDERS, 100), (GUNS, 150), (WAGON, 150)]
)
def test_bridges_carry_columns_riders_and_guns_by_their_strength(troops: Any, least: int) -> None:
    for wet in ([ground("water", (5, 4))], [hexside("creek", 4, 4, "NE"), ground("forest", (5, 4))]):
        for at in ((5, 4), (4, 4)):
            if at == (4, 4) and wet[0]["kind"] == "water":
                continue
            for strength in (least - 1, least, 200):
                found = step(troops, terrain=[*wet, ground("bridge", at, strength=strength)])
                assert found["legal"] is (strength >= least)
                assert ("MP-59" in found["why_rules"]) is (strength < least)
                assert found["cost_mp"] == (2 if strength >= least else None)
                assert found["effects"] == []
            assert step(troops, terrain=[*wet, ground("ford", at)])["legal"]
        assert not step(troops, terrain=wet)["legal"]


@pytest.mark.rule("MP-58")
def test_lines_do_not_cross_bridges_and_off_a_bridge_one_steps_as_onto_it() -> None:
    over = [ground("water", (5, 4)), ground("bridge", (5, 4))]
    for troops in (LINE, BLOCK, ON_FOOT):
        assert "MP-58" in step(troops, terrain=over)["why_rules"]
    back = [ground("water", (4, 4)), ground("bridge", (4, 4)), ground("forest", (5, 4))]
    assert step(COLUMN, terrain=back)["cost_mp"] == 2
    assert step(RIDERS, terrain=back)["effects"] == []
    assert "MP-58" in step(LINE, terrain=back)["why_rules"]


@pytest.mark.rule("MP-42", "MP-47", "MP-59")
@pytest.mark.parametrize(
    ("troops", "terrain", "told"),
    [
        (RIDERS, [hexside("creek", 4, 4, "NE")], "a creek is crossed only at a ford or bridge"),
        (COLUMN, [hexside("high-wall", 4, 4, "NE")], "a high wall cannot be crossed"),
        (RIDERS, [hexside("fort", 4, 4, "NE")], "a fort cannot be crossed on horseback"),
        (LINE, [hexside("gate", 4, 4, "NE")], "a gate cannot be crossed in line"),
        (GUNS, [ground("marsh", (5, 4))], "marsh cannot be entered with limbered guns"),
        (
            LEADER,
            [ground("water", (5, 4)), ground("bridge", (5, 4), strength=1)],
            "the bridge has 1 left, leaders and infantry need 50",
        ),
    ],
)
def test_a_step_that_is_refused_says_who_may_not_go_how(troops: Any, terrain: Any, told: str) -> None:
    assert step(troops, terrain=terrain)["why_not"] == [told]


@pytest.mark.rule("MP-60")
def test_boats_cross_water_at_eight_points_and_take_leaders_along() -> None:
    lake = [ground("water", (5, 4))]
    found = step(COLUMN, terrain=lake, stats={"attributes": ["has-boats"]})
    assert (found["cost_mp"], found["legal"]) == (8, True)
    assert "MP-58" in step(COLUMN, terrain=lake)["why_rules"]
    assert "MP-58" in step(LEADER, terrain=lake)["why_rules"]
    boats = unit("a-2", (5, 4), "infantry", "column", stats={"attributes": ["has-boats"]})
    assert step(LEADER, boats, terrain=lake)["cost_mp"] == 8


@pytest.mark.rule("MP-275")
def test_ice_carries_like_clear_ground() -> None:
    for terrain in ([ground("water", (5, 4))], [hexside("stream", 4, 4, "NE")], [hexside("creek", 4, 4, "NE")]):
        found = step(LINE, terrain=terrain, ground="frozen")
        assert (found["cost_mp"], found["effects"]) == (4, [])
        assert step(LINE, terrain=terrain, ground="snow")["cost_mp"] != 4


@pytest.mark.rule("MP-64")
@pytest.mark.parametrize(
    ("troops", "minds"), [(LINE, True), (BLOCK, True), (ON_FOOT, True), (COLUMN, False), (RIDERS, False)]
)
def test_at_night_moving_in_line_or_block_disorders(troops: Any, minds: bool) -> None:
    assert ("disordered" in step(troops, night=True)["effects"]) is minds


@pytest.mark.parametrize(
    ("there", "mover", "row"),
    [
        pytest.param({"strength": 1201}, {"strength": 400}, "MP-48", id="1601 men"),
        pytest.param({"strength": 1200}, {"strength": 400}, None, id="1600 men"),
        pytest.param({"nation": "c"}, {}, "MP-48", id="another nation"),
        pytest.param({"nation": "c"}, {"nation": "c"}, None, id="the same nation"),
    ],
)
@pytest.mark.rule("MP-48")
def test_how_many_share_a_hex(there: Any, mover: Any, row: str | None) -> None:
    found = step(LINE, unit("a-2", (5, 4), stats=there), stats=mover)
    assert found["why_rules"] == ([] if row is None else [row])


@pytest.mark.rule("MP-48")
@pytest.mark.parametrize(("units", "legal"), [(7, True), (8, False)])
def test_a_hex_holds_eight_units_leaders_and_wagons_not_counted(units: int, legal: bool) -> None:
    crowd = [unit(f"a-{n}", (5, 4), "infantry", "column", stats={"strength": 10}) for n in range(units)]
    crowd += [unit("a-l", (5, 4), "leader"), unit("a-w", (5, 4), "supply-wagon")]
    assert step(COLUMN, *crowd)["legal"] is legal
    assert step(LEADER, *crowd)["legal"]
    assert step(WAGON, *crowd)["why_rules"] == ["MP-48"]


@pytest.mark.rule("MP-48")
@pytest.mark.parametrize(("guns", "legal"), [(24, True), (25, False)])
def test_guns_count_fifty_men_in_a_stack(guns: int, legal: bool) -> None:
    battery = unit("a-2", (5, 4), "artillery", stats={"strength": guns})
    assert step(COLUMN, battery, stats={"strength": 400})["legal"] is legal


@pytest.mark.parametrize(
    ("mover", "there", "row"),
    [
        pytest.param(LINE, COLUMN, True, marks=pytest.mark.rule("MP-50")),
        pytest.param(COLUMN, LINE, True, marks=pytest.mark.rule("MP-50")),
        pytest.param(LINE, LINE, False, marks=pytest.mark.rule("MP-50")),
        pytest.param(BLOCK, LINE, False, marks=pytest.mark.rule("MP-50")),
        pytest.param(RIDERS, COLUMN, True, marks=pytest.mark.rule("MP-51")),
        pytest.param(BLOCK, RIDERS, True, marks=pytest.mark.rule("MP-51")),
        pytest.param(RIDERS, RIDERS, False, marks=pytest.mark.rule("MP-51")),
        pytest.param(GUNS, RIDERS, False, marks=pytest.mark.rule("MP-51")),
        pytest.param(LIGHT, LINE, False, marks=pytest.mark.rule("MP-51")),
        pytest.param(LIGHT, RIDERS, True, marks=pytest.mark.rule("MP-52")),
    ],
)
def test_who_disorders_whom_in_one_hex(mover: Any, there: Any, row: bool) -> None:
    assert ("disordered" in step(mover, unit("a-2", (5, 4), *there))["effects"]) is row


@pytest.mark.rule("MP-68")
@pytest.mark.parametrize(
    ("enemies", "legal"),
    [
        ([("cavalry",)], False),
        ([("cavalry",), ("leader",)], False),
        ([("squadron",), ("supply-wagon",)], False),
        ([("cavalry",), ("infantry",)], True),
        ([("infantry",)], True),
        ([("leader",)], True),
    ],
)
def test_skirmishers_keep_off_hexes_beside_nothing_but_cavalry(enemies: Any, legal: bool) -> None:
    there = [unit(f"b-{n}", (6, 5), *kind) for n, kind in enumerate(enemies)]
    found = step(LIGHT, *there)
    assert found["legal"] is legal
    assert ("MP-68" in found["why_rules"]) is not legal
    assert step(COLUMN, *there)["legal"]


@pytest.mark.rule("MP-67", "musket-pike R14")
@pytest.mark.parametrize(
    ("enemy", "wood", "direction", "legal"),
    [
        ((9, 4), False, "NE", False),
        ((9, 4), False, "SW", True),
        ((10, 4), False, "NE", True),
        ((9, 4), True, "NE", True),
    ],
)
def test_routed_units_come_no_nearer_to_enemies_that_their_side_sees(
    enemy: Any, wood: bool, direction: str, legal: bool
) -> None:
    terrain = [ground("forest", *[(c, r) for c in (7,) for r in range(18)])] if wood else []
    found = step(LINE, unit("b", enemy), to=direction, state={"routed": True}, terrain=terrain)
    assert ("MP-67" not in found["why_rules"]) is legal


@pytest.mark.rule("MP-67")
@pytest.mark.parametrize(
    ("kind", "formation", "pays", "allowance", "cost"),
    [
        ("infantry", "line", "column", 12, 6),
        ("infantry", "block", "column", 12, 6),
        ("cavalry", "mounted", "mounted", 20, 9),
        ("cavalry", "dismounted", "column", 20, 6),
        ("squadron", "dismounted", "column", 20, 6),
        ("artillery", "limbered", "column", 12, 6),
    ],
)
def test_routed_units_pay_as_columns_or_as_riders_and_keep_their_points(
    kind: str, formation: str, pays: str, allowance: int, cost: int
) -> None:
    stats = {"attributes": ["dragoon", "can-block"]}
    routed = unit("a", (4, 4), kind, formation, stats=stats, routed=True)
    found = asked(game(routed, terrain=[ground("forest", (4, 5))])).move.extra
    assert (found["class"], found["allowance_mp"], found["steps"][0]["cost_mp"]) == (pays, allowance, cost)


@pytest.mark.rule("MP-43")
def test_a_hex_of_the_enemy_is_not_moved_into() -> None:
    found = step(LINE, unit("b", (5, 4)))
    assert (found["legal"], found["why_rules"]) == (False, ["MP-43"])


@pytest.mark.rule("MP-66")
@pytest.mark.parametrize(
    ("troops", "legal"), [(LINE, True), (RIDERS, True), (LIGHT, True), (GUNS, False), (LEADER, False)]
)
def test_foot_and_cavalry_overrun_leaders_and_wagons(troops: Any, legal: bool) -> None:
    found = step(troops, unit("b-1", (5, 4), "leader"), unit("b-2", (5, 4), "supply-wagon"))
    assert (found["legal"], "overrun" in found["effects"]) == (legal, legal)


@pytest.mark.rule("MP-01")
def test_nobody_steps_off_the_map() -> None:
    steps = asked(game(unit("a", (0, 0)))).move.extra["steps"]
    off = [one["direction"] for one in steps if one["why_rules"] == ["MP-01"]]
    assert off == ["SE", "S", "SW", "NW"]
