"""Guns that are moved, limbered and unlimbered (section 9 of the rulebook)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from tests.engine.presidio.battery import gun
from tests.engine.presidio.scene import (
    DEPTH,
    WIDTH,
    do,
    game,
    ground,
    inches,
    state,
    told,
    unit,
)


@pytest.mark.rule("PR-516", "PR-930")
def test_a_gun_is_not_moved_out_of_a_melee() -> None:
    of = game(gun(engaged_with=["b"]), unit("b", (900, 172.5), engaged_with=["a"]))
    with pytest.raises(ActionRefused, match="break off"):
        do(of, "3", action="gun-move", unit="a", to=[900.0, 100.0])


@pytest.mark.rule("PR-930")
@pytest.mark.parametrize(
    ("weapon", "keys", "pace", "far"),
    [
        ("cannon-12-smoothbore", {}, "walk", 2 + 4),
        ("cannon-12-smoothbore", {}, "run", 2 * (2 + 4)),
        ("cannon-12-smoothbore", {"crew": 3}, "walk", 2 - 2 + 4),
        ("cannon-3-smoothbore", {"crew": 2}, "walk", 6 - 4 + 4),
        ("cannon-3-smoothbore", {"stats": {"garrison_mount": True}}, "walk", 3 + 4),
        ("cannon-12-smoothbore", {"formation": "limbered", "stats": {"limber_horses": 2}}, "walk", 6 + 4),
        ("cannon-12-smoothbore", {"formation": "limbered", "stats": {"limber_horses": 4}}, "walk", 10 + 4),
        ("cannon-12-smoothbore", {"formation": "limbered", "stats": {"limber_horses": 1}}, "walk", 2 + 4),
        ("cannon-12-smoothbore", {"stats": {"move": 1}}, "walk", 2 + 1 + 4),
        (
            "cannon-12-smoothbore",
            {"formation": "limbered", "stats": {"limber_horses": 2, "move": -1}},
            "walk",
            5 + 4,
        ),
        ("mortar-12", {}, "walk", None),
        ("swivel-1", {}, "walk", None),
    ],
)
def test_guns_are_moved_by_hand_or_team(weapon: str, keys: dict[str, Any], pace: str, far: float | None) -> None:
    of = game(gun(weapon, **keys), unit("b", (300, 1100)))
    action = {"action": "gun-move", "unit": "a", "to": [900.0, 900.0], "pace": pace}
    if far is None:
        with pytest.raises(ActionRefused, match="not moved by hand"):
            do(of, **action)
        return
    played = do(of, "4", **action)
    assert played.game.unit("a").figures[0].y_mm == pytest.approx(130 + inches(far), abs=0.01)
    assert told(played, "moved")[0]["distance_mm"] == pytest.approx(inches(far), abs=0.01)


@pytest.mark.rule("PR-320", "PR-930")
@pytest.mark.parametrize(
    ("keys", "pace", "until", "far"),
    [
        ({"formation": "limbered", "stats": {"limber_horses": 2}}, "walk", DEPTH, 8 + 4 + 3),
        ({"formation": "limbered", "stats": {"limber_horses": 4}}, "run", DEPTH, 2 * (11 + 4 + 3)),
        ({"formation": "limbered", "stats": {"limber_horses": 2}}, "walk", 500, 8 + 4),  # the road ends on the way
        ({}, "walk", DEPTH, 4 + 4),  # pushed by hand it is in no column
    ],
)
def test_a_limbered_gun_goes_farther_along_a_road(
    keys: dict[str, Any], pace: str, until: float, far: float
) -> None:
    road = ground("road", 850, 0, 950, until)
    of = game(gun("cannon-6-smoothbore", **keys), unit("b", (300, 1100)), terrain=[road])
    played = do(of, "4", action="gun-move", unit="a", to=[900.0, 1100.0], pace=pace)
    assert told(played, "moved")[0]["distance_mm"] == pytest.approx(inches(far), abs=0.01)


@pytest.mark.rule("PR-930")
def test_a_gun_stops_where_its_crew_comes_to_the_tables_edge() -> None:
    of = game(gun("cannon-3-smoothbore"), unit("b", (300, 1100)))
    figures = of.unit("a").figures
    piece = next(one for one in figures if one.role == "gun")
    outermost = max(one.x_mm for one in figures)
    assert outermost > piece.x_mm
    played = do(of, "6", action="gun-move", unit="a", to=[WIDTH, piece.y_mm], pace="run", override=True)
    for _ in range(8):
        played = do(
            played.game, "6", action="gun-move", unit="a", to=[WIDTH, piece.y_mm], pace="run", override=True
        )
    assert max(one.x_mm for one in played.game.unit("a").figures) == pytest.approx(WIDTH)
    assert told(played, "stopped")[0]["by"] == "the table's edge"


@pytest.mark.rule("PR-930")
def test_a_gun_is_limbered_and_unlimbered_but_not_from_a_garrison_mount() -> None:
    on = do(game(gun(stats={"limber_horses": 2}), unit("b", (300, 1100))), action="limber", unit="a")
    assert (on.game.unit("a").formation, state(on, "a")["actions_left"]) == ("limbered", 1)
    off = do(on.game, action="unlimber", unit="a")
    assert (off.game.unit("a").formation, state(off, "a")["actions_left"]) == ("unlimbered", 0)
    fixed = gun(stats={"limber_horses": 2, "garrison_mount": True})
    with pytest.raises(ActionRefused, match="garrison mount"):
        do(game(fixed, unit("b", (300, 1100))), action="limber", unit="a")
