"""The exact chances of an action, as the table tells them: worked out within a moment, or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from engine.errors import ActionRefused, EngineError, UnknownAction
from engine.odds import TooManyOutcomes
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.answers.chances import chances as worked_out
from engine.rulesets.base.ruleset import Ruleset
from engine.words.story import Names, names_in
from webui.errors import BadRequest, Refused

__all__ = ["PATIENCE_S", "chances"]

#: How long the table's one thread works on the chances of an action.
PATIENCE_S = 1.0


def chances(
    ruleset: Ruleset, game: Game, action: Action, clock_s: Callable[[], float] = time.thread_time
) -> dict[str, Any]:
    """The chance of each outcome, the simple number first, and what follows from it.

    The table waits for it: what takes more than `PATIENCE_S` of this thread's time is given up, and the sentence
    says so. Raises Refused where the rules do not allow the action, BadRequest where there is none such.
    """
    until_s = clock_s() + PATIENCE_S
    try:
        found = worked_out(ruleset, game, action, enough=lambda: clock_s() > until_s).to_builtins()
    except ActionRefused as error:
        raise Refused("the rules do not allow this", error.reasons) from error
    except UnknownAction as error:
        raise BadRequest(str(error)) from error
    except TooManyOutcomes:
        return {"outcomes": [], "sentence": "the chances take too long to work out"}
    except EngineError as error:
        raise Refused(str(error)) from error
    return _named(found, names_in(game, ruleset))


def _named(found: dict[str, Any], names: Names) -> dict[str, Any]:
    """Chances in which units are called by their names."""
    outcomes = [{**one, "what": names.agreed(names.within(one["what"]))} for one in found["outcomes"]]
    told = {**found, "outcomes": outcomes, "sentence": names.agreed(names.within(found["sentence"]))}
    return {**told, "then": [_named(part, names) for part in found["then"]]} if "then" in found else told
