"""Where the games of a demo or a real table are kept: one folder, one program at a time."""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path

from engine.clock import stamp
from engine.errors import EngineError, JournalError, UnwritableJournal
from engine.keeping.journal import Journal
from engine.keeping.shelf import Held, put_aside
from webui.errors import UnusableOption

__all__ = ["JOURNAL", "Keeping", "default_folder", "first_revision", "table_key"]

#: What the journal is called in its folder.
JOURNAL = "journal.db"
KEY = "door.key"


def default_folder(name: str) -> Path:
    """The folder for ``demo`` or ``serve`` where the user gave none."""
    from platformdirs import user_data_path

    return user_data_path("vedette", appauthor=False) / name


def table_key(folder: Path) -> bytes:
    """The secret from which a table's codes follow: made at the first time, kept beside its journal.

    Raises UnusableOption where it cannot be kept.
    """
    file = folder / KEY
    try:
        if not file.exists():
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
                new.write(secrets.token_bytes(32))
        return file.read_bytes()
    except OSError as error:
        raise UnusableOption(f"--data {folder}: {KEY} cannot be kept ({error.strerror})") from error


def first_revision() -> int:
    """Where a program's revisions begin: above all those of any program before it, by the clock."""
    return time.time_ns() // 1_000_000


class Keeping:
    """A data folder, held by this program until it is closed or ends in whatever way.

    Raises UnusableOption where the folder cannot be used or another Vedette has it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self._held = Held(folder)
        except OSError as error:
            raise UnusableOption(f"--data {folder}: cannot be used ({error.strerror})") from error
        except JournalError as error:
            raise UnusableOption(f"--data {folder}: {error}") from error

    @property
    def journal_path(self) -> Path:
        """The journal's file."""
        return self.folder / JOURNAL

    def journal(self, *, fresh: bool) -> Journal:
        """Opens the journal; ``fresh`` puts an earlier one aside first, for nothing is ever thrown away.

        Raises UnusableOption where the file is no journal that can be carried on.
        """
        if fresh and self.journal_path.exists():
            self._put_aside()
        try:
            return Journal(self.journal_path)
        except UnwritableJournal as error:
            raise UnusableOption(f"{error}; make room, or keep the game elsewhere with --data") from error
        except EngineError as error:
            raise UnusableOption(
                f"{self.journal_path}: this log cannot be carried on ({error}); begin anew with --fresh, which puts"
                " it aside"
            ) from error

    def close(self) -> None:
        """Lets the folder go."""
        self._held.close()

    def _put_aside(self) -> None:
        try:
            put_aside(self.journal_path, stamp())
        except OSError as error:
            raise UnusableOption(f"--fresh: {self.journal_path} cannot be put aside ({error.strerror})") from error
