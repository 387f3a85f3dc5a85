"""The demo of Musket & Pike: thirty units on a mat of hexes."""

from __future__ import annotations

from engine.rulesets import find_ruleset
from vision.simulated import load_demo
from webui.commands.demo import demo_game


def test_thirty_units_stand_in_hexes_of_the_mat_without_doubt() -> None:
    game = demo_game(load_demo("musket-pike"))
    ruleset = find_ruleset(game.ruleset)
    ruleset.check(game)
    answers = ruleset.ask(game).units
    assert len(answers) == 30
    assert all(one.extra["hex"] is not None and one.extra["borderline"] == [] for one in answers)
    ready = [one for one in answers if one.move is not None and one.move.extra["reach_hexes"]]
    assert {one.unit for one in ready} >= {"royal-foot", "blue-horse", "lord-ashby"}


def test_no_hex_of_the_demo_holds_too_many() -> None:
    game = demo_game(load_demo("musket-pike"))
    assert not any(one.extra["stack"]["over"] for one in find_ruleset(game.ruleset).ask(game).units)
