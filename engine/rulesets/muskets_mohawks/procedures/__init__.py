"""The procedures: what is rolled when a unit fires, charges, fights or tests, and what follows."""

from __future__ import annotations

from engine.errors import UnknownAction
from engine.play import Procedure
from engine.records.action import Action
from engine.records.game import Game

__all__ = ["begin"]


def begin(game: Game, action: Action) -> Procedure[None]:
    """The procedure of an action. Raises UnknownAction, ActionRefused."""
    from engine.rulesets.muskets_mohawks.procedures.keys import check_names, keys_of
    from engine.rulesets.muskets_mohawks.procedures.registry import ENTRIES

    entry = ENTRIES.get(action.action)
    if entry is None:
        known = ", ".join(sorted(ENTRIES))
        raise UnknownAction(f"action: expected one of {known}, got {action.action!r}")
    keys = keys_of(action, entry.keys)
    check_names(game, action, unit=entry.unit, target=entry.target)
    return entry.begin(game, action, keys)
