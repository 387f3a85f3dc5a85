"""Whether the keys of a game fit a ruleset's vocabulary: the key's path, and what was expected there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from engine.errors import UnusableFile
from engine.records.reading import convert

__all__ = ["expected", "fits"]


def expected(known: Iterable[str], got: object) -> str:
    """What should have stood there, and what did."""
    return f"expected one of {', '.join(known)}, got {got!r}"


def fits(raw: Any, record: type[Struct], under: str) -> Iterator[tuple[str, str]]:
    """The key path and the fault where a plain value at the path ``under`` is not such a record; else nothing."""
    try:
        convert(raw, record, "", under)
    except UnusableFile as error:
        where, _, what = str(error).removeprefix(": ").partition(": ")
        yield where, what
