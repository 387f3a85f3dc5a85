"""Numbers as they are typed on a command line."""

from __future__ import annotations

import math

__all__ = ["numbers_in"]

#: No length in mm and no angle in degrees is so large.
_MOST = 1e9


def numbers_in(text: str, between: str = ",") -> tuple[float, ...]:
    """The numbers of a text such as ``250,300,90``; empty where one of them is none, or beyond all reason.

    >>> numbers_in("250, 300.5"), numbers_in("1920x1080", "x"), numbers_in("1_000,2"), numbers_in("1e308")
    ((250.0, 300.5), (1920.0, 1080.0), (), ())
    """
    try:
        numbers = tuple(float(part) for part in text.split(between))
    except ValueError:
        return ()
    fine = "_" not in text and all(math.isfinite(number) and abs(number) < _MOST for number in numbers)
    return numbers if fine else ()
