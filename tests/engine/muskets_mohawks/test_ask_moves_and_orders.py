"""What ask says about moving, other actions, command and the order of activation."""

from __future__ import annotations

from typing import Any

import pytest
from shapely import Point, Polygon, union_all

from engine.records.answer import MoveOption
from engine.records.game import Game
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.command import overall_commander, under
from engine.rulesets.muskets_mohawks.options.actions import action_reasons
from engine.rulesets.muskets_mohawks.options.burning import burnable
from engine.rulesets.muskets_mohawks.options.move_options import move_option
from tests.engine.muskets_mohawks.scene import INCH, box, game, gun, row, unit


def move(table: Game, name: str = "us") -> MoveOption:
    return move_option(table, table.unit(name))


@pytest.mark.rule("MM-46", "MM-194", "R-38", "R-53")
@pytest.mark.parametrize(
    ("entry", "inches"),
    [
        (unit("us"), 8),
        (unit("us", kind="cavalry"), 12),
        (unit("us", kind="cavalry", mounted=False), 8),
        (unit("us", kind="mounted-infantry"), 8),
        (unit("us", kind="mounted-infantry", mounted=True), 12),
        (gun("us", crew=5), 2.5),
        (gun("us", crew=3), 1.5),
        (gun("us", limbered=True), 8),
        (unit("us", kind="leader"), 8),
        (unit("us", kind="leader", mounted=True), 12),
        (unit("us", kind="wagon"), 8),
        (unit("us", moved_mm=2 * INCH), 6),
        (unit("us", moved_mm=300.0), 0),
        (unit("us", reload_markers=1), 0),
        (unit("us", prone=True), 0),
        (unit("us", in_melee=["x"]), 0),
        (unit("us", activated=True), 0),
    ],
)
def test_how_far_a_unit_may_move(entry: dict[str, Any], inches: float) -> None:
    assert move(game(entry)).allowance_mm == pytest.approx(inches * INCH)
    if inches and not entry["state"].get("moved_mm"):
        assert move(game(entry, snow="ground")).allowance_mm == pytest.approx(inches * INCH / 2)


@pytest.mark.rule("MM-44", "MM-45", "MM-50", "MM-111", "MM-246")
@pytest.mark.parametrize(
    ("entry", "modes"),
    [
        (unit("us", kind="regular", formation="formed-line"), {"ahead", "wheel", "turn", "reform", "back"}),
        (unit("us", formation="mob"), {"ahead", "wheel", "turn", "reform"}),
        (unit("us"), {"any", "reform"}),
        (unit("us", prone=True), {"stand"}),
        (unit("us", reload_markers=1), set()),
        (gun("us"), {"any"}),
        (gun("us", limbered=True), {"any"}),
        (unit("us", activated=True), set()),
        (unit("us", in_melee=["x"]), set()),
        (unit("us", formation="square"), set()),
        (unit("us", retiring=True), set()),
    ],
)
def test_in_which_ways_it_may_move(entry: dict[str, Any], modes: set[str]) -> None:
    near = unit("them", "french", [(900, 600)])
    assert set(move(game(entry, near)).modes) == modes


@pytest.mark.rule("MM-48")
@pytest.mark.parametrize(
    ("entry", "gap_in", "fast"),
    [
        (unit("us"), 24, True),
        (unit("us"), 23.96, False),
        (unit("us", kind="cavalry"), 24, True),
        (unit("us", kind="leader"), 30, False),
        (unit("us", kind="wagon"), 30, False),
        (unit("us", moved_mm=1.0), 30, False),
        (unit("us", reload_markers=1), 30, False),
        (unit("us", kind="civilian"), 30, True),
    ],
)
def test_who_may_move_fast(entry: dict[str, Any], gap_in: float, fast: bool) -> None:
    table = game(entry, unit("them", "french", [(900, 325 + gap_in * INCH)]))
    assert ("fast" in move(table).modes) is fast
    assert bool(action_reasons(table, table.unit("us"), "fast-move")) is not fast


@pytest.mark.rule("MM-48")
def test_a_fast_move_near_24_in_is_borderline() -> None:
    table = game(unit("us"), unit("them", "french", [(900, 325 + 24 * INCH + 0.5)]), sigma=0.5)
    entry = next(e for e in RULESET.ask(table, ["us"]).units[0].extra["actions"] if e["action"] == "fast-move")
    assert entry["legal"]
    assert len(entry["borderline"]) == 1


@pytest.mark.rule("MM-44")
def test_the_ground_in_reach() -> None:
    line = unit("us", at=row(4, 900, 500, 25), kind="regular", formation="formed-line")
    reach = Polygon(move(game(line)).reach_mm)
    assert reach.contains(Point(900, 500 + 8 * INCH))
    assert not reach.contains(Point(900, 500 + 8 * INCH + 13))
    assert reach.contains(Point(900 + 100, 500 + 100))  # 45 degrees off the front
    assert reach.contains(Point(900, 500 - 8 * INCH))  # straight back
    assert not reach.contains(Point(1060, 420))  # but not back aslant
    open_order = Polygon(move(game(unit("us", at=[(900, 500)]))).reach_mm)
    assert open_order.contains(Point(900, 500 - 8 * INCH))
    assert open_order.exterior.is_ccw


@pytest.mark.rule("MM-44")
def test_water_and_the_table_edge_bound_the_reach_and_a_bridge_opens_it() -> None:
    river = box("river", "river", (0, 400), (1828, 420))
    table = game(unit("us"), terrain=[river])
    assert not Polygon(move(table).reach_mm).contains(Point(900, 450))
    bridge = box("bridge", "bridge", (880, 390), (920, 430))
    assert Polygon(move(game(unit("us"), terrain=[river, bridge])).reach_mm).contains(Point(900, 450))
    corner = Polygon(move(game(unit("us", at=[(20, 20)]))).reach_mm)
    assert corner.bounds[:2] == (0.0, 0.0)
    assert move(game(unit("us", activated=True))).reach_mm == ()


def ground(table: Game, name: str = "us") -> Any:
    """All polygons of the ground in reach, with their holes."""
    polygons = move(table, name).extra["reach_polygons_mm"]
    return union_all([Polygon(outline, holes) for outline, *holes in polygons])


@pytest.mark.rule("MM-51", "MM-52")
@pytest.mark.parametrize(
    ("mine", "theirs", "passes"),
    [
        ("formed-line", "formed-line", False),
        ("formed-line", "mob", False),
        ("mob", "formed-line", False),
        ("formed-line", "unformed", True),
        ("mob", "unformed", True),
        ("unformed", "formed-line", True),
        ("unformed", "unformed", True),
    ],
)
def test_who_may_pass_through_whom(mine: str, theirs: str, passes: bool) -> None:
    us = unit("us", at=row(3, 900, 300, 25), kind="regular", formation=mine)
    friends = unit("friends", at=row(15, 900, 380, 25), kind="regular", formation=theirs)
    area = ground(game(us, friends))
    assert area.contains(Point(900, 470)) is passes
    assert area.contains(Point(900, 350))
    assert not area.contains(Point(900, 380))  # nobody ends on another's base


@pytest.mark.rule("MM-51", "MM-52")
@pytest.mark.parametrize("mine", ["formed-line", "mob", "unformed"])
@pytest.mark.parametrize("theirs", ["formed-line", "mob", "unformed"])
def test_nobody_walks_through_the_enemy(mine: str, theirs: str) -> None:
    us = unit("us", at=row(3, 900, 300, 25), kind="regular", formation=mine)
    spots = row(21, 900, 380, 25)
    foes = unit("foes", side="french", at=spots, kind="regular", formation=theirs)
    area = ground(game(us, foes))
    assert area.contains(Point(900, 350))
    assert not area.contains(Point(900, 470))


@pytest.mark.rule("MM-44", "muskets-mohawks R-22")
def test_a_pond_is_a_hole_in_the_ground_in_reach() -> None:
    pond = box("pond", "lake", (880, 380), (920, 420))
    table = game(unit("us"), terrain=[pond])
    assert not ground(table).contains(Point(900, 400))
    assert ground(table).contains(Point(900, 450))  # round it
    (polygon,) = move(table).extra["reach_polygons_mm"]
    assert len(polygon) == 2
    assert [tuple(point) for point in polygon[0]] == list(move(table).reach_mm)


@pytest.mark.rule("MM-256", "MM-189")
@pytest.mark.parametrize(("formation", "enters"), [("formed-line", False), ("mob", False), ("unformed", True)])
def test_nobody_enters_woods_formed(formation: str, enters: bool) -> None:
    wood = box("wood", "woods", (700, 380), (1100, 600))
    us = unit("us", at=row(3, 900, 300, 25), kind="regular", formation=formation)
    assert ground(game(us, terrain=[wood])).contains(Point(900, 450)) is enters


@pytest.mark.rule("MM-191")
@pytest.mark.parametrize(("since", "enters"), [(None, False), ("edge", True)])
def test_a_creek_is_first_walked_up_to(since: str | None, enters: bool) -> None:
    creek = box("creek", "creek", (0, 380), (1828, 430))
    keys: dict[str, Any] = {} if since is None else {"at_edge_since": since}
    at_bank = unit("us", at=row(3, 900, 350, 50), **keys)
    assert ground(game(at_bank, terrain=[creek])).contains(Point(900, 400)) is enters


@pytest.mark.rule("MM-44")
def test_a_wheel_stops_at_the_house_that_it_meets() -> None:
    us = unit("us", at=row(6, 900, 300, 25), kind="regular", formation="formed-line")
    house = box("house", "building", (965, 330), (1060, 360))
    free, held = ground(game(us)), ground(game(us, terrain=[house]))
    assert held.within(free.buffer(0.5))
    assert held.area < free.area - 1000
    assert not held.intersects(Polygon([(967, 332), (1058, 332), (1058, 358), (967, 358)]))


def reasons(action: str, entry: dict[str, Any], *more: dict[str, Any], **keys: Any) -> tuple[str, ...]:
    table = game(entry, *more, **keys)
    return action_reasons(table, table.unit("us"), action).rules


@pytest.mark.rule("MM-112", "MM-123", "MM-110", "muskets-mohawks R-20")
@pytest.mark.parametrize(
    ("entry", "rows"),
    [
        (unit("us", reload_markers=1), ()),
        (unit("us"), ("MM-112",)),
        (unit("us", reload_markers=1, prone=True), ()),
        (unit("us", reload_markers=1, moved_mm=1.0), ("MM-112",)),
        (unit("us", reload_markers=1, activated=True), ("MM-112",)),
        (unit("us", reload_markers=1, in_melee=["x"]), ("MM-112",)),
        (unit("us", reload_markers=1, firing_at="them"), ("MM-110",)),
        (gun("us", reload_markers=2), ()),
        (gun("us", reload_markers=2, crew=0), ("MM-123", "MM-123")),
        (gun("us", reload_markers=2, left_gun=True), ("MM-123",)),
        (gun("us", reload_markers=2, firing_at="them"), ()),
    ],
)
def test_who_may_reload(entry: dict[str, Any], rows: tuple[str, ...]) -> None:
    assert reasons("reload", entry, unit("them", "french", [(900, 600)], bearing=180.0)) == rows


@pytest.mark.rule("MM-66", "MM-56", "MM-74")
@pytest.mark.parametrize(
    ("entry", "rows"),
    [
        (unit("us", retiring=True), ()),
        (unit("us"), ("MM-66",)),
        (unit("us", retiring=True, activated=True), ("MM-66",)),
        (gun("us", retiring=True, left_gun=True), ()),
        (unit("us", kind="leader", retiring=True), ("MM-66",)),
    ],
)
def test_who_may_rally(entry: dict[str, Any], rows: tuple[str, ...]) -> None:
    assert reasons("rally", entry) == rows


@pytest.mark.rule("MM-66", "MM-26", "MM-111", "MM-172", "MM-189")
@pytest.mark.parametrize(
    ("keys", "rows"),
    [
        ({"kind": "regular"}, ()),
        ({"kind": "militia"}, ()),
        ({"kind": "cavalry"}, ()),
        ({"kind": "indian"}, ("MM-26",)),
        ({"kind": "mounted-infantry", "mounted": True}, ()),
        ({"kind": "mounted-infantry"}, ("MM-26",)),
        ({"kind": "cavalry", "stats": {"special": ["irregular"]}}, ("MM-26",)),
        ({"kind": "regular", "formation": "formed-line"}, ("MM-66",)),
        ({"kind": "regular", "formation": "mob"}, ("MM-66",)),
        ({"kind": "regular", "retiring": True}, ("MM-56",)),
        ({"kind": "regular", "reload_markers": 1}, ("MM-111",)),
        ({"kind": "regular", "moved_mm": 1.0}, ("MM-44",)),
    ],
)
def test_who_may_form_line(keys: dict[str, Any], rows: tuple[str, ...]) -> None:
    assert reasons("form-line", unit("us", **keys)) == rows


@pytest.mark.rule("MM-189", "MM-172")
def test_no_line_is_formed_in_woods_or_indoors() -> None:
    us = unit("us", kind="regular")
    assert reasons("form-line", us, terrain=[box("wood", "woods", (800, 200), (1000, 400))]) == ("MM-189",)
    house = box("house", "building", (800, 200), (1000, 400))
    assert reasons("form-line", unit("us", kind="regular", in_building="house"), terrain=[house]) == ("MM-172",)


@pytest.mark.rule("MM-165")
@pytest.mark.parametrize(
    ("keys", "gap_in", "legal"),
    [
        ({}, 12, True),
        ({}, 11.96, False),
        ({"recovered": True}, 20, False),
        ({"moved_mm": 1.0}, 20, False),
        ({"activated": True}, 20, False),
        ({"casualties": 0}, 20, False),
        ({"kind": "militia"}, 20, False),
        ({"kind": "indian"}, 20, False),
        ({"kind": "light"}, 20, True),
        ({"kind": "guard"}, 20, True),
    ],
)
def test_who_may_recover_casualties(keys: dict[str, Any], gap_in: float, legal: bool) -> None:
    us = unit("us", **{"kind": "regular", "casualties": 4, **keys})
    rows = reasons("recover", us, unit("them", "french", [(900, 325 + gap_in * INCH)]))
    assert (rows == ()) is legal


@pytest.mark.rule("MM-163")
def test_breaking_off_needs_room_behind() -> None:
    them = unit("them", "french", [(900, 325)])
    assert reasons("break-off", unit("us"), them) == ("MM-163",)
    held = unit("us", in_melee=["them"])
    assert reasons("break-off", held, them) == ()
    lake = box("lake", "lake", (500, 200), (1300, 280))
    assert reasons("break-off", held, them, terrain=[lake]) == ("MM-163",)
    edge = unit("us", at=[(900, 20)], in_melee=["them"])
    assert reasons("break-off", edge, unit("them", "french", [(900, 45)])) == ("MM-163",)


@pytest.mark.rule("MM-176", "MM-177", "MM-114", "muskets-mohawks R-18")
@pytest.mark.parametrize(
    ("entry", "house", "conditions", "legal"),
    [
        (unit("us"), {}, {}, False),
        (unit("us", at=[(900, 385)]), {}, {}, True),
        (unit("us", at=[(900, 384)]), {}, {}, False),
        (unit("us", weapon="bow"), {}, {}, True),
        (unit("us", weapon="bow", at=[(900, 350 - 18 * INCH + 25)]), {}, {}, False),
        (unit("us", at=[(900, 385)]), {"dv": 3}, {}, False),
        (unit("us", at=[(900, 385)]), {"fire_in": 2}, {}, False),
        (unit("us", at=[(900, 385)]), {}, {"weather": "inclement", "weather_level": 1}, False),
        (unit("us", at=[(900, 385)]), {}, {"weather": "inclement", "weather_level": 3}, True),
    ],
)
def test_who_may_start_a_fire(
    entry: dict[str, Any], house: dict[str, Any], conditions: dict[str, Any], legal: bool
) -> None:
    table = game(entry, terrain=[box("house", "building", (800, 400), (1000, 600), **house)], **conditions)
    assert bool(action_reasons(table, table.unit("us"), "start-fire")) is not legal
    if not conditions:
        assert burnable(table, table.unit("us")) == (("house",) if legal else ())


def leader(name: str, at: tuple[float, float], rank: str = "lieutenant", **keys: Any) -> dict[str, Any]:
    stats = {"rank": rank, "leader_rep": keys.pop("rep", 4), "commands": keys.pop("commands", None)}
    return unit(name, at=[at], kind="leader", stats=stats, **keys)


def commanded(table: Game, name: str = "boss") -> dict[str, tuple[bool, list[str]]]:
    entries = RULESET.ask(table, [name]).units[0].extra["command"]
    return {entry["unit"]: (entry["legal"], entry["why_rules"]) for entry in entries}


@pytest.mark.rule("MM-31", "MM-29")
@pytest.mark.parametrize(
    ("gap_in", "keys", "boss", "rows"),
    [
        (6, {}, {}, []),
        (6.04, {}, {}, ["MM-31"]),
        (5, {"activated": True}, {}, ["MM-31"]),
        (5, {}, {"activated": True}, ["MM-31"]),
        (5, {}, {"stunned": True}, ["R-26"]),
    ],
)
def test_whom_a_leader_may_activate(
    gap_in: float, keys: dict[str, Any], boss: dict[str, Any], rows: list[str]
) -> None:
    table = game(leader("boss", (900, 300), **boss), unit("us", at=[(900, 325 + gap_in * INCH)], **keys))
    assert commanded(table) == {"us": (not rows, rows)}


@pytest.mark.rule("MM-32", "MM-31", "MM-85")
def test_a_mounted_leader_reaches_farther_and_sees_over_figures() -> None:
    near, wall = unit("us", at=[(900, 325 + 5 * INCH)]), unit("wall", at=row(7, 900, 370, 25))
    assert commanded(game(leader("boss", (900, 300)), near, wall))["us"] == (False, ["MM-85"])
    assert commanded(game(leader("boss", (900, 300), mounted=True), near, wall))["us"] == (True, [])
    far = unit("us", at=[(900, 325 + 12 * INCH)])
    assert commanded(game(leader("boss", (900, 300), mounted=True), far))["us"] == (True, [])
    assert not commanded(game(leader("boss", (900, 300), "war-chief", mounted=True), far))["us"][0]


@pytest.mark.rule("R-57", "MM-30")
def test_who_is_under_whom() -> None:
    table = game(
        leader("major", (100, 100), "major"), leader("captain", (200, 100), "captain", commands=["one", "two"]),
        leader("one", (300, 100), commands=["a"]), leader("two", (400, 100)), unit("a", at=[(500, 100)]),
        unit("b", at=[(600, 100)]),
    )  # fmt: skip
    assert under(table, table.unit("major")) == {"captain", "one", "two", "a", "b"}
    assert under(table, table.unit("captain")) == {"one", "two", "a", "b"}
    assert under(table, table.unit("one")) == {"a"}
    assert under(table, table.unit("two")) == {"a", "b"}


@pytest.mark.rule("MM-30")
def test_the_overall_commander_has_the_highest_rank_then_rep_then_place() -> None:
    one, two = leader("one", (300, 100), "captain", rep=4), leader("two", (400, 100), "war-chief", rep=5)
    three = leader("three", (500, 100), "captain", rep=5)
    commander = overall_commander(game(leader("low", (200, 100), rep=6), one, two, three), "british")
    assert commander is not None
    assert commander.id == "two"


@pytest.mark.rule("MM-43", "R-39", "MM-25", "MM-42")
@pytest.mark.parametrize(
    ("side", "edge", "wanted"),
    [
        ("british", "south", ["c", "b", "a"]),
        ("british", "north", ["a", "b", "c"]),
        ("british", "west", ["c", "a", "b"]),
        ("british", "east", ["b", "a", "c"]),
    ],
)
def test_a_side_activates_from_its_right(side: str, edge: str, wanted: list[str]) -> None:
    import msgspec

    table = game(unit("a", at=[(300, 500)]), unit("b", at=[(600, 700)]), unit("c", at=[(900, 300)]),
                 unit("done", at=[(100, 100)], activated=True), unit("gone", at=[]))  # fmt: skip
    sides = (msgspec.structs.replace(table.sides[0], edge=edge), table.sides[1])
    turned = msgspec.structs.replace(table, sides=sides)
    assert RULESET.ask(turned).extra["order"] == wanted


@pytest.mark.rule("MM-43", "R-39", "MM-25")
def test_a_body_goes_together_and_equals_in_list_order() -> None:
    left, right = unit("left", at=row(4, 400, 300, 25)), unit("right", at=row(4, 500, 300, 25))
    between = unit("between", at=[(470, 800)])
    assert RULESET.ask(game(left, between, right)).extra["order"] == ["between", "right", "left"]
    same = [unit(name, at=[(400, y)]) for name, y in (("x", 100), ("y", 200))]
    assert RULESET.ask(game(*same)).extra["order"] == ["x", "y"]
