"""Routes for putting right what the camera got wrong, and for the demo's virtual table."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from engine.errors import UnusableFile
from engine.events import Place
from engine.moved.by_hand import placed_at
from webui.errors import BadRequest
from webui.live import LiveTable, demand_hand
from webui.people.door import seat_here
from webui.people.seats import own_figures, own_side
from webui.serving.answering import json_answer
from webui.serving.requests import AssignBody, FigureAt, MoveBody, PlaceBody, PutBackBody, body
from webui.shown.state import entry_view
from webui.table.desk import Desk

__all__ = ["placing"]


def placing(live: LiveTable) -> Blueprint:
    """The routes."""
    blueprint = Blueprint("placing", __name__, url_prefix="/api")

    @blueprint.post("/place")
    def place() -> Response:
        """A person says where figures stand."""
        asked = body(PlaceBody)
        seat = seat_here()

        def done(desk: Desk) -> dict[str, Any]:
            own_figures(seat, desk.game, [figure.id for figure in asked.figures])
            return entry_view(desk, desk.place(_places(desk, asked.figures)))

        return json_answer({"entry": live.do(done), "revision": live.revision})

    @blueprint.post("/place/back")
    def put_back() -> Response:
        """A person takes back where he said that a unit's figures stand."""
        asked = body(PutBackBody)
        seat = seat_here()

        def done(desk: Desk) -> dict[str, Any]:
            unit = desk.game.by_id.get(asked.unit)
            own_figures(seat, desk.game, [figure.id for figure in unit.figures] if unit is not None else [])
            return entry_view(desk, desk.put_back(asked.unit))

        return json_answer({"entry": live.do(done), "revision": live.revision})

    @blueprint.post("/assign")
    def assign() -> Response:
        """A person says which unit some bases belong to."""
        asked = body(AssignBody)
        seat = seat_here()

        def done(desk: Desk) -> dict[str, Any]:
            unit = desk.game.by_id.get(asked.unit)
            own_side(seat, asked.side if unit is None else unit.side)
            return entry_view(desk, desk.assign(asked))

        return json_answer({"entry": live.do(done), "revision": live.revision})

    @blueprint.post("/demo/move")
    def move() -> Response:
        """Moves figures on the demo's virtual table; the camera sees it later."""
        asked = body(MoveBody)
        seat = seat_here()
        live.do(lambda desk: own_figures(seat, desk.game, [figure.id for figure in asked.figures]))
        demand_hand(live).move(asked.figures)
        return json_answer({"moved": len(asked.figures), "revision": live.revision})

    return blueprint


def _places(desk: Desk, figures: tuple[FigureAt, ...]) -> list[Place]:
    try:
        return [placed_at(desk.game, one.id, one.x_mm, one.y_mm, one.bearing_deg) for one in figures]
    except UnusableFile as error:
        raise BadRequest(str(error)) from error
