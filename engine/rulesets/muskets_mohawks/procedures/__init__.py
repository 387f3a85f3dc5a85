"""The procedures: what is rolled when a unit fires, charges, fights or tests, and what follows."""

from __future__ import annotations

from engine.play import Procedure
from engine.records.action import Action
from engine.records.game import Game

__all__ = ["begin"]


def begin(game: Game, action: Action) -> Procedure[None]:
    """The procedure of an action. Raises UnknownAction, ActionRefused."""
    from engine.rulesets import keys
    from engine.rulesets.muskets_mohawks.procedures.registry import ENTRIES

    return keys.begin(ENTRIES, game, action)
