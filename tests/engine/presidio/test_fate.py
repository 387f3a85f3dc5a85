"""What becomes of casualties after the battle."""

from __future__ import annotations

import pytest

from tests.engine.presidio.scene import do, game, told, unit


@pytest.mark.rule("PR-608")
@pytest.mark.parametrize(
    ("dice", "fate", "days"),
    [("1", "killed", None), ("2 4", "mortal", 4), ("3", "severe", None), ("4 2 5", "moderate", 49),
     ("5 3 4", "light", 7), ("6", "surface", 1)],
)  # fmt: skip
def test_the_fate_of_the_fallen(dice: str, fate: str, days: int | None) -> None:
    played = do(game(unit("a", (900, 100))), dice, action="casualty-status", count=1)
    assert told(played, "fate") == [{"results": [fate], "days": [days]}]


@pytest.mark.rule("PR-608")
def test_figure_after_figure_with_its_own_dice() -> None:
    played = do(game(unit("a", (900, 100))), "2 6 1 5 1 1", action="casualty-status", count=3)
    assert told(played, "fate")[0]["results"] == ["mortal", "killed", "light"]


@pytest.mark.rule("PR-609")
@pytest.mark.parametrize(
    ("dice", "fate"),
    [
        ("1 1", "captured-mortal"), ("2 2", "captured-mortal"), ("1 3", "captured-severe"),
        ("2 6", "captured-surface"), ("3", "captured"), ("4", "captured"), ("5 3", "escaped-scratched"),
        ("5 4", "escaped-light"), ("6", "escaped"),
    ],
)  # fmt: skip
def test_the_fate_of_the_shattered(dice: str, fate: str) -> None:
    played = do(game(unit("a", (900, 100))), dice, action="casualty-status", count=1, shattered=True)
    assert told(played, "fate")[0]["results"] == [fate]
