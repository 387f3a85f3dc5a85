"""A melee of one unit against the hex of each enemy, as an answer lists it (section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.records.answer import ChargeOption, ChargeRoll, Modifier
from engine.records.game import Cell, Unit
from engine.rulesets.musket_pike.assault import Assault, Reason, own_reasons, target_reasons, together_reasons
from engine.rulesets.musket_pike.board import Board
from engine.rulesets.musket_pike.firing import Foe, foes_of, off_map
from engine.rulesets.musket_pike.strengths import Strengths, strengths_of
from engine.rulesets.musket_pike.troops import Troop

__all__ = ["charge_options"]


class _Attack(NamedTuple):
    """An attack of one unit on a hex, as the answer tells it for each unit there."""

    against: tuple[Reason, ...]
    modifiers: tuple[Modifier, ...]
    roll: ChargeRoll | None
    extra: dict[str, Any]


def charge_options(board: Board, unit: Unit) -> tuple[ChargeOption, ...]:
    """An entry for each enemy unit, nearest first; those that are not on the map last."""
    troop = board.troops.get(unit.id)
    if troop is None:
        return tuple(_absent(other, unit.id) for other in board.game.enemies(unit))
    own, known = own_reasons(board, troop), dict[Cell, _Attack]()
    there = []
    for foe in foes_of(board, troop):
        attack = known.get(foe.troop.hex)
        if attack is None:
            attack = known[foe.troop.hex] = _attack(Assault(board, foe.troop.hex, (troop,)), own, foe.hexes)
        there.append(_option(board, troop, foe, attack))
    return (*there, *(_absent(other, other.id) for other in off_map(board, troop.side)))


def _attack(assault: Assault, own: Sequence[Reason], hexes: int) -> _Attack:
    troop = assault.attackers[0]
    against = (*own, *target_reasons(assault, troop), *together_reasons(assault))
    strengths = strengths_of(assault) if hexes == 1 else None
    extra: dict[str, Any] = {
        "action": "melee",
        "mode": "displace" if assault.displaces else "melee",
        "distance_hexes": hexes,
        "defenders": [other.id for other in assault.defenders],
    }
    if strengths is None:
        return _Attack(against, (), None, extra)
    return _Attack(against, tuple(effect.modifier() for effect in strengths.effects), _roll(strengths), extra)


def _option(board: Board, troop: Troop, foe: Foe, attack: _Attack) -> ChargeOption:
    enemy = foe.troop
    return ChargeOption(
        target=enemy.id, legal=not attack.against, why_not=tuple([text for text, _ in attack.against]),
        why_rules=tuple([rule for _, rule in attack.against]), distance_mm=foe.hexes * board.grid.size_mm,
        aspect=foe.aspect, modifiers=attack.modifiers, roll=attack.roll,
        borderline=board.stands[troop.id].doubts + board.stands[enemy.id].doubts, extra=attack.extra,
    )  # fmt: skip


def _roll(strengths: Strengths) -> ChargeRoll:
    attackers, defenders = strengths.attackers, strengths.defenders
    extra = {
        "attack_strength": strengths.attack, "defence_strength": strengths.defence,
        "charge_factor": strengths.charge_factor,
        "attacker_loss_low": attackers.low, "attacker_loss_high": attackers.high,
        "defender_loss_low": defenders.low, "defender_loss_high": defenders.high,
    }  # fmt: skip
    return ChargeRoll(charger=1, target=1, die="d100", extra=extra)


def _absent(target: Unit, absentee: str) -> ChargeOption:
    """A melee that one of the two is not on the map for."""
    return ChargeOption(
        target=target.id, legal=False, why_not=(f"{absentee} is not on the map",), why_rules=("MP-03",),
        distance_mm=None, aspect=None, modifiers=(), roll=None, borderline=(),
        extra={"mode": "melee", "distance_hexes": None, "defenders": []},
    )  # fmt: skip
