"""Routes for playing: actions with their dice, chances, undo, the turn, the rules' rows."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, request

from webui.desk import Desk, action_of
from webui.errors import WebError
from webui.live import LiveTable, conflict
from webui.playing import Unfinished
from webui.requests import OddsBody, ResolveBody, TurnBody, UndoBody, body
from webui.state import entry_view
from webui.trying import forms_view, open_view, roll_view, tried

__all__ = ["playing"]


class UnknownRow(WebError, LookupError):
    """A row that the rulebook does not have."""

    status = 404


def playing(live: LiveTable) -> Blueprint:
    """The routes."""
    blueprint = Blueprint("playing", __name__, url_prefix="/api")

    @blueprint.post("/resolve")
    def resolve() -> Response:
        """Plays an action: it is done, or says which dice it waits for."""
        asked = body(ResolveBody)
        return _answer(live, live.do(lambda desk: _resolve(live, desk, asked)))

    @blueprint.post("/odds")
    def odds() -> Response:
        """The exact chances of an action."""
        from webui.chances import chances

        action = action_of(body(OddsBody).action)
        return _json(live.do(lambda desk: chances(desk, action)))

    @blueprint.get("/forms")
    def forms() -> Response:
        """What every action of the ruleset asks of a player."""
        return _json(live.do(forms_view))

    @blueprint.get("/actions")
    def actions() -> Response:
        """How the actions of ``unit`` stand, or those of the game; with the revision that this is of."""
        unit = request.args.get("unit")
        revision = live.revision
        return _json({**live.do(lambda desk: open_view(desk, unit)), "revision": revision})

    @blueprint.post("/try")
    def try_() -> Response:
        """Whether an action would be allowed as it stands; nothing changes."""
        action = action_of(body(OddsBody).action)
        return _json(live.do(lambda desk: tried(desk, action)))

    @blueprint.post("/undo")
    def undo() -> Response:
        """Takes the newest entry back; the log keeps both."""
        number = body(UndoBody).number
        return _answer(live, live.do(lambda desk: {"entry": entry_view(desk, desk.undo(number))}))

    @blueprint.post("/redo")
    def redo() -> Response:
        """Lets the entry that was undone last stand again."""
        number = body(UndoBody).number
        return _answer(live, live.do(lambda desk: {"entry": entry_view(desk, desk.redo(number))}))

    @blueprint.post("/turn")
    def turn() -> Response:
        """Says whose turn it is."""
        asked = body(TurnBody)
        view = live.do(lambda desk: entry_view(desk, desk.set_turn(asked.number, asked.side)))
        return _answer(live, {"entry": view})

    @blueprint.get("/rules/<row>")
    def rule(row: str) -> Response:
        """A row of the rulebook in our words."""
        return _json(live.do(lambda desk: _row(desk, row)))

    return blueprint


def _resolve(live: LiveTable, desk: Desk, asked: ResolveBody) -> dict[str, Any]:
    action = action_of(asked.action)
    units = frozenset(name for name in (action.unit, action.target) if name is not None)
    conflict(live, desk, asked.revision, units)
    result = desk.resolve(action, asked.dice, roll=asked.roll)
    if isinstance(result, Unfinished):
        return {
            "status": "needs_dice",
            "next": roll_view(result.next),
            "rolls": [rolled.to_builtins() for rolled in result.rolls],
            "events": [{k: v for k, v in event.to_builtins().items() if k != "effects"} for event in result.events],
        }
    return {"status": "done", "entry": entry_view(desk, result)}


def _row(desk: Desk, name: str) -> dict[str, Any]:
    rows = desk.ruleset.rows()
    if name not in rows:
        raise UnknownRow(f"{desk.ruleset.title} has no row {name!r}")
    row = rows[name]
    return {"id": row.id, "text": row.text, "page": row.page, "not_built": row.not_built}


def _answer(live: LiveTable, built: dict[str, Any]) -> Response:
    """The answer to a change, with the revision at which the state shows it."""
    return _json({**built, "revision": live.revision})


def _json(value: Any) -> Response:
    return Response(msgspec.json.encode(value), mimetype="application/json")
