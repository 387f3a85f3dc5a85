"""Hexes of the enemy that may be entered: leaders and wagons, and what a charge rides over (MP-66, MP-104)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.geometry.grids.flat import beyond, direction_between
from engine.records.game import Cell
from engine.rulesets.musket_pike.movement.crossings import crossing_of, walker_of
from engine.rulesets.musket_pike.movement.stacking import crowd_bars
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.troops import Troop
from engine.rulesets.musket_pike.table.zones import controlled

__all__ = ["Overrun", "can_fall_back", "holders", "overrun_of"]

Fate = Literal["captured", "eliminated", "uncrewed"]
#: Where cavalry rides over skirmishers and guns.
_OPEN = frozenset({"clear", "field"})


@dataclass(frozen=True)
class Overrun:
    """Entering a hex that the enemy holds: why not, or what becomes of each unit there, by a row.

    ``failed``: it is tried, and stops the cavalry before the hex.
    """

    bars: tuple[tuple[str, str], ...] = ()
    fates: tuple[tuple[Troop, Fate], ...] = ()
    rule: str = "MP-66"
    failed: bool = False


def holders(board: Board, cell: Cell, side: str) -> tuple[Troop, ...]:
    """The enemies who keep a side out of a hex: forsaken guns among one's own troops do not."""
    enemies = board.enemies_at(cell, side)
    if enemies and all(troop.state.uncrewed for troop in enemies) and board.friends_at(cell, side):
        return ()
    return enemies


def overrun_of(board: Board, troop: Troop, here: Cell, cell: Cell, *, charging: bool) -> Overrun | None:
    """What entering a hex from its neighbour does to the enemies there; None where there are none."""
    enemies = holders(board, cell, troop.side)
    if not enemies:
        return None
    if all(enemy.leader or enemy.wagon for enemy in enemies):
        if troop.foot or troop.horse:
            return Overrun(fates=_taken(enemies), rule="MP-106" if charging else "MP-66")
    elif charging and troop.horse:
        found = _ridden_over(board, troop, here, cell, enemies)
        if found is not None:
            return found
    names = ", ".join(enemy.id for enemy in enemies)
    return Overrun(bars=((f"{list(cell)} is held by {names}", "MP-43"),))


def _taken(enemies: Sequence[Troop]) -> tuple[tuple[Troop, Fate], ...]:
    return tuple((enemy, "captured") for enemy in enemies)


def _ridden_over(board: Board, troop: Troop, here: Cell, cell: Cell, enemies: Sequence[Troop]) -> Overrun | None:
    """A charge at skirmishers (with leaders) or at guns alone; None at anybody else."""
    light = [enemy for enemy in enemies if enemy.skirmisher]
    riders_over = bool(light) and all(enemy.skirmisher or enemy.leader for enemy in enemies)
    guns_alone = all(enemy.gun for enemy in enemies)
    if not riders_over and not guns_alone:
        return None
    rule = "MP-104" if riders_over else "MP-105"
    direction = direction_between(here, cell)
    walled = direction is not None and board.ground.obstructed_side(here, direction)
    if board.ground.kind(cell) not in _OPEN or walled:
        return Overrun(bars=((f"{list(cell)} is not open to a charge", rule),), rule=rule)
    if guns_alone:
        return _guns_taken(board, enemies)
    if troop.strength < sum(enemy.strength for enemy in light):
        return Overrun(rule=rule, failed=True)
    return Overrun(
        fates=tuple((enemy, "captured" if enemy.leader else "eliminated") for enemy in enemies), rule=rule
    )


def _guns_taken(board: Board, guns: Sequence[Troop]) -> Overrun:
    """Forsaken guns are captured, crews in action driven off, limbered guns that cannot get away lost (MP-105)."""
    away = [
        gun for gun in guns if gun.formation == "limbered" and not gun.state.uncrewed and can_fall_back(board, gun)
    ]
    if away:
        names = ", ".join(gun.id for gun in away)
        return Overrun(bars=((f"{names} can get away to flank or rear", "MP-105"),), rule="MP-105")
    return Overrun(fates=tuple((gun, _fate_of(gun)) for gun in guns), rule="MP-105")


def _fate_of(gun: Troop) -> Fate:
    if gun.state.uncrewed:
        return "captured"
    return "uncrewed" if gun.formation == "unlimbered" else "eliminated"


def can_fall_back(board: Board, troop: Troop) -> bool:
    """Whether a hex to flank or rear of a unit is free for it to retreat into (MP-85, MP-105, MP-202)."""
    facing = troop.facing
    for direction in range(6):
        cell = beyond(troop.hex, direction)
        if facing is not None and (direction - facing) % 6 in (0, 1):
            continue
        if not board.grid.holds(cell) or board.enemies_at(cell, troop.side) or controlled(board, cell, troop.side):
            continue
        passable = crossing_of(board, walker_of(troop), troop.hex, direction).cost is not None
        if passable and not any(crowd_bars(board, (troop,), cell)):
            return True
    return False
