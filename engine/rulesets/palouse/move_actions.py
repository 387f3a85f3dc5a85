"""``move`` and ``turn``: the activation die, and what follows (PA-10 to PA-24)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from engine.dice import Roll
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Cell, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.palouse.board import Board, board_of
from engine.rulesets.palouse.book import Book
from engine.rulesets.palouse.changes import bearing, place, state
from engine.rulesets.palouse.moving import activation_modifiers, move_reasons, path_reasons, reroll, turned

__all__ = ["MoveKeys", "TurnKeys", "move", "turn"]


class MoveKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``move``."""

    to: Cell | None = None
    path: tuple[Cell, ...] | None = None
    bearing_deg: float | None = None
    reroll: bool | None = None


class TurnKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``turn``."""

    bearing_deg: float
    reroll: bool | None = None


def turn(book: Book, game: Game, action: Action, keys: TurnKeys) -> Procedure[None]:
    """A unit turns where it stands. Raises ActionRefused with every reason."""
    return move(book, game, action, MoveKeys(bearing_deg=keys.bearing_deg, reroll=keys.reroll))


def move(book: Book, game: Game, action: Action, keys: MoveKeys) -> Procedure[None]:
    """A unit moves, turns, or both; without a goal it stays. Raises ActionRefused with every reason."""
    board, unit = board_of(game, book), game.unit(action.unit or "")
    reasons = move_reasons(board, unit)
    goal = keys.path[-1] if keys.to is None and keys.path else keys.to
    if unit.id in board.stands and goal is not None:
        found = path_reasons(board, unit, goal, keys.path)
        reasons.extend(zip(found.texts, found.rules, strict=True))
        if not _room_for(board, unit, goal):
            action = replace(action, override=False)
    elif unit.id not in board.stands:
        reasons = _placeless(reasons, unit)
    return _move(board, unit, replace(keys, to=goal), action, allow(action, reasons))


def _room_for(board: Board, unit: Unit, goal: Cell) -> bool:
    """Whether the unit could stand in a square at all: no umpire sets it beside the table or on another unit."""
    other = board.occupant(goal) if board.grid.holds(goal) else None
    return board.grid.holds(goal) and (other is None or other.id == unit.id)


def _placeless(reasons: Reasons, unit: Unit) -> Reasons:
    reasons.add(not reasons, f"{unit.id} stands nowhere on the table", "PA-01")
    return reasons


def _move(board: Board, unit: Unit, keys: MoveKeys, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(board.game, action, against)
    if unit.id not in board.stands:
        return
    if not (yield from _activated(board, unit, keys)):
        return
    turns = keys.bearing_deg is not None and turned(board, unit, keys.bearing_deg)
    if keys.to is not None:
        changes = (*place(board, unit, keys.to), *state(unit.id, moved=True))
        there = {"unit": unit.id, "to": list(keys.to)}
        game = yield from happen(Event(event="moved", facts=there, changes=changes, rule="PA-14"))
    if keys.bearing_deg is not None and turns:
        faces = keys.bearing_deg % 360.0
        facts = {"unit": unit.id, "bearing_deg": faces}
        changes = (*bearing(game.unit(unit.id), faces), *state(unit.id, moved=True))
        yield from happen(Event(event="turned", facts=facts, changes=changes, rule="PA-16"))


def _activated(board: Board, unit: Unit, keys: MoveKeys) -> Procedure[bool]:
    """The activation die, rolled again once where it failed and somebody lets it (PA-10, PA-61 to PA-63)."""
    add = sum(modifier.extra["value"] for modifier in activation_modifiers(board, unit, keys.to))
    wanted = board.book.activation.success
    again = reroll(board, unit)
    declined = keys.reroll is False or (keys.reroll is None and board.conditions.options.reroll_activation == "ask")
    request = Roll(purpose=f"{unit.id} is activated", count=1, die="d6", success=f">={wanted - add}", each=True,
                   rule="PA-10")  # fmt: skip
    rolled = yield from roll(request)
    repeated = not rolled.passed and again is not None and not declined
    if repeated:
        rule = "PA-61" if again == "commander" else "PA-62"
        purpose = f"{unit.id} is activated, rolled again by its {again}"
        rolled = yield from roll(replace(request, purpose=purpose, rule=rule))
    die = rolled.scores[0]
    facts = {"unit": unit.id, "die": die, "score": die + add, "passed": bool(rolled.passed), "rerolled": repeated}
    changes = () if rolled.passed else state(unit.id, activation_failed=True)
    yield from happen(Event(event="activation", facts=facts, changes=changes, rule="PA-10"))
    return bool(rolled.passed)
