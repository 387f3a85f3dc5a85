"""How long the long runs are: a few of each with the other tests, as many as one likes by hand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["EXAMPLES", "examples", "games", "some"]

_Case = TypeVar("_Case")

_USUAL = 30
#: How many examples a property is tried on; the long run takes thousands.
EXAMPLES = int(os.environ.get("VEDETTE_EXAMPLES", _USUAL))


def games(small: int) -> int:
    """How many random games to play: what the environment variable ``VEDETTE_GAMES`` says; else ``small``, or
    some of these where ``VEDETTE_EXAMPLES`` asks for fewer examples than usual, as the gate does.
    """
    return int(os.environ.get("VEDETTE_GAMES", min(examples(small), small)))


def examples(small: int) -> int:
    """How many examples to try a property on of which each costs much: ``small``, or as many times as many as
    ``VEDETTE_EXAMPLES`` asks for of the others.
    """
    return max(small * EXAMPLES // _USUAL, 1)


def some(few: int, cases: Sequence[_Case]) -> Sequence[_Case]:
    """Cases that each cost much: all of them, or the first ``few`` where ``VEDETTE_EXAMPLES`` asks for fewer
    examples than usual, as the gate does.
    """
    return cases if EXAMPLES >= _USUAL else cases[:few]
