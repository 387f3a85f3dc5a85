"""Assaults with rams, axes and ladders (PR-517 to PR-521), and what things are worth when hit (PR-916)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnusableFile
from engine.geometry.shapes.breaches import breached
from engine.records.game import Game
from engine.rulesets.presidio.table.field import field_of
from engine.rulesets.presidio.table.strengths import strength_of_patch
from tests.engine.presidio.scene import Json, do, game, ground, row, state, told, unit

FOE = unit("b", (300, 1000))


def gate(**keys: Any) -> Json:
    """A shut gate right before a man at (900, 200)."""
    return ground("gate", 850, 212.5, 950, 220, **{"shut": True, **keys})


@pytest.mark.rule("PR-519")
@pytest.mark.parametrize(("men", "left", "opens"), [(1, 4, False), (4, 1, False), (5, 0, True), (6, 0, True)])
def test_a_ram_does_a_point_for_each_man_on_it(men: int, left: int, opens: bool) -> None:
    own = unit("a", *row(6, 900, 200, 25))
    played = do(game(own, FOE, terrain=[gate()]), action="ram", unit="a", at="gate", men=men)
    assert told(played, "damage") == [{"unit": "a", "terrain": "gate", "points": men, "left": left}]
    assert bool(told(played, "destroyed")) is opens
    assert played.game.terrain[0].extra["shut"] is not opens
    assert state(played, "a")["actions_left"] == 1


@pytest.mark.rule("PR-519", "PR-520")
def test_blow_by_blow_a_gate_gives_way() -> None:
    of = game(unit("a", (900, 200)), FOE, terrain=[gate(body=2)])
    once = do(of, action="axe", unit="a", at="gate")
    assert told(once, "damage")[0]["left"] == 1
    assert once.events[0].rule == "PR-520"
    twice = do(once.game, action="axe", unit="a", at="gate")
    assert told(twice, "destroyed") == [{"terrain": "gate"}]
    with pytest.raises(ActionRefused, match="no action left"):
        do(twice.game, action="axe", unit="a", at="gate")


@pytest.mark.rule("PR-519", "PR-520")
@pytest.mark.parametrize(
    ("action", "terrain", "keys", "why"),
    [
        ("ram", ground("gate", 850, 214, 950, 220, shut=True), {}, "contact"),
        ("axe", ground("wall", 850, 212.5, 950, 220, id="gate"), {}, "no door or gate"),
        ("ram", gate(), {"men": 3}, "has not 3 men"),
        ("axe", gate(body=0), {}, "broken open"),
    ],
)
def test_what_keeps_men_from_breaking_in(action: str, terrain: Json, keys: Any, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        do(game(unit("a", (900, 200)), FOE, terrain=[terrain]), action=action, unit="a", at="gate", **keys)


def test_a_piece_that_there_is_not_is_named() -> None:
    with pytest.raises(UnusableFile, match="keep"):
        do(game(unit("a", (900, 200)), FOE), action="ram", unit="a", at="keep")


def wall(**keys: Any) -> Json:
    """A wall of eight feet right before men at y = 200."""
    return ground("wall", 700, 212.5, 1100, 218, height_ft=8, **keys)


@pytest.mark.rule("PR-518")
def test_ladders_are_set_up_climbed_by_one_man_each_and_cast_down() -> None:
    own, foe = unit("a", *row(5, 850, 200, 25)), unit("b", (800, 250))
    up = do(game(own, foe, terrain=[wall()]), action="ladder", unit="a", at="wall", men=5)
    assert told(up, "ladder") == [{"unit": "a", "terrain": "wall", "set": 2, "ladders": 2}]
    assert state(up, "a")["position"] == "ladder"
    with pytest.raises(ActionRefused, match="one at a time"):
        do(up.game, action="climb", unit="a", at="wall", men=3)
    climbed = do(up.game, action="climb", unit="a", at="wall", men=1)
    assert told(climbed, "ladder")[0]["on_top"] == ["a-1"]
    assert climbed.game.unit("a").figures[0].z_mm == pytest.approx(8 * 25.4 / 6)
    down = do(climbed.game, action="cast-down", unit="b", at="wall")
    assert told(down, "ladder") == [{"unit": "b", "terrain": "wall", "cast_down": 1, "ladders": 1}]
    with pytest.raises(ActionRefused, match="every ladder"):
        do(down.game, action="cast-down", unit="b", at="wall")


@pytest.mark.rule("PR-518")
def test_ladders_are_cast_down_from_the_wall_alone() -> None:
    own = unit("a", *row(4, 850, 200, 25))
    for y, reaches in ((218 + 12.5 + 25.4, True), (218 + 12.5 + 25.5, False)):
        up = do(game(own, unit("b", (800, y)), terrain=[wall()]), action="ladder", unit="a", at="wall")
        if reaches:
            down = do(up.game, action="cast-down", unit="b", at="wall")
            assert state(down, "a")["position"] is None
        else:
            with pytest.raises(ActionRefused, match="nobody of b is at wall"):
                do(up.game, action="cast-down", unit="b", at="wall")


def scaled(turns: int) -> Game:
    """Two raw men with a ladder at a wall of nine feet, of whom so many have climbed it."""
    own = unit("a", *row(2, 850, 200, 25), actions_left=9, casualties=1, stats={"morale": "inexperienced"})
    high = ground("wall", 700, 212.5, 1100, 218, height_ft=9)
    of = do(game(own, FOE, terrain=[high]), action="ladder", unit="a", at="wall").game
    for _ in range(turns):
        of = do(of, action="climb", unit="a", at="wall").game
    return of


@pytest.mark.rule("PR-314", "PR-518")
def test_who_is_up_on_a_wall_goes_down_on_its_other_side() -> None:
    half = do(scaled(1), "6", action="move", unit="a", to=[850, 300])
    assert told(half, "stopped") == [{"unit": "a", "by": "wall"}]
    over = do(scaled(2), "6", action="move", unit="a", to=[850, 300])
    assert not told(over, "stopped")
    assert [(one.y_mm, one.z_mm) for one in over.game.unit("a").figures] == [(300.0, 0.0)] * 2
    again = do(over.game, "6", action="move", unit="a", to=[850, 100])
    assert told(again, "stopped") == [{"unit": "a", "by": "wall"}]


@pytest.mark.rule("PR-518", "PR-715")
@pytest.mark.parametrize("keys", [{"action": "move", "to": [850, 100]}, {"action": "morale", "from": "b"}])
def test_who_leaves_a_wall_or_a_ladder_stands_on_the_ground(keys: Any) -> None:
    dice = "6" if keys["action"] == "move" else "1 1"
    left = do(scaled(1), dice, unit="a", **keys)
    assert told(left, "moved")
    assert {one.z_mm for one in left.game.unit("a").figures} == {0.0}


@pytest.mark.rule("PR-518")
def test_who_has_no_ladder_climbs_not() -> None:
    of = game(unit("a", (900, 200)), FOE, terrain=[wall()])
    with pytest.raises(ActionRefused, match="no ladder"):
        do(of, action="climb", unit="a", at="wall")
    with pytest.raises(ActionRefused, match="two men"):
        do(of, action="ladder", unit="a", at="wall")


def _afloat(*roles: str) -> Json:
    """A 12-pounder before a boat: its hull, and men of these roles on the line of fire through it."""
    gun = unit(
        "a",
        {**unit("x", (900, 130))["figures"][0], "id": "a-gun", "role": "gun", "bearing_deg": 0.0,
         "base": {"shape": "rect", "width_mm": 40.0, "depth_mm": 60.0}},
        (850, 120), (950, 120), (850, 140), (950, 140),
        roles=["crew", "crew", "crew", "crew"], type="artillery", formation="unlimbered",
        weapon="cannon-12-smoothbore", stats={"ranged": 4},
    )  # fmt: skip
    places = [(900.0, 700.0 + 30 * number) for number in range(1 + len(roles))]
    boat: Json = unit("b", *places, roles=["wagon", *roles], type="boat", formation="column", weapon="none")
    return game(gun, boat)


@pytest.mark.rule("PR-521")
def test_all_aboard_a_boat_are_lost_with_it() -> None:
    played = do(_afloat(), "12 2", action="fire", unit="a", target="b", mode="direct")
    assert told(played, "destroyed")[0]["unit"] == "b"
    assert told(played, "hit")[0]["hits"] == 1


@pytest.mark.rule("PR-521", "PR-920")
@pytest.mark.parametrize("role", ["crew", "driver", "private"])
def test_who_is_hit_aboard_a_boat_that_goes_down_falls_once(role: str) -> None:
    played = do(_afloat(role, role), "12 6 6 2", action="fire", unit="a", target="b", mode="direct")
    assert told(played, "destroyed")[0]["unit"] == "b"
    assert [one["figure"] for one in told(played, "casualty")] == ["b-2", "b-3"]
    assert played.game.unit("b").figures == ()


@pytest.mark.rule("PR-604", "PR-521")
def test_the_men_in_a_boat_are_no_hulls_of_their_own() -> None:
    played = do(_afloat("private"), "12 6 1 12", action="fire", unit="a", target="b", mode="direct")
    assert [one["figure"] for one in told(played, "casualty")] == ["b-2"]
    assert [one.id for one in played.game.unit("b").figures] == ["b-1"]


@pytest.mark.rule("PR-604")
@pytest.mark.parametrize("kind", ["boat", "wagon"])
def test_muskets_harm_no_boat_or_wagon_that_nobody_is_in(kind: str) -> None:
    empty: Json = unit("b", (900, 500), type=kind, formation="column", weapon="none")
    of = game(unit("a", (900, 200)), empty)
    with pytest.raises(ActionRefused, match="nobody that small arms hit"):
        do(of, "12 12", action="fire", unit="a", target="b", mode="volley")


@pytest.mark.rule("PR-916")
@pytest.mark.parametrize(
    ("kind", "keys", "strength"),
    [
        ("house", {}, 2), ("house", {"material": "framed"}, 2), ("house", {"material": "adobe"}, 12),
        ("house", {"material": "adobe", "wall_in": 12}, 4), ("house", {"material": "log"}, 6),
        ("house", {"material": "stone"}, 10), ("house", {"material": "blockhouse"}, 8), ("door", {}, 3),
        ("fence", {}, 3), ("gate", {}, 5), ("gate", {"material": "strapped"}, 7), ("bridge", {}, 5),
        ("bridge", {"material": "wood-iron"}, 7), ("bridge", {"material": "stone"}, 12), ("wall", {}, 10),
        ("wall", {"material": "stone-timber"}, 9), ("wall", {"material": "timber"}, 7),
        ("wall", {"material": "adobe", "wall_in": 24}, 8), ("palisade", {}, 6), ("works", {}, 4),
        ("works", {"material": "timber-earth"}, 16), ("works", {"material": "stone-earth"}, 20),
        ("wall", {"body": 5}, 5), ("medium-woods", {}, None), ("road", {}, None),
    ],
)  # fmt: skip
def test_what_things_are_worth(kind: str, keys: dict[str, Any], strength: int | None) -> None:
    of = game(FOE, terrain=[ground(kind, 700, 300, 1100, 320, **keys)])
    assert strength_of_patch(field_of(of).patches[0]) == strength


def test_a_breach_at_the_end_of_a_wall_leaves_one_part() -> None:
    outline = field_of(game(FOE, terrain=[wall()])).pieces.edges(0)[0]
    parts = breached(outline, (700.0, 215.0), 76.2)
    assert len(parts) == 1
    assert parts[0][:, 0].min() == pytest.approx(700 + 76.2)
