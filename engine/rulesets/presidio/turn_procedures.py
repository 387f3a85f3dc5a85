"""The actions of the turn, movement and small arms: their keys, and the functions that begin them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.keys import Entry, plain
from engine.rulesets.presidio import fire_action, guarding_action, hiding_action, move_action, turn_action

__all__ = ["TURNS"]

TURNS: Mapping[str, Entry] = {
    "initiative": plain(turn_action.initiative, unit=False),
    "end-turn": plain(turn_action.end_turn, unit=False),
    "hold": Entry(begin=turn_action.hold, keys=turn_action.HoldKeys),
    "move": Entry(begin=move_action.move, keys=move_action.MoveKeys),
    "evade": plain(guarding_action.evade),
    "take-cover": plain(guarding_action.take_cover),
    "hunker-down": plain(guarding_action.hunker_down),
    "covered-reload": plain(guarding_action.covered_reload),
    "hide": plain(hiding_action.hide),
    "spot": Entry(begin=hiding_action.spot, keys=hiding_action.SpotKeys, target=True),
    "ambush": plain(hiding_action.ambush, target=True),
    "fire": Entry(begin=fire_action.fire, keys=fire_action.FireKeys, target=True),
}
