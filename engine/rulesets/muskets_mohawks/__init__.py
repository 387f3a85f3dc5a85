"""Muskets & Mohawks: unit battles of the French and Indian War and later black-powder wars."""

from __future__ import annotations

from engine.rulesets.folder import RulesetFolder

__all__ = ["RULESET"]

RULESET = RulesetFolder(
    __name__, id="muskets-mohawks", title="Muskets & Mohawks", unit_of_length="in", mm_per_unit=25.4,
    entries_in="procedures.registry", chances_in="chances", order_in="guide",
)  # fmt: skip
