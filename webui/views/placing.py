"""Routes for putting right what the camera got wrong, and for the demo's virtual table."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response
from msgspec.structs import replace

from engine.events import Place
from webui.desk import Desk
from webui.errors import BadRequest
from webui.live import LiveTable, demand_hand
from webui.requests import AssignBody, FigureAt, MoveBody, PlaceBody, body, place_of
from webui.state import entry_view

__all__ = ["placing"]


def placing(live: LiveTable) -> Blueprint:
    """The routes."""
    blueprint = Blueprint("placing", __name__, url_prefix="/api")

    @blueprint.post("/place")
    def place() -> Response:
        """A person says where figures stand."""
        asked = body(PlaceBody)
        view = live.do(lambda desk: entry_view(desk, desk.place(_places(desk, asked.figures))))
        return _json({"entry": view, "revision": live.revision})

    @blueprint.post("/assign")
    def assign() -> Response:
        """A person says which unit some bases belong to."""
        asked = body(AssignBody)
        view = live.do(lambda desk: entry_view(desk, desk.assign(asked)))
        return _json({"entry": view, "revision": live.revision})

    @blueprint.post("/demo/move")
    def move() -> Response:
        """Moves figures on the demo's virtual table; the camera sees it later."""
        asked = body(MoveBody)
        demand_hand(live).move(asked.figures)
        return _json({"moved": len(asked.figures), "revision": live.revision})

    return blueprint


def _places(desk: Desk, figures: tuple[FigureAt, ...]) -> list[Place]:
    known = {figure.id: figure for unit in desk.game.units for figure in unit.figures}
    places = []
    for wanted in figures:
        if wanted.id not in known:
            raise BadRequest(f"figures: there is no figure {wanted.id!r} in the game")
        figure = known[wanted.id]
        places.append(replace(place_of(wanted, figure.bearing_deg), z_mm=figure.z_mm))
    return places


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), mimetype="application/json")
