"""Which rounds of melee are to be fought: at once on contact and after a follow-up, else once an activation."""

from __future__ import annotations

from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of

__all__ = ["first_round", "fought_already", "locked", "opponents", "owed_at_once", "still_owes"]


def first_round(unit: Unit, foe: Unit) -> bool:
    """Whether two units in contact have not fought a round yet: one of them has fought none at all (MM-149)."""
    return min(state_of(unit).melee_round, state_of(foe).melee_round) == 0


def owed_at_once(unit: Unit, foe: Unit) -> bool:
    """Whether two units in contact fight before anybody else acts: on contact, or as one follows up (MM-163)."""
    return first_round(unit, foe) or state_of(unit).following_up or state_of(foe).following_up


def fought_already(game: Game, unit: Unit, foe: Unit) -> bool:
    """Whether there is no further round between two units before the next activation of either (MM-162)."""
    pairs = ((unit, foe), (foe, unit))
    done = [_has_fought(one, other) for one, other in pairs if one.side == game.turn.active_side]
    return not owed_at_once(unit, foe) and bool(done) and all(done)


def still_owes(unit: Unit, foe: Unit) -> bool:
    """Whether a unit has fought others of its enemies in this activation, and not yet this one (MM-159, MM-162)."""
    fought = state_of(unit).fought_with
    return bool(fought) and foe.id not in fought


def _has_fought(unit: Unit, foe: Unit) -> bool:
    return state_of(unit).activated and not still_owes(unit, foe)


def locked(unit: Unit, foe: Unit) -> bool:
    """Whether two units are in melee with each other, by what is said of either."""
    return foe.id in state_of(unit).in_melee or unit.id in state_of(foe).in_melee


def opponents(game: Game, unit: Unit, *, and_also: Unit | None = None) -> tuple[Unit, ...]:
    """The enemies with whom a unit is in melee, of whom any figure is left; ``and_also``: one whom it meets."""
    also = None if and_also is None else and_also.id
    return tuple(foe for foe in game.enemies(unit) if figures_of(foe) and (locked(unit, foe) or foe.id == also))
