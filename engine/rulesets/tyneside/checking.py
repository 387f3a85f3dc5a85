"""The check of a game against the vocabulary: one clear line with the key's path for whatever is outside it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import UnusableFile
from engine.records.game import Figure, Game, Terrain, Unit
from engine.rulesets.base.field.free_table import frame_faults, no_cell, no_outline, strange_words
from engine.rulesets.base.fitting import expected, fits
from engine.rulesets.tyneside.vocabulary import (
    FORMATIONS,
    ROLES,
    TYPES,
    Conditions,
    GroundKeys,
    State,
    Stats,
    grounds,
    weapons,
)

__all__ = ["check"]

_STATUS = ("ok", "wounded", "killed")


def check(game: Game) -> None:
    """Refuses a game with a word outside the vocabulary. Raises UnusableFile with the key path."""
    for where, fault in _faults(game):
        raise UnusableFile(f"{where}: {fault}")


def _faults(game: Game) -> Iterator[tuple[str, str]]:
    yield from frame_faults(game, "centimetres")
    yield from fits(game.conditions, Conditions, "conditions")
    sides = [side.name for side in game.sides]
    for name in game.conditions.get("player_sides") or ():
        if name not in sides:
            yield "conditions.player_sides", expected(sides, name)
    for number, piece in enumerate(game.terrain):
        yield from _terrain_faults(piece, f"terrain[{number}]")
    for number, unit in enumerate(game.units):
        yield from _unit_faults(game, unit, f"units[{number}]")


def _terrain_faults(piece: Terrain, where: str) -> Iterator[tuple[str, str]]:
    if piece.kind not in grounds():
        yield f"{where}.kind", expected(grounds(), piece.kind)
    yield from no_outline(piece, where)
    yield from fits(piece.extra, GroundKeys, where)


def _unit_faults(game: Game, unit: Unit, where: str) -> Iterator[tuple[str, str]]:
    yield from strange_words(unit, {"type": TYPES, "formation": (*FORMATIONS, "unformed")}, where)
    if unit.weapon != "none" and unit.weapon not in weapons():
        yield f"{where}.weapon", expected(weapons(), unit.weapon)
    yield from no_cell(unit, where)
    yield from fits(unit.stats, Stats, f"{where}.stats")
    yield from fits(unit.state, State, f"{where}.state")
    if unit.type == "leader" and len(unit.figures) > 1:
        yield f"{where}.figures", f"expected one figure, the leader, got {len(unit.figures)}"
    figures = {figure.id for figure in unit.figures}
    for name in unit.stats.get("classes", {}):
        if figures and name not in figures and not unit.state.get("casualties"):
            yield f"{where}.stats.classes.{name}", expected(sorted(figures), name)
    for number, figure in enumerate(unit.figures):
        yield from _figure_faults(figure, f"{where}.figures[{number}]")


def _figure_faults(figure: Figure, where: str) -> Iterator[tuple[str, str]]:
    yield from strange_words(figure, {"role": ROLES, "status": _STATUS}, where)
    if figure.weapon is not None and figure.weapon not in weapons():
        yield f"{where}.weapon", expected(weapons(), figure.weapon)
