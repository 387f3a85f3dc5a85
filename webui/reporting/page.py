"""The report as one page of HTML that needs nothing else: drawings within it, pictures within it, no script."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from pathlib import Path

from webui.reporting.pictures import shrunk
from webui.reporting.sketch import Sketch, svg_of
from webui.reporting.telling import Report, TurnTold

__all__ = ["page_csp", "page_of"]


def page_of(report: Report) -> str:
    """The page. Pictures that cannot be read are left out."""
    from jinja2 import Environment, PackageLoader
    from markupsafe import Markup

    def svg(sketch: Sketch) -> Markup:
        return Markup(svg_of(sketch))  # noqa: S704  # every text in it is escaped there

    def picture(turn: TurnTold) -> str | None:
        return None if turn.picture is None else _data_url(turn.picture)

    loader = Environment(loader=PackageLoader("webui", "templates"), autoescape=True)
    style = Markup(_style())  # noqa: S704  # our own file
    return loader.get_template("report.html").render(report=report, svg=svg, picture=picture, style=style)


def page_csp() -> str:
    """What the page may do in a browser: show its own style, by its hash, and its pictures; nothing else."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return (
        f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; frame-ancestors 'none'; base-uri 'none'"
    )


def _style() -> str:
    return files("webui").joinpath("templates/report.css").read_text(encoding="utf-8").rstrip()


def _data_url(picture: Path) -> str | None:
    jpeg = shrunk(picture)
    return None if jpeg is None else f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"
