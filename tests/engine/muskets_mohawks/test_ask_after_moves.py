"""After a move only what it changed is worked out again, and nothing that it changed is told as it was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.records.answer import FireOption
from engine.records.game import Game
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.options import fire_facts
from engine.rulesets.muskets_mohawks.table.facts_of_two import oblongs
from engine.rulesets.muskets_mohawks.table.sheet import forget
from tests.engine.muskets_mohawks.scene import game, row, unit


def lines() -> Game:
    """Six units a side face each other across the table; two single figures stand beside the British."""
    units = [
        unit(f"{side[0]}{number}", side, row(3, 160.0 + 300 * number, y, 40.0), bearing=bearing)
        for side, y, bearing in (("british", 300.0, 0.0), ("french", 900.0, 180.0))
        for number in range(6)
    ]
    screens = [unit(name, "british", [(at, 40.0)], base={"shape": "round", "diameter_mm": 30.0})
               for name, at in (("screen", 40.0), ("second", 100.0))]  # fmt: skip
    return game(*units, *screens)


def stood(table: Game, name: str, x_mm: float, y_mm: float) -> Game:
    """The game with a unit's figures moved so that the first stands there."""
    one = table.unit(name)
    dx, dy = x_mm - one.figures[0].x_mm, y_mm - one.figures[0].y_mm
    figures = tuple(replace(each, x_mm=each.x_mm + dx, y_mm=each.y_mm + dy) for each in one.figures)
    return replace(table, units=tuple(replace(u, figures=figures) if u is one else u for u in table.units))


def told_in_turn(*tables: Game) -> list[FireOption]:
    """What is said of fire at will by b0 at f0 in each game in turn; all of it is held against one just begun."""
    forget()
    said = [RULESET.ask(table) for table in tables]
    for table, answer in zip(tables, said, strict=True):
        forget()
        assert RULESET.ask(table) == answer
    units = [next(one for one in answer.units if one.unit == "b0") for answer in said]
    return [next(one for one in each.fire if (one.target, one.mode) == ("f0", "at-will")) for each in units]


def test_a_second_friend_who_steps_into_a_line_that_is_blocked_is_named_too() -> None:
    """Nobody's sight changes by it, only the reason."""
    table = game(
        unit("b0", "british", [(300.0, 300.0)]), unit("f0", "french", [(300.0, 900.0)], bearing=180.0),
        unit("screen", "british", [(300.0, 500.0)]), unit("second", "british", [(900.0, 500.0)]),
    )  # fmt: skip
    behind = stood(table, "second", 300.0, 700.0)
    before, after, back = told_in_turn(table, behind, table)
    assert "second" not in " ".join(before.why_not)
    assert "second" in " ".join(after.why_not)
    assert back.why_not == before.why_not


def test_one_who_leaves_a_line_that_others_block_is_named_no_longer() -> None:
    table = game(
        unit("b0", "british", [(300.0, 300.0)]), unit("f0", "french", [(300.0, 900.0)], bearing=180.0),
        unit("screen", "british", [(300.0, 500.0)]), unit("second", "british", [(300.0, 700.0)]),
    )  # fmt: skip
    before, after = told_in_turn(table, stood(table, "second", 900.0, 700.0))
    assert "second" in " ".join(before.why_not)
    assert "second" not in " ".join(after.why_not)
    assert "screen" in " ".join(after.why_not)


def test_a_doubt_is_told_with_the_measures_of_where_the_one_in_the_way_stands_now() -> None:
    """The line was in doubt and stays in doubt."""
    table = game(
        unit("b0", "british", [(300.0, 300.0)]), unit("f0", "french", [(300.0, 900.0)], bearing=180.0),
        unit("screen", "british", [(315.2, 600.0)]), sigma=2.0,
    )  # fmt: skip
    before, after = told_in_turn(table, stood(table, "screen", 316.0, 600.0))
    assert before.borderline
    assert after.borderline
    assert before.borderline != after.borderline


def test_sight_is_open_again_when_the_one_in_the_way_is_gone_two_games_later() -> None:
    """Between them a game in which nothing about the two has changed, and of which only another unit is asked."""
    table = stood(lines(), "screen", 160.0, 500.0)
    between = stood(table, "b5", 1700.0, 250.0)
    after = stood(between, "screen", 40.0, 40.0)
    forget()
    RULESET.ask(table)
    RULESET.ask(between, ["b5"])
    said = RULESET.ask(after)
    forget()
    assert RULESET.ask(after) == said


@pytest.mark.parametrize("name", ["b2", "f3"])
def test_of_units_between_which_nothing_has_changed_nothing_is_worked_out_again(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """One of fourteen steps back: only its own fire and that at it."""
    asked: list[tuple[str, str]] = []
    whole = fire_facts._SideFire.of

    def noted(self, one, other):  # type: ignore[no-untyped-def]
        asked.append((one.id, other.id))
        return whole(self, one, other)

    monkeypatch.setattr(fire_facts._SideFire, "of", noted)
    forget()
    table = lines()
    RULESET.ask(table)
    assert len(asked) == 2 * 8 * 6
    asked.clear()
    y = table.unit(name).figures[0].y_mm
    RULESET.ask(stood(table, name, table.unit(name).figures[0].x_mm, y - 30 if y < 600 else y + 30))
    assert asked
    assert all(name in pair for pair in asked)


TABLES = st.integers(1, 6).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=6)
)


@given(TABLES.map(np.array))
def test_oblongs_hold_every_mark_once_and_no_more_than_a_table(marked: NDArray[np.bool_]) -> None:
    held = np.zeros(marked.shape, dtype=int)
    for rows, columns in oblongs(marked):
        held[np.ix_(rows, columns)] += 1
    assert held.max(initial=0) <= 1
    assert (held[marked] == 1).all()
