"""What a ruleset asks of a unit when it is mustered: its type, formation, weapon, and the keys of its ``stats``.

A ruleset of ours says so in its module ``mustering`` with a function ``roll()``; elsewhere players write words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec

from msgspec import Struct, inspect

from engine.rulesets.base.folder import RulesetFolder
from engine.rulesets.base.forms.forms import Field, KeyWords, fields_of
from engine.rulesets.base.ruleset import Ruleset

__all__ = ["GridSize", "Kind", "Part", "Roll", "main_stats", "parts_of", "roll_of", "stats_fields"]


class _Record(Struct, frozen=True, kw_only=True):
    """What all records share: immutable, keyword only."""


class Kind(_Record, frozen=True, kw_only=True):
    """A type of unit, with the formations and weapons that it may have; the first of each is the usual one.

    ``main`` are those of the roll's main keys that such a unit has; None: all of them.
    """

    name: str
    formations: tuple[str, ...] = ("unformed",)
    weapons: tuple[str, ...] = ("none",)
    main: tuple[str, ...] | None = None


class Part(_Record, frozen=True, kw_only=True):
    """What a single figure of a unit may be: its ``role``, and what players call it.

    ``alone``: a unit has one such figure at most. ``stat`` is the key of ``stats`` that tells of him.
    """

    role: str
    label: str
    alone: bool = False
    stat: str | None = None


class GridSize(_Record, frozen=True, kw_only=True):
    """The grid that a ruleset is played on where the players say nothing of it."""

    kind: str
    size_mm: float


class Roll(_Record, frozen=True, kw_only=True):
    """What may stand in a roster of a ruleset.

    ``main`` are the keys of ``stats`` that players always look at; ``terrain`` the kinds that the rules know;
    ``parts`` what figures may be that are not like the others, the one that matters most first.
    ``turn`` is the one at which a game stands with nobody mustered: 0 where an action begins the first.
    """

    types: tuple[Kind, ...] = ()
    fields: tuple[Field, ...] = ()
    main: tuple[str, ...] = ()
    terrain: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    grid: GridSize | None = None
    turn: int = 1


def roll_of(ruleset: Ruleset) -> Roll:
    """What a ruleset asks of a unit; an empty roll where it does not say."""
    if not isinstance(ruleset, RulesetFolder) or find_spec(f"{ruleset.package}.mustering") is None:
        return Roll()
    with ruleset.in_force():
        found = import_module(f"{ruleset.package}.mustering").roll()
    assert isinstance(found, Roll)
    return found


def main_stats(roll: Roll, kind: str) -> dict[str, object]:
    """What a unit of a type has in its main keys as long as nobody says otherwise; what is nothing is left out."""
    own = next((one.main for one in roll.types if one.name == kind), None)
    main = roll.main if own is None else own
    return {field.key: field.default for field in roll.fields if field.key in main and field.default is not None}


def parts_of(roles: Iterable[str], like_the_others: Iterable[str], labels: Mapping[str, str]) -> tuple[Part, ...]:
    """The parts of a ruleset's roles; ``like_the_others`` are those that a figure has without anybody saying so."""
    return tuple(
        Part(role=role, label=labels.get(role, role.replace("-", " ").capitalize()))
        for role in roles
        if role not in like_the_others
    )


def stats_fields(
    record: type[Struct], words: Mapping[str, KeyWords], main: Iterable[str] = ()
) -> tuple[Field, ...]:
    """How the keys of a record of stats are asked for; those that only files can hold are left out."""
    known = inspect.type_info(record)
    assert isinstance(known, inspect.StructType)
    asked = ("number", "yes-no", "choice", "choices", "text", "name", "weapon")
    found = [
        field
        for field in fields_of(known.fields, words, f"{record.__module__}.Stats", record)
        if field.ask in asked
    ]
    order = {key: place for place, key in enumerate(main)}
    return tuple(sorted(found, key=lambda field: order.get(field.key, len(order))))
