"""``vedette log play``: an evening is played on without the page, and its log is the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.events import begin
from engine.keeping.entry import Entry
from engine.keeping.journal import Journal
from engine.keeping.shelf import Held
from engine.records.game import game_json, read_game
from tests.command_line import vedette

EXAMPLE = Path(__file__).parents[2] / "examples" / "first-volley"
ACTION = EXAMPLE / "action.json"


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    path = tmp_path / "evening" / "game.vedette"
    path.parent.mkdir()
    with Journal(path) as journal:
        journal.append(at="2026-11-20T12:00:00Z", kind="begin", events=[begin(read_game(EXAMPLE / "game.json"))])
    return path


def entries(journal_file: Path) -> tuple[Entry, ...]:
    with Journal(journal_file) as journal:
        journal.verify()
        return tuple(journal.entries)


def test_an_action_is_played_by_the_rules_and_written_down_with_its_dice(evening: Path) -> None:
    done = vedette("log", "play", evening, "--do", ACTION, "--seed", 4, "--json")
    assert done.exit_code == 0
    by_file = vedette("resolve", EXAMPLE / "game.json", "--do", ACTION, "--seed", 4, "--json")
    assert json.loads(done.stdout) == json.loads(by_file.stdout)
    entry = entries(evening)[-1]
    assert (entry.kind, entry.action is not None and entry.action.action) == ("action", "fire")
    assert [list(one.scores) for one in entry.rolls] == [
        roll["scores"] for roll in json.loads(done.stdout)["rolls"]
    ]
    with Journal(evening) as journal:
        assert json.loads(game_json(journal.game)) == json.loads(done.stdout)["game"]


def test_it_can_be_undone(evening: Path) -> None:
    with Journal(evening) as journal:
        was = journal.game
    assert vedette("log", "play", evening, "--do", ACTION, "--seed", 4).exit_code == 0
    assert vedette("log", "undo", evening).exit_code == 0
    with Journal(evening) as journal:
        assert journal.game == was


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--dice", "1 2"), "expected 10d6, but 2 are left"),
        (("--dice", "1 2", "--seed", 4), "exclude each other"),
        (("--dice", "1 2 3 4 5 6 1 2 3 9"), "9"),
    ],
)
def test_dice_that_do_not_fit_leave_the_log_as_it_was(evening: Path, words: tuple[object, ...], said: str) -> None:
    done = vedette("log", "play", evening, "--do", ACTION, *words)
    assert (done.exit_code != 0, said in done.stderr, len(done.stderr.splitlines())) == (True, True, 1)
    assert len(entries(evening)) == 1


def test_what_the_rules_forbid_is_not_written(evening: Path) -> None:
    assert vedette("log", "play", evening, "--do", ACTION, "--seed", 4).exit_code == 0
    again = vedette("log", "play", evening, "--do", ACTION, "--seed", 4)
    assert (again.exit_code != 0, "already activated" in again.stderr) == (True, True)
    assert len(entries(evening)) == 2


def test_what_only_the_umpire_may_is_marked_as_overruled(evening: Path, tmp_path: Path) -> None:
    assert vedette("log", "play", evening, "--do", ACTION, "--seed", 4).exit_code == 0
    allowed = tmp_path / "allowed.json"
    allowed.write_text(json.dumps({**json.loads(ACTION.read_text("utf-8")), "override": True}), encoding="utf-8")
    assert vedette("log", "play", evening, "--do", allowed, "--seed", 4).exit_code == 0
    assert [entry.overruled for entry in entries(evening)] == [False, False, True]


def test_a_log_that_a_running_program_has_or_that_is_not_there_is_left_alone(evening: Path, tmp_path: Path) -> None:
    with Held(evening.parent):
        done = vedette("log", "play", evening, "--do", ACTION, "--seed", 4)
    assert (done.exit_code, "another Vedette" in done.stderr) == (2, True)
    assert len(entries(evening)) == 1
    done = vedette("log", "play", tmp_path / "mistyped" / "game.vedette", "--do", ACTION)
    assert (done.exit_code, "expected a journal file" in done.stderr) == (2, True)
    assert not (tmp_path / "mistyped").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("ask", "GAME", "--json"),
        ("actions", "GAME", "--unit", "1st-foot", "--json"),
        ("odds", "GAME", "--do", ACTION, "--json"),
        ("resolve", "GAME", "--do", ACTION, "--seed", 4, "--json"),
    ],
    ids=lambda words: words[0],
)
def test_a_log_is_asked_as_the_game_s_file_is_and_stays_as_it_was(evening: Path, words: tuple[object, ...]) -> None:
    before = entries(evening)
    told = [
        vedette(*(game if word == "GAME" else word for word in words)) for game in (evening, EXAMPLE / "game.json")
    ]
    assert [one.exit_code for one in told] == [0, 0]
    assert json.loads(told[0].stdout) == json.loads(told[1].stdout)
    assert entries(evening) == before


def test_a_log_that_is_no_log_is_said_in_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "journal.db"
    broken.write_bytes(b"SQLite format 3\0" + b"x" * 100)
    done = vedette("ask", broken)
    assert (done.exit_code, "journal.db" in done.stderr, len(done.stderr.splitlines())) == (2, True, 1)
