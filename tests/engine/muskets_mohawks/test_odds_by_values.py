"""The parts of the exact chances as plain values, each against every throw of its dice, face by face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rulesets.muskets_mohawks.odds.charge_tests import differences
from engine.rulesets.muskets_mohawks.odds.fighting import chance_to_stay, lost_on_both
from engine.rulesets.muskets_mohawks.odds.nerves import Nerve, results
from engine.rulesets.muskets_mohawks.odds.tolls import Ranks, Toll, tolls
from engine.rulesets.muskets_mohawks.procedures.charges.melee import Pools
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction_tables import judge, needs_leader_die, worst
from engine.spreads import chance_of, passes, reaching, read_as
from tests.engine.muskets_mohawks.walking import near
from tests.long_runs import examples

FACES = range(1, 7)
small = st.integers(0, 3)


def throws(count: int) -> Sequence[tuple[int, ...]]:
    return list(product(FACES, repeat=count))


@given(st.integers(0, 5), st.sampled_from(["==1", "<=2", "<=3", ">=5", "<=9"]))
def test_passes_are_those_of_every_throw(count: int, success: str) -> None:
    good = {"==1": (1,), "<=2": (1, 2), "<=3": (1, 2, 3), ">=5": (5, 6), "<=9": tuple(FACES)}[success]
    every = Counter(sum(score in good for score in throw) for throw in throws(count))
    exact = {passed: Fraction(times, 6**count) for passed, times in every.items()}
    assert near(dict(enumerate(passes(count, chance_of(success)))), exact)


@given(st.integers(0, 4), st.integers(0, 25))
def test_a_total_reaches_a_cut_as_often_as_in_every_throw(count: int, cut: int) -> None:
    exact = Fraction(sum(sum(throw) >= cut for throw in throws(count)), 6**count)
    assert near({"reached": reaching(count, cut)}, {"reached": exact})


def fallen_by_the_book(ranks: Ranks, scores: Sequence[int], casualties: int, *, ranged: bool) -> Hashable:
    """Who falls with these scores, two for each check and one for each horse, taken from the front as needed."""
    left, dice, horse = list(range(len(ranks.roles))), list(scores), None
    if casualties >= len(left):
        if ranged and ranks.rides_alone and casualties and dice[0] <= 3:
            return Toll(unhorsed=0)
        return Toll(fallen=tuple(left), leader_lost="leader" in ranks.roles)
    for _ in range(casualties):
        chiefs = [p for role in ("leader", "officer") for p in left if ranks.roles[p] == role]
        falls = next((p for p in left if ranks.roles[p] == "rank"), left[0])
        if chiefs and len(left) > 1:
            rides = ranks.mounted[chiefs[0]] and horse is None
            total = dice.pop(0) + dice.pop(0)
            if total >= (10 if rides else 11):
                falls = chiefs[0]
                if rides and ranged and dice.pop(0) <= 3:
                    horse = chiefs[0]
                    continue
        left.remove(falls)
    gone = tuple(place for place in range(len(ranks.roles)) if place not in left)
    return Toll(fallen=gone, leader_lost=any(ranks.roles[p] == "leader" for p in gone), unhorsed=horse)


@settings(max_examples=examples(15))
@given(
    st.lists(st.sampled_from(["rank", "rank", "leader", "officer"]), min_size=1, max_size=5), st.booleans(),
    st.integers(0, 2), st.booleans(),
)  # fmt: skip
def test_who_falls_is_as_in_every_throw(roles: list[str], mounted: bool, casualties: int, ranged: bool) -> None:
    rides = tuple(mounted and role != "rank" for role in roles)
    ranks = Ranks(roles=tuple(roles), mounted=rides, rides_alone=rides == (True,))
    every = Counter(fallen_by_the_book(ranks, throw, casualties, ranged=ranged) for throw in throws(6))
    exact = {toll: Fraction(times, 6**6) for toll, times in every.items()}
    assert near(dict(tolls(ranks, casualties, ranged=ranged)), exact)


@given(
    st.sampled_from(["regulars", "irregulars", "cavalry", "gunners"]), st.integers(0, 4), st.integers(2, 6),
    st.none() | st.integers(2, 6), st.sets(st.sampled_from(["leader-lost", "in-cover", "charge-in-reach"])),
    st.sampled_from([("received-fire",), ("received-fire", "received-casualty"), ("leader-lost",)]),
    st.sampled_from([None, "retire"]),
)  # fmt: skip
def test_a_reaction_comes_out_as_in_every_throw(
    table: str, dice: int, rep: int, leader: int | None, words: set[str], rows: tuple[str, ...], least: str | None
) -> None:
    every: Counter[str] = Counter()
    for throw in throws(dice):
        passed = min(2, sum(score <= rep for score in throw))
        asked = leader is not None and needs_leader_die(table, rows, passed, frozenset(words))
        for score in FACES:
            steady = asked and leader is not None and score <= leader
            read = [judge(table, row, passed, steady, frozenset(words)) for row in rows]
            every[worst([*read, *([least] if least else [])])] += 1
    exact = {result: Fraction(times, 6 ** (dice + 1)) for result, times in every.items()}
    nerve = Nerve(table=table, dice=dice, rep=rep, leader_rep=leader, conditions=frozenset(words))
    assert near(dict(results(nerve, rows, least)), exact)


@given(small, small, st.integers(2, 6), st.integers(2, 6), st.none() | st.integers(2, 6))
def test_a_charge_test_differs_as_in_every_throw(
    ours: int, his: int, rep: int, other: int, leader: int | None
) -> None:
    every: Counter[int] = Counter()
    for throw in throws(ours + his):
        mine, theirs = sum(s <= rep for s in throw[:ours]), sum(s <= other for s in throw[ours:])
        for score in FACES:
            led = 1 if leader is not None and score <= leader else -1
            every[mine - theirs or led] += 1
    exact = {difference: Fraction(times, 6 ** (ours + his + 1)) for difference, times in every.items()}
    assert near(differences((ours, his), (f"<={rep}", f"<={other}"), leader), exact)


@given(small, small, st.integers(0, 1), st.integers(1, 4), st.integers(1, 4))
def test_a_round_of_melee_costs_what_every_throw_costs(ours: int, his: int, lost: int, men: int, foes: int) -> None:
    every: Counter[tuple[int, int]] = Counter()
    for throw in throws(ours + his):
        lead = sum(s <= 3 for s in throw[:ours]) - sum(s <= 3 for s in throw[ours:])
        every[min(men, lost + max(0, -lead)), min(foes, lost + max(0, lead))] += 1
    exact = {pair: Fraction(times, 6 ** (ours + his)) for pair, times in every.items()}
    given_pools = Pools(unit_dice=ours, enemy_dice=his, lost=lost, unit_figures=men, enemy_figures=foes)
    assert near(dict(lost_on_both(given_pools)), exact)


@given(st.integers(2, 6), st.integers(2, 6))
def test_of_two_that_would_run_one_stays_however_often_they_tie(rep: int, other: int) -> None:
    stay, tie = Fraction(0), Fraction(0)
    for mine, his in throws(2):
        stay += Fraction(mine + rep > his + other, 36)
        tie += Fraction(mine + rep == his + other, 36)
    again = sum((stay * tie**times for times in range(60)), Fraction(0))
    assert abs(chance_to_stay(rep, other) - float(again)) < 1e-12


def test_equal_readings_of_a_spread_count_as_one() -> None:
    assert read_as({1: 0.25, 2: 0.25, 3: 0.5}, lambda number: number % 2) == {1: 0.75, 0: 0.25}
