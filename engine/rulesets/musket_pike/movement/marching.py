"""A stack on its way, hex by hex: what happens to each unit as it enters one (MP-46 to MP-72, MP-225)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from engine.dice import Roll, Rolled
from engine.events import Event, apply
from engine.play import Procedure, happen
from engine.records.game import Game
from engine.rulesets.musket_pike.changes import (
    captured_leader,
    captured_wagon,
    disordered,
    left_work,
    placed_at,
    state,
    taken,
)
from engine.rulesets.musket_pike.draws import happens
from engine.rulesets.musket_pike.losses.harm import eliminate
from engine.rulesets.musket_pike.movement.arriving import crowded, run_through
from engine.rulesets.musket_pike.movement.overruns import Overrun
from engine.rulesets.musket_pike.movement.steps import Mover, Step, mover_of, step_of
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.troops import Troop, allowance, full_allowance
from engine.rulesets.musket_pike.table.zones import controllers
from engine.rulesets.musket_pike.turns.upkeep import upkeep

__all__ = ["Halted", "March", "march", "rehearsed"]

#: What quality adds to the chance in a hundred that moving in line disorders (MP-71); better than A counts as A.
_LINE_DISORDER = {"B": -5, "C": 0, "D": 10, "E": 20, "F": 30}
_BEST = -10
#: More points than any step costs: what a charge that goes on is not asked for (MP-178).
_NO_POINTS = 1e9
#: The rows by which the ground itself disorders.
_GROUND_ROWS = frozenset({"MP-46", "MP-56", "MP-57", "MP-64"})


@dataclass(frozen=True)
class March:
    """Who marches along which directions, the first unit leading.

    ``free``: a charge that goes on, which asks no points. ``forced``: the umpire sends them whatever the rules say.
    """

    units: tuple[str, ...]
    path: tuple[int, ...]
    charging: bool = False
    free: bool = False
    forced: bool = False


@dataclass(frozen=True)
class Halted:
    """Where a march could not go on by the rules: the unit, and all that speaks against its next step."""

    unit: str
    bars: tuple[tuple[str, str], ...]


def rehearsed(game: Game, order: March) -> Halted | None:
    """What a march comes to if no die disorders anybody: where it is against the rules, else None."""
    procedure = march(game, order)
    try:
        step = next(procedure)
        while True:
            if isinstance(step, Roll):
                step = procedure.send(Rolled(roll=step, scores=(99,) * step.count))
            else:
                game = apply(game, step)
                step = procedure.send(game)
    except StopIteration as end:
        halted: Halted | None = end.value
        return halted


def march(game: Game, order: March) -> Procedure[Halted | None]:
    """Marches a stack as far as it gets; Halted where a step is against the rules, None at its end."""
    for direction in order.path:
        halted = _halted(board_of(game), order, direction)
        if halted is not None:
            return halted
        stopped = False
        for name in order.units:
            if name not in board_of(game).troops:
                continue
            step = _step(board_of(game), order, name, direction)
            if step.bars and not order.forced:
                return Halted(name, step.bars)
            if step.to is not None:
                game, ended = yield from _take(game, name, step, order)
                stopped = stopped or ended
        if stopped:
            return None
    return None


def _halted(board: Board, order: March, direction: int) -> Halted | None:
    """The first unit of a stack without the points for the next step, looked at before any takes it."""
    if order.forced:
        return None
    for name in order.units:
        bars = _step(board, order, name, direction).bars
        if any(rule == "MP-40" for _, rule in bars):
            return Halted(name, bars)
    return None


def _step(board: Board, order: March, name: str, direction: int) -> Step:
    """The step of one unit of a stack; those before it have gone already."""
    troop = board.troops[name]
    ahead = order.units[: order.units.index(name)]
    mover = mover_of(troop, charging=order.charging and troop.horse)
    if order.free:
        mover = Mover(troop, troop.hex, troop.facing, disordered=False, used=-_NO_POINTS, charging=troop.horse)
    step = step_of(board, mover, direction, [board.troops[other] for other in ahead if other in board.troops])
    if order.free and troop.horse and step.to is not None and board.at(step.to):
        full = (f"{list(step.to)} is not empty: attack it, or go elsewhere", "MP-178")
        step = replace(step, bars=(*step.bars, full), overrun=None)
    return step


def _take(game: Game, name: str, step: Step, order: March) -> Procedure[tuple[Game, bool]]:
    """A unit takes a step; the game after it, and whether its movement has ended."""
    board = board_of(game)
    troop = board.troops[name]
    if step.overrun is not None and step.overrun.failed:
        where = ", ".join(map(str, step.to or ()))
        why = f"the skirmishers in hex {where} are too many to ride down"
        return (yield from _stop(game, troop, why, "MP-104", order)), True
    if step.overrun is not None:
        game = yield from _overrun(game, troop, step.overrun)
    game = yield from _enter(game, troop, step, order)
    game = yield from _disordering(game, name, step)
    game = yield from upkeep(game)
    if not step.stops:
        return game, False
    zones = ", ".join(controllers(board_of(game), step.to or troop.hex, troop.side))
    why = f"it is in the zone of control of {zones}"
    return (yield from _stop(game, board_of(game).troops[name], why, "MP-72", order)), True


def _enter(game: Game, troop: Troop, step: Step, order: March) -> Procedure[Game]:
    """A unit stands in the next hex, and has paid for it."""
    board, cost, to = board_of(game), step.cost or 0.0, step.to or troop.hex
    paid: dict[str, float] = {"mp_used": _tidy(troop.state.mp_used + cost)}
    if order.free:
        paid = {"continued": troop.state.continued + 1} if troop.horse else {}
    turned = None if step.facing == troop.facing else step.facing
    changes = (*placed_at(board, troop.unit, to, turned), *state(troop.id, moved=True, exerted=True, **paid))
    changes = (*changes, *left_work(troop))
    facts = {"unit": troop.id, "to": list(to), "cost_mp": 0.0 if order.free else _tidy(cost)}
    rule = "MP-178" if order.free else {"road": "MP-55", "bridge": "MP-58", "boat": "MP-60"}.get(step.by, "MP-41")
    return (yield from happen(Event(event="moved", facts=facts, changes=changes, rule=rule)))


def _tidy(points: float) -> float:
    """Points without the crumbs of the arithmetic."""
    return round(points, 9)


def _stop(game: Game, troop: Troop, reason: str, rule: str, order: March) -> Procedure[Game]:
    """A unit's movement is over for this turn; disorder had not shortened that of one that charges (MP-102)."""
    whole = full_allowance if order.charging and troop.horse else allowance
    most = max(troop.state.mp_used, whole(troop, board_of(game).parameters))
    changes = state(troop.id, mp_used=most)
    if order.free:
        changes = state(troop.id, halted=True) if troop.horse else ()
    facts = {"unit": troop.id, "reason": reason}
    return (yield from happen(Event(event="stopped", facts=facts, changes=changes, rule=rule)))


def _overrun(game: Game, troop: Troop, overrun: Overrun) -> Procedure[Game]:
    """What becomes of the enemies in a hex that is entered (MP-66, MP-104 to MP-106)."""
    names = [enemy.id for enemy, _ in overrun.fates]
    facts = {"unit": troop.id, "units": names}
    game = yield from happen(Event(event="overrun", facts=facts, rule=overrun.rule))
    for enemy, fate in overrun.fates:
        if fate == "eliminated":
            game = yield from eliminate(game, enemy.id, overrun.rule)
        elif enemy.leader:
            game = yield from happen(captured_leader(board_of(game), enemy, troop.side, overrun.rule))
        elif enemy.wagon:
            game = yield from happen(captured_wagon(enemy, troop, overrun.rule))
        elif fate == "captured":
            facts = {"unit": enemy.id, "by": troop.side}
            changes = taken(enemy.id, troop.side)
            game = yield from happen(Event(event="captured", facts=facts, changes=changes, rule=overrun.rule))
        else:
            changes = state(enemy.id, uncrewed=True)
            game = yield from happen(
                Event(event="uncrewed", facts={"unit": enemy.id}, changes=changes, rule="MP-88")
            )
    return game


def _disordering(game: Game, name: str, step: Step) -> Procedure[Game]:
    """Whom the ground, marching in line, and the company in the hex entered disorder."""
    troop = board_of(game).troops[name]
    if step.disorders in _GROUND_ROWS:
        game = yield from _let(game, disordered(troop, step.disorders))
    game = yield from _line_disorder(game, name)
    game = yield from crowded(game, troop.hex, troop.side)
    return (yield from run_through(game, name))


def _let(game: Game, events: Iterable[Event]) -> Procedure[Game]:
    """Lets events happen one after the other."""
    for event in events:
        game = yield from happen(event)
    return game


def _line_disorder(game: Game, name: str) -> Procedure[Game]:
    """Infantry in line or block may be disordered by each hex that it enters, by option (MP-71)."""
    board = board_of(game)
    troop = board.troops[name]
    if not board.options.line_movement_restriction or not (troop.line or troop.block) or not troop.steady:
        return game
    percent = (board.parameters.nation(troop.nation).line_disorder_percent or 0.0) + _LINE_DISORDER.get(
        troop.stats.quality, _BEST
    )
    if (yield from happens(max(0.0, percent) / 100, f"whether marching in line disorders {name}", "MP-71")):
        game = yield from _let(game, disordered(troop, "MP-71"))
    return game
