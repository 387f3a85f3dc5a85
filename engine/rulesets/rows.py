"""The rows of a rulebook in our words: the ``rows.toml`` beside a ruleset's modules."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from engine.rulesets.base import Row

__all__ = ["rows_of"]


@cache
def rows_of(package: str) -> Mapping[str, Row]:
    """Every row and ruling of the ruleset in a package, by id, in the rulebook's order."""
    table = tomllib.loads(files(package).joinpath("rows.toml").read_text(encoding="utf-8"))
    reasons = table.get("not_built", {})
    return MappingProxyType(
        {
            name: Row(
                id=name,
                text=row["text"],
                page=row.get("page", ""),
                not_built=reasons[row["not_built"]] if "not_built" in row else None,
            )
            for name, row in table["rows"].items()
        }
    )
