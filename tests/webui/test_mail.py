"""``vedette mail``: a game begun, sent, opened and told."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.dice import SeededDice
from engine.keeping.journal import Journal
from engine.keeping.shelf import Held
from engine.play import play
from engine.records.action import action_from
from engine.records.game import game_json
from engine.rulesets.musket_pike import RULESET
from tests.engine.musket_pike.scene import game, unit
from webui.cli import main
from webui.commands.mail_cli import mail

CASE = pytest.mark.rule


def run(*words: object, typed: str = "") -> str:
    """What the command prints."""
    result = CliRunner().invoke(mail, [str(word) for word in words], input=typed, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A folder with a game begun by side a, and its first orders given."""
    (tmp_path / "game.json").write_bytes(game_json(game(unit("a", (4, 4)), unit("b", (5, 4)))))
    run("begin", tmp_path / "game.json", "--journal", tmp_path / "a.db", "--side", "a", "--fog", "--advantage", 2,
        "--option", "rout_limiting=true")  # fmt: skip
    with Journal(tmp_path / "a.db") as journal:
        for raw in ({"action": "fire", "unit": "a", "target": "b"}, {"action": "end-turn", "side": "a"}):
            action = action_from(raw)
            played = play(journal.game, RULESET.begin(journal.game, action), SeededDice(1))
            journal.append(at="2026-11-21", kind="action", action=action, rolls=played.rolls, events=played.events)
    run("send", "--journal", tmp_path / "a.db", "--side", "a", "--key", "k", "-o", tmp_path / "turn.mail")
    return tmp_path


def refusal(*words: object) -> str:
    """What the command line says as it refuses."""
    result = CliRunner().invoke(main, ["mail", *(str(word) for word in words)])
    assert result.exit_code == 2
    return result.stderr


def test_a_log_that_a_running_program_has_is_left_to_it(begun: Path) -> None:
    sent = ("--journal", begun / "a.db", "--side", "a", "--key", "k", "-o", begun / "again.mail")
    opened = (begun / "turn.mail", "--journal", begun / "b.db", "--side", "b", "--key", "k")
    with Held(begun):
        assert "another Vedette is using this folder" in refusal("send", *sent)
        assert "another Vedette is using this folder" in refusal("open", *opened)
    assert not (begun / "again.mail").exists()
    assert not (begun / "b.db").exists()


def test_sending_a_game_that_is_not_there_makes_none(tmp_path: Path) -> None:
    sent = ("--journal", tmp_path / "mistyped" / "a.db", "--side", "a", "-o", tmp_path / "turn.mail")
    assert "expected a journal file, found none" in refusal("send", *sent)
    assert list(tmp_path.iterdir()) == []


@CASE("MP-304", "MP-305")
def test_what_is_chosen_at_the_start_stays_in_the_file(begun: Path) -> None:
    with Journal(begun / "a.db") as journal:
        assert journal.game.conditions["fog_of_war"] is True
        assert journal.game.conditions["options"] == {"rout_limiting": True}
        assert journal.entries[0].events[1].facts == {"side": "a", "fog_of_war": True, "advantage": 2}


@CASE("MP-302", "MP-303")
def test_opening_a_file_tells_the_opponents_turn_with_or_without_reports(begun: Path) -> None:
    key = ("--side", "b", "--key", "k")
    full = run("open", begun / "turn.mail", "--journal", begun / "b.db", *key)
    assert "A fires at B" in full
    assert "1d100" in full
    brief = run("open", begun / "turn.mail", "--journal", begun / "b2.db", *key, "--replay", "brief")
    assert "A fires at B" in brief
    assert "1d100" not in brief
    assert "A: end the turn" in brief
    none = run("open", begun / "turn.mail", "--journal", begun / "b3.db", *key, "--replay", "none")
    assert none == f"{begun / 'b3.db'}: it is your turn\n"


@CASE("MP-302")
def test_a_replay_may_be_broken_off(begun: Path) -> None:
    words = ("open", begun / "turn.mail", "--journal", begun / "b.db", "--side", "b", "--key", "k", "--step")
    told = run(*words, typed="q\n")
    assert "A fires at B" in told
    assert "end the turn" not in told
    assert "it is your turn" in told
