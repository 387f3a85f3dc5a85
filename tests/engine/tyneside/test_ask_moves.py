"""How far units move, whom they can charge, and who belongs together."""

from __future__ import annotations

import math
from typing import Any

import pytest
from shapely import Point, Polygon

from engine.dice import TypedDice
from engine.play import play
from engine.records.action import action_from
from engine.rulesets.tyneside import RULESET
from engine.rulesets.tyneside.table.facts import allowance_mm, left_mm, platoon_of
from tests.engine.tyneside.scene import HALF, apart, asked, charge, figure, game, ground, moves, row, unit

BASE = {"shape": "rect", "width_mm": 25, "depth_mm": 50}


def horse(name: str, x: float, y: float, **more: Any) -> Any:
    return figure(name, x, y, mounted=True, **more) | {"base": BASE}


@pytest.mark.rule("TY-20", "TY-23", "TY-40")
@pytest.mark.parametrize(
    ("kind", "men", "stats", "cm"),
    [
        ("irregular", [figure("a-1", 600, 150)], {}, 25),
        ("formed", [figure("a-1", 600, 150)], {}, 25),
        ("irregular", [figure("a-1", 600, 150), figure("a-2", 640, 150, status="wounded")], {}, 20),
        ("civilian", [figure("a-1", 600, 150)], {}, 20),
        ("civilian", [figure("a-1", 600, 150)], {"petticoats": True}, 15),
        ("civilian", [figure("a-1", 600, 150, status="wounded")], {"petticoats": True}, 15),
        ("irregular", [figure("a-1", 600, 150), figure("a-2", 640, 150, role="civilian")], {}, 20),
        ("irregular", [figure("a-1", 600, 150)], {"petticoats": True}, 25),
        ("irregular", [horse("a-1", 600, 150)], {}, 40),
        ("irregular", [horse("a-1", 600, 150), figure("a-2", 640, 150)], {}, 25),
        ("irregular", [horse("a-1", 600, 150, status="wounded")], {}, 20),
        ("irregular", [figure("a-1", 600, 150, status="killed"), horse("a-2", 640, 150)], {}, 40),
    ],
)
def test_the_slowest_figure_sets_the_pace(kind: str, men: Any, stats: Any, cm: float) -> None:
    assert moves(unit("a", *men, type=kind, stats=stats)).allowance_mm == cm * 10


@pytest.mark.rule("TY-20")
@pytest.mark.parametrize(
    ("kind", "cm"), [("woods", 25), ("marsh", 25), ("house", 25), ("fence", 25), ("road", 40), ("hill", 40)]
)
def test_horses_run_in_open_clear_ground_alone(kind: str, cm: float) -> None:
    terrain = [ground(kind, 500, 100, 700, 200)]
    assert moves(unit("a", horse("a-1", 600, 150)), terrain=terrain).allowance_mm == cm * 10


@pytest.mark.rule("TY-20", "TY-34")
@pytest.mark.parametrize(
    ("state", "left", "rules"),
    [
        ({}, 250, []),
        ({"moved": "half"}, 125, []),
        ({"moved": "full"}, 0, ["TY-20"]),
        ({"activity": "loading"}, 0, ["TY-34"]),
    ],
)
def test_what_is_left_of_the_move(state: Any, left: float, rules: Any) -> None:
    found = moves(unit("a", (600, 600), **state))
    assert (found.allowance_mm, found.extra["left_mm"], found.extra["why_rules"]) == (250, left, rules)
    assert bool(found.reach_mm) is (left > 0)
    of = game(unit("a", (600, 600), moved=state.get("moved", "none")))
    assert left_mm(of, of.unit("a")) == {"half": 125, "full": 0}.get(state.get("moved", ""), 250)
    assert allowance_mm(of, of.unit("a")) == 250


def reached(distance: float, bearing: float = 0.0, terrain: Any = (), **state: Any) -> bool:
    """Whether the base of a man at (600, 600) may come so far, by the polygon."""
    outline = moves(unit("a", (600, 600), **state), terrain=list(terrain)).reach_mm
    distance += HALF
    spot = 600 + distance * math.sin(math.radians(bearing)), 600 + distance * math.cos(math.radians(bearing))
    return bool(Polygon(outline).contains(Point(spot)))


@pytest.mark.rule("TY-20", "TY-21", "TY-22")
@pytest.mark.parametrize(
    ("terrain", "reach"),
    [
        ([], 250),
        ([ground("marsh", 500, 700, 700, 900)], 175),
        ([ground("woods", 500, 590, 700, 900)], 125),
        ([ground("fence", 500, 700, 700, 704)], 187.5),
        ([ground("fence", 500, 750, 700, 754), ground("log", 500, 760, 700, 764)], 160),
        ([ground("fence", 500, 790, 700, 794)], 190),
        ([ground("river", 500, 700, 700, 900)], 100),
        ([ground("fence", 500, 598, 700, 602)], 250),
    ],
)
def test_ground_and_barriers_shorten_the_reach(terrain: Any, reach: float) -> None:
    assert reached(reach - 1, terrain=terrain)
    assert not reached(reach + 1, terrain=terrain)
    assert reached(249, 180.0, terrain) is (terrain == [] or terrain[0]["kind"] != "woods")


@pytest.mark.rule("TY-20", "TY-21", "TY-22")
@pytest.mark.parametrize(
    ("kind", "far", "moved"),
    [("woods", 175, "none"), ("fence", 187.5, "none"), ("fence", 62.5, "half"), ("road", 400, "none"),
     ("river", 100, "none")],
)  # fmt: skip
def test_where_a_rider_gets_to_is_where_his_move_ends(kind: str, far: float, moved: str) -> None:
    top = 640 if moved == "half" else 700
    of = game(unit("a", horse("a-1", 600, 600), moved=moved), terrain=[ground(kind, 500, top, 700, top + 4)])
    if kind == "woods":
        of = game(unit("a", horse("a-1", 600, 600)), terrain=[ground(kind, 500, 700, 700, 1190)])
    shown = Polygon((asked(of).move or pytest.fail("no move")).reach_mm)
    rim = 25  # so far his base reaches to the front; the ground shown is drawn for its narrow side
    assert shown.contains(Point(600, 600 + far + HALF - 1))
    assert not shown.contains(Point(600, 600 + far + rim + 1))
    action = action_from({"action": "move", "unit": "a", "to": [600, 1150]})
    rides = play(of, RULESET.begin(of, action), TypedDice([])).game.unit("a").figures[0]
    assert rides.y_mm == pytest.approx(600 + far, abs=0.2)
    behind = 200 if moved == "half" else 400
    assert shown.contains(Point(600, 600 - behind + 1))


@pytest.mark.rule("TY-20")
def test_the_reach_ends_at_the_tables_edge() -> None:
    outline = moves(unit("a", (100, 600))).reach_mm
    assert min(x for x, _ in outline) == 0


@pytest.mark.rule("TY-70", "TY-20")
@pytest.mark.parametrize(("gap", "legal"), [(0, True), (250.0, True), (250.1, False)])
def test_a_charge_reaches_as_far_as_the_move(gap: float, legal: bool) -> None:
    here, there = apart(gap)
    found = charge(unit("a", here, commanded=True), unit("b", there))
    assert (found.legal, found.why_rules) == (legal, () if legal else ("TY-70",))
    assert found.distance_mm == pytest.approx(gap)


@pytest.mark.rule("TY-70", "TY-21", "TY-22")
@pytest.mark.parametrize(
    ("terrain", "most"),
    [
        ([ground("marsh", 500, 250, 700, 300)], 200),
        ([ground("fence", 500, 250, 700, 254)], 187.5),
        ([ground("river", 500, 250, 700, 254)], 100),
    ],
)
def test_ground_and_barriers_count_in_a_charge(terrain: Any, most: float) -> None:
    for gap, legal in ((most - 0.1, True), (most + 0.1, False)):
        here, there = apart(gap)
        assert charge(unit("a", here, commanded=True), unit("b", there), terrain=terrain).legal is legal


@pytest.mark.rule("TY-70", "TY-20")
@pytest.mark.parametrize(("kind", "legal"), [(None, True), ("marsh", False)])
def test_horses_charge_farther_in_the_open(kind: str | None, legal: bool) -> None:
    terrain = [] if kind is None else [ground(kind, 500, 300, 700, 310)]
    found = charge(unit("a", horse("a-1", 600, 150), commanded=True), unit("b", (600, 550)), terrain=terrain)
    assert found.legal is legal


@pytest.mark.rule("TY-70", "TY-60", "TY-18")
@pytest.mark.parametrize(
    ("state", "rules"),
    [
        ({"commanded": True}, ()),
        ({}, ("TY-70",)),
        ({"may_charge": True}, ()),
        ({"commanded": True, "result": "withdraw", "binding": True}, ("TY-60",)),
        ({"commanded": True, "result": "cover", "binding": False}, ()),
        ({"commanded": True, "result": "advance", "binding": True}, ()),
        ({"commanded": True, "moved": "full"}, ("TY-20",)),
        ({"commanded": True, "moved": "half"}, ("TY-70",)),
        ({"commanded": True, "routing": True}, ("TY-60",)),
        ({"commanded": True, "activity": "loading"}, ("TY-34",)),
    ],
)
def test_who_may_charge(state: Any, rules: Any) -> None:
    here, there = apart(200)
    found = charge(unit("a", here, **state), unit("b", there))
    assert (found.legal, found.why_rules) == (not rules, rules)


@pytest.mark.rule("TY-70")
def test_uncommanded_units_charge_the_nearest_in_reach() -> None:
    units = [unit("b", (600, 350)), unit("bx", (500, 280))]
    assert not charge(unit("a", (600, 150), may_charge=True), *units).legal
    assert charge(unit("a", (600, 150), may_charge=True), *units, at="bx").legal
    assert charge(unit("a", (600, 150), commanded=True), *units).legal
    river = ground("river", 530, 200, 560, 260)
    assert charge(unit("a", (600, 150), may_charge=True), *units, terrain=[river]).legal


@pytest.mark.rule("TY-04", "TY-70")
@pytest.mark.parametrize(
    ("bearing", "aspect"),
    [(0, "front"), (45, "front"), (46, "flank"), (134, "flank"), (136, "rear"), (180, "rear")],
)
def test_from_which_side_a_charge_comes(bearing: float, aspect: str) -> None:
    spot = 600 - 200 * math.sin(math.radians(bearing)), 600 - 200 * math.cos(math.radians(bearing))
    found = charge(unit("a", spot, commanded=True), unit("b", (600, 600)))
    assert found.aspect == aspect


@pytest.mark.rule("TY-70", "TY-72")
def test_a_charge_tells_the_figures_and_what_they_add() -> None:
    found = charge(unit("a", *row(3, 550, 150), commanded=True, weapon="sword", stats={"class": "raw"}),
                   unit("b", *row(2, 570, 300)))  # fmt: skip
    assert found.roll is not None
    assert (found.roll.charger, found.roll.target, found.roll.die) == (3, 2, "d6")
    assert [(one.name, one.effect) for one in found.modifiers] == [("raw", "-1"), ("better weapon in melee", "+1")]


@pytest.mark.rule("TY-01", "TY-70")
def test_a_charge_within_two_sigma_of_its_reach_is_borderline() -> None:
    here, there = apart(250.5)
    found = charge(unit("a", here, commanded=True), unit("b", there), sigma_mm=0.5)
    assert found.borderline[0] == "way into contact 25.05 ± 0.07 cm against 25 cm"
    assert charge(unit("a", here, commanded=True), unit("b", there)).borderline == ()


@pytest.mark.rule("TY-07")
@pytest.mark.parametrize(
    ("count", "kind", "warned"),
    [(3, "irregular", True), (4, "irregular", False), (10, "irregular", False), (11, "irregular", True),
     (20, "formed", False)],
)  # fmt: skip
def test_groups_have_four_to_ten_figures(count: int, kind: str, warned: bool) -> None:
    found = asked(game(unit("a", *row(count, 300, 150), type=kind))).extra["group"]
    assert any("figures: groups have 4 to 10" in line for line in found["warnings"]) is warned


@pytest.mark.rule("TY-07")
def test_members_who_lost_sight_of_the_group_are_named() -> None:
    men = unit("a", *row(4, 300, 150), (500, 400))
    assert asked(game(men)).extra["group"]["warnings"] == []
    house = ground("house", 200, 200, 700, 300)
    assert asked(game(men, terrain=[house])).extra["group"]["warnings"] == ["out of sight of the group: a-5"]


@pytest.mark.rule("TY-07")
@pytest.mark.parametrize(
    ("count", "others", "kind", "may"),
    [
        (3, 7, "irregular", True),
        (3, 8, "irregular", False),
        (4, 5, "irregular", False),
        (2, 5, "skirmisher", False),
    ],
)
def test_few_may_join_like_troops(count: int, others: int, kind: str, may: bool) -> None:
    units = [unit("a", *row(count, 300, 150)), unit("ax", *row(others, 300, 300), type=kind)]
    assert asked(game(*units)).extra["group"]["may_join"] == (["ax"] if may else [])


@pytest.mark.rule("TY-63")
@pytest.mark.parametrize(
    ("gap", "role", "together"),
    [(50.0, "nco", True), (50.1, "nco", False), (50.0, "private", False), (50.0, "officer", True)],
)
def test_squads_in_company_have_a_leader_with_them(gap: float, role: str, together: bool) -> None:
    squad = unit("a", figure("a-1", 500, 150, role=role), (540, 150), type="formed")
    of = game(squad, unit("ax", *row(4, 565 + gap, 150), type="formed"), unit("ay", (540, 180)))
    assert platoon_of(of, of.unit("ax")) == (("a", "ax") if together else ("ax",))
    assert asked(of).extra["group"]["platoon"] == (["a", "ax"] if together else ["a"])


@pytest.mark.rule("TY-63")
@pytest.mark.parametrize(("gap", "together"), [(50.0, True), (50.1, False)])
def test_an_officer_of_their_side_within_five_centimetres_keeps_a_platoon(gap: float, together: bool) -> None:
    squads = [unit("a", (500, 150), type="formed"), unit("ax", (540, 150), type="formed")]
    officer = unit("al", figure("al-1", 565 + gap, 150, role="officer"), type="leader")
    enemy = unit("bl", figure("bl-1", 500, 180, role="officer"), type="leader")
    of = game(*squads, officer, enemy)
    assert platoon_of(of, of.unit("a")) == (("a", "ax") if together else ("a",))


def commands(*units: Any, **more: Any) -> Any:
    found = asked(game(unit("al", figure("al-1", 300, 600, role="officer"), type="leader"), *units, **more), "al")
    return {entry["group"]: entry for entry in found.extra["command"]["groups"]}


@pytest.mark.rule("TY-13", "TY-15")
@pytest.mark.parametrize(
    ("gap", "terrain", "reached"),
    [
        (500.0, [], True),
        (500.1, [], False),
        (250.0, [ground("woods", 100, 500, 400, 700)], True),
        (250.1, [ground("woods", 100, 500, 400, 700)], False),
        (250.1, [ground("woods", 500, 500, 700, 700)], False),
        (250.1, [ground("brush", 500, 500, 700, 700)], True),
        (250.1, [ground("brush", 500, 500, 700, 700, enclosed=True)], False),
    ],
)
def test_who_is_within_command_distance(gap: float, terrain: Any, reached: bool) -> None:
    group = unit("a", (400, 600), (300 + gap + 2 * HALF, 600))
    found = commands(group, terrain=terrain)["a"]
    assert found["reached"] is reached
    assert reached or found["why_not"] == "a-2 beyond command distance"


@pytest.mark.rule("TY-13")
def test_a_group_all_of_which_is_too_far_off_is_not_told_figure_by_figure() -> None:
    assert commands(unit("a", (1000, 600), (1000, 650)))["a"]["why_not"] == "beyond command distance"


@pytest.mark.rule("TY-01", "TY-13", "TY-16")
def test_a_command_distance_that_the_measurement_cannot_settle_is_said() -> None:
    """0.4 mm off 50 cm with a sigma of 0.7 between the two; the drummer half-way holds them for certain."""
    far = unit("a", (825.4, 600))
    (said,) = commands(far, sigma_mm=0.5)["a"]["borderline"]
    assert "commands a-1" in said
    assert "against 50 cm" in said
    assert commands(far)["a"]["borderline"] == []
    drummer = unit("ad", figure("ad-1", 500, 600, role="drummer"))
    found = commands(far, drummer, sigma_mm=0.5)["a"]
    assert (found["via"], found["borderline"]) == (["ad-1"], [])


@pytest.mark.rule("TY-06", "TY-14")
@pytest.mark.parametrize(
    ("stats", "state", "each"),
    [
        ({}, {}, 1),
        ({"loyal_to": ["al"]}, {}, 1),
        ({"loyal_to": ["other"]}, {}, 2),
        ({"loyal_to": []}, {}, 2),
        ({}, {"routing": True}, 2),
        ({"loyal_to": []}, {"routing": True}, 2),
    ],
)
def test_what_a_group_costs(stats: Any, state: Any, each: int) -> None:
    found = commands(unit("a", *row(5, 350, 600), stats=stats, **state))["a"]
    assert (found["each"], found["cost"], found["via"]) == (each, 5 * each, [])


@pytest.mark.rule("TY-11", "TY-12", "TY-16", "TY-17")
def test_the_cheapest_way_leads_through_those_who_may_pass_the_order_on() -> None:
    far = unit("a", *row(4, 1000, 600))
    chain = unit("ax", figure("ax-1", 700, 600, role="nco"), (660, 600), stats={"class": "raw"})
    drummer = unit("ay", figure("ay-1", 700, 560, role="drummer"), stats={"loyal_to": []})
    found = commands(far, chain, drummer)
    assert (found["a"]["via"], found["a"]["cost"], found["a"]["dice"]) == (["ax-1"], 5, 5)
    assert (found["ax"]["via"], found["ax"]["cost"], found["ax"]["dice"]) == ([], 2, 3)
    assert found["ay"]["dice"] == 4
    alone = commands(far, drummer)["a"]
    assert (alone["via"], alone["cost"], alone["dice"]) == (["ay-1"], 4 + 2, 3 + 1 + 3)
    assert not commands(far)["a"]["reached"]


@pytest.mark.rule("TY-16", "TY-17")
def test_orders_go_from_link_to_link() -> None:
    platoon = unit("a", figure("a-1", 800, 600, role="nco"), figure("a-2", 1300, 600, role="nco"), (1600, 600))
    found = commands(platoon)["a"]
    assert (found["via"], found["cost"]) == (["a-1", "a-2"], 3)


@pytest.mark.rule("TY-11")
@pytest.mark.parametrize(("klass", "dice"), [("hero", 4), ("veteran", 3), ("raw", 2)])
@pytest.mark.parametrize("activity", [None, "loading", "firing", "melee"])
def test_a_leaders_dice(klass: str, dice: int, activity: str | None) -> None:
    officer = unit("a", (300, 600), type="leader", stats={"class": klass}, activity=activity)
    assert asked(game(officer)).extra["command"]["dice"] == dice - (activity is not None)


@pytest.mark.rule("TY-08")
def test_only_player_characters_command() -> None:
    assert "command" not in asked(game(unit("a", (300, 600)))).extra


@pytest.mark.rule("TY-63", "TY-82")
@pytest.mark.parametrize(("hidden", "platoon"), [(False, ("a", "ab")), (True, ("a",))])
def test_a_hidden_squad_is_in_nobodys_company(hidden: bool, platoon: tuple[str, ...]) -> None:
    led = unit("a", figure("a-1", 600, 150, role="nco"), (640, 150), type="formed")
    of = game(led, unit("ab", (680, 150), type="formed", hidden=hidden))
    assert platoon_of(of, of.unit("a")) == platoon
