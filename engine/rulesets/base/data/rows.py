"""What a ruleset says in our words: the ``rows.toml`` and ``wording.toml`` beside its modules."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from engine.records.reading import convert
from engine.rulesets.base.ruleset import Row, Wording

__all__ = ["rows_of", "wording_of"]


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


@cache
def wording_of(package: str) -> Wording:
    """How the log tells what the ruleset in a package does."""
    text = files(package).joinpath("wording.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text), Wording, f"{package}: wording.toml")
