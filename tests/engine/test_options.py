"""The rulings that players may change: every ruleset's have words, and setting one is told, kept and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UnknownAction, UnusableFile
from engine.events import apply
from engine.records.game import game_from
from engine.rulesets import BUILT_IN, find_ruleset
from engine.rulesets.base.folder import RulesetFolder
from engine.rulesets.base.options import option_event, option_words, options_of
from tests.command_line import vedette


def game(ruleset: str, **conditions: Any) -> Any:
    grid = {"palouse": "square", "musket-pike": "hex"}.get(ruleset)
    table: dict[str, Any] = {"width_mm": 1800.0, "depth_mm": 1200.0}
    if grid:
        table["grid"] = {"kind": grid, "size_mm": 100.0, "columns": 8, "rows": 8}
    return {
        "format": "vedette-game/1", "ruleset": ruleset, "table": table, "conditions": conditions,
        "turn": {"number": 1, "active_side": "a"},
        "sides": [{"name": "a", "edge": "south"}, {"name": "b", "edge": "north"}], "units": [], "terrain": [],
        "measured": {"sigma_mm": 0.0},
    }  # fmt: skip


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_option_has_words_and_every_word_an_option(name: str) -> None:
    ruleset = find_ruleset(name)
    assert isinstance(ruleset, RulesetFolder)
    options = options_of(ruleset, game_from(game(name), "the game"))
    assert {one.field.key for one in options} == set(option_words(ruleset.package))
    for one in options:
        assert one.value == one.field.default
        assert not one.rule or one.rule in ruleset.rows()
        values = {str(choice.value) for choice in one.field.choices}
        assert set(option_words(ruleset.package)[one.field.key].choices) in (set(), values)
        assert one.field.ask in ("yes-no", "choice", "number")


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_value_of_every_option_can_be_played(name: str) -> None:
    ruleset, start = find_ruleset(name), game_from(game(name), "the game")
    for one in options_of(ruleset, start):
        values: list[Any] = [choice.value for choice in one.field.choices] or [True, False]
        for value in [one.field.default] if one.field.ask == "number" else values:
            after = apply(start, option_event(ruleset, start, one.field.key, value))
            now = {option.field.key: option.value for option in options_of(ruleset, after)}
            assert now[one.field.key] == value
            ruleset.check(after)


def test_an_option_that_is_set_is_told_in_the_players_words() -> None:
    ruleset, start = find_ruleset("tyneside"), game_from(game("tyneside"), "the game")
    event = option_event(ruleset, start, "front_deg", 180)
    assert (event.rule, event.facts["label"], event.facts["said"]) == (
        "TR-6",
        "How wide a front is",
        "A half: 180 degrees",
    )


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [("front_deg", 120, "front_deg"), ("measure", "far", "expected one of edge, centre"), ("worst", True, "worst")],
)
def test_a_value_that_an_option_does_not_have_is_said(key: str, value: Any, why: str) -> None:
    with pytest.raises(UnusableFile, match=why):
        option_event(find_ruleset("tyneside"), game_from(game("tyneside"), "the game"), key, value)


def test_an_option_that_there_is_not_is_said() -> None:
    with pytest.raises(UnknownAction, match="expected one of diagonals"):
        option_event(find_ruleset("palouse"), game_from(game("palouse"), "the game"), "measure", "edge")


def test_the_command_lists_and_changes_them(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game("palouse")), encoding="utf-8")
    assert "arc_deg=45.0  Degrees to either side that a unit fires: 45.0 [R9]" in vedette("options", file).stdout
    done = vedette("options", file, "arc_deg=60", "diagonals=orthogonal", "--json")
    assert done.exit_code == 0
    told = {one["field"]["key"]: one["value"] for one in json.loads(done.stdout)["options"]}
    assert (told["arc_deg"], told["diagonals"]) == (60, "orthogonal")
    assert json.loads(file.read_text(encoding="utf-8"))["conditions"]["options"] == {
        "arc_deg": 60,
        "diagonals": "orthogonal",
    }


@pytest.mark.parametrize("wrong", ["arc_deg", "arc_deg=200", "chess=1", "diagonals=maybe"])
def test_what_cannot_be_set_leaves_the_file_as_it_was(tmp_path: Path, wrong: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game("palouse")), encoding="utf-8")
    before = file.read_bytes()
    done = vedette("options", file, "line_of_fire=open", wrong)
    assert done.exit_code == 2
    assert file.read_bytes() == before
