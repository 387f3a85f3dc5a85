"""Melee as it is played: the dice in their order, losses, fatigue, whose morale holds, charges that go on."""

from __future__ import annotations

import pytest

from engine.errors import ActionRefused, UnknownAction
from tests.engine.musket_pike.fighting import BLOODLESS, HELD, LOST, WON, A, B, fought, melee
from tests.engine.musket_pike.scene import Json, after, do, game, ground, told, unit

CASE = pytest.mark.rule


@CASE("MP-198", "MP-199", "MP-201", "MP-205", "MP-241", "musket-pike R8", "musket-pike R40")
def test_the_dice_of_a_melee_come_in_their_order() -> None:
    of = game(
        unit("a", (4, 4), stats={"strength": 450}, fired=True),
        unit("b", (5, 4), stats={"strength": 230}, fired=True),
    )
    played = melee(of, 0, 99, 33, 0, 82, 0, 4)
    assert [roll.roll.die for roll in played.rolls] == ["d100"] * 6 + ["d6"]
    (result,) = told(played, "melee-result")
    assert result["winner"] == "attackers"
    assert result["attacker_value"] == pytest.approx(9.2 + 27.6 * 0.005)
    assert result["defender_value"] == pytest.approx(9 + 36 * 0.995)
    assert [one["men"] for one in told(played, "casualties")] == [10, 44]
    winner, loser = told(played, "fatigue")
    assert winner["points"] == round(1.5 * 9.338 * 1.01)
    assert loser["points"] == round(2 * 44.82 * 1.01)
    assert after(played, "a").hex == (5, 4)
    assert after(played).hex == (6, 5)
    assert after(played).state["disordered"] is True


@CASE("MP-176", "MP-170", "MP-180")
def test_what_a_melee_leaves_written_down() -> None:
    played = melee(game(A, unit("b", (5, 4), fired=True, fixed=True), parameters=WON), *HELD)
    attacker, defender = after(played, "a").state, after(played).state
    assert (attacker["meleed"], attacker["melees"], attacker["exerted"], attacker["disordered"]) == (
        True,
        1,
        True,
        True,
    )
    assert (defender["exerted"], defender["fixed"]) == (True, False)
    assert [tuple(cell) for cell in played.game.conditions["attacked"]] == [(5, 4)]
    with pytest.raises(ActionRefused, match="attacked in this player turn"):
        do(game(unit("a", (4, 4)), B, attacked=[[5, 4]]), "melee", unit="a", target="b")


@CASE("MP-199", "MP-203")
def test_the_defender_wins_ties_and_stays() -> None:
    played = melee(game(A, B, parameters=BLOODLESS))
    assert told(played, "melee-result")[0]["winner"] == "defenders"
    assert (after(played, "a").hex, after(played).hex) == ((4, 4), (5, 4))
    assert told(played, "morale-check") == []
    assert after(played, "a").state["disordered"] is True


@CASE("MP-201")
def test_defenders_who_hold_lose_no_more_than_the_attackers_value() -> None:
    riders = unit("a", (4, 4), "cavalry", fired=True, charging=True)
    block = unit("b", (5, 4), formation="block", fired=True)
    even = {"melee_attacker_lcv": 20, "melee_attacker_hcv": 20, "melee_defender_lcv": 40, "melee_defender_hcv": 40}
    played = melee(game(riders, block, parameters=even), 0, 0, 99)
    assert told(played, "melee-result")[0]["winner"] == "defenders"
    assert [one["men"] for one in told(played, "casualties")] == [8, 8]


@CASE("MP-200")
def test_a_charge_at_blocks_wins_by_losing_nobody() -> None:
    riders = unit("a", (4, 4), "cavalry", fired=True, charging=True)
    unscathed = {**WON, "melee_attacker_lcv": 0, "melee_attacker_hcv": 0}
    played = melee(game(riders, unit("b", (5, 4), formation="block", fired=True), parameters=unscathed), 0, 1)
    assert told(played, "melee-result")[0]["winner"] == "attackers"


@CASE("MP-200")
@pytest.mark.parametrize(("beside", "winner"), [("leader", "defenders"), ("supply-wagon", "attackers")])
def test_only_blocks_and_their_leaders_are_so_hard_to_ride_down(beside: str, winner: str) -> None:
    riders = unit("a", (4, 4), "cavalry", fired=True, charging=True)
    block, other = unit("b", (5, 4), formation="block", fired=True), unit("b2", (5, 4), beside)
    far_from_even = {**WON, "melee_defender_lcv": 80, "melee_defender_hcv": 80}
    played = fought(game(riders, block, other, parameters=far_from_even))
    assert told(played, "melee-result")[0]["winner"] == winner


@CASE("MP-200")
def test_attackers_who_are_all_gone_have_not_won() -> None:
    few = unit("a", (4, 4), stats={"strength": 5}, fired=True)
    slaughter = {
        "melee_attacker_lcv": 50,
        "melee_attacker_hcv": 50,
        "melee_defender_lcv": 9000,
        "melee_defender_hcv": 9000,
    }
    played = melee(game(few, B, parameters=slaughter), 0, 99)
    assert told(played, "melee-result")[0]["winner"] == "defenders"
    assert [one.id for one in played.game.units] == ["b"]


@CASE("MP-200")
def test_defenders_of_a_chateau_lose_without_leaving() -> None:
    strong = unit("a", (4, 4), stats={"strength": 1600}, fired=True)
    played = melee(game(strong, B, terrain=[ground("chateau", (5, 4))], parameters=WON), 0, 0, 1)
    assert told(played, "melee-result")[0]["winner"] == "attackers"
    assert (after(played, "a").hex, after(played).hex) == ((4, 4), (5, 4))
    assert len(told(played, "morale-check", "b")) == 1


@CASE("MP-201", "MP-164")
def test_losses_are_shared_by_strength_and_armour_takes_its_tenths() -> None:
    many, few = (
        unit("b", (5, 4), stats={"strength": 300, "armor": 5}),
        unit("b2", (5, 4), "artillery", stats={"strength": 10}),
    )
    of = game(unit("a", (4, 4), stats={"strength": 1000}), many, few, parameters=WON, options={})
    played = melee(of, 0, 0, 99, 0, 1)
    losses = {one["unit"]: one["value"] for one in told(played, "casualties")}
    attack = 1000 * 1.0  # a fifth more for not having fired, a fifth less for the fire it may meet
    assert losses["b"] == pytest.approx(attack * 0.04 * 300 / 400 / 2)
    assert losses["b2"] == pytest.approx(attack * 0.04 * 100 / 400)


@CASE("MP-204", "MP-207")
def test_skirmishers_alone_lose_a_fifth_and_always_give_way() -> None:
    light = unit("b", (5, 4), "skirmisher", stats={"strength": 200}, fired=True)
    played = melee(game(A, light, parameters=LOST), 0, 0, 0, 1)
    assert told(played, "melee-result")[0]["winner"] == "attackers"
    assert [one["value"] for one in told(played, "casualties")] == pytest.approx([200 * 0.04, 400 * 0.02 / 5])
    assert after(played, "a").hex == (5, 4)
    assert "disordered" not in after(played, "a").state


@CASE("MP-207")
def test_skirmishers_against_skirmishers() -> None:
    def light(name: str, hex: tuple[int, int], men: int) -> Json:
        return unit(name, hex, "skirmisher", stats={"strength": men}, fired=True)

    few = melee(game(light("a", (4, 4), 200), light("b", (5, 4), 200), parameters=LOST), 0, 0, 99, 0)
    assert [one["value"] for one in told(few, "casualties")] == pytest.approx([200 * 0.04 / 5, 200 * 0.02 / 5])
    assert told(few, "melee-result")[0]["winner"] == "defenders"
    many = melee(game(light("a", (4, 4), 400), light("b", (5, 4), 200), parameters=WON), 0, 19, 0, 1)
    assert [one["value"] for one in told(many, "casualties")] == pytest.approx([200 * 0.02, 400 * 0.04 / 5])


@CASE("MP-206", "MP-215")
def test_defenders_who_hold_check_by_what_they_lost() -> None:
    played = melee(game(A, B, parameters=LOST), 0, 0, 0, 4)
    (trigger,) = told(played, "morale-trigger", "b")
    assert trigger["probability"] == pytest.approx(8 / (8 + 40))
    assert told(played, "morale-check", "b")[0]["passed"] is True


@CASE("MP-206", "musket-pike R29")
def test_attackers_check_by_option_alone() -> None:
    played = melee(game(A, B, parameters=LOST, options={"attackers_check_morale": True}), 0, 0, 99, 0, 6)
    assert [one["unit"] for one in told(played, "morale-check")] == ["a"]
    assert after(played, "a").state["routed"] is True


@CASE("MP-205", "musket-pike R28")
def test_melee_tires_and_the_loser_more() -> None:
    played = melee(game(A, B, parameters=WON), *HELD)
    assert [one["points"] for one in told(played, "fatigue")] == [round(8 * 1.5 * 1.01), round(16 * 2 * 1.01)]
    harder = melee(game(A, B, parameters=WON, options={"loser_fatigue": 3.0}), *HELD)
    assert told(harder, "fatigue", "b")[0]["points"] == round(16 * 3 * 1.01)


@CASE("MP-178")
def test_a_charge_that_has_won_may_go_on() -> None:
    riders = unit("a", (4, 4), "cavalry", fired=True, charging=True)
    played = melee(game(riders, B, parameters=WON), 0, 0, 1)
    assert (after(played, "a").state["can_continue"], after(played, "a").state.get("continued", 0)) == (True, 0)
    second = unit("a", (4, 4), "cavalry", fired=True, charging=True, meleed=True, melees=1, can_continue=True)
    again = melee(game(second, B, parameters=WON, attacked=[[5, 4]]), 0, 0, 1)
    assert (after(again, "a").state["continued"], after(again, "a").state["can_continue"]) == (1, True)
    last = unit("a", (4, 4), "cavalry", fired=True, charging=True, meleed=True, melees=2, can_continue=True)
    assert after(melee(game(last, B, parameters=WON), 0, 0, 1), "a").state["can_continue"] is False
    beaten = melee(game(second, B, parameters=BLOODLESS))
    assert after(beaten, "a").state["can_continue"] is False
    walking = melee(game(unit("a", (4, 4), "cavalry", fired=True), B, parameters=WON), *HELD)
    assert "can_continue" not in after(walking, "a").state


BRIDGE = ground("bridge", (5, 4), strength=150)


@CASE("MP-167")
def test_an_empty_bridge_is_hacked_down_and_costs_nobody() -> None:
    of = game(unit("a", (4, 4)), unit("b", (12, 4)), terrain=[ground("water", (5, 4)), BRIDGE])
    played = do(of, "melee", 49, 99, unit="a", target_hex=[5, 4])
    assert told(played, "bridge")[0]["strength"] == 127
    now = after(played, "a")
    assert (now.hex, now.stats["strength"], now.state["meleed"], now.state.get("disordered", False)) == (
        (4, 4),
        400,
        True,
        False,
    )


@CASE("MP-272")
def test_the_alternative_melee_draws_twice_for_each_side() -> None:
    played = melee(game(A, B, options={"alternative_melee": True}), 0, 99, 0, 99, 0, 0, 99)
    assert told(played, "melee-result")[0]["attacker_value"] == pytest.approx(40)


@CASE("MP-169", "MP-174", "MP-203")
def test_who_attacks_together() -> None:
    allies = unit("a2", (4, 3), facing="UR", stats={"nation": "swiss"})
    with pytest.raises(ActionRefused, match="a and swiss do not attack together"):
        melee(game(A, allies, B, unit("b2", (4, 2))), with_=["a2"])
    with pytest.raises(ActionRefused, match="with none of the attackers"):
        melee(game(A, unit("a2", (3, 3), "leader"), B), with_=["a2"])
    with pytest.raises(ActionRefused, match="not on the side"):
        melee(game(A, B, unit("b2", (5, 5))), with_=["b2"])
    with pytest.raises(UnknownAction, match="with: expected ids"):
        melee(game(A, B), with_=["nobody"])
    with pytest.raises(UnknownAction, match="target_hex"):
        do(game(A, B), "melee", unit="a")


@CASE("MP-173")
def test_attackers_together_must_fit_into_the_hex() -> None:
    others = unit("a2", (5, 3), facing="UR", stats={"strength": 1201})
    with pytest.raises(ActionRefused, match="1601 men attack, at most 1600"):
        melee(game(A, others, B), with_=["a2"])
