"""The check of a game against the vocabulary: one clear line with the key's path for whatever is outside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.errors import UnusableFile
from engine.geometry.grids.flat import steps_apart
from engine.records.game import Cell, Game, Terrain, Unit
from engine.rulesets.base.fitting import expected, fits
from engine.rulesets.musket_pike.campaign.tabling import kept
from engine.rulesets.musket_pike.parameters import Parameters, merged, parameters_of
from engine.rulesets.musket_pike.vocabulary import (
    FORMATIONS,
    HEX_KINDS,
    HEXSIDES,
    ON_TOP,
    TYPES,
    WAYS,
    Conditions,
    GridKeys,
    SideKeys,
    State,
    Stats,
    TerrainKeys,
    conditions_of,
    formation_of,
    ground_of,
    state_of,
    stats_of,
)

__all__ = ["check"]

_KINDS = (*HEX_KINDS, *ON_TOP, *HEXSIDES, *WAYS)
Fault = tuple[str, str]


def check(game: Game) -> None:
    """Refuses a game with a word outside the vocabulary. Raises UnusableFile with the key path."""
    for faults in (_frame_faults, _terrain_faults, _unit_faults, _link_faults):
        for where, fault in faults(game):
            raise UnusableFile(f"{where}: {fault}")


def _frame_faults(game: Game) -> Iterator[Fault]:
    grid = game.table.grid
    if grid is None or grid.kind != "hex":
        yield "table.grid", "expected a grid of hexes: this ruleset is played on one"
    else:
        yield from fits(grid.extra, GridKeys, "table.grid")
    if len(game.sides) != 2:
        yield "sides", f"expected two sides (MP-10), got {len(game.sides)}"
    for key in game.turn.extra:
        yield f"turn.{key}", "unknown key"
    for number, side in enumerate(game.sides):
        yield from fits(side.extra, SideKeys, f"sides[{number}]")
    yield from fits(game.conditions, Conditions, "conditions")
    own = game.conditions.get("parameters", {})
    yield from fits(merged(own), Parameters, "conditions.parameters")
    yield from _rating_faults(own)
    yield from _condition_faults(game)
    campaign = kept(game)
    if campaign is not None and campaign.sides != tuple(side.name for side in game.sides):
        found = " and ".join(side.name for side in game.sides)
        yield "conditions.campaign.sides", f"expected the sides of the game, {found}"


def _rating_faults(own: Mapping[str, Any]) -> Iterator[Fault]:
    """Whether a weapon's own ratings stand under ranges: whole hexes from 1 on (1.4)."""
    for name, weapon in own.get("weapons", {}).items():
        for target in ("soft", "hard"):
            for hexes in weapon.get(target, {}):
                if not (hexes.isascii() and hexes.isdecimal() and hexes == str(int(hexes)) and int(hexes) > 0):
                    where = f"conditions.parameters.weapons.{name}.{target}"
                    yield where, f"expected a range in whole hexes such as '2' as the key, got {hexes!r}"


def _condition_faults(game: Game) -> Iterator[Fault]:
    conditions, parameters = conditions_of(game), parameters_of(game)
    if conditions.weather not in parameters.weather:
        yield "conditions.weather", expected(parameters.weather, conditions.weather)
    for number, change in enumerate(parameters.weather_changes):
        if change.weather not in parameters.weather:
            where = f"conditions.parameters.weather_changes[{number}].weather"
            yield where, expected(parameters.weather, change.weather)
    sides = [side.name for side in game.sides]
    for name in conditions.artillery_ammo:
        if name not in sides:
            yield f"conditions.artillery_ammo.{name}", f"expected one of {', '.join(sides)}"
    options = conditions.options
    if options.partial_retreats and options.no_melee_eliminations:
        yield "conditions.options.partial_retreats", "expected not beside no_melee_eliminations (R41)"


def _terrain_faults(game: Game) -> Iterator[Fault]:
    sides = [side.name for side in game.sides]
    for number, piece in enumerate(game.terrain):
        where = f"terrain[{number}]"
        if piece.kind not in _KINDS:
            yield f"{where}.kind", expected(_KINDS, piece.kind)
            continue
        yield from fits(piece.extra, TerrainKeys, where)
        yield from _place_faults(game, piece, where)
        keys = ground_of(piece)
        for key, name in (("owner", keys.owner), ("side", keys.side)):
            if name is not None and name not in sides:
                yield f"{where}.{key}", expected(sides, name)
        if piece.kind == "supply-source" and keys.side is None:
            yield f"{where}.side", f"expected one of {', '.join(sides)}, found no such key"


def _place_faults(game: Game, piece: Terrain, where: str) -> Iterator[Fault]:
    """Whether a piece of terrain says where it lies as its kind needs it, on the mat."""
    keys = ground_of(piece)
    if piece.polyline_mm is not None:
        yield f"{where}.polyline_mm", "expected hexes, hexsides, a path or polygon_mm: this ruleset has hexes"
    wanted = (
        ("hexsides",) if piece.kind in HEXSIDES else ("path",) if piece.kind in WAYS else ("hexes", "polygon_mm")
    )
    given = {"hexes": keys.hexes, "hexsides": keys.hexsides, "path": keys.path, "polygon_mm": piece.polygon_mm}
    for key, value in given.items():
        if value and key not in wanted:
            yield f"{where}.{key}", f"expected {' or '.join(wanted)} for {piece.kind}"
    if not any(given[key] for key in wanted):
        yield where, f"expected {' or '.join(wanted)} for {piece.kind}"
    yield from _off_mat(game, keys.hexes, f"{where}.hexes")
    yield from _off_mat(game, keys.path, f"{where}.path")
    yield from _off_mat(game, [(column, row) for column, row, _ in keys.hexsides], f"{where}.hexsides")
    for number, (cell, other) in enumerate(zip(keys.path, keys.path[1:], strict=False), start=1):
        if steps_apart(cell, other) != 1:
            yield f"{where}.path[{number}]", f"expected a neighbour of {list(cell)}, got {list(other)}"


def _off_mat(game: Game, cells: Iterable[Cell], where: str) -> Iterator[Fault]:
    for number, cell in enumerate(cells):
        if not _holds(game, cell):
            yield f"{where}[{number}]", _mat(game, cell)


def _holds(game: Game, cell: Cell) -> bool:
    grid = game.table.grid
    return grid is not None and 0 <= cell[0] < grid.columns and 0 <= cell[1] < grid.rows


def _mat(game: Game, cell: Cell) -> str:
    grid = game.table.grid
    size = "a grid" if grid is None else f"{grid.columns} columns and {grid.rows} rows"
    return f"expected a hex of {size}, got {list(cell)}"


def _unit_faults(game: Game) -> Iterator[Fault]:
    weapons, most_tired = parameters_of(game).weapons, parameters_of(game).fatigue.most
    for number, unit in enumerate(game.units):
        where = f"units[{number}]"
        if unit.type not in TYPES:
            yield f"{where}.type", expected(TYPES, unit.type)
            continue
        if formation_of(unit) not in FORMATIONS[unit.type]:
            yield f"{where}.formation", expected(FORMATIONS[unit.type], unit.formation)
        if unit.weapon not in weapons:
            yield f"{where}.weapon", expected(weapons, unit.weapon)
        yield from fits(unit.stats, Stats, f"{where}.stats")
        yield from fits(unit.state, State, f"{where}.state")
        if (tired := state_of(unit).fatigue) > most_tired:
            yield f"{where}.state.fatigue", f"expected a whole number of at most {most_tired}, got {tired}"
        if unit.type != "leader" and "strength" not in unit.stats:
            yield f"{where}.stats.strength", "expected the unit's men, guns or loads, found no such key"
        if formation_of(unit) == "dismounted" and "dragoon" not in stats_of(unit).attributes:
            yield f"{where}.formation", "expected mounted: only dragoons dismount (MP-22)"
        yield from _standing_faults(game, unit, where)


def _standing_faults(game: Game, unit: Unit, where: str) -> Iterator[Fault]:
    state = state_of(unit)
    if unit.square is not None:
        yield f"{where}.square", "expected none: this ruleset is played on hexes"
    if len(unit.figures) > 1:
        yield f"{where}.figures", f"expected one figure, the unit's base, got {len(unit.figures)}"
    if unit.figures and unit.hex is not None:
        yield f"{where}.hex", "expected none beside a figure: the hex is that which the figure stands in"
    if unit.hex is None and not unit.figures and not state.off_map:
        yield where, "expected a hex, or one figure"
    if unit.hex is not None and not _holds(game, unit.hex):
        yield f"{where}.hex", _mat(game, unit.hex)
    if state.arrival is not None and not _holds(game, state.arrival.hex):
        yield f"{where}.state.arrival.hex", _mat(game, state.arrival.hex)
    sides = [side.name for side in game.sides]
    if state.captured_by is not None and state.captured_by not in sides:
        yield f"{where}.state.captured_by", expected(sides, state.captured_by)


def _link_faults(game: Game) -> Iterator[Fault]:
    """Whether commanders are leaders of the game, and nobody commands himself by a chain.

    Who is named but gone from the game (a commander lost, a parent eliminated) is no fault.
    """
    for number, unit in enumerate(game.units):
        where, chain = f"units[{number}].stats.commander", [unit.id]
        commander = game.by_id.get(stats_of(unit).commander or "")
        if commander is not None and commander.type != "leader":
            yield where, f"expected a leader, got {commander.id!r}: a unit of type {commander.type}"
        while commander is not None:
            if commander.id in chain:
                yield (
                    where,
                    f"expected a chain of command with an end, got {' under '.join([*chain, commander.id])}",
                )
                break
            chain.append(commander.id)
            commander = game.by_id.get(stats_of(commander).commander or "")
