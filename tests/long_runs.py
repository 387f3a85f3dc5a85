"""How long the long runs are: a few of each with the other tests, as many as one likes by hand."""

from __future__ import annotations

import os

__all__ = ["EXAMPLES", "examples", "games"]

#: How many examples a property is tried on; the long run takes thousands.
EXAMPLES = int(os.environ.get("VEDETTE_EXAMPLES", "30"))


def games(small: int) -> int:
    """How many random games to play: ``small``, or what the environment variable ``VEDETTE_GAMES`` says."""
    return int(os.environ.get("VEDETTE_GAMES", small))


def examples(small: int) -> int:
    """How many examples to try a property on of which each costs much: ``small``, or as many times as many as
    ``VEDETTE_EXAMPLES`` asks for of the others.
    """
    return max(small * EXAMPLES // 30, 1)
