"""Who leads a unit at this moment: its own Leader, one that it met while retiring, an officer in reserve."""

from __future__ import annotations

from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.table.facts import in_contact
from engine.rulesets.muskets_mohawks.vocabulary import leader_of, state_of, stats_of

__all__ = [
    "attached_leader", "die_against", "has_leader", "is_led", "leader_die", "officer_attached",
    "with_officer",
]  # fmt: skip


def attached_leader(game: Game, unit: Unit) -> Unit | None:
    """The higher Leader in base contact with the unit: whom it met while it retired, else the first; or None."""
    met = state_of(unit).led_by
    for other in game.units if met is None else sorted(game.units, key=lambda one: one.id != met):
        mate = other.type == "leader" and other.side == unit.side and other.id != unit.id
        if mate and in_contact(game, unit, other):
            return other
    return None


def has_leader(game: Game, unit: Unit) -> bool:
    """Whether the unit has a Leader: his figure, or a higher one that it met while retiring (R-29)."""
    now = state_of(unit)
    return is_led(unit, attached_leader(game, unit) if now.retiring or now.led_by is not None else None)


def is_led(unit: Unit, attached: Unit | None) -> bool:
    """As `has_leader`, the higher Leader in contact being known."""
    return leader_of(unit) is not None or _joined(unit, attached)


def _joined(unit: Unit, attached: Unit | None) -> bool:
    """Whether the Leader beside the unit is one that it met while retiring, rallied since or not (MM-56)."""
    now = state_of(unit)
    return attached is not None and (now.retiring or now.led_by == attached.id)


def officer_attached(game: Game, unit: Unit) -> bool:
    """Whether a higher command Leader is attached (MM-62)."""
    return with_officer(unit) or attached_leader(game, unit) is not None


def with_officer(unit: Unit) -> bool:
    """Whether an officer is among the unit's own figures."""
    return any(figure.role == "officer" for figure in unit.figures)


def leader_die(game: Game, unit: Unit) -> int | None:
    """The Reputation that the unit's Leader dice are rolled against; None where nobody leads it (MM-33, R-47)."""
    return die_against(unit, None if leader_of(unit) is not None else attached_leader(game, unit))


def die_against(unit: Unit, attached: Unit | None) -> int | None:
    """As `leader_die`, the higher Leader in contact being known."""
    stats = stats_of(unit)
    if leader_of(unit) is not None:
        return stats.leader_rep
    if attached is not None and _joined(unit, attached):
        return stats_of(attached).leader_rep
    if with_officer(unit):
        return stats.leader_rep
    return None if attached is None else stats_of(attached).leader_rep
