"""What one turn leaves to the next: command, melees and retreats, positions that are left."""

from __future__ import annotations

import pytest

from engine.errors import ActionRefused
from engine.records.game import Game, game_builtins, game_from
from engine.rulesets.tyneside import RULESET
from tests.engine.tyneside.table import do, game, group, leader, piece, row, said, state


def end(of: Game) -> Game:
    return do(of, "end-turn").game


@pytest.mark.rule("TY-11")
def test_an_officer_throws_for_command_once_a_turn() -> None:
    of = game(leader("b", (300, 600)), group("b2", *row(4, 350, 600)), group("f", (600, 1100)))
    first = do(of, "command", 1, 1, 1, unit="b", groups=["b2"]).game
    assert not state(first, "b2").commanded  # three points for four men
    with pytest.raises(ActionRefused, match="b has thrown for command this turn"):
        do(first, "command", unit="b", groups=["b2"])
    fresh = end(end(first))
    assert state(do(fresh, "command", 2, 1, 1, unit="b", groups=["b2"]), "b2").commanded


@pytest.mark.rule("TY-56", "TY-74")
def test_a_leader_beaten_in_the_enemy_s_turn_retreats_through_his_own_and_no_longer() -> None:
    of = game(leader("b", (600, 400)), group("f", (600, 425)), active="french")
    beaten = end(do(of, "melee", 2, 1, unit="f", target="b").game)
    assert state(beaten, "b").melee_retreat
    assert state(beaten, "b").activity == "melee"  # he is busy when he throws for command
    assert not state(end(beaten), "b").melee_retreat


@pytest.mark.rule("TY-56", "TY-14")
def test_who_ran_a_turn_ago_and_has_been_rallied_by_orders_runs_no_more() -> None:
    of = game(leader("b", (600, 100)), group("b2", *row(2, 600, 140), routing=True), group("f", (600, 1100)))
    fled = end(of)
    assert (state(fled, "b2").running, state(fled, "b2").routing) == (True, True)
    ordered = do(end(fled), "command", 4, 1, 1, unit="b", groups=["b2"]).game  # two points for each who routs
    after = end(ordered)
    assert (state(after, "b2").running, state(after, "b2").routing) == (False, False)


@pytest.mark.rule("TY-09", "TY-74")
def test_two_groups_fight_each_other_once_a_turn_though_the_winner_follows_up() -> None:
    of = game(group("b", (600, 400)), group("f", (600, 425)))
    won = do(of, "melee", 3, 1, unit="b", target="f", follow_up=True).game
    for one, other in (("b", "f"), ("f", "b")):
        with pytest.raises(ActionRefused, match="have fought this turn"):
            do(won, "melee", unit=one, target=other)
    assert do(end(won), "melee", 3, 1, unit="f", target="b").events


@pytest.mark.rule("TY-74")
def test_who_lost_to_one_group_retreats_though_it_beat_another_in_the_same_turn() -> None:
    of = game(group("b", (600, 400), (700, 400)), group("f", (600, 425)), group("f2", (700, 425)))
    lost = do(of, "melee", 1, 3, unit="b", target="f").game
    assert state(lost, "b").melee_retreat
    near = do(lost, "charge", unit="b", target="f2", override=True).game
    won = do(near, "melee", 4, 1, unit="b", target="f2")
    assert state(won, "b").melee_retreat


@pytest.mark.rule("TY-64")
@pytest.mark.parametrize(("to", "holds"), [((640, 570), True), ((600, 800), False)])
def test_who_goes_from_its_position_defends_it_no_longer(to: tuple[float, float], holds: bool) -> None:
    wall = piece("barricade", 500, 600, 800, 610)
    of = game(group("b", (600, 580), defending=True), group("f", (600, 1100)), terrain=[wall])
    assert state(do(of, "move", unit="b", to=to), "b").defending is holds


@pytest.mark.rule("TY-07", "TY-34")
def test_men_who_load_this_turn_do_not_fire_in_it_for_joining_others() -> None:
    of = game(
        group("b", (600, 200), (640, 200), loaded=False, commanded=True),
        group("b2", *row(4, 700, 200), commanded=True), group("f", (650, 500)),
    )  # fmt: skip
    joint = do(do(of, "load", unit="b").game, "join", unit="b", **{"with": "b2"}).game
    with pytest.raises(ActionRefused, match="loads this turn"):
        do(joint, "fire", unit="b2", target="f", weapon="musket")


@pytest.mark.rule("TY-64", "TY-74")
def test_who_is_pushed_from_the_wall_defends_it_no_longer() -> None:
    wall = piece("barricade", 500, 600, 800, 610)
    of = game(group("b", (600, 587), defending=True), group("f", (600, 612)), terrain=[wall])
    assert state(do(of, "melee", 1, 3, unit="b", target="f"), "b").defending is False


@pytest.mark.rule("TY-08")
def test_no_umpire_makes_a_group_of_a_leader() -> None:
    of = game(leader("b", (300, 600)), group("b2", *row(3, 350, 600)), group("f", (600, 1100)))
    with pytest.raises(ActionRefused, match="b is a player character and no group"):
        do(of, "join", unit="b2", override=True, **{"with": "b"})


@pytest.mark.rule("TY-05", "TY-07")
def test_men_of_another_class_take_it_along_when_they_join_and_the_game_can_be_read_again() -> None:
    few = group("b", (600, 200), (640, 200), stats={"classes": {"b-1": "raw"}})
    joint = do(
        game(few, group("b2", *row(4, 700, 200)), group("f", (650, 500))), "join", unit="b", **{"with": "b2"}
    ).game
    assert joint.unit("b2").stats["classes"] == {"b-1": "raw"}
    RULESET.check(game_from(game_builtins(joint), "the game after"))


@pytest.mark.rule("TY-09")
def test_who_has_fired_neither_moves_nor_charges_in_the_same_turn_but_does_in_the_next() -> None:
    of = game(group("b", (600, 400), commanded=True), group("f", (600, 500)))
    shot = do(of, "fire", 1, unit="b", target="f").game
    for action, keys in (("move", {"to": [600, 350]}), ("charge", {"target": "f"})):
        with pytest.raises(ActionRefused, match="has fired this turn: a side moves before it shoots"):
            do(shot, action, unit="b", **keys)
    assert do(end(end(shot)), "move", unit="b", to=[600, 350]).events


@pytest.mark.rule("TY-09")
def test_who_has_fired_goes_on_all_the_same_when_the_umpire_says_so() -> None:
    of = game(group("b", (600, 400), commanded=True, fired=True), group("f", (600, 500)))
    assert do(of, "move", unit="b", to=[600, 300], override=True).events[0].event == "overruled"


@pytest.mark.rule("TY-80", "TY-58")
def test_a_side_has_not_lost_while_a_unit_that_ran_a_turn_ago_stands_again() -> None:
    of = game(group("b", (1200, 100)), group("f", (300, 900), running=True, routing=True),
              group("f2", (1200, 900), casualties=9, figure={"status": "wounded"}), active="french")  # fmt: skip
    stands = do(of, "risk", 5, unit="f").game
    fled = do(stands, "risk", 1, unit="f2").game
    assert (state(stands, "f").result, state(fled, "f2").result) == ("halt", "run")
    assert not said(do(fled, "end-turn"), "lost")
    both = do(do(of, "risk", 1, unit="f").game, "risk", 1, unit="f2").game
    assert said(do(both, "end-turn"), "lost") == [{"side": "french"}]


@pytest.mark.rule("TY-80", "TY-14")
def test_who_is_rallied_by_orders_is_not_in_retreat() -> None:
    def lost(**more: bool) -> bool:
        of = game(group("b", (600, 100), running=True, **more), group("f", (600, 1100)))
        return bool(said(do(of, "end-turn"), "lost"))

    assert lost()
    assert not lost(commanded=True)


@pytest.mark.rule("TY-80")
def test_who_withdrew_is_in_retreat_through_the_enemy_s_turn_too() -> None:
    of = game(group("b", (600, 400)), group("f", (600, 425)), group("f2", (1200, 900), result="withdraw"),
              active="french")  # fmt: skip
    ours = end(of)
    assert state(ours, "f2").withdrawing
    beaten = do(ours, "melee", 2, 1, unit="b", target="f").game
    assert said(do(beaten, "end-turn"), "lost") == [{"side": "french"}]
    assert not state(end(end(beaten)), "f2").withdrawing


@pytest.mark.rule("TY-11", "TY-09")
@pytest.mark.parametrize(
    ("action", "keys", "loaded"),
    [("fire", {"target": "f"}, True), ("charge", {"target": "f"}, True), ("load", {}, False)],
)
def test_an_officer_who_fires_loads_or_charges_this_turn_throws_a_die_fewer_for_command(
    action: str, keys: dict[str, str], loaded: bool
) -> None:
    of = game(leader("b", (600, 400), weapon="pistol", loaded=loaded), group("b2", *row(4, 500, 350)),
              group("f", (600, 460)))  # fmt: skip
    whole = do(of, "command", 2, 1, 1, unit="b", groups=["b2"]).game
    with pytest.raises(ActionRefused, match="has thrown all his dice for command"):
        do(whole, action, unit="b", **keys)
    busy = do(of, "command", 3, 1, unit="b", groups=["b2"], busy=True).game
    assert state(busy, "b2").commanded
    assert do(busy, action, *([1] if action == "fire" else []), unit="b", **keys).events
    fresh = end(end(whole))  # the next turn is another
    assert do(fresh, action, *([1] if action == "fire" else []), unit="b", **keys).events


@pytest.mark.rule("TY-11")
def test_an_officer_who_was_set_upon_has_thrown_his_die_fewer_already() -> None:
    of = game(leader("b", (600, 400), weapon="pistol", activity="melee"), group("b2", *row(2, 500, 350)),
              group("f", (600, 460)))  # fmt: skip
    commands = do(of, "command", 1, 1, unit="b", groups=["b2"]).game
    assert do(commands, "fire", 1, unit="b", target="f").events
