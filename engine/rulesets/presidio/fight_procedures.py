"""The actions of nerve, charges, melee, assaults and guns: their keys, and the functions that begin them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.keys import Entry, plain
from engine.rulesets.presidio import charge_action, melee_action, morale_action

__all__ = ["FIGHTS"]

FIGHTS: Mapping[str, Entry] = {
    "morale": Entry(begin=morale_action.morale, keys=morale_action.MoraleKeys),
    "charge": Entry(begin=charge_action.charge, keys=charge_action.ChargeKeys, target=True),
    "melee": plain(melee_action.melee, target=True),
    "formation-check": plain(morale_action.formation_check),
}
