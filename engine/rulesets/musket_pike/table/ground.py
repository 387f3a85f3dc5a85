"""What lies on the hexes and hexsides of a game's mat: ground, levels, works, bridges, roads, objectives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from engine.geometry.grids import HexGrid
from engine.geometry.grids.flat import beyond, direction_between
from engine.geometry.shapes.pieces import pieces_of
from engine.records.game import Cell, Game, Terrain
from engine.rulesets.musket_pike.vocabulary import HEX_KINDS, HEXSIDES, WAYS, TerrainKeys, conditions_of, ground_of

__all__ = ["DIRECTIONS", "OBSTRUCTED_SIDES", "Bridge", "Ground", "ground_on", "is_obstructed"]

DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
#: Every kind of hex but these is obstructed; a chateau counts as a building (MP-45, R10).
_OPEN = frozenset({"clear", "building", "chateau", "field"})
OBSTRUCTED_SIDES = frozenset({"hedge", "stone-wall", "embankment", "stream", "gate", "fort"})
#: What ice carries like clear ground (MP-275).
_FROZEN = frozenset({"stream", "creek", "water"})

_NONE: frozenset[str] = frozenset()
Side = tuple[Cell, int]


@dataclass(frozen=True)
class Bridge:
    """A bridge in a hex: the terrain that it is, and its strength."""

    terrain: str
    strength: int


@dataclass(frozen=True, eq=False)
class Ground:
    """The mat of a game. Hexes that nothing is said of are clear and level; sides are keyed from both hexes."""

    kinds: Mapping[Cell, str] = field(default_factory=dict)
    levels: Mapping[Cell, int] = field(default_factory=dict)
    abatis: frozenset[Cell] = frozenset()
    trenches: frozenset[Cell] = frozenset()
    bridges: Mapping[Cell, Bridge] = field(default_factory=dict)
    fords: frozenset[Cell] = frozenset()
    objectives: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)
    sources: Mapping[Cell, frozenset[str]] = field(default_factory=dict)
    sides: Mapping[Side, frozenset[str]] = field(default_factory=dict)
    ways: Mapping[Side, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def eventful(self) -> frozenset[Side]:
        """The sides over which a step is another than from clear level ground to the same.

        That is, what lies on the side, what is entered, and of what is left water, a bridge, a ford or a hollow.
        """
        left = {*self.bridges, *self.fords, *(cell for cell, kind in self.kinds.items() if kind == "water")}
        left.update(cell for cell, level in self.levels.items() if level < 0)
        entered = {*left, *self.abatis, *self.trenches, *(cell for cell, level in self.levels.items() if level)}
        entered.update(cell for cell, kind in self.kinds.items() if kind != "clear")
        out = ((cell, direction) for cell in left for direction in range(6))
        into = ((beyond(cell, direction), (direction + 3) % 6) for cell in entered for direction in range(6))
        return frozenset({*self.sides, *self.ways, *out, *into})

    def kind(self, cell: Cell) -> str:
        """The kind of ground in a hex."""
        return self.kinds.get(cell, "clear")

    def level(self, cell: Cell) -> int:
        """How many increments high a hex lies."""
        return self.levels.get(cell, 0)

    def side(self, cell: Cell, direction: int) -> frozenset[str]:
        """The kinds on a side of a hex."""
        return self.sides.get((cell, direction), _NONE)

    def obstructed(self, cell: Cell) -> bool:
        """Whether the ground of a hex is obstructed (MP-45)."""
        return is_obstructed(self.kinds.get(cell, "clear"))

    def obstructed_side(self, cell: Cell, direction: int) -> bool:
        """Whether a side of a hex is obstructed (MP-45)."""
        return not OBSTRUCTED_SIDES.isdisjoint(self.side(cell, direction))

    def crossing(self, cell: Cell) -> bool:
        """Whether a bridge or a ford lies in a hex (MP-42, MP-58)."""
        return cell in self.bridges or cell in self.fords


def is_obstructed(kind: str) -> bool:
    """Whether a kind of ground is obstructed (MP-45)."""
    return kind not in _OPEN


def ground_on(game: Game, grid: HexGrid) -> Ground:
    """The mat of a game; of several kinds of ground in one hex the last listed one counts."""
    frozen = _FROZEN if conditions_of(game).ground == "frozen" else _NONE
    kinds: dict[Cell, str] = {}
    levels: dict[Cell, int] = {}
    on: dict[str, set[Cell]] = {"abatis": set(), "trench": set(), "ford": set()}
    bridges: dict[Cell, Bridge] = {}
    objectives: dict[Cell, tuple[str, ...]] = {}
    sources: dict[Cell, frozenset[str]] = {}
    for piece in game.terrain:
        keys = ground_of(piece)
        for cell in _cells(piece, keys, grid):
            if piece.kind in HEX_KINDS:
                kinds[cell] = "clear" if piece.kind in frozen else piece.kind
            elif piece.kind == "elevation":
                levels[cell] = keys.level
            elif piece.kind == "bridge":
                bridges[cell] = Bridge(piece.id, keys.strength)
            elif piece.kind == "objective":
                objectives[cell] = (*objectives.get(cell, ()), piece.id)
            elif piece.kind == "supply-source" and keys.side is not None:
                sources[cell] = sources.get(cell, _NONE) | {keys.side}
            elif piece.kind in on:
                on[piece.kind].add(cell)
    return Ground(
        kinds, levels, frozenset(on["abatis"]), frozenset(on["trench"]), bridges, frozenset(on["ford"]), objectives,
        sources, _sides(game.terrain, frozen), _ways(game.terrain),
    )  # fmt: skip


def _cells(piece: Terrain, keys: TerrainKeys, grid: HexGrid) -> Iterable[Cell]:
    """The hexes that a piece of terrain covers: those named, and those whose centre lies in its polygon."""
    yield from keys.hexes
    if piece.polygon_mm is not None:
        columns, rows = grid.columns or 0, grid.rows or 0
        cells = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
        inside = pieces_of([np.array(piece.polygon_mm)]).contains(grid.centres(cells))[:, 0]
        yield from ((int(column), int(row)) for column, row in cells[inside])


def _sides(terrain: Iterable[Terrain], frozen: frozenset[str]) -> Mapping[Side, frozenset[str]]:
    found: dict[Side, frozenset[str]] = {}
    for piece in terrain:
        if piece.kind not in HEXSIDES or piece.kind in frozen:
            continue
        for column, row, name in ground_of(piece).hexsides:
            direction = DIRECTIONS.index(name)
            for side in _both((column, row), direction):
                found[side] = found.get(side, _NONE) | {piece.kind}
    return found


def _ways(terrain: Iterable[Terrain]) -> Mapping[Side, frozenset[str]]:
    """The roads over hexsides: where both hexes lie one after the other on one of them (MP-55)."""
    found: dict[Side, frozenset[str]] = {}
    for piece in terrain:
        if piece.kind not in WAYS:
            continue
        path = ground_of(piece).path
        for cell, other in pairwise(path):
            direction = direction_between(cell, other)
            if direction is not None:
                for side in _both(cell, direction):
                    found[side] = found.get(side, _NONE) | {piece.kind}
    return found


def _both(cell: Cell, direction: int) -> Iterator[Side]:
    """A hexside as each of its two hexes names it."""
    yield cell, direction
    yield beyond(cell, direction), (direction + 3) % 6
