"""The tables of a book of this kind: unit types, weapons, ground, and the figures of activation and resolve."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

from engine.records.reading import convert

__all__ = ["Book", "Ground", "Kind", "Weapon", "book_from", "our_book", "our_tables"]


class _Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all tables share: immutable, no unknown key."""


class Activation(_Table, frozen=True, kw_only=True):
    """What lets a unit move (PA-10 to PA-12)."""

    success: int
    hits_per_step: int
    close_order: int


class Resolve(_Table, frozen=True, kw_only=True):
    """How many hits a unit bears, and what adds to it (PA-51 to PA-55)."""

    base: int
    cover: int
    commander: int
    picked: int


class Army(_Table, frozen=True, kw_only=True):
    """What an army loses with a unit on top of the die (PA-72)."""

    picked: int
    commander: int


class Weapon(_Table, frozen=True, kw_only=True):
    """Bounds at short and at long range, and the row that says so."""

    short: int
    long: int
    rule: str


class Hits(_Table, frozen=True, kw_only=True):
    """What is added to the die at short and at long range."""

    short: int
    long: int


class Kind(_Table, frozen=True, kw_only=True):
    """A type of unit.

    ``gun``: never into ground that bars guns, and fixed once it has fired; ``dear`` and ``picked`` units cost their
    army more; the other keys are explained in ``book.toml``.
    """

    hits: Hits
    rule: str
    weapons: tuple[str, ...] = ("musket",)
    bounds: int = 1
    bounds_hit: int | None = None
    close_order: bool = False
    steadied: bool = False
    occupies: bool = False
    picked: bool = False
    skulks: bool = False
    gun: bool = False
    dear: bool = False


class Ground(_Table, frozen=True, kw_only=True):
    """A kind of terrain; ``bars_guns`` and ``impassable`` are the rows that say so."""

    bars_guns: str | None = None
    impassable: str | None = None
    hinders: bool = False
    spoils_fire: int = 0
    stops_fire: bool = False
    skulking: bool = False
    shelter: bool = False
    all_round: bool = False
    short_only: bool = False
    steady: bool = False
    river: bool = False
    crossing: bool = False


class Book(_Table, frozen=True, kw_only=True):
    """All tables."""

    activation: Activation
    resolve: Resolve
    army: Army
    weapons: Mapping[str, Weapon]
    types: Mapping[str, Kind]
    kinds: Mapping[str, Ground]


def book_from(raw: Mapping[str, Any], source: str) -> Book:
    """The tables in a plain value (of TOML). Raises UnusableFile with the key's path."""
    return convert(dict(raw), Book, source)


@cache
def our_tables() -> Mapping[str, Any]:
    """The tables of the Palouse variant as the plain value of their file."""
    return tomllib.loads(files(__package__).joinpath("book.toml").read_text(encoding="utf-8"))


@cache
def our_book() -> Book:
    """The tables of the Palouse variant."""
    return book_from(our_tables(), "book.toml")
