"""Presidio: skirmishes of the Spanish borderlands, two actions a turn, twelve-sided dice, raids and a campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.play import Procedure
    from engine.records.action import Action
    from engine.records.answer import Answer
    from engine.records.game import Game
    from engine.rulesets.base import Row, Wording

__all__ = ["RULESET", "Presidio"]


class Presidio:
    """The ruleset; its parts are imported when they are first asked for."""

    id = "presidio"
    title = "Presidio"
    unit_of_length = "in"
    mm_per_unit = 25.4

    def check(self, game: Game) -> None:
        """Refuses a game with a word outside the vocabulary. Raises UnusableFile with the key path."""
        from engine.rulesets.presidio.checking import check

        check(game)

    def ask(self, game: Game, units: Sequence[str] | None = None) -> Answer:
        """What the units (all, or those named) can do, and why not the rest."""
        from engine.rulesets.presidio.answering import answer

        return answer(game, units)

    def begin(self, game: Game, action: Action) -> Procedure[None]:
        """The procedure of an action. Raises UnknownAction, ActionRefused."""
        from engine.rulesets.presidio.procedures import begin

        return begin(game, action)

    def rows(self) -> Mapping[str, Row]:
        """Every row of the rulebook, by id."""
        from engine.rulesets.rows import rows_of

        return rows_of("engine.rulesets.presidio")

    def wording(self) -> Wording:
        """How its actions and events are told."""
        from engine.rulesets.rows import wording_of

        return wording_of("engine.rulesets.presidio")


RULESET = Presidio()
