"""Musket & Pike: battalions, squadrons and batteries of the age of muskets and pikes, one base on a hex.

Words and numbers: `vocabulary`, `parameters`, `checking`, `draws`. `table` has the facts, `movement` steps,
stacks and formations, `fire` and `melee` what they do, `nerve` what holds units together, `turns` what each
turn begins with and what follows every action. `answering` tells it all, `chances` how likely it is,
`procedures` lists the actions, `campaign` links battles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rulesets.base.folder import RulesetFolder

if TYPE_CHECKING:
    from engine.records.game import Game

__all__ = ["RULESET"]


class _MusketPike(RulesetFolder):
    """The ruleset: who sees whom is worked out from the ground and the units."""

    def concealed(self, game: Game, side: str | None) -> frozenset[str]:
        """The units that a side (None: whoever plays none) does not see in the fog of war (MP-305)."""
        from engine.rulesets.musket_pike.table.sight import concealed

        with self.in_force():
            return concealed(game, side)


RULESET = _MusketPike(
    __name__, id="musket-pike", title="Musket & Pike", unit_of_length="hexes", mm_per_unit=100.0,
    campaign_group="campaign.commands:situations", campaign_in="campaign.tabling", chances_in="chances",
    tables={"parameters.toml": "parameters:our_parameters"},
)  # fmt: skip
