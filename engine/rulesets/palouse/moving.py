"""Where a unit may go, what its activation needs, and why it may not move (PA-10 to PA-24)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.geometry.grids import walk
from engine.geometry.plane.directions import off
from engine.geometry.plane.tolerance import DEG
from engine.records.answer import Modifier
from engine.records.game import Cell, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.palouse.board import Board
from engine.rulesets.palouse.vocabulary import Conditions, state_of

__all__ = [
    "activation_modifiers", "allowance", "move_reasons", "own_reasons", "path_reasons", "reach",
    "reroll", "step_bar", "step_reasons", "turned",
]  # fmt: skip


def allowance(board: Board, unit: Unit) -> int:
    """How many bounds the unit moves when activated (PA-14, PA-15)."""
    kind, state = board.kind(unit), state_of(unit)
    if kind.gun and state.has_fired and board.conditions.options.artillery_fixed == "game":
        return 0
    return kind.bounds if kind.bounds_hit is None or state.hits == 0 else kind.bounds_hit


def own_reasons(board: Board, unit: Unit, step: str) -> Reasons:
    """What keeps a unit from doing anything in a step of the turn, whatever it is (PA-05, R18)."""
    reasons, state = Reasons(), state_of(unit)
    reasons.add(state.eliminated, f"{unit.id} is eliminated", "PA-50")
    active = board.game.turn.active_side
    reasons.add(active is not None and active != unit.side, f"it is the turn of {active}", "PA-05")
    _step_reason(reasons, board.conditions, step)
    return reasons


def _step_reason(reasons: Reasons, conditions: Conditions, step: str) -> None:
    now = conditions.step
    reasons.add(now is not None and now != step, f"this is the {now} step, not {step}", "R18")


def step_bar(board: Board, step: str) -> Reasons:
    """What keeps an action of no unit out of the present step (R18)."""
    reasons = Reasons()
    _step_reason(reasons, board.conditions, step)
    return reasons


def move_reasons(board: Board, unit: Unit) -> Reasons:
    """What keeps a unit from moving and from turning (PA-10, PA-13, PA-17)."""
    reasons, state = own_reasons(board, unit, "movement"), state_of(unit)
    reasons.add(state.moved, "has moved this turn", "PA-10")
    reasons.add(state.fired, "has fired this turn: a unit moves or shoots", "PA-17")
    reasons.add(state.activation_failed, "failed its activation this turn, so it stays", "PA-13")
    reasons.add(state.activation_failed, "has had its one try of this turn", "PA-10")
    return reasons


def activation_modifiers(board: Board, unit: Unit, goal: Cell | None = None) -> tuple[Modifier, ...]:
    """What changes the activation die, for a move to ``goal`` or for staying (PA-11, PA-12)."""
    rules, state, found = board.book.activation, state_of(unit), []
    cells = [board.stands[unit.id].cell, *([] if goal is None else [goal])]
    hinders = any(ground.hinders for cell in cells for ground in board.ground_at(cell))
    if board.kind(unit).close_order and hinders:
        found.append(_value("close order in rough ground", rules.close_order, "PA-11"))
    if state.hits >= rules.hits_per_step:
        found.append(_value(f"{state.hits} hits", -(state.hits // rules.hits_per_step), "PA-12"))
    return tuple(found)


def reroll(board: Board, unit: Unit) -> str | None:
    """Who lets the unit roll a failed activation again: ``commander``, ``officer`` or None (PA-61 to PA-63)."""
    if board.near_commander(unit):
        return "commander"
    return "officer" if state_of(unit).officer else None


def _entry_reasons(board: Board, unit: Unit, cell: Cell) -> Iterator[tuple[str, str]]:
    """Why the unit may not stand in a square (PA-18 to PA-25)."""
    where = f"square {list(cell)}"
    if not board.grid.holds(cell):
        yield f"{where} is off the table", "PA-01"
        return
    other = board.occupant(cell)
    if other is not None and other.id != unit.id:
        yield f"{where} is held by {other.id}", "PA-18"
    kind, spared = board.kind(unit), board.conditions.options.artillery_difficult == "allowed"
    grounds = board.ground_at(cell)
    for name, ground in zip(sorted(board.kinds_at(cell)), grounds, strict=True):
        if ground.impassable is not None:
            yield f"{where}: {name} cannot be entered", ground.impassable
        if kind.gun and ground.bars_guns is not None and not (spared and ground.bars_guns == "PA-24"):
            yield f"{where}: no {unit.type} in {name}", ground.bars_guns
    if _uncrossed_river(board, board.kinds_at(cell)):
        yield f"{where}: a river is entered only on a bridge or ford", "PA-23"


def _uncrossed_river(board: Board, kinds: frozenset[str]) -> bool:
    grounds = [board.book.kinds[kind] for kind in kinds]
    return any(ground.river for ground in grounds) and not any(ground.crossing for ground in grounds)


def step_reasons(board: Board, unit: Unit, start: Cell, end: Cell) -> Iterator[tuple[str, str]]:
    """Why the unit may not step from a square into the next one."""
    if board.steps(start, end) != 1:
        yield f"square {list(end)} is not next to {list(start)}", "PA-14"
        return
    yield from _entry_reasons(board, unit, end)
    if start[0] == end[0] or start[1] == end[1]:
        if _uncrossed_river(board, board.kinds_on(start, end)):
            yield f"a river bars the way from {list(start)} to {list(end)}", "PA-23"
    elif all(_river_round(board, start, corner, end) for corner in ((start[0], end[1]), (end[0], start[1]))):
        yield f"a river bars both ways round the corner from {list(start)} to {list(end)}", "PA-23"


def _river_round(board: Board, start: Cell, corner: Cell, end: Cell) -> bool:
    """Whether the way round a corner by one of the squares beside it meets a river (R20)."""
    met = (board.kinds_on(start, corner), board.kinds_at(corner), board.kinds_on(corner, end))
    return any(_uncrossed_river(board, kinds) for kinds in met)


def reach(board: Board, unit: Unit) -> list[Cell]:
    """The squares that the unit can move to, nearest first, its own left out (PA-14, PA-18)."""
    start = board.stands[unit.id].cell

    def steps(cell: Cell, _spent: float) -> Iterator[tuple[Cell, float]]:
        for other in board.grid.neighbours(cell, board.conditions.options.diagonals):
            if next(step_reasons(board, unit, cell, other), None) is None:
                yield other, 1.0

    found = walk(start, steps, allowance(board, unit)).cost
    return sorted((cell for cell in found if cell != start), key=lambda cell: (found[cell], cell))


def path_reasons(board: Board, unit: Unit, goal: Cell, path: Sequence[Cell] | None) -> Reasons:
    """Why the unit may not move to a square, by a path of squares or, without one, by any (PA-14 to PA-24)."""
    reasons = Reasons()
    start, bounds = board.stands[unit.id].cell, allowance(board, unit)
    reasons.add(goal == start, f"it stands in {list(goal)} already", "PA-14")
    fixed = bounds == 0
    reasons.add(fixed, "guns that have fired stay where they are", "PA-15")
    if path is not None:
        reasons.add(not path or path[-1] != goal, f"the path must end in {list(goal)}", "PA-14")
        reasons.add(len(path) > bounds and not fixed, _too_far(len(path), bounds), "PA-14")
        for here, there in zip([start, *path], path, strict=False):
            reasons.extend(step_reasons(board, unit, here, there))
        return reasons
    if goal == start or goal in reach(board, unit):
        return reasons
    away = board.steps(start, goal)
    reasons.add(away > bounds and not fixed, _too_far(away, bounds), "PA-14")
    entry = list(step_reasons(board, unit, start, goal) if away == 1 else _entry_reasons(board, unit, goal))
    reasons.extend(entry)
    if 1 < away <= bounds and not entry:
        reasons.add(True, f"no free square leads to {list(goal)}", "PA-18")
    return reasons


def _too_far(bounds: int, most: int) -> str:
    return f"{bounds} bounds away, it moves {most}"


def _value(name: str, value: int, rule: str) -> Modifier:
    return Modifier(name=name, effect=f"{value:+d}", rule=rule, extra={"value": value})


def turned(board: Board, unit: Unit, bearing_deg: float) -> bool:
    """Whether a bearing is another than the unit's, by more than the measurement can err (PA-16)."""
    stand = board.stands[unit.id]
    apart = float(off(np.array(bearing_deg), np.array(stand.bearing_deg)))
    return apart > max(2 * stand.bearing_sigma_deg, DEG)
