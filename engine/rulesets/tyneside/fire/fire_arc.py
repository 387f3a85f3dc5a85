"""What a unit's fire covers, for the page to draw: all round each figure, out to its weapon's bands (TY-30)."""

from __future__ import annotations

from typing import Any

from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.answers.fire_arcs import Origin, edge_mm, sectors
from engine.rulesets.tyneside.fire.firing import farther, weapons_of
from engine.rulesets.tyneside.vocabulary import MM_PER_CM, carries, conditions_of, figures_of, weapons

__all__ = ["arc_of"]


def arc_of(game: Game, unit: Unit) -> dict[str, Any] | None:
    """The reach of the unit's farthest weapon, by its bands; None where it has none that is shot or thrown."""
    names = [name for name in weapons_of(unit) if name in weapons() and weapons()[name].shoots]
    if not names:
        return None
    name = max(names, key=lambda one: weapons()[one].long)
    weapon, from_edges = weapons()[name], conditions_of(game).options.measure == "edge"
    limits = [weapon.short, weapon.medium] if farther(unit, name) else [weapon.short, weapon.medium, weapon.long]

    def origin(figure: Figure) -> Origin:
        most = weapon.short * MM_PER_CM if figure.status == "wounded" else None  # TY-47
        edge = edge_mm(figure) if from_edges else 0.0
        return Origin(figure.x_mm, figure.y_mm, figure.bearing_deg or 0.0, edge, most)

    origins = [origin(figure) for figure in figures_of(unit) if carries(unit, figure, name)]
    return sectors(180.0, [limit * MM_PER_CM for limit in limits if limit], origins)
