"""The journal: an append-only list of entries in SQLite, on disk before anyone is told.

Each entry holds the events of one thing that happened, with its action and rolls. An undo is an entry too: it
names the entry that no longer stands. So is going on from an earlier point (`engine.keeping.branches`): it names
the entry that it follows. The game is the fold of the events of the entries that stand. Every entry carries a
digest over itself and the one before, so that `Journal.verify` finds what was changed from outside.
WAL with ``synchronous=FULL`` keeps every committed entry through a power cut.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from engine.dice import Rolled
from engine.errors import EngineError, JournalError, NoJournal, UnwritableJournal
from engine.events import Event, fold
from engine.keeping.entries import game_of, redoable, undoable
from engine.keeping.entry import Entry, entry_from
from engine.records.action import Action
from engine.records.game import Game

_VERSION = 1

_metadata = sa.MetaData()
_entries = sa.Table(
    "entries",
    _metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
)

#: The part of SQLite's error codes that tells the kind of error; what stands above it tells where it arose.
_PRIMARY = 0xFF


class Journal:
    """A journal on disk; safe to use from several threads of one process."""

    def __init__(self, path: Path, *, only_read: bool = False) -> None:
        """Opens a journal, or makes an empty one; one that is ``only_read`` must be there, and stays as it is.

        Raises JournalError where the file is no journal.
        """
        self.path = path
        self._lock = threading.RLock()
        _demand_journal(path)
        self._engine = _connected_to_read(path) if only_read else _connected(path)
        try:
            with self._engine.begin() as connection:
                if not only_read:
                    _prepare(connection)
                rows = connection.execute(sa.select(_entries).order_by(_entries.c.number)).all()
        except sa.exc.DatabaseError as error:
            self._engine.dispose()
            kind = getattr(error.orig, "sqlite_errorcode", 0) & _PRIMARY
            if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                raise JournalError(
                    f"{path}: a log is kept where it can be written; copy it to a folder of your own ({error.orig})"
                ) from error
            if kind in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                raise UnwritableJournal(f"{path}: cannot be written: is the disk full? ({error.orig})") from error
            raise NoJournal(f"{path}: expected a Vedette journal ({error.orig})") from error
        self._entries = _read_entries(path, rows)
        self._digest = rows[-1].digest if rows else ""
        self._game = game_of(self._entries) if self._entries else None

    def close(self) -> None:
        """Closes the file."""
        self._engine.dispose()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry, oldest first, standing or not."""
        with self._lock:
            return tuple(self._entries)

    @property
    def game(self) -> Game:
        """The game as the journal has it. Raises JournalError where none has begun."""
        with self._lock:
            if self._game is None:
                raise JournalError(f"{self.path}: no game has begun in this journal")
            return self._game

    def append(
        self,
        *,
        at: str,
        kind: str,
        events: Iterable[Event] = (),
        rolls: Iterable[Rolled] = (),
        action: Action | None = None,
        undoes: int | None = None,
        follows: int | None = None,
        overruled: bool = False,
    ) -> Entry:
        """Writes an entry to disk, then lets the game follow it.

        Raises UnusableFile where the events do not fold, JournalError where the disk refuses; either way the
        journal is as it was.
        """
        with self._lock:
            turn = None if self._game is None else self._game.turn
            entry = Entry(
                number=len(self._entries) + 1,
                at=at,
                kind=kind,
                events=tuple(events),
                rolls=tuple(rolls),
                action=action,
                turn=None if turn is None else turn.number,
                side=None if turn is None else turn.active_side,
                undoes=undoes,
                follows=follows,
                overruled=overruled,
            )
            on = undoes is None and follows is None
            after = fold(entry.events, self._game) if on else game_of([*self._entries, entry])
            self._write(entry)
            self._entries.append(entry)
            self._game = after
            return entry

    def undoable(self) -> Entry | None:
        """The newest standing entry that can be undone; what only says where figures stand is passed over."""
        return undoable(self.entries)

    def redoable(self) -> Entry | None:
        """The entry that the last undo took back, as long as nothing but placing has followed the undo."""
        return redoable(self.entries)

    def undo(self, *, at: str, number: int | None = None) -> Entry:
        """Takes back the newest entry that can be undone, which must be ``number`` where that is given.

        Raises JournalError where there is none, or where it is another.
        """
        with self._lock:
            last = self.undoable()
            if last is None:
                raise JournalError("there is nothing to undo: what a game began with, and what was sent, stands")
            if number is not None and number != last.number:
                raise JournalError(f"entry {number} cannot be undone: the newest that can is entry {last.number}")
            return self.append(at=at, kind="undo", undoes=last.number)

    def redo(self, *, at: str, number: int | None = None) -> Entry:
        """Takes the last undo back, so that what it undid stands again; it must be ``number`` where that is given.

        Raises JournalError where there is none, or where it is another.
        """
        with self._lock:
            undone = self.redoable()
            if undone is None:
                raise JournalError("there is nothing to redo")
            if number is not None and number != undone.number:
                raise JournalError(f"entry {number} cannot be redone: the last undo is entry {undone.number}")
            return self.append(at=at, kind="undo", undoes=undone.number)

    def take_in(self, entries: Sequence[Entry]) -> None:
        """Writes the entries of another journal, all or none, into this one, which must be empty.

        Raises UnusableFile where they do not fold, JournalError where there are entries already or the disk fails.
        """
        with self._lock:
            if self._entries:
                raise JournalError(f"{self.path}: expected an empty journal, found {len(self._entries)} entries")
            self.go_on(entries)

    def go_on(self, entries: Sequence[Entry]) -> None:
        """Writes the entries with which another journal of this game goes on, all or none.

        Raises UnusableFile where they do not fold, JournalError where the disk fails.
        """
        with self._lock:
            after = [*self._entries, *entries]
            game = game_of(after)
            self._write(*entries)
            self._entries, self._game = after, game

    def branch(self, *, at: str, number: int) -> Entry:
        """Lets the game go on from after entry ``number``; what came since is kept, and can be come back to.

        Raises JournalError where there is no such entry, or the game stands there already.
        """
        with self._lock:
            if not 1 <= number <= len(self._entries):
                raise JournalError(f"entry {number}: expected one of the {len(self._entries)} entries of this log")
            if number in (len(self._entries), self._entries[-1].follows):
                raise JournalError(f"the game stands at entry {number} already: there is nothing to go back over")
            return self.append(at=at, kind="branch", follows=number)

    def verify(self) -> None:
        """Reads the file again and checks every digest and the fold. Raises JournalError at the first fault.

        The digests have no key, and nobody else keeps the last one: this finds damage and slips, no forger, and no
        entries that were taken off the end.
        """
        digest = ""
        with self._engine.begin() as connection:
            rows = connection.execute(sa.select(_entries).order_by(_entries.c.number)).all()
        for place, row in enumerate(rows, start=1):
            digest = _digest(digest, bytes(row.body) if isinstance(row.body, bytes) else str(row.body).encode())
            if row.number != place or row.digest != digest:
                raise JournalError(f"{self.path}: entry {row.number} was changed from outside")
        try:
            game_of(_read_entries(self.path, rows))
        except EngineError as error:
            raise JournalError(f"{self.path}: the entries do not fold ({error})") from error

    def _write(self, *entries: Entry) -> None:
        """Writes entries in one transaction: after a power cut all of them are there, or none."""
        rows, digest = [], self._digest
        for entry in entries:
            body = msgspec.json.encode(entry.to_builtins())
            digest = _digest(digest, body)
            rows.append({"number": entry.number, "body": body, "digest": digest})
        try:
            with self._engine.begin() as connection:
                connection.execute(sa.insert(_entries), rows)
        except sa.exc.IntegrityError as error:
            raise JournalError(
                f"{self.path}: another program has written to this log meanwhile: open it again, then do this again"
            ) from error
        except sa.exc.DatabaseError as error:
            raise JournalError(
                f"{self.path}: entry {entries[0].number} cannot be written ({error.orig})"
            ) from error
        self._digest = digest


def _read_entries(path: Path, rows: Iterable[Any]) -> list[Entry]:
    entries: list[Entry] = []
    for row in rows:
        try:
            entries.append(entry_from(msgspec.json.decode(row.body)))
        except (msgspec.MsgspecError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise JournalError(f"{path}: entry {row.number} was changed from outside: it cannot be read") from error
    return entries


def _digest(before: str, body: bytes) -> str:
    return hashlib.sha256(before.encode() + body).hexdigest()


def _connected(path: Path) -> sa.Engine:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"{path.parent}: cannot be made ({error.strerror})") from error
    engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)), poolclass=sa.pool.NullPool)

    @sa.event.listens_for(engine, "connect")
    def durable(connection: Any, _record: object) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _connected_to_read(path: Path) -> sa.Engine:
    return sa.create_engine("sqlite://", creator=lambda: _to_read(path), poolclass=sa.pool.NullPool)


def _to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, and leaves nothing beside the file.

    What SQLite lays beside a file in WAL while it reads, only one that might write takes away at its end. Where
    another program has left something there, or is writing, one that might write would fold that into the file.
    """
    file = path.resolve()
    alone = not any(Path(f"{file}{ending}").exists() for ending in ("-wal", "-journal"))
    mode = "rw" if alone else "ro"
    connection = sqlite3.connect(f"{file.as_uri()}?mode={mode}", uri=True, timeout=5, check_same_thread=False)
    connection.execute("PRAGMA query_only=ON")
    return connection


def _demand_journal(path: Path) -> None:
    """Refuses a file of another program before anything in it is changed; a new or empty one may become ours."""
    try:
        if not path.exists() or (path.is_file() and not path.stat().st_size):
            return
        if not path.is_file():
            raise NoJournal(f"{path}: expected a Vedette journal, found no file")
        version, columns, tables = _looked_into(path)
    except OSError as error:
        raise NoJournal(f"{path}: cannot be read ({error.strerror})") from error
    except sqlite3.DatabaseError as error:
        raise NoJournal(f"{path}: expected a Vedette journal ({error})") from error
    if not tables and version == 0:  # what a program that was ended while it made the file has left
        return
    if columns != set(_entries.c.keys()):
        raise NoJournal(f"{path}: expected a Vedette journal, found a database of another program")
    if version not in (0, _VERSION):
        raise NoJournal(f"{path}: expected a journal of version {_VERSION}, got version {version}")


def _looked_into(path: Path) -> tuple[int, set[str], int]:
    """A database's version, the columns of its ``entries`` and how many tables it has, with nothing written."""
    with closing(_to_read(path)) as looking:
        (version,) = looking.execute("PRAGMA user_version").fetchone()
        columns = {row[1] for row in looking.execute("PRAGMA table_info(entries)")}
        (tables,) = looking.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return version, columns, tables


def _prepare(connection: sa.Connection) -> None:
    _metadata.create_all(connection)
    for verb in ("UPDATE", "DELETE"):
        connection.execute(
            sa.text(
                f"CREATE TRIGGER IF NOT EXISTS no_{verb.lower()} BEFORE {verb} ON entries "
                "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
            )
        )
    connection.execute(sa.text(f"PRAGMA user_version = {_VERSION}"))
