"""Muskets & Mohawks: unit battles of the French and Indian War and later black-powder wars."""

from __future__ import annotations

from engine.rulesets.base.folder import RulesetFolder

__all__ = ["RULESET"]

RULESET = RulesetFolder(
    __name__, id="muskets-mohawks", title="Muskets & Mohawks", unit_of_length="in", mm_per_unit=25.4,
    entries_in="procedures.registry", chances_in="chances", choices_in="procedures.setup.choosing",
    order_in="guide",
    tables={
        "weapons.toml": "vocabulary:weapons", "troops.toml": "table.troops:troops",
        "procedures/setup/armies.toml": "procedures.setup.armies:armies",
        "procedures/setup/terrain.toml": "procedures.setup.terrain_roll:generator",
        "procedures/movement/fast_move.toml": "procedures.movement.fast_move:fast_moves",
        "procedures/movement/manoeuvres.toml": "procedures.movement.manoeuvres:manoeuvres",
        "procedures/charges/charges.toml": "procedures.charges.charge_table:charge_rows",
        "procedures/nerve/reactions.toml": "procedures.nerve.reaction_tables:reactions",
        "procedures/nerve/test_dice.toml": "procedures.nerve.reaction_tables:dice_counts",
        "procedures/solo/orders.toml": "procedures.solo.non_players:np_orders",
        "procedures/campaign/campaign.toml": "procedures.campaign.campaign_tables:campaign_tables",
        "procedures/campaign/reinforcements.toml": "procedures.campaign.arrivals:reinforcements",
    },
)  # fmt: skip
