"""What a melee can come to: its fights are folded one by one, for all their dice fall in too many ways (TY-74)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from engine.dice import faces
from engine.records.game import Figure, Game, Unit
from engine.rulesets.tyneside.melee.duels import WOUNDS, Pair, fought, modifiers
from engine.rulesets.tyneside.vocabulary import conditions_of
from engine.spreads import merged, read_as

__all__ = ["Toll", "harmed_on_average", "losers", "tolls_of"]


class Toll(NamedTuple):
    """What a fight costs the two sides, the one that is named first and the other: fights lost, figures harmed."""

    lost: tuple[int, int] = (0, 0)
    harmed: tuple[int, int] = (0, 0)


def tolls_of(game: Game, unit: Unit, target: Unit, pairs: Sequence[Pair]) -> Sequence[Mapping[Toll, float]]:
    """The chance of each toll, fight by fight, of a melee of two units in these pairs: none hangs on another."""
    return [_fight_of(game, unit, target, pair) for pair in pairs]


def losers(game: Game, tolls: Sequence[Mapping[Toll, float]]) -> Mapping[tuple[bool, bool], float]:
    """The chance that the one side, the other, or both have the worse of it and move back (TY-74, TR-12)."""
    fights = conditions_of(game).options.worst == "fights"
    ahead: Mapping[int, float] = {0: 1.0}  # by how much more of it the one side has
    for toll in tolls:
        more = read_as(toll, lambda one: _more(one.lost if fights else one.harmed))
        ahead = merged(
            (before + by, chance * share) for before, chance in ahead.items() for by, share in more.items()
        )
    return read_as(ahead, lambda by: (by >= 0, by <= 0))


def harmed_on_average(tolls: Sequence[Mapping[Toll, float]]) -> tuple[float, float]:
    """How many figures of either side are wounded or killed on average."""
    ours, theirs = (
        sum(one.harmed[side] * chance for toll in tolls for one, chance in toll.items()) for side in (0, 1)
    )
    return ours, theirs


def _more(ones: tuple[int, int]) -> int:
    return ones[0] - ones[1]


def _fight_of(game: Game, unit: Unit, target: Unit, pair: Pair) -> Mapping[Toll, float]:
    ours, theirs = (
        [figure for name in names for figure in one.figures if figure.id == name]
        for names, one in zip(pair, (unit, target), strict=True)
    )
    adds = (*modifiers(game, unit, ours, target, theirs), *modifiers(game, target, theirs, unit, ours))
    return _spread(adds, _lives(ours), _lives(theirs))


def _lives(figures: Sequence[Figure]) -> tuple[int, ...]:
    """How many wounds each bears: two, who is wounded one (TY-40)."""
    return tuple(1 if figure.status == "wounded" else 2 for figure in figures)


@cache
def _spread(adds: tuple[int, ...], ours: tuple[int, ...], theirs: tuple[int, ...]) -> Mapping[Toll, float]:
    """The chance of each toll of one fight, by what each adds to his die and the wounds that each bears."""
    share = 1.0 / len(faces("d6")) ** len(adds)
    return merged((_toll(dice, adds, ours, theirs), share) for dice in product(faces("d6"), repeat=len(adds)))


def _toll(dice: tuple[int, ...], adds: tuple[int, ...], ours: tuple[int, ...], theirs: tuple[int, ...]) -> Toll:
    found = fought(dice, adds, len(ours))
    if found.winner is None:
        return Toll()
    if found.winner == 0:
        return Toll((0, 1), (0, _harmed(found.strokes, theirs)))
    return Toll((1, 0), (_harmed(found.strokes, ours), 0))


def _harmed(strokes: Sequence[int], lives: Sequence[int]) -> int:
    """How many strokes strike somebody: the first who still stands."""
    left, struck = list(lives), 0
    for die in strokes:
        if left:
            struck += 1
            left[0] -= 1 if die == WOUNDS else 2
            if left[0] <= 0:
                left.pop(0)
    return struck
