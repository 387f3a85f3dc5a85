"""Routes for what players say to each other, and for a commander who hands units out."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, request

from webui.live import LiveTable
from webui.people.door import Door, seat_here
from webui.people.officers import KIND, appointment
from webui.people.seats import NotYours, Seat
from webui.serving.answering import json_answer
from webui.serving.requests import OfficerBody, SayBody, body
from webui.shown.state import entry_view
from webui.table.desk import Desk

__all__ = ["messaging"]


def messaging(live: LiveTable, door: Door) -> Blueprint:
    """The routes."""
    blueprint = Blueprint("messaging", __name__, url_prefix="/api")

    @blueprint.get("/messages")
    def heard() -> Response:
        """What was said since message number ``after``, as far as the seat may read it."""
        after = request.args.get("after", default=0, type=int)
        return json_answer({"messages": live.messages.heard(seat_here(), after)})

    @blueprint.post("/messages")
    def say() -> Response:
        """Says something to all, or to one's own side."""
        asked = body(SayBody)
        return json_answer({"message": live.say(seat_here(), asked.text, own_side=asked.own_side)})

    @blueprint.get("/officers")
    def officers() -> Response:
        """Who commands what on the seat's side; with codes for its commander and the umpire."""
        seat = seat_here()
        known = [one for one in live.officers() if seat.kind == "umpire" or one.side == seat.side]
        codes = {one.name: code for one, code in door.invitations()} if _commands(seat) else {}
        told = [{**msgspec.to_builtins(one), "code": codes.get(f"side:{one.side}:{one.name}")} for one in known]
        return json_answer({"officers": told})

    @blueprint.post("/officers")
    def appoint() -> Response:
        """Gives a player of the side these units; with none of them he is no officer any more."""
        asked, seat = body(OfficerBody), seat_here()
        side = _side_for(seat, asked.side)

        def done(desk: Desk) -> dict[str, Any]:
            event = appointment(desk.game, side, asked.name, asked.units)
            return entry_view(desk, desk.note(KIND, [event]))

        entry = live.do(done)
        return json_answer({"entry": entry})

    return blueprint


def _commands(seat: Seat) -> bool:
    return seat.kind == "umpire" or seat.commands


def _side_for(seat: Seat, wanted: str | None) -> str:
    """The side whose units are handed out. Raises NotYours."""
    if not _commands(seat):
        raise NotYours("the commander of your side hands the units out")
    if seat.kind == "side" and wanted not in (None, seat.side):
        raise NotYours(f"you play {seat.side}: that is for {wanted} or the umpire")
    return str(wanted if seat.side is None else seat.side)
