"""Every action of the ruleset: its keys, and the function that begins it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.keys import Entry
from engine.rulesets.musket_pike.fire_action import FireKeys, fire
from engine.rulesets.musket_pike.melee_action import MeleeKeys, melee
from engine.rulesets.musket_pike.move_action import MoveKeys, charge, move

__all__ = ["ENTRIES"]

ENTRIES: Mapping[str, Entry] = {
    "move": Entry(begin=move, keys=MoveKeys),
    "charge": Entry(begin=charge, keys=MoveKeys),
    "fire": Entry(begin=fire, keys=FireKeys, target=None),
    "melee": Entry(begin=melee, keys=MeleeKeys, target=None),
}
