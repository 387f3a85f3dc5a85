"""What ``ask`` says of how units and armies stand: the hits they bear, the die that moves them, army resolve."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.records.game import game_builtins
from engine.rulesets.palouse import RULESET
from tests.command_line import vedette
from tests.engine.palouse.scene import Json, asked, do, game, ground, unit

BESIDE = unit("bc", (4, 2), commander=True)


def noted(*units: Json, name: str = "b", **more: Any) -> list[str]:
    """What is said of a unit, with the rows."""
    return [f"{note['text']} {note['rule']}" for note in asked(game(*units, **more), name).extra["notes"]]


@pytest.mark.rule("PA-50", "PA-51", "PA-56")
@pytest.mark.parametrize(
    ("one", "others", "terrain", "told"),
    [
        (unit("b", (4, 1)), [], [], ["bears 6 hits: 7 break it PA-50"]),
        (unit("b", (4, 1), hits=6), [], [], ["bears 6 hits and has 6: 1 more breaks it PA-50"]),
        (unit("b", (4, 1), hits=7), [], [],
         ["has 7 hits and bears 6: it goes when broken units are removed PA-50"]),
        (unit("b", (4, 1), "skirmisher", hits=7), [], [ground("woods", (4, 1))],
         ["bears 12 hits and has 7: 6 more break it PA-50", "+6 cover (woods) PA-52",
          "breaks without cover (woods) PA-56"]),
        (unit("b", (4, 1), hits=7), [BESIDE], [],
         ["bears 12 hits and has 7: 6 more break it PA-50", "+6 within a bound of the commander PA-54",
          "breaks without its commander PA-56"]),
        (unit("b", (4, 1), "grenadier", hits=7), [BESIDE], [],
         ["bears 12 hits and has 7: 6 more break it PA-50", "+6 grenadier PA-55"]),
    ],
)  # fmt: skip
def test_a_player_reads_how_many_hits_break_a_unit_and_what_holds_it(
    one: Json, others: Any, terrain: Any, told: list[str]
) -> None:
    said = noted(one, *others, terrain=terrain)
    assert [text for text in said if not text.endswith("PA-10")] == told


@pytest.mark.rule("PA-10", "PA-11", "PA-12", "PA-61", "PA-62")
@pytest.mark.parametrize(
    ("one", "others", "terrain", "told"),
    [
        (unit("b", (4, 1)), [], [], "is activated on 2 or more"),
        (unit("b", (4, 1)), [], [ground("woods", (4, 2))],
         "is activated on 2 or more, on 3 or more into rough ground"),
        (unit("b", (4, 1), "indian"), [], [ground("woods", (4, 2))], "is activated on 2 or more"),
        (unit("b", (4, 1), hits=12, veteran=True), [], [], "is activated on a 6"),
        (unit("b", (4, 1), hits=15, veteran=True), [], [], "is activated by no die"),
        (unit("b", (4, 1)), [BESIDE], [], "is activated on 2 or more; its commander lets it roll again"),
        (unit("b", (4, 1), officer=True), [], [], "is activated on 2 or more; its officer lets it roll again"),
    ],
)  # fmt: skip
def test_a_player_reads_which_die_moves_a_unit(one: Json, others: Any, terrain: Any, told: str) -> None:
    assert f"{told} PA-10" in noted(one, *others, terrain=terrain)


@pytest.mark.rule("PA-10")
def test_nothing_is_said_of_activation_where_a_unit_may_not_be_activated() -> None:
    assert not [text for text in noted(unit("b", (4, 1), moved=True)) if "activated" in text]


@pytest.mark.rule("PA-70", "PA-72")
def test_the_armies_resolve_is_told_before_the_game_and_after_losses() -> None:
    def told(of: Any) -> list[tuple[str, str]]:
        return [(one["side"], one["text"]) for one in RULESET.ask(of).extra["standing"]]

    of = game(unit("b", (4, 1)), unit("b2", (6, 1)), unit("f", (4, 5), hits=7))
    assert told(of) == [("british", "army resolve 2 of 2"), ("french", "army resolve 1 of 1")]
    assert told(do(of, "elimination", 3).game)[1] == ("french", "army resolve -2 of 1")


@pytest.mark.rule("PA-05")
def test_whose_turn_it_is_reads_at_which_step_it_is() -> None:
    told = RULESET.ask(game(unit("b", (4, 1)), unit("f", (4, 5)), step="combat")).extra["standing"]
    assert [one["side"] for one in told if one["text"] == "at the combat step"] == ["british"]


def test_the_command_prints_it_too(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game_builtins(game(unit("b", (4, 1), hits=3), unit("f", (4, 5))))))
    printed = vedette("ask", file).stdout
    assert "british: army resolve 1 of 1 [PA-70]" in printed
    assert "bears 6 hits and has 3: 4 more break it [PA-50]" in printed
