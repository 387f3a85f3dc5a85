"""A ruling that is played otherwise is an entry of the log, told in words, and can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.keeping.journal import Journal
from vision.simulated import load_demo
from webui.commands.demo import demo_game
from webui.shown.state import entry_view
from webui.table.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A game of Tyneside that has begun."""
    demo = load_demo("tyneside")
    with Journal(tmp_path / "journal.vedette") as journal:
        begun = Desk(journal, demo.virtual.table, lambda: "2026-01-01T00:00:00Z", lambda: 1)
        begun.begin(demo_game(demo))
        yield begun


def test_a_ruling_is_changed_logged_and_taken_back(desk: Desk) -> None:
    entry = desk.set_option("measure", "centre")
    assert entry_view(desk, entry)["title"] == "Played from now on: Distances are measured: Between their centres"
    assert desk.game.conditions["options"] == {"measure": "centre"}
    desk.undo(entry.number)
    assert desk.game.conditions.get("options", {}) == {}


@pytest.mark.parametrize(("key", "value"), [("measure", "far"), ("chess", 1), ("front_deg", 91)])
def test_what_cannot_be_played_is_refused_in_words_and_not_logged(desk: Desk, key: str, value: object) -> None:
    before = len(desk.journal.entries)
    with pytest.raises(EngineError, match=r"expected|Invalid"):
        desk.set_option(key, value)
    assert len(desk.journal.entries) == before
