"""Every action of the ruleset: its keys, and the function that begins it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.base.forms.keys import Entry
from engine.rulesets.presidio.fight_procedures import FIGHTS
from engine.rulesets.presidio.raid_procedures import RAIDS
from engine.rulesets.presidio.turn_procedures import TURNS

__all__ = ["ENTRIES"]

ENTRIES: Mapping[str, Entry] = {**TURNS, **FIGHTS, **RAIDS}
