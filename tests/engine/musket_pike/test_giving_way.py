"""Who gives way after a melee and where to, what is left behind, who follows."""

from __future__ import annotations

import pytest

from engine.errors import ActionRefused
from tests.engine.musket_pike.fighting import HELD, WON, A, B, fought, melee, ringed
from tests.engine.musket_pike.scene import Json, after, game, ground, told, unit

CASE = pytest.mark.rule


RETREATS = [
    # what stands in the way → where b goes, attacked from [4, 4] in direction NE
    ({}, (6, 5)),
    ({"b1": (6, 5)}, (6, 5)),
    ({"a1": (6, 5)}, (6, 4)),
    ({"a1": (6, 5), "a2": (6, 4)}, (5, 5)),
    ({"a1": (6, 5), "a2": (6, 4), "a3": (5, 5)}, (5, 3)),
]


@CASE("MP-202")
@pytest.mark.parametrize(("others", "to"), RETREATS)
def test_the_losers_go_straight_on_else_right_else_left(
    others: dict[str, tuple[int, int]], to: tuple[int, int]
) -> None:
    # the enemies beside stand as guns without crews: they bar their hex and control no other
    made = [
        unit(name, cell) if name.startswith("b") else unit(name, cell, "artillery", uncrewed=True)
        for name, cell in others.items()
    ]
    played = melee(game(unit("a", (4, 4), facing="UR", fired=True), B, *made, parameters=WON), *HELD)
    assert told(played, "retreat") == [{"unit": "b", "to": list(to)}]
    assert after(played).state["facing"] == "L"


@CASE("MP-202", "MP-85")
@pytest.mark.parametrize(
    ("target", "others", "terrain", "to"),
    [
        ({"facing": "R"}, [], [], [5, 5]),
        ({}, [unit("a1", (7, 5), facing="L")], [], [6, 4]),
        ({}, [unit("b1", (6, 5), stats={"strength": 1300})], [], [6, 4]),
        ({}, [], [ground("water", (6, 5))], [6, 4]),
    ],
    ids=["through its own front", "into zones of control", "where it is full", "into water"],
)
def test_ways_that_are_closed_to_a_retreat(
    target: Json, others: list[Json], terrain: list[Json], to: list[int]
) -> None:
    played = fought(game(A, unit("b", (5, 4), fired=True, **target), *others, terrain=terrain, parameters=WON))
    assert told(played, "retreat")[0]["to"] == to


@CASE("MP-202")
def test_the_action_may_name_the_hex_and_later_units_follow_the_first() -> None:
    of = game(
        unit("a", (4, 4), stats={"strength": 1600}, fired=True), B, unit("b2", (5, 4), fired=True), parameters=WON
    )
    played = melee(of, 0, 0, 0, 1, 1, retreat_to=[6, 4])
    assert [one["to"] for one in told(played, "retreat")] == [[6, 4], [6, 4]]
    with pytest.raises(ActionRefused, match="nobody can retreat"):
        melee(of, retreat_to=[4, 5])


@CASE("MP-202", "MP-290")
def test_who_has_nowhere_to_go_is_gone() -> None:
    played = melee(game(A, B, *ringed(), parameters=WON), 0, 0)
    assert "b" not in played.game.by_id
    assert played.game.side("b").extra["lost"] == pytest.approx(4.0)
    assert after(played, "a").hex == (5, 4)


@CASE("MP-202", "musket-pike R41")
@pytest.mark.parametrize("option", ["no_melee_eliminations", "partial_retreats"])
def test_by_option_who_has_nowhere_to_go_stays(option: str) -> None:
    played = melee(game(A, B, *ringed(), parameters=WON, options={option: True}), *HELD)
    assert (after(played).hex, after(played, "a").hex) == ((5, 4), (4, 4))


@CASE("musket-pike R41")
def test_contradictory_options_are_refused() -> None:
    from engine.errors import UnusableFile

    with pytest.raises(UnusableFile, match="partial_retreats"):
        game(A, B, options={"partial_retreats": True, "no_melee_eliminations": True})


@CASE("MP-202")
@pytest.mark.parametrize(
    ("kind", "options", "gone"),
    [
        ("skirmisher", {}, True),
        ("leader", {}, True),
        ("supply-wagon", {}, True),
        ("skirmisher", {"no_retreat_overruns": True}, False),
        ("leader", {"no_retreat_overruns": True}, True),
    ],
)
def test_the_last_way_out_leads_over_light_enemies(kind: str, options: Json, gone: bool) -> None:
    others = [one for one in ringed() if one["hex"] != [6, 5]]
    played = melee(
        game(A, B, *others, unit("a-way", (6, 5), kind), parameters=WON, options=options),
        *(HELD if gone else (0, 0)),
    )
    assert ("a-way" not in played.game.by_id) is gone
    assert ("b" in played.game.by_id) is gone


@CASE("MP-225")
def test_a_routed_unit_that_retreats_disorders_whom_it_runs_through() -> None:
    routed = unit("b", (5, 4), routed=True)
    played = melee(game(A, routed, unit("b2", (6, 5)), parameters=WON), *HELD)
    assert after(played, "b2").state["disordered"] is True


@CASE("MP-89")
@pytest.mark.parametrize("enters", [True, False])
def test_guns_of_the_losers_are_taken_by_who_enters_else_left_without_crews(enters: bool) -> None:
    of = game(A, B, unit("b2", (5, 4), "artillery", fired=True), parameters=WON)
    played = fought(of, advance=enters)
    guns = after(played, "b2")
    assert guns.hex == (5, 4)
    assert (guns.state.get("captured_by"), guns.state.get("uncrewed", False)) == (
        ("a", False) if enters else (None, True)
    )
    assert [one["by"] for one in told(played, "captured")] == (["a"] if enters else [])


@CASE("MP-89", "MP-66", "MP-26")
def test_leaders_and_wagons_go_with_their_units_and_are_taken_where_there_is_no_room() -> None:
    leader, wagon = unit("b2", (5, 4), "leader"), unit("b3", (5, 4), "supply-wagon", stats={"strength": 9})
    played = melee(game(A, B, leader, wagon, parameters=WON), 59, 0, 0, 1)
    assert {after(played, name).hex for name in ("b", "b2", "b3")} == {(6, 5)}
    taken = melee(game(A, B, leader, wagon, unit("b4", (6, 5), "supply-wagon"), parameters=WON), 59, 0, 0, 1)
    assert after(taken, "b2").hex == (6, 5)
    assert (after(taken, "b3").side, after(taken, "b3").stats["strength"]) == ("a", 4)
    alone = melee(game(A, unit("b", (5, 4), "leader"), parameters=WON))
    assert [one.id for one in alone.game.units] == ["a"]


@CASE("MP-203")
def test_the_winners_and_their_leaders_follow_unless_told_not_to() -> None:
    of = game(A, unit("a2", (4, 5), facing="DR", fired=True), unit("a-chief", (4, 4), "leader"), B, parameters=WON)
    played = fought(of, with_=["a2", "a-chief"])
    assert {after(played, name).hex for name in ("a", "a2", "a-chief")} == {(5, 4)}
    stays = melee(game(A, B, parameters=WON), *HELD, advance=False)
    assert (after(stays, "a").hex, after(stays).hex) == ((4, 4), (6, 5))


@CASE("MP-203", "MP-15")
def test_an_objective_falls_to_who_enters_its_hex() -> None:
    prize = ground("objective", (5, 4), points=100, owner="b")
    played = melee(game(A, B, terrain=[prize], parameters=WON), *HELD)
    assert next(one for one in played.game.terrain if one.kind == "objective").extra["owner"] == "a"


@CASE("MP-171")
def test_a_block_pushes_cavalry_back_without_a_die() -> None:
    of = game(unit("a", (4, 4), formation="block"), unit("b", (5, 4), "cavalry"), unit("b2", (5, 4), "leader"))
    played = melee(of)
    assert played.rolls == ()
    assert told(played, "displaced") == [{"unit": "b"}]
    assert told(played, "retreat", "b") == [{"unit": "b", "to": [6, 5]}]
    assert (after(played, "a").hex, after(played, "b2").hex) == ((5, 4), (6, 5))
    assert "disordered" not in after(played, "a").state
    stays = melee(of, advance=False)
    assert (after(stays, "a").hex, after(stays).hex) == ((4, 4), (6, 5))
    stuck = melee(game(unit("a", (4, 4), formation="block"), unit("b", (5, 4), "cavalry"), *ringed()))
    assert (after(stuck, "a").hex, after(stuck).hex) == ((4, 4), (5, 4))


@CASE("MP-202", "MP-213")
def test_a_leader_who_is_run_over_is_followed_by_his_deputy() -> None:
    others = [one for one in ringed() if one["hex"] != [6, 5]]
    chief = unit("a-chief", (6, 5), "leader", stats={"strength": 0})
    deputy = unit("a-deputy", (2, 2), "leader", stats={"strength": 0, "secondary": True, "commander": "a-chief"})
    played = melee(game(A, B, *others, chief, deputy, parameters=WON), *HELD)
    assert after(played, "a-deputy").stats["secondary"] is False


@CASE("MP-202", "MP-27")
def test_a_ship_that_loses_has_nowhere_to_go() -> None:
    ship, boats = unit("b", (5, 4), "ship"), unit("a", (4, 4), fired=True, stats={"attributes": ["has-boats"]})
    played = fought(game(boats, ship, terrain=[ground("water", (5, 4))], parameters=WON))
    assert [facts["unit"] for facts in told(played, "eliminated")] == ["b"]
    assert after(played, "a").hex == (5, 4)
    kept = fought(game(boats, ship, parameters=WON, options={"no_melee_eliminations": True}))
    assert (after(kept, "a").hex, after(kept, "b").hex) == ((4, 4), (5, 4))
