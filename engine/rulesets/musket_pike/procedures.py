"""Every action of the ruleset: its keys, and the function that begins it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.keys import Entry

__all__ = ["ENTRIES"]

ENTRIES: Mapping[str, Entry] = {}
