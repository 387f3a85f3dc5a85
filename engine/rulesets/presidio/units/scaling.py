"""Men up on walls and ladders: what they have scaled, and that they are down again when they leave it (PR-518)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.geometry.cover import base_gaps
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import bases_of
from engine.records.game import Figure, Game
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.table.field import field_of
from engine.rulesets.presidio.table.patches import Patch
from engine.rulesets.presidio.vocabulary import MM_PER_IN

__all__ = ["alighted", "scaled", "top_mm"]

_SCALED = ("wall", "palisade", "fence")


def top_mm(patch: Patch) -> float:
    """How high the top of a piece is that is climbed by ladder; one climb where no height is known."""
    feet = patch.height_ft
    return feet * book().heights_ft["mm_per_ft"] if feet > 0 else fight_book().climb.rise * MM_PER_IN


def scaled(game: Game, figures: Sequence[Figure]) -> frozenset[str]:
    """The walls, by id, on top of which all of some men stand: those bar their way no longer."""
    return frozenset(
        patch.id
        for number, patch in enumerate(field_of(game).patches)
        if patch.kind in _SCALED and _all_up(figures, top_mm(patch)) and any(_at(game, figures, [number]))
    )


def _all_up(figures: Sequence[Figure], top: float) -> bool:
    return all(figure.z_mm >= top - MM for figure in figures)


def alighted(game: Game, before: Sequence[Figure], after: Sequence[Figure]) -> tuple[Figure, ...]:
    """Men as they stand after a move: who was up at a wall and has left it is on the ground."""
    walls = [number for number, patch in enumerate(field_of(game).patches) if patch.kind in _SCALED]
    was, still = _at(game, before, walls), _at(game, after, walls)
    return tuple(
        replace(figure, z_mm=0.0) if figure.z_mm > 0 and up and not stays else figure
        for figure, up, stays in zip(after, was, still, strict=True)
    )


def _at(game: Game, figures: Sequence[Figure], pieces: Sequence[int]) -> list[bool]:
    """Which figures touch any of some pieces."""
    if not pieces or not any(figure.z_mm > 0 for figure in figures):
        return [False] * len(figures)
    bases = bases_of(
        [(one.x_mm, one.y_mm) for one in figures],
        [one.base for one in figures],
        [one.bearing_deg for one in figures],
    )
    gaps = base_gaps(bases, field_of(game).pieces.pick(list(pieces))).min(axis=1)
    near: list[bool] = (gaps <= book().mm("touching_mm") + MM).tolist()
    return near
