"""``vedette-log/1``: a whole game in one file, to be kept, sent, and taken in again.

One JSON object a line: first a head, then every entry of the journal. The head tells how many there are and carries
the digest of the lines that follow, so that a file that was cut short or changed is found out before it does harm.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from engine.errors import EngineError, UnusableFile
from engine.keeping.branches import other_courses
from engine.keeping.entries import game_of
from engine.keeping.entry import Entry, entry_from
from engine.records.reading import convert, demand_format, parse_json

__all__ = ["LOG_FORMAT", "checked_entry", "demand_games", "log_text", "read_log"]

LOG_FORMAT = "vedette-log/1"
_BEGINS = b'{"format":"vedette-log/'


class _Head(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    format: str
    ruleset: str
    entries: int
    digest: str


class _Line(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    number: int
    at: str
    kind: str
    turn: int | None
    side: str | None
    action: dict[str, Any] | None
    rolls: list[dict[str, Any]]
    events: list[dict[str, Any]]
    undoes: int | None
    overruled: bool
    follows: int | None = None


def log_text(entries: Sequence[Entry]) -> bytes:
    """The file of a journal's entries. Raises UnusableFile where no game has begun."""
    lines = [msgspec.json.encode(entry.to_builtins()) for entry in entries]
    ruleset = game_of(entries).ruleset
    head = _Head(format=LOG_FORMAT, ruleset=ruleset, entries=len(lines), digest=_digest(lines))
    return b"".join(line + b"\n" for line in (msgspec.json.encode(head), *lines))


def read_log(text: bytes, source: str) -> tuple[Entry, ...]:
    """The entries in such a file, checked to the last: each line, their order, the digest, and every course's game.

    Raises UnusableFile with the line and what was expected there.
    """
    # an editor or a mail may have given the lines the ends of its own system, which are no part of an entry
    first, *lines = [line.removesuffix(b"\r") for line in text.split(b"\n") if line.strip()] or [b""]
    raw = demand_format(_first(first, text, source), LOG_FORMAT, f"{source}: line 1")
    head = convert(raw, _Head, f"{source}: line 1")
    entries = tuple(_entry(line, number, source) for number, line in enumerate(lines, start=1))
    if len(entries) != head.entries:
        raise UnusableFile(
            f"{source}: expected {head.entries} entries, found {len(entries)}: the file is not whole"
        )
    if _digest(lines) != head.digest:
        raise UnusableFile(
            f"{source}: the entries are not those that were exported: the file was changed or damaged"
        )
    demand_games(entries, source)
    return entries


def _first(line: bytes, text: bytes, source: str) -> Any:
    """The first line read. Raises UnusableFile; what is no such file at all is called what it is."""
    try:
        return parse_json(line, f"{source}: line 1")
    except UnusableFile as error:
        if not text.strip() or text.startswith(_BEGINS):
            raise
        raise UnusableFile(
            f"{source}: expected a game that was exported ('Export the game' on the page, or vedette log export),"
            f" got {_what(text)}"
        ) from error


def _what(text: bytes) -> str:
    """What a file is instead, as far as it tells."""
    try:
        told = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return "a file of another kind"
    named = told.get("format") if isinstance(told, dict) else None
    return f"a file of the format {named}" if isinstance(named, str) else "a file of another kind"


def _entry(text: bytes, number: int, source: str) -> Entry:
    where = f"{source}: line {number + 1}"
    return checked_entry(parse_json(text, where), number, where)


def checked_entry(raw: Any, number: int, where: str) -> Entry:
    """The entry in a plain value, which may stand at that place in a journal. Raises UnusableFile."""
    line = convert(raw, _Line, where)
    if line.number != number:
        raise UnusableFile(f"{where}: number: expected {number}, got {line.number}")
    for key, other in (("undoes", line.undoes), ("follows", line.follows)):
        if other is not None and not 1 <= other < number:
            raise UnusableFile(f"{where}: {key}: expected an entry before {number}, got {other}")
    try:
        return entry_from(msgspec.to_builtins(line))
    except (EngineError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnusableFile(f"{where}: not an entry of a game ({error})") from error


def demand_games(entries: Sequence[Entry], source: str) -> None:
    """Makes sure that each course leads to a game that its rules know. Raises UnusableFile."""
    from engine.rulesets import find_ruleset

    for tip in (len(entries), *(course.tip for course in other_courses(entries))):
        try:
            game = game_of(entries[:tip])
            find_ruleset(game.ruleset).check(game)
        except (EngineError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise UnusableFile(f"{source}: the entries up to {tip} lead to no game ({error})") from error


def _digest(lines: Sequence[bytes]) -> str:
    return hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
