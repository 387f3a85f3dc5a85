"""What may stand at a key of a record, for the line that tells a user so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct

__all__ = ["choices_at", "keys_at"]

_NUMBER = re.compile(r"\[[^]]*\]")


def choices_at(record: Any, path: str) -> list[str]:
    """The words or numbers that may stand at a key path such as ``.options.measure`` or ``special[...]``.

    Empty where no list of them is known.
    """
    kinds = [record]
    for key in _keys_of(path):
        structs = [struct for kind in kinds for struct in _structs_in(kind)]
        tags = [str(one.__struct_config__.tag) for one in structs if one.__struct_config__.tag_field == key]
        if tags:
            return tags
        kinds = [kind for struct in structs for kind in _kinds_at(struct, key)] or kinds
    return [str(word) for kind in kinds for word in _words_in(kind) if word is not None]


def keys_at(record: Any, path: str) -> list[str]:
    """The keys that a record at a key path such as ``.options`` may have, those of a ruleset's own left out."""
    kinds = [record]
    for key in _keys_of(path):
        kinds = [kind for one in kinds for struct in _structs_in(one) for kind in _kinds_at(struct, key)]
    found = [key for kind in kinds for struct in _structs_in(kind) for key in struct.__struct_encode_fields__]
    return [key for key in dict.fromkeys(found) if key != "extra"]


def _keys_of(path: str) -> Iterator[str]:
    return filter(None, _NUMBER.sub("", path).split("."))


def _kinds_at(struct: type[Struct], key: str) -> Iterator[Any]:
    fields = dict(zip(struct.__struct_encode_fields__, struct.__struct_fields__, strict=True))
    if key in fields:
        yield get_type_hints(struct, include_extras=True)[fields[key]]


def _structs_in(kind: Any) -> Iterator[type[Struct]]:
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield kind
    else:
        for inner in get_args(kind):
            yield from _structs_in(inner)


def _words_in(kind: Any) -> Iterator[Any]:
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    else:
        for inner in get_args(kind):
            yield from _words_in(inner)
