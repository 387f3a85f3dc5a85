"""The time as journals and the names of files carry it."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["now_text", "stamp"]


def now_text() -> str:
    """The time of an entry: UTC, to the second, ISO 8601."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def stamp() -> str:
    """The time in a file's name: UTC, to the microsecond."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
