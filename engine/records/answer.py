"""The typed records of ``vedette-answer/1``: what each unit can fire at, charge and reach, and why (not).

A ruleset may add keys of its own at any level: they stand in ``extra`` here and beside the others in the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from engine.records.reading import convert, demand_format, split_extra

ANSWER_FORMAT = "vedette-answer/1"

PointMm = tuple[float, float]


class _Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all records share: immutable, keyword only, no unknown key."""


class Modifier(_Record, frozen=True, kw_only=True):
    """Something that changes the dice or the hits, and the rule row that says so."""

    name: str
    effect: str
    rule: str
    extra: Mapping[str, Any] = {}


class FireRoll(_Record, frozen=True, kw_only=True):
    """What to roll: ``count`` dice, each compared by ``success`` (None: added); hits times ``multiplier``."""

    count: int
    die: str
    success: str | None
    multiplier: float = 1.0
    extra: Mapping[str, Any] = {}


class FireOption(_Record, frozen=True, kw_only=True):
    """One way of firing at one enemy; ``why_rules[i]`` is the rule row of ``why_not[i]``."""

    target: str
    legal: bool
    why_not: tuple[str, ...]
    why_rules: tuple[str, ...]
    mode: str
    range_mm: float | None
    range_sigma_mm: float
    band: str
    shooters: tuple[str, ...]
    targets_seen: tuple[str, ...]
    aspect: str | None
    cover: str | None
    modifiers: tuple[Modifier, ...]
    roll: FireRoll | None
    borderline: tuple[str, ...]
    extra: Mapping[str, Any] = {}


class ChargeRoll(_Record, frozen=True, kw_only=True):
    """The dice of both sides of a charge."""

    charger: int
    target: int
    die: str
    extra: Mapping[str, Any] = {}


class ChargeOption(_Record, frozen=True, kw_only=True):
    """A charge at one enemy."""

    target: str
    legal: bool
    why_not: tuple[str, ...]
    why_rules: tuple[str, ...]
    distance_mm: float | None
    aspect: str | None
    modifiers: tuple[Modifier, ...]
    roll: ChargeRoll | None
    borderline: tuple[str, ...]
    extra: Mapping[str, Any] = {}


class MoveOption(_Record, frozen=True, kw_only=True):
    """How far and in which ways the unit may move, and the polygon that it can reach."""

    allowance_mm: float
    modes: tuple[str, ...]
    reach_mm: tuple[PointMm, ...]
    extra: Mapping[str, Any] = {}


class UnitAnswer(_Record, frozen=True, kw_only=True):
    """All that one unit can do."""

    unit: str
    fire: tuple[FireOption, ...] = ()
    charge: tuple[ChargeOption, ...] = ()
    move: MoveOption | None = None
    extra: Mapping[str, Any] = {}


class Answer(_Record, frozen=True, kw_only=True):
    """All that the units of a game can do."""

    ruleset: str
    units: tuple[UnitAnswer, ...]
    format: Literal["vedette-answer/1"] = "vedette-answer/1"
    extra: Mapping[str, Any] = {}


_RECORDS = (Modifier, FireRoll, FireOption, ChargeRoll, ChargeOption, MoveOption, UnitAnswer, Answer)
_KNOWN: Mapping[type, frozenset[str]] = {record: frozenset(record.__struct_fields__) for record in _RECORDS}


def answer_builtins(answer: Answer) -> dict[str, Any]:
    """An answer as the plain value of its file."""
    built: dict[str, Any] = _flat(msgspec.to_builtins(answer))
    return {"format": ANSWER_FORMAT, **{key: value for key, value in built.items() if key != "format"}}


def answer_json(answer: Answer) -> bytes:
    """An answer as the text of its file."""
    return msgspec.json.format(msgspec.json.encode(answer_builtins(answer)), indent=1) + b"\n"


def answer_from(raw: Any, source: str = "the answer") -> Answer:
    """The reverse of `answer_builtins`. Raises UnusableFile."""
    return convert(_nested(demand_format(raw, ANSWER_FORMAT, source), Answer), Answer, source)


def _flat(value: Any) -> Any:
    if isinstance(value, dict):
        built = {key: _flat(inner) for key, inner in value.items() if key != "extra"}
        return {**built, **value.get("extra", {})}
    return [_flat(inner) for inner in value] if isinstance(value, list | tuple) else value


_PARTS: Mapping[type, Mapping[str, type]] = {
    Answer: {"units": UnitAnswer},
    UnitAnswer: {"fire": FireOption, "charge": ChargeOption, "move": MoveOption},
    FireOption: {"modifiers": Modifier, "roll": FireRoll},
    ChargeOption: {"modifiers": Modifier, "roll": ChargeRoll},
}


def _nested(raw: Any, record: type) -> Any:
    if isinstance(raw, list):
        return [_nested(one, record) for one in raw]
    if not isinstance(raw, dict):
        return raw
    parts = _PARTS.get(record, {})
    inner = {key: _nested(value, parts[key]) if key in parts else value for key, value in raw.items()}
    return split_extra(inner, _KNOWN[record])
