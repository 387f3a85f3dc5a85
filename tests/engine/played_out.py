"""Games played out at random: the game so far, and what must hold after every action under any rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from engine.dice import SeededDice
from engine.events import Event, fold
from engine.play import Played, play
from engine.records.action import action_from
from engine.records.game import Game, game_builtins, game_from
from engine.rulesets.base.ruleset import Ruleset

__all__ = ["PlayedOut", "assert_kept"]


def assert_kept(rules: Ruleset, before: Game, played: Played) -> None:
    """The events tell all that happened, and the game after them can be saved, opened and asked about."""
    assert fold(played.events, before) == played.game
    assert game_from(game_builtins(played.game), "the saved game") == played.game
    rules.check(played.game)


class PlayedOut:
    """A game while it is played; every action's outcome is held to what must always be so."""

    def __init__(
        self,
        rules: Ruleset,
        start: Game,
        rng: random.Random,
        seed: int,
        hold: Callable[[Game, Played], None],
    ) -> None:
        """``hold`` asserts of a game, and an action played in it, what these rules' games must hold to besides."""
        self.rules, self.rng, self.dice, self.hold = rules, rng, SeededDice(seed), hold
        self.of = self.start = start
        self.events: list[Event] = []
        self.log: list[dict[str, Any]] = []

    def do(self, action: str, **keys: Any) -> Played:
        """Plays an action; raises ActionRefused where it is not allowed."""
        before, raw = self.of, {"action": action, **keys}
        played = play(before, self.rules.begin(before, action_from(raw)), self.dice)
        assert_kept(self.rules, before, played)
        self.hold(before, played)
        self.of = played.game
        self.events += played.events
        self.log.append(raw)
        return played
