"""What the ground costs those who move over it: barriers by arm, ways through them, jumps (PR-310 to PR-315)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from engine.geometry.plane.tolerance import MM
from engine.geometry.reach import Going, Ground, ground_of
from engine.geometry.reach.openings import Rings, left_beside, rim_beside, wholly_on
from engine.geometry.sight.crossing import lengths_without
from engine.records.game import Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.table.field import Field, field_of
from engine.rulesets.presidio.table.patches import Patch
from engine.rulesets.presidio.table.sorts import class_of, mounted
from engine.rulesets.presidio.units.guns import crew_alone
from engine.rulesets.presidio.vocabulary import MM_PER_IN

__all__ = ["Arm", "arm_of", "breaks_up", "entered", "ground_for", "jumped", "on_road"]

Arm = Literal["foot", "mounted", "wheels"]

_WAYS = ("bridge", "road")
_DOORS = ("door", "gate")
_WALLED = ("house", "wall", "palisade", "fence")


def arm_of(unit: Unit) -> Arm:
    """How a unit goes: on foot, on horseback, on wheels."""
    if class_of(unit) in ("vehicle", "artillery") and not crew_alone(unit):
        return "wheels"
    return "mounted" if mounted(unit) else "foot"


def ground_for(game: Game, arm: Arm, but: frozenset[str] = frozenset()) -> Ground:
    """What the terrain, ``but`` for some pieces by id, does to a move of an arm; kept beside the game."""
    return once(game, f"pr_ground_{arm} {sorted(but)}", lambda: _ground(field_of(game), arm, but))


def _ground(field: Field, arm: Arm, but: frozenset[str]) -> Ground:
    parts = [
        part for number, patch in enumerate(field.patches) if patch.id not in but
        for part in _parts(field, number, arm)
    ]  # fmt: skip
    return ground_of(
        [rings[0] for rings, _ in parts], [going for _, going in parts], [rings[1:] for rings, _ in parts]
    )


def _parts(field: Field, number: int, arm: Arm) -> Iterator[tuple[Rings, Going]]:
    """The outlines of a piece that cost something, beside the bridges, roads and doors that lead through it."""
    patch, rings = field.patches[number], field.pieces.rings[number]
    going = _going(patch, arm)
    if going is None:
        return
    ways = [i for i, other in enumerate(field.patches) if other.kind in _WAYS]
    doors = [i for i, other in enumerate(field.patches) if other.kind in _DOORS] if patch.kind in _WALLED else []
    doors = [i for i in doors if _touch(field, number, i)]
    openings = [field.pieces.rings[i] for i in (*ways, *doors)]
    if patch.kind == "house" and doors:
        # Its walls are shut but at its doors, and those take the price.
        for rim in rim_beside(rings, openings):
            yield rim, Going(name=patch.id, barred=True)
    elif openings:
        for part in left_beside(rings, openings):
            yield part, going
    else:
        yield rings, going


def _touch(field: Field, one: int, other: int) -> bool:
    """Whether the boxes round two pieces overlap."""
    low, high = field.pieces.bounds
    return bool((low[one] <= high[other]).all() and (low[other] <= high[one]).all())


def _going(patch: Patch, arm: Arm) -> Going | None:
    """What a piece costs; None where it costs nothing."""
    goings, barrier = book().going, patch.barrier
    if barrier == "none":
        return None
    closed = {"foot": ("impassable",), "mounted": ("impassable", "medium", "heavy")}
    if arm == "wheels" or barrier in closed[arm]:
        return Going(name=patch.id, barred=True)
    if barrier == "light":
        price = goings.light_mounted if arm == "mounted" else goings.light
        return Going(name=patch.id, crossing_mm=price * MM_PER_IN)
    share = goings.half if barrier == "medium" else goings.quarter
    return Going(name=patch.id, keeps=share) if patch.line else Going(name=patch.id, factor=share)


def on_road(game: Game, start: tuple[float, float], end: tuple[float, float]) -> bool:
    """Whether a way leads along roads and bridges alone (PR-320)."""
    field = field_of(game)
    roads = [rings for rings, patch in zip(field.pieces.rings, field.patches, strict=True) if patch.kind in _WAYS]
    return bool(roads) and wholly_on(start, end, roads)


def entered(game: Game, start: tuple[float, float], end: tuple[float, float]) -> tuple[Patch, ...]:
    """The pieces that a straight way leads into from outside, and not by a bridge or road, in list order."""
    field = field_of(game)
    ways = field.pieces.pick([number for number, patch in enumerate(field.patches) if patch.kind in _WAYS])
    ends = np.array([start]), np.array([end])
    before = field.pieces.contains(ends[0], allowance=0.0)[0]
    return tuple(
        patch
        for number, patch in enumerate(field.patches)
        if not before[number] and lengths_without(field.pieces, number, ways, *ends)[0] > MM
    )


def jumped(patch: Patch) -> bool:
    """Whether riders jump a piece: a light barrier that is a thin thing, and no doorway (PR-214, PR-312)."""
    return patch.line and patch.barrier == "light" and patch.kind not in _DOORS


def breaks_up(patch: Patch, arm: Arm) -> bool:
    """Whether entering a piece puts a formed unit into skirmish: woods, for riders even light ones (PR-311)."""
    return patch.woods and (patch.barrier in ("medium", "heavy") or (arm == "mounted" and patch.barrier == "light"))
