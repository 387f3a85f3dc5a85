"""Whom a unit has before it, worked out for all units at once, against one question after the other."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.grids.flat import faces
from engine.records.game import game_builtins, game_from
from engine.rulesets.musket_pike import RULESET
from engine.rulesets.musket_pike.fire.firing import Firing
from engine.rulesets.musket_pike.melee.assault import Assault, assault_reasons
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.foes import foes_of
from engine.rulesets.musket_pike.table.sight import shown
from engine.rulesets.musket_pike.table.troops import Troop
from tests.engine.musket_pike.scene import Json
from tests.engine.musket_pike.test_reach import strewn

seeds = st.integers(0, 10**6)


def strewn_by(seed: int) -> Board:
    """A crowded battle, at times in fog, under either reading of the arc, after some melees."""
    rng = random.Random(seed)
    raw: Json = game_builtins(strewn(seed))
    raw["conditions"]["fog_of_war"] = rng.random() < 0.3
    raw["conditions"]["attacked"] = [[rng.randrange(2, 13), rng.randrange(2, 13)] for _ in range(6)]
    raw["conditions"]["options"] = {"arc": rng.choice(["cone60", "wedge120"])}
    if rng.random() < 0.5:
        raw["terrain"] += [{"id": "manor", "kind": "chateau", "hexes": [[5, 5], [6, 6], [9, 4]]}]
    return board_of(game_from(raw, "the strewn battle"))


def seen_from(board: Board, troop: Troop, enemy: Troop) -> str:
    """The side of an enemy from which a unit stands."""
    if enemy.facing is None or board.faces(enemy, troop.hex):
        return "front"
    return "rear" if faces(enemy.hex, enemy.facing + 3, troop.hex, board.arc) else "flank"


@pytest.mark.rule("MP-02", "MP-04", "musket-pike R1")
@given(seeds)
def test_foes_worked_out_together_are_those_worked_out_one_by_one(seed: int) -> None:
    board = strewn_by(seed)
    for troop in board.troops.values():
        enemies = sorted(shown(board, troop.side), key=lambda one: (board.apart(troop.hex, one.hex), one.number))
        assert [(foe.troop.id, foe.hexes, foe.aspect) for foe in foes_of(board, troop)] == [
            (one.id, board.apart(troop.hex, one.hex), seen_from(board, troop, one)) for one in enemies
        ]
        assert [foe.ahead for foe in foes_of(board, troop)] == [board.faces(troop, one.hex) for one in enemies]


@pytest.mark.rule("MP-125", "MP-169")
@given(seeds)
def test_what_is_listed_of_all_enemies_is_what_speaks_against_each(seed: int) -> None:
    board = strewn_by(seed)
    for entry in RULESET.ask(board.game).units:
        troop = board.troops[entry.unit]
        firing = Firing(board, troop)
        for shot in entry.fire:
            reasons = firing.reasons(board.troops[shot.target], "indirect" if shot.mode == "indirect" else "direct")
            assert (shot.why_not, shot.why_rules) == (reasons.texts, reasons.rules)
        for attack in entry.charge:
            reasons = assault_reasons(Assault(board, board.troops[attack.target].hex, (troop,)))
            assert (attack.why_not, attack.why_rules) == (reasons.texts, reasons.rules)
