"""What pages are given of the desk as it stands: for all who see everything, and for each set of hidden units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from webui.concealing import concealed
from webui.desk import Desk
from webui.seats import Seat
from webui.state import game_state, table_size

__all__ = ["Drawn"]

Parts = Mapping[str, msgspec.Raw]


class Drawn:
    """The desk at one moment; made, and drawn from, by the desk's own thread alone.

    ``faults`` are what the players should know of, beside the camera's warnings.
    """

    def __init__(self, desk: Desk, trouble: Sequence[str]) -> None:
        self._desk = desk
        self._trouble = trouble
        self.faults: list[str] = []
        self._game = desk.game if desk.begun else None
        self._rules = desk.ruleset if desk.begun else None
        self._by_hidden: dict[frozenset[str], Parts] = {}
        self.draw(frozenset())

    def hidden_from(self, seat: Seat) -> frozenset[str]:
        """The units that a seat does not see."""
        if self._game is None or self._rules is None:
            return frozenset()
        return concealed(self._rules, self._game, seat)

    def parts_for(self, seat: Seat) -> Parts | None:
        """The parts of the state for a seat; None where they have not been drawn yet."""
        return self._by_hidden.get(self.hidden_from(seat))

    def draw(self, hidden: frozenset[str]) -> None:
        """Draws the parts for whoever does not see those units."""
        if hidden in self._by_hidden:
            return
        parts = game_state(self._desk, self._trouble, hidden)
        self.faults = list(parts["trouble"])
        parts["table"] = table_size(self._desk)
        self._by_hidden[hidden] = {key: msgspec.Raw(msgspec.json.encode(value)) for key, value in parts.items()}
