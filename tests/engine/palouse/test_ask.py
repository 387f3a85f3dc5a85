"""What units on squares can do, row by row of the rulebook."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import UnusableFile
from engine.records.game import game_builtins, game_from
from engine.rulesets.palouse import RULESET
from tests.engine.palouse.scene import asked, edge, game, ground, unit


def shot(*units: Any, **more: Any) -> Any:
    return asked(game(*units, **more)).fire[0]


@pytest.mark.parametrize(
    ("kind", "bounds", "band", "add"),
    [
        pytest.param("infantry", 1, "short", 0, marks=pytest.mark.rule("PA-32", "PA-34")),
        pytest.param("infantry", 2, "long", -1, marks=pytest.mark.rule("PA-32", "PA-34")),
        pytest.param("infantry", 3, "out-of-range", None, marks=pytest.mark.rule("PA-32")),
        pytest.param("grenadier", 1, "short", 1, marks=pytest.mark.rule("PA-35")),
        pytest.param("grenadier", 2, "long", 0, marks=pytest.mark.rule("PA-35")),
        pytest.param("skirmisher", 1, "short", -1, marks=pytest.mark.rule("PA-35")),
        pytest.param("skirmisher", 2, "long", -1, marks=pytest.mark.rule("PA-35")),
        pytest.param("indian", 2, "long", -1, marks=pytest.mark.rule("PA-35")),
        pytest.param("artillery", 2, "short", -1, marks=pytest.mark.rule("PA-33", "PA-35")),
        pytest.param("artillery", 3, "long", -1, marks=pytest.mark.rule("PA-33")),
        pytest.param("artillery", 4, "long", -1, marks=pytest.mark.rule("PA-33")),
        pytest.param("artillery", 5, "out-of-range", None, marks=pytest.mark.rule("PA-33")),
    ],
)
def test_range_and_die_of_every_type(kind: str, bounds: int, band: str, add: int | None) -> None:
    found = shot(unit("b", (4, 1), kind), unit("f", (4, 1 + bounds)))
    assert (found.extra["range_bounds"], found.band, found.legal) == (bounds, band, add is not None)
    assert (None if found.roll is None else found.roll.extra["add"]) == add
    assert found.roll is None or (found.roll.count, found.roll.die, found.roll.extra["minimum"]) == (1, "d3", 0)


@pytest.mark.rule("PA-01", "PA-02", "palouse R1")
@pytest.mark.parametrize(
    ("square", "one", "orthogonal"), [((5, 2), 1, 2), ((6, 3), 2, 4), ((6, 1), 2, 2), ((4, 0), 1, 1)]
)
def test_bounds_are_squares_and_diagonals_count_one(square: tuple[int, int], one: int, orthogonal: int) -> None:
    for option, bounds in (("one", one), ("orthogonal", orthogonal)):
        found = shot(unit("b", (4, 1)), unit("f", square), options={"diagonals": option})
        assert found.extra["range_bounds"] == bounds


@pytest.mark.rule("PA-30", "palouse R9")
@pytest.mark.parametrize(
    ("bearing", "arc", "legal"),
    [
        (0, 45, True),
        (45, 45, True),
        (315, 45, True),
        (46, 45, False),
        (180, 45, False),
        (46, 50, True),
        (180, 180, True),
    ],
)
def test_targets_lie_in_the_arc_limits_included(bearing: float, arc: float, legal: bool) -> None:
    found = shot(unit("b", (4, 1), bearing_deg=bearing), unit("f", (4, 2)), options={"arc_deg": arc})
    assert found.legal is legal
    assert found.extra["angle_deg"] == pytest.approx(min(bearing, 360 - bearing))
    assert ("PA-30" in found.why_rules) is not legal


@pytest.mark.rule("PA-31", "PA-21", "PA-25")
@pytest.mark.parametrize(("kind", "legal"), [("town", True), ("fortification", True), ("woods", False)])
def test_towns_and_fortifications_fire_all_round(kind: str, legal: bool) -> None:
    assert shot(unit("b", (4, 1)), unit("f", (4, 0)), terrain=[ground(kind, (4, 1))]).legal is legal


@pytest.mark.rule("PA-36", "PA-20")
@pytest.mark.parametrize(
    ("kind", "where", "add"),
    [
        ("infantry", "woods", -1),
        ("grenadier", "woods", 0),
        ("skirmisher", "woods", -1),
        ("infantry", "difficult", 0),
    ],
)
def test_close_order_shoots_badly_out_of_woods(kind: str, where: str, add: int) -> None:
    found = shot(unit("b", (4, 1), kind), unit("f", (4, 2)), terrain=[ground(where, (4, 1))])
    assert found.roll.extra["add"] == add


@pytest.mark.rule("PA-37")
def test_the_targets_cover_changes_no_dice() -> None:
    found = shot(unit("b", (4, 1)), unit("f", (4, 2), "skirmisher"), terrain=[ground("woods", (4, 2))])
    assert (found.roll.extra["add"], found.modifiers) == (0, ())


@pytest.mark.rule("PA-38", "PA-25")
@pytest.mark.parametrize(
    ("kind", "bounds", "legal"), [("infantry", 1, True), ("infantry", 2, False), ("artillery", 2, True)]
)
def test_fortifications_are_shot_at_from_short_range(kind: str, bounds: int, legal: bool) -> None:
    target = (4, 1 + bounds)
    found = shot(unit("b", (4, 1), kind), unit("f", target), terrain=[ground("fortification", target)])
    assert found.legal is legal
    assert found.why_rules == (() if legal else ("PA-38",))


@pytest.mark.rule("PA-38", "PA-32")
def test_a_fortification_out_of_range_is_refused_for_both_reasons() -> None:
    found = shot(unit("b", (4, 1)), unit("f", (4, 4)), terrain=[ground("fortification", (4, 4))])
    assert set(found.why_rules) == {"PA-32", "PA-38"}
    assert "f is in a fortification: only at short range, 1 bound" in found.why_not


@pytest.mark.parametrize(
    ("state", "conditions", "row"),
    [
        pytest.param({"moved": True}, {}, "PA-17", marks=pytest.mark.rule("PA-17", "palouse R5")),
        pytest.param({"fired": True}, {}, "PA-39", marks=pytest.mark.rule("PA-39")),
        pytest.param({}, {"active": "french"}, "PA-05", marks=pytest.mark.rule("PA-05")),
        pytest.param({}, {"step": "movement"}, "R18", marks=pytest.mark.rule("palouse R18")),
    ],
)
def test_why_a_unit_may_not_fire(state: Any, conditions: Any, row: str) -> None:
    found = shot(unit("b", (4, 1), **state), unit("f", (4, 2)), **conditions)
    assert (found.legal, found.why_rules) == (False, (row,))


@pytest.mark.rule("PA-13")
def test_after_a_failed_activation_a_unit_may_shoot() -> None:
    assert shot(unit("b", (4, 1), activation_failed=True), unit("f", (4, 2))).legal


def test_every_reason_is_told_at_once() -> None:
    found = shot(unit("b", (4, 1), moved=True, fired=True, bearing_deg=180), unit("f", (4, 6)), active="french")
    assert found.why_rules == ("PA-05", "PA-17", "PA-39", "PA-32", "PA-30")


@pytest.mark.rule("PA-40", "palouse R10", "palouse R6")
@pytest.mark.parametrize(
    ("target", "between", "terrain", "legal"),
    [
        ((4, 4), [], [], True),
        ((4, 4), [(4, 2)], [], False),
        ((4, 4), [], [ground("woods", (4, 3))], False),
        ((4, 4), [], [ground("town", (4, 3))], False),
        ((4, 4), [], [ground("fortification", (4, 3))], False),
        ((4, 4), [], [ground("marsh", (4, 3)), ground("lake", (4, 2))], True),
        ((4, 4), [], [ground("woods", (4, 4), (4, 1))], True),
        ((6, 3), [(4, 2), (5, 1)], [], True),
        ((6, 3), [(5, 2)], [], False),
        ((5, 3), [(4, 2)], [], False),
        ((5, 3), [(5, 2)], [], False),
        ((5, 3), [(5, 1), (4, 3)], [], True),
    ],
)
def test_what_stands_between_stops_the_line_of_fire(target: Any, between: Any, terrain: Any, legal: bool) -> None:
    units = [unit("b", (4, 1), "artillery", bearing_deg=30), unit("f", target)]
    units += [unit(f"b{n}", square) for n, square in enumerate(between)]
    found = shot(*units, terrain=terrain)
    assert (found.legal, found.why_rules) == (legal, () if legal else ("PA-40",))
    assert shot(*units, terrain=terrain, options={"line_of_fire": "open"}).legal


def moves(*units: Any, **more: Any) -> Any:
    return asked(game(*units, **more)).move.extra


@pytest.mark.rule("PA-10", "PA-11", "PA-12", "palouse R3", "palouse R16")
@pytest.mark.parametrize(
    ("kind", "here", "hits", "add", "needs"),
    [
        ("infantry", None, 0, 0, 2), ("infantry", "woods", 0, -1, 3), ("grenadier", "difficult", 0, -1, 3),
        ("infantry", "stream", 0, -1, 3), ("infantry", "town", 0, 0, 2), ("skirmisher", "woods", 0, 0, 2),
        ("indian", "woods", 0, 0, 2), ("artillery", "fortification", 0, 0, 2), ("infantry", None, 2, 0, 2),
        ("infantry", None, 3, -1, 3), ("infantry", None, 5, -1, 3), ("infantry", None, 6, -2, 4),
        ("infantry", "woods", 15, -6, 8),
    ],
)  # fmt: skip
def test_what_activation_needs(kind: str, here: str | None, hits: int, add: int, needs: int) -> None:
    terrain = [] if here is None else [ground(here, (4, 1))]
    activation = moves(unit("b", (4, 1), kind, hits=hits), terrain=terrain)["activation"]
    assert (activation["add"], activation["needs"], activation["success"]) == (add, needs, ">=2")


@pytest.mark.rule("PA-11")
def test_ground_at_the_goal_counts_for_that_goal_and_once() -> None:
    found = moves(unit("b", (4, 1)), terrain=[ground("woods", (4, 2), (4, 1))])
    assert {tuple(d["square"]): d["add"] for d in found["destinations"]} == dict.fromkeys(
        [(3, 0), (3, 1), (3, 2), (4, 0), (4, 2), (5, 0), (5, 1), (5, 2)], -1
    )
    found = moves(unit("b", (4, 1)), terrain=[ground("woods", (4, 2))])
    assert [d["add"] for d in found["destinations"] if d["square"] == [4, 2]] == [-1]
    assert found["activation"]["add"] == 0


@pytest.mark.rule("PA-14", "PA-15", "palouse R4")
@pytest.mark.parametrize(
    ("kind", "state", "options", "bounds", "squares"),
    [
        ("infantry", {}, {}, 1, 8), ("indian", {}, {}, 2, 24), ("indian", {"hits": 1}, {}, 1, 8),
        ("infantry", {}, {"diagonals": "orthogonal"}, 1, 4), ("indian", {}, {"diagonals": "orthogonal"}, 2, 12),
        ("artillery", {}, {}, 1, 8), ("artillery", {"has_fired": True}, {}, 0, 0),
        ("artillery", {"has_fired": True}, {"artillery_fixed": "turn"}, 1, 8),
    ],
)  # fmt: skip
def test_how_far_units_move(kind: str, state: Any, options: Any, bounds: int, squares: int) -> None:
    found = asked(game(unit("b", (5, 4), kind, **state), options=options)).move
    assert (found.extra["allowance_bounds"], len(found.extra["reach_squares"])) == (bounds, squares)
    assert found.allowance_mm == pytest.approx(bounds * 152.4)
    assert [5, 4] not in found.extra["reach_squares"]


@pytest.mark.rule("PA-18", "PA-04", "palouse R2")
def test_nobody_enters_or_passes_a_held_square() -> None:
    held = [(c, r) for c in (4, 5, 6) for r in (3, 4, 5) if (c, r) != (5, 4)]
    units = [unit(f"{'bf'[n % 2]}{n}", square) for n, square in enumerate(held)]
    assert moves(unit("b", (5, 4), "indian"), *units)["reach_squares"] == []
    found = moves(unit("b", (5, 4), "indian"), *units[1:])["reach_squares"]
    assert [4, 3] in found
    assert [3, 2] in found
    assert [7, 6] not in found


@pytest.mark.parametrize(
    ("kind", "options", "free"),
    [
        pytest.param("infantry", {}, {"woods", "town", "difficult", "stream", "fortification"},
                     marks=pytest.mark.rule("PA-20", "PA-21", "PA-24", "PA-22")),
        pytest.param("artillery", {}, {"fortification"},
                     marks=pytest.mark.rule("PA-20", "PA-21", "PA-24", "PA-25")),
        pytest.param("artillery", {"artillery_difficult": "allowed"}, {"difficult", "stream", "fortification"},
                     marks=pytest.mark.rule("palouse R7")),
    ],
)  # fmt: skip
def test_which_ground_may_be_entered(kind: str, options: Any, free: set[str]) -> None:
    kinds = ("woods", "town", "difficult", "stream", "fortification", "marsh", "lake", "river")
    entered = set()
    for name in kinds:
        found = moves(unit("b", (4, 1), kind), terrain=[ground(name, (4, 2))], options=options)
        if [4, 2] in found["reach_squares"]:
            entered.add(name)
    assert entered == free


@pytest.mark.rule("PA-23", "palouse R20")
@pytest.mark.parametrize(
    ("terrain", "barred"),
    [
        ([ground("river", (4, 2))], {(4, 2)}),
        ([ground("river", (4, 2)), ground("bridge", (4, 2))], set()),
        ([ground("river", (4, 2)), ground("ford", (4, 2))], set()),
        ([edge("river", 4, 1, "N")], {(4, 2)}),
        ([edge("river", 4, 2, "S")], {(4, 2)}),
        ([edge("river", 4, 1, "N"), edge("bridge", 4, 2, "S")], set()),
        ([edge("river", 4, 1, "N"), edge("river", 5, 1, "N")], {(4, 2), (5, 2)}),
        ([edge("river", 4, 1, "N"), edge("river", 4, 1, "E")], {(4, 2), (5, 1), (5, 2)}),
        ([ground("river", (4, 2), (5, 1))], {(4, 2), (5, 1), (5, 2)}),
    ],
)
def test_rivers_are_crossed_at_bridges_and_fords(terrain: Any, barred: set[tuple[int, int]]) -> None:
    free = {tuple(square) for square in moves(unit("b", (4, 1)), terrain=terrain)["reach_squares"]}
    around = {(c, r) for c in (3, 4, 5) for r in (0, 1, 2)} - {(4, 1)}
    assert around - free == barred


@pytest.mark.parametrize(
    ("state", "conditions", "rows"),
    [
        pytest.param({"moved": True}, {}, ["PA-10"], marks=pytest.mark.rule("PA-10")),
        pytest.param({"fired": True}, {}, ["PA-17"], marks=pytest.mark.rule("PA-17")),
        pytest.param({"activation_failed": True}, {}, ["PA-13", "PA-10"], marks=pytest.mark.rule("PA-10", "PA-13")),
        pytest.param({}, {"active": "french"}, ["PA-05"], marks=pytest.mark.rule("PA-05")),
        pytest.param({}, {"step": "combat"}, ["R18"], marks=pytest.mark.rule("palouse R18")),
        pytest.param({}, {"step": "movement"}, [], marks=pytest.mark.rule("palouse R18")),
    ],
)
def test_why_a_unit_may_not_move(state: Any, conditions: Any, rows: list[str]) -> None:
    found = moves(unit("b", (4, 1), **state), **conditions)
    assert (found["legal"], found["why_rules"]) == (not rows, rows)


@pytest.mark.rule("PA-61", "PA-62")
@pytest.mark.parametrize(
    ("state", "commander", "who"),
    [({}, None, None), ({"officer": True}, None, "officer"), ({}, (5, 2), "commander"), ({}, (6, 1), None),
     ({"commander": True}, None, "commander")],
)  # fmt: skip
def test_who_lets_a_unit_roll_again(state: Any, commander: Any, who: str | None) -> None:
    units = [unit("b", (4, 1), **state)]
    units += [] if commander is None else [unit("b2", commander, commander=True)]
    assert moves(*units)["activation"]["reroll"] == who


@pytest.mark.parametrize(
    ("kind", "here", "more", "value"),
    [
        pytest.param("infantry", None, {}, 6, marks=pytest.mark.rule("PA-51")),
        pytest.param("infantry", "woods", {}, 6, marks=pytest.mark.rule("PA-52")),
        pytest.param("skirmisher", "woods", {}, 12, marks=pytest.mark.rule("PA-52", "PA-20")),
        pytest.param("skirmisher", "difficult", {}, 12, marks=pytest.mark.rule("PA-52", "PA-24")),
        pytest.param("skirmisher", "stream", {}, 12, marks=pytest.mark.rule("PA-52", "PA-24")),
        pytest.param("indian", "woods", {}, 6, marks=pytest.mark.rule("PA-52")),
        pytest.param("indian", "town", {}, 12, marks=pytest.mark.rule("PA-53", "palouse R8")),
        pytest.param("artillery", "fortification", {}, 12, marks=pytest.mark.rule("PA-53", "PA-25")),
        pytest.param("grenadier", None, {}, 12, marks=pytest.mark.rule("PA-55")),
        pytest.param("grenadier", None, {"veteran": True}, 12, marks=pytest.mark.rule("PA-55")),
        pytest.param("skirmisher", None, {"veteran": True}, 12, marks=pytest.mark.rule("PA-55")),
        pytest.param("infantry", "fortification", {"veteran": True, "commander": True}, 24,
                     marks=pytest.mark.rule("palouse R13", "PA-54")),
        pytest.param("infantry", "woods", {"commander": True}, 6, marks=pytest.mark.rule("PA-54")),
        pytest.param("infantry", "difficult", {"commander": True}, 6, marks=pytest.mark.rule("PA-54")),
        pytest.param("infantry", "stream", {"commander": True}, 6, marks=pytest.mark.rule("PA-54")),
        pytest.param("infantry", "bridge", {"commander": True}, 12, marks=pytest.mark.rule("PA-54")),
        pytest.param("grenadier", None, {"commander": True}, 12, marks=pytest.mark.rule("palouse R17")),
    ],
)  # fmt: skip
def test_resolve_and_its_parts(kind: str, here: str | None, more: Any, value: int) -> None:
    terrain = [] if here is None else [ground(here, (4, 1))]
    found = asked(game(unit("b", (4, 1), kind, hits=4, **more), terrain=terrain)).extra["resolve"]
    assert (found["value"], found["hits"], found["spare"], found["over"]) == (value, 4, value - 4, False)
    assert 6 + sum(part["value"] for part in found["modifiers"]) == value


@pytest.mark.rule("PA-54", "PA-56")
@pytest.mark.parametrize(("commander", "value"), [((5, 2), 12), ((4, 3), 6)])
def test_the_commander_steadies_infantry_within_a_bound(commander: Any, value: int) -> None:
    found = asked(game(unit("b", (4, 1)), unit("b2", commander, commander=True)))
    assert found.extra["resolve"]["value"] == value


@pytest.mark.rule("palouse R8")
@pytest.mark.parametrize(("kind", "value"), [("infantry", 12), ("skirmisher", 12), ("indian", 6), ("artillery", 6)])
def test_shelter_may_be_kept_to_infantry_and_skirmishers(kind: str, value: int) -> None:
    of = game(unit("b", (4, 1), kind), terrain=[ground("fortification", (4, 1))],
              options={"cover_units": "infantry-and-skirmishers"})  # fmt: skip
    assert asked(of).extra["resolve"]["value"] == value


def with_figure(x_mm: float, y_mm: float, sigma_mm: float = 0.5, **more: Any) -> Any:
    raw = game_builtins(game(unit("b", (4, 1)), unit("f", (4, 2))))
    del raw["units"][0]["square"]
    figure = {
        "id": "b-1",
        "x_mm": x_mm,
        "y_mm": y_mm,
        "bearing_deg": 0,
        "base": {"shape": "round", "diameter_mm": 40},
    }
    raw["units"][0]["figures"] = [figure | more]
    raw["measured"] = {"sigma_mm": sigma_mm}
    return game_from(raw, "the test's game")


@pytest.mark.rule("PA-01")
def test_a_measured_base_is_in_the_square_that_holds_its_centre_and_doubt_is_said() -> None:
    sure = asked(with_figure(700, 230))
    assert sure.extra["square"] == [4, 1]
    assert "borderline" not in sure.extra
    doubtful = asked(with_figure(4 * 152.4 + 0.6, 230))
    assert doubtful.extra["square"] == [4, 1]
    assert doubtful.extra["borderline"] == ["square [4, 1] or [3, 1]: 0.6 ± 0.5 mm from the edge"]
    assert doubtful.fire[0].borderline[0] == doubtful.extra["borderline"][0]


def test_an_arc_that_the_measurement_cannot_settle_is_borderline() -> None:
    found = asked(with_figure(685.8 - 152.4, 228.6, bearing_sigma_deg=1.0)).fire[0]
    assert found.legal
    assert found.borderline == ("arc 45.0 ± 1.0 degrees against 45 degrees",)


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("units", 0, "type"), "knight", "units[0].type: expected one of infantry, grenadier"),
        (("units", 0, "weapon"), "cannon", "units[0].weapon: expected one of musket, got 'cannon'"),
        (
            ("units", 0, "square"),
            [12, 0],
            "units[0].square: expected a square of 12 columns and 8 rows, got [12, 0]",
        ),
        (("units", 0, "square"), [4, 2], "expected a square of its own"),
        (("units", 0, "square"), None, "units[0]: expected a square, or one figure"),
        (("units", 0, "state"), {"hits": -1}, "units[0].state.hits"),
        (("units", 0, "state"), {"rage": 1}, "units[0].state"),
        (("table", "grid"), None, "table.grid: expected a grid of squares"),
        (("conditions",), {"options": {"diagonals": "two"}}, "expected one of one, orthogonal, got 'two'"),
        (
            ("terrain",),
            [{"id": "x", "kind": "swamp", "squares": [[0, 0]]}],
            "terrain[0].kind: expected one of open",
        ),
        (("terrain",), [{"id": "x", "kind": "woods"}], "terrain[0]: expected one of squares, edges or polygon_mm"),
        (("terrain",), [{"id": "x", "kind": "woods", "edges": [[0, 0, "N"]]}], "only rivers, bridges and fords"),
        (
            ("terrain",),
            [{"id": "x", "kind": "river", "edges": [[0, 0, "N"], [12, 3, "E"]]}],
            "terrain[0].edges[1]: expected a square of 12 columns and 8 rows, got [12, 3]",
        ),
        (
            ("terrain",),
            [{"id": "x", "kind": "river", "edges": [[0, -1, "N"]]}],
            "terrain[0].edges[0]: expected a square",
        ),
        (
            ("terrain",),
            [{"id": "x", "kind": "woods", "squares": [[2, 2], [3, 8]]}],
            "terrain[0].squares[1]: expected a square of 12 columns and 8 rows, got [3, 8]",
        ),
    ],
)
def test_words_outside_the_rulebook_are_refused_with_their_place(path: Any, value: Any, fault: str) -> None:
    raw = game_builtins(game(unit("b", (4, 1)), unit("f", (4, 2))))
    here = raw
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    with pytest.raises(UnusableFile) as refused:
        RULESET.check(game_from(raw, "the test's game"))
    assert fault in str(refused.value)


@pytest.mark.rule("PA-45")
def test_ask_says_who_would_take_a_vacated_square() -> None:
    units = (unit("f", (4, 2), struck_by_adjacent="b"),)
    assert asked(game(unit("b", (4, 1)), *units)).extra["occupies"] is True
    assert asked(game(unit("b", (4, 0)), *units)).extra["occupies"] is False
    assert asked(game(unit("b", (4, 1), "skirmisher"), *units)).extra["occupies"] is False
    assert asked(game(unit("b", (4, 1)), unit("f", (4, 2)))).extra["occupies"] is False


def test_terrain_by_polygon_fills_the_squares_whose_middles_it_holds() -> None:
    piece = {"id": "w", "kind": "woods", "polygon_mm": [[620, 160], [900, 160], [900, 240], [620, 240]]}
    found = asked(game(unit("b", (4, 1)), terrain=[piece]))
    assert found.move is not None
    assert {tuple(d["square"]) for d in found.move.extra["destinations"] if d["add"] == -1} == {
        (3, 0), (3, 1), (3, 2), (4, 0), (4, 2), (5, 0), (5, 1), (5, 2)
    }  # fmt: skip


@pytest.mark.rule("PA-60", "PA-62")
@pytest.mark.parametrize("who", ["commander", "officer"])
def test_a_side_has_one_commander_and_one_trusted_officer(who: str) -> None:
    there = {who: True}
    game(unit("b", (4, 1), **there), unit("f", (4, 4), **there))
    game(unit("b", (4, 1), **there), {**unit("b2", (4, 2), eliminated=True, **there), "square": None})
    with pytest.raises(UnusableFile) as refused:
        game(unit("b", (4, 1), **there), unit("f", (4, 4)), unit("b2", (4, 2), **there))
    assert f"units[2].state.{who}: expected one {who} a side, got one with b too" in str(refused.value)
