"""The journal: an append-only list of entries in SQLite, on disk before anyone is told.

Each entry holds the events of one thing that happened, with its action and rolls. An undo is an entry too: it
names the entry that no longer stands. So is going on from an earlier point (`engine.branches`): it names the entry
that it follows. The game is the fold of the events of the entries that stand. Every entry
carries a digest over itself and the one before, so that `Journal.verify` finds what was changed from outside.
WAL with ``synchronous=FULL`` keeps every committed entry through a power cut.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from engine.branches import course_of
from engine.dice import Rolled
from engine.errors import EngineError, JournalError, NoJournal, UnwritableJournal
from engine.events import Event, apply, event_from, fold
from engine.placing import of_figures_here
from engine.records.action import Action, action_builtins, action_from
from engine.records.game import Game
from engine.records.result import rolled_from

#: Kinds of entries that only say where figures stand; an undo reaches back over them.
PLACING = frozenset({"camera", "place"})

_VERSION = 1

_metadata = sa.MetaData()
_entries = sa.Table(
    "entries",
    _metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
)


class Entry(Struct, frozen=True, kw_only=True):
    """One entry of the journal.

    ``at`` is the time it happened, ISO 8601, from the caller's clock; ``kind`` is ``begin``, ``action``,
    ``turn``, ``camera``, ``place``, ``undo``, ``branch`` or a word of the caller's; ``undoes`` is the number of the
    entry that an undo takes back; ``follows`` that of the entry that the game goes on from, where that is not the
    one before; ``overruled`` says that the umpire had it done against the rules.
    """

    number: int
    at: str
    kind: str
    events: tuple[Event, ...] = ()
    rolls: tuple[Rolled, ...] = ()
    action: Action | None = None
    turn: int | None = None
    side: str | None = None
    undoes: int | None = None
    follows: int | None = None
    overruled: bool = False

    def to_builtins(self) -> dict[str, Any]:
        """The entry as the journal and ``vedette log export`` write it."""
        built = {
            "number": self.number,
            "at": self.at,
            "kind": self.kind,
            "turn": self.turn,
            "side": self.side,
            "action": None if self.action is None else action_builtins(self.action),
            "rolls": [rolled.to_builtins() for rolled in self.rolls],
            "events": [event.to_builtins() for event in self.events],
            "undoes": self.undoes,
            "overruled": self.overruled,
        }
        return built if self.follows is None else {**built, "follows": self.follows}


def entry_from(raw: Mapping[str, Any]) -> Entry:
    """The reverse of `Entry.to_builtins`. Raises UnusableFile."""
    action = raw.get("action")
    return Entry(
        number=raw["number"],
        at=raw["at"],
        kind=raw["kind"],
        events=tuple(event_from(one) for one in raw["events"]),
        rolls=tuple(rolled_from(one) for one in raw["rolls"]),
        action=None if action is None else action_from(action, f"entry {raw['number']}"),
        turn=raw.get("turn"),
        side=raw.get("side"),
        undoes=raw.get("undoes"),
        follows=raw.get("follows"),
        overruled=raw.get("overruled", False),
    )


def standing(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries of the present course that no standing undo takes back, oldest first, and no undos among them.

    An undo of an undo lets the first entry stand again.
    """
    course = course_of(entries)
    dead = _taken_back(course)
    return tuple(
        entry for entry in course if entry.undoes is None and entry.follows is None and entry.number not in dead
    )


def _taken_back(entries: Sequence[Entry]) -> frozenset[int]:
    dead: set[int] = set()
    for entry in reversed(entries):
        if entry.undoes is not None and entry.number not in dead:
            dead.add(entry.undoes)
    return frozenset(dead)


def game_of(entries: Sequence[Entry]) -> Game:
    """The game that the standing entries lead to. Raises UnusableFile where no game has begun."""
    game: Game | None = None
    for entry in standing(entries):
        for event in events_on(entry, game):
            game = apply(game, event)
    return fold((), game)


def events_on(entry: Entry, game: Game | None) -> tuple[Event, ...]:
    """The events of an entry as a game takes them: who was placed may be gone by an undo (`engine.placing`)."""
    if game is None or entry.kind not in PLACING:
        return entry.events
    return of_figures_here(entry.events, game)


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
            if "readonly" in str(error.orig) or "unable to open" in str(error.orig):
                raise JournalError(
                    f"{path}: a log is kept where it can be written; copy it to a folder of your own ({error.orig})"
                ) from error
            if "disk" in str(error.orig) and "malformed" not in str(error.orig):
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
        for entry in reversed(standing(self.entries)):
            if entry.kind not in PLACING:
                return None if entry.kind == "begin" else entry
        return None

    def redoable(self) -> Entry | None:
        """The entry that the last undo took back, as long as nothing but placing has followed the undo."""
        entries = self.entries
        course = course_of(entries)
        dead = _taken_back(course)
        for entry in reversed(course):
            if entry.number in dead or entry.kind in PLACING:
                continue
            if entry.undoes is None:
                return None
            if entries[entry.undoes - 1].undoes is None:
                return entry
            # A redo: what was undone before it may be redone as well.
        return None

    def undo(self, *, at: str, number: int | None = None) -> Entry:
        """Takes back the newest entry that can be undone, which must be ``number`` where that is given.

        Raises JournalError where there is none, or where it is another.
        """
        with self._lock:
            last = self.undoable()
            if last is None:
                raise JournalError("there is nothing to undo")
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
            game = game_of(entries)
            self._write(*entries)
            self._entries, self._game = list(entries), game

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
        """Reads the file again and checks every digest and the fold. Raises JournalError at the first fault."""
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
