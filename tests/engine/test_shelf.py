"""A folder of journals is held by one program at a time."""

from __future__ import annotations

import gc
import sqlite3
from pathlib import Path

import pytest

from engine.errors import JournalError
from engine.keeping.shelf import Held


def open_connections() -> int:
    """How many of SQLite's connections this program holds."""
    return sum(_is_open(one) for one in gc.get_objects() if isinstance(one, sqlite3.Connection))


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        connection.total_changes  # noqa: B018
    except sqlite3.ProgrammingError:
        return False
    return True


def test_who_is_refused_a_folder_does_not_keep_it_open(tmp_path: Path) -> None:
    with Held(tmp_path):
        before = open_connections()
        with pytest.raises(JournalError, match="another Vedette"):
            Held(tmp_path)
        assert open_connections() == before
    Held(tmp_path).close()
