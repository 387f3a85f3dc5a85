"""A game by mail: one file to and fro, a replay of the opponent's turn, under a key if the players like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.dice import SeededDice
from engine.errors import JournalError, UnusableFile
from engine.events import begin
from engine.keeping.journal import Journal
from engine.keeping.mail import MailError, open_letter, received, send, sent, turn_to_replay
from engine.play import play
from engine.records.action import action_from
from engine.records.sealing import SealError, open_seal, seal
from engine.rulesets.musket_pike import RULESET
from tests.engine.musket_pike.scene import game, unit

CASE = pytest.mark.rule
WHEN = "2026-11-21T12:00:00Z"


def do(journal: Journal, **raw: object) -> None:
    """Plays an action into a journal."""
    action = action_from(raw)
    played = play(journal.game, RULESET.begin(journal.game, action), SeededDice(1))
    journal.append(at=WHEN, kind="action", action=action, rolls=played.rolls, events=played.events)


@pytest.fixture
def journals(tmp_path: Path) -> tuple[Journal, Journal]:
    """The log of a, with the game begun and a shot fired, and the empty one of b."""
    mine, theirs = Journal(tmp_path / "a.db"), Journal(tmp_path / "b.db")
    mine.append(at=WHEN, kind="begin", events=(begin(game(unit("a", (4, 4)), unit("b", (5, 4)))),))
    do(mine, action="fire", unit="a", target="b")
    return mine, theirs


@CASE("MP-302")
def test_a_game_goes_to_and_fro_in_one_file(journals: tuple[Journal, Journal]) -> None:
    mine, theirs = journals
    letter = open_letter(send(mine, "a", at=WHEN), "b")
    assert len(received(theirs, letter)) == 3
    assert [entry.kind for entry in theirs.entries] == ["begin", "action", "mail"]
    assert theirs.game == mine.game
    assert sent(mine.entries)
    assert [entry.action.action for entry in turn_to_replay(letter) if entry.action] == ["fire"]
    do(theirs, action="end-turn", side="a")
    do(theirs, action="begin-turn", side="b")
    do(theirs, action="melee", unit="b", target="a")
    answer = open_letter(send(theirs, "b", at=WHEN), "a")
    received(mine, answer)
    assert mine.game == theirs.game
    told = [entry.action.action for entry in turn_to_replay(answer) if entry.action]
    assert told == ["end-turn", "begin-turn", "melee"]
    theirs.verify()


@CASE("MP-302")
def test_what_was_taken_back_is_not_replayed(journals: tuple[Journal, Journal]) -> None:
    mine, _ = journals
    mine.undo(at=WHEN)
    assert turn_to_replay(open_letter(send(mine, "a", at=WHEN), "b")) == ()


def test_what_was_sent_is_not_taken_back_by_either_side(journals: tuple[Journal, Journal]) -> None:
    mine, theirs = journals
    received(theirs, open_letter(send(mine, "a", at=WHEN), "b"))
    for journal in (mine, theirs):
        assert journal.undoable() is None
        with pytest.raises(JournalError, match="what was sent, stands"):
            journal.undo(at=WHEN)
    do(theirs, action="end-turn", side="a")
    theirs.undo(at=WHEN)
    received(mine, open_letter(send(theirs, "b", at=WHEN), "a"))
    assert mine.game == theirs.game


def test_a_log_that_went_on_after_it_was_sent_says_from_which_entry_on_the_answer_is_another(
    journals: tuple[Journal, Journal],
) -> None:
    mine, theirs = journals
    received(theirs, open_letter(send(mine, "a", at=WHEN), "b"))
    for journal in (mine, theirs):
        do(journal, action="end-turn", side="a")
    do(mine, action="begin-turn", side="b")
    answer = open_letter(send(theirs, "b", at=WHEN), "a")
    with pytest.raises(MailError, match="entry 5 is another in it; open it into a log of its own"):
        received(mine, answer)


def test_a_file_that_got_lost_is_sent_again_and_the_answer_still_fits(journals: tuple[Journal, Journal]) -> None:
    mine, theirs = journals
    first = send(mine, "a", at=WHEN)
    assert send(mine, "a", at="2026-11-22T12:00:00Z") == first
    received(theirs, open_letter(first, "b"))
    do(theirs, action="end-turn", side="a")
    received(mine, open_letter(send(theirs, "b", at=WHEN), "a"))
    assert mine.game == theirs.game


def test_a_file_that_was_opened_before_says_so_once_the_game_has_gone_on(journals: tuple[Journal, Journal]) -> None:
    mine, theirs = journals
    letter = open_letter(send(mine, "a", at=WHEN), "b")
    received(theirs, letter)
    assert received(theirs, letter) == ()
    do(theirs, action="end-turn", side="a")
    with pytest.raises(MailError, match="has gone on since that file was sent: it was opened before"):
        received(theirs, letter)


@CASE("MP-302")
def test_ones_own_file_and_that_of_another_game_are_refused(journals: tuple[Journal, Journal]) -> None:
    mine, theirs = journals
    text = send(mine, "a", at=WHEN)
    with pytest.raises(MailError, match="the file that a sent"):
        open_letter(text, "a")
    with pytest.raises(MailError, match="is for b, not for c"):
        open_letter(text, "c")
    theirs.append(at=WHEN, kind="begin", events=(begin(game(unit("a", (1, 1)))),))
    with pytest.raises(MailError, match="another game"):
        received(theirs, open_letter(text, "b"))
    with pytest.raises(MailError, match="expected one of a, b"):
        send(mine, "red", at=WHEN)


def _crafted(text: bytes, change: dict[str, object]) -> bytes:
    """A letter in which one more thing happened."""
    letter = json.loads(text)
    last = letter["entries"][-1]
    event = {"event": "note", "effects": [change]}
    happened = {**last, "kind": "note", "events": [event]}
    entries = [*letter["entries"][:-1], happened, {**last, "number": last["number"] + 1}]
    return json.dumps({**letter, "entries": entries}).encode()


@pytest.mark.parametrize(
    "change",
    [
        {"set": "unit", "unit": "a", "key": "type", "value": "wizards"},
        {"set": "state", "unit": "a", "key": "fatigue", "value": "much"},
        {"set": "remove-unit", "unit": "nobody"},
    ],
)
def test_a_letter_with_a_game_that_its_rules_refuse_is_not_taken_in(
    journals: tuple[Journal, Journal], change: dict[str, object]
) -> None:
    mine, _ = journals
    with pytest.raises(UnusableFile, match="lead to no game"):
        open_letter(_crafted(send(mine, "a", at=WHEN), change), "b", source="a.mail")


def test_of_a_letter_everything_is_taken_in_or_nothing(
    journals: tuple[Journal, Journal], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = journals
    letter = open_letter(send(mine, "a", at=WHEN), "b")
    written = 0

    def killed(*_: object) -> str:
        nonlocal written
        written += 1
        if written == 2:
            raise KeyboardInterrupt
        return "digest"

    monkeypatch.setattr("engine.keeping.journal._digest", killed)
    with pytest.raises(KeyboardInterrupt):
        received(theirs, letter)
    monkeypatch.undo()
    assert not Journal(theirs.path).entries
    assert len(received(theirs, letter)) == 3
    theirs.verify()


@CASE("MP-303")
def test_a_game_under_a_key_stays_under_it(journals: tuple[Journal, Journal]) -> None:
    mine, theirs = journals
    text = send(mine, "a", at=WHEN, key="Roundway Down")
    assert b"infantry" not in text
    for key, complaint in ((None, "under a key: give it"), ("roundway down", "the key does not open it")):
        with pytest.raises(SealError, match=complaint):
            open_letter(text, "b", key)
    received(theirs, open_letter(text, "b", "Roundway Down"))
    for key, complaint in ((None, "does not go out in the clear again"), ("Lansdown", "not the key")):
        with pytest.raises(MailError, match=complaint):
            send(theirs, "b", at=WHEN, key=key)
    received(mine, open_letter(send(theirs, "b", at=WHEN, key="Roundway Down"), "a", "Roundway Down"))
    assert mine.game == theirs.game


@CASE("MP-303")
def test_a_key_may_be_taken_at_any_time(journals: tuple[Journal, Journal]) -> None:
    mine, theirs = journals
    received(theirs, open_letter(send(mine, "a", at=WHEN), "b"))
    text = send(theirs, "b", at=WHEN, key="late")
    assert open_letter(text, "a", "late").game == theirs.game


@CASE("MP-303")
@pytest.mark.parametrize(
    "spoil", [lambda text: text[:-1], lambda text: text[:40] + b"!" + text[41:], lambda text: b""]
)
def test_a_sealed_text_that_was_changed_does_not_open(spoil: object) -> None:
    sealed = seal(b"the plan of attack", "key")
    assert open_seal(sealed, "key") == b"the plan of attack"
    with pytest.raises(SealError):
        open_seal(spoil(sealed), "key")  # type: ignore[operator]


@CASE("MP-303")
def test_the_same_text_is_never_sealed_alike_and_an_empty_key_is_none() -> None:
    assert seal(b"text", "key") != seal(b"text", "key")
    with pytest.raises(SealError, match="one character or more"):
        seal(b"text", "")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"{", "not well-formed JSON"), (b'{"format": "vedette-game/1"}', "vedette-mail/1"),
        (b'{"format": "vedette-mail/1", "from": "a", "to": "b"}', "entries"),
        (b'{"format": "vedette-mail/1", "from": "a", "to": "b", "entries": [{}]}', r"entries\[0\]: number"),
        (b'{"format": "vedette-mail/1", "from": "a", "to": "b", "entries": [], "more": 1}', "more"),
    ],
)  # fmt: skip
def test_what_is_no_game_by_mail_is_refused_in_a_line(text: bytes, complaint: str) -> None:
    with pytest.raises(UnusableFile, match=complaint):
        open_letter(text, "b")
