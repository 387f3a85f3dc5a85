"""A melee of one unit against the hex of each enemy, as an answer lists it (section 2)."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.records.answer import ChargeOption, ChargeRoll, Modifier
from engine.records.game import Cell, Unit
from engine.rulesets.musket_pike.melee.assault import (
    Assault,
    Held,
    again_reasons,
    away_reason,
    crowd_reasons,
    held_against,
    held_reasons,
    own_reasons,
    target_reasons,
    together_reasons,
)
from engine.rulesets.musket_pike.melee.strengths import Strengths, strengths_of
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.foes import Foe, foes_of, known_enemies, off_map
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["charge_options"]


class _Attack(NamedTuple):
    """An attack of one unit on a hex, as the answer tells it for each unit there."""

    texts: tuple[str, ...]
    rules: tuple[str, ...]
    modifiers: tuple[Modifier, ...]
    roll: ChargeRoll | None
    extra: dict[str, Any]


def charge_options(board: Board, unit: Unit) -> tuple[ChargeOption, ...]:
    """An entry for each enemy unit, nearest first; those that are not on the map last."""
    troop = board.troops.get(unit.id)
    if troop is None:
        return tuple(_absent(board, other, unit.id) for other in known_enemies(board, unit.side))
    lone, known, there = _Lone(board, troop), dict[Cell, _Attack](), []
    for foe in foes_of(board, troop):
        attack = known.get(foe.troop.hex)
        if attack is None:
            attack = known[foe.troop.hex] = lone.attack(foe.troop.hex, foe.hexes)
        there.append(_option(board, troop, foe, attack))
    return (*there, *(_absent(board, other, other.id) for other in off_map(board, troop.side)))


class _Lone:
    """The attacks of one unit by itself: what holds against every hex is worked out once."""

    def __init__(self, board: Board, troop: Troop) -> None:
        self._board, self._troop, self._own = board, troop, own_reasons(board, troop)
        self._crowd = [*crowd_reasons(board, (troop,))]
        self._choosy = bool(board.conditions.attacked) or (troop.horse and "chateau" in board.ground.kinds.values())
        self._before, self._after = (tuple([text for text, _ in one]) for one in (self._own, self._crowd))
        self._rules = tuple([rule for _, rule in (*self._own, away_reason(troop, 0), *self._crowd)])

    def attack(self, cell: Cell, hexes: int) -> _Attack:
        """The attack on the hex of an enemy so many hexes away."""
        return self._from_beside(cell) if hexes == 1 else self._from_afar(cell, hexes)

    def _from_beside(self, cell: Cell) -> _Attack:
        assault = Assault(self._board, cell, (self._troop,))
        strengths = strengths_of(assault)
        against = (*self._own, *target_reasons(assault, self._troop), *together_reasons(assault))
        texts, rules = zip(*against, strict=True) if against else ((), ())
        modifiers = tuple(effect.modifier() for effect in strengths.effects)
        return _Attack(texts, rules, modifiers, _roll(strengths), _extra(assault.held, 1, assault.displaces))

    def _from_afar(self, cell: Cell, hexes: int) -> _Attack:
        """The same where the unit does not stand beside the hex, with little done: most enemies are far."""
        board, troop = self._board, self._troop
        held, away = held_against(board, cell, troop.side), away_reason(troop, hexes)
        displaces = troop.block and held.riders_alone
        texts, rules = (*self._before, away[0], *self._after), self._rules
        if held.riders or self._choosy:
            there = held_reasons(board, cell, held, troop, displaces=displaces)
            again = again_reasons(board, cell, (troop,))
            texts, rules = zip(*self._own, away, *there, *self._crowd, *again, strict=True)
        return _Attack(texts, rules, (), None, _extra(held, hexes, displaces))


def _extra(held: Held, hexes: int, displaces: bool) -> dict[str, Any]:
    return {
        "action": "melee",
        "mode": "displace" if displaces else "melee",
        "distance_hexes": hexes,
        "defenders": list(held.names),
    }


def _option(board: Board, troop: Troop, foe: Foe, attack: _Attack) -> ChargeOption:
    enemy = foe.troop
    return ChargeOption(
        target=enemy.id, legal=not attack.texts, why_not=attack.texts, why_rules=attack.rules,
        distance_mm=foe.hexes * board.grid.size_mm, aspect=foe.aspect, modifiers=attack.modifiers, roll=attack.roll,
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


def _absent(board: Board, target: Unit, absentee: str) -> ChargeOption:
    """A melee that one of the two is not on the map for."""
    return ChargeOption(
        target=target.id, legal=False, why_not=(f"{absentee} is not on the map",), why_rules=("MP-03",),
        distance_mm=None, aspect=None, modifiers=(), roll=None, borderline=board.beside.get(absentee, ()),
        extra={"mode": "melee", "distance_hexes": None, "defenders": []},
    )  # fmt: skip
