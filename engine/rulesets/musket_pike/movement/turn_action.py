"""``turn``: a unit faces another vertex (MP-62)."""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from engine.events import Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.acting import if_allowed
from engine.rulesets.musket_pike.changes import faced, state
from engine.rulesets.musket_pike.movement.steps import EQUAL
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.permits import order_bars, turn_bars
from engine.rulesets.musket_pike.table.troops import Troop, movement_class, mp_left
from engine.rulesets.musket_pike.vocabulary import FACINGS, Facing

__all__ = ["TurnKeys", "turn"]


class TurnKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``turn``."""

    facing: Facing


def turn(game: Game, action: Action, keys: TurnKeys) -> Procedure[None]:
    """A unit faces another vertex, and with it all lines, or all blocks, of its hex. Raises ActionRefused."""
    facing = FACINGS.index(keys.facing)
    return if_allowed(game, action, partial(_turn_bars, facing=facing), partial(_turn, facing=facing))


def _turn_bars(board: Board, troop: Troop, facing: int) -> Reasons:
    reasons = Reasons()
    if troop.facing is None:
        reasons = order_bars(board, troop)
        reasons.add(True, f"{troop.type} has no facing", "MP-24")
        return reasons
    for other in _turning(board, troop):
        found = turn_bars(board, other)
        cost, left = _turn_cost(board, other, facing), mp_left(other, board.parameters)
        found.add(cost > left + EQUAL, f"turning costs {cost:g}, {left:g} points are left", "MP-62")
        named = [text if other.id == troop.id else f"{other.id} {text}" for text in found.texts]
        reasons.extend(zip(named, found.rules, strict=True))
    reasons.add(facing == troop.facing, f"faces {FACINGS[facing]} already", "MP-62")
    return reasons


def _turning(board: Board, troop: Troop) -> list[Troop]:
    """The units that turn together: a line with the lines of its hex, a block with the blocks (MP-49)."""
    stack = board.friends_at(troop.hex, troop.side)
    alike = [o for o in stack if (troop.line and o.line) or (troop.block and o.block)]
    return alike or [troop]


def _turn_cost(board: Board, troop: Troop, facing: int) -> float:
    """The points of turning to a facing by the fewest vertices."""
    ahead = (facing - (troop.facing or 0)) % 6
    kind = movement_class(troop)
    return min(ahead, 6 - ahead) * board.parameters.turn_cost.get(str(kind), 0.0)


def _turn(game: Game, troop: Troop, facing: int) -> Procedure[None]:
    for other in _turning(board_of(game), troop):
        board = board_of(game)
        if other.facing is None:
            continue
        cost = _turn_cost(board, other, facing)
        used = round(other.state.mp_used + cost, 9)
        changes = (*faced(board, other.unit, facing), *state(other.id, turned_now=True, mp_used=used))
        facts = {"unit": other.id, "facing": FACINGS[facing], "cost_mp": cost}
        game = yield from happen(Event(event="turned", facts=facts, changes=changes, rule="MP-62"))
