"""A live table with a toy ruleset, closed again whatever happens."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from engine.errors import UnusableFile
from engine.keeping.journal import Journal
from tests.webui.toys import GAME, TABLE, ToyRules
from webui.app import create_app
from webui.live import LiveTable
from webui.table.desk import Desk


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> ToyRules:
        if name != "toy":
            raise UnusableFile(f"ruleset: expected toy, got {name!r}")
        return ToyRules()

    monkeypatch.setattr("webui.table.desk.find_ruleset", find)


@pytest.fixture
def new_desk(toy: None, tmp_path: Path) -> Callable[[], Desk]:
    """Opens the same folder's journal each time it is called, like a program that starts again."""
    ticks = itertools.count()
    seeds = itertools.count(1)

    def make() -> Desk:
        clock = lambda: f"2026-11-21T10:00:{next(ticks):02}Z"  # noqa: E731
        return Desk(Journal(tmp_path / "journal.db"), TABLE, clock, lambda: next(seeds))

    return make


@pytest.fixture
def desk(new_desk: Callable[[], Desk]) -> Iterator[Desk]:
    made = new_desk()
    made.begin(GAME)
    yield made
    made.journal.close()


@pytest.fixture
def live(desk: Desk) -> Iterator[LiveTable]:
    table = LiveTable(desk, mode="serve", clock_s=lambda: 100.0)
    table.start()
    yield table
    table.close()


@pytest.fixture
def client(live: LiveTable) -> FlaskClient:
    return create_app(live).test_client()


@pytest.fixture(autouse=True)
def no_thread_stays_behind() -> Iterator[None]:
    """Every test leaves as many threads of ours as it found."""
    before = set(threading.enumerate())
    yield
    after = [t.name for t in threading.enumerate() if t.name.startswith("vedette") and t not in before]
    assert not after, f"threads left behind: {after}"
