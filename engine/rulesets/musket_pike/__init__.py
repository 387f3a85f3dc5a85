"""Musket & Pike: battalions, squadrons and batteries of the age of muskets and pikes, one base on a hex.

Where to look. Words and numbers: `vocabulary`, `parameters`, `checking`. Facts: `mat` and `ground` (hexes and
sides), `troops` and `board` (who stands where), `zones`, `morale`, `supply`, `sight`. Moving: `crossings` (the
ground of a step), `stacking`, `overruns`, `steps` (a step as a whole), `pricing` and `reaching` (all steps),
`permits` (who may), `marching` and `move_action`. Standing: `formations`, `detachments` and their actions. Fire and
melee: `fire_reasons`, `fire_value`, `foes`, `firing`, `assault`, `strengths`, `melee_options` and their actions;
`casualties`, `harm`, `routing` and `retreats` say what comes of them, `chances` how likely. The turn: `begin_turn`
with `commanding`, `recovering` and `serving`; `upkeep` follows every action. `answering` tells it all, `procedures`
lists the actions, `campaign` links battles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rulesets.folder import RulesetFolder

if TYPE_CHECKING:
    from engine.records.game import Game

__all__ = ["RULESET"]


class _MusketPike(RulesetFolder):
    """The ruleset: who sees whom is worked out from the ground and the units."""

    def concealed(self, game: Game, side: str | None) -> frozenset[str]:
        """The units that a side (None: whoever plays none) does not see in the fog of war (MP-305)."""
        from engine.rulesets.musket_pike.table.sight import concealed

        return concealed(game, side)


RULESET = _MusketPike(
    __name__, id="musket-pike", title="Musket & Pike", unit_of_length="hexes", mm_per_unit=100.0,
    campaign_group="campaign.commands:situations", campaign_in="campaign.tabling", chances_in="chances",
)  # fmt: skip
