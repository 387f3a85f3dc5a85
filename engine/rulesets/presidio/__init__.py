"""Presidio: skirmishes of the Spanish borderlands, two actions a turn, twelve-sided dice, raids and a campaign."""

from __future__ import annotations

from engine.rulesets.base.folder import RulesetFolder

__all__ = ["RULESET"]

RULESET = RulesetFolder(
    __name__, id="presidio", title="Presidio", unit_of_length="in", mm_per_unit=25.4,
    campaign_in="campaign.map_view", order_in="turns.turn_action",
    tables={
        "book.toml": "book:book", "weapons.toml": "book:small_arms", "ground.toml": "book:grounds",
        "fights.toml": "fight_book:fight_book", "raids.toml": "raid_book:raid_book",
    },
)  # fmt: skip
