"""Asked all at once or one by one, the answers are the same; bases hide what plain geometry says they do."""

from __future__ import annotations

import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.records.game import Game, game_builtins, game_from
from engine.rulesets.presidio import RULESET
from engine.rulesets.presidio.table.sight import prepare, view_of
from engine.rulesets.presidio.vocabulary import figures_of, state_of
from tests.engine.presidio.playing import drawn_game
from tests.engine.presidio.scene import game, unit
from tests.long_runs import games


def afresh(of: Game) -> Game:
    """The same game with nothing worked out yet."""
    return game_from(game_builtins(of), "the test's game")


@settings(max_examples=games(3))
@given(st.integers(0, 2**32 - 1))
def test_all_at_once_is_each_by_itself(seed: int) -> None:
    of = drawn_game(seed)
    every = RULESET.ask(of).units
    assert every == tuple(RULESET.ask(afresh(of), [one.id]).units[0] for one in of.units)


def blocked_by_bases(of: Game, start: tuple[float, float], end: tuple[float, float], units: set[str]) -> float:
    """How much of a line runs through the round bases of other units: shapely's reckoning."""
    way = shapely.LineString([start, end])
    discs = [
        shapely.Point(figure.x_mm, figure.y_mm).buffer(12.5, quad_segs=64)
        for one in of.units
        if one.id not in units and not state_of(one).hidden
        for figure in figures_of(one)
    ]
    return float(way.intersection(shapely.union_all(discs)).length) if discs else 0.0


spot = st.tuples(st.floats(100, 900), st.floats(100, 900))


@settings(max_examples=games(30))
@given(st.lists(spot, min_size=3, max_size=9, unique=True), st.booleans())
def test_bases_hide_what_plain_geometry_says(spots: list[tuple[float, float]], at_once: bool) -> None:
    third = max(1, len(spots) // 3)
    of = game(unit("a", *spots[:third]), unit("b", *spots[third : 2 * third]), unit("c", *spots[2 * third :]))
    if at_once:
        prepare(of, of.units)
    view = view_of(of, of.unit("a"), of.unit("b"))
    for row, looker in enumerate(of.unit("a").figures):
        for column, target in enumerate(of.unit("b").figures):
            inside = blocked_by_bases(of, (looker.x_mm, looker.y_mm), (target.x_mm, target.y_mm), {"a", "b"})
            if inside == 0.0 or inside > 2.0:
                assert bool(view.sees[row, column]) == (inside == 0.0)
    assert view.sees.shape == (third, third)
