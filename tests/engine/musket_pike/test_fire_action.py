"""Fire as it is played: the dice in their order, the losses, the morale of those who are hit, the ammunition."""

from __future__ import annotations

import pytest

from engine.errors import ActionRefused, DiceError, UnknownAction
from engine.play import Played
from engine.records.game import Game
from tests.engine.musket_pike.scene import Json, after, do, game, ground, told, unit

CASE = pytest.mark.rule

A = unit("a", (4, 4), stats={"strength": 340})
B = unit("b", (5, 4), stats={"strength": 500})
#: A fire value of 2040 brings 8.16 to 40.8; score 49 is the share 0.495.
LOW, HIGH = 0, 99


def fire(of: Game, *dice: int, **keys: object) -> Played:
    """a fires at b."""
    return do(of, "fire", *dice, unit="a", **({"target": "b"} | keys))


@CASE("MP-163", "MP-168", "MP-241", "MP-250", "MP-271")
def test_the_dice_of_a_shot_come_in_their_order() -> None:
    played = fire(game(A, B), LOW, HIGH, 49, HIGH, HIGH)
    assert [roll.roll.die for roll in played.rolls] == ["d100"] * 5
    (casualties,) = told(played, "casualties", "b")
    value = 8.16 + 32.64 * 0.005
    assert casualties["value"] == pytest.approx(value)
    assert casualties["men"] == 8
    assert after(played).stats["strength"] == 492
    (fatigue,) = told(played, "fatigue", "b")
    assert fatigue == {"unit": "b", "points": 17, "total": 17}
    (trigger,) = told(played, "morale-trigger", "b")
    assert trigger["probability"] == pytest.approx(8 / (8 + 50))
    assert trigger["triggered"] is False
    assert played.game.unit("a").state["fired"] is True
    assert after(played).state["exerted"] is True


@CASE("MP-271")
@pytest.mark.parametrize(("score", "men"), [(39, 24), (40, 23)])
def test_23_and_two_fifths_men_are_24_in_two_cases_of_five(score: int, men: int) -> None:
    firer = unit("a", (4, 4), stats={"strength": 1000})
    of = game(firer, unit("b", (5, 4)), parameters={"fire_lcv": 3.9, "fire_hcv": 3.9})
    (casualties,) = told(fire(of, score, 0, 99, 99), "casualties", "b")
    assert casualties == {"unit": "b", "value": pytest.approx(23.4), "men": men}


@CASE("MP-273", "MP-270", "musket-pike R5", "musket-pike R42")
def test_the_manuals_value_of_400_with_a_quarter_more_brings_2_and_a_half_to_12_and_a_half() -> None:
    from engine.rulesets.musket_pike.fire.effects import Effect, value_of
    from engine.rulesets.musket_pike.losses.casualties import span

    value = value_of(400, [Effect(name="", rule="", percent=25.0)], "additive")
    assert (value, span(value, 5, 25).low, span(value, 5, 25).high) == (500, 2.5, 12.5)


@CASE("MP-165", "MP-250")
@pytest.mark.parametrize(("score", "guns"), [(9, 1), (10, 0)])
def test_five_men_of_a_battery_are_a_gun_in_one_case_of_ten(score: int, guns: int) -> None:
    of = game(unit("a", (4, 4), weapon="rifle", stats={"strength": 100}), unit("b", (5, 4), "artillery"))
    played = fire(of, 37, score, 0, *([99] if guns else []), 99)
    assert told(played, "casualties", "b")[0]["value"] == pytest.approx(5)
    assert told(played, "casualties", "b")[0]["guns"] == guns
    assert after(played).stats["strength"] == 6 - guns


@CASE("MP-215", "musket-pike R6")
@pytest.mark.parametrize(("strength", "chance"), [(500, 1 / 3), (250, 1 / 2), (100, 1 / 2), (1000, 1 / 5)])
def test_the_chances_of_a_morale_check_that_the_manual_gives(strength: int, chance: float) -> None:
    of = game(unit("a", (4, 4), stats={"strength": 1000}), unit("b", (5, 4), stats={"strength": strength}),
              parameters={"fire_lcv": 25 / 6, "fire_hcv": 25 / 6})  # fmt: skip
    played = fire(of, 0, 99, 99)
    assert told(played, "casualties", "b")[0]["men"] == 25
    assert told(played, "morale-trigger", "b")[0]["probability"] == pytest.approx(chance)


# strengths so that 60 men fall for certain, out of 400; morale C is 4
HIT = {"fire_lcv": 10.0, "fire_hcv": 10.0}


def volley(
    target: Json,
    *dice: int,
    active: str = "a",
    options: Json | None = None,
    others: tuple[Json, ...] = (),
    **conditions: object,
) -> Played:
    """A great volley at b that costs men for certain and triggers a check: fatigue, trigger, then ``dice``."""
    firer = unit("a", (4, 4), stats={"strength": 1600 if active == "b" else 1000})
    of = game(firer, target, *others, parameters=HIT, active=active, options=options, **conditions)
    return fire(of, 0, 0, *dice)


CHECKS = [
    # the target's stats and state, the die, option → what becomes of it
    ({}, {}, 4, {}, {"disordered"}),
    ({}, {}, 5, {}, {"routed"}),
    ({}, {}, 4, {"morale_pass_disorders": False}, set()),
    ({}, {}, 5, {"morale_pass_disorders": False}, {"routed"}),
    ({}, {"disordered": True}, 3, {}, {"disordered"}),
    ({}, {"disordered": True}, 4, {}, {"routed"}),
    ({}, {"ammo": "low"}, 4, {}, {"routed"}),
    ({"attributes": ["fanatical"], "quality": "D"}, {}, 5, {}, {"disordered"}),
]


@CASE("MP-219", "MP-220", "MP-221", "musket-pike R4")
@pytest.mark.parametrize(("stats", "state", "die", "options", "left"), CHECKS)
def test_a_check_passed_disorders_and_a_check_failed_routs(
    stats: Json, state: Json, die: int, options: Json, left: set[str]
) -> None:
    played = volley(unit("b", (5, 4), stats=stats, **state), die, 99, options=options)
    now = after(played).state
    assert {key for key in ("disordered", "routed") if now.get(key)} == left
    (check,) = told(played, "morale-check", "b")
    assert (check["die"], check["passed"]) == (die, "routed" not in left)


@CASE("MP-220")
@pytest.mark.parametrize(("quality", "passed"), [("A", True), ("A+++", True)])
def test_no_die_is_asked_where_a_check_cannot_fail(quality: str, passed: bool) -> None:
    played = volley(unit("b", (5, 4), stats={"quality": quality}), 99)
    assert told(played, "morale-check", "b") == [
        {"unit": "b", "value": {"A": 6, "A+++": 9}[quality], "die": None, "passed": passed}
    ]


@CASE("MP-221", "musket-pike R4", "MP-149")
@pytest.mark.parametrize(("die", "left"), [(4, set()), (5, {"disordered"})])
def test_opportunity_fire_disorders_at_most(die: int, left: set[str]) -> None:
    played = volley(unit("b", (5, 4)), die, 99, active="b")
    assert {key for key in ("disordered", "routed") if after(played).state.get(key)} == left


@CASE("MP-221")
def test_defensive_fire_in_its_phase_disorders_at_most_too() -> None:
    played = volley(unit("b", (5, 4)), 6, 99, active="b", mode="phases", phase="defensive-fire")
    assert after(played).state["disordered"] is True
    assert "routed" not in after(played).state


@CASE("MP-222")
@pytest.mark.parametrize(("die", "men"), [(4, 0), (5, 25), (6, 50)])
def test_a_routed_unit_loses_stragglers_by_how_much_it_fails(die: int, men: int) -> None:
    played = volley(unit("b", (5, 4), routed=True), die, 99)
    assert [one["men"] for one in told(played, "stragglers", "b")] == ([men] if men else [])
    assert after(played).stats["strength"] == 340 - men
    assert (after(played).state["routed"], after(played).state.get("disordered", False)) == (True, False)


@CASE("MP-223")
def test_guns_in_action_do_not_rout_and_limbered_ones_do() -> None:
    for formation, left in (("unlimbered", "disordered"), ("limbered", "routed")):
        battery = unit("b", (5, 4), "artillery", formation, stats={"quality": "F"})
        more = (99, 0, 0, 6, 99)
        firer = unit("a", (4, 4), stats={"strength": 1000})
        of = game(firer, battery, parameters=HIT)
        assert after(fire(of, *more)).state[left] is True


@CASE("MP-224")
def test_a_rout_spreads_by_hexes_each_unit_once_a_chain() -> None:
    friends = (
        unit("b-stack", (5, 4)), unit("b-n", (5, 5)), unit("b-far", (5, 6)), unit("b-away", (5, 9)),
        unit("b-leader", (5, 4), "leader"), unit("b-ne", (6, 5)),
    )  # fmt: skip
    # the leader in the hex makes 5 of 4; b fails, b-stack passes, b-n fails and carries it on to b-far, b-ne passes
    played = volley(unit("b", (5, 4)), 6, 1, 6, 1, 1, 99, others=friends)
    assert [one["unit"] for one in told(played, "morale-check")] == ["b", "b-stack", "b-n", "b-ne", "b-far"]
    assert [one["unit"] for one in told(played, "routed")] == ["b", "b-n"]


@CASE("MP-224")
def test_a_limited_rout_stops_after_its_first_ring() -> None:
    friends = unit("b-n", (5, 5)), unit("b-far", (5, 6))
    played = volley(unit("b", (5, 4)), 6, 6, 99, others=friends, options={"rout_limiting": True})
    assert [one["unit"] for one in told(played, "morale-check")] == ["b", "b-n"]


@CASE("MP-216")
def test_who_is_exhausted_checks_for_any_fatigue_without_a_trigger() -> None:
    played = fire(game(A, unit("b", (5, 4), fatigue=900)), 0, 99, 0, 1, 99)
    assert told(played, "morale-trigger") == []
    assert told(played, "fatigue", "b")[0]["total"] == 900
    assert len(told(played, "morale-check", "b")) == 1


@CASE("MP-219", "MP-153")
def test_fire_in_enfilade_shakes_more() -> None:
    played = volley(unit("b", (5, 4), facing="R"), 2, 99)
    assert told(played, "morale-check", "b")[0]["value"] == 2


@CASE("MP-168", "MP-290")
def test_who_has_nobody_left_is_gone_and_his_side_pays_for_him() -> None:
    of = game(
        unit("a", (4, 4), stats={"strength": 1000}),
        unit("b", (5, 4), stats={"strength": 50, "victory_value": 3}),
        parameters=HIT,
    )
    played = fire(of, 99)
    assert [unit.id for unit in played.game.units] == ["a"]
    assert told(played, "casualties", "b")[0]["men"] == 50
    assert len(told(played, "eliminated", "b")) == 1
    assert played.game.side("b").extra["lost"] == pytest.approx(1.5)


@CASE("MP-290")
def test_a_gun_lost_counts_50_men() -> None:
    of = game(unit("a", (4, 4), stats={"strength": 1000}), unit("b", (5, 4), "artillery"), parameters=HIT)
    assert fire(of, 99, 0, 99, 99).game.side("b").extra["lost"] == pytest.approx(0.5)


AMMO = [
    # ammo before, die or None, after; active side, firer
    ("full", 3, "low", "a", {}),
    ("full", 4, "full", "a", {}),
    ("low", 1, "out", "b", {}),
    ("low", 2, "low", "b", {}),
    ("full", None, "out", "a", {"weapon": "javelin"}),
    ("full", None, "full", "a", {"kind": "artillery"}),
    ("full", 3, "low", "a", {"kind": "cavalry", "weapon": "pistol"}),
]


@CASE("MP-250", "MP-117")
@pytest.mark.parametrize(("before", "die", "left", "active", "made"), AMMO)
def test_what_a_shot_takes_of_the_ammunition(
    before: str, die: int | None, left: str, active: str, made: Json
) -> None:
    of = game(unit("a", (4, 4), **made, ammo=before), unit("b", (5, 4), "supply-wagon", stats={"strength": 9000}),
              parameters={"fire_lcv": 0, "fire_hcv": 0}, active=active)  # fmt: skip
    played = fire(of, *([] if die is None else [die]))
    assert played.game.unit("a").state.get("ammo", "full") == left
    assert [one["level"] for one in told(played, "ammo")] == ([left] if left != before else [])


@CASE("MP-254")
def test_guns_that_are_cut_off_may_run_low() -> None:
    ring = [unit(f"b{number}", cell, facing=facing) for number, (cell, facing) in enumerate(
        [((4, 6), "DL"), ((6, 5), "L"), ((6, 3), "L"), ((4, 2), "UR"), ((2, 3), "R"), ((2, 5), "R")])]  # fmt: skip
    of = game(unit("a", (4, 4), "artillery"), unit("b", (5, 4), "supply-wagon", stats={"strength": 9}), *ring,
              options={"isolation": True}, parameters={"fire_lcv": 0, "fire_hcv": 0})  # fmt: skip
    assert fire(of, 3).game.unit("a").state["ammo"] == "low"
    given = game(unit("a", (4, 4), "artillery", isolated=True),
                 unit("b", (5, 4), "supply-wagon", stats={"strength": 9}),
                 parameters={"fire_lcv": 0, "fire_hcv": 0})  # fmt: skip
    assert fire(given, 3).game.unit("a").state["ammo"] == "low"


@CASE("MP-127", "musket-pike R25")
def test_a_shot_of_the_guns_takes_one_of_the_sides_store() -> None:
    of = game(unit("a", (4, 4), "artillery"), unit("b", (5, 4)), artillery_ammo={"a": 2, "b": 5},
              parameters={"fire_lcv": 0, "fire_hcv": 0})  # fmt: skip
    assert fire(of).game.conditions["artillery_ammo"] == {"a": 1, "b": 5}


@CASE("MP-166")
def test_artillery_goes_through_every_line_in_the_hex() -> None:
    others = unit("b2", (5, 4), formation="column"), unit("b3", (5, 4), stats={"armor": 5})
    of = game(unit("a", (4, 4), "artillery"), unit("b", (5, 4)), *others)
    played = fire(of, 0, 99, 0, 99, 0, 99, 0, 99)
    assert [one["unit"] for one in told(played, "casualties")] == ["b", "b3"]
    column = fire(of, 0, 99, 0, 99, target="b2")
    assert [one["unit"] for one in told(column, "casualties")] == ["b2"]
    muskets = fire(game(A, unit("b", (5, 4)), others[1]), 0, 99, 0, 99, 99)
    assert [one["unit"] for one in told(muskets, "casualties")] == ["b"]


@CASE("MP-272")
def test_the_alternative_result_is_the_mean_of_two_draws() -> None:
    played = fire(game(A, B, options={"alternative_fire": True}), 0, 99, 99, 0, 99, 99)
    assert told(played, "casualties", "b")[0]["value"] == pytest.approx((8.16 + 40.8) / 2)


@CASE("MP-65")
def test_whoever_is_fired_at_is_free_to_move() -> None:
    fixed = unit("b", (5, 4), fixed=True)
    played = fire(game(A, fixed, parameters={"fire_lcv": 0, "fire_hcv": 0}), 99)
    assert after(played).state["fixed"] is False
    assert len(told(played, "released", "b")) == 1


SCATTER = [
    # distance and direction dice → the hex, who is struck
    ((49,), None, "b"),
    ((50, 1), (8, 7), "b-n"),
    ((84, 4), (8, 5), "a-s"),
    ((85, 1), (8, 8), None),
    ((99, 2), (10, 7), None),
]


@CASE("MP-126", "musket-pike R24")
@pytest.mark.parametrize(("dice", "to", "struck"), SCATTER)
def test_an_indirect_shot_of_artillery_scatters_over_friend_and_foe(
    dice: tuple[int, ...], to: tuple[int, int] | None, struck: str | None
) -> None:
    mortar = unit("a", (4, 4), "artillery", weapon="howitzer")
    of = game(mortar, unit("b", (8, 6)), unit("b-n", (8, 7)), unit("a-s", (8, 5)), unit("b-line", (6, 5)))
    more = (0, 99, 0) if struck is not None else ()
    trigger = (99,) if struck is not None else ()
    played = fire(of, *dice, *more, *trigger, mode="indirect")
    assert [tuple(one["to"]) for one in told(played, "scatter")] == ([] if to is None else [to])
    assert [one["unit"] for one in told(played, "casualties")] == ([] if struck is None else [struck])


@CASE("musket-pike R24")
def test_guns_that_never_scatter_by_their_data_ask_for_no_die() -> None:
    mortar = unit("a", (4, 4), "artillery", weapon="howitzer")
    of = game(mortar, unit("b", (8, 6)), parameters={"scatter_percent": [100, 0, 0]})
    assert told(fire(of, 0, 99, 0, 99, mode="indirect"), "scatter") == []


@CASE("MP-126")
def test_bows_shoot_over_a_hill_and_do_not_scatter() -> None:
    archers = unit("a", (4, 4), weapon="bow", facing="UR")
    of = game(archers, unit("b", (4, 6), facing="DL"), terrain=[ground("elevation", (4, 5), level=3)])
    with pytest.raises(ActionRefused, match="no line of sight"):
        fire(of)
    assert len(told(fire(of, 0, 99, 0, 99, 99, mode="indirect"), "casualties")) == 1


BRIDGE = ground("bridge", (4, 6), strength=150)


@CASE("MP-167", "MP-128")
def test_guns_bring_an_empty_bridge_down() -> None:
    of = game(
        unit("a", (4, 4), "artillery", facing="UR"), unit("b", (12, 4)), terrain=[ground("water", (4, 6)), BRIDGE]
    )
    played = do(of, "fire", 99, 0, unit="a", target_hex=[4, 6])
    # 300 men at a hard rating of 6 bring 7.2 to 36
    assert told(played, "bridge") == [{"unit": "a", "bridge": BRIDGE["id"], "strength": 114, "lost": 36}]
    assert next(one for one in played.game.terrain if one.kind == "bridge").extra["strength"] == 114


@CASE("MP-167")
def test_only_artillery_fires_at_bridges_and_only_at_empty_ones() -> None:
    lake = [ground("water", (4, 6)), BRIDGE]
    with pytest.raises(ActionRefused, match="only artillery"):
        do(
            game(unit("a", (4, 4), facing="UR"), unit("b", (12, 4)), terrain=lake),
            "fire",
            unit="a",
            target_hex=[4, 6],
        )
    guns = unit("a", (4, 4), "artillery", facing="UR")
    with pytest.raises(ActionRefused, match="units stand on the bridge"):
        do(game(guns, unit("b", (4, 6), formation="column"), terrain=lake), "fire", unit="a", target_hex=[4, 6])
    with pytest.raises(ActionRefused, match="no bridge"):
        do(game(guns, unit("b", (12, 4)), terrain=lake), "fire", unit="a", target_hex=[4, 7])


@pytest.mark.parametrize("order", ["fire", "melee"])
@pytest.mark.parametrize("cell", [[100, 200], [-1, 0]])
def test_not_even_the_umpire_has_a_hex_shot_at_that_the_map_does_not_have(order: str, cell: list[int]) -> None:
    of = game(unit("a", (4, 4), "artillery", facing="UR"), unit("b", (12, 4)))
    with pytest.raises(ActionRefused, match="is off the map"):
        do(of, order, unit="a", target_hex=cell, override=True)


@CASE("MP-149")
def test_who_is_attacked_may_answer_in_full() -> None:
    of = game(unit("a", (4, 4)), unit("b", (5, 4)))
    played = do(of, "fire", 0, 99, 0, 99, 99, unit="b", target="a", defending_melee=True)
    assert told(played, "casualties", "a")[0]["value"] == pytest.approx(2.4 * (4 + 16 * 0.005))
    half = do(of, "fire", 0, 99, 0, 99, 99, unit="b", target="a")
    assert told(half, "casualties", "a")[0]["value"] == pytest.approx(1.2 * (4 + 16 * 0.005))


@CASE("MP-149", "MP-14")
@pytest.mark.parametrize(
    ("conditions", "who", "reason"),
    [({}, "a", "side that is attacked"), ({"mode": "phases", "active": "a"}, "b", "defensive fire phase")],
)
def test_an_answer_to_a_melee_is_for_defenders_in_turn_mode(conditions: Json, who: str, reason: str) -> None:
    of = game(unit("a", (4, 4)), unit("b", (5, 4)), **conditions)
    with pytest.raises(ActionRefused, match=reason):
        do(of, "fire", unit=who, target="b" if who == "a" else "a", defending_melee=True)


def test_a_wrong_order_is_told_before_any_die_and_changes_nothing() -> None:
    of = game(A, unit("b", (9, 9)))
    with pytest.raises(ActionRefused) as refused:
        fire(of, 1, 2, 3)
    assert refused.value.rules == ("MP-120", "MP-122")
    with pytest.raises(UnknownAction, match="target_hex"):
        do(of, "fire", unit="a")
    with pytest.raises(DiceError, match="a fires at b"):
        fire(game(A, B))
