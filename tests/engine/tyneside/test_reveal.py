"""A hidden marker's figures are placed where there is room for them."""

from __future__ import annotations

import pytest

from engine.errors import ActionRefused
from tests.engine.tyneside.table import do, game, group

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
