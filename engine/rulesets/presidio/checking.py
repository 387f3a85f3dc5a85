"""The check of a game against the vocabulary: one clear line with the key's path for whatever is outside it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import UnusableFile
from engine.records.game import Figure, Game, Terrain, Unit
from engine.rulesets.base.field.free_table import frame_faults, no_cell, no_outline, strange_words
from engine.rulesets.base.fitting import expected, fits
from engine.rulesets.presidio.book import artillery, grounds, small_arms
from engine.rulesets.presidio.campaign.standing import campaign_faults
from engine.rulesets.presidio.vocabulary import FORMATIONS, ROLES, TYPES, Conditions, GroundKeys, State, Stats

__all__ = ["check"]

_STATUS = ("ok", "casualty", "captured")
_MATERIALS = {
    "house": ("framed", "adobe", "log", "stone", "blockhouse"),
    "gate": ("timber", "strapped"),
    "door": ("wood", "wooden"),
    "bridge": ("wood", "wood-iron", "stone"),
    "wall": ("stone", "stone-timber", "timber", "adobe"),
    "works": ("hasty", "timber-earth", "stone-earth"),
}


def check(game: Game) -> None:
    """Refuses a game with a word outside the vocabulary. Raises UnusableFile with the key path."""
    for where, fault in _faults(game):
        raise UnusableFile(f"{where}: {fault}")


def _faults(game: Game) -> Iterator[tuple[str, str]]:
    yield from frame_faults(game, "inches")
    yield from fits(game.conditions, Conditions, "conditions")
    sides = [side.name for side in game.sides]
    for name in game.conditions.get("leadership") or ():
        if name not in sides:
            yield "conditions.leadership", expected(sides, name)
    yield from campaign_faults(game, sides)
    for number, piece in enumerate(game.terrain):
        yield from _terrain_faults(piece, f"terrain[{number}]")
    for number, unit in enumerate(game.units):
        yield from _unit_faults(unit, f"units[{number}]")


def _terrain_faults(piece: Terrain, where: str) -> Iterator[tuple[str, str]]:
    if piece.kind not in grounds():
        yield f"{where}.kind", expected(grounds(), piece.kind)
    yield from no_outline(piece, where)
    yield from fits(piece.extra, GroundKeys, where)
    material, known = piece.extra.get("material"), _MATERIALS.get(piece.kind, ())
    if material is not None and material not in known:
        yield f"{where}.material", expected(known, material) if known else f"{piece.kind} has no materials"


def _unit_faults(unit: Unit, where: str) -> Iterator[tuple[str, str]]:
    yield from strange_words(unit, {"type": TYPES, "formation": FORMATIONS}, where)
    if unit.weapon != "none":
        yield from _weapon_faults(unit.weapon, f"{where}.weapon")
    yield from no_cell(unit, where)
    yield from fits(unit.stats, Stats, f"{where}.stats")
    yield from fits(unit.state, State, f"{where}.state")
    if unit.stats.get("melee_weapon") is not None:
        yield from _weapon_faults(unit.stats["melee_weapon"], f"{where}.stats.melee_weapon")
    for number, arm in enumerate(unit.stats.get("arms", ())):
        yield from _weapon_faults(arm["weapon"], f"{where}.stats.arms[{number}].weapon")
    for number, figure in enumerate(unit.figures):
        yield from _figure_faults(figure, f"{where}.figures[{number}]")


def _weapon_faults(weapon: str, where: str) -> Iterator[tuple[str, str]]:
    known = {**small_arms(), **artillery()}
    if weapon not in known:
        yield where, expected(known, weapon)


def _figure_faults(figure: Figure, where: str) -> Iterator[tuple[str, str]]:
    yield from strange_words(figure, {"role": ROLES, "status": _STATUS}, where)
    if figure.weapon is not None:
        yield from _weapon_faults(figure.weapon, f"{where}.weapon")
