"""Every action of the ruleset: its keys, and the function that begins it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.keys import Entry

__all__ = ["ENTRIES"]

#: The actions by name.
ENTRIES: Mapping[str, Entry] = {}
