"""A game as one file that goes to and fro between two distant players (``vedette-mail/1``).

The file holds the whole journal. Each time that control passes, an entry of the kind ``mail`` says from whom to
whom, and whether the game is under a key; from then on it goes out under the same key or not at all.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from engine.errors import EngineError, UnusableFile
from engine.events import Event
from engine.keeping.entries import game_of, standing
from engine.keeping.entry import SENT, Entry
from engine.keeping.exchange import checked_entry, demand_games
from engine.keeping.journal import Journal
from engine.records.game import Game
from engine.records.reading import convert, demand_format, parse_json
from engine.records.sealing import SealError, open_seal, opened_text, seal, sealed_text

__all__ = ["MAIL_FORMAT", "Letter", "MailError", "open_letter", "received", "send", "sent", "turn_to_replay"]

MAIL_FORMAT = "vedette-mail/1"
#: What is kept under the key in the journal, to tell whether a key is the same.
_PROOF = "vedette"


class MailError(EngineError, RuntimeError):
    """A file that is not for this player, not of this game, or that would go out in the clear."""


class _Envelope(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The file: from whom to whom stands outside, the rest under the key where there is one."""

    sender: str = msgspec.field(name="from")
    to: str
    format: Literal["vedette-mail/1"] = "vedette-mail/1"
    entries: list[dict[str, Any]] | None = None
    sealed: str | None = None


class Letter(Struct, frozen=True, kw_only=True):
    """What came in a file: who sent it to whom, and the whole journal."""

    sender: str
    to: str
    entries: tuple[Entry, ...]

    @property
    def game(self) -> Game:
        """The game as it came."""
        return game_of(self.entries)

    @property
    def beginning(self) -> Game:
        """The game as it began, with everybody who has fallen since."""
        return game_of(self.entries[:1])


def send(journal: Journal, side: str, *, at: str, key: str | None = None) -> bytes:
    """The file for the opponent; the journal notes that it went out, once: what is sent again is the same.

    Raises MailError for a side that does not play, and where the game is under a key and none or another is given.
    """
    game = journal.game
    others = [one.name for one in game.sides if one.name != side]
    if len(others) != len(game.sides) - 1 or len(others) != 1:
        raise MailError(f"side: expected one of {', '.join(one.name for one in game.sides)}, got {side!r}")
    proof = _proof(journal.entries)
    if proof is not None:
        _demand_same(proof, key)
    elif key is not None:
        proof = sealed_text(_PROOF, key)
    facts = {"from": side, "to": others[0], "proof": proof}
    if not sent(journal.entries) or journal.entries[-1].events[0].facts != facts:
        journal.append(at=at, kind=SENT, events=(Event(event="sent", facts=facts),))
    entries = [entry.to_builtins() for entry in journal.entries]
    envelope: dict[str, Any] = {"format": MAIL_FORMAT, "from": side, "to": others[0]}
    if key is None:
        envelope["entries"] = entries
    else:
        envelope["sealed"] = base64.b64encode(seal(msgspec.json.encode(entries), key)).decode("ascii")
    return msgspec.json.encode(envelope) + b"\n"


def open_letter(text: bytes, side: str, key: str | None = None, source: str = "the file") -> Letter:
    """What came in a file for a side.

    Raises UnusableFile for no such file or one that leads to a game that its rules refuse, MailError for one's own
    or somebody else's, SealError for a wrong or missing key.
    """
    raw = demand_format(parse_json(text, source), MAIL_FORMAT, source)
    envelope = convert(raw, _Envelope, source)
    if envelope.sender == side:
        raise MailError(f"{source}: this is the file that {side} sent; wait for that of {envelope.to}")
    if envelope.to != side:
        raise MailError(f"{source}: this file is for {envelope.to}, not for {side}")
    if envelope.sealed is not None:
        if key is None:
            raise SealError(f"{source}: the game is under a key: give it")
        try:
            inside = open_seal(base64.b64decode(envelope.sealed, validate=True), key)
        except ValueError as error:
            raise SealError(f"{source}: {error}") from error
        entries = convert(parse_json(inside, source), list[dict[str, Any]], source, "entries")
    elif envelope.entries is not None:
        entries = envelope.entries
    else:
        raise UnusableFile(f"{source}: entries: expected the game's entries, found neither them nor a sealed text")
    return Letter(sender=envelope.sender, to=envelope.to, entries=_read(entries, source))


def _read(raw: Iterable[dict[str, Any]], source: str) -> tuple[Entry, ...]:
    entries = tuple(
        checked_entry(one, number, f"{source}: entries[{number - 1}]") for number, one in enumerate(raw, start=1)
    )
    demand_games(entries, source)
    return entries


def received(journal: Journal, letter: Letter) -> tuple[Entry, ...]:
    """Takes the entries that a letter brings into a journal, a new one or that of the same game; returns them.

    All are written or, where the disk fails, none. Raises MailError where the journal does not go on in the letter
    as it stands: another game, or a changed one.
    """
    known = journal.entries
    mine, theirs = (
        [msgspec.json.encode(entry.to_builtins()) for entry in entries]
        for entries in (known, letter.entries[: len(known)])
    )
    if mine[: len(theirs)] == theirs and len(theirs) < len(mine):
        raise MailError(f"{journal.path}: this log has gone on since that file was sent: it was opened before")
    if mine != theirs:
        part = next(n for n in range(len(mine)) if n >= len(theirs) or mine[n] != theirs[n])
        what = "another game" if part == 0 else f"entry {part + 1} is another in it"
        raise MailError(
            f"{journal.path}: the file does not go on where this log ends: {what}; open it into a log of its own"
        )
    further = letter.entries[len(known) :]
    if further:
        journal.go_on(further)
    return further


def turn_to_replay(letter: Letter) -> tuple[Entry, ...]:
    """What the opponent did since control passed to him, but for what he took back."""
    stood = standing(letter.entries)
    passed = [entry.number for entry in stood if entry.kind == SENT]
    since = passed[-2] if len(passed) > 1 else 1
    return tuple(entry for entry in stood if entry.number > since and entry.kind != SENT)


def sent(entries: Sequence[Entry]) -> bool:
    """Whether a journal's game has gone out and not come back: it is the opponent's to play."""
    return bool(entries) and entries[-1].kind == SENT


def _proof(entries: Sequence[Entry]) -> str | None:
    """What tells whether a key is the game's; None while it has none."""
    for entry in reversed(entries):
        for event in entry.events if entry.kind == SENT else ():
            proof: str | None = event.facts.get("proof")
            if proof is not None:
                return proof
    return None


def _demand_same(proof: str, key: str | None) -> None:
    if key is None:
        raise MailError("the game is under a key and does not go out in the clear again: give its key")
    try:
        opened_text(proof, key)
    except SealError as error:
        raise MailError("that is not the key that this game is under") from error
