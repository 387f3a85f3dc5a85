"""How long to wait before a lost camera is tried again."""

from __future__ import annotations

__all__ = ["LONGEST_PAUSE_S", "pause_s"]

LONGEST_PAUSE_S = 30.0


def pause_s(failures: int) -> float:
    """The pause after so many failures in a row (from 1): 1, 2, 4 … 30 seconds.

    >>> [pause_s(n) for n in range(1, 8)]
    [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    """
    return min(LONGEST_PAUSE_S, float(2 ** min(failures - 1, 16)))
