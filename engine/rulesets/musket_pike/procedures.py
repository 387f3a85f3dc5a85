"""Every action of the ruleset: its keys, and the function that begins it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.keys import Entry
from engine.rulesets.musket_pike.fire_action import FireKeys, fire

__all__ = ["ENTRIES"]

ENTRIES: Mapping[str, Entry] = {"fire": Entry(begin=fire, keys=FireKeys, target=None)}
