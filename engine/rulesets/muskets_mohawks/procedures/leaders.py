"""Who leads a unit at this moment: its own Leader, one that it met while retiring, an officer in reserve."""

from __future__ import annotations

from collections.abc import Iterator

from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.facts import in_contact
from engine.rulesets.muskets_mohawks.vocabulary import leader_of, state_of, stats_of

__all__ = ["friends_in_contact", "has_leader", "leader_die", "officer_attached"]


def friends_in_contact(game: Game, unit: Unit) -> Iterator[Unit]:
    """The friendly units in base contact with a figure of the unit."""
    for other in game.units:
        if other.side == unit.side and other.id != unit.id and in_contact(game, unit, other):
            yield other


def _attached_leader(game: Game, unit: Unit) -> Unit | None:
    return next((other for other in friends_in_contact(game, unit) if other.type == "leader"), None)


def has_leader(game: Game, unit: Unit) -> bool:
    """Whether the unit has a Leader: his figure, or a higher one that it met while retiring (R-29)."""
    if leader_of(unit) is not None:
        return True
    return state_of(unit).retiring and _attached_leader(game, unit) is not None


def officer_attached(game: Game, unit: Unit) -> bool:
    """Whether a higher command Leader is attached (MM-62)."""
    return any(figure.role == "officer" for figure in unit.figures) or _attached_leader(game, unit) is not None


def leader_die(game: Game, unit: Unit) -> int | None:
    """The Reputation that the unit's Leader dice are rolled against; None where nobody leads it (MM-33, R-47)."""
    stats = stats_of(unit)
    if leader_of(unit) is not None:
        return stats.leader_rep
    attached = _attached_leader(game, unit)
    if state_of(unit).retiring and attached is not None:
        return stats_of(attached).leader_rep
    if any(figure.role == "officer" for figure in unit.figures):
        return stats.leader_rep
    return None if attached is None else stats_of(attached).leader_rep
