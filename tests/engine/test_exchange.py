"""A whole game in one file: what is exported comes in again as it was; a bad file is refused, nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UnusableFile
from engine.events import begin
from engine.keeping.exchange import log_text, read_log
from engine.keeping.journal import Journal
from engine.keeping.shelf import Held
from engine.records.game import read_game
from tests.command_line import vedette

GAME = Path(__file__).parents[2] / "examples" / "first-volley" / "game.json"
NOON = "2026-11-21T12:00:00Z"


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    path = tmp_path / "evening.vedette"
    with Journal(path) as journal:
        journal.append(at=NOON, kind="begin", events=[begin(read_game(GAME))])
        journal.append(at=NOON, kind="note")
        journal.append(at=NOON, kind="note")
        journal.undo(at=NOON)
        journal.branch(at=NOON, number=2)
    return path


@pytest.fixture
def text(evening: Path) -> bytes:
    with Journal(evening) as journal:
        return log_text(journal.entries)


def test_an_exported_game_comes_in_again_as_it_was(evening: Path, tmp_path: Path) -> None:
    out, again = tmp_path / "game.jsonl", tmp_path / "another" / "evening.vedette"
    assert vedette("log", "export", evening, "-o", out).exit_code == 0
    done = vedette("log", "import", out, again)
    assert done.exit_code == 0, done.output
    with Journal(evening) as one, Journal(again) as other:
        other.verify()
        assert (one.entries, one.game) == (other.entries, other.game)


def _changed(text: bytes, line: int, **keys: Any) -> bytes:
    lines = text.splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **keys}).encode()
    return b"\n".join(lines)


BAD: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("empty", lambda text: b"", "line 1: expected JSON, found an empty file"),
    ("another program's", lambda text: b'{"a": 1}', "line 1: format: expected"),
    ("a photo", lambda text: b"\xff\xd8\xff\xe0" * 9, "expected a game that was exported"),
    ("a game's file", lambda text: b'{\n "format": "vedette-game/1"\n}', "got a file of the format vedette-game/1"),
    ("of a later version", lambda text: text.replace(b"vedette-log/1", b"vedette-log/9"), "vedette-log/9"),
    ("cut within a line", lambda text: text[:-20], "line 6: not well-formed JSON"),
    ("cut between lines", lambda text: b"\n".join(text.splitlines()[:-1]), "expected 5 entries, found 4"),
    ("with a word changed", lambda text: _changed(text, 2, kind="action"), "changed or damaged"),
    ("with a key too many", lambda text: _changed(text, 2, secret=1), "line 3"),
    ("with a number for a text", lambda text: _changed(text, 2, at=7), "line 3: at: expected a text, got 7"),
    ("out of order", lambda text: _changed(text, 2, number=3), "line 3: number: expected 2, got 3"),
    ("undoing what is yet to come", lambda text: _changed(text, 4, undoes=5), "line 5: undoes"),
    ("following itself", lambda text: _changed(text, 5, follows=5), "line 6: follows"),
    ("with events of no kind", lambda text: _changed(text, 2, events=[7]), "line 3"),
]


@pytest.mark.parametrize(("change", "complaint"), [one[1:] for one in BAD], ids=[one[0] for one in BAD])
def test_a_bad_file_says_what_is_wrong_and_changes_nothing(
    evening: Path, text: bytes, tmp_path: Path, change: Callable[[bytes], bytes], complaint: str
) -> None:
    bad, before = tmp_path / "bad.jsonl", evening.read_bytes()
    bad.write_bytes(change(text))
    done = vedette("log", "import", bad, evening, "--replace")
    assert (done.exit_code, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert evening.read_bytes() == before


def test_a_game_that_its_rules_do_not_know_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "strange.vedette"
    game = read_game(GAME)
    with Journal(path) as journal:
        strange = type(game)(
            **{name: getattr(game, name) for name in game.__struct_fields__} | {"ruleset": "whist"}
        )
        journal.append(at=NOON, kind="begin", events=[begin(strange)])
        with pytest.raises(UnusableFile, match=r"lead to no game.*whist"):
            read_log(log_text(journal.entries), "file")


def test_a_journal_that_is_there_is_put_aside_and_only_when_told(
    evening: Path, text: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(text)
    refused = vedette("log", "import", file, evening)
    assert (refused.exit_code, "--replace" in refused.stderr) == (2, True)
    with Journal(evening) as journal:
        journal.append(at=NOON, kind="note")
    assert vedette("log", "import", file, evening, "--replace").exit_code == 0
    (aside,) = tmp_path.glob("evening-*.vedette")
    with Journal(aside) as kept, Journal(evening) as new:
        assert (len(kept.entries), len(new.entries)) == (6, 5)


def test_an_exported_game_that_a_mail_program_gave_windows_line_ends_is_the_same_game(
    evening: Path, tmp_path: Path
) -> None:
    file = tmp_path / "sent.jsonl"
    file.write_bytes(vedette("log", "export", evening).stdout_bytes.replace(b"\n", b"\r\n"))
    assert vedette("log", "import", file, tmp_path / "new.vedette").exit_code == 0
    with Journal(tmp_path / "new.vedette") as new, Journal(evening) as old:
        assert new.entries == old.entries


def test_a_journal_that_is_not_there_is_said_and_no_folder_is_made_for_it(tmp_path: Path) -> None:
    done = vedette("log", "branch", tmp_path / "mistyped" / "evening.vedette", "--from", 1)
    assert (done.exit_code, "expected a journal file, found none" in done.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_into_a_folder_that_a_running_program_has(evening: Path) -> None:
    held = Held(evening.parent)
    try:
        done = vedette("log", "branch", evening, "--from", 1)
    finally:
        held.close()
    assert (done.exit_code, "another Vedette" in done.stderr) == (2, True)


def test_the_command_branches_lists_the_courses_and_comes_back(evening: Path) -> None:
    assert "left at 2: entries 3-4; back to it with --from 4" in vedette("log", "branch", evening).stdout
    assert vedette("log", "branch", evening, "--from", 4).exit_code == 0
    assert "this course: entries 1-4, 6" in vedette("log", "branch", evening).stdout
    assert "goes on from 4" in vedette("log", "list", evening).stdout
