"""What a unit's fire covers, for the page to draw: each figure's reach and arc, the arc of a gun's ball (MM-83)."""

from __future__ import annotations

from typing import Any

from engine.records.game import Game, Unit
from engine.rulesets.base.answers.fire_arcs import Origin, edge_mm, sectors
from engine.rulesets.base.kept import once
from engine.rulesets.muskets_mohawks.options.artillery import BALL_MM, gun_at
from engine.rulesets.muskets_mohawks.seeing.pairs import ARC_DEG
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, state_of, weapon_of

__all__ = ["BALL_ARC_DEG", "arc_of"]

#: How far off the barrel a ball is aimed (MM-121).
BALL_ARC_DEG = 15.0

_RING_MM = 6 * MM_PER_INCH


def arc_of(game: Game, unit: Unit) -> dict[str, Any] | None:
    """The arc of a unit's small arm, ringed every 6 in, or of its gun's ball; None where it has neither."""
    if unit.type == "gunners":
        gun = gun_at(game, unit)
        return sectors(BALL_ARC_DEG, [BALL_MM], [Origin(*gun.muzzle_at, gun.bearing_deg)]) if gun else None
    return once(unit, "mm_arc", lambda: _of_small_arms(unit))


def _of_small_arms(unit: Unit) -> dict[str, Any] | None:
    weapon = weapon_of(unit)
    if not weapon.small_arm or state_of(unit).in_building is not None:  # from a house there is no arc
        return None
    bands = [_RING_MM * ring for ring in range(1, int(weapon.range_mm // _RING_MM) + 1)]
    if not bands or weapon.range_mm - bands[-1] > 1:
        bands.append(weapon.range_mm)
    origins = [
        Origin(figure.x_mm, figure.y_mm, figure.bearing_deg, edge_mm(figure))
        for figure in figures_of(unit)
        if figure.bearing_deg is not None and figure.role not in ("gun", "holder")
    ]
    return sectors(ARC_DEG, bands, origins)
