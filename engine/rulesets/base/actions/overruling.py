"""Whether an umpire's action is one that the rules forbid."""

from __future__ import annotations

from msgspec.structs import replace

from engine.errors import ActionRefused
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.ruleset import Ruleset

__all__ = ["overrules"]


def overrules(game: Game, ruleset: Ruleset, action: Action) -> bool:
    """Whether an action is played by the umpire's word alone: the rules by themselves would not allow it."""
    if not action.override:
        return False
    try:
        ruleset.begin(game, replace(action, override=False)).close()
    except ActionRefused:
        return True
    return False
