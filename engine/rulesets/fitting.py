"""Whether the keys of a game fit a ruleset's vocabulary: the key's path, and what was expected there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
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
        if what.startswith("Invalid enum value"):
            known = _words_at(record, where.removeprefix(under).lstrip("."))
            what = f"expected one of {', '.join(known)}, got {what.removeprefix('Invalid enum value ')}"
        yield where, what


def _words_at(record: type[Struct], path: str) -> list[str]:
    """The words that may stand at a key path such as ``options.measure`` or ``special[...]``."""
    kind: Any = record
    for key in re.sub(r"\[[^]]*\]", "", path).split("."):
        inner = _struct_in(kind)
        if inner is None:
            return []
        hints = get_type_hints(inner, include_extras=True)
        fields = dict(zip(inner.__struct_encode_fields__, inner.__struct_fields__, strict=True))
        kind = hints.get(fields.get(key, key), kind)
    return [word for word in _words_in(kind) if isinstance(word, str)]


def _struct_in(kind: Any) -> type[Struct] | None:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind
    found = (_struct_in(inner) for inner in get_args(kind))
    return next((inner for inner in found if inner is not None), None)


def _words_in(kind: Any) -> list[Any]:
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    if get_origin(kind) in (Union, UnionType, tuple, list, Mapping, Annotated):
        return [word for inner in get_args(kind) for word in _words_in(inner)]
    return []
