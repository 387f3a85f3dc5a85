"""Playing an action with the dice that are there so far: it is done, or it says which roll comes next."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.dice import Roll, Rolled, SeededDice, TooFewDice, TypedDice
from engine.events import Event
from engine.play import Played, Procedure, play
from engine.records.game import Game

__all__ = ["Unfinished", "play_so_far"]


class Unfinished(Struct, frozen=True, kw_only=True):
    """An action that waits for dice: the roll that comes next, and what has been rolled and happened before it."""

    next: Roll
    rolls: tuple[Rolled, ...]
    events: tuple[Event, ...]


class _Dice:
    """The typed scores, then the program's own where a seed is given; remembers every roll."""

    def __init__(self, scores: Sequence[int], seed: int | None) -> None:
        self.rolls: list[Rolled] = []
        self._left = tuple(scores)
        self._own = None if seed is None else SeededDice(seed)

    def scores(self, roll: Roll) -> tuple[int, ...]:
        """The scores of a roll. Raises TooFewDice where typed ones run out and there is no seed."""
        typed = self._left[: roll.count]
        missing = roll.count - len(typed)
        scores = TypedDice(typed).scores(replace(roll, count=len(typed)))
        if missing and self._own is None:
            raise TooFewDice(roll, len(typed))
        if missing and self._own is not None:
            scores = (*scores, *self._own.scores(replace(roll, count=missing)))
        self._left = self._left[roll.count :]
        self.rolls.append(Rolled(roll=roll, scores=scores))
        return scores

    def finish(self) -> None:
        """Says that the action is over. Raises DiceError where typed scores are left over."""
        TypedDice(self._left).finish(self.rolls[-1].roll.purpose if self.rolls else "this action")


def play_so_far(
    game: Game, begin: Callable[[], Procedure[object]], scores: Sequence[int], seed: int | None = None
) -> Played | Unfinished:
    """Plays an action with the scores typed so far; ``seed`` lets the program roll what is left.

    Raises what ``begin`` raises, and DiceError for a score that a die cannot show or that nothing asks for.
    """
    dice = _Dice(scores, seed)
    happened: list[Event] = []
    procedure = _listened(begin(), happened)
    try:
        played = play(game, procedure, dice)
    except TooFewDice as error:
        procedure.close()
        return Unfinished(next=error.roll, rolls=tuple(dice.rolls), events=tuple(happened))
    dice.finish()
    return played


def _listened(procedure: Procedure[object], happened: list[Event]) -> Procedure[object]:
    """The same procedure; its events are also put into ``happened``."""
    try:
        step = next(procedure)
        while True:
            if isinstance(step, Event):
                happened.append(step)
            answer = yield step
            step = procedure.send(answer)
    except StopIteration as stop:
        return stop.value
    finally:
        procedure.close()
