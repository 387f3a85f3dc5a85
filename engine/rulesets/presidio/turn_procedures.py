"""The actions of the turn, movement and small arms: their keys, and the functions that begin them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.keys import Entry
from engine.rulesets.presidio import fire_action

__all__ = ["TURNS"]

TURNS: Mapping[str, Entry] = {
    "fire": Entry(begin=fire_action.fire, keys=fire_action.FireKeys, target=True),
}
