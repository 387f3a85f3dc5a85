"""How games end: each ruleset says by its own rules who has won, and the command line says it too."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from engine.cli import ask
from engine.dice import SeededDice
from engine.play import play
from engine.records.action import action_from
from engine.records.game import Game, Turn, game_builtins
from engine.rulesets import BUILT_IN, find_ruleset
from engine.rulesets.base.verdicts import Verdict
from vision.simulated import load_demo
from webui.commands.demo import demo_game


def begun(ruleset: str, *gone: str, **conditions: Any) -> Game:
    """The demo's game, some sides of which have nobody on the table any more."""
    game = demo_game(load_demo(ruleset))
    units = tuple(replace(one, figures=()) if one.side in gone else one for one in game.units)
    return replace(game, units=units, conditions={**game.conditions, **conditions})


def after(game: Game, *actions: Mapping[str, Any]) -> Game:
    for one in actions:
        game = play(game, find_ruleset(game.ruleset).begin(game, action_from(one)), SeededDice(1)).game
        find_ruleset(game.ruleset).check(game)
    return game


def spent(*sides: str) -> Game:
    """Palouse's demo, the armies of these sides without resolve."""
    game = begun("palouse")
    keys = {side.name: {"army_resolve": 0 if side.name in sides else 3} for side in game.sides}
    return replace(game, sides=tuple(replace(one, extra={**one.extra, **keys[one.name]}) for one in game.sides))


ENDS: list[tuple[str, Game, Sequence[Mapping[str, Any]], tuple[str, ...], str]] = [
    ("a side alone", begun("muskets-mohawks", "french"), [{"action": "end-battle"}], ("british",), "MM-167"),
    ("nobody goes on", begun("muskets-mohawks"), [{"action": "end-battle", "unwilling": True}], (), "MM-167"),
    ("no resolve", spent("french"), [{"action": "check-resolve"}], ("british",), "PA-73"),
    ("both armies spent", spent("french", "british"), [{"action": "check-resolve"}], (), "PA-73"),
    ("all in retreat", begun("tyneside", "british"), [{"action": "end-turn"}], ("french",), "TY-80"),
    ("the last turn", replace(begun("musket-pike", turn_limit=1), turn=Turn(number=1, active_side="french")),
     [{"action": "end-turn", "side": "french"}], (), "MP-15"),
    ("points", begun("presidio"), [{"action": "victory", "side": "spanish", "taken": {"horse": 1}},
                                   {"action": "victory", "side": "raiders", "taken": {"cow": 1}}],
     ("spanish",), "PR-825"),
    ("equal points", begun("presidio"), [{"action": "victory", "side": "spanish"},
                                         {"action": "victory", "side": "raiders"}], (), "PR-825"),
]  # fmt: skip


@pytest.mark.rule("MM-167", "PA-73", "TY-80", "MP-15", "PR-825")
@pytest.mark.parametrize(("of", "actions", "won", "rule"), [end[1:] for end in ENDS], ids=[end[0] for end in ENDS])
def test_a_game_that_its_rules_end_says_who_has_won(
    of: Game, actions: Sequence[Mapping[str, Any]], won: tuple[str, ...], rule: str
) -> None:
    found = find_ruleset(of.ruleset).verdict(after(of, *actions))
    assert isinstance(found, Verdict)
    assert (found.won, found.rule) == (won, rule)


@pytest.mark.parametrize("ruleset", BUILT_IN)
def test_a_game_that_goes_on_has_no_verdict(ruleset: str) -> None:
    assert find_ruleset(ruleset).verdict(begun(ruleset)) is None


@pytest.mark.rule("PR-825")
def test_one_sides_points_alone_do_not_end_a_game() -> None:
    of = after(begun("presidio"), {"action": "victory", "side": "spanish", "taken": {"horse": 1}})
    assert find_ruleset("presidio").verdict(of) is None


@pytest.mark.parametrize(
    ("over", "on"),
    [
        (after(begun("muskets-mohawks"), ENDS[1][2][0]), {"action": "begin-turn"}),
        (after(spent("french"), {"action": "check-resolve"}), {"action": "start-game"}),
    ],
)
def test_a_game_that_is_played_on_has_no_verdict_any_more(over: Game, on: Mapping[str, Any]) -> None:
    rules = find_ruleset(over.ruleset)
    name = (
        on["action"]
        if on["action"] in rules.forms()
        else next(n for n, f in rules.forms().items() if f.passes == "turn")
    )
    assert rules.verdict(after(over, {"action": name})) is None


def test_the_command_says_who_has_won(tmp_path: Path) -> None:
    file = tmp_path / "over.json"
    file.write_text(json.dumps(game_builtins(after(spent("french"), {"action": "check-resolve"}))))
    said = CliRunner().invoke(ask, [str(file)]).output
    told = " ".join(said.split())
    assert told.startswith("The game is over: british have won: the army of french has no resolve left [PA-73]")
    answer = json.loads(CliRunner().invoke(ask, [str(file), "--json"]).output)["verdict"]
    assert (answer["won"], answer["rule"]) == (["british"], "PA-73")
