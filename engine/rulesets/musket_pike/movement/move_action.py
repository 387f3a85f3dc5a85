"""``move`` and ``charge``: a unit goes hex by hex along directions (MP-40 to MP-72, MP-100 to MP-106, MP-178)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from msgspec import Meta, Struct

from engine.errors import UnknownAction
from engine.events import Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.base.fitting import expected
from engine.rulesets.musket_pike.changes import disordered, state
from engine.rulesets.musket_pike.draws import happens
from engine.rulesets.musket_pike.movement.marching import Halted, March, march, rehearsed
from engine.rulesets.musket_pike.nerve.morale import change_chance
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.ground import DIRECTIONS
from engine.rulesets.musket_pike.table.permits import charge_bars, continues, move_bars
from engine.rulesets.musket_pike.table.troops import Troop
from engine.rulesets.musket_pike.table.zones import threat_at
from engine.rulesets.musket_pike.vocabulary import Direction

__all__ = ["MoveKeys", "charge", "group_of", "move"]


class MoveKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"with_": "with"}):
    """The keys of ``move`` and ``charge``: who goes along, and the directions of the steps."""

    path: Annotated[tuple[Direction, ...], Meta(min_length=1)]
    with_: tuple[str, ...] = ()


def group_of(board: Board, unit: str, others: Sequence[str], reasons: Reasons) -> list[Troop]:
    """A unit and those of its hex that act with it; notes who is not there to do so.

    Raises UnknownAction for a name that no unit has.
    """
    found: list[Troop] = []
    for name in dict.fromkeys((unit, *others)):
        troop = board.troops.get(name)
        if name not in board.game.by_id:
            raise UnknownAction(f"with: {expected(sorted(board.game.by_id), name)}")
        if troop is None:
            reasons.add(True, f"{name} is off the map", "MP-01")
            continue
        if found:
            reasons.add(troop.hex != found[0].hex, f"{name} is not in the hex of {unit}", "MP-40")
            reasons.add(troop.side != found[0].side, f"{name} is not of {found[0].side}", "MP-11")
        found.append(troop)
    return found


def move(game: Game, action: Action, keys: MoveKeys) -> Procedure[None]:
    """Units move along a path as far as they may. Raises ActionRefused with every reason."""
    board, reasons, unit = board_of(game), Reasons(), action.unit or ""
    group = group_of(board, unit, keys.with_, reasons)
    for troop in group:
        _told(reasons, troop, move_bars(board, troop), many=len(group) > 1)
    order = March(tuple(troop.id for troop in group), _directions(keys))
    against = _allowed(game, action, order, reasons)
    return _move(game, action, replace(order, forced=bool(against)), against)


def _move(game: Game, action: Action, order: March, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    yield from _march(game, order)


def _directions(keys: MoveKeys) -> tuple[int, ...]:
    return tuple(DIRECTIONS.index(name) for name in keys.path)


def _told(reasons: Reasons, troop: Troop, more: Reasons, *, many: bool) -> None:
    """Notes a unit's own reasons, by its name where there are several."""
    texts = [f"{troop.id} {text}" if many else text for text in more.texts]
    reasons.extend(zip(texts, more.rules, strict=True))


def _allowed(game: Game, action: Action, order: March, reasons: Reasons) -> tuple[str, ...]:
    """What the umpire overrules. Raises ActionRefused with every reason, those on the way included."""
    together = {board_of(game).troops[name].hex for name in order.units}
    halted = rehearsed(game, order) if len(together) == 1 else None
    if halted is not None:
        _halting(reasons, halted, many=len(order.units) > 1)
    return allow(action, reasons)


def _halting(reasons: Reasons, halted: Halted, *, many: bool) -> None:
    reasons.extend((f"{halted.unit}: {text}" if many else text, rule) for text, rule in halted.bars)


def _march(game: Game, order: March) -> Procedure[None]:
    """The stack marches; where a die has brought it to a halt, that is told."""
    halted = yield from march(game, order)
    if halted is not None:
        facts = {"unit": halted.unit, "reason": "; ".join(text for text, _ in halted.bars)}
        yield from happen(Event(event="stopped", facts=facts, rule=halted.bars[0][1]))


def charge(game: Game, action: Action, keys: MoveKeys) -> Procedure[None]:
    """Cavalry charges along a path, or goes on with a charge. Raises ActionRefused with every reason."""
    board, reasons, unit = board_of(game), Reasons(), action.unit or ""
    group = group_of(board, unit, keys.with_, reasons)
    for number, troop in enumerate(group):
        bars = move_bars(board, troop) if number else charge_bars(board, troop)
        _told(reasons, troop, bars, many=len(group) > 1)
        reasons.add(number > 0 and not troop.leader, f"{troop.id}: only leaders ride along in a charge", "MP-100")
    free = bool(group) and continues(group[0])
    order = March(tuple(troop.id for troop in group), _directions(keys), charging=True, free=free)
    if free:
        steps, most = group[0].state.continued + len(order.path), board.parameters.continuation_hexes
        reasons.add(steps > most > group[0].state.continued, f"goes on for {steps} hexes, at most {most}", "MP-178")
    against = _allowed(game, action, order, reasons)
    return _charge(game, action, replace(order, forced=bool(against)), against)


def _charge(game: Game, action: Action, order: March, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if not order.units:
        return
    troop = board_of(game).troops[order.units[0]]
    if not order.free and not troop.state.charging:
        board = board_of(game)
        chance = change_chance(board, troop, threat_at(board, troop.hex, troop.side), charging=True)
        starts = yield from happens(chance, f"whether {troop.id} charges", "MP-101")
        facts = {"unit": troop.id, "probability": chance, "success": starts}
        changes = state(troop.id, charging=True) if starts else ()
        game = yield from happen(Event(event="charge", facts=facts, changes=changes, rule="MP-101"))
        if not starts:
            for event in disordered(troop, "MP-101"):
                yield from happen(event)
            return
    yield from _march(game, order)
