"""The mat of a game with who stands where: the facts that every rule of the battle asks for."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

from engine.geometry.grids import HexGrid
from engine.geometry.grids.facings import facing_at
from engine.geometry.grids.flat import faces, steps_apart
from engine.geometry.grids.placing import placed
from engine.records.game import Cell, Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.musket_pike.parameters import Parameters, parameters_of
from engine.rulesets.musket_pike.table.ground import Ground
from engine.rulesets.musket_pike.table.mat import Mat, mat_of
from engine.rulesets.musket_pike.table.troops import Troop, troop_of
from engine.rulesets.musket_pike.vocabulary import FACINGS, Conditions, Options, conditions_of, state_of

T = TypeVar("T")

__all__ = ["Board", "Stand", "board_of"]


@dataclass(frozen=True)
class Stand:
    """The hex and the facing of a unit, and what of them the measurement leaves in doubt, in words (MP-03).

    ``other_hex``: the one that its base may stand in as well.
    """

    hex: Cell
    facing: int
    doubts: tuple[str, ...] = ()
    other_hex: Cell | None = None


@dataclass(frozen=True, eq=False)
class Board:
    """One game on its hexes."""

    game: Game
    _known: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make()`` gives, worked out once for this board."""
        if key not in self._known:
            self._known[key] = make()
        found: T = self._known[key]
        return found

    @property
    def grid(self) -> HexGrid:
        """The hexes of the table."""
        return self.mat.grid

    @cached_property
    def conditions(self) -> Conditions:
        """The game's conditions."""
        return conditions_of(self.game)

    @property
    def options(self) -> Options:
        """The rules that the players have chosen."""
        return self.conditions.options

    @cached_property
    def parameters(self) -> Parameters:
        """The parameter data."""
        return parameters_of(self.game)

    @cached_property
    def mat(self) -> Mat:
        """What depends on table, ground and weather alone: kept from board to board while they stay."""
        return mat_of(self.game)

    @property
    def ground(self) -> Ground:
        """What lies on the hexes and their sides."""
        return self.mat.ground

    @cached_property
    def arc(self) -> Literal["cone", "wedge"]:
        """How wide a facing reaches (R1)."""
        return "cone" if self.options.arc == "cone60" else "wedge"

    @cached_property
    def stands(self) -> Mapping[str, Stand]:
        """Where the units on the map stand, by id; those off it are left out."""
        found = dict(self._bases)
        for unit in self.game.units:
            state = state_of(unit)
            if unit.hex is not None and not unit.figures and not state.off_map:
                found[unit.id] = Stand(unit.hex, FACINGS.index(state.facing))
        return {name: stand for name, stand in found.items() if self.grid.holds(stand.hex)}

    @cached_property
    def beside(self) -> Mapping[str, tuple[str, ...]]:
        """Whose base is measured to be off the map, yet may stand on it, in words, by id (MP-03)."""
        return {
            name: stand.doubts[:1] for name, stand in self._bases.items()
            if stand.other_hex and self.grid.holds(stand.other_hex) and not self.grid.holds(stand.hex)
        }  # fmt: skip

    @cached_property
    def _bases(self) -> Mapping[str, Stand]:
        measured = [unit for unit in self.game.units if unit.figures and not state_of(unit).off_map]
        return dict(self._measured(measured)) if measured else {}

    def _measured(self, units: list[Unit]) -> Iterable[tuple[str, Stand]]:
        """The stands of units whose bases were measured (MP-03)."""
        there = placed(self.grid, [(unit.figures[0].x_mm, unit.figures[0].y_mm) for unit in units])
        for number, unit in enumerate(units):
            figure = unit.figures[0]
            cell = (int(there.cell[number][0]), int(there.cell[number][1]))
            sigma, away = self.game.sigma_mm(figure), float(there.to_side_mm[number])
            doubts, other = list[str](), None
            if sigma > 0 and away <= 2 * sigma:
                column, row = self.grid.neighbour(cell, int(there.side[number])).tolist()
                other = column, row
                doubts.append(
                    f"hex {list(cell)} or {list(other)}: {max(away, 0.0):.1f} ± {sigma:.1f} mm from the side"
                )
            turn_sigma = figure.bearing_sigma_deg
            if turn_sigma is None:
                turn_sigma = self.game.measured.bearing_sigma_deg
            facing = FACINGS.index(state_of(unit).facing)
            if figure.bearing_deg is not None:
                found = facing_at(self.grid, figure.bearing_deg, turn_sigma)
                facing = found.vertex
                if found.settled == 1 and unit.type not in ("leader", "skirmisher", "ship", "supply-wagon"):
                    bearing = figure.bearing_deg - self.grid.turn_deg
                    doubts.append(_facing_doubt(bearing, facing, turn_sigma))
            yield unit.id, Stand(cell, facing, tuple(doubts), other)

    @cached_property
    def between_hexes(self) -> Mapping[str, Stand]:
        """Those of the stands that may be in one hex or another."""
        return {name: stand for name, stand in self.stands.items() if stand.other_hex is not None}

    @cached_property
    def troops(self) -> Mapping[str, Troop]:
        """The units on the map as the rules see them, by id, in file order."""
        men = self.parameters.men_per_gun
        return {
            unit.id: troop_of(unit, number, stand.hex, stand.facing, men)
            for number, unit in enumerate(self.game.units)
            if (stand := self.stands.get(unit.id)) is not None
        }

    @cached_property
    def stacks(self) -> Mapping[Cell, tuple[Troop, ...]]:
        """The units of each hex that holds any, the top one first."""
        found: dict[Cell, list[Troop]] = {}
        for troop in self.troops.values():
            found.setdefault(troop.hex, []).append(troop)
        return {cell: tuple(stack) for cell, stack in found.items()}

    def at(self, cell: Cell) -> tuple[Troop, ...]:
        """The units in a hex, the top one first."""
        return self.stacks.get(cell, ())

    def friends_at(self, cell: Cell, side: str) -> tuple[Troop, ...]:
        """The units of a side in a hex, the top one first."""
        known = self._friends
        if (cell, side) not in known:
            known[cell, side] = tuple(troop for troop in self.stacks.get(cell, ()) if troop.side == side)
        return known[cell, side]

    @cached_property
    def _friends(self) -> dict[tuple[Cell, str], tuple[Troop, ...]]:
        return {}

    def enemies_at(self, cell: Cell, side: str) -> tuple[Troop, ...]:
        """The units in a hex that are not of a side, the top one first."""
        return tuple(troop for troop in self.stacks.get(cell, ()) if troop.side != side)

    def enemies(self, side: str) -> tuple[Troop, ...]:
        """The units on the map that are not of a side, in file order."""
        return self._by_side[side][1] if side in self._by_side else tuple(self.troops.values())

    def own(self, side: str) -> tuple[Troop, ...]:
        """The units of a side on the map, in file order."""
        return self._by_side[side][0] if side in self._by_side else ()

    @cached_property
    def _by_side(self) -> Mapping[str, tuple[tuple[Troop, ...], tuple[Troop, ...]]]:
        everybody = tuple(self.troops.values())
        return {
            side.name: (
                tuple(troop for troop in everybody if troop.side == side.name),
                tuple(troop for troop in everybody if troop.side != side.name),
            )
            for side in self.game.sides
        }

    @staticmethod
    def apart(cell: Cell, other: Cell) -> int:
        """How many hexes lie between two (MP-02)."""
        return steps_apart(cell, other)

    def faces(self, troop: Troop, cell: Cell) -> bool:
        """Whether a unit faces a hex: it lies in its arc; whoever has no facing faces all (MP-04)."""
        if troop.facing is None:
            return troop.hex != cell
        return faces(troop.hex, troop.facing, cell, self.arc)

    def stack_men(self, cell: Cell, side: str | None = None) -> float:
        """The men in a hex, guns counted as men, leaders and wagons not at all (MP-48)."""
        return sum(
            troop.men
            for troop in self.stacks.get(cell, ())
            if troop.fights and (side is None or troop.side == side)
        )


def board_of(game: Game) -> Board:
    """The board of a game, worked out once."""
    return once(game, "mp_board", lambda: Board(game))


def _facing_doubt(bearing_deg: float, facing: int, sigma_deg: float) -> str:
    """Which other facing a bearing, seen from the mat, may as well be."""
    off = (bearing_deg - (30.0 + 60.0 * facing) + 180.0) % 360.0 - 180.0
    other = (facing + (1 if off > 0 else -1)) % 6
    margin = 30.0 - abs(off)
    return (
        f"facing {FACINGS[facing]} or {FACINGS[other]}: {max(margin, 0.0):.1f} ± {sigma_deg:.1f}° from the bisector"
    )
