"""Where units can go, against the same rules asked step by step in battles strewn at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import ActionRefused
from engine.geometry.grids import walk
from engine.records.game import Game
from engine.rulesets.musket_pike.movement import crossings
from engine.rulesets.musket_pike.movement.crossings import walker_of
from engine.rulesets.musket_pike.movement.reaching import charge_reach, reach_of
from engine.rulesets.musket_pike.movement.steps import Mover, mover_of, step_of
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.troops import Troop
from engine.rulesets.musket_pike.table.zones import controlled
from tests.engine.musket_pike.scene import do, game, ground, hexside, road, unit

#: Whole battles take longer than single questions.
_FEW = settings(max_examples=max(8, settings().max_examples // 6))

KINDS = (
    ("infantry", "line"), ("infantry", "column"), ("infantry", "block"), ("cavalry", "mounted"),
    ("skirmisher", None), ("artillery", "limbered"), ("artillery", "unlimbered"), ("leader", None),
    ("supply-wagon", None),
)  # fmt: skip


def strewn(seed: int) -> Any:
    """A crowded corner of a battle: a dozen units a side and all kinds of ground on eleven by eleven hexes."""
    rng = random.Random(seed)
    hexes = [(column, row) for column in range(2, 13) for row in range(2, 13)]
    units = []
    for number in range(24):
        side, (kind, formation) = "ab"[number % 2], rng.choice(KINDS)
        state = {
            "disordered": rng.random() < 0.15,
            "routed": rng.random() < 0.1,
            "mp_used": rng.choice([0, 0, 0, 4]),
        }
        fights = kind not in ("leader", "supply-wagon")
        if not fights or state["routed"]:
            state["disordered"] = False
        state["routed"] = state["routed"] and fights
        facing = rng.choice(["UR", "R", "DR", "DL", "L", "UL"])
        units.append(unit(f"{side}-{number}", rng.choice(hexes), kind, formation, **state | {"facing": facing}))
    kinds = ("forest", "orchard", "marsh", "water", "building", "abatis", "trench", "bridge", "elevation")
    terrain: list[Any] = [
        {**ground(kind, *rng.sample(hexes, 4), level=2), "id": f"t-{number}"} for number, kind in enumerate(kinds)
    ]
    sides = ("hedge", "stone-wall", "creek", "gate", "high-wall", "stream")
    terrain += [
        {**hexside(rng.choice(sides), *rng.choice(hexes), rng.choice(["N", "NE", "SE"])), "id": f"s-{number}"}
        for number in range(20)
    ]
    terrain.append(road("road", *[(7, row) for row in range(2, 13)]))
    weather, night = rng.choice(["clear", "soft"]), rng.random() < 0.2
    return game(*units, terrain=terrain, weather=weather, night=night, active=None)


def plainly(board: Board, troop: Troop, *, charging: bool = False) -> dict[tuple[int, int], float]:
    """The hexes in reach by walking step by step with the whole rules."""
    begin = mover_of(troop, charging=charging)

    def steps(node: Any, spent: float) -> Iterator[tuple[Any, float]]:
        here, facing, disordered = node
        if here != troop.hex and controlled(board, here, troop.side):
            return
        now = Mover(troop, here, facing, disordered, begin.used + spent, charging)
        for direction in range(6):
            step = step_of(board, now, direction)
            failed = step.overrun is not None and step.overrun.failed
            if not step.bars and not failed and step.to is not None and step.cost is not None:
                yield (step.to, step.facing, disordered or step.disorders is not None), step.cost

    found: dict[tuple[int, int], float] = {}
    for (cell, _, _), cost in walk((troop.hex, troop.facing, begin.disordered), steps).cost.items():
        if cell != troop.hex:
            found[cell] = min(cost, found.get(cell, cost))
    return found


@pytest.mark.rule("MP-40", "MP-54", "MP-72", "MP-102")
@_FEW
@given(st.integers(0, 10**6))
def test_reach_is_what_legal_steps_lead_to(seed: int) -> None:
    board = board_of(strewn(seed))
    for troop in board.troops.values():
        assert dict(reach_of(board, troop)) == pytest.approx(plainly(board, troop))
        if troop.horse and troop.steady:
            assert dict(charge_reach(board, troop)) == pytest.approx(plainly(board, troop, charging=True))


def marched(of: Game, name: str) -> dict[tuple[int, int], float]:
    """The hexes that a unit comes to by orders of one step each, played one after another, with the points used."""
    found: dict[tuple[int, int], float] = {}
    met, left = set(), [of]
    while left:
        left.sort(key=lambda one: -one.unit(name).state.get("mp_used", 0.0))
        now = left.pop()
        moved = now.unit(name)
        how = (moved.hex, moved.state.get("facing"), moved.state.get("disordered"))
        if how in met:
            continue
        met.add(how)
        if moved.hex is not None and moved.hex != of.unit(name).hex:
            found.setdefault(moved.hex, moved.state["mp_used"])
        for direction in ("N", "NE", "SE", "S", "SW", "NW"):
            with suppress(ActionRefused):
                left.append(do(now, "move", unit=name, path=[direction]).game)
    return found


@pytest.mark.rule("MP-67", "musket-pike R14")
@pytest.mark.parametrize("alone", [True, False])
def test_a_routed_unit_shies_from_enemies_that_it_sees_only_on_its_way(alone: bool) -> None:
    """The wood hides the enemy from where it stands; from beside the wood it sees him."""
    friends = () if alone else (unit("a-2", (9, 4), "artillery"),)
    of = game(
        unit("a", (8, 4), formation="column", routed=True), unit("b", (4, 4), formation="column"), *friends,
        terrain=[ground("forest", (6, 4), (6, 5), (7, 4))],
    )  # fmt: skip
    board = board_of(of)
    found = marched(of, "a")
    assert (5, 3) not in found
    assert dict(reach_of(board, board.troops["a"])) == pytest.approx(found)


@pytest.mark.rule("MP-54")
@_FEW
@given(st.integers(0, 10**6))
def test_a_march_ends_where_the_steps_of_the_answer_say(seed: int) -> None:
    of = strewn(seed)
    board, rng = board_of(of), random.Random(seed)
    troop = rng.choice(list(board.troops.values()))
    legal = [step_of(board, mover_of(troop), direction) for direction in range(6)]
    names = ("N", "NE", "SE", "S", "SW", "NW")
    for step in legal:
        if step.bars or step.cost is None:
            continue
        played = do(of, "move", unit=troop.id, path=[names[step.direction]])
        moved = played.game.unit(troop.id)
        assert moved.hex == step.to
        assert bool(moved.state.get("disordered")) is (troop.state.disordered or step.disorders is not None)
        spent = moved.state["mp_used"] - troop.state.mp_used
        assert spent == pytest.approx(step.cost) or step.stops


@pytest.mark.rule("MP-41")
@_FEW
@given(st.integers(0, 10**6))
def test_steps_that_are_looked_up_are_those_worked_out_anew(seed: int) -> None:
    board = board_of(strewn(seed))
    for walker in {walker_of(troop) for troop in board.troops.values()}:
        for cell in ((column, row) for column in range(1, 14, 2) for row in range(1, 14)):
            for direction in range(6):
                anew = crossings.worked_out(board, walker, cell, direction)
                assert crossings.crossing_of(board, walker, cell, direction) == anew
