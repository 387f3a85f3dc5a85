"""The actions of nerve, charges, melee, assaults and guns: their keys, and the functions that begin them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.base.forms.keys import Entry, plain
from engine.rulesets.presidio.artillery import gun_moves, mishaps
from engine.rulesets.presidio.charges import assault_actions, charge_action, melee_action, pursuing_actions
from engine.rulesets.presidio.nerve import morale_action

__all__ = ["FIGHTS"]

FIGHTS: Mapping[str, Entry] = {
    "morale": Entry(begin=morale_action.morale, keys=morale_action.MoraleKeys),
    "charge": Entry(begin=charge_action.charge, keys=charge_action.ChargeKeys, target=True),
    "melee": plain(melee_action.melee, target=True),
    "pursue": plain(pursuing_actions.pursue, target=True),
    "disengage": Entry(begin=pursuing_actions.disengage, keys=pursuing_actions.DisengageKeys),
    "ram": Entry(begin=assault_actions.ram, keys=assault_actions.AssaultKeys),
    "axe": Entry(begin=assault_actions.axe, keys=assault_actions.AssaultKeys),
    "ladder": Entry(begin=assault_actions.ladder, keys=assault_actions.AssaultKeys),
    "climb": Entry(begin=assault_actions.climb, keys=assault_actions.AssaultKeys),
    "cast-down": Entry(begin=assault_actions.cast_down, keys=assault_actions.AssaultKeys),
    "limber": plain(gun_moves.limber),
    "unlimber": plain(gun_moves.unlimber),
    "gun-move": Entry(begin=gun_moves.gun_move, keys=gun_moves.GunMoveKeys),
    "mend-fuse": plain(mishaps.mend_fuse),
    "formation-check": plain(morale_action.formation_check),
}
