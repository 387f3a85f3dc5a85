"""What pages are given of the desk as it stands: for all who know everything, and for all who know the same."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence

import msgspec

from engine.records.answer_text import AnswerText
from webui.people.concealing import KNOWN_TO, Known, known_to
from webui.people.seats import UMPIRE, Seat
from webui.serving.packing import Begun
from webui.shown.state import game_state, table_size
from webui.table.desk import Desk

__all__ = ["Drawn", "Texts"]

#: What writes the answers for a side (None: for the umpire); kept from one moment of the desk to the next.
Texts = MutableMapping[str | None, AnswerText]
_Key = tuple[frozenset[str], str | None]


class Drawn:
    """The desk at one moment; made, and drawn from, by the desk's own thread alone.

    ``faults`` are what the players should know of, beside the camera's warnings.
    """

    def __init__(self, desk: Desk, trouble: Sequence[str], texts: Texts) -> None:
        self._desk = desk
        self._texts = texts
        self._trouble = trouble
        self.faults: list[str] = []
        self._game = desk.game if desk.begun else None
        self._rules = desk.ruleset if desk.begun else None
        self._conditions = {} if self._game is None else self._game.conditions
        self._secrets = self._game is not None and any(
            KNOWN_TO in event.facts for entry in desk.journal.entries for event in entry.events
        )
        self._known: dict[tuple[str, str | None], Known] = {}
        self._by_key: dict[_Key, Begun] = {}
        self.draw(UMPIRE)

    def begun_for(self, seat: Seat) -> Begun | None:
        """The parts of the state for a seat, without the end of the object; None where they are not drawn yet."""
        return self._by_key.get(self._key(seat))

    def draw(self, seat: Seat) -> None:
        """Draws the parts for a seat, and for all who know no more and no less."""
        key = self._key(seat)
        if key in self._by_key:
            return
        side = None if seat.kind == "umpire" else seat.side or ""
        text = self._texts.setdefault(side, AnswerText())
        parts = game_state(self._desk, self._trouble, self._known_to(seat), text)
        self.faults = list(parts["trouble"])
        parts["table"] = table_size(self._desk)
        self._by_key[key] = Begun(msgspec.json.encode(parts)[:-1] + b",")

    def _known_to(self, seat: Seat) -> Known | None:
        """What a seat knows; None before a game has begun."""
        if self._game is None or self._rules is None:
            return None
        who = (seat.kind, seat.side)
        if who not in self._known:
            self._known[who] = known_to(self._rules, self._game, seat)
        return self._known[who]

    def _key(self, seat: Seat) -> _Key:
        """The same for all who know the same: the hidden units, and the side where sides have secrets."""
        known = self._known_to(seat)
        if known is None or seat.kind == "umpire":
            return frozenset(), None
        secrets = self._secrets or known.game.conditions != self._conditions
        return known.hidden, (seat.side or "") if secrets else None
