"""What actions are open, what they ask for, and whether one would be allowed: nothing here changes the game."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.dice import Roll
from engine.errors import ActionRefused, DiceError, UnknownAction, UnusableFile
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.opening import open_actions
from engine.rulesets.base.ruleset import Ruleset
from engine.unfinished import Unfinished, play_so_far
from engine.words.story import Names, names_in
from webui.errors import BadRequest
from webui.table.missing import lacking

__all__ = ["campaign_view", "forms_view", "open_view", "roll_view", "tried"]


def forms_view(ruleset: Ruleset) -> dict[str, Any]:
    """Every action of the ruleset as it is asked for, in the order in which players are shown them."""
    return {"ruleset": ruleset.id, "forms": msgspec.to_builtins(list(ruleset.forms().values()))}


def campaign_view(ruleset: Ruleset, game: Game) -> dict[str, Any]:
    """The campaign as it stands in a game as somebody knows it."""
    found = ruleset.campaign(game)
    return {"campaign": None if found is None else msgspec.to_builtins(found)}


def open_view(ruleset: Ruleset, game: Game, unit: str | None) -> dict[str, Any]:
    """How every action of a unit stands, or, without one, those of the game. Raises BadRequest."""
    try:
        found = open_actions(ruleset, game, unit)
    except UnusableFile as error:
        raise BadRequest(str(error)) from error
    return {"unit": unit, "open": msgspec.to_builtins(found)}


def tried(ruleset: Ruleset, game: Game, action: Action) -> dict[str, Any]:
    """Whether an action would be allowed, and the roll that it begins with; else every reason with its row.

    An action whose keys are not all there yet, or not right, is ``unready``; what it lacks is said by its form's
    labels. ``choices`` are the words that there are for its keys, as far as it is said, where its form has more.
    """
    choices = ruleset.choices(game, action)
    return _tried(ruleset, game, action) | ({"choices": dict(choices)} if choices else {})


def _tried(ruleset: Ruleset, game: Game, action: Action) -> dict[str, Any]:
    try:
        result = play_so_far(game, lambda: ruleset.begin(game, action), ())
    except ActionRefused as error:
        return {"state": "refused", "reasons": list(error.reasons), "rules": list(error.rules)}
    except (UnknownAction, UnusableFile, DiceError) as error:
        return {"state": "unready", "lacks": lacking(ruleset.forms().get(action.action), action, str(error))}
    coming = roll_view(result.next, names_in(game, ruleset)) if isinstance(result, Unfinished) else None
    return {"state": "allowed", "next": coming}


def roll_view(roll: Roll, names: Names) -> dict[str, Any]:
    """A roll as the page's keypad asks for it."""
    return {
        "for": names.asked(roll.purpose),
        "count": roll.count,
        "die": roll.die,
        "success": roll.success,
        "rule": roll.rule,
    }
