"""Changes of formation: into what, at which cost and chance, and why not (MP-36, MP-44, MP-82)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.geometry.grids.flat import beyond, steps_apart
from engine.records.game import Cell
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.movement.crossings import crossing_of, walker_of
from engine.rulesets.musket_pike.movement.overruns import holders
from engine.rulesets.musket_pike.movement.stacking import crowd_bars
from engine.rulesets.musket_pike.movement.steps import EQUAL
from engine.rulesets.musket_pike.nerve.morale import change_chance
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.permits import turn_bars
from engine.rulesets.musket_pike.table.troops import LINE_FORMATIONS, Troop, mp_left
from engine.rulesets.musket_pike.table.zones import threat_at
from engine.rulesets.musket_pike.vocabulary import FORMATIONS

__all__ = [
    "EXTENDED",
    "REJOINED",
    "change_bars",
    "change_cost",
    "change_options",
    "extension_hex",
    "is_thinkable",
    "other_half",
]

EXTENDED, REJOINED = "extended-line", "shortened-line"
_DETACHMENTS = frozenset({"skirmisher", "squadron"})


def change_options(board: Board, troop: Troop) -> list[dict[str, Any]]:
    """What a unit may change into, as an answer lists it: one for each other formation of its type."""
    chance = change_chance(board, troop, threat_at(board, troop.hex, troop.side))
    found = []
    for goal in _goals(board, troop):
        reasons = change_bars(board, troop, goal)
        found.append(
            {
                "to": goal, "legal": not reasons, "why_not": list(reasons.texts), "why_rules": list(reasons.rules),
                "cost_mp": change_cost(board, troop, goal), "probability": chance,
            }
        )  # fmt: skip
    return found


def is_thinkable(troop: Troop, goal: str) -> bool:
    """Whether a unit could ever be in a formation, even if the umpire overrules the rules."""
    if troop.gun:
        return goal in (*FORMATIONS[troop.type], EXTENDED, REJOINED)
    return goal in FORMATIONS[troop.type] and (goal != "dismounted" or "dragoon" in troop.attributes)


def _goals(board: Board, troop: Troop) -> list[str]:
    goals = [name for name in FORMATIONS[troop.type] if name != troop.formation]
    if troop.gun and troop.formation == "unlimbered":
        goals += [EXTENDED] * (troop.strength >= board.parameters.extended_minimum_guns)
        goals += [REJOINED] * (other_half(board, troop) is not None)
    return goals


def change_cost(board: Board, troop: Troop, goal: str) -> float:
    """The points of a change of formation (MP-44)."""
    old, costs = troop.formation, board.parameters.formation_cost
    if "block" in (old, goal):
        key = "block"
    elif EXTENDED in (old, goal) or goal == REJOINED:
        key = "extended"
    elif goal in ("limbered", "unlimbered"):
        key = "limber" if goal == "limbered" else "unlimber"
    else:
        key = "mount" if goal in ("mounted", "dismounted") else "line-column"
    return costs.get(key, 0.0)


def change_bars(board: Board, troop: Troop, goal: str, hex: Cell | None = None) -> Reasons:
    """What keeps a unit from changing into a formation; ``hex``: where half of it goes (MP-36)."""
    reasons, state = turn_bars(board, troop), troop.state
    if goal == troop.formation or goal not in _goals(board, troop):
        reasons.add(True, f"{troop.type} in {troop.formation} does not change into {goal}", "MP-44")
        return reasons
    reasons.add(state.routed, "is routed", "MP-44")
    may = board.options.disordered_may_change_formation
    reasons.add(state.disordered and not may, "is disordered", "MP-44")
    reasons.add(state.captured_by is not None, "captured guns stay where they are", "MP-87")
    reasons.extend(_goal_bars(board, troop, goal, hex))
    cost, left = change_cost(board, troop, goal), mp_left(troop, board.parameters)
    reasons.add(cost > left + EQUAL, f"costs {cost:g}, {left:g} movement points are left", "MP-40")
    return reasons


def _goal_bars(board: Board, troop: Troop, goal: str, hex: Cell | None) -> Iterator[tuple[str, str]]:
    attributes = troop.attributes
    if goal == "block":
        if troop.type == "pioneer":
            yield "pioneers never form block", "MP-35"
        if "can-block" not in attributes:
            yield "cannot form block", "MP-44"
        if board.ground.obstructed(troop.hex) or board.ground.kind(troop.hex) == "chateau":
            yield f"no block in {board.ground.kind(troop.hex)}", "MP-44"
    if goal in LINE_FORMATIONS and not troop.gun and "no-line" in attributes:
        yield "cannot form line", "MP-44"
    if goal == "dismounted" and "dragoon" not in attributes:
        yield "only dragoons dismount", "MP-44"
    if goal == EXTENDED:
        yield from _extension_bars(board, troop, hex)
    if goal == REJOINED:
        yield from _rejoining_bars(board, troop)


def _extension_bars(board: Board, troop: Troop, hex: Cell | None) -> Iterator[tuple[str, str]]:
    """Why half of a line may not go out beside it (MP-36)."""
    if not troop.gun and troop.formation not in ("line", REJOINED):
        yield f"only a line extends, not {troop.formation}", "MP-36"
    parameters = board.parameters
    least = parameters.extended_minimum_guns if troop.gun else parameters.extended_minimum
    if troop.strength < least:
        yield f"{troop.strength} are too few, at least {least:g}", "MP-36"
    if f"{troop.id}-x" in board.game.by_id:
        yield f"{troop.id}-x is out already", "MP-36"
    cell = extension_hex(troop, hex)
    if cell is None:
        yield f"{list(hex or ())} lies beyond no flank", "MP-36"
    else:
        yield from _entry_bars(board, troop, cell)


def extension_hex(troop: Troop, hex: Cell | None) -> Cell | None:
    """The hex beyond a flank where half of a unit goes: the one named, else the right one; None: it is no flank."""
    facing = troop.facing or 0
    left, right = beyond(troop.hex, facing + 5), beyond(troop.hex, facing + 2)
    if hex is None:
        return right
    return hex if hex in (left, right) else None


def _entry_bars(board: Board, troop: Troop, cell: Cell) -> Iterator[tuple[str, str]]:
    """Why half of a unit could not enter a hex, cost aside."""
    if not board.grid.holds(cell):
        yield f"{list(cell)} is off the map", "MP-01"
        return
    for enemy in holders(board, cell, troop.side)[:1]:
        yield f"{list(cell)} is held by {enemy.id}", "MP-43"
    direction = next(side for side in range(6) if beyond(troop.hex, side) == cell)
    walker = walker_of(troop)
    moves = walker._replace(kind="limbered") if walker.kind == "unlimbered" else walker
    yield from crossing_of(board, moves, troop.hex, direction).bars
    leaving = troop.strength // 2
    half = replace(troop, strength=leaving, men=troop.men * leaving / max(1, troop.strength))
    yield from crowd_bars(board, (half,), cell)


def other_half(board: Board, troop: Troop) -> Troop | None:
    """The other counter of a line or battery that is extended over two hexes."""
    if troop.type in _DETACHMENTS:
        return None
    parent = board.troops.get(troop.stats.parent or "")
    if parent is not None and parent.type == troop.type:
        return parent
    return next(
        (other for other in board.own(troop.side) if other.stats.parent == troop.id and other.type == troop.type),
        None,
    )


def _rejoining_bars(board: Board, troop: Troop) -> Iterator[tuple[str, str]]:
    """Why the halves of an extended line or battery may not rejoin (MP-36, MP-44)."""
    wanted = "unlimbered" if troop.gun else EXTENDED
    other = other_half(board, troop)
    if troop.formation != wanted or other is None or other.formation != wanted:
        yield "only the halves of an extended line rejoin", "MP-36"
        return
    away = steps_apart(troop.hex, other.hex)
    if away != 1:
        yield f"{other.id} is {away} hexes away: halves rejoin side by side", "MP-36"
    if not other.steady and not board.options.disordered_may_change_formation:
        yield f"{other.id} cannot change formation: {'routed' if other.state.routed else 'disordered'}", "MP-36"
    for text, rule in zip(turn_bars(board, other).texts, turn_bars(board, other).rules, strict=True):
        yield f"{other.id} {text}", rule
