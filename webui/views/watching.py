"""Routes for reading: the state, its changes as they come, the log, the picture."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import msgspec
from flask import Blueprint, Response, request

from webui.camera.cells import grid_view
from webui.errors import BadRequest, NotReady
from webui.live import LiveTable
from webui.people.concealing import known_to
from webui.people.door import seat_here
from webui.people.seats import SPECTATOR
from webui.serving.packing import begun_response, packed
from webui.shown.past import then_view
from webui.shown.state import log_view

__all__ = ["watching"]

#: A quiet stream says this often that it is still there, so that both ends notice a dead connection.
HEARTBEAT_S = 2.5
#: How often a quiet stream looks whether its page is still there.
_LOOK_S = 1.0
#: A page is told at most this often, but of new answers at once.
_PAUSE_S = 0.4


def watching(live: LiveTable, streams: int) -> Blueprint:
    """The routes; ``streams`` is how many event streams may be open at a time."""
    blueprint = Blueprint("watching", __name__, url_prefix="/api")
    places = threading.BoundedSemaphore(streams)
    _looking_back(blueprint, live)
    _table(blueprint, live)

    @blueprint.get("/state")
    def state() -> Response:
        """Everything that the page draws; with ``since`` only when it has changed, with ``drawn`` only what has.

        ``as`` spectator: as one who only watches is told it, for a screen that a whole room sees.
        """
        since = request.args.get("since", type=int)
        if since is not None and since == live.revision:
            return _json(msgspec.json.encode({"revision": since, "unchanged": True}))
        begun, end = live.state(SPECTATOR if request.args.get("as") == SPECTATOR.kind else seat_here())
        if request.args.get("drawn") == begun.mark:
            return _json(b"{" + end)
        return begun_response(begun, end, "application/json")

    @blueprint.get("/events")
    def events() -> Response:
        """Server-sent events: the revision, whenever it grows."""
        if not places.acquire(blocking=False):
            raise NotReady("too many pages are open: this one asks again by itself")
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        stream = Response(_stream(live, gone), mimetype="text/event-stream")
        stream.headers["Cache-Control"] = "no-store"
        stream.headers["X-Accel-Buffering"] = "no"
        stream.call_on_close(places.release)
        return stream

    return blueprint


def _table(blueprint: Blueprint, live: LiveTable) -> None:
    """The routes for what the table looks like."""

    @blueprint.get("/grid")
    def grid() -> Response:
        """The cells of the table; ``null`` where it is played without."""
        return packed(_json(msgspec.json.encode(live.do(lambda desk: grid_view(desk.game)))))

    @blueprint.get("/picture.jpg")
    def picture() -> Response:
        """The table from above; the revision in the address makes it cacheable for ever."""
        newest = live.picture
        if newest is None:
            raise NotReady("there is no picture yet")
        response = Response(newest.jpeg, mimetype="image/jpeg")
        response.set_etag(str(newest.revision))
        if request.args.get("r", type=int) == newest.revision:
            response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
        response.make_conditional(request)
        return response


def _looking_back(blueprint: Blueprint, live: LiveTable) -> None:
    """The routes for what was."""

    @blueprint.get("/log")
    def log() -> Response:
        """Older entries of the log: those before entry number ``before``."""
        before = request.args.get("before", type=int)
        if before is None:
            raise BadRequest("before: expected the number of an entry")
        seat = seat_here()
        found = live.do(lambda desk: log_view(desk, before, known_to(desk.ruleset, desk.game, seat)))
        return _json(msgspec.json.encode({"log": found}))

    @blueprint.get("/then")
    def then() -> Response:
        """The game as it was after entry number ``entry``."""
        number = request.args.get("entry", type=int)
        if number is None:
            raise BadRequest("entry: expected the number of an entry")
        seat = seat_here()
        return _json(msgspec.json.encode(live.do(lambda desk: then_view(desk, seat, number))))


def _stream(live: LiveTable, gone: Callable[[], bool]) -> Iterator[bytes]:
    """The stream's text, until the table is closed or the page is ``gone``."""
    yield b": vedette\n\n"
    answers, revision = live.answers, live.revision
    yield _event(revision)
    quiet_s = 0.0
    while not live.pause(answers, _PAUSE_S) and not gone():
        newer = live.wait(revision, _LOOK_S)
        if newer is not None:
            answers, revision, quiet_s = live.answers, newer, 0.0
            yield _event(revision)
        elif (quiet_s := quiet_s + _PAUSE_S + _LOOK_S) >= HEARTBEAT_S:
            quiet_s = 0.0
            yield b"event: still\ndata: {}\n\n"


def _event(revision: int) -> bytes:
    return f'event: revision\ndata: {{"revision": {revision}}}\n\n'.encode()


def _json(data: bytes) -> Response:
    return Response(data, mimetype="application/json")
