"""A move on the table is held against what the rules allowed: within, beyond, or too near to call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from engine.moves import move_of
from engine.records.answer import Answer, MoveOption, UnitAnswer
from engine.records.game import Figure, Game, Round, Side, TableArea, Turn, Unit


def game(y_mm: float, sigma_mm: float = 0.0, active: str | None = "red") -> Game:
    figures = tuple(
        Figure(
            id=f"a-{n}",
            x_mm=25.0 * n,
            y_mm=y_mm + 10.0 * n * (y_mm > 0),
            base=Round(diameter_mm=25.0),
            sigma_mm=sigma_mm,
        )
        for n in range(3)
    )
    return Game(
        ruleset="x",
        table=TableArea(width_mm=1000.0, depth_mm=800.0),
        sides=(Side(name="red", edge="south"), Side(name="blue", edge="north")),
        turn=Turn(number=1, active_side=active),
        units=(Unit(id="a", side="red", type="foot", figures=figures),),
    )


def answer(allowance_mm: float, **extra: Any) -> Answer:
    move = MoveOption(allowance_mm=allowance_mm, modes=(), reach_mm=(), extra=extra)
    return Answer(ruleset="x", units=(UnitAnswer(unit="a", move=move),))


ALL = ("a-0", "a-1", "a-2")


@pytest.mark.parametrize(
    ("moved_mm", "sigma_mm", "extra", "verdict"),
    [
        (180.0, 0.0, {}, "within"),  # the farthest figure goes 200
        (180.0005, 0.0, {}, "within"),
        (181.0, 0.0, {}, "beyond"),
        (181.0, 0.5, {}, "borderline"),
        (179.0, 0.5, {}, "borderline"),
        (190.0, 0.5, {}, "beyond"),
        (100.0, 0.5, {}, "within"),
        (100.0, 0.5, {"left_mm": 90.0}, "beyond"),
        (10.0, 0.0, {"legal": False, "why_not": ["it has fired"]}, "may-not"),
    ],
)
def test_the_farthest_figures_way_is_held_against_the_allowance(
    moved_mm: float, sigma_mm: float, extra: Mapping[str, Any], verdict: str
) -> None:
    move = move_of("a", ALL, game(0.0, sigma_mm), game(moved_mm, sigma_mm), answer(200.0, **extra))
    assert move.distance_mm == pytest.approx(moved_mm + 20.0)
    assert move.verdict == verdict
    assert move.why_not == tuple(extra.get("why_not", ()))
    assert [figure.y_mm for figure in move.before] == [0.0, 0.0, 0.0]


def test_only_the_figures_that_moved_are_drawn_where_they_were() -> None:
    move = move_of("a", ("a-1",), game(0.0), game(50.0), None)
    assert [figure.id for figure in move.before] == ["a-1"]
    assert (move.distance_mm, move.verdict) == (pytest.approx(60.0), None)


def test_in_the_other_sides_turn_and_without_an_answer_nothing_is_judged() -> None:
    assert move_of("a", ALL, game(0.0, active="blue"), game(50.0), answer(10.0)).verdict is None
    assert move_of("a", ALL, game(0.0), game(50.0), None).verdict is None
    assert move_of("a", ALL, game(0.0, active=None), game(50.0), answer(10.0)).verdict == "beyond"
    none = replace(answer(1.0), units=())
    assert move_of("a", ALL, game(0.0), game(50.0), none).verdict is None
