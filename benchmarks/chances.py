"""How long the exact chances of one option take: a volley of ten in a game of twenty units, and what follows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks.answers import game_of_units

_RUNS = 7


def chances_of_an_option() -> str:
    """The least processor time of runs over an option that has been shown, as the page asks for it."""
    from engine.odds import odds
    from engine.records.action import action_from
    from engine.rulesets import find_ruleset

    ruleset, game = find_ruleset("muskets-mohawks"), game_of_units()
    shown = [(unit.unit, shot) for unit in ruleset.ask(game).units for shot in unit.fire if shot.legal]
    shooter, shot = max(shown, key=lambda found: found[1].roll.count if found[1].roll else 0)
    action = action_from({"action": "fire", "unit": shooter, "target": shot.target, "mode": shot.mode})

    def least(fact: Callable[[Any], Any]) -> float:
        spans = []
        for _ in range(_RUNS):
            start = time.process_time()
            odds(game, lambda: ruleset.begin(game, action), fact)
            spans.append(time.process_time() - start)
        return min(spans)

    hits = least(lambda event: event.facts.get("casualties") if event.event == "fired" else None)
    test = least(lambda event: event.facts.get("result") if event.event == "reaction" else None)
    return f"{1e3 * hits:.1f} ms for the casualties, {1e3 * test:.0f} ms more for what the target does then"
