"""Every way of the dice of a procedure, one by one: the obvious oracle for chances worked out otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction

from engine.dice import Roll, Rolled
from engine.events import Event, apply
from engine.odds import outcomes
from engine.play import Procedure
from engine.records.game import Game

__all__ = ["every_way", "near"]


def every_way(
    game: Game, begin: Callable[[], Procedure[object]], read: Callable[[Sequence[Event]], Hashable | None]
) -> Mapping[Hashable, Fraction]:
    """The chance of each reading of a procedure's events; one that is not None ends its way at once."""
    found: Counter[Hashable] = Counter()
    waiting: list[tuple[tuple[tuple[int, ...], ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        given, chance = waiting.pop()
        asked, events = _as_far_as_given(game, begin(), given, read)
        if asked is None:
            found[read(events)] += chance  # type: ignore[assignment]
        else:
            waiting += [((*given, scores), chance * share) for scores, share in outcomes(asked)]
    return found  # type: ignore[return-value]


def _as_far_as_given(
    game: Game, procedure: Procedure[object], given: Sequence[Sequence[int]],
    read: Callable[[Sequence[Event]], Hashable | None],
) -> tuple[Roll | None, list[Event]]:  # fmt: skip
    scores, events = iter(given), list[Event]()
    try:
        step = next(procedure)
        while True:
            if isinstance(step, Roll):
                shown = next(scores, None)
                if shown is None:
                    return step, events
                step = procedure.send(Rolled(roll=step, scores=tuple(shown)))
            else:
                events.append(step)
                if read(events) is not None:
                    return None, events
                game = apply(game, step)
                step = procedure.send(game)
    except StopIteration:
        return None, events


def near(found: Mapping[Hashable, float], exact: Mapping[Hashable, float | Fraction]) -> bool:
    """Whether two spreads are the same but for the last digits of a double."""
    return all(abs(found.get(key, 0.0) - float(exact.get(key, 0))) < 1e-12 for key in {*found, *exact})
