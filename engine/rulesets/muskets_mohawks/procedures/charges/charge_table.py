"""Reading the charge resolution table (MM-140 to MM-145)."""

from __future__ import annotations

from msgspec import Struct

from engine.records.reading import convert
from engine.rulesets.base.data.tables import of_tables, table

__all__ = ["ChargeRow", "charge_row"]


class ChargeRow(Struct, frozen=True, kw_only=True):
    """A row of the table: the differences that it is for, its result, whether the target fires."""

    rule: str
    low: int
    high: int
    result: str
    fires: bool


@of_tables
def charge_rows() -> tuple[ChargeRow, ...]:
    """The charge resolution table, from the charger's best on."""
    return convert(table(__package__, "charges.toml")["rows"], tuple[ChargeRow, ...], "charges", "rows")


def charge_row(difference: int) -> ChargeRow:
    """The row for a difference other than 0, charger minus target.

    >>> charge_row(4).result, charge_row(-2).result
    ('target-runs-away', 'charger-halts')
    """
    return next(row for row in charge_rows() if row.low <= difference <= row.high)
