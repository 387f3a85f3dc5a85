"""The rows of the rulebook in our words."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.base import Row


def rows() -> Mapping[str, Row]:
    """Every row, by id."""
    return {}
