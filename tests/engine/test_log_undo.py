"""``vedette log undo`` and ``redo``: what the page takes back, without the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.events import Event, Place, PlaceFigures, SetTurn, begin
from engine.keeping.journal import Journal
from engine.keeping.shelf import Held
from engine.records.game import read_game
from tests.command_line import vedette

GAME = Path(__file__).parents[2] / "examples" / "first-volley" / "game.json"
NOON = "2026-11-21T12:00:00Z"


def turn(number: int) -> Event:
    return Event(event="turn", changes=(SetTurn(number=number, active_side="british"),))


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    path = tmp_path / "evening.vedette"
    with Journal(path) as journal:
        journal.append(at=NOON, kind="begin", events=[begin(read_game(GAME))])
        journal.append(at=NOON, kind="turn", events=[turn(5)])
        journal.append(at=NOON, kind="turn", events=[turn(6)])
        journal.append(at=NOON, kind="camera")
    return path


def turn_of(evening: Path) -> int:
    with Journal(evening) as journal:
        journal.verify()
        return journal.game.turn.number


def test_the_newest_entry_is_taken_back_and_stands_again(evening: Path) -> None:
    done = vedette("log", "undo", evening)
    assert (done.exit_code, done.stdout) == (0, f"{evening}: entry 5: entry 3 (turn) is undone\n")
    assert turn_of(evening) == 5
    done = vedette("log", "redo", evening)
    assert (done.exit_code, done.stdout) == (0, f"{evening}: entry 6: entry 3 (turn) stands again\n")
    assert turn_of(evening) == 6


def test_two_undos_and_two_redos_lead_back_to_the_same_game(evening: Path) -> None:
    told = [vedette("log", word, evening).stdout.split(": ", 2)[2] for word in ("undo", "undo", "redo", "redo")]
    assert told == [
        "entry 3 (turn) is undone\n", "entry 2 (turn) is undone\n",
        "entry 2 (turn) stands again\n", "entry 3 (turn) stands again\n",
    ]  # fmt: skip
    assert turn_of(evening) == 6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("undo", "--number", 2), "entry 2 cannot be undone: the newest that can is entry 3"),
        (("redo",), "there is nothing to redo"),
    ],
)
def test_what_cannot_be_taken_back_is_said_with_the_file_and_nothing_is_written(
    evening: Path, words: tuple[object, ...], said: str
) -> None:
    done = vedette("log", words[0], evening, *words[1:])
    assert (done.exit_code, f"{evening}: {said}" in done.stderr) == (1, True)
    with Journal(evening) as journal:
        assert len(journal.entries) == 4


def test_the_beginning_of_the_game_stays(evening: Path) -> None:
    for _ in range(2):
        vedette("log", "undo", evening)
    done = vedette("log", "undo", evening)
    assert (done.exit_code, "there is nothing to undo" in done.stderr) == (1, True)


@pytest.mark.parametrize("word", ["undo", "redo"])
def test_a_game_that_a_running_program_has_is_left_alone(evening: Path, word: str) -> None:
    with Held(evening.parent):
        done = vedette("log", word, evening)
    assert (done.exit_code, "another Vedette" in done.stderr) == (2, True)
    assert turn_of(evening) == 6


@pytest.mark.parametrize("word", ["undo", "redo"])
def test_a_journal_that_is_not_there_is_said_and_none_is_made(tmp_path: Path, word: str) -> None:
    done = vedette("log", word, tmp_path / "mistyped" / "evening.vedette")
    assert (done.exit_code, "expected a journal file, found none" in done.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_whoever_undoes_what_was_seen_to_move_is_told_whom_to_set_back(evening: Path) -> None:
    with Journal(evening) as journal:
        unit = journal.game.units[0]
        went = Place(figure=unit.figures[0].id, x_mm=700.0, y_mm=700.0, bearing_deg=0.0)
        moves = Event(event="marched", changes=(PlaceFigures(places=(went,)),))
        journal.append(at=NOON, kind="action", events=[moves])
        journal.append(at=NOON, kind="camera", events=[Event(event="found", changes=moves.changes)])
        stood = unit.figures[0]
    told = vedette("log", "undo", evening).stdout.splitlines()
    assert told[1:] == [f"to set back on the table: {unit.name or unit.id}"]
    with Journal(evening) as journal:
        figure = journal.game.units[0].figures[0]
        assert (figure.x_mm, figure.y_mm) == (stood.x_mm, stood.y_mm)
    assert vedette("log", "undo", evening).stdout.count("\n") == 2  # it still is to be set back
    with Journal(evening) as journal:
        back = Place(figure=stood.id, x_mm=stood.x_mm, y_mm=stood.y_mm, bearing_deg=stood.bearing_deg)
        seen = Event(event="found", changes=(PlaceFigures(places=(back,)),))
        journal.append(at=NOON, kind="camera", events=[seen])
    assert vedette("log", "undo", evening).stdout.count("\n") == 1
