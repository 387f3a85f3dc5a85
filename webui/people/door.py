"""The door: who opens a page of this table, and as whom. This computer is the umpire; others join with a code."""

from __future__ import annotations

import hmac
import ipaddress
from collections import deque
from collections.abc import Callable, Iterable

from flask import Flask, Request, g, request, session

from webui.errors import WebError
from webui.people.seats import UMPIRE, Seat, code_of, seat_of

__all__ = ["Closed", "Door", "is_here", "seat_here"]

#: So many wrong codes are taken within so many seconds from one address: who guesses locks out nobody else.
_WRONG, _WITHIN_S = 20, 60.0
#: What a proxy or a tunnel on this computer adds to what it hands on: the request comes from elsewhere.
_HANDED_ON = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
#: What may be asked before one has joined.
_OPEN_PATHS = ("/api/join",)


class Closed(WebError, PermissionError):
    """A page that has not joined yet, or a wrong code."""

    status = 401


class Hurried(WebError, PermissionError):
    """Too many wrong codes in a short time."""

    status = 429


class Door:
    """The door of one table; its codes hold as long as ``key`` is the same. ``seats`` are those that there are."""

    def __init__(self, key: bytes, seats: Callable[[], Iterable[Seat]], clock_s: Callable[[], float]) -> None:
        self._key = key
        self._seats = seats
        self._clock_s = clock_s
        self._wrong: dict[str, deque[float]] = {}

    def watch(self, app: Flask) -> None:
        """Finds out for every request who sends it, and lets only those in who have a seat."""
        app.secret_key = hmac.new(self._key, b"cookies", "sha256").digest()
        app.config.update(SESSION_COOKIE_NAME="vedette", SESSION_COOKIE_SAMESITE="Strict")

        @app.before_request
        def enter() -> None:
            if not request.path.startswith("/api/"):
                return
            g.seat = self._seat(request)
            if g.seat is None and request.path not in _OPEN_PATHS:
                raise Closed("this table is joined with a code: scan or type the one that the laptop shows")

    def join(self, code: str) -> Seat:
        """Takes the seat whose code it is, for the present request. Raises Closed for a wrong one, Hurried after
        too many from its address.
        """
        now = self._clock_s()
        self._wrong = {one: times for one, times in self._wrong.items() if now - times[-1] < _WITHIN_S}
        wrong = self._wrong.get(request.remote_addr or "", deque(maxlen=_WRONG))
        if len(wrong) == _WRONG and now - wrong[0] < _WITHIN_S:
            raise Hurried("too many wrong codes: wait a minute")
        given = "".join(code.split()).replace("-", "").upper()
        for seat in self._seats():
            if hmac.compare_digest(code_of(seat, self._key).encode(), given.encode()):
                session.permanent = True
                session.update(seat=seat.name, code=given)
                return seat
        wrong.append(now)
        self._wrong[request.remote_addr or ""] = wrong
        raise Closed("there is no such code at this table")

    def leave(self) -> None:
        """Gives the seat up."""
        session.clear()

    def invitations(self) -> tuple[tuple[Seat, str], ...]:
        """Every seat with its code."""
        return tuple((seat, code_of(seat, self._key)) for seat in self._seats())

    def _seat(self, asked: Request) -> Seat | None:
        """The seat that was joined; else the umpire's, on this computer itself."""
        if "seat" in session:
            seat = seat_of(str(session["seat"]), self._seats())
            code = str(session.get("code", ""))
            if seat is not None and hmac.compare_digest(code_of(seat, self._key).encode(), code.encode()):
                return seat
        return UMPIRE if is_here(asked) else None


def seat_here() -> Seat:
    """The seat of whoever sends the present request."""
    seat = g.seat
    assert isinstance(seat, Seat)
    return seat


def is_here(asked: Request) -> bool:
    """Whether a request comes from this computer itself, and is not handed on by a proxy or tunnel on it."""
    return not any(name in asked.headers for name in _HANDED_ON) and _of_this_computer(asked.remote_addr)


def _of_this_computer(address: str | None) -> bool:
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return bool((mapped or found).is_loopback)
