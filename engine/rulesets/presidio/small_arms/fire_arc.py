"""What a unit's fire covers, for the page to draw: 45 degrees before formed men, all round others (PR-403)."""

from __future__ import annotations

from typing import Any

from engine.geometry.facing.aspects import Side, side_middles
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.answers.fire_arcs import Origin, edge_mm, sectors
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.small_arms.shooting import band_limits, bearing_of_figure, half_arc_deg
from engine.rulesets.presidio.table.bodies import body_of, gun_of
from engine.rulesets.presidio.table.sorts import fronted
from engine.rulesets.presidio.units.arms import armed_with, weapons_of
from engine.rulesets.presidio.units.guns import load_of
from engine.rulesets.presidio.vocabulary import MM_PER_IN, is_artillery

__all__ = ["arc_of"]


def arc_of(game: Game, unit: Unit) -> dict[str, Any] | None:
    """The arc of a unit's farthest small arm, or of its piece as it points; None where it has neither."""
    if is_artillery(unit):
        return _arc_of_piece(game, unit)
    names = weapons_of(unit)
    if not names:
        return None
    weapon = max(names, key=lambda name: band_limits(game, name)[-1])
    origins = [_origin(game, unit, figure) for figure in armed_with(unit, weapon)]
    return sectors(half_arc_deg(game, unit), band_limits(game, weapon), origins, _range_from(game, unit))


def _arc_of_piece(game: Game, unit: Unit) -> dict[str, Any] | None:
    """Where a piece fires without being turned (PR-904)."""
    gun, load = gun_of(unit), load_of(unit)
    if gun is None or load is None:
        return None
    half = fight_book().gun.arc_deg if gun.bearing_deg is not None else 180.0
    limits = [limit * MM_PER_IN for limit in book().ranges[load.range]]
    return sectors(half, limits, [_origin(game, unit, gun)], _range_from(game, unit))


def _origin(game: Game, unit: Unit, figure: Figure) -> Origin:
    return Origin(figure.x_mm, figure.y_mm, bearing_of_figure(game, unit, figure), edge_mm(figure))


def _range_from(game: Game, unit: Unit) -> tuple[float, float] | None:
    """The middle of the front, from which formed units measure (PR-002); others do from the side at the target."""
    if not fronted(unit):
        return None
    x, y = side_middles(body_of(game, unit))[0, int(Side.FRONT)].tolist()
    return x, y
