"""What comes of a charge whatever its dice: told beside its option, before anybody rolls."""

from __future__ import annotations

from typing import Any

from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.options.fire_options import against_volleys
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, formation_of, weapon_of

__all__ = ["horse_stops", "notes_of"]


def notes_of(game: Game, unit: Unit, target: Unit, meets: str | None) -> dict[str, Any]:
    """``notes`` of a charge, each ``{text, rule}``; empty where there are none.

    Of one that runs into another enemy it is told that it ``meets`` that one, and nothing of the target.
    """
    if meets is not None:
        return {"notes": [{"text": f"it runs into {meets} first, and charges whom it meets", "rule": "MM-148"}]}
    square = troop(unit, game).cavalry and formation_of(target) == "square"
    told = (
        (square, "horse does not charge a square, but retires out of musket range", "MM-248"),
        (
            not square and horse_stops(game, unit, target),
            "horse does not close with foot that stands, but retires out of musket range",
            "MM-147",
        ),
        (not square and _fires_at_will(game, target), "what it fires at the charge at will hits half", "MM-107"),
    )
    notes = [{"text": text, "rule": rule} for holds, text, rule in told if holds]
    return {"notes": notes} if notes else {}


def horse_stops(game: Game, unit: Unit, target: Unit) -> bool:
    """Whether horse does not close with foot that stands (MM-147)."""
    return troop(unit, game).cavalry and troop(target, game).infantry


def _fires_at_will(game: Game, target: Unit) -> bool:
    """Whether a target that fires at its charger can but do so at will: a volley is not halved."""
    armed = weapon_of(target).small_arm and bool(figures_of(target))
    return armed and not conditions_of(game).nothing_fires and bool(against_volleys(game, target))
