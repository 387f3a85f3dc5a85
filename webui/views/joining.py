"""Routes for joining a table: as a side, as the umpire, or to watch."""

from __future__ import annotations

import io
from typing import Any

import msgspec
from flask import Blueprint, Response, g, request

from webui.errors import BadRequest
from webui.people.door import Door, seat_here
from webui.people.seats import Seat, judge
from webui.serving.answering import json_answer
from webui.serving.requests import JoinBody, body

__all__ = ["joining"]


def joining(door: Door, address: str | None) -> Blueprint:
    """The routes; ``address`` is where phones find this table, None where none can."""
    blueprint = Blueprint("joining", __name__, url_prefix="/api")

    @blueprint.get("/join")
    def seat() -> Response:
        """Who the page is; for the umpire also the codes of all seats, for a commander those of his officers."""
        here = g.seat
        told: dict[str, Any] = {"seat": None if here is None else msgspec.to_builtins(here)}
        invited = _invited(door, here)
        if invited:
            told["address"] = address
            told["invitations"] = [
                {"seat": msgspec.to_builtins(one), "name": one.name, "code": _spaced(code)} for one, code in invited
            ]
        return json_answer(told)

    @blueprint.post("/join")
    def join() -> Response:
        """Takes the seat of a code; an empty code gives one's seat up."""
        code = body(JoinBody).code
        if not code:
            door.leave()
            return json_answer({"seat": None})
        return json_answer({"seat": msgspec.to_builtins(door.join(code))})

    @blueprint.get("/join/qr.svg")
    def qr() -> Response:
        """The address of a seat as a picture for a phone; the code stands behind a #, which is not sent."""
        invited = _invited(door, seat_here())
        if not invited:
            judge(seat_here())
        wanted = request.args.get("seat", "")
        code = next((code for one, code in invited if one.name == wanted), None)
        if code is None or address is None:
            raise BadRequest(f"seat: there is no address for {wanted!r}")
        import segno

        drawing = io.BytesIO()
        segno.make(f"{address}#join={code}", micro=False).save(drawing, kind="svg", scale=4, border=2, light="#fff")
        return Response(drawing.getvalue(), mimetype="image/svg+xml")

    return blueprint


def _invited(door: Door, seat: Seat | None) -> list[tuple[Seat, str]]:
    """The seats, with their codes, to which a seat invites others."""
    if seat is None or (seat.kind != "umpire" and not seat.commands):
        return []
    theirs = (one for one in door.invitations() if one[0].side == seat.side and one[0].officer is not None)
    return list(door.invitations() if seat.kind == "umpire" else theirs)


def _spaced(code: str) -> str:
    """A code as people read it out: ``ABCD-EFGH``."""
    return f"{code[:4]}-{code[4:]}"
