"""Exact odds agree with walking every single throw."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import Roll, Rolled, faces
from engine.events import Event
from engine.odds import TooManyOutcomes, at_least, odds, outcomes
from engine.play import Procedure, happen, roll
from engine.rulesets.base.answers.chances import likely, percent
from tests.command_line import vedette
from tests.engine.test_events import GAME


def by_brute_force(request: Roll) -> Counter[tuple[int, int]]:
    """(passed, total) over every throw: what `outcomes` merges."""
    return Counter(
        (rolled.passed, 0 if request.success else rolled.total)
        for scores in product(faces(request.die), repeat=request.count)
        for rolled in [Rolled(roll=request, scores=scores)]
    )


@given(
    st.integers(1, 4), st.sampled_from(["d4", "d6"]), st.sampled_from(["<=3", ">=4", ">=9"]),
    st.sampled_from(["==4", ">=3", "==9"]),
)  # fmt: skip
def test_two_comparisons_of_a_roll_have_the_chances_of_every_throw(
    count: int, die: str, success: str, also: str
) -> None:
    request = Roll(purpose="x", count=count, die=die, success=success, also=also)
    every = Fraction(1, len(faces(die)) ** count)
    exact: Counter[tuple[int, int]] = Counter()
    for scores in product(faces(die), repeat=count):
        rolled = Rolled(roll=request, scores=scores)
        exact[rolled.passed, rolled.also_passed] += every  # type: ignore[assignment]
    found: Counter[tuple[int, int]] = Counter()
    for merged, chance in outcomes(request):
        rolled = Rolled(roll=request, scores=merged)
        found[rolled.passed, rolled.also_passed] += chance  # type: ignore[assignment]
    assert found == exact


@given(
    st.integers(1, 5),
    st.sampled_from(["d2", "d4", "d6"]),
    st.none() | st.sampled_from(["==1", "<=3", ">=4", ">=9", "<=9"]),
    st.booleans(),
)
def test_the_outcomes_of_a_roll_have_the_chances_of_every_throw(
    count: int, die: str, success: str | None, each: bool
) -> None:
    request = Roll(purpose="x", count=count, die=die, success=success, each=each)
    every = len(faces(die)) ** count
    exact = {key: Fraction(times, every) for key, times in by_brute_force(request).items()}
    found: dict[tuple[int, int], Fraction] = {}
    for scores, chance in outcomes(request):
        rolled = Rolled(roll=request, scores=scores)
        key = (rolled.passed, 0 if success else rolled.total)
        found[key] = found.get(key, Fraction(0)) + chance
    assert found == exact


def best_two_of_three() -> Procedure[None]:
    rolled = yield from roll(Roll(purpose="fast move on a road", count=3, each=True))
    best = sum(sorted(rolled.scores)[1:])
    yield from happen(Event(event="best", facts={"of": best}))


def test_a_procedure_that_reads_each_die_has_its_odds_walked_by_faces() -> None:
    found = odds(GAME, best_two_of_three, lambda event: event.facts.get("of"))
    exact = Counter(sum(sorted(scores)[1:]) for scores in product(range(1, 7), repeat=3))
    assert found == {best: Fraction(times, 216) for best, times in exact.items()}


def volley_then_test() -> Procedure[None]:
    fired = yield from roll(Roll(purpose="fire", count=12, success="==1"))
    yield from happen(Event(event="fired", facts={"hits": fired.passed}))
    if fired.passed:
        tested = yield from roll(Roll(purpose="test", count=2, success="<=4"))
        yield from happen(Event(event="reaction", facts={"passed": tested.passed}))


def test_the_odds_of_a_later_event_weigh_all_that_leads_to_it() -> None:
    found = odds(GAME, volley_then_test, lambda event: event.facts.get("passed"))
    no_hit = Fraction(5, 6) ** 12
    assert found[None] == no_hit
    assert found[2] == (1 - no_hit) * Fraction(4, 9)
    assert sum(found.values()) == 1


def test_twelve_muskets_hit_at_least_twice_in_62_of_100_volleys() -> None:
    found = odds(GAME, volley_then_test, lambda event: event.facts.get("hits"))
    assert float(at_least(found, 2)) == pytest.approx(0.6187, abs=1e-4)


def ten_dice_one_by_one() -> Procedure[None]:
    for number in range(10):
        yield from roll(Roll(purpose=f"die {number}", count=1))


def test_dice_that_fall_in_too_many_ways_are_not_walked_for_hours() -> None:
    with pytest.raises(TooManyOutcomes, match="more than 50000 ways"):
        odds(GAME, ten_dice_one_by_one, lambda event: event.event)


def duels(number: int, *, alike: bool) -> Procedure[None]:
    """A die each, so many times; what counts in the end is how many times the first die was the better."""
    won = 0
    for duel in range(number):
        first = yield from roll(Roll(purpose=f"{duel}: first", count=1, so_far=won if alike else None))
        second = yield from roll(Roll(purpose=f"{duel}: second", count=1))
        won += first.total > second.total
    yield from happen(Event(event="over", facts={"won": won}))


def _won(event: Event) -> int | None:
    return event.facts.get("won")


def test_ways_that_a_procedure_calls_alike_are_walked_as_one() -> None:
    assert odds(GAME, lambda: duels(2, alike=True), _won) == odds(GAME, lambda: duels(2, alike=False), _won)
    with pytest.raises(TooManyOutcomes):
        odds(GAME, lambda: duels(3, alike=False), lambda event: _won(event) if event.event == "never" else None)
    chance = Fraction(15, 36)
    exact = {won: comb(12, won) * chance**won * (1 - chance) ** (12 - won) for won in range(13)}
    assert odds(GAME, lambda: duels(12, alike=True), _won) == exact


def test_chances_that_nobody_waits_for_any_longer_are_given_up() -> None:
    asked = iter([False, False, True])
    with pytest.raises(TooManyOutcomes, match="too long"):
        odds(GAME, volley_then_test, lambda event: event.facts.get("passed"), enough=lambda: next(asked))


def test_what_can_happen_is_never_said_to_be_impossible_nor_what_can_fail_certain() -> None:
    example = Path(__file__).parents[2] / "examples" / "first-volley"
    asked = "odds", example / "game.json", "--do", example / "action.json"
    printed = vedette(*asked).output
    assert "10 casualties: under 1 %" in " ".join(printed.split())
    assert ": 0 %" not in printed
    assert all(one["chance"] > 0 for one in json.loads(vedette(*asked, "--json").output)["outcomes"])
    hardly = Fraction(1, 10**8)
    told = [percent(one.chance) for one in likely([("miss", 1 - hardly), ("hit", hardly)])]
    assert told == ["over 99 %", "under 1 %"]
    assert [one.chance for one in likely([("sure", 0.1 + 0.7 + 0.2)])] == [1.0]
