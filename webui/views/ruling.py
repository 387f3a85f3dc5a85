"""Routes for what the umpire alone sets: the rulings that a rulebook leaves open, a unit's state, the grid."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, request

from engine.errors import EngineError
from engine.rulesets.base.options import Option, options_of
from engine.rulesets.base.units.keys import unit_fields, unit_keys
from vision.mats import GridFound, NoGrid
from webui.camera.mat import find_grid, grid_like, told
from webui.errors import BadRequest, NotReady, Refused
from webui.live import LiveTable
from webui.people.door import seat_here
from webui.people.seats import judge
from webui.serving.answering import json_answer
from webui.serving.requests import AmendBody, FitBody, OptionBody, body
from webui.shown.state import entry_view
from webui.table.desk import Desk

__all__ = ["ruling"]


def ruling(live: LiveTable) -> Blueprint:
    """The routes."""
    blueprint = Blueprint("ruling", __name__, url_prefix="/api")

    @blueprint.get("/options")
    def options() -> Response:
        """Every option of the ruleset and how it is played."""
        return json_answer(
            {"options": [_view(one) for one in live.do(lambda desk: options_of(desk.ruleset, desk.game))]}
        )

    @blueprint.post("/options")
    def set_option() -> Response:
        """Has an option played otherwise from now on; the umpire's to say."""
        judge(seat_here())
        asked = body(OptionBody)
        entry = live.do(lambda desk: _set(desk, asked))
        return json_answer({"entry": entry, "revision": live.revision})

    @blueprint.get("/unit")
    def unit() -> Response:
        """What a unit's state and stats may say, and do; for the umpire."""
        judge(seat_here())
        name = request.args.get("unit", "")
        return json_answer(live.do(lambda desk: _keys(desk, name)))

    @blueprint.post("/unit")
    def amend() -> Response:
        """Sets keys of a unit's state and stats; the umpire's to say."""
        judge(seat_here())
        asked = body(AmendBody)
        entry = live.do(lambda desk: entry_view(desk, desk.amend(asked.unit, asked.state, asked.stats)))
        return json_answer({"entry": entry, "revision": live.revision})

    @blueprint.post("/grid/fit")
    def fit_grid() -> Response:
        """Has the grid printed on the mat found in the newest picture, and the game played on it; the umpire's."""
        judge(seat_here())
        found = _on_the_mat(live, body(FitBody))
        entry = live.do(lambda desk: entry_view(desk, desk.set_grid(found)))
        return json_answer({"entry": entry, "told": told(found), "revision": live.revision})

    return blueprint


def _on_the_mat(live: LiveTable, asked: FitBody) -> GridFound:
    measured = None if live.eye is None else live.eye.measured
    if measured is None:
        raise NotReady("the camera has not measured the table yet")
    image, camera, seen = measured
    like, table = live.do(lambda desk: (grid_like(desk.game), desk.table))
    try:
        return find_grid(image, camera, seen, table, like, kind=asked.kind, size_mm=asked.size_mm)
    except NoGrid as error:
        raise Refused("no grid was found on the mat", (str(error),)) from error


def _keys(desk: Desk, name: str) -> dict[str, Any]:
    unit = desk.game.by_id.get(name)
    if unit is None:
        raise BadRequest(f"unit: there is no unit {name!r} in the game")
    fields = msgspec.to_builtins(unit_fields(desk.ruleset))
    return {"unit": name, **unit_keys(desk.ruleset, unit), "fields": fields}


def _set(desk: Desk, asked: OptionBody) -> dict[str, Any]:
    try:
        return entry_view(desk, desk.set_option(asked.key, asked.value))
    except EngineError as error:
        raise BadRequest(str(error)) from error


def _view(option: Option) -> dict[str, Any]:
    return {"field": msgspec.to_builtins(option.field), "rule": option.rule, "value": option.value}
