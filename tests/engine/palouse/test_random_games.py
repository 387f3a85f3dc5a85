"""Whole games by random legal play, to the end, with what must always hold held."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice import SeededDice
from engine.events import begin, fold
from engine.geometry.plane.directions import bearing_of
from engine.play import Played, play
from engine.records.action import Action, action_from
from engine.records.game import Game, game_builtins, game_from
from engine.rulesets.palouse import RULESET
from engine.rulesets.palouse.board import board_of
from engine.rulesets.palouse.vocabulary import on_table, side_of, state_of
from tests.engine.palouse.scene import edge, game, ground, unit
from tests.engine.played_out import assert_kept
from tests.long_runs import games

TYPES = ("infantry", "grenadier", "skirmisher", "indian", "artillery")
GROUND = ("woods", "town", "difficult", "stream", "marsh", "lake", "fortification", "river", "bridge")


def drawn_game(rng: random.Random) -> Game:
    """Four to six units a side in their first rows, ground strewn about between them."""
    units = []
    for side, rows, bearing in (("b", (1, 2), 0), ("f", (5, 6), 180)):
        squares = rng.sample([(c, r) for c in range(2, 10) for r in rows], rng.randint(4, 6))
        for number, square in enumerate(squares):
            units.append(
                unit(f"{side}{number}", square, rng.choice(TYPES), veteran=rng.random() < 0.2, bearing_deg=bearing,
                     commander=number == 0, officer=number == 1)
            )  # fmt: skip
    middle = rng.sample([(c, r) for c in range(12) for r in (3, 4)], 8)
    pieces = [ground(rng.choice(GROUND), square) for square in middle]
    pieces += [edge("river", column, 3, rng.choice("NESW")) for column in rng.sample(range(12), 3)]
    diagonals = rng.choice(["one", "orthogonal"])
    return game(*units, terrain=pieces, options={"diagonals": diagonals}, step=rng.choice([None, "movement"]))


def legal_actions(of: Game, step: str) -> list[Action]:
    """All that ``ask`` says the active side may do now, moves being forward ones where there are any."""
    found = []
    for entry in RULESET.ask(of, [u.id for u in of.units if u.side == of.turn.active_side]).units:
        if step == "movement" and entry.move is not None and entry.move.extra["legal"]:
            nearest = entry.fire[0].target if entry.fire else None
            for square in entry.move.extra["reach_squares"]:
                keys = {"bearing_deg": towards(of, square, nearest)} if nearest else {}
                found.append({"action": "move", "unit": entry.unit, "to": square, **keys})
        if step == "combat":
            shots = [option for option in entry.fire if option.legal]
            found += [{"action": "fire", "unit": entry.unit, "target": option.target} for option in shots]
    ahead = 1 if of.turn.active_side == "british" else -1
    forward = [raw for raw in found if "to" in raw and ahead * (raw["to"][1] - 3.5) < 2]
    return [action_from(raw) for raw in forward or found]


def towards(of: Game, square: Sequence[int], enemy: str) -> float:
    """The bearing from a square to an enemy unit."""
    board = board_of(of, RULESET.book)
    if enemy not in board.stands:
        return 0.0
    return float(bearing_of(np.subtract(board.stands[enemy].centre_mm, board.grid.centres(square))))


def in_step(of: Game, step: str) -> Game:
    """The game with its step set, where steps are kept: players and the umpire say when one is over."""
    raw = game_builtins(of)
    if raw["conditions"].get("step") is not None:
        raw["conditions"]["step"] = step
    return game_from(raw, "the test's game")


def check_invariants(before: Game, played: Played) -> None:
    after = played.game
    assert [u.id for u in after.units] == [u.id for u in before.units]
    board = board_of(after, RULESET.book)
    cells = [board.stands[u.id].cell for u in after.units if on_table(u)]
    assert len(cells) == len(set(cells))
    assert all(board.grid.contains(cell) for cell in cells)
    assert all(u.square is None for u in after.units if not on_table(u))
    for side in after.sides:
        commanders = [u for u in after.units if u.side == side.name and on_table(u) and state_of(u).commander]
        assert len(commanders) <= 1
    for u in after.units:
        assert state_of(u).hits >= state_of(before.unit(u.id)).hits
    assert_kept(RULESET, before, played)


def play_out(seed: int, turns: int = 40) -> str:
    """Plays a game to its end; the reason that it ended."""
    rng, dice = random.Random(seed), SeededDice(seed)
    of = drawn_game(rng)
    start, events = of, []

    def do(action: Action) -> Played:
        nonlocal of
        played = play(of, RULESET.begin(of, action), dice)
        check_invariants(of, played)
        of = played.game
        events.extend(played.events)
        return played

    do(action_from({"action": "start-game"}))
    for _ in range(turns):
        for step in ("movement", "combat"):
            of = in_step(of, step)
            for _ in range(rng.randint(2, 6)):
                actions = legal_actions(of, step)
                if not actions:
                    break
                do(rng.choice(actions))
        of = in_step(of, "elimination")
        do(action_from({"action": "elimination"}))
        of = in_step(of, "army-resolve")
        if do(action_from({"action": "check-resolve"})).events:
            return "retires"
        do(action_from({"action": "end-turn"}))
    if start.conditions.get("step") is None:
        assert fold([begin(start), *events]) == of
    return "turns"


@settings(max_examples=games(4))
@given(st.integers(0, 2**32 - 1))
def test_random_games_end_with_everything_in_order(seed: int) -> None:
    assert play_out(seed, turns=8) in ("retires", "turns")


def test_a_game_fought_long_enough_is_decided() -> None:
    assert any(play_out(seed) == "retires" for seed in (1, 0, 2, 3))


@pytest.mark.parametrize("seed", [3, 11])
def test_the_same_seed_gives_the_same_game(seed: int) -> None:
    of = drawn_game(random.Random(seed))
    action = legal_actions(in_step(of, "movement"), "movement")[0]
    first, second = (play(of, RULESET.begin(of, action), SeededDice(5)) for _ in range(2))
    assert first == second
    assert all(side_of(first.game, side).army_resolve is not None for side in first.game.sides)
