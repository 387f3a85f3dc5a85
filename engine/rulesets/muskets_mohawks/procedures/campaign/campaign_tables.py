"""Reading and writing the campaign: its tables, and each side's state under ``conditions.campaign``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.events import SetCondition
from engine.records.game import Game
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.muskets_mohawks.vocabulary import SideCampaign, conditions_of

__all__ = [
    "army_list",
    "campaign_table",
    "fielded",
    "investment_most",
    "is_fiw",
    "other_side",
    "side_campaign",
    "written",
]


@of_tables
def campaign_tables() -> Mapping[str, Any]:
    """All tables of ``campaign.toml``."""
    return table(__package__, "campaign.toml")


def campaign_table(name: str) -> Mapping[str, Any]:
    """A table of ``campaign.toml``."""
    found: Mapping[str, Any] = campaign_tables()[name]
    return found


def side_campaign(game: Game, side: str) -> SideCampaign:
    """A side's campaign; an empty one where the game has none."""
    return conditions_of(game).campaign.get(side, SideCampaign())


def fielded(game: Game, side: str) -> str | None:
    """The army that a side fields in this encounter: the main opponent that dice named, else its own (MM-207)."""
    conditions = conditions_of(game)
    player = conditions.player_side or game.sides[0].name
    return (conditions.evening.opponent if side != player else None) or side_campaign(game, side).army


def written(game: Game, **sides: Mapping[str, Any]) -> SetCondition:
    """The campaign with new values for some keys of some sides."""
    campaign = {name: dict(value) for name, value in game.conditions.get("campaign", {}).items()}
    for side, values in sides.items():
        campaign[side] = {**campaign.get(side, {}), **values}
    return SetCondition(key="campaign", value=campaign)


def is_fiw(game: Game, army: str | None) -> bool:
    """Whether the army is one of the French and Indian War (R-58)."""
    return conditions_of(game).period == "fiw" and army in campaign_table("investment")


def army_list(game: Game, army: str | None) -> Mapping[str, int]:
    """The army's list of another period: ``morale`` and ``mod``; empty where there is none."""
    found: Mapping[str, int] = campaign_table("lists").get(conditions_of(game).period, {}).get(army or "", {})
    return found


def investment_most(game: Game, army: str | None, territory: str) -> int:
    """The highest investment level of an army (MM-208); other periods' armies as the British (R-58)."""
    row = campaign_table("investment")[army if army is not None and is_fiw(game, army) else "british"]
    return int(row[territory])


def other_side(game: Game, side: str) -> str | None:
    """The side against this one, the first of them."""
    return next((one.name for one in game.sides if one.name != side), None)
