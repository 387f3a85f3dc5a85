"""Going on from an earlier point: the game goes on from there, the other course is kept and can be come back to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import JournalError
from engine.events import Event, SetCondition, begin
from engine.keeping.branches import course_of, other_courses
from engine.keeping.entries import game_of, standing
from engine.keeping.entry import Entry
from engine.keeping.exchange import log_text
from engine.keeping.journal import Journal
from tests.engine.test_events import GAME
from tests.engine.test_journal import NOON, note


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """Entry 1 begins; 2 to 4 set a value to their own number."""
    opened = Journal(tmp_path / "evening.vedette")
    opened.append(at=NOON, kind="begin", events=[begin(GAME)])
    for number in (2, 3, 4):
        note(opened, number)
    return opened


def value(journal: Journal) -> object:
    return journal.game.conditions.get("value")


def test_the_game_goes_on_from_the_entry_and_the_other_course_is_kept(journal: Journal) -> None:
    entry = journal.branch(at=NOON, number=2)
    assert (entry.kind, entry.follows, value(journal)) == ("branch", 2, 2)
    note(journal, 60)
    assert value(journal) == 60
    assert [one.number for one in standing(journal.entries)] == [1, 2, 6]
    (other,) = other_courses(journal.entries)
    assert (other.numbers, other.leaves, other.tip) == ((3, 4), 2, 4)
    assert game_of(journal.entries[:4]).conditions["value"] == 4


def test_going_on_from_a_courses_last_entry_comes_back_to_it(journal: Journal) -> None:
    journal.branch(at=NOON, number=2)
    note(journal, 60)
    journal.branch(at=NOON, number=4)
    assert value(journal) == 4
    note(journal, 80)
    assert [one.number for one in standing(journal.entries)] == [1, 2, 3, 4, 8]
    (other,) = other_courses(journal.entries)
    assert (other.numbers, other.leaves) == ((5, 6), 2)


def test_a_course_in_which_nothing_happened_is_not_listed(journal: Journal) -> None:
    journal.branch(at=NOON, number=2)
    journal.branch(at=NOON, number=3)
    assert [course.tip for course in other_courses(journal.entries)] == [4]


def test_it_is_so_again_when_the_journal_is_opened_again(journal: Journal) -> None:
    journal.branch(at=NOON, number=3)
    journal.close()
    with Journal(journal.path) as again:
        again.verify()
        assert value(again) == 3
        assert log_text(again.entries) == log_text(journal.entries)


def test_an_undo_reaches_back_over_the_branching_and_touches_the_other_course_not(journal: Journal) -> None:
    journal.branch(at=NOON, number=3)
    assert journal.redoable() is None
    journal.undo(at=NOON)
    assert value(journal) == 2
    journal.redo(at=NOON)
    assert value(journal) == 3
    journal.undo(at=NOON)
    journal.branch(at=NOON, number=4)
    assert value(journal) == 4


@pytest.mark.parametrize(("number", "complaint"), [(0, "expected one of"), (9, "expected one of"), (4, "already")])
def test_what_is_no_earlier_point_is_refused(journal: Journal, number: int, complaint: str) -> None:
    with pytest.raises(JournalError, match=complaint):
        journal.branch(at=NOON, number=number)
    assert len(journal.entries) == 4


@given(st.lists(st.one_of(st.none(), st.integers(0, 30)), max_size=30))
def test_each_entry_leads_back_to_the_first_by_the_way_it_was_played(jumps: list[int | None]) -> None:
    entries, ways = [], [[1]]
    event = Event(event="note", changes=(SetCondition(key="value", value=1),))
    for number, jump in enumerate((None, *jumps), start=1):
        follows = None if jump is None or number == 1 else jump % (number - 1) + 1
        if number > 1:
            ways.append([*ways[(follows or number - 1) - 1], number])
        entries.append(Entry(number=number, at=NOON, kind="note", events=(event,), follows=follows))
    for number, way in enumerate(ways, start=1):
        assert [entry.number for entry in course_of(entries[:number])] == way
    covered = set(ways[-1]).union(*(course.numbers for course in other_courses(entries)))
    assert covered >= {entry.number for entry in entries if entry.follows is None}
