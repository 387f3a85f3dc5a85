"""Tyneside skirmish rules for the French and Indian wars: single figures, command points, men of their own will."""

from __future__ import annotations

from engine.rulesets.base.folder import RulesetFolder

__all__ = ["RULESET"]

RULESET = RulesetFolder(
    __name__, id="tyneside", title="Tyneside Skirmish", unit_of_length="cm", mm_per_unit=10.0,
    chances_in="chances",
    tables={
        "book.toml": "book:book", "actions.toml": "book:actions", "weapons.toml": "vocabulary:weapons",
        "ground.toml": "vocabulary:grounds",
    },
)  # fmt: skip
