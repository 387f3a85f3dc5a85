"""How long the long runs are: a few of each with the other tests, as many as one likes by hand."""

from __future__ import annotations

import os

__all__ = ["games"]


def games(small: int) -> int:
    """How many random games to play: ``small``, or what the environment variable ``VEDETTE_GAMES`` says."""
    return int(os.environ.get("VEDETTE_GAMES", small))
