"""A hidden marker's figures are placed where there is room for them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from engine.rulesets.tyneside import RULESET
from tests.engine.tyneside.table import Json, do, game, group, piece

HIDDEN = group("f", (600, 800), (600, 800), hidden=True)


@pytest.mark.rule("TY-82")
def test_figures_revealed_are_not_placed_on_each_other() -> None:
    with pytest.raises(ActionRefused, match="f-1 is placed on f-2"):
        do(game(HIDDEN), "reveal", unit="f", places={"f-1": [600, 800], "f-2": [610, 800]})


@pytest.mark.rule("TY-82")
def test_figures_revealed_are_not_placed_on_figures_that_stand_there() -> None:
    there = game(HIDDEN, group("b", (640, 800)))
    with pytest.raises(ActionRefused, match="f-2 is placed on b-1"):
        do(there, "reveal", unit="f", places={"f-1": [600, 800], "f-2": [630, 800]})


@pytest.mark.rule("TY-82")
def test_figures_revealed_may_touch() -> None:
    there = game(HIDDEN, group("b", (650, 800)))
    played = do(there, "reveal", unit="f", places={"f-1": [600, 800], "f-2": [625, 800]})
    assert [figure.x_mm for figure in played.game.unit("f").figures] == [600, 625]


@pytest.mark.rule("TY-82")
def test_other_hidden_markers_at_the_same_spot_are_in_nobodys_way() -> None:
    there = game(HIDDEN, group("fb", (600, 800), hidden=True))
    played = do(there, "reveal", unit="f", places={"f-1": [600, 800], "f-2": [630, 800]})
    assert [figure.x_mm for figure in played.game.unit("f").figures] == [600, 630]


@pytest.mark.rule("TY-82")
def test_the_umpire_may_put_them_there_all_the_same() -> None:
    played = do(game(HIDDEN), "reveal", unit="f", places={"f-1": [600, 800], "f-2": [610, 800]}, override=True)
    assert [figure.x_mm for figure in played.game.unit("f").figures] == [600, 610]


def told(*units: Json, depth: float = 0.0, marker: str = "f", **state: Any) -> list[str]:
    """What is said of a marker that lies so deep (mm) in a wood, 30 cm before it being open ground."""
    of = game(
        group(marker, (600, 600 + depth), hidden=True, **state),
        *units,
        terrain=[piece("woods", 400, 600, 800, 900)],
    )
    return [str(note["text"]) for note in RULESET.ask(of, [marker]).units[0].extra["notes"]]


@pytest.mark.rule("TY-82", "TY-45")
@pytest.mark.parametrize("dummy", [False, True])
@pytest.mark.parametrize(
    ("depth", "state", "text"),
    [
        (-20, {}, "sees and is seen by b, 25.5 cm away: it is revealed"),
        (50, {}, "sees b, 32.5 cm away: it is revealed"),
        (50, {"spotted_cm": 30}, "sees b, 32.5 cm away: it is revealed"),
        (50, {"spotted_cm": 40}, "sees and is seen by b, 32.5 cm away: it is revealed"),
    ],
)
def test_the_umpire_is_told_that_a_marker_sees_or_is_seen(dummy: bool, depth: float, state: Any, text: str) -> None:
    assert told(group("b", (600, 300)), depth=depth, dummy=dummy, **state) == [text]


@pytest.mark.rule("TY-82", "TY-41")
def test_a_marker_may_be_seen_by_those_whom_it_does_not_see() -> None:
    # b-1 stands close behind his comrade and looks past him; from the marker he is hidden.
    assert told(group("b", (600, 300)), group("bx", (600, 330)), depth=-100) == [
        "sees and is seen by bx, 14.5 cm away: it is revealed", "is seen by b, 17.5 cm away: it is revealed",
    ]  # fmt: skip


@pytest.mark.rule("TY-82")
def test_nothing_is_said_of_a_marker_that_nobody_sees_nor_of_who_is_hidden_himself() -> None:
    assert told(group("b", (600, 300)), depth=110) == []
    assert told(group("b", (600, 300), hidden=True), depth=-20) == []
