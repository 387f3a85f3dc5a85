"""What kind of thing a key of an action is, from its type: what a player is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, inspect
from msgspec.structs import replace

from engine.errors import UnusableFile

__all__ = ["Asked", "Kind", "Whose", "kind_of"]

#: What is asked for. ``rows`` is a list of records, ``record`` one; ``each-figure`` and its like are a table with a
#: value for each that is named; ``steps`` are sides of hexes that a way leads through; ``piece`` and ``hex`` are
#: on a campaign's map; a ``name`` is the players' own word; ``each-choice`` is a value for each of some words;
#: ``pairs`` are fights, each of figures of ours against figures of theirs; ``other`` is what only its rulebook
#: explains, written as JSON.
Kind = Literal[
    "number", "bearing", "yes-no", "choice", "choices", "text", "texts", "name", "weapon", "side", "terrain",
    "unit", "units", "figure", "figures", "point", "points", "path", "cell", "cells", "steps", "record", "rows",
    "piece", "hex", "hexes", "each-figure", "each-unit", "each-side",
    "each-choice", "pairs", "other",
]  # fmt: skip

#: Whose units or figures are meant: those of the unit's side, of the others, or all; or those of its side that
#: stand in its cell of the grid.
Whose = Literal["own", "enemy", "any", "same-cell"]

#: What words may say that a value stands for, by what its type says that it is.
_FINER: Mapping[Kind, tuple[Kind, ...]] = {
    "number": ("bearing",),
    "text": ("name", "unit", "figure", "side", "terrain", "weapon", "piece", "hex"),
    "texts": ("units", "figures", "terrain", "hexes"),
    "points": ("path",),
    "choices": ("steps",),
    "other": ("hexes", "each-figure", "each-unit", "each-side"),
}


class Asked(Struct, frozen=True, kw_only=True):
    """What is asked for, the values that there are, the bounds of a number, and the keys inside a record."""

    ask: Kind
    values: tuple[str | int, ...] = ()
    least: float | None = None
    most: float | None = None
    whole: bool = False
    of: tuple[inspect.Field, ...] = ()


def kind_of(type_: inspect.Type, finer: Kind | None, source: str) -> Asked:
    """What a value of a type is asked for as; ``finer`` is what the words say that it stands for.

    Where a value may be of several types, the words choose among them. Raises UnusableFile naming ``source``
    where the words do not fit the type.
    """
    arms = [arm for arm in _arms(type_) if not isinstance(arm, inspect.NoneType)]
    found = [_plain(arm) for arm in arms] or [Asked(ask="other")]
    if finer is None:
        return _either(found)
    for one in found:
        if finer == one.ask:
            return one
        if finer in _FINER.get(one.ask, ()):
            return replace(one, ask=finer)
    fit = ", ".join(dict.fromkeys(kind for one in found for kind in (one.ask, *_FINER.get(one.ask, ()))))
    raise UnusableFile(f"{source}.ask: expected one of {fit}, got {finer!r}")


def _either(found: list[Asked]) -> Asked:
    """What may be of several types is asked for where all of them are choices: one choice of all their values."""
    if len(found) > 1 and all(one.ask == "choice" for one in found):
        return Asked(ask="choice", values=tuple(dict.fromkeys(value for one in found for value in one.values)))
    return found[0] if len(found) == 1 else Asked(ask="other")


def _arms(type_: inspect.Type) -> tuple[inspect.Type, ...]:
    return type_.types if isinstance(type_, inspect.UnionType) else (type_,)


def _plain(type_: inspect.Type) -> Asked:
    """What a type by itself says."""
    found = Asked(ask="other")
    match type_:
        case inspect.BoolType():
            found = Asked(ask="yes-no")
        case inspect.StrType():
            found = Asked(ask="text")
        case inspect.LiteralType(values=values):
            found = Asked(ask="choice", values=tuple(value for value in values if isinstance(value, str | int)))
        case inspect.IntType() | inspect.FloatType():
            found = _number(type_)
        case inspect.StructType(fields=fields):
            found = Asked(ask="record", of=fields)
        case inspect.TupleType(item_types=(one, two)) if type(one) is type(two):
            found = Asked(ask=_PAIRS.get(type(one), "other"))
        case inspect.DictType(key_type=key, value_type=inner):
            of = (inspect.Field(name="value", encode_name="value", type=inner),)
            named = _plain(key)
            found = Asked(ask="each-choice" if named.ask == "choice" else "other", values=named.values, of=of)
        case inspect.VarTupleType(item_type=inspect.TupleType(item_types=(one, two))) if _lists(one, two):
            found = Asked(ask="pairs", of=(_half("ours", one), _half("theirs", two)))
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            each = _plain(item)
            found = Asked(ask=_MANY.get(each.ask, "other"), values=each.values, of=each.of)
    return found


def _lists(*types: inspect.Type) -> bool:
    """Whether types are lists of texts."""
    return all(_plain(one).ask == "texts" for one in types)


def _half(name: str, type_: inspect.Type) -> inspect.Field:
    """One side of a fight."""
    return inspect.Field(name=name, encode_name=name, type=type_)


def _number(type_: inspect.IntType | inspect.FloatType) -> Asked:
    least = type_.ge if type_.ge is not None else type_.gt
    most = type_.le if type_.le is not None else type_.lt
    return Asked(ask="number", least=least, most=most, whole=isinstance(type_, inspect.IntType))


_PAIRS: Mapping[type[inspect.Type], Kind] = {inspect.IntType: "cell", inspect.FloatType: "point"}

_MANY: Mapping[Kind, Kind] = {
    "choice": "choices", "text": "texts", "point": "points", "cell": "cells", "record": "rows",
}  # fmt: skip
