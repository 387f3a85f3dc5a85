"""``fire``: the die, the hits, and who struck whom from beside (PA-30 to PA-45)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.dice import Roll
from engine.events import Change, Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.palouse.answering import may_occupy
from engine.rulesets.palouse.board import Board, board_of
from engine.rulesets.palouse.book import Book
from engine.rulesets.palouse.changes import state
from engine.rulesets.palouse.firing import fire_option
from engine.rulesets.palouse.vocabulary import state_of

__all__ = ["FireKeys", "fire"]


class FireKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``fire``: a first score of ``reroll`` or lower is rolled again."""

    reroll: Annotated[int, Meta(ge=0, le=3)] = 0


def fire(book: Book, game: Game, action: Action, keys: FireKeys) -> Procedure[None]:
    """A unit fires at another. Raises ActionRefused with every reason."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    board = board_of(game, book)
    reasons, option = Reasons(), fire_option(board, unit, target)
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "PA-30")
    reasons.extend(zip(option.why_not, option.why_rules, strict=True))
    lone = bool(keys.reroll) and not state_of(unit).officer
    reasons.add(lone, f"no trusted officer is with {unit.id} to roll again", "PA-62")
    against = allow(action, reasons)
    add = int(option.roll.extra["add"]) if option.roll is not None else 0
    return _fire(board, unit, target, action, keys, against, add)


def _fire(
    board: Board, unit: Unit, target: Unit, action: Action, keys: FireKeys, against: tuple[str, ...], add: int
) -> Procedure[None]:
    yield from overruled(board.game, action, against)
    purpose = f"{unit.id} fires at {target.id}"
    rolled = yield from roll(Roll(purpose=purpose, count=1, die="d3", rule="PA-34"))
    if rolled.total <= keys.reroll:
        purpose += ", rolled again by its officer"
        rolled = yield from roll(Roll(purpose=purpose, count=1, die="d3", rule="PA-62"))
    hits = max(0, rolled.total + add)
    facts = {"unit": unit.id, "target": target.id, "score": rolled.total, "hits": hits}
    total = state_of(target).hits + hits
    shot = (*state(unit.id, fired=True, has_fired=True), *(() if hits else state(target.id, hits=total)))
    yield from happen(Event(event="fire", facts=facts, changes=shot, rule="PA-34"))
    if not hits:
        return
    changes: tuple[Change, ...] = state(target.id, hits=total)
    if target.id in board.stands and may_occupy(board, unit, target):
        changes += state(target.id, struck_by_adjacent=unit.id)
    yield from happen(
        Event(event="hit", facts={"unit": target.id, "hits": hits, "total": total}, changes=changes, rule="PA-50")
    )
