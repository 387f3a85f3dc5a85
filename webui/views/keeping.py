"""Routes for the game as a whole: going on from an earlier point, one file out, one file in."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, request

from engine.exchange import log_text, read_log
from webui.album import pictures_in
from webui.desk import Desk
from webui.door import seat_here
from webui.live import LiveTable
from webui.packing import packed
from webui.reporting.command import film_bytes
from webui.reporting.page import page_csp, page_of
from webui.reporting.pdf import pdf_of
from webui.reporting.telling import Report, report_of
from webui.requests import BranchBody, ImportBody, body
from webui.seats import judge
from webui.state import entry_view

__all__ = ["LARGEST_FILE_BYTES", "keeping"]

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

        return _json({"entry": live.do(done), "revision": live.revision})

    @blueprint.get("/log/export")
    def export() -> Response:
        """The whole game as one file."""
        judge(seat_here())
        text, name = live.do(lambda desk: (log_text(desk.journal.entries), _name(desk)))
        return attached(text, "application/jsonl", f"{name}.jsonl")

    @blueprint.get("/report.html")
    def page() -> Response:
        """The battle report as one page."""
        report, _ = told()
        response = Response(page_of(report), mimetype="text/html")
        response.headers["Content-Security-Policy"] = page_csp()
        return packed(response)

    @blueprint.get("/report.pdf")
    def pdf() -> Response:
        """The battle report as a PDF."""
        report, name = told()
        return attached(pdf_of(report), "application/pdf", f"{name}.pdf")

    @blueprint.get("/report.webm")
    def film() -> Response:
        """The camera's pictures as a film."""
        judge(seat_here())
        entries, rules, path, name = live.do(
            lambda desk: (desk.journal.entries, desk.ruleset, desk.journal.path, _name(desk))
        )
        data, kind = film_bytes(entries, rules, pictures_in(path), "the film")
        return attached(data, kind, f"{name}.{kind.rpartition('/')[2]}")

    def told() -> tuple[Report, str]:
        """The report, worked out by the table's own thread, and what its files are called."""
        judge(seat_here())
        return live.do(
            lambda desk: (
                report_of(desk.journal.entries, desk.ruleset, pictures_in(desk.journal.path)),
                _name(desk),
            )
        )

    @blueprint.post("/log/import")
    def import_() -> Response:
        """Goes on with the game of an exported file, checked first; the present one is put aside."""
        judge(seat_here())
        request.max_content_length = LARGEST_FILE_BYTES
        text = body(ImportBody).file.encode()
        entries = live.do(lambda _desk: read_log(text, "the file"))
        live.take_in(entries)
        return _json({"entries": len(entries), "revision": live.revision})

    return blueprint


def attached(data: bytes, kind: str, name: str) -> Response:
    """A file for the browser to keep."""
    response = Response(data, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _name(desk: Desk) -> str:
    """What the files of a game are called: its rules and the day on which it began."""
    return f"vedette-{desk.game.ruleset}-{desk.journal.entries[0].at[:10]}"


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), mimetype="application/json")
