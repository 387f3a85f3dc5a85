"""Games in files, checked by their rules."""

from __future__ import annotations

from pathlib import Path

from engine.errors import UnusableFile
from engine.records.game import Game, read_game
from engine.rulesets import find_ruleset
from engine.rulesets.base.ruleset import Ruleset

__all__ = ["ready"]


def ready(path: Path) -> tuple[Game, Ruleset]:
    """The game in a file, checked by its rules. Raises UnusableFile."""
    game = read_game(path)
    try:
        ruleset = find_ruleset(game.ruleset)
        ruleset.check(game)
    except UnusableFile as error:
        raise UnusableFile(f"{path}: {error}") from error
    return game, ruleset
