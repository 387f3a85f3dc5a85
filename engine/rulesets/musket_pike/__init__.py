"""Musket & Pike: battalions, squadrons and batteries of the age of muskets and pikes, one base on a hex."""

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
        from engine.rulesets.musket_pike.sight import concealed

        return concealed(game, side)


RULESET = _MusketPike(
    __name__, id="musket-pike", title="Musket & Pike", unit_of_length="hexes", mm_per_unit=100.0,
    campaign_group="campaign.commands:situations",
)  # fmt: skip
