"""The actions of the turn, movement and small arms: their keys, and the functions that begin them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.base.forms.keys import Entry, plain
from engine.rulesets.presidio.fire import fire_action
from engine.rulesets.presidio.movement import drill_action, move_action
from engine.rulesets.presidio.nerve import rally_action
from engine.rulesets.presidio.turns import (
    fate_action,
    guarding_action,
    hiding_action,
    labour_action,
    task_action,
    turn_action,
)

__all__ = ["TURNS"]

TURNS: Mapping[str, Entry] = {
    "rally": plain(rally_action.rally),
    "close-ranks": Entry(begin=drill_action.close_ranks, keys=drill_action.CloseKeys),
    "initiative": plain(turn_action.initiative, unit=False),
    "end-turn": plain(turn_action.end_turn, unit=False),
    "hold": Entry(begin=turn_action.hold, keys=turn_action.HoldKeys),
    "move": Entry(begin=move_action.move, keys=move_action.MoveKeys),
    "turn": Entry(begin=drill_action.turn, keys=drill_action.TurnKeys),
    "wheel": Entry(begin=drill_action.wheel, keys=drill_action.TurnKeys),
    "reform": Entry(begin=drill_action.reform, keys=drill_action.ReformKeys),
    "posture": Entry(begin=task_action.posture, keys=task_action.PostureKeys),
    "general": Entry(begin=task_action.general, keys=task_action.GeneralKeys),
    "mount": Entry(begin=task_action.mount, keys=task_action.HolderKeys),
    "dismount": Entry(begin=task_action.dismount, keys=task_action.HolderKeys),
    "reload": Entry(begin=task_action.reload, keys=task_action.ReloadKeys),
    "build": Entry(begin=labour_action.build, keys=labour_action.BuildKeys),
    "combine": Entry(begin=labour_action.combine, keys=labour_action.CombineKeys),
    "evade": plain(guarding_action.evade),
    "take-cover": plain(guarding_action.take_cover),
    "hunker-down": plain(guarding_action.hunker_down),
    "covered-reload": plain(guarding_action.covered_reload),
    "hide": plain(hiding_action.hide),
    "spot": Entry(begin=hiding_action.spot, keys=hiding_action.SpotKeys, target=True),
    "casualty-status": Entry(begin=fate_action.casualty_status, keys=fate_action.StatusKeys, unit=False),
    "ambush": plain(hiding_action.ambush, target=True),
    "fire": Entry(begin=fire_action.fire, keys=fire_action.FireKeys, target=True),
}
