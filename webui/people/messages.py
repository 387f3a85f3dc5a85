"""What players say to each other: to all, or to their own side; the last few hundred are kept."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from webui.errors import BadRequest
from webui.people.seats import NotYours, Seat

__all__ = ["LONGEST", "Message", "Messages"]

_KEPT = 300
LONGEST = 500


class Message(Struct, frozen=True, kw_only=True):
    """Something said; ``side`` is whose alone it is, None: everybody's."""

    number: int
    at: str
    sender: str
    side: str | None
    text: str


class Messages:
    """What has been said at a table; safe to use from several threads. ``clock`` gives the time as a text."""

    def __init__(self, clock: Callable[[], str]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._said: deque[Message] = deque(maxlen=_KEPT)
        self._count = 0

    def say(self, seat: Seat, text: str, *, own_side: bool) -> Message:
        """Says something to all, or to one's own side. Raises BadRequest, NotYours."""
        text = " ".join(text.split())
        if not text or len(text) > LONGEST:
            raise BadRequest(f"text: expected 1 to {LONGEST} letters")
        if own_side and seat.kind != "side":
            raise NotYours("you play no side: what you say is for all")
        with self._lock:
            self._count += 1
            side = seat.side if own_side else None
            message = Message(number=self._count, at=self._clock(), sender=seat.title, side=side, text=text)
            self._said.append(message)
        return message

    def heard(self, seat: Seat, after: int = 0) -> tuple[Message, ...]:
        """What a seat may read of what was said after a number: everybody's, and its own side's."""
        with self._lock:
            return tuple(one for one in self._said if one.number > after and one.side in (None, seat.side))

    def newest(self, seat: Seat) -> int:
        """The number of the last message that a seat may read; 0: none."""
        return max((one.number for one in self.heard(seat)), default=0)
