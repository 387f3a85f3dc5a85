"""Procedures, and the one place that runs them.

A procedure is a generator: it yields a `Roll` and is sent what the dice showed, yields an `Event` and is sent the
game after it. `roll` and `happen` are its two verbs; `followed` runs one within another. `play` runs one with any
source of dice.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

from msgspec import Struct

from engine.dice import DiceSource, Roll, Rolled, TypedDice
from engine.events import Event, apply
from engine.records.game import Game

T = TypeVar("T")

Procedure = Generator[Roll | Event, Rolled | Game, T]


def roll(request: Roll) -> Procedure[Rolled]:
    """Asks for dice: ``rolled = yield from roll(Roll(...))``. A roll of no dice asks nobody."""
    if request.count <= 0:
        return Rolled(roll=request, scores=())
    answer = yield request
    assert isinstance(answer, Rolled)
    return answer


def happen(event: Event) -> Procedure[Game]:
    """Lets something happen: ``game = yield from happen(Event(...))`` is the game after it."""
    answer = yield event
    assert isinstance(answer, Game)
    return answer


def followed(
    game: Game, procedure: Procedure[object], noted: Callable[[Event], None] | None = None
) -> Procedure[Game]:
    """Runs a whole procedure within another one, ``noted`` each event; what it returns is the game after it."""
    try:
        step = next(procedure)
        while True:
            if noted is not None and isinstance(step, Event):
                noted(step)
            answer = yield step
            if isinstance(answer, Game):
                game = answer
            step = procedure.send(answer)
    except StopIteration:
        return game


def first_roll(game: Game, procedure: Procedure[object]) -> Roll | None:
    """The first roll that a procedure asks for; None where it ends without any."""
    try:
        step = next(procedure)
        while not isinstance(step, Roll):
            game = apply(game, step)
            step = procedure.send(game)
    except StopIteration:
        return None
    procedure.close()
    return step


class Played(Struct, frozen=True, kw_only=True):
    """What a procedure did: its rolls and events in order, and the game after them."""

    rolls: tuple[Rolled, ...]
    events: tuple[Event, ...]
    game: Game


def play(game: Game, procedure: Procedure[object], dice: DiceSource) -> Played:
    """Runs a procedure to its end. Raises DiceError where the dice do not fit what is asked for."""
    rolls: list[Rolled] = []
    events: list[Event] = []
    try:
        step = next(procedure)
        while True:
            if isinstance(step, Roll):
                rolls.append(Rolled(roll=step, scores=tuple(dice.scores(step))))
                step = procedure.send(rolls[-1])
            else:
                game = apply(game, step)
                events.append(step)
                step = procedure.send(game)
    except StopIteration:
        pass
    if isinstance(dice, TypedDice):
        dice.finish(rolls[-1].roll.purpose if rolls else "this action")
    return Played(rolls=tuple(rolls), events=tuple(events), game=game)
