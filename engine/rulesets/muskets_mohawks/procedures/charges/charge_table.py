"""Reading the charge resolution table (MM-140 to MM-145)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

__all__ = ["ChargeRow", "charge_row"]


class ChargeRow(Struct, frozen=True, kw_only=True):
    """A row of the table: the differences that it is for, its result, whether the target fires."""

    rule: str
    low: int
    high: int
    result: str
    fires: bool


@cache
def _rows() -> tuple[ChargeRow, ...]:
    text = files(__package__).joinpath("charges.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["rows"], tuple[ChargeRow, ...])


def charge_row(difference: int) -> ChargeRow:
    """The row for a difference other than 0, charger minus target.

    >>> charge_row(4).result, charge_row(-2).result
    ('target-runs-away', 'charger-halts')
    """
    return next(row for row in _rows() if row.low <= difference <= row.high)
