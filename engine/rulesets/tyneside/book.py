"""The numbers of the rulebook and its two Actions tables, from TOML; lengths are handed out in millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from engine.records.reading import convert
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.tyneside.vocabulary import MM_PER_CM, Class, Cover

__all__ = ["BANDS", "Band", "Book", "Harm", "Outcome", "actions", "book"]

Band = Literal["short", "medium", "long", "out"]
Harm = Literal["graze", "wound", "kill"]

BANDS: tuple[Band, ...] = ("short", "medium", "long", "out")


class _Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all parts share: immutable, no unknown key."""


class Pace(_Part, frozen=True, kw_only=True):
    """How far figures move in a turn, in cm, and what ground does to it (TY-20 to TY-22)."""

    foot: float
    mounted: float
    wounded: float
    civilian: float
    skirts: float
    barrier: float
    difficult: float


class Limits(_Part, frozen=True, kw_only=True):
    """The distances of the rulebook in cm; `Book.mm` gives them in millimetres."""

    belong: float
    company: float
    command: float
    command_enclosed: float
    over: float
    woods: float
    within_woods: float
    thrown: float
    low_height: float
    wall_height: float
    reveal: float
    push_back: float
    group: tuple[int, int]
    small: int


class Shots(_Part, frozen=True, kw_only=True):
    """How many figures fire one shot, standing and moving (TY-33)."""

    standing: int
    moving: int


class RiskParts(_Part, frozen=True, kw_only=True):
    """What each circumstance does to the risk factor (TY-50 to TY-57)."""

    hero: int
    cover: int
    in_range: int
    raw_in_range: int
    per_tenth: int
    flank: int
    retreat: int
    per_nco: int


class Book(_Part, frozen=True, kw_only=True):
    """All numbers."""

    pace: Pace
    limits: Limits
    shots: Shots
    to_hit: Mapping[Literal["short", "medium", "long"], Mapping[Cover, int]]
    class_die: Mapping[Class, int]
    command_dice: Mapping[Class, int]
    harm: Mapping[str, tuple[Harm, ...]]
    risk: RiskParts

    def mm(self, limit: str) -> float:
        """One of the limits in millimetres.

        >>> book().mm("belong")
        50.0
        """
        return float(getattr(self.limits, limit)) * MM_PER_CM


class Outcome(Struct, frozen=True, kw_only=True):
    """A cell of an Actions table: what the unit does, whether it may charge, whether it binds those commanded."""

    result: str
    charge: bool
    binding: bool


@of_tables
def book() -> Book:
    """The numbers of the rulebook."""
    return convert(table(__package__, "book.toml"), Book, "book")


@of_tables
def actions() -> Mapping[str, Mapping[str, tuple[Outcome, ...]]]:
    """The two Actions tables, ``individuals`` and ``formed``: six outcomes for each row (TY-61, TY-62).

    >>> actions()["individuals"]["1"][2]
    Outcome(result='continue', charge=True, binding=False)
    """
    tables = table(__package__, "actions.toml")
    return {
        table: {row: tuple(_outcome(cell) for cell in cells) for row, cells in rows.items()}
        for table, rows in tables.items()
    }


def _outcome(cell: str) -> Outcome:
    return Outcome(result=cell.rstrip("?*"), charge="?" in cell, binding="*" not in cell)
