"""Musket & Pike: battalions, squadrons and batteries of the age of muskets and pikes, one base on a hex."""

from __future__ import annotations

from engine.rulesets.folder import RulesetFolder

__all__ = ["RULESET"]

RULESET = RulesetFolder(
    __name__, id="musket-pike", title="Musket & Pike", unit_of_length="hexes", mm_per_unit=100.0,
    campaign_group="campaign.commands:situations",
)  # fmt: skip
