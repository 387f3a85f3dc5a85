"""The journal: on disk before anyone is told, append-only, undone by entries, found again after any end."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.dice import Roll, Rolled
from engine.errors import JournalError, NoJournal, UnusableFile
from engine.events import AddFigures, Event, Place, PlaceFigures, RemoveFigures, SetCondition, begin
from engine.keeping.entries import standing
from engine.keeping.entry import Entry
from engine.keeping.journal import Journal
from engine.moved.ways import ways_told
from engine.records.action import Action
from engine.records.game import Figure, Round
from tests.engine.test_events import GAME

NOON = "2026-11-21T12:00:00Z"


def note(journal: Journal, value: int, kind: str = "action") -> Entry:
    event = Event(event="note", changes=(SetCondition(key="value", value=value),))
    return journal.append(at=NOON, kind=kind, events=[event])


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    opened = Journal(tmp_path / "evening.vedette")
    opened.append(at=NOON, kind="begin", events=[begin(GAME)])
    return opened


def test_the_game_is_found_again_when_the_journal_is_opened_again(journal: Journal) -> None:
    lost = Event(event="hit", facts={"unit": "a"}, changes=(RemoveFigures(unit="a", figures=("a-0",)),), rule="X-1")
    rolled = Rolled(roll=Roll(purpose="fire", count=2, success="==1"), scores=(1, 5))
    entry = journal.append(
        at=NOON,
        kind="action",
        events=[lost],
        rolls=[rolled],
        action=Action(action="fire", unit="a"),
        overruled=True,
    )
    with Journal(journal.path) as again:
        assert again.game == journal.game
        assert again.entries[-1] == entry
        assert entry.overruled
        again.verify()


def test_two_programs_that_write_one_log_lose_nothing_of_each_other(journal: Journal) -> None:
    with Journal(journal.path) as other:
        note(other, 1)
        with pytest.raises(JournalError, match="another program has written to this log meanwhile"):
            note(journal, 2)
    with Journal(journal.path) as again:
        again.verify()
        assert again.game.conditions["value"] == 1


def test_a_log_that_may_not_be_written_where_it_lies_says_to_copy_it(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.close()

    def read_only(path: Path) -> sa.Engine:
        return sa.create_engine(f"sqlite:///file:{path}?mode=ro&uri=true", poolclass=sa.pool.NullPool)

    monkeypatch.setattr("engine.keeping.journal._connected", read_only)
    with pytest.raises(JournalError, match="copy it to a folder of your own") as caught:
        Journal(journal.path)
    assert "expected a Vedette journal" not in str(caught.value)


def test_an_undo_is_an_entry_and_what_it_took_back_can_stand_again(journal: Journal) -> None:
    note(journal, 1)
    note(journal, 2)
    journal.undo(at=NOON)
    assert journal.game.conditions == {"value": 1}
    journal.undo(at=NOON)
    assert journal.game == GAME
    journal.redo(at=NOON)
    assert journal.game.conditions == {"value": 1}
    journal.redo(at=NOON)
    assert journal.game.conditions == {"value": 2}
    assert [entry.kind for entry in journal.entries] == [
        "begin",
        "action",
        "action",
        "undo",
        "undo",
        "undo",
        "undo",
    ]
    assert journal.redoable() is None


def test_after_something_new_nothing_can_be_redone(journal: Journal) -> None:
    note(journal, 1)
    journal.undo(at=NOON)
    note(journal, 3)
    assert journal.redoable() is None
    journal.undo(at=NOON)
    journal.redo(at=NOON)
    assert journal.redoable() is None
    assert journal.game.conditions == {"value": 3}


def test_an_undo_reaches_back_over_what_the_camera_saw_meanwhile(journal: Journal) -> None:
    fired = note(journal, 1)
    note(journal, 2, kind="camera")
    undoable = journal.undoable()
    assert undoable == fired
    journal.undo(at=NOON, number=fired.number)
    assert [entry.kind for entry in standing(journal.entries)] == ["begin", "camera"]


@pytest.mark.parametrize("kind", ["camera", "place"])
def test_who_has_moved_since_he_came_can_be_sent_back_and_stands_again_where_he_was_seen(
    journal: Journal, kind: str
) -> None:
    before, come = journal.game, Figure(id="a-new", x_mm=50.0, y_mm=50.0, base=Round(diameter_mm=25.0))
    other = before.unit("a").figures[0].id
    journal.append(
        at=NOON, kind="action", events=[Event(event="came", changes=(AddFigures(unit="a", figures=(come,)),))]
    )
    seen = {
        name: Place(figure=name, x_mm=x, y_mm=70.0, bearing_deg=None) for name, x in (("a-new", 90.0), (other, 9.0))
    }
    for named in (("a-new",), ("a-new", other)):
        places = PlaceFigures(places=tuple(seen[name] for name in named))
        journal.append(at=NOON, kind=kind, events=[Event(event="moved", facts={"unit": "a"}, changes=(places,))])
    after = journal.game
    journal.undo(at=NOON)
    left = {figure.id: figure for figure in journal.game.unit("a").figures}
    assert set(left) == {figure.id for figure in before.unit("a").figures}
    assert left[other].x_mm == 9.0
    with Journal(journal.path) as again:
        again.verify()
        assert again.game == journal.game
        ways = ways_told(again.entries).values()
        assert all("a-new" not in pose for way in ways for pose in way.poses)
    journal.redo(at=NOON)
    assert journal.game == after


def test_the_beginning_cannot_be_undone_nor_an_entry_that_is_not_the_newest(journal: Journal) -> None:
    with pytest.raises(JournalError, match="nothing to undo"):
        journal.undo(at=NOON)
    with pytest.raises(JournalError, match="nothing to redo"):
        journal.redo(at=NOON)
    first = note(journal, 1)
    note(journal, 2)
    with pytest.raises(JournalError, match="the newest that can is entry 3"):
        journal.undo(at=NOON, number=first.number)


def test_an_entry_whose_events_do_not_fold_leaves_the_journal_as_it_was(journal: Journal) -> None:
    wrong = Event(event="hit", changes=(RemoveFigures(unit="a", figures=("nobody",)),))
    with pytest.raises(UnusableFile):
        journal.append(at=NOON, kind="action", events=[wrong])
    assert len(journal.entries) == 1
    with Journal(journal.path) as again:
        assert len(again.entries) == 1


@pytest.mark.parametrize("statement", ["DELETE FROM entries", "UPDATE entries SET body = x'00'"])
def test_the_file_itself_refuses_to_forget(journal: Journal, statement: str) -> None:
    raw = sqlite3.connect(journal.path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        raw.execute(statement)
    raw.close()


def _forge(journal: Journal, statement: str) -> None:
    raw = sqlite3.connect(journal.path)
    raw.execute("DROP TRIGGER no_update")
    raw.execute("DROP TRIGGER no_delete")
    raw.execute(statement)
    raw.commit()
    raw.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET body = replace(body, '\"value\":1', '\"value\":9') WHERE number = 2",
        "DELETE FROM entries WHERE number = 2",
    ],
)
def test_a_journal_that_was_changed_from_outside_is_found_out(journal: Journal, statement: str) -> None:
    note(journal, 1)
    note(journal, 2)
    _forge(journal, statement)
    with pytest.raises(JournalError, match="changed from outside"):
        journal.verify()


def test_a_file_that_is_no_journal_is_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Sir, " * 200)
    with pytest.raises(JournalError, match="expected a Vedette journal"):
        Journal(file)
    assert file.read_text().startswith("Dear Sir")


@pytest.mark.parametrize(
    ("statements", "complaint"),
    [
        (["CREATE TABLE songs(title)"], "a database of another program"),
        (["CREATE TABLE songs(title)", "PRAGMA user_version = 1"], "a database of another program"),
        (["CREATE TABLE entries(title)"], "a database of another program"),
        (
            ["CREATE TABLE entries(number INTEGER PRIMARY KEY, body BLOB, digest TEXT)", "PRAGMA user_version = 7"],
            "expected a journal of version 1, got version 7",
        ),
    ],
)
def test_the_database_of_another_program_is_refused_and_kept_to_the_byte(
    tmp_path: Path, statements: list[str], complaint: str
) -> None:
    file = tmp_path / "songs.db"
    with closing(sqlite3.connect(file)) as songs:
        for statement in statements:
            songs.execute(statement)
        songs.commit()
    before = file.read_bytes()
    with pytest.raises(NoJournal, match=complaint) as refused:
        Journal(file)
    assert refused.value.exit_status == 2
    assert file.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["songs.db"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"{}", b"\xff", b'{"number": 2, "at": "", "kind": "x", "events": [1]}']
)
def test_an_entry_that_cannot_be_read_any_more_is_named(journal: Journal, body: bytes) -> None:
    note(journal, 1)
    journal.close()
    with closing(sqlite3.connect(journal.path)) as forger:
        forger.execute("DROP TRIGGER no_update")
        forger.execute("UPDATE entries SET body = ? WHERE number = 2", [body])
        forger.commit()
    with pytest.raises(JournalError, match="entry 2 was changed from outside"):
        Journal(journal.path)


def test_a_journal_without_a_game_says_so(tmp_path: Path) -> None:
    with Journal(tmp_path / "new.vedette") as fresh, pytest.raises(JournalError, match="no game has begun"):
        _ = fresh.game


WRITER = """
import sys
from pathlib import Path
from engine.events import Event, SetCondition
from engine.keeping.journal import Journal
journal = Journal(Path(sys.argv[1]))
while True:
    number = len(journal.entries) + 1
    event = Event(event="n", changes=(SetCondition(key="n", value=number),))
    journal.append(at="now", kind="action", events=[event])
    print(number, flush=True)
"""


def killed_while_writing(path: Path) -> int:
    """Starts a writer, kills it without warning, and gives the last entry that it told about."""
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline() for _ in range(20)]
        writer.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        told += writer.stdout.readlines()
    return max(int(line) for line in told if line.endswith("\n"))


def test_what_was_told_is_on_disk_when_the_program_is_killed(
    journal: Journal, repeat_kills: Callable[[], range]
) -> None:
    journal.close()
    for _ in repeat_kills():
        told = killed_while_writing(journal.path)
        with Journal(journal.path) as again:
            again.verify()
            assert len(again.entries) >= told


def test_what_a_killed_program_left_is_read_and_left_as_it_is(journal: Journal) -> None:
    journal.close()
    told = killed_while_writing(journal.path)
    files = [file for file in journal.path.parent.iterdir() if not file.name.endswith("-shm")]  # a mere index
    before = [file.read_bytes() for file in files]
    with Journal(journal.path, only_read=True) as looked_at:
        looked_at.verify()
        assert len(looked_at.entries) >= told
        with pytest.raises(JournalError, match="cannot be written"):
            note(looked_at, 1)
    assert [file.read_bytes() for file in files] == before
