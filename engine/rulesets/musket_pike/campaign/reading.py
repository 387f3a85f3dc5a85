"""Campaign files of ``vedette-campaign/1``, read and written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from engine.records.reading import convert, demand_format, load_json
from engine.rulesets.musket_pike.campaign.checking import check
from engine.rulesets.musket_pike.campaign.records import CAMPAIGN_FORMAT, Campaign

__all__ = ["campaign_from", "campaign_json", "read_campaign"]


def campaign_from(raw: Any, source: str) -> Campaign:
    """The campaign in a plain value. Raises UnusableFile naming ``source`` and the key's path."""
    campaign = convert(_written_out(demand_format(raw, CAMPAIGN_FORMAT, source)), Campaign, source)
    check(campaign, source)
    return campaign


def _written_out(raw: dict[str, Any]) -> dict[str, Any]:
    """A campaign whose blanks are left out: a state without a situation (not begun), a choice not made yet."""
    state = raw.get("state")
    if not isinstance(state, dict):
        return raw
    if state.get("situation") is None and not state.get("history"):
        return {key: value for key, value in raw.items() if key != "state"}
    made = state.get("chosen")
    if not isinstance(made, dict):
        return raw
    return {**raw, "state": {**state, "chosen": {seat: one for seat, one in made.items() if one is not None}}}


def read_campaign(path: Path) -> Campaign:
    """The campaign in a file. Raises UnusableFile."""
    return campaign_from(load_json(path), str(path))


def campaign_json(campaign: Campaign) -> bytes:
    """A campaign as the text of its file."""
    built = {"format": CAMPAIGN_FORMAT, **msgspec.to_builtins(campaign)}
    return msgspec.json.format(msgspec.json.encode(built), indent=1) + b"\n"
