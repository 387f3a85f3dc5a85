"""Routes for asking the other side what it does, in the middle of an action, and for its answer."""

from __future__ import annotations

from flask import Blueprint, Response
from msgspec.structs import replace

from engine.records.action import Action
from webui.errors import BadRequest, Refused
from webui.live import LiveTable
from webui.people.concealing import concealed, demand_known, refused_for
from webui.people.door import seat_here
from webui.people.seats import Seat, act
from webui.serving.answering import json_answer
from webui.serving.requests import AnswerBody, OddsBody, WithdrawBody, body
from webui.table.desk import Desk, action_of
from webui.table.questions import Question, asked_of_target

__all__ = ["questioning"]


def questioning(live: LiveTable) -> Blueprint:
    """The routes."""
    blueprint = Blueprint("questioning", __name__, url_prefix="/api/questions")

    @blueprint.post("")
    def ask() -> Response:
        """Puts what the target's player has to say of an action on his page."""
        action, seat = action_of(body(OddsBody).action), seat_here()
        question = live.do(lambda desk: _ask(live, desk, action, seat))
        live.tell()
        return json_answer({"question": question.view()})

    @blueprint.post("/answer")
    def answer() -> Response:
        """Says it."""
        asked, seat = body(AnswerBody), seat_here()
        question = live.do(lambda desk: _answer(live, desk, asked, seat))
        live.tell()
        return json_answer({"question": question.view()})

    @blueprint.post("/withdraw")
    def withdraw() -> Response:
        """Takes a question back, or puts it away once its answer was heard."""
        number, seat = body(WithdrawBody).number, seat_here()

        def done(desk: Desk) -> None:
            act(seat, desk.game, _of(live.questions.get(number).action.unit))
            live.questions.withdraw(number)

        live.do(done)
        live.tell()
        return json_answer({})

    return blueprint


def _ask(live: LiveTable, desk: Desk, action: Action, seat: Seat) -> Question:
    game, hidden = desk.game, concealed(desk.ruleset, desk.game, seat)
    demand_known(desk.ruleset, game, seat, action)
    act(seat, game, action)
    keys = asked_of_target(desk.ruleset.forms().get(action.action))
    unit, target = (game.by_id.get(name or "") for name in (action.unit, action.target))
    if unit is None or target is None:
        raise BadRequest("action: expected a unit and its target")
    if unit.id in concealed(desk.ruleset, game, Seat(kind="side", side=target.side)):
        raise Refused("they do not see that unit yet: ask across the table")
    action = replace(action, extra={key: value for key, value in action.extra.items() if key not in keys})
    _demand_allowed(desk, action, hidden)
    asker = unit.side if seat.side is None else seat.side
    return live.questions.ask(action, keys, asker=asker, side=target.side, entries=len(desk.journal.entries))


def _answer(live: LiveTable, desk: Desk, asked: AnswerBody, seat: Seat) -> Question:
    question = live.questions.get(asked.number)
    act(seat, desk.game, _of(question.action.target))
    strange = [key for key in asked.answer if key not in question.keys]
    if strange:
        raise BadRequest(f"answer: {strange[0]}: expected one of {', '.join(question.keys)}")
    action = replace(question.action, extra={**question.action.extra, **asked.answer})
    _demand_allowed(desk, action, concealed(desk.ruleset, desk.game, seat))
    return live.questions.answer(asked.number, asked.answer)


def _demand_allowed(desk: Desk, action: Action, hidden: frozenset[str]) -> None:
    """Raises Refused with every reason where the rules do not allow the action as it was said."""
    try:
        desk.beginning(action)
    except Refused as error:
        raise refused_for(error, desk.game, hidden) from error


def _of(unit: str | None) -> Action:
    """Any action of a unit: whoever may have it done answers for the unit."""
    return Action(action="question", unit=unit)
