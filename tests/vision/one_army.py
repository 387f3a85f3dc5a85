"""One army of a drawn table, measured as if it were the only one that is listed: what the others cost is saved."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from benchmarks.accuracy.drawing import HARD, Kind, case_of
from benchmarks.accuracy.measuring import Measured, measured

__all__ = ["army_measured"]


def army_measured(seed: int, name: str, kind: Kind = HARD) -> Measured:
    """The bases of the drawn table of a seed, of an army alone."""
    case = case_of(seed, kind)
    armies = tuple(army for army in case.table.armies if army.name == name)
    return measured(replace(case, table=msgspec.structs.replace(case.table, armies=armies)), frozenset(("bases",)))
