"""The Flask application: the routes of `webui.views` over one `LiveTable`."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable

import msgspec
from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from engine.errors import EngineError
from webui.errors import WebError
from webui.live import LiveTable
from webui.people.door import Door
from webui.serving.packing import pack_files
from webui.serving.security import LOOPBACK, guard
from webui.views.evening import evening
from webui.views.joining import joining
from webui.views.keeping import keeping
from webui.views.messaging import messaging
from webui.views.page import page
from webui.views.placing import placing
from webui.views.playing import playing
from webui.views.questioning import questioning
from webui.views.reporting import reporting
from webui.views.ruling import ruling
from webui.views.watching import watching

__all__ = ["STREAMS", "create_app"]

#: How many pages may hold an event stream; further ones poll.
STREAMS = 24

_log = logging.getLogger("vedette")


def create_app(
    table: LiveTable,
    *,
    hosts: Iterable[str] = LOOPBACK,
    any_address: bool = False,
    streams: int = STREAMS,
    key: bytes | None = None,
    address: str | None = None,
) -> Flask:
    """The application for a table; ``hosts`` are the names that it answers to (see `webui.serving.security.guard`).

    ``key`` is the secret from which the codes for joining follow (without one they hold until the program ends),
    ``address`` where phones find the table.
    """
    app = Flask("webui", template_folder="templates", static_folder="static")
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    pack_files(app)
    guard(app, hosts, any_address=any_address)
    door = Door(key or secrets.token_bytes(32), table.seats, table.clock_s)
    door.watch(app)
    views = (
        page(table), watching(table, streams), playing(table), ruling(table), placing(table),
        joining(door, address), messaging(table, door), questioning(table), keeping(table), reporting(table),
        evening(table),
    )  # fmt: skip
    for blueprint in views:
        app.register_blueprint(blueprint)
    _errors(app)
    return app


def _errors(app: Flask) -> None:
    """Every error is JSON of one shape: ``error``, one clear sentence, and sometimes ``reasons``."""

    @app.errorhandler(WebError)
    def refused(error: WebError) -> Response:
        return _said(error.status, str(error), tuple(getattr(error, "reasons", ())))

    @app.errorhandler(EngineError)
    def engine_refused(error: EngineError) -> Response:
        return _said(400 if error.exit_status == 2 else 422, str(error), tuple(getattr(error, "reasons", ())))

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        response = _said(error.code or 500, _PLAIN.get(error.code or 500, error.description or error.name))
        for name, value in error.get_headers():
            if name.casefold() == "allow":
                response.headers[name] = value
        return response

    @app.errorhandler(Exception)
    def fault(error: Exception) -> Response:
        _log.error("a request failed", exc_info=error)
        return _said(500, "a fault in the program itself; the game is safe in its journal")


_PLAIN = {
    400: "the request cannot be read",
    404: "there is nothing here",
    405: "this address does not do that",
    413: "the request is too large",
}


def _said(status: int, text: str, reasons: tuple[str, ...] = ()) -> Response:
    built: dict[str, object] = {"error": text}
    if reasons:
        built["reasons"] = list(reasons)
    return Response(msgspec.json.encode(built), status=status, mimetype="application/json")
