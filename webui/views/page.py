"""Routes for the page itself and the map library that it uses; nothing comes from another host."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from flask import Blueprint, Response, redirect, render_template, request, send_from_directory
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as Answer

from webui.live import LiveTable
from webui.people.door import is_here
from webui.serving.bundling import bundled

__all__ = ["leaflet_folder", "page"]


def page(live: LiveTable) -> Blueprint:
    """The routes."""
    blueprint = Blueprint("page", __name__)

    @blueprint.get("/")
    def index() -> str | Answer:
        """The page; on this computer, where nothing is set up yet, the first evening."""
        if live.bench is not None and live.bench.bare and is_here(request):
            return redirect("/evening")
        return render_template("index.html")

    @blueprint.get("/campaign")
    def campaign() -> str:
        """The campaign's page."""
        return render_template("campaign.html")

    @blueprint.get("/static/together/<path:name>")
    def joined(name: str) -> Answer:
        """The page's modules, or its styles, as one file."""
        text = bundled(name)
        if text is None:
            raise NotFound
        response = Response(text, mimetype="text/css" if name.endswith(".css") else "text/javascript")
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        return response.make_conditional(request)

    @blueprint.get("/static/vendor/leaflet/<path:name>")
    def leaflet(name: str) -> Response:
        """The map library, from the installed package."""
        response = send_from_directory(leaflet_folder(), name)
        response.headers["Cache-Control"] = "public, max-age=86400"
        return response

    return blueprint


@cache
def leaflet_folder() -> Path:
    """Where the package XStatic-Leaflet keeps its files. Raises ImportError where it is not installed."""
    found = find_spec("xstatic.pkg.leaflet")
    if found is None or found.origin is None:
        raise ImportError("XStatic-Leaflet is not installed", name="xstatic")
    return Path(found.origin).parent / "data"
