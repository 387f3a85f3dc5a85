"""The check of a game against the vocabulary."""

from __future__ import annotations

from engine.records.game import Game


def check(game: Game) -> None:
    """Refuses a game with a word outside the vocabulary. Raises UnusableFile with the key path."""
