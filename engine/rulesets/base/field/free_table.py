"""What rulesets that measure freely, without a grid, ask of a game: the key path and the fault, one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from engine.records.game import Figure, Game, Terrain, Unit
from engine.rulesets.base.fitting import expected

__all__ = ["frame_faults", "no_cell", "no_outline", "strange_words"]


def frame_faults(game: Game, measure: str) -> Iterator[tuple[str, str]]:
    """No grid, and neither turn nor sides with keys of their own; ``measure`` is what the ruleset measures in."""
    if game.table.grid is not None:
        yield "table.grid", f"expected none: this ruleset measures in {measure}"
    for key in game.turn.extra:
        yield f"turn.{key}", "unknown key"
    for number, side in enumerate(game.sides):
        for key in side.extra:
            yield f"sides[{number}].{key}", "unknown key"


def no_outline(piece: Terrain, where: str) -> Iterator[tuple[str, str]]:
    """A piece of terrain that lies nowhere."""
    if piece.polygon_mm is None and piece.polyline_mm is None:
        yield where, "expected polygon_mm, or polyline_mm with width_mm"


def no_cell(unit: Unit, where: str) -> Iterator[tuple[str, str]]:
    """A unit that names a cell."""
    for key in ("square", "hex"):
        if getattr(unit, key) is not None:
            yield f"{where}.{key}", "expected none: this ruleset has no grid"


def strange_words(
    one: Unit | Figure, known: Mapping[str, Collection[str]], where: str
) -> Iterator[tuple[str, str]]:
    """What stands under some keys of a unit or a figure and is none of the words known there."""
    for key, words in known.items():
        if getattr(one, key) not in words:
            yield f"{where}.{key}", expected(words, getattr(one, key))
