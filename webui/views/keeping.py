"""Routes for the game as a whole: going on from an earlier point, one file out, one file in."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from engine.keeping.exchange import log_text, read_log
from webui.live import LiveTable
from webui.people.door import seat_here
from webui.people.seats import judge
from webui.serving.answering import json_answer
from webui.serving.requests import BranchBody, ImportBody, body
from webui.shown.state import entry_view
from webui.table.desk import Desk

__all__ = ["LARGEST_FILE_BYTES", "attached", "file_name", "keeping"]

#: The largest exported game that the page takes; the command line takes any.
LARGEST_FILE_BYTES = 16 * 1024 * 1024


def keeping(live: LiveTable) -> Blueprint:
    """The routes; all of them are the umpire's."""
    blueprint = Blueprint("keeping", __name__, url_prefix="/api")

    @blueprint.post("/branch")
    def branch() -> Response:
        """Lets the game go on from after an entry of the log; what came since is kept."""
        judge(seat_here())
        number = body(BranchBody).entry

        def done(desk: Desk) -> dict[str, Any]:
            return entry_view(desk, desk.branch(number))

        return json_answer({"entry": live.do(done), "revision": live.revision})

    @blueprint.get("/log/export")
    def export() -> Response:
        """The whole game as one file."""
        judge(seat_here())
        text, name = live.do(lambda desk: (log_text(desk.journal.entries), file_name(desk)))
        return attached(text, "application/jsonl", f"{name}.jsonl")

    @blueprint.post("/log/import")
    def import_() -> Response:
        """Goes on with the game of an exported file, checked first; the present one is put aside."""
        judge(seat_here())
        request.max_content_length = LARGEST_FILE_BYTES
        text = body(ImportBody).file.encode()
        entries = live.do(lambda _desk: read_log(text, "the file"))
        live.take_in(entries)
        return json_answer({"entries": len(entries), "revision": live.revision})

    return blueprint


def attached(data: bytes, kind: str, name: str) -> Response:
    """A file for the browser to keep."""
    response = Response(data, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def file_name(desk: Desk) -> str:
    """What the files of a game are called: its rules and the day on which it began."""
    return f"vedette-{desk.game.ruleset}-{desk.journal.entries[0].at[:10]}"
