"""Melees for certain: parameters that leave nothing to the dice, and a attacking b."""

from __future__ import annotations

from engine.dice import SeededDice
from engine.play import Played, play
from engine.records.action import action_from
from engine.records.game import Game
from engine.rulesets.musket_pike import RULESET
from tests.engine.musket_pike.scene import Json, do, unit

#: For certain: the attackers lose 2 % of the defence, the defenders 4 % of the attack; 400 against 400.
WON = {"melee_attacker_lcv": 20, "melee_attacker_hcv": 20, "melee_defender_lcv": 40, "melee_defender_hcv": 40}
LOST = {"melee_attacker_lcv": 40, "melee_attacker_hcv": 40, "melee_defender_lcv": 20, "melee_defender_hcv": 20}
#: Nobody loses anything, so that the defenders win by the tie.
BLOODLESS = dict.fromkeys(WON, 0)

A, B = unit("a", (4, 4), fired=True), unit("b", (5, 4), fired=True)
#: The dice of a won melee of one against one: both fatigues, and the check of the loser.
HELD = (0, 0, 1)


def melee(of: Game, *dice: int, **keys: object) -> Played:
    """a attacks the hex of b."""
    return do(of, "melee", *dice, unit="a", **({"target": "b"} | keys))


def fought(of: Game, **keys: object) -> Played:
    """a attacks the hex of b, with the program's dice."""
    raw = {"action": "melee", "unit": "a", "target": "b"} | {key.rstrip("_"): value for key, value in keys.items()}
    return play(of, RULESET.begin(of, action_from(raw)), SeededDice(1))


def ringed(**keys: object) -> list[Json]:
    """Guns without crews all round b but for the attacker's hex."""
    cells = [(5, 5), (6, 5), (6, 4), (5, 3), (4, 5)]
    return [
        unit(f"a{number}", cell, "artillery", uncrewed=True, **keys) for number, cell in enumerate(cells, start=1)
    ]
