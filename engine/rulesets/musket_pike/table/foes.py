"""The enemies of each unit: how far away, in its arc or not, and from which of their sides it would come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.geometry.grids.facings import in_arc
from engine.records.game import Unit
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.sight import shown
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["Aspect", "Foe", "foes_of", "known_enemies", "off_map"]

Aspect = Literal["front", "flank", "rear"]
_ASPECTS: tuple[Aspect, ...] = ("flank", "rear", "front")


class Foe(NamedTuple):
    """An enemy of a unit: how many hexes away, whether the unit faces him, from which side of his it would come."""

    hexes: int
    troop: Troop
    ahead: bool
    aspect: Aspect


def foes_of(board: Board, troop: Troop) -> tuple[Foe, ...]:
    """The enemies whom a unit's side knows of, nearest first, worked out once for each board and all its units."""
    return board.once(("foes", troop.side), lambda: _foes(board, troop.side))[troop.id]


def _foes(board: Board, side: str) -> Mapping[str, tuple[Foe, ...]]:
    """The enemies of every unit that acts for a side."""
    own = [troop for troop in board.troops.values() if troop.side == side]
    there = shown(board, side)
    if not own or not there:
        return {troop.id: () for troop in own}
    here, away = (np.array([troop.hex for troop in troops]) for troops in (own, there))
    hexes = board.grid.distances(here[:, None], away[None])
    ahead = _faced(board, own, here[:, None], away[None]).tolist()
    all_round = np.array([[troop.facing is None] for troop in there])
    before = _faced(board, there, away[:, None], here[None]) | all_round
    behind = _faced(board, there, away[:, None], here[None], turned=3)
    aspects = np.where(before, 2, np.where(behind, 1, 0)).T.tolist()
    order, counts = np.argsort(hexes, axis=1, kind="stable").tolist(), hexes.tolist()
    return {
        troop.id: tuple(
            [Foe(counts[n][k], there[k], ahead[n][k], _ASPECTS[aspects[n][k]]) for k in order[n]]
        )
        for n, troop in enumerate(own)
    }  # fmt: skip


def _faced(
    board: Board, troops: list[Troop] | tuple[Troop, ...], here: NDArray[np.int64], others: NDArray[np.int64],
    *, turned: int = 0,
) -> NDArray[np.bool_]:  # fmt: skip
    """Whether units in hexes (T, 1, 2), if they turned so many vertices, would face hexes (1, O, 2): (T, O).

    Those without a facing face every hex but their own (MP-04).
    """
    facings = np.array([[-1 if troop.facing is None else troop.facing] for troop in troops])
    found = in_arc(board.grid, here, facings + turned, others, board.arc) > 0
    return np.asarray(np.where(facings < 0, (here != others).any(axis=-1), found))


def off_map(board: Board, side: str) -> tuple[Unit, ...]:
    """The enemy units of a side that are not on the map; in the fog of war it does not know of them."""
    if board.conditions.fog_of_war:
        return ()
    return tuple(unit for unit in board.game.units if unit.id not in board.troops and unit.side != side)


def known_enemies(board: Board, side: str) -> tuple[Unit, ...]:
    """The enemy units that a side knows of, on the map first and then those off it, in file order."""
    there = {troop.id for troop in shown(board, side)}
    on_map = tuple(unit for unit in board.game.units if unit.id in there)
    return (*on_map, *off_map(board, side))
