"""What in a pack's tables is unlike anything in the tables that it extends: a misspelt key, a text for a number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

__all__ = ["table_faults"]

#: Keys whose texts are anybody's own.
_FREE = ("rule", "title", "name", "note", "label", "of", "also")
_DICE = re.compile(r"\d*d\d+([+-]\d+)?")
_LISTED = 8


def table_faults(now: Mapping[str, Any], own: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The key paths that are unlike, each with what was expected.

    ``own`` is the model. What stands in a table of records may be one record more, of the keys that the others
    have; a value is of the kind that stands there, or in the same key of other records; a text is a word that the
    tables use.

    >>> own = {"weapons": {"musket": {"range_in": 18}, "lance": {"range_in": 0, "lance": True}}}
    >>> list(table_faults({"weapons": {"pike": {"range_in": 0, "lance": True}, **own["weapons"]}}, own))
    []
    >>> list(table_faults({"weapons": {"musket": {"range_in": 16, "dyce": 1}}}, own))
    [('weapons.musket.dyce', 'expected one of lance, range_in')]
    >>> list(table_faults({"weapons": {"musket": {"range_in": "far"}}}, own))
    [('weapons.musket.range_in', "expected a number, got 'far'")]
    """
    held = _Held(words=frozenset((*_texts(own), *_keys(now))), choices=tuple(_choices(own)))
    yield from held.faults(now, [own], "")


class _Held(Struct, frozen=True):
    """What tables are held against: the ``words`` in use, and all tables of texts, each for a condition."""

    words: frozenset[str]
    choices: tuple[Mapping[str, str], ...]

    def faults(self, now: Any, models: list[Any], where: str) -> Iterator[tuple[str, str]]:
        """What is unlike in a value, by the values that may stand in its place."""
        kinds = {kind: True for model in models if (kind := _kind(model))}
        if _kind(now) not in kinds:
            yield where, f"expected {' or '.join(kinds) or 'nothing'}, got {now!r}"
        elif isinstance(now, Mapping):
            yield from self._table_faults(now, [model for model in models if isinstance(model, Mapping)], where)
        elif isinstance(now, list):
            inner = [one for model in models if isinstance(model, list) for one in model]
            for number, one in enumerate(now):
                yield from self.faults(one, inner, f"{where}[{number}]")
        elif isinstance(now, str) and not (now in self.words or _DICE.fullmatch(now) or _key(where) in _FREE):
            yield where, f"expected a word that these tables use, got {now!r}"
        elif isinstance(now, float) and not now.is_integer() and not _may_be_broken(where, models):
            yield where, f"expected a whole number, got {now!r}"

    def _table_faults(
        self, now: Mapping[str, Any], models: list[Mapping[str, Any]], where: str
    ) -> Iterator[tuple[str, str]]:
        if models and all(model in self.choices for model in models):  # other conditions may be asked for as well
            models = [one for one in self.choices if any(one.keys() & model.keys() for model in models)]
        known = {key: True for model in models for key in model}
        everything = [value for model in models for value in model.values()]
        grows = bool(where) and (_are_records(everything) or all(key.isdecimal() for key in known))
        needed = [key for key in known if not grows and all(key in model for model in models)]
        if missing := [key for key in needed if key not in now]:
            yield where or missing[0], f"expected also {_listed(missing)}"
        for key, value in now.items():
            path = f"{where}.{key}".lstrip(".")
            alike = everything if grows else [model[key] for model in models if key in model]
            if alike:
                yield from self.faults(value, alike, path)
            else:
                yield path, f"expected one of {_listed(sorted(known))}"


def _choices(value: Any) -> Iterator[Mapping[str, str]]:
    """All tables that have nothing but texts."""
    if isinstance(value, Mapping) and value and all(isinstance(one, str) for one in value.values()):
        yield value
    for one in _inside(value):
        yield from _choices(one)


def _key(where: str) -> str:
    """The last key of a path: of a list, that under which it stands."""
    return where.rpartition(".")[2].partition("[")[0]


def _are_records(values: list[Any]) -> bool:
    """Whether values are records of one kind: nearly all are tables, and most have a key in common with another."""
    tables = [set(value) - {"rule"} for value in values if isinstance(value, Mapping)]
    if not tables or 4 * len(tables) < 3 * len(values):
        return False
    shared = [any(one & other for other in tables if other is not one) for one in tables if one]
    return 2 * sum(shared) > len(shared)


def _may_be_broken(where: str, models: Iterable[Any]) -> bool:
    """Whether a number need not be whole: it is a length, or stands where others are not."""
    return where.endswith(("_in", "_cm", "_mm", "_deg")) or any(isinstance(model, float) for model in models)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, Mapping):
        return "a table"
    return "a list" if isinstance(value, list) else "a text" if isinstance(value, str) else ""


def _texts(value: Any) -> Iterator[str]:
    """All the texts in a value."""
    if isinstance(value, str):
        yield value
    for one in _inside(value):
        yield from _texts(one)


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from value
    for one in _inside(value):
        yield from _keys(one)


def _inside(value: Any) -> Iterable[Any]:
    """What stands in a list or a table."""
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list) else ()


def _listed(names: list[str]) -> str:
    rest = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {rest} more" if rest > 0 else "")
