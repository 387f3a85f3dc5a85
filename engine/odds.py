"""Exact odds: every outcome of a procedure's dice, walked, with equal ones merged.

A roll whose dice are compared has as many outcomes as it can pass dice, one whose scores are added as many as it
can total: that is all a procedure may read of it (`engine.dice.Roll`), so 12d6 are 13 outcomes and not 6**12.
A procedure cannot be forked, so each branch is played again from its start. Branches are walked roll by roll, all
that wait for their next together, and those that a procedure calls alike (``Roll.so_far``) go on as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import TypeVar

from engine.dice import Roll, Rolled, faces, succeeds
from engine.errors import EngineError
from engine.events import Event, apply
from engine.play import Procedure
from engine.records.game import Game

K = TypeVar("K", bound=Hashable)

_Scores = tuple[int, ...]
#: The scores of each roll so far, and the chance that the dice fall so.
_Way = tuple[tuple[_Scores, ...], Fraction]
#: The same, and the roll that comes next.
_Waiting = tuple[Roll, tuple[_Scores, ...], Fraction]

#: More ways of the dice than that are not walked: it would take minutes.
MOST_WAYS = 50_000


class TooManyOutcomes(EngineError, RuntimeError):
    """A procedure whose dice can fall in more ways than are walked."""


def odds(
    game: Game,
    begin: Callable[[], Procedure[object]],
    outcome: Callable[[Event], K | None],
    enough: Callable[[], bool] = lambda: False,
) -> Mapping[K | None, Fraction]:
    """The chance of each outcome of a procedure, exact; the chances add up to one.

    ``begin`` starts the procedure afresh; ``outcome`` reads an event: the first that gives anything but None
    settles its branch. Branches that end unsettled are counted under None. Raises TooManyOutcomes, also as soon as
    ``enough`` says that nobody waits for it any longer.
    """
    chances: Counter[K | None] = Counter()
    level: list[_Way] = [((), Fraction(1))]
    ways, after = 0, _Afterwards()
    while level:
        waiting: list[_Waiting] = []
        for given, chance in level:
            ways += 1
            if ways > MOST_WAYS:
                raise TooManyOutcomes(
                    f"the dice can fall in more than {MOST_WAYS} ways: too many for exact chances"
                )
            if enough():
                raise TooManyOutcomes("exact chances would take too long to work out")
            asked, settled = _run(game, begin(), given, outcome, after)
            if asked is None:
                chances[settled] += chance  # type: ignore[assignment]  # Counter counts fractions as well
            else:
                waiting.append((asked, given, chance))
        level = [
            ((*given, scores), chance * share)
            for asked, given, chance in _merged(waiting) for scores, share in outcomes(asked)
        ]  # fmt: skip
    return dict(chances)  # type: ignore[arg-type]


def _merged(waiting: Sequence[_Waiting]) -> Iterable[_Waiting]:
    """Ways that wait for the same roll with an equal ``so_far`` as one: any of them stands for all."""
    found: dict[Hashable, _Waiting] = {}
    for number, (asked, given, chance) in enumerate(waiting):
        key = number if asked.so_far is None else (asked.purpose, asked.so_far)
        before = found.get(key)
        found[key] = (asked, given, chance if before is None else before[2] + chance)
    return found.values()


def at_least(chances: Mapping[int | None, Fraction], number: int) -> Fraction:
    """The chance of ``number`` or more, from the chances of each number.

    >>> at_least({0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}, 1)
    Fraction(3, 4)
    """
    return sum((chance for count, chance in chances.items() if (count or 0) >= number), Fraction(0))


def outcomes(roll: Roll) -> Sequence[tuple[_Scores, Fraction]]:
    """What a roll can show, as far as its reader can tell: scores that stand for each outcome, and its chance."""
    if roll.each:
        return _by_faces(roll.count, roll.die)
    if roll.success is None:
        return _by_cuts(roll.count, roll.die, roll.cuts) if roll.cuts else _by_total(roll.count, roll.die)
    if roll.also is not None:
        return _by_both(roll.count, roll.die, roll.success, roll.also)
    return _by_passes(roll.count, roll.die, roll.success)


@cache
def _by_both(count: int, die: str, success: str, also: str) -> tuple[tuple[_Scores, Fraction], ...]:
    """Faces that pass the same of two comparisons cannot be told apart."""
    alike: dict[tuple[bool, bool], list[int]] = {}
    for score in faces(die):
        alike.setdefault((succeeds(success, score), succeeds(also, score)), []).append(score)
    ones = {scores[0]: Fraction(len(scores), len(faces(die))) for scores in alike.values()}
    return tuple(
        (scores, _arrangements(scores) * prod((ones[score] for score in scores), start=Fraction(1)))
        for scores in combinations_with_replacement(sorted(ones), count)
    )


@cache
def _by_passes(count: int, die: str, success: str) -> tuple[tuple[_Scores, Fraction], ...]:
    good = [score for score in faces(die) if succeeds(success, score)]
    bad = [score for score in faces(die) if not succeeds(success, score)]
    chance = Fraction(len(good), len(faces(die)))
    return tuple(
        (
            tuple(good[:1] * passed + bad[:1] * (count - passed)),
            comb(count, passed) * chance**passed * (1 - chance) ** (count - passed),
        )
        for passed in range(count + 1)
        if (good or passed == 0) and (bad or passed == count)
    )


@cache
def _by_total(count: int, die: str) -> tuple[tuple[_Scores, Fraction], ...]:
    one = Fraction(1, len(faces(die)))
    totals: dict[int, tuple[_Scores, Fraction]] = {0: ((), Fraction(1))}
    for _ in range(count):
        further: dict[int, tuple[_Scores, Fraction]] = {}
        for total, (scores, chance) in totals.items():
            for score in faces(die):
                before = further.get(total + score, ((*scores, score), Fraction(0)))
                further[total + score] = (before[0], before[1] + chance * one)
        totals = further
    return tuple(totals.values())


@cache
def _by_cuts(count: int, die: str, cuts: tuple[int, ...]) -> tuple[tuple[_Scores, Fraction], ...]:
    """Totals that reach the same cuts cannot be told apart by what follows."""
    alike: dict[int, tuple[_Scores, Fraction]] = {}
    for scores, chance in _by_total(count, die):
        reached = sum(sum(scores) >= cut for cut in cuts)
        alike[reached] = (scores, chance + (alike[reached][1] if reached in alike else 0))
    return tuple(alike.values())


@cache
def _by_faces(count: int, die: str) -> tuple[tuple[_Scores, Fraction], ...]:
    every = len(faces(die)) ** count
    return tuple(
        (scores, Fraction(_arrangements(scores), every))
        for scores in combinations_with_replacement(faces(die), count)
    )


def _arrangements(scores: _Scores) -> int:
    return factorial(len(scores)) // prod(factorial(times) for times in Counter(scores).values())


class _Afterwards:
    """The games after events, each worked out once: ways that begin alike share what is known of their games."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Game, list[tuple[Event, Game]]]] = {}

    def apply(self, game: Game, event: Event) -> Game:
        """The game after an event; the very same one for the same game and an equal event."""
        _, followers = self._known.setdefault(id(game), (game, []))  # which keeps it, and so its id its own
        for seen, then in followers:
            if seen == event:
                return then
        then = apply(game, event)
        followers.append((event, then))
        return then


def _run(
    game: Game, procedure: Procedure[object], given: Sequence[_Scores], outcome: Callable[[Event], K | None],
    after: _Afterwards,
) -> tuple[Roll | None, K | None]:  # fmt: skip
    """The first roll that nothing was given for, or what the procedure came to."""
    script: Iterator[_Scores] = iter(given)
    try:
        step = next(procedure)
        while True:
            if isinstance(step, Roll):
                scores = next(script, None)
                if scores is None:
                    procedure.close()
                    return step, None
                step = procedure.send(Rolled(roll=step, scores=scores))
            else:
                settled = outcome(step)
                if settled is not None:
                    procedure.close()
                    return None, settled
                game = after.apply(game, step)
                step = procedure.send(game)
    except StopIteration:
        return None, None
