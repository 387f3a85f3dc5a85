"""Routes for the battle report: as a page, as a PDF, and the camera's pictures as a film; and the rosters."""

from __future__ import annotations

from flask import Blueprint, Response

from webui.camera.album import pictures_in
from webui.live import LiveTable
from webui.people.door import seat_here
from webui.people.seats import judge
from webui.reporting.command import film_bytes
from webui.reporting.page import page_csp, page_of
from webui.reporting.pdf import pdf_of
from webui.reporting.roster import roster_pdf
from webui.reporting.telling import Report, report_of
from webui.serving.packing import packed
from webui.views.keeping import attached, file_name

__all__ = ["reporting"]


def reporting(live: LiveTable) -> Blueprint:
    """The routes; all of them are the umpire's."""
    blueprint = Blueprint("reporting", __name__, url_prefix="/api")

    @blueprint.get("/report.html")
    def page() -> Response:
        """The battle report as one page."""
        report, _ = _told(live)
        response = Response(page_of(report), mimetype="text/html")
        response.headers["Content-Security-Policy"] = page_csp()
        return packed(response)

    @blueprint.get("/report.pdf")
    def pdf() -> Response:
        """The battle report as a PDF."""
        report, name = _told(live)
        return attached(pdf_of(report), "application/pdf", f"{name}.pdf")

    @blueprint.get("/roster.pdf")
    def rosters() -> Response:
        """The rosters of all sides as a PDF, with room to write."""
        judge(seat_here())
        data, name = live.do(lambda desk: (roster_pdf(desk.game, desk.ruleset), file_name(desk)))
        return attached(data, "application/pdf", f"{name}-rosters.pdf")

    @blueprint.get("/report.webm")
    def film() -> Response:
        """The camera's pictures as a film."""
        judge(seat_here())
        entries, rules, path, name = live.do(
            lambda desk: (desk.journal.entries, desk.ruleset, desk.journal.path, file_name(desk))
        )
        data, kind = film_bytes(entries, rules, pictures_in(path), "the film")
        return attached(data, kind, f"{name}.{kind.rpartition('/')[2]}")

    return blueprint


def _told(live: LiveTable) -> tuple[Report, str]:
    """The report, worked out by the table's own thread, and what its files are called. Raises NotYours."""
    judge(seat_here())
    return live.do(
        lambda desk: (
            report_of(desk.journal.entries, desk.ruleset, pictures_in(desk.journal.path)),
            file_name(desk),
        )
    )
