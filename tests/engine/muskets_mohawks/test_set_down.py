"""Horse holders, men who come back and mobs before a door: on the table, upon nobody, where men can stand."""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import Any

import pytest

from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, resolve, unit, wood

FAR = unit("far", "french", at=(900, 1100), facing=180)
HORSE: Plain = {"type": "mounted-infantry", "weapon": "carbine", "mounted": True}


def apart(one: Plain, other: Plain) -> float:
    return math.dist((one["x_mm"], one["y_mm"]), (other["x_mm"], other["y_mm"]))


def stands_well(played: Plain, who: list[Plain]) -> None:
    """They are on the table, and stand neither upon each other nor upon anybody else."""
    names = {one["id"] for one in who}
    others = [one for each in played["game"]["units"] for one in each["figures"] if one["id"] not in names]
    assert all(0 <= one["x_mm"] <= 1828.8 and 0 <= one["y_mm"] <= 1219.2 for one in who)
    assert all(apart(one, other) >= 24.99 for one, other in combinations(who, 2))
    assert all(apart(one, other) >= 24.99 for one, other in product(who, others))


def holders(played: Plain) -> list[Plain]:
    return [one for one in after(played, "us")["figures"] if one["role"] == "holder"]


@pytest.mark.rule("MM-19")
@pytest.mark.parametrize("y", [10, 40, 90])
def test_horses_are_held_as_far_behind_as_the_table_lets_them(y: float) -> None:
    us = unit("us", "british", at=(900, y), state={"mounted": True}, **HORSE)
    played = resolve(game(us, FAR), action="dismount", unit="us")
    assert len(holders(played)) == 2
    stands_well(played, holders(played))
    assert all(one["y_mm"] <= y for one in holders(played))


@pytest.mark.rule("MM-19")
@pytest.mark.parametrize("side", ["british", "french"])
def test_horses_are_held_nearer_or_aside_where_others_stand_behind(side: str) -> None:
    us = unit("us", "british", at=(900, 400), state={"mounted": True}, **HORSE)
    behind = unit("behind", side, number=4, at=(900, 400 - 25 - 3 * INCH), formation="mob")
    played = resolve(game(us, FAR, behind), action="dismount", unit="us")
    stands_well(played, holders(played))
    assert all(400 - 25 - 3 * INCH <= one["y_mm"] + 0.01 <= 400 for one in holders(played))


@pytest.mark.rule("MM-19", "MM-70")
def test_horses_of_those_whom_fire_has_dismounted_are_held_on_the_table() -> None:
    us = unit("us", "british", number=5, at=(900, 40), state={"mounted": True}, **HORSE)
    scene = game(us, unit("foe", "french", at=(900, 300), facing=180), active="french")
    played = resolve(scene, [1, 6], action="reaction", unit="us", tests=["received-fire"], cause="foe")
    assert event(played, "dismount")["holders"]
    stands_well(played, holders(played))


@pytest.mark.rule("MM-19", "MM-192")
def test_horses_are_not_held_in_a_river() -> None:
    us = unit("us", "british", number=5, at=(900, 400), state={"mounted": True}, **HORSE)
    river = wood("river", 0, 250, 1828, 340, "river")
    played = resolve(game(us, FAR, terrain=[river]), action="dismount", unit="us")
    assert all(one["y_mm"] >= 340 for one in holders(played))
    stands_well(played, holders(played))


def recovered(*others: Plain, y: float, **more: Any) -> Plain:
    us = unit("us", "british", number=6, at=(900, y), state={"casualties": 4, "start_strength": 10}, **more)
    return resolve(game(us, FAR, *others), action="recover", unit="us")


@pytest.mark.rule("MM-165")
@pytest.mark.parametrize(("y", "formation"), [(5, "unformed"), (15, "formed-line"), (400, "formed-line")])
def test_men_who_come_back_stand_behind_the_rear_line_or_beside_it(y: float, formation: str) -> None:
    played = recovered(y=y, formation=formation)
    back = [one for one in after(played, "us")["figures"] if "back" in one["id"]]
    assert len(back) == 2
    stands_well(played, back)
    assert all(one["y_mm"] <= y for one in back)


@pytest.mark.rule("MM-165")
def test_men_who_come_back_do_not_stand_upon_friends_behind() -> None:
    played = recovered(unit("friend", "british", number=4, at=(900, 375), formation="mob"), y=400)
    stands_well(played, [one for one in after(played, "us")["figures"] if "back" in one["id"]])


def left(*others: Plain, low: float, door: float, number: int = 8) -> Plain:
    house = wood("house", 800, low, 1000, low + 60, "building", door_mm=[900, door])
    us = unit("us", "british", type="irregular", number=number, at=(900, low + 30), state={"in_building": "house"})
    return resolve(game(us, FAR, *others, terrain=[house]), action="leave", unit="us")


@pytest.mark.rule("MM-171")
@pytest.mark.parametrize(("low", "door"), [(5, 5), (20, 20), (1150, 1210)])
def test_who_leaves_by_a_door_at_the_edge_of_the_table_stands_on_it(low: float, door: float) -> None:
    played = left(low=low, door=door)
    mob = after(played, "us")["figures"]
    stands_well(played, mob)
    assert not any(800 < one["x_mm"] < 1000 and low < one["y_mm"] < low + 60 for one in mob)
    beyond = (lambda y: y > low + 60) if door == low else (lambda y: y < low)
    assert not any(beyond(one["y_mm"]) for one in mob)


@pytest.mark.rule("MM-171")
@pytest.mark.parametrize("side", ["french", "british"])
def test_who_leaves_by_a_door_before_which_others_stand_stands_beside_them(side: str) -> None:
    at_door = unit("there", side, number=6, at=(900, 185), facing=180, formation="mob")
    played = left(at_door, low=100, door=160)
    mob = after(played, "us")["figures"]
    stands_well(played, mob)
    assert all(one["y_mm"] < 160 + 50 for one in mob)  # not past them
    if side == "french":
        assert min(apart(one, other) for one, other in product(mob, at_door["figures"])) > 28
