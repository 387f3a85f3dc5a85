"""What happens when units on squares move, fire and break, row by row of the rulebook."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, DiceError, UnknownAction
from engine.play import Played
from engine.records.game import Game
from engine.rulesets.palouse.vocabulary import side_of, state_of
from tests.engine.palouse.scene import do, game, ground, unit


def said(played: Played, name: str) -> list[dict[str, Any]]:
    return [dict(event.facts) for event in played.events if event.event == name]


def resolve_left(of: Game, side: str) -> int | None:
    return side_of(of, of.side(side)).army_resolve


@pytest.mark.rule("PA-10", "PA-14")
def test_an_activated_unit_moves_and_has_moved() -> None:
    played = do(game(unit("b", (4, 1))), "move", 2, unit="b", to=[5, 2])
    b = played.game.unit("b")
    assert (b.square, state_of(b).moved, state_of(b).activation_failed) == ((5, 2), True, False)
    assert said(played, "activation") == [{"unit": "b", "die": 2, "score": 2, "passed": True, "rerolled": False}]
    assert said(played, "moved") == [{"unit": "b", "to": [5, 2]}]


@pytest.mark.rule("PA-13", "PA-10")
def test_a_failed_unit_stays_and_tries_once() -> None:
    played = do(game(unit("b", (4, 1))), "move", 1, unit="b", to=[5, 2])
    b = played.game.unit("b")
    assert (b.square, state_of(b).moved, state_of(b).activation_failed) == ((4, 1), False, True)
    with pytest.raises(ActionRefused, match="failed its activation"):
        do(played.game, "move", unit="b", to=[5, 2])


@pytest.mark.rule("PA-11", "PA-12")
@pytest.mark.parametrize(("die", "passes"), [(3, False), (4, True)])
def test_the_goals_ground_and_hits_count_against_the_die(die: int, passes: bool) -> None:
    of = game(unit("b", (4, 1), hits=3), terrain=[ground("woods", (4, 2))])
    played = do(of, "move", die, unit="b", to=[4, 2])
    assert said(played, "activation")[0]["passed"] is passes
    assert said(played, "activation")[0]["score"] == die - 2


@pytest.mark.rule("PA-16", "palouse R5", "palouse R19")
def test_turning_is_moving_and_staying_is_not() -> None:
    turned = do(game(unit("b", (4, 1))), "turn", 4, unit="b", bearing_deg=90)
    assert (state_of(turned.game.unit("b")).bearing_deg, state_of(turned.game.unit("b")).moved) == (90, True)
    assert said(turned, "turned") == [{"unit": "b", "bearing_deg": 90}]
    with pytest.raises(ActionRefused, match="a unit moves or shoots"):
        do(game(unit("b", (4, 1), moved=True), unit("f", (4, 2))), "fire", 1, unit="b", target="f")
    assert not state_of(do(game(unit("b", (4, 1))), "move", 4, unit="b").game.unit("b")).moved
    assert not state_of(do(game(unit("b", (4, 1))), "turn", 4, unit="b", bearing_deg=0).game.unit("b")).moved


@pytest.mark.rule("PA-16")
@pytest.mark.parametrize(("told", "faces"), [(-90, 270), (400, 40), (360, 0)])
def test_a_turn_is_told_as_the_bearing_that_the_unit_then_has(told: float, faces: float) -> None:
    played = do(game(unit("b", (4, 1), bearing_deg=10)), "turn", 4, unit="b", bearing_deg=told)
    assert said(played, "turned") == [{"unit": "b", "bearing_deg": faces}]
    assert state_of(played.game.unit("b")).bearing_deg == faces


@pytest.mark.rule("PA-14", "PA-18")
def test_indians_go_two_bounds_by_the_way_they_choose() -> None:
    of = game(unit("b", (4, 1), "indian"), unit("b2", (4, 2)))
    assert do(of, "move", 6, unit="b", to=[4, 3]).game.unit("b").square == (4, 3)
    assert do(of, "move", 6, unit="b", to=[4, 3], path=[[5, 2], [4, 3]]).game.unit("b").square == (4, 3)
    with pytest.raises(ActionRefused, match="held by b2"):
        do(of, "move", 6, unit="b", to=[4, 3], path=[[4, 2], [4, 3]])
    with pytest.raises(ActionRefused, match="not next to"):
        do(of, "move", 6, unit="b", to=[4, 3], path=[[4, 3]])


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"to": [4, 3]}, "2 bounds away, it moves 1"), ({"to": [4, 2]}, "held by f"), ({"to": [3, 1]}, "marsh"),
        ({"to": [4, 1]}, "already"), ({"to": [4, -1]}, "off the table"),
        ({"to": [5, 1], "path": []}, "must end in"),
    ],
)  # fmt: skip
@pytest.mark.rule("PA-14", "PA-18", "PA-22")
def test_a_move_that_is_not_allowed_is_refused_before_any_die(keys: Any, why: str) -> None:
    of = game(
        unit("b", (4, 1) if keys["to"] != [4, -1] else (4, 0)), unit("f", (4, 2)), terrain=[ground("marsh", (3, 1))]
    )
    with pytest.raises(ActionRefused, match=why):
        do(of, "move", unit="b", **keys)


@pytest.mark.rule("PA-15", "palouse R4")
def test_guns_that_have_fired_turn_but_do_not_move() -> None:
    of = game(unit("b", (4, 1), "artillery", has_fired=True))
    with pytest.raises(ActionRefused, match="guns that have fired"):
        do(of, "move", unit="b", to=[4, 2])
    assert state_of(do(of, "turn", 5, unit="b", bearing_deg=45).game.unit("b")).bearing_deg == 45


@pytest.mark.rule("PA-61", "PA-62", "PA-63", "palouse R14")
@pytest.mark.parametrize(("who", "option", "keys", "dice", "passed"), [
    ("commander", "always", {}, [1, 2], True),
    ("commander", "always", {}, [1, 1], False),
    ("officer", "always", {}, [1, 2], True),
    ("commander", "always", {"reroll": False}, [1], False),
    ("commander", "ask", {}, [1], False),
    ("commander", "ask", {"reroll": True}, [1, 6], True),
    (None, "always", {"reroll": True}, [1], False),
])  # fmt: skip
def test_one_second_roll_where_somebody_lets_it(who: Any, option: str, keys: Any, dice: Any, passed: bool) -> None:
    units = [unit("b", (4, 1), officer=who == "officer"), unit("b2", (5, 1), commander=who == "commander")]
    of = game(*units, options={"reroll_activation": option})
    played = do(of, "move", *dice, unit="b", to=[4, 2], **keys)
    facts = said(played, "activation")
    assert [(f["passed"], f["rerolled"]) for f in facts] == [(passed, len(dice) == 2)]


@pytest.mark.rule("PA-34", "PA-03")
@pytest.mark.parametrize(("kind", "bounds", "die", "hits"), [
    ("infantry", 1, 3, 3), ("infantry", 2, 1, 0), ("infantry", 2, 3, 2), ("grenadier", 1, 3, 4),
    ("skirmisher", 1, 1, 0), ("skirmisher", 2, 3, 2), ("indian", 1, 2, 1), ("artillery", 4, 3, 2),
])  # fmt: skip
def test_hits_are_the_die_and_what_is_added_never_below_nought(kind: str, bounds: int, die: int, hits: int) -> None:
    played = do(
        game(unit("b", (4, 1), kind), unit("f", (4, 1 + bounds), hits=2)), "fire", die, unit="b", target="f"
    )
    assert said(played, "fire") == [{"unit": "b", "target": "f", "score": die, "hits": hits}]
    assert said(played, "hit") == ([{"unit": "f", "hits": hits, "total": 2 + hits}] if hits else [])
    assert state_of(played.game.unit("f")).hits == 2 + hits
    assert (state_of(played.game.unit("b")).fired, state_of(played.game.unit("b")).has_fired) == (True, True)


@pytest.mark.rule("PA-34")
def test_a_unit_that_was_shot_at_in_vain_is_written_down_with_no_hits() -> None:
    played = do(game(unit("b", (4, 1), "skirmisher"), unit("f", (4, 2))), "fire", 1, unit="b", target="f")
    assert played.game.unit("f").state["hits"] == 0


@pytest.mark.rule("PA-03")
def test_a_d3_shows_one_to_three() -> None:
    with pytest.raises(DiceError):
        do(game(unit("b", (4, 1)), unit("f", (4, 2))), "fire", 4, unit="b", target="f")


@pytest.mark.rule("PA-62", "PA-63")
@pytest.mark.parametrize(
    ("reroll", "dice", "hits"), [(0, [1], 1), (1, [1, 3], 3), (1, [2], 2), (2, [2, 1], 1), (3, [3, 2], 2)]
)
def test_an_officer_rolls_fire_again_and_the_second_score_stands(reroll: int, dice: list[int], hits: int) -> None:
    of = game(unit("b", (4, 1), officer=True), unit("f", (4, 2)))
    assert state_of(do(of, "fire", *dice, unit="b", target="f", reroll=reroll).game.unit("f")).hits == hits


@pytest.mark.rule("PA-62")
def test_without_an_officer_no_second_shot() -> None:
    with pytest.raises(ActionRefused, match="no trusted officer"):
        do(game(unit("b", (4, 1)), unit("f", (4, 2))), "fire", unit="b", target="f", reroll=1)


@pytest.mark.rule("PA-50", "PA-70", "PA-72", "palouse R12")
@pytest.mark.parametrize(("hits", "goes"), [(6, False), (7, True)])
def test_more_hits_than_resolve_eliminate(hits: int, goes: bool) -> None:
    of = game(unit("b", (4, 1)), unit("f", (4, 6), hits=hits), unit("f2", (5, 6)))
    played = do(of, "elimination", *([2] if goes else []))
    f = played.game.unit("f")
    assert (state_of(f).eliminated, f.square) == (goes, None if goes else (4, 6))
    assert resolve_left(played.game, "french") == (0 if goes else 2)


@pytest.mark.rule("PA-72", "PA-60")
@pytest.mark.parametrize(
    ("kind", "state", "veteran", "lost"),
    [("infantry", {}, False, 2), ("grenadier", {}, False, 3), ("artillery", {}, False, 3),
     ("infantry", {}, True, 3), ("grenadier", {}, True, 3), ("infantry", {"commander": True}, False, 4),
     ("infantry", {"officer": True}, False, 2)],
)  # fmt: skip
def test_what_a_lost_unit_costs_its_army(kind: str, state: Any, veteran: bool, lost: int) -> None:
    of = game(unit("b", (4, 1)), unit("f", (4, 6), kind, hits=25, veteran=veteran, **state))
    played = do(of, "elimination", 2)
    assert said(played, "army-resolve") == [{"side": "french", "lost": lost, "value": 1 - lost}]
    assert len(said(played, "commander-lost")) == bool(state.get("commander"))
    assert len(said(played, "officer-lost")) == bool(state.get("officer"))


@pytest.mark.rule("PA-56", "PA-60")
def test_a_lost_commander_takes_those_with_him_whom_he_held() -> None:
    of = game(unit("f", (4, 6), commander=True, hits=13), unit("f2", (5, 6), hits=7), unit("f3", (9, 6), hits=6))
    played = do(of, "elimination", 1, 1)
    assert [facts["unit"] for facts in said(played, "eliminated")] == ["f", "f2"]
    assert resolve_left(played.game, "french") == 3 - 1 - 2 - 1


@pytest.mark.rule("PA-50")
def test_both_sides_lose_their_units_in_file_order() -> None:
    of = game(unit("f", (4, 6), hits=7), unit("b", (4, 1), hits=7), active=None)
    played = do(of, "elimination", 3, 1)
    assert [roll.roll.purpose for roll in played.rolls] == ["french loses f", "british loses b"]


@pytest.mark.rule("PA-45", "palouse R11")
@pytest.mark.parametrize(
    ("kind", "goal", "terrain", "taken"),
    [("infantry", (4, 2), None, True), ("grenadier", (5, 2), None, True), ("indian", (4, 2), None, True),
     ("skirmisher", (4, 2), None, False), ("artillery", (4, 2), None, False), ("infantry", (4, 2), "river", False),
     ("infantry", (4, 2), "town", True)],
)  # fmt: skip
def test_who_breaks_a_unit_beside_him_takes_its_square(kind: str, goal: Any, terrain: Any, taken: bool) -> None:
    pieces = [] if terrain is None else [ground(terrain, goal)]
    of = game(unit("b", (4, 1), kind, bearing_deg=30), unit("f", goal, hits=24), terrain=pieces)
    shot = do(of, "fire", 3, unit="b", target="f").game
    assert state_of(shot.unit("f")).struck_by_adjacent == ("b" if taken else None)
    played = do(shot, "elimination", 1)
    b = played.game.unit("b")
    assert b.square == (goal if taken else (4, 1))
    assert (state_of(b).bearing_deg, state_of(b).moved) == (30, False)


@pytest.mark.rule("PA-45", "PA-23")
@pytest.mark.parametrize(("pieces", "square"), [(["river"], (4, 1)), (["river", "bridge"], (4, 2))])
def test_nobody_takes_a_square_across_a_river_but_by_a_bridge(pieces: list[str], square: Any) -> None:
    terrain = [{"id": kind, "kind": kind, "edges": [[4, 1, "N"]]} for kind in pieces]
    of = game(unit("b", (4, 1)), unit("f", (4, 2), hits=7, struck_by_adjacent="b"), terrain=terrain)
    assert do(of, "elimination", 1).game.unit("b").square == square


@pytest.mark.rule("PA-45", "PA-23", "palouse R11")
def test_a_later_hit_from_across_a_river_does_not_keep_the_square_from_him_who_can_get_there() -> None:
    terrain = [{"id": "river", "kind": "river", "edges": [[4, 2, "E"]]}]
    of = game(unit("b", (4, 1)), unit("b2", (5, 2), bearing_deg=270), unit("f", (4, 2), hits=6), terrain=terrain)
    of = do(of, "fire", 2, unit="b", target="f").game
    of = do(of, "fire", 2, unit="b2", target="f").game
    assert do(of, "elimination", 1).game.unit("b").square == (4, 2)


@pytest.mark.rule("PA-45", "palouse R11")
def test_the_last_that_hit_takes_the_square_and_misses_do_not_count() -> None:
    of = game(unit("b", (4, 1)), unit("b2", (5, 2), bearing_deg=270), unit("b3", (3, 2), "indian", bearing_deg=90),
              unit("f", (4, 2), hits=9))  # fmt: skip
    of = do(of, "fire", 1, unit="b", target="f").game
    of = do(of, "fire", 2, unit="b2", target="f").game
    of = do(of, "fire", 1, unit="b3", target="f").game
    assert state_of(of.unit("f")).struck_by_adjacent == "b2"
    assert do(of, "elimination", 1).game.unit("b2").square == (4, 2)


@pytest.mark.rule("PA-73", "palouse R15")
@pytest.mark.parametrize(
    ("british", "french", "retired"), [(1, 1, []), (0, 3, ["british"]), (-2, 0, ["british", "french"])]
)
def test_an_army_without_resolve_retires(british: int, french: int, retired: list[str]) -> None:
    of = game(unit("b", (4, 1)), unit("f", (4, 6)),
              sides={"british": {"army_resolve": british}, "french": {"army_resolve": french}})  # fmt: skip
    assert [facts["side"] for facts in said(do(of, "check-resolve"), "retires")] == retired


@pytest.mark.rule("PA-70", "PA-71")
@pytest.mark.parametrize(
    ("british", "french", "dice", "values"),
    [("average", "average", [], (2, 1)), ("above", "below", [3, 2], (5, -1)), ("below", "average", [1], (1, 1))],
)
def test_army_resolve_at_the_begin(british: str, french: str, dice: list[int], values: tuple[int, int]) -> None:
    quality = {"british": {"commander_quality": british}, "french": {"commander_quality": french}}
    of = game(unit("b", (4, 1)), unit("b2", (5, 1)), unit("f", (4, 6)), sides=quality)
    after = do(of, "start-game", *dice).game
    assert (resolve_left(after, "british"), resolve_left(after, "french")) == values
    assert [side_of(after, side).army_resolve_start for side in after.sides] == list(values)


@pytest.mark.rule("PA-05")
def test_a_turn_ends_and_the_sides_take_turns() -> None:
    state = {"moved": True, "fired": True, "has_fired": True, "activation_failed": True, "struck_by_adjacent": "f"}
    after = do(game(unit("b", (4, 1), **state), unit("f", (4, 6))), "end-turn").game
    b = state_of(after.unit("b"))
    assert (b.moved, b.fired, b.activation_failed, b.struck_by_adjacent, b.has_fired) == (
        False,
        False,
        False,
        None,
        True,
    )
    assert (after.turn.active_side, after.turn.number) == ("french", 2)
    assert do(after, "end-turn").game.turn.number == 3


@pytest.mark.rule("palouse R18")
def test_where_steps_are_kept_each_action_has_its_own() -> None:
    for step, action in (("movement", "elimination"), ("elimination", "check-resolve"), ("combat", "move")):
        keys = {"unit": "b", "to": [4, 2]} if action == "move" else {}
        with pytest.raises(ActionRefused, match=f"this is the {step} step"):
            do(game(unit("b", (4, 1)), step=step), action, **keys)
    assert do(game(unit("b", (4, 1)), step="army-resolve"), "end-turn").game.conditions["step"] == "movement"


@pytest.mark.rule("PA-05", "palouse R18")
def test_a_turn_is_played_step_by_step_to_its_end() -> None:
    of = game(unit("b", (4, 1)), unit("f", (4, 3), hits=6), step="movement")
    of = do(of, "turn", 6, unit="b", bearing_deg=0).game
    of = do(of, "step").game
    of = do(of, "fire", 2, unit="b", target="f").game
    of = do(of, "step").game
    of = do(of, "elimination", 1).game
    of = do(of, "step").game
    assert [event.event for event in do(of, "check-resolve").events] == ["retires"]
    with pytest.raises(ActionRefused, match="army-resolve is the last step: the turn ends with it"):
        do(of, "step")
    assert do(of, "end-turn").game.conditions["step"] == "movement"


@pytest.mark.rule("palouse R18")
def test_players_begin_to_keep_the_steps_and_leave_off() -> None:
    of = do(game(unit("b", (4, 1))), "step").game
    assert of.conditions["step"] == "movement"
    assert do(of, "step", to="elimination").game.conditions["step"] == "elimination"
    assert do(of, "step", to="any").game.conditions["step"] is None
    with pytest.raises(UnknownAction, match="to"):
        do(of, "step", to="pause")


def test_the_umpire_may_overrule_and_it_is_logged() -> None:
    of = game(unit("b", (4, 1), moved=True), unit("f", (4, 2)))
    played = do(of, "fire", 2, unit="b", target="f", override=True)
    assert said(played, "overruled")[0]["reasons"] == ["has moved this turn: a unit moves or shoots"]
    assert state_of(played.game.unit("f")).hits == 2


@pytest.mark.rule("PA-01", "PA-04")
@pytest.mark.parametrize(
    ("goal", "why"), [([4, 8], "off the table"), ([-1, 1], "off the table"), ([4, 2], "held by f")]
)
def test_no_umpire_sets_a_unit_beside_the_table_or_on_another(goal: list[int], why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        do(game(unit("b", (4, 1), moved=True), unit("f", (4, 2))), "move", unit="b", to=goal, override=True)


def test_a_unit_is_never_ordered_to_fire_at_its_own_side() -> None:
    with pytest.raises(ActionRefused, match="same side"):
        do(game(unit("b", (4, 1)), unit("b2", (4, 2))), "fire", unit="b", target="b2")


@pytest.mark.parametrize(
    ("keys", "what"),
    [({"action": "dance"}, "action: expected one of check-resolve"),
     ({"action": "move"}, "expected the id of a unit"),
     ({"action": "move", "unit": "b", "to": "x"}, "move: to"), ({"action": "turn", "unit": "b"}, "bearing_deg"),
     ({"action": "fire", "unit": "b", "target": "f", "mode": "x"}, "mode: unknown key")],
)  # fmt: skip
def test_actions_outside_the_rulebook_are_refused(keys: dict[str, Any], what: str) -> None:
    with pytest.raises(UnknownAction, match=what):
        do(game(unit("b", (4, 1)), unit("f", (4, 2))), **keys)
