"""A melee of one unit against the hex of each enemy, as an answer lists it (section 2)."""

from __future__ import annotations

from typing import Any

from engine.records.answer import ChargeOption, ChargeRoll
from engine.records.game import Unit
from engine.rulesets.musket_pike.assault import Assault, assault_reasons
from engine.rulesets.musket_pike.board import Board
from engine.rulesets.musket_pike.firing import aspect_of, off_map
from engine.rulesets.musket_pike.sight import shown
from engine.rulesets.musket_pike.strengths import Strengths, strengths_of
from engine.rulesets.musket_pike.troops import Troop

__all__ = ["charge_options"]


def charge_options(board: Board, unit: Unit) -> tuple[ChargeOption, ...]:
    """An entry for each enemy unit, nearest first; those that are not on the map last."""
    troop = board.troops.get(unit.id)
    if troop is None:
        return tuple(_absent(other, unit.id) for other in board.game.enemies(unit))
    near = sorted((board.apart(troop.hex, enemy.hex), enemy.number, enemy) for enemy in shown(board, troop.side))
    there = tuple(_option(board, troop, enemy, hexes) for hexes, _, enemy in near)
    return (*there, *(_absent(other, other.id) for other in off_map(board, troop.side)))


def _option(board: Board, troop: Troop, enemy: Troop, hexes: int) -> ChargeOption:
    assault = Assault(board, enemy.hex, (troop,))
    reasons = assault_reasons(assault)
    strengths = strengths_of(assault) if hexes == 1 else None
    extra: dict[str, Any] = {
        "mode": "displace" if assault.displaces else "melee",
        "distance_hexes": hexes,
        "defenders": [other.id for other in assault.defenders],
    }
    effects = () if strengths is None else strengths.effects
    return ChargeOption(
        target=enemy.id, legal=not reasons, why_not=reasons.texts, why_rules=reasons.rules,
        distance_mm=hexes * board.grid.size_mm, aspect=aspect_of(board, enemy, troop),
        modifiers=tuple(effect.modifier() for effect in effects),
        roll=None if strengths is None else _roll(strengths),
        borderline=board.stands[troop.id].doubts + board.stands[enemy.id].doubts, extra=extra,
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
