"""What is worked out of a record once and kept beside it: it never changes, so that holds as long as it lives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["once"]

T = TypeVar("T")


def once(record: object, key: str, make: Callable[[], T]) -> T:
    """What ``make()`` gives, worked out when it is first asked for; ``key`` begins with the ruleset's own sign.

    >>> from engine.records.game import Round
    >>> base = Round(diameter_mm=25)
    >>> once(base, "x_area", lambda: 1), once(base, "x_area", lambda: 2)
    (1, 1)
    """
    kept = vars(record)
    if key not in kept:
        kept[key] = make()
    found: T = kept[key]
    return found
