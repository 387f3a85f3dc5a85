"""A folder of journals: held by one program at a time; what makes room for another is put aside, never lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from engine.errors import JournalError, UnusableFile

__all__ = ["Held", "held_with", "pictures_of", "put_aside", "rename"]

_LOCK = "lock.db"


class Held:
    """A folder, held until it is let go or the program ends in whatever way.

    Raises JournalError where another program has it, OSError where it cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = sqlite3.connect(folder / _LOCK, timeout=0.2, check_same_thread=False)
            # a lock of SQLite's own: it holds on every system, and the system lets go of it at a kill -9
            try:
                self._lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                self._lock.close()
                raise
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise JournalError(
                    "another Vedette is using this folder: end it, or name another folder"
                ) from error
            raise JournalError(f"it cannot be written: is the disk full, or read-only? ({error})") from error

    def close(self) -> None:
        """Lets the folder go."""
        self._lock.close()

    def __enter__(self) -> Held:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def held_with(journal: Path) -> Held:
    """A journal's folder, held while it is written. Raises UnusableFile where a running program has it."""
    try:
        return Held(journal.absolute().parent)
    except JournalError as error:
        raise UnusableFile(f"{journal}: {error}") from error
    except OSError as error:
        raise UnusableFile(f"{journal}: cannot be used ({error.strerror})") from error


def pictures_of(journal: Path) -> Path:
    """Where the camera's pictures of a journal's game are kept: a folder beside it."""
    return journal.with_name(f"{journal.stem}.pictures")


def put_aside(journal: Path, stamp: str) -> Path:
    """Gives a journal and its pictures another name, which is returned. Raises OSError: then all is as it was."""
    aside = journal.with_name(f"{journal.stem}-{stamp}{journal.suffix}")
    rename(journal, aside)
    return aside


def rename(journal: Path, other: Path) -> None:
    """Gives a journal, all that goes with it, another name. Raises OSError: then all is as it was."""
    pairs = [(Path(f"{journal}{ending}"), Path(f"{other}{ending}")) for ending in ("-wal", "-shm", "")]
    pairs.append((pictures_of(journal), pictures_of(other)))
    done: list[tuple[Path, Path]] = []
    try:
        for old, new in pairs:
            if old.exists():
                old.rename(new)
                done.append((old, new))
    except OSError:
        for old, new in reversed(done):
            new.rename(old)
        raise
