"""When an entry was written, as people read it: the log keeps UTC, a table has a clock on its wall."""

from __future__ import annotations

from datetime import datetime

__all__ = ["on_the_clock"]


def on_the_clock(at: str) -> str:
    """An entry's time, to the minute, by the clock of this computer; as it stands where it is no time.

    >>> on_the_clock("2026-11-21T19:05:00Z")[:8], on_the_clock("yesterday")
    ('2026-11-', 'yesterday')
    """
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return at
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")
