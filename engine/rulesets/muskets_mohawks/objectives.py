"""Whether the player has done what his encounter asks of him (MM-232 to MM-235)."""

from __future__ import annotations

from engine.records.game import Game, Terrain
from engine.rulesets.muskets_mohawks.procedures.solo.sections import near_edge, section_of
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, state_of

__all__ = ["stores_done", "succeeded"]

#: Where the stores are that a raid is after (MM-233).
_STORES_IN = 2


def succeeded(game: Game, side: str) -> bool:
    """Whether the encounter is a success for the player's side, as the table stands at its end.

    Somebody must be left who brings the report or the loot home; elsewhere who has won has done what was asked.
    """
    conditions = conditions_of(game)
    home = any(
        unit.side == side and unit.type != "pef" and (figures_of(unit) or state_of(unit).left_field)
        for unit in game.units
    )
    if conditions.encounter == "scout":
        return conditions.evening.scouted and home
    if conditions.encounter == "raid-attack" and conditions.evening.structures:
        return stores_done(game) and home
    return bool(conditions.evening.won)


def stores_done(game: Game) -> bool:
    """Whether as many buildings of section 2 as the raid is after are looted or burn."""
    wanted = conditions_of(game).evening.structures
    edge = near_edge(game)
    done = [
        piece for piece in game.terrain if _done(piece) and section_of(game, _middle(piece), edge) == _STORES_IN
    ]
    return wanted > 0 and len(done) >= wanted


def _done(piece: Terrain) -> bool:
    looted, burning = piece.extra.get("loot_turns") == 0, float(piece.extra.get("fire_in") or 0.0) > 0.0
    return piece.kind == "building" and bool(piece.polygon_mm) and (looted or burning)


def _middle(piece: Terrain) -> tuple[float, float]:
    ring = piece.polygon_mm or ()
    return sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring)
