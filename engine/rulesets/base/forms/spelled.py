"""In which order a record spells the values of its keys: the rules' own, which msgspec's types do not keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct

__all__ = ["spelled"]


def spelled(record: type[Struct]) -> Mapping[str, tuple[str, ...]]:
    """For each key of a record whose values are words, or lists of words, these words as the record has them.

    >>> class Keys(Struct):
    ...     rank: Literal["lieutenant", "captain"] | None = None
    >>> spelled(Keys)
    {'rank': ('lieutenant', 'captain')}
    """
    hints = get_type_hints(record)
    names = zip(record.__struct_fields__, record.__struct_encode_fields__, strict=True)
    found = {name: tuple(_words(hints[field])) for field, name in names}
    return {name: words for name, words in found.items() if words}


def _words(hint: Any) -> Iterator[str]:
    """The values of all literals in a type, in the order of the text."""
    if get_origin(hint) is Literal:
        yield from map(str, get_args(hint))
        return
    for inner in get_args(hint):
        yield from _words(inner)
