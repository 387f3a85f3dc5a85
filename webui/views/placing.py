"""Routes for putting right what the camera got wrong, and for the demo's virtual table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Blueprint, Response

from engine.errors import UnusableFile
from engine.events import Place
from engine.keeping.entry import Entry
from engine.moved.by_hand import placed_at
from webui.errors import BadRequest
from webui.live import LiveTable, demand_hand
from webui.people.door import seat_here
from webui.people.seats import Seat, own_figures, own_side
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
        return _entered(live, partial(_place, asked=body(PlaceBody), seat=seat_here()))

    @blueprint.post("/place/back")
    def put_back() -> Response:
        """A person takes back where he said that a unit's figures stand."""
        return _entered(live, partial(_put_back, asked=body(PutBackBody), seat=seat_here()))

    @blueprint.post("/assign")
    def assign() -> Response:
        """A person says which unit some bases belong to."""
        return _entered(live, partial(_assign, asked=body(AssignBody), seat=seat_here()))

    @blueprint.post("/demo/move")
    def move() -> Response:
        """Moves figures on the demo's virtual table; the camera sees it later."""
        asked = body(MoveBody)
        seat = seat_here()
        live.do(lambda desk: own_figures(seat, desk.game, [figure.id for figure in asked.figures]))
        demand_hand(live).move(asked.figures)
        return json_answer({"moved": len(asked.figures), "revision": live.revision})

    return blueprint


def _entered(live: LiveTable, done: Callable[[Desk], Entry]) -> Response:
    """Does it, and answers with the entry that tells of it."""
    entry = live.do(lambda desk: entry_view(desk, done(desk)))
    return json_answer({"entry": entry, "revision": live.revision})


def _place(desk: Desk, *, asked: PlaceBody, seat: Seat) -> Entry:
    own_figures(seat, desk.game, [figure.id for figure in asked.figures])
    return desk.place(_places(desk, asked.figures))


def _put_back(desk: Desk, *, asked: PutBackBody, seat: Seat) -> Entry:
    unit = desk.game.by_id.get(asked.unit)
    own_figures(seat, desk.game, [figure.id for figure in unit.figures] if unit is not None else [])
    return desk.put_back(asked.unit)


def _assign(desk: Desk, *, asked: AssignBody, seat: Seat) -> Entry:
    unit = desk.game.by_id.get(asked.unit)
    own_side(seat, asked.side if unit is None else unit.side)
    return desk.assign(asked)


def _places(desk: Desk, figures: tuple[FigureAt, ...]) -> list[Place]:
    try:
        return [placed_at(desk.game, one.id, one.x_mm, one.y_mm, one.bearing_deg) for one in figures]
    except UnusableFile as error:
        raise BadRequest(str(error)) from error
