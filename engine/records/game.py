"""The typed records of ``vedette-game/1``: a game as it stands, as one immutable value.

Positions are table millimetres: origin at the near-left corner, x right, y away from the near edge, z up.
Bearings are degrees clockwise from above, 0 towards +y. What a ruleset may add (``stats``, ``state``,
``conditions``, and the ``extra`` keys of terrain and sides) is checked by the ruleset, not here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from engine.errors import UnusableFile
from engine.records.reading import convert, demand_format, join_extra, load_json, parse_json, split_extra

GAME_FORMAT = "vedette-game/1"

Edge = Literal["south", "north", "west", "east"]
#: No length or place of a game is larger than this: a kilometre.
MOST_MM = 1e6

PositiveMm = Annotated[float, Meta(gt=0, le=MOST_MM)]
PlaceMm = Annotated[float, Meta(ge=-MOST_MM, le=MOST_MM)]
Sigma = Annotated[float, Meta(ge=0, le=MOST_MM)]
PointMm = tuple[PlaceMm, PlaceMm]
#: No game comes to more turns than this.
MOST_TURNS = 1_000_000
#: A point that a player sends figures to: near enough for those round it to have places, too.
GoalMm = tuple[
    Annotated[float, Meta(ge=-MOST_MM / 2, le=MOST_MM / 2)], Annotated[float, Meta(ge=-MOST_MM / 2, le=MOST_MM / 2)]
]
#: No grid has more columns or rows than this, and no square or hex is counted beyond it.
MOST_CELLS = 1000
#: No square or hex is smaller than a millimetre: its corners could not be told apart.
CellSizeMm = Annotated[float, Meta(ge=1, le=MOST_MM)]
CellNumber = Annotated[int, Meta(ge=-MOST_CELLS, le=MOST_CELLS)]
Cell = tuple[CellNumber, CellNumber]


class _Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True, dict=True):
    """What all records share: immutable, keyword only, no unknown key; a default is not written."""


class Round(_Record, frozen=True, kw_only=True, tag="round", tag_field="shape"):
    """A round base."""

    diameter_mm: PositiveMm


class Rect(_Record, frozen=True, kw_only=True, tag="rect", tag_field="shape"):
    """A rectangular base: width across the front, depth front to back."""

    width_mm: PositiveMm
    depth_mm: PositiveMm


Base = Round | Rect


class Figure(_Record, frozen=True, kw_only=True):
    """One figure on its base; the position is the ground point under the base's centre."""

    id: str
    x_mm: PlaceMm
    y_mm: PlaceMm
    base: Base
    bearing_deg: float | None = None
    role: str = "rank"
    mounted: bool = False
    status: str = "ok"
    weapon: str | None = None
    z_mm: PlaceMm = 0.0
    level: int | None = None
    sigma_mm: Sigma | None = None
    bearing_sigma_deg: Sigma | None = None


class Unit(_Record, frozen=True, kw_only=True):
    """A unit: figures that move, fire and test together, or a counter in a grid's cell."""

    id: str
    side: str
    type: str
    name: str | None = None
    formation: str = "unformed"
    weapon: str = "none"
    stats: Mapping[str, Any] = {}
    state: Mapping[str, Any] = {}
    figures: tuple[Figure, ...] = ()
    square: Cell | None = None
    hex: Cell | None = None


class Side(_Record, frozen=True, kw_only=True):
    """A side and the table edge that it came from; ``extra`` holds the ruleset's own keys."""

    name: str
    edge: Edge
    extra: Mapping[str, Any] = {}


class Terrain(_Record, frozen=True, kw_only=True):
    """A piece of terrain: a polygon, or a polyline of a width; ``extra`` holds the ruleset's own keys."""

    id: str
    kind: str
    polygon_mm: tuple[PointMm, ...] | None = None
    polyline_mm: tuple[PointMm, ...] | None = None
    width_mm: PositiveMm | None = None
    height_mm: PlaceMm = 0.0
    extra: Mapping[str, Any] = {}


class Grid(_Record, frozen=True, kw_only=True):
    """The grid of a table that is played in squares or hexes."""

    kind: Literal["square", "hex"]
    size_mm: CellSizeMm
    columns: Annotated[int, Meta(gt=0, le=MOST_CELLS)]
    rows: Annotated[int, Meta(gt=0, le=MOST_CELLS)]
    origin_mm: PointMm = (0.0, 0.0)
    extra: Mapping[str, Any] = {}


class TableArea(_Record, frozen=True, kw_only=True):
    """The play area."""

    width_mm: PositiveMm
    depth_mm: PositiveMm
    grid: Grid | None = None


class Turn(_Record, frozen=True, kw_only=True):
    """Which turn it is and whose; ``extra`` holds the ruleset's own keys."""

    number: Annotated[int, Meta(ge=0, le=MOST_TURNS)] = 1
    active_side: str | None = None
    extra: Mapping[str, Any] = {}


class Measured(_Record, frozen=True, kw_only=True):
    """The uncertainty of every position: 0 where it is given, the observation's where it was measured."""

    sigma_mm: Sigma = 0.0
    bearing_sigma_deg: Sigma = 0.0


class Game(_Record, frozen=True, kw_only=True):
    """A whole game; changed only by events (`engine.events`)."""

    ruleset: str
    table: TableArea
    sides: tuple[Side, ...]
    format: Literal["vedette-game/1"] = "vedette-game/1"
    conditions: Mapping[str, Any] = {}
    turn: Turn = Turn()
    units: tuple[Unit, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    measured: Measured = Measured()

    @cached_property
    def by_id(self) -> Mapping[str, Unit]:
        """The units by their ids."""
        return {unit.id: unit for unit in self.units}

    @cached_property
    def _enemies(self) -> dict[str, tuple[Unit, ...]]:
        """By side, what `enemies` has told."""
        return {}

    def unit(self, name: str) -> Unit:
        """The unit of that id. Raises UnusableFile naming the units that there are."""
        try:
            return self.by_id[name]
        except KeyError:
            known = ", ".join(sorted(self.by_id)) or "none"
            raise UnusableFile(f"unit {name!r}: no such unit; there are: {known}") from None

    def side(self, name: str) -> Side:
        """The side of that name. Raises UnusableFile naming the sides that there are."""
        for side in self.sides:
            if side.name == name:
                return side
        raise UnusableFile(f"side {name!r}: no such side; there are: {', '.join(s.name for s in self.sides)}")

    def enemies(self, unit: Unit) -> tuple[Unit, ...]:
        """The units of all other sides, in list order."""
        if unit.side not in self._enemies:
            self._enemies[unit.side] = tuple(other for other in self.units if other.side != unit.side)
        return self._enemies[unit.side]

    def sigma_mm(self, figure: Figure) -> float:
        """The standard deviation of a figure's position, per axis: its own, else the game's."""
        return self.measured.sigma_mm if figure.sigma_mm is None else figure.sigma_mm


#: What a man stands on where nothing is said: the base of the foot, and of the horse.
_FOOT: Mapping[str, Any] = {"shape": "round", "diameter_mm": 25.0}
_HORSE: Mapping[str, Any] = {"shape": "rect", "width_mm": 25.0, "depth_mm": 50.0}
_KNOWN = {record: frozenset(record.__struct_fields__) for record in (Side, Terrain, Grid, Turn)}


def game_from(raw: Any, source: str) -> Game:
    """The game in a plain value (of JSON). Raises UnusableFile naming ``source`` and the key's path."""
    raw = dict(demand_format(raw, GAME_FORMAT, source))
    for key, record in (("sides", Side), ("terrain", Terrain)):
        if isinstance(raw.get(key), list):
            raw[key] = [split_extra(one, _KNOWN[record]) for one in raw[key]]
    if isinstance(raw.get("units"), list):
        raw["units"] = [_based(one) for one in raw["units"]]
    if "turn" in raw:
        raw["turn"] = split_extra(raw["turn"], _KNOWN[Turn])
    if isinstance(raw.get("table"), dict) and "grid" in raw["table"]:
        raw["table"] = {**raw["table"], "grid": split_extra(raw["table"]["grid"], _KNOWN[Grid])}
    game = convert(raw, Game, source)
    for where, fault in _faults(game):
        raise UnusableFile(f"{source}: {where}: {fault}")
    return game


def _based(unit: Any) -> Any:
    """A unit with a base under every figure that names none: 25 mm round, of riders 25 x 50 mm."""
    figures = unit.get("figures") if isinstance(unit, dict) else None
    if not isinstance(figures, list):
        return unit
    standing = [
        {"base": _HORSE if one.get("mounted") is True else _FOOT, **one} if isinstance(one, dict) else one
        for one in figures
    ]
    return {**unit, "figures": standing}


def read_game(path: Path) -> Game:
    """The game in a file. Raises UnusableFile."""
    return game_from(load_json(path), str(path))


def parse_game(text: bytes, source: str = "the game") -> Game:
    """The game in a JSON text. Raises UnusableFile."""
    return game_from(parse_json(text, source), source)


def game_builtins(game: Game) -> dict[str, Any]:
    """A game as the plain value of its file; reading it again gives the same game."""
    built: dict[str, Any] = {"format": GAME_FORMAT, **msgspec.to_builtins(game)}
    built["sides"] = [join_extra(side) for side in built["sides"]]
    for key in ("terrain", "units"):
        built[key] = [join_extra(one) for one in built.get(key, ())]
    for unit, record in zip(built["units"], game.units, strict=True):
        unit.setdefault("figures", [])
        unit |= {"formation": record.formation, "weapon": record.weapon, "stats": dict(record.stats)}
        unit["state"] = dict(record.state)
        for plain, figure in zip(unit["figures"], record.figures, strict=True):
            # What actions set is written even where it is the default.
            plain |= {"role": figure.role, "mounted": figure.mounted, "status": figure.status}
    built["turn"] = {"number": game.turn.number, **join_extra(built.get("turn", {}))}
    built.setdefault("conditions", {})
    built["measured"] = {"sigma_mm": game.measured.sigma_mm, **built.get("measured", {})}
    if game.table.grid is not None:
        built["table"]["grid"] = join_extra(built["table"]["grid"])
    return built


def game_json(game: Game) -> bytes:
    """A game as the text of its file."""
    return msgspec.json.format(msgspec.json.encode(game_builtins(game)), indent=1) + b"\n"


def _faults(game: Game) -> Iterator[tuple[str, str]]:
    sides = [side.name for side in game.sides]
    if len(sides) < 1:
        yield "sides", "expected at least one side"
    if len(set(sides)) < len(sides):
        yield "sides", "expected every side to have a name of its own"
    if game.turn.active_side is not None and game.turn.active_side not in sides:
        yield "turn.active_side", f"expected one of {', '.join(sides)}, got {game.turn.active_side!r}"
    seen: set[str] = set()
    for number, unit in enumerate(game.units):
        if unit.id in seen:
            yield f"units[{number}].id", f"expected an id of its own, got {unit.id!r} again"
        if unit.side not in sides:
            yield f"units[{number}].side", f"expected one of {', '.join(sides)}, got {unit.side!r}"
        seen.add(unit.id)
    figures: set[str] = set()
    for number, unit in enumerate(game.units):
        for index, figure in enumerate(unit.figures):
            if figure.id in figures:
                where = f"units[{number}].figures[{index}].id"
                yield where, f"expected an id of its own, got {figure.id!r} again"
            figures.add(figure.id)
    yield from _terrain_faults(game)


def _terrain_faults(game: Game) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for number, piece in enumerate(game.terrain):
        if piece.id in seen:
            yield f"terrain[{number}].id", f"expected an id of its own, got {piece.id!r} again"
        seen.add(piece.id)
        if piece.polygon_mm is not None and len(set(piece.polygon_mm)) < 3:
            yield f"terrain[{number}].polygon_mm", "expected at least three different points"
        if piece.polyline_mm is not None and len(set(piece.polyline_mm)) < 2:
            yield f"terrain[{number}].polyline_mm", "expected at least two different points"
        if piece.polyline_mm is not None and piece.width_mm is None:
            yield f"terrain[{number}].width_mm", "expected a width with polyline_mm"
