"""Every action of the ruleset: its keys, and the function that begins it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.base.forms.keys import Entry, plain
from engine.rulesets.tyneside import hidden, players_action, turn_action
from engine.rulesets.tyneside.command import command_action, group_actions
from engine.rulesets.tyneside.fire import fire_action
from engine.rulesets.tyneside.melee import charge_action, melee_action
from engine.rulesets.tyneside.movement import move_action
from engine.rulesets.tyneside.nerve import risk_action

__all__ = ["ENTRIES"]

ENTRIES: Mapping[str, Entry] = {
    "command": Entry(begin=command_action.command, keys=command_action.CommandKeys),
    "risk": plain(risk_action.risk),
    "move": Entry(begin=move_action.move, keys=move_action.MoveKeys),
    "load": plain(group_actions.load),
    "join": Entry(begin=group_actions.join, keys=group_actions.JoinKeys),
    "end-turn": plain(turn_action.end_turn, unit=False),
    "spot": plain(group_actions.spot, target=True),
    "fire": Entry(begin=fire_action.fire, keys=fire_action.FireKeys, target=True),
    "charge": plain(charge_action.charge, target=True),
    "melee": Entry(begin=melee_action.melee, keys=melee_action.MeleeKeys, target=True),
    "reveal": Entry(begin=hidden.reveal, keys=hidden.RevealKeys),
    "players": Entry(begin=players_action.players, keys=players_action.PlayersKeys, unit=False),
    "hide": Entry(begin=hidden.hide, keys=hidden.HideKeys, unit=False),
}
