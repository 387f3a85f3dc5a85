"""The grid found on a mat."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

__all__ = ["GridFound", "Kind", "Lattice", "same", "turn_between"]

Kind = Literal["hex", "square"]


class Lattice(Struct, frozen=True, kw_only=True):
    """Cells without end: hexes ``size_mm`` from side to side, or squares, round a middle, turned clockwise.

    At ``turn_deg`` 0 hexes have flat tops and squares lie straight.
    """

    kind: Kind
    size_mm: float
    middle_mm: tuple[float, float]
    turn_deg: float


def same(one: Lattice, other: Lattice) -> bool:
    """Whether two lattices are of one kind, size and turn, to what a proposal errs."""
    alike = one.kind == other.kind and abs(one.size_mm / other.size_mm - 1) < 0.02
    return alike and turn_between(one, other) < 1.5


def turn_between(one: Lattice, other: Lattice) -> float:
    """By how many degrees one lattice is turned against another of its kind."""
    every = 60.0 if one.kind == "hex" else 90.0
    return abs((one.turn_deg - other.turn_deg + every / 2) % every - every / 2)


class GridFound(Struct, frozen=True, kw_only=True):
    """The printed grid as a game's ``table.grid`` has it, and how sure it is.

    ``sigma_mm`` is one standard deviation of where a line of it lies, at the worst corner of the play area, the
    camera's own doubt included; ``off_mm`` how far the lines seen lie from it (rms), ``sides`` how many of its
    sides were followed, and ``seen`` which share of them shows a line.
    """

    kind: Kind
    size_mm: float
    columns: int
    rows: int
    origin_mm: tuple[float, float]
    turn_deg: float
    sigma_mm: float
    size_sigma_mm: float
    turn_sigma_deg: float
    off_mm: float
    sides: int
    seen: float
