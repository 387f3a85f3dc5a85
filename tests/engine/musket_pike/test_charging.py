"""Cavalry charges: how they start, where they go, what they ride over, and how they go on."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from tests.engine.musket_pike.scene import after, asked, do, game, ground, hexside, road, told, unit


def charge(*units: Any, path: Any = ("NE",), dice: Any = (), **more: Any) -> Any:
    with_ = more.pop("with_", ())
    return do(game(*units, **more), "charge", *dice, unit="a", path=list(path), with_=list(with_))


def refused(*units: Any, **more: Any) -> tuple[str, ...]:
    with pytest.raises(ActionRefused) as caught:
        charge(*units, **more)
    return tuple(caught.value.reasons)


def rider(**state: Any) -> Any:
    return unit("a", (4, 4), "cavalry", **state)


@pytest.mark.parametrize(
    ("made", "more", "rows"),
    [
        pytest.param(rider(), {}, [], marks=pytest.mark.rule("MP-100")),
        pytest.param(unit("a", (4, 4), "squadron"), {}, [], marks=pytest.mark.rule("MP-25", "MP-100")),
        pytest.param(rider(disordered=True), {}, ["MP-100"], marks=pytest.mark.rule("MP-100")),
        pytest.param(rider(routed=True), {}, ["MP-100"], marks=pytest.mark.rule("MP-100")),
        pytest.param(rider(fixed=True), {}, ["MP-65"], marks=pytest.mark.rule("MP-65")),
        pytest.param(rider(fired=True), {}, ["MP-12"], marks=pytest.mark.rule("MP-12")),
        pytest.param(rider(meleed=True), {}, ["MP-13"], marks=pytest.mark.rule("MP-13")),
        pytest.param(rider(), {"weather": "mud"}, ["MP-100"], marks=pytest.mark.rule("MP-100", "MP-276")),
        pytest.param(rider(), {"active": "b"}, ["MP-11"], marks=pytest.mark.rule("MP-11")),
        pytest.param(rider(moved=True, mp_used=6), {}, [], marks=pytest.mark.rule("MP-102")),
    ],
)
def test_who_may_charge(made: Any, more: Any, rows: Any) -> None:
    found = asked(game(made, **more)).move.extra
    assert found["charge"]["why_rules"] == rows
    assert bool(found["charge_hexes"]) is (not rows)
    if rows:
        assert refused(made, **more)
    else:
        assert after(charge(made, **more), "a").state["charging"] is True


@pytest.mark.rule("MP-100")
def test_only_mounted_cavalry_charges() -> None:
    for made in (unit("a", (4, 4)), unit("a", (4, 4), "cavalry", "dismounted", stats={"attributes": ["dragoon"]})):
        assert refused(made)
    assert asked(game(unit("a", (4, 4)))).move.extra["charge_hexes"] == []


@pytest.mark.rule("MP-82", "MP-101")
@pytest.mark.parametrize(("quality", "reaches"), [("F", False), ("C", True)])
def test_a_charge_that_cannot_begin_reaches_nothing(quality: str, reaches: bool) -> None:
    tired = unit("a", (4, 4), "cavalry", stats={"quality": quality}, fatigue=300)
    found = asked(game(tired, unit("b", (6, 4)))).move.extra
    assert (found["charge"]["probability"] > 0, bool(found["charge_hexes"])) == (reaches, reaches)


@pytest.mark.rule("MP-101", "musket-pike R18")
@pytest.mark.parametrize(("detached", "chance"), [(False, 80 / 86), (True, 60 / 66)])
def test_a_charge_starts_by_the_test_of_morale_against_threat(detached: bool, chance: float) -> None:
    enemy = unit("b", (6, 4), "cavalry", stats={"strength": 200})
    made = rider(detached=detached)
    assert asked(game(made, enemy)).move.extra["charge"]["probability"] == pytest.approx(chance)
    (event,) = told(charge(made, enemy, dice=(0,)), "charge")
    assert (event["success"], event["probability"]) == (True, pytest.approx(chance))
    failed = charge(made, enemy, dice=(99,))
    now = after(failed, "a")
    assert (now.hex, now.state["disordered"], now.state.get("charging", False)) == ((4, 4), True, False)


@pytest.mark.rule("MP-102")
@pytest.mark.parametrize(("direction", "legal"), [("NE", True), ("SE", True), ("N", False), ("SW", False)])
def test_a_charge_goes_straight_ahead(direction: str, legal: bool) -> None:
    if legal:
        assert after(charge(rider(), path=[direction]), "a").state["facing"] == "R"
    else:
        assert "straight ahead" in refused(rider(), path=[direction])[0]


@pytest.mark.rule("MP-102")
def test_a_charge_reaches_the_fan_before_it_with_all_its_points_and_without_roads() -> None:
    terrain = [road("pike", *[(c, 4) for c in range(4, 9)])]
    found = asked(game(rider(), terrain=terrain)).move.extra["charge_hexes"]
    assert len(found) == sum(range(2, 8))
    wood = [ground("forest", (5, 4), (5, 3))]
    deep = asked(game(rider(), terrain=wood)).move.extra["charge_hexes"]
    assert max(column for column, _ in deep) == 8


@pytest.mark.rule("MP-102", "MP-46")
def test_disorder_on_the_way_does_not_end_a_charge() -> None:
    played = charge(rider(), path=["NE", "SE", "NE", "SE"], terrain=[ground("orchard", (5, 4))])
    now = after(played, "a")
    assert (now.hex, now.state["disordered"], now.state["mp_used"]) == ((8, 4), True, 14)


@pytest.mark.rule("MP-72", "musket-pike R44")
def test_a_zone_of_control_stops_a_charge() -> None:
    played = charge(rider(), unit("b", (6, 5)), path=["NE", "SE"], dice=(0,))
    assert (after(played, "a").hex, after(played, "a").state["mp_used"]) == ((5, 4), 20)


@pytest.mark.rule("MP-72", "MP-102", "musket-pike R44")
def test_a_zone_of_control_ends_a_charge_that_a_stream_disordered_on_the_way() -> None:
    played = charge(rider(), unit("b", (6, 5)), dice=(0,), terrain=[hexside("stream", 4, 4, "NE")])
    now = after(played, "a")
    assert (now.hex, now.state["disordered"], now.state["mp_used"]) == ((5, 4), True, 20)
    with pytest.raises(ActionRefused) as caught:
        do(played.game, "charge", unit="a", path=["SE"])
    assert caught.value.reasons == ("the step costs 3, 0 movement points are left",)


@pytest.mark.rule("MP-100")
def test_leaders_may_ride_along() -> None:
    of = (rider(), unit("a-l", (4, 4), "leader"), unit("a-2", (4, 4), "cavalry"))
    assert after(charge(*of, with_=["a-l"]), "a-l").hex == (5, 4)
    assert refused(*of, with_=["a-2"])


@pytest.mark.rule("MP-103")
def test_who_charged_is_disordered_at_the_end_of_the_turn() -> None:
    charged = charge(rider(), unit("a-2", (9, 9), "cavalry")).game
    ended = do(charged, "end-turn", side="a")
    assert [facts["unit"] for facts in told(ended, "disordered")] == ["a"]
    assert after(ended, "a").state["disordered"] is True
    led = do(game(rider(charging=True), unit("a-2", (4, 4), "leader", charging=True)), "end-turn", side="a")
    assert [facts["unit"] for facts in told(led, "disordered")] == ["a"]


@pytest.mark.rule("MP-104", "musket-pike R19")
@pytest.mark.parametrize(("men", "hex", "gone", "left"), [(400, (5, 4), True, 3), (401, (4, 4), False, 20)])
def test_skirmishers_who_are_no_stronger_are_ridden_down(men: int, hex: Any, gone: bool, left: float) -> None:
    light = unit("b", (5, 4), "skirmisher", stats={"strength": men})
    played = charge(rider(), light, dice=(0,))
    assert (after(played, "a").hex, "b" not in played.game.by_id) == (hex, gone)
    assert after(played, "a").state["mp_used"] == left
    assert bool(told(played, "eliminated")) is gone
    assert bool(told(played, "stopped")) is not gone


@pytest.mark.rule("MP-104", "MP-106")
def test_leaders_with_ridden_down_skirmishers_are_captured() -> None:
    played = charge(rider(), unit("b", (5, 4), "skirmisher"), unit("b-l", (5, 4), "leader"), dice=(0,))
    assert [one.id for one in played.game.units] == ["a"]
    assert told(played, "captured") == [{"unit": "b-l", "by": "a"}]


@pytest.mark.rule("MP-104", "MP-105", "MP-45")
@pytest.mark.parametrize(
    ("terrain", "legal"),
    [
        ([], True), ([ground("field", (5, 4))], True), ([ground("building", (5, 4))], False),
        ([ground("orchard", (5, 4))], False), ([hexside("hedge", 4, 4, "NE")], False),
        ([hexside("hedge", 4, 4, "SE")], True),
    ],
)  # fmt: skip
def test_a_charge_rides_down_only_in_the_open(terrain: Any, legal: bool) -> None:
    for enemy in (unit("b", (5, 4), "skirmisher"), unit("b", (5, 4), "artillery", uncrewed=True)):
        dice = (0,) if enemy["type"] == "skirmisher" else ()
        if legal:
            assert after(charge(rider(), enemy, dice=dice, terrain=terrain), "a").hex == (5, 4)
        else:
            assert refused(rider(), enemy, terrain=terrain)


@pytest.mark.rule("MP-105", "MP-88", "MP-87")
@pytest.mark.parametrize(
    ("formation", "state", "captured", "uncrewed"),
    [("unlimbered", {"uncrewed": True, "facing": "R"}, "a", False), ("unlimbered", {"facing": "R"}, None, True)],
)
def test_guns_alone_are_taken_or_lose_their_crew(formation: str, state: Any, captured: Any, uncrewed: bool) -> None:
    guns = unit("b", (5, 4), "artillery", formation, stats={"strength": 30}, **state)
    now = after(charge(rider(), guns), "b").state
    assert (now.get("captured_by"), now["uncrewed"]) == (captured, uncrewed)


@pytest.mark.rule("MP-105")
def test_limbered_guns_are_destroyed_only_where_they_cannot_get_away() -> None:
    guns = unit("b", (5, 4), "artillery", "limbered", facing="R")
    assert "get away" in refused(rider(), guns, dice=(0,))[0]
    trapped = charge(rider(facing="UR"), unit("b", (5, 4), "artillery", "limbered", facing="UR"), dice=(),
                     terrain=[hexside("high-wall", 5, 4, name) for name in ("NW", "SE", "S")])  # fmt: skip
    assert "b" not in trapped.game.by_id


@pytest.mark.rule("MP-43")
def test_formed_troops_are_not_ridden_over() -> None:
    for enemies in ([unit("b", (5, 4))], [unit("b", (5, 4), "skirmisher"), unit("b-2", (5, 4))]):
        assert refused(rider(), *enemies)


@pytest.mark.rule("MP-178")
def test_a_charge_that_won_goes_on_without_test_or_points_through_empty_hexes() -> None:
    made = rider(charging=True, meleed=True, melees=1, can_continue=True, disordered=True, mp_used=20, continued=1)
    enemy = unit("b", (9, 5), facing="R")
    found = asked(game(made, enemy)).move.extra["charge_hexes"]
    assert sorted(map(tuple, found)) == [(5, 3), (5, 4), (6, 3), (6, 4), (6, 5)]
    played = charge(made, enemy, path=["NE", "NE"])
    assert (after(played, "a").hex, after(played, "a").state["continued"]) == ((6, 5), 3)
    assert after(played, "a").state["mp_used"] == 20
    assert refused(made, enemy, path=["NE", "NE", "NE"])
    assert "not empty" in refused(made, unit("a-2", (5, 4), "skirmisher"), path=["NE"])[0]
    assert refused({**made, "state": {**made["state"], "continued": 3}}, enemy)


@pytest.mark.rule("MP-102")
def test_who_charged_neither_turns_nor_marches_any_more() -> None:
    of = game(rider(charging=True, mp_used=3))
    for action, keys in (("move", {"path": ["NE"]}), ("turn", {"facing": "L"})):
        with pytest.raises(ActionRefused):
            do(of, action, unit="a", **keys)
    assert after(do(of, "charge", unit="a", path=["NE"]), "a").state["mp_used"] == 6
