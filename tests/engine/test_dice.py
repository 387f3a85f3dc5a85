"""Dice are requests: typed ones must fit, seeded ones repeat."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import Roll, Rolled, SeededDice, TooFewDice, TypedDice, faces, parse_dice, succeeds
from engine.errors import DiceError
from engine.events import Event, SetCondition
from engine.play import Procedure, happen, play, roll
from tests.engine.test_events import GAME

VOLLEY = Roll(purpose="1st Foot fires at Hurons", count=3, success="==1")


def volley() -> Procedure[None]:
    rolled = yield from roll(VOLLEY)
    game = yield from happen(Event(event="hit", changes=(SetCondition(key="hits", value=rolled.passed),)))
    assert game.conditions["hits"] == rolled.passed
    yield from roll(Roll(purpose="nobody", count=0))
    yield from roll(Roll(purpose="Hurons take it", count=2))


def test_typed_dice_are_taken_in_the_order_asked_for() -> None:
    played = play(GAME, volley(), TypedDice([1, 4, 1, 6, 5]))
    assert [rolled.scores for rolled in played.rolls] == [(1, 4, 1), (6, 5)]
    assert played.rolls[0].passed == 2
    assert played.rolls[1].total == 11
    assert played.game.conditions == {"hits": 2}
    assert "passed" not in played.rolls[1].to_builtins()


@pytest.mark.parametrize(
    ("dice", "complaint"),
    [
        ([1, 4], "1st Foot fires at Hurons: expected 3d6, but 2 are left"),
        ([], "1st Foot fires at Hurons: expected 3d6, but none are left"),
        ([1, 4, 1, 6], "Hurons take it: expected 2d6, but 1 is left"),
        ([1, 4, 7, 1, 1], "1st Foot fires at Hurons: a d6 cannot show 7"),
        ([1, 4, 0, 1, 1], "a d6 cannot show 0"),
        ([1, 4, 1, 1, 1, 3, 2], "Hurons take it: no more dice .* left over: 3 2"),
    ],
)
def test_dice_that_do_not_fit_are_refused_naming_the_roll(dice: list[int], complaint: str) -> None:
    with pytest.raises(DiceError, match=complaint):
        play(GAME, volley(), TypedDice(dice))


def test_the_page_learns_which_roll_comes_next() -> None:
    with pytest.raises(TooFewDice) as caught:
        play(GAME, volley(), TypedDice([]))
    assert caught.value.roll == VOLLEY


@given(st.integers())
def test_the_same_seed_gives_the_same_game(seed: int) -> None:
    assert play(GAME, volley(), SeededDice(seed)) == play(GAME, volley(), SeededDice(seed))


@given(st.integers(1, 200), st.integers(0, 2**32))
def test_seeded_scores_are_scores_that_the_die_can_show(sides: int, seed: int) -> None:
    roll_ = Roll(purpose="any", count=20, die=f"d{sides}")
    assert set(SeededDice(seed).scores(roll_)) <= set(faces(roll_.die))


def test_d100_runs_from_0_to_99_and_other_dice_from_1() -> None:
    assert faces("d100") == range(100)
    assert faces("d12") == range(1, 13)
    with pytest.raises(DiceError, match="d6"):
        faces("6")


@pytest.mark.parametrize(("text", "scores"), [("4 2 6", (4, 2, 6)), ("4,2, 6", (4, 2, 6)), ("", ()), ("  ", ())])
def test_dice_are_typed_with_blanks_or_commas(text: str, scores: tuple[int, ...]) -> None:
    assert parse_dice(text) == scores


@pytest.mark.parametrize("text", ["4 x", "-1", "4.5", "99999"])
def test_what_is_no_score_is_refused(text: str) -> None:
    with pytest.raises(DiceError, match="whole numbers"):
        parse_dice(text)


@pytest.mark.parametrize(
    ("success", "passing"),
    [("==1", {1}), ("<=4", {1, 2, 3, 4}), (">=5", {5, 6}), ("<3", {1, 2}), (">5", {6})],
)
def test_a_success_compares_one_die(success: str, passing: set[int]) -> None:
    assert {score for score in range(1, 7) if succeeds(success, score)} == passing
    with pytest.raises(DiceError, match="comparison"):
        succeeds("1", 1)


def test_a_roll_that_adds_has_no_passes() -> None:
    assert Rolled(roll=Roll(purpose="x", count=2), scores=(1, 2)).passed == 0


def test_a_result_says_what_each_single_die_came_to() -> None:
    percentile, d6, several = (
        Rolled(roll=Roll(purpose="", count=len(scores), die=die), scores=scores)
        for die, scores in (("d100", (0,)), ("d6", (4,)), ("d6", (4, 2)))
    )
    assert percentile.to_builtins()["value"] == 0.005
    assert d6.to_builtins()["value"] == 4
    assert "value" not in several.to_builtins()
