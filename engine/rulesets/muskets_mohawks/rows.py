"""The rows of the rulebook in our words (``rows.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from engine.rulesets.base import Row


@cache
def rows() -> Mapping[str, Row]:
    """Every row and ruling, by id, in the rulebook's order."""
    table = tomllib.loads(files(__package__).joinpath("rows.toml").read_text(encoding="utf-8"))
    reasons = table["not_built"]
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
