"""What units do where they stand: turn, send out and take back detachments, change places, mend bridges."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from engine.events import AddUnit, Change, Event, RemoveUnit, SetStat
from engine.geometry.grids.flat import beyond
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Cell, Game
from engine.rulesets.musket_pike.board import Board, board_of
from engine.rulesets.musket_pike.changes import faced, state
from engine.rulesets.musket_pike.detachments import deploy_bars, detachment, recall_bars, rejoined_state
from engine.rulesets.musket_pike.permits import order_bars, turn_bars
from engine.rulesets.musket_pike.steps import EQUAL
from engine.rulesets.musket_pike.troops import Troop, allowance, movement_class
from engine.rulesets.musket_pike.vocabulary import FACINGS, Facing
from engine.rulesets.reasons import Reasons
from engine.rulesets.refusing import allow, overruled

__all__ = [
    "RepairKeys", "TurnKeys", "bridge_before", "deploy_skirmishers", "deploy_squadron", "recall_skirmishers",
    "recall_squadron", "repair", "stack_bottom", "stack_top", "turn", "turn_cost",
]  # fmt: skip

Does = Callable[[Game, Troop], Procedure[None]]


class TurnKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``turn``."""

    facing: Facing


class RepairKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``repair``: whether the pioneers go to work or stop."""

    on: bool


def _if_allowed(game: Game, action: Action, bars: Callable[[Board, Troop], Reasons], does: Does) -> Procedure[None]:
    """What a unit on the map does unless the rules forbid it. Raises ActionRefused with every reason."""
    board, reasons = board_of(game), Reasons()
    troop = board.troops.get(action.unit or "")
    if troop is None:
        reasons.add(True, f"{action.unit} is off the map", "MP-01")
    else:
        reasons = bars(board, troop)
    return _does(game, action, allow(action, reasons.texts), does)


def _does(game: Game, action: Action, against: tuple[str, ...], does: Does) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    troop = board_of(game).troops.get(action.unit or "")
    if troop is not None:
        yield from does(game, troop)


# --- turning (MP-62) ---


def turn(game: Game, action: Action, keys: TurnKeys) -> Procedure[None]:
    """A unit faces another vertex, and with it all lines, or all blocks, of its hex. Raises ActionRefused."""
    facing = FACINGS.index(keys.facing)
    return _if_allowed(game, action, partial(_turn_bars, facing=facing), partial(_turn, facing=facing))


def _turn_bars(board: Board, troop: Troop, facing: int) -> Reasons:
    reasons = Reasons()
    if troop.facing is None:
        reasons = order_bars(board, troop)
        reasons.add(True, f"{troop.type} has no facing", "MP-24")
        return reasons
    for other in _turning(board, troop):
        found = turn_bars(board, other)
        cost, left = turn_cost(board, other, facing), allowance(other, board.parameters) - other.state.mp_used
        found.add(cost > left + EQUAL, f"turning costs {cost:g}, {max(left, 0):g} points are left", "MP-62")
        named = [text if other.id == troop.id else f"{other.id} {text}" for text in found.texts]
        reasons.extend(zip(named, found.rules, strict=True))
    reasons.add(facing == troop.facing, f"faces {FACINGS[facing]} already", "MP-62")
    return reasons


def _turning(board: Board, troop: Troop) -> list[Troop]:
    """The units that turn together: a line with the lines of its hex, a block with the blocks (MP-49)."""
    stack = board.friends_at(troop.hex, troop.side)
    alike = [o for o in stack if (troop.line and o.line) or (troop.block and o.block)]
    return alike or [troop]


def turn_cost(board: Board, troop: Troop, facing: int) -> float:
    """The points of turning to a facing by the fewest vertices."""
    ahead = (facing - (troop.facing or 0)) % 6
    kind = movement_class(troop)
    return min(ahead, 6 - ahead) * board.parameters.turn_cost.get(str(kind), 0.0)


def _turn(game: Game, troop: Troop, facing: int) -> Procedure[None]:
    for other in _turning(board_of(game), troop):
        board = board_of(game)
        if other.facing is None:
            continue
        cost = turn_cost(board, other, facing)
        used = round(other.state.mp_used + cost, 9)
        changes = (*faced(board, other.unit, facing), *state(other.id, turned_now=True, mp_used=used))
        facts = {"unit": other.id, "facing": FACINGS[facing], "cost_mp": cost}
        game = yield from happen(Event(event="turned", facts=facts, changes=changes, rule="MP-62"))


# --- detachments (MP-69, MP-70, MP-73) ---


def deploy_skirmishers(game: Game, action: Action) -> Procedure[None]:
    """Foot sends out skirmishers. Raises ActionRefused with every reason."""
    return _if_allowed(game, action, partial(deploy_bars, kind="skirmisher"), partial(_deploy, kind="skirmisher"))


def deploy_squadron(game: Game, action: Action) -> Procedure[None]:
    """Cavalry detaches a squadron. Raises ActionRefused with every reason."""
    return _if_allowed(game, action, partial(deploy_bars, kind="squadron"), partial(_deploy, kind="squadron"))


def _deploy(game: Game, troop: Troop, kind: str) -> Procedure[None]:
    board = board_of(game)
    out = detachment(board, troop, kind)
    men: int = out.stats["strength"]
    changes: tuple[Change, ...] = (
        SetStat(unit=troop.id, key="strength", value=troop.strength - men),
        *state(troop.id, mp_used=_paid(board, troop)),
        AddUnit(unit=out),
    )
    facts = {"unit": troop.id, "men": men, "to": out.id}
    yield from happen(
        Event(event="deployed", facts=facts, changes=changes, rule="MP-69" if kind == "skirmisher" else "MP-73")
    )


def _paid(board: Board, troop: Troop) -> float:
    return round(troop.state.mp_used + board.parameters.formation_cost.get("skirmishers", 0.0), 9)


def recall_skirmishers(game: Game, action: Action) -> Procedure[None]:
    """Skirmishers rejoin their parent. Raises ActionRefused with every reason."""
    return _if_allowed(game, action, partial(recall_bars, kind="skirmisher"), _recall)


def recall_squadron(game: Game, action: Action) -> Procedure[None]:
    """A squadron rejoins its parent. Raises ActionRefused with every reason."""
    return _if_allowed(game, action, partial(recall_bars, kind="squadron"), _recall)


def _recall(game: Game, troop: Troop) -> Procedure[None]:
    parent = board_of(game).troops.get(troop.stats.parent or "")
    if parent is None:
        return
    changes: tuple[Change, ...] = (
        SetStat(unit=parent.id, key="strength", value=parent.strength + troop.strength),
        *rejoined_state(parent, troop),
        RemoveUnit(unit=troop.id),
    )
    facts = {"unit": troop.id, "to": parent.id, "men": troop.strength}
    yield from happen(Event(event="recalled", facts=facts, changes=changes, rule="MP-70"))


# --- places in the stack (MP-53) ---


def stack_top(game: Game, action: Action) -> Procedure[None]:
    """A unit goes to the top of its stack. Raises ActionRefused with every reason."""
    return _if_allowed(game, action, _place_bars, partial(_restack, top=True))


def stack_bottom(game: Game, action: Action) -> Procedure[None]:
    """A unit goes to the bottom of its stack. Raises ActionRefused with every reason."""
    return _if_allowed(game, action, _place_bars, partial(_restack, top=False))


def _place_bars(board: Board, troop: Troop) -> Reasons:
    reasons = order_bars(board, troop)
    reasons.add(len(board.at(troop.hex)) < 2, "is alone in its hex", "MP-53")
    return reasons


def _restack(game: Game, troop: Troop, top: bool) -> Procedure[None]:
    """Units are listed from the top: those that come to stand behind are listed anew, at the end."""
    board = board_of(game)
    whole = allowance(troop, board.parameters)
    used = min(whole, troop.state.mp_used + whole / 2)
    used = max(used, troop.state.mp_used)
    paid = state(troop.id, mp_used=round(used, 9))
    behind = [other.id for other in board.at(troop.hex) if other.id != troop.id] if top else [troop.id]
    facts = {"unit": troop.id, "place": "top" if top else "bottom"}
    game = yield from happen(Event(event="restacked", facts=facts, changes=paid, rule="MP-53"))
    moved = tuple(change for name in behind for change in (RemoveUnit(unit=name), AddUnit(unit=game.unit(name))))
    yield from happen(Event(event="order", facts={"units": behind}, changes=moved, rule="MP-53"))


# --- pioneers (MP-76) ---


def repair(game: Game, action: Action, keys: RepairKeys) -> Procedure[None]:
    """Pioneers go to work on the bridge before them, or stop. Raises ActionRefused with every reason."""
    return _if_allowed(game, action, _repair_bars if keys.on else order_bars, partial(_repair, on=keys.on))


def _repair_bars(board: Board, troop: Troop) -> Reasons:
    reasons = order_bars(board, troop)
    reasons.add(troop.type != "pioneer", "only pioneers repair bridges", "MP-76")
    reasons.add(not troop.steady, f"is {'routed' if troop.state.routed else 'disordered'}", "MP-76")
    reasons.add(bridge_before(board, troop) is None, "has no bridge free of enemies before it", "MP-76")
    return reasons


def bridge_before(board: Board, troop: Troop) -> Cell | None:
    """The hex of the bridge in one of a unit's two frontal hexes, free of enemies; None: there is none (MP-76)."""
    if troop.facing is None:
        return None
    for direction in (troop.facing, troop.facing + 1):
        cell = beyond(troop.hex, direction)
        if cell in board.ground.bridges and not board.enemies_at(cell, troop.side):
            return cell
    return None


def _repair(_game: Game, troop: Troop, on: bool) -> Procedure[None]:
    facts = {"unit": troop.id, "on": on}
    yield from happen(Event(event="repair", facts=facts, changes=state(troop.id, repairing=on), rule="MP-76"))
