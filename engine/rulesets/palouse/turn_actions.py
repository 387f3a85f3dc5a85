"""What belongs to no unit: elimination, army resolve, the begin of a game and the end of a turn."""

from __future__ import annotations

from engine.dice import Roll
from engine.events import Change, Event, RemoveFigures, SetCondition, SetSide, SetTurn, SetUnit
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Cell, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import listed
from engine.rulesets.base.verdicts import Verdict, decided, undecided
from engine.rulesets.palouse.answering import would_occupy
from engine.rulesets.palouse.board import Board, board_of
from engine.rulesets.palouse.book import Book
from engine.rulesets.palouse.changes import place, state
from engine.rulesets.palouse.moving import step_bar, step_reasons
from engine.rulesets.palouse.resolve import resolve_of
from engine.rulesets.palouse.vocabulary import conditions_of, side_of, state_of, stats_of

__all__ = ["check_resolve", "elimination", "end_turn", "start_game"]


def elimination(book: Book, game: Game, action: Action) -> Procedure[None]:
    """Units with more hits than resolve go, of both sides (PA-50, PA-60, PA-72). Raises ActionRefused."""
    against = allow(action, step_bar(board_of(game, book), "elimination"))
    return _eliminate(book, game, action, against)


def _eliminate(book: Book, game: Game, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    while True:
        board = board_of(game, book)
        gone = [unit for unit in board.units if unit.id in board.stands and resolve_of(board, unit).over]
        if not gone:
            return
        heirs = [(heir, board.stands[unit.id].cell) for unit in gone for heir in _heirs(board, unit, gone)]
        for unit in gone:
            game = yield from _remove(game, unit)
        for unit in gone:
            game = yield from _army_loses(book, game, unit)
        for heir, cell in heirs:
            game = yield from _occupy(book, game, heir, cell)


def _heirs(board: Board, unit: Unit, gone: list[Unit]) -> list[str]:
    """Who takes the square of an eliminated unit: one unit or none (PA-45)."""
    name = state_of(unit).struck_by_adjacent
    heir = board.game.by_id.get(name or "")
    if heir is None or heir in gone or not would_occupy(board, heir, unit):
        return []
    return [heir.id]


def _remove(game: Game, unit: Unit) -> Procedure[Game]:
    changes: list[Change] = [*state(unit.id, eliminated=True)]
    if unit.square is not None:
        changes.append(SetUnit(unit=unit.id, key="square", value=None))
    if unit.figures:
        changes.append(RemoveFigures(unit=unit.id, figures=tuple(figure.id for figure in unit.figures)))
    facts = {"unit": unit.id, "square": None if unit.square is None else list(unit.square)}
    game = yield from happen(Event(event="eliminated", facts=facts, changes=tuple(changes), rule="PA-50"))
    then = state_of(unit)
    for held, key, rule in ((then.commander, "commander", "PA-60"), (then.officer, "officer", "PA-62")):
        if held:
            event = Event(
                event=f"{key}-lost", facts={"unit": unit.id}, changes=state(unit.id, **{key: False}), rule=rule
            )
            game = yield from happen(event)
    return game


def _army_loses(book: Book, game: Game, unit: Unit) -> Procedure[Game]:
    """The army's resolve falls by a die and what the unit was worth on top of it (PA-72)."""
    rolled = yield from roll(Roll(purpose=f"{unit.side} loses {unit.id}", count=1, die="d3", rule="PA-72"))
    kind = book.types[unit.type]
    lost = rolled.total
    if kind.picked or kind.dear or stats_of(unit).veteran:
        lost += book.army.picked
    if state_of(unit).commander:
        lost += book.army.commander
    value = (side_of(game, game.side(unit.side)).army_resolve or 0) - lost
    return (yield from _army_resolve(unit.side, lost, value, "PA-72"))


def _army_resolve(side: str, lost: int, value: int, rule: str, *more: Change) -> Procedure[Game]:
    changes = (SetSide(side=side, key="army_resolve", value=value), *more)
    facts = {"side": side, "lost": lost, "value": value}
    return (yield from happen(Event(event="army-resolve", facts=facts, changes=changes, rule=rule)))


def _occupy(book: Book, game: Game, heir: str, cell: Cell) -> Procedure[Game]:
    """The unit that struck it moves into the square of an eliminated one, where it is still free (PA-45)."""
    board, unit = board_of(game, book), game.unit(heir)
    if unit.id not in board.stands or any(step_reasons(board, unit, board.stands[unit.id].cell, cell)):
        return game
    facts = {"unit": heir, "to": list(cell)}
    return (yield from happen(Event(event="occupied", facts=facts, changes=place(board, unit, cell), rule="PA-45")))


def check_resolve(book: Book, game: Game, action: Action) -> Procedure[None]:
    """Armies whose resolve is used up retire (PA-73). Raises ActionRefused."""
    against = allow(action, step_bar(board_of(game, book), "army-resolve"))
    return _check_resolve(game, action, against)


def _check_resolve(game: Game, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    spent = [side.name for side in game.sides if (side_of(game, side).army_resolve or 0) <= 0]
    for side in spent:
        yield from happen(Event(event="retires", facts={"side": side}, changes=_lost(game, spent), rule="PA-73"))
    if not spent and undecided(game):
        yield from happen(Event(event="goes-on", changes=undecided(game), rule="PA-73"))


def _lost(game: Game, spent: list[str]) -> tuple[Change, ...]:
    """The armies that retire have lost to the others; where there are none, it is a draw."""
    won = tuple(side.name for side in game.sides if side.name not in spent)
    left = {side.name: float(side_of(game, side).army_resolve or 0) for side in game.sides}
    why = f"the army of {listed(spent)} has no resolve left"
    return decided(Verdict(won=won, why=why, rule="PA-73", points=left))


def start_game(_book: Book, game: Game, _action: Action) -> Procedure[None]:
    """The armies' resolve at the begin: the units fielded, and a die for the commander's quality (PA-70, PA-71)."""
    signs = {"above": 1, "average": 0, "below": -1}
    anew = undecided(game)
    for side in game.sides:
        keys, value = side_of(game, side), sum(unit.side == side.name for unit in game.units)
        sign = signs[keys.commander_quality]
        purpose = f"the quality of the {side.name} commander"
        rolled = yield from roll(Roll(purpose=purpose, count=abs(sign), die="d3", rule="PA-71"))
        value += sign * rolled.total
        start = SetSide(side=side.name, key="army_resolve_start", value=value)
        yield from _army_resolve(side.name, 0, value, "PA-70", start, *anew)
        anew = ()


def end_turn(_book: Book, game: Game, _action: Action) -> Procedure[None]:
    """What units did this turn is forgotten, and the turn passes to the next side (PA-05)."""
    clear = {"moved": False, "activation_failed": False, "fired": False, "struck_by_adjacent": None}
    changes: list[Change] = [change for unit in game.units for change in state(unit.id, **clear)]
    names = [side.name for side in game.sides]
    active = game.turn.active_side
    following = 0 if active is None else (names.index(active) + 1) % len(names)
    number = game.turn.number + (1 if active is not None and following == 0 else 0)
    changes.append(SetTurn(number=number, active_side=names[following]))
    if conditions_of(game).step is not None:
        changes.append(SetCondition(key="step", value="movement"))
    facts = {"side": names[following], "turn": number}
    yield from happen(Event(event="turn", facts=facts, changes=tuple(changes), rule="PA-05"))
