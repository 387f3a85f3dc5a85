"""The check of a game against the vocabulary: one clear line with the key's path for whatever is outside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, get_args

from msgspec import Meta, Struct

from engine.errors import UnusableFile
from engine.records.game import Figure, Game, Terrain, Unit
from engine.rulesets.base.field.free_table import frame_faults, no_cell, no_outline, strange_words
from engine.rulesets.base.fitting import expected, fits
from engine.rulesets.muskets_mohawks.table.troops import troops
from engine.rulesets.muskets_mohawks.vocabulary import (
    FORMATIONS,
    Conditions,
    Count,
    Role,
    State,
    Stats,
    Status,
    weapons,
)

#: How many at most join a unit that is over half its strength (MM-239).
_JOIN = 2
_Length = Annotated[float, Meta(ge=0)]
_Point = tuple[float, float]


class _Plain(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terrain of a kind that has no keys of its own."""


class _Hill(_Plain, frozen=True, kw_only=True):
    """The keys of a hill."""

    crest_mm: Annotated[tuple[_Point, ...], Meta(min_length=2)] | None = None
    wooded: bool = False


class _Building(_Plain, frozen=True, kw_only=True):
    """The keys of a building."""

    dv: Annotated[int, Meta(ge=0, le=3)] = 1
    door_mm: _Point | None = None
    levels: Annotated[int, Meta(ge=1)] = 1
    hole_in: _Length = 0
    fire_in: _Length = 0
    smouldering: bool = False
    length_in: _Length | None = None
    loot_turns: Count | None = None


class _Fieldworks(_Plain, frozen=True, kw_only=True):
    """The keys of fieldworks."""

    dv: Annotated[int, Meta(ge=0, le=3)] = 2


_PLAIN_KINDS = (
    "clear", "woods", "road", "creek", "river", "lake", "ford", "bridge", "wall", "gully", "lit-area", "impassable",
)  # fmt: skip

#: Terrain kind → the keys that it may have.
TERRAIN: Mapping[str, type[Struct]] = {
    **dict.fromkeys(_PLAIN_KINDS, _Plain), "hill": _Hill, "building": _Building, "fieldworks": _Fieldworks,
}  # fmt: skip


def check(game: Game) -> None:
    """Refuses a game with a word outside the vocabulary. Raises UnusableFile with the key path."""
    for where, fault in _faults(game):
        raise UnusableFile(f"{where}: {fault}")


def _faults(game: Game) -> Iterator[tuple[str, str]]:
    yield from frame_faults(game, "inches")
    yield from fits(game.conditions, Conditions, "conditions")
    yield from _side_names(game)
    for number, piece in enumerate(game.terrain):
        yield from _terrain_faults(piece, f"terrain[{number}]")
    for number, unit in enumerate(game.units):
        yield from _unit_faults(game, unit, f"units[{number}]")


def _side_names(game: Game) -> Iterator[tuple[str, str]]:
    sides = [side.name for side in game.sides]
    player = game.conditions.get("player_side")
    if player is not None and player not in sides:
        yield "conditions.player_side", expected(sides, player)
    for name in game.conditions.get("campaign", {}):
        if name not in sides:
            yield f"conditions.campaign.{name}", expected(sides, name)


def _terrain_faults(piece: Terrain, where: str) -> Iterator[tuple[str, str]]:
    yield from no_outline(piece, where)
    if piece.kind not in TERRAIN:
        yield f"{where}.kind", expected(TERRAIN, piece.kind)
    else:
        yield from fits(piece.extra, TERRAIN[piece.kind], where)
    if piece.kind == "building" and piece.polyline_mm is not None:
        yield f"{where}.polyline_mm", "expected polygon_mm: a building has an inside"


def _unit_faults(game: Game, unit: Unit, where: str) -> Iterator[tuple[str, str]]:
    words = {"type": tuple(troops()), "formation": FORMATIONS, "weapon": tuple(weapons())}
    yield from strange_words(unit, words, where)
    yield from no_cell(unit, where)
    yield from fits(unit.stats, Stats, f"{where}.stats")
    yield from fits(unit.state, State, f"{where}.state")
    if unit.type != "pef" and unit.stats.get("rep", 4) == 1:
        yield f"{where}.stats.rep", "expected 2 to 6, got 1"
    yield from _too_many(unit, where)
    house = unit.state.get("in_building")
    buildings = [piece.id for piece in game.terrain if piece.kind == "building"]
    if house is not None and house not in buildings:
        yield f"{where}.state.in_building", expected(buildings or ["null"], house)
    for number, figure in enumerate(unit.figures):
        yield from _figure_faults(figure, f"{where}.figures[{number}]")


def _too_many(unit: Unit, where: str) -> Iterator[tuple[str, str]]:
    """A strength that no roster comes to: far more than its men and those who may join it after an encounter."""
    known = (unit.stats.get("paper_strength"), unit.state.get("start_strength"))
    said = [number for number in known if isinstance(number, int)]
    strength = unit.state.get("strength")
    if not said or not isinstance(strength, int):
        return
    most = 2 * max(*said, len(unit.figures)) + _JOIN
    if strength > most:
        yield f"{where}.state.strength", f"expected 0 to {most} for a unit of {max(said)}, got {strength}"


def _figure_faults(figure: Figure, where: str) -> Iterator[tuple[str, str]]:
    yield from strange_words(figure, {"role": get_args(Role), "status": get_args(Status)}, where)
    if figure.weapon is not None and figure.weapon not in weapons():
        yield f"{where}.weapon", expected(weapons(), figure.weapon)
