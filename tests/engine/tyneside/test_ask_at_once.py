"""Asked all at once or one by one, the answers are the same; so are views of one enemy and of all of them."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.records.game import Game, game_builtins, game_from
from engine.rulesets.tyneside import RULESET
from engine.rulesets.tyneside.table.sight import look_round, view_of
from tests.engine.tyneside.test_random_games import drawn_game
from tests.long_runs import games


def drawn(seed: int, sigma_mm: float) -> Game:
    """A drawn game with nothing worked out yet, measured so well."""
    raw = game_builtins(drawn_game(random.Random(seed)))
    return game_from(raw | {"measured": {"sigma_mm": sigma_mm}}, "the test's game")


sigmas = st.sampled_from([0.0, 0.5, 5.0])


@settings(max_examples=games(3))
@given(st.integers(0, 2**32 - 1), sigmas)
def test_all_at_once_is_each_by_itself(seed: int, sigma_mm: float) -> None:
    of = drawn(seed, sigma_mm)
    every = RULESET.ask(of).units
    assert every == tuple(RULESET.ask(drawn(seed, sigma_mm), [one.id]).units[0] for one in of.units)


@settings(max_examples=games(3))
@given(st.integers(0, 2**32 - 1), sigmas)
def test_an_enemy_is_seen_alike_alone_and_among_all(seed: int, sigma_mm: float) -> None:
    together, alone = drawn(seed, sigma_mm), drawn(seed, sigma_mm)
    for unit in together.units:
        look_round(together, unit)
        for enemy in together.enemies(unit):
            one, other = (view_of(of, of.unit(unit.id), of.unit(enemy.id)) for of in (together, alone))
            assert one.sees.tolist() == other.sees.tolist()
            assert one.cover.tolist() == other.cover.tolist()
            assert one.cover_doubts == other.cover_doubts
            assert one.in_doubt() == other.in_doubt()
            assert list(one.why_not()) == list(other.why_not())
