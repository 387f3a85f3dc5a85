"""Routes for playing: actions with their dice, chances, undo, the turn, the rules' rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request

from engine.events import Event
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.ruleset import Ruleset
from engine.unfinished import Unfinished
from webui.errors import Refused, WebError
from webui.live import LiveTable, conflict
from webui.people.concealing import concealed, demand_known, entry_for, known_to, refused_for, said_for
from webui.people.door import seat_here
from webui.people.seats import Seat, act, between_battles, pass_turn, take_back
from webui.serving.answering import json_answer
from webui.serving.requests import OddsBody, ResolveBody, TurnBody, UndoBody, body
from webui.shown.state import entry_view
from webui.table.desk import Desk, action_of
from webui.table.trying import campaign_view, forms_view, open_view, roll_view, tried

__all__ = ["playing"]


class UnknownRow(WebError, LookupError):
    """A row that the rulebook does not have."""

    status = 404


def playing(live: LiveTable) -> Blueprint:
    """The routes."""
    blueprint = Blueprint("playing", __name__, url_prefix="/api")
    _asking(blueprint, live)

    @blueprint.post("/resolve")
    def resolve() -> Response:
        """Plays an action: it is done, or says which dice it waits for."""
        asked, seat = body(ResolveBody), seat_here()
        return _answer(live, live.do(lambda desk: _resolve(live, desk, asked, seat)))

    @blueprint.post("/undo")
    def undo() -> Response:
        """Takes the newest entry back; the log keeps both."""
        number, seat = body(UndoBody).number, seat_here()
        return _answer(live, live.do(lambda desk: _take_back(desk, seat, number, again=False)))

    @blueprint.post("/redo")
    def redo() -> Response:
        """Lets the entry that was undone last stand again."""
        number, seat = body(UndoBody).number, seat_here()
        return _answer(live, live.do(lambda desk: _take_back(desk, seat, number, again=True)))

    @blueprint.post("/turn")
    def turn() -> Response:
        """Says whose turn it is."""
        asked, seat = body(TurnBody), seat_here()

        def done(desk: Desk) -> dict[str, Any]:
            turn = desk.game.turn
            if (turn.number, turn.active_side) != (
                asked.number,
                asked.side,
            ):  # somebody else was quicker to pass it
                pass_turn(seat, desk.game, asked.number)
            return entry_view(desk, desk.set_turn(asked.number, asked.side))

        return _answer(live, {"entry": live.do(done)})

    return blueprint


def _asking(blueprint: Blueprint, live: LiveTable) -> None:
    """The routes that change nothing: they are answered from what the seat knows."""

    @blueprint.post("/odds")
    def odds() -> Response:
        """The exact chances of an action."""
        from webui.table.chances import chances

        action = action_of(body(OddsBody).action)
        return json_answer(_of_known(live, lambda rules, game: chances(rules, game, action)))

    @blueprint.get("/forms")
    def forms() -> Response:
        """What every action of the ruleset asks of a player."""
        return json_answer(live.do(lambda desk: forms_view(desk.ruleset)))

    @blueprint.get("/actions")
    def actions() -> Response:
        """How the actions of ``unit`` stand, or those of the game; with the revision that this is of."""
        unit, revision = request.args.get("unit"), live.revision
        return json_answer(
            {**_of_known(live, lambda rules, game: open_view(rules, game, unit)), "revision": revision}
        )

    @blueprint.post("/try")
    def try_() -> Response:
        """Whether an action would be allowed as it stands; nothing changes."""
        action = action_of(body(OddsBody).action)
        return json_answer(_of_known(live, lambda rules, game: tried(rules, game, action)))

    @blueprint.get("/campaign")
    def campaign() -> Response:
        """The campaign as the present seat knows it; null where the rules have none."""
        revision = live.revision
        return json_answer({**_of_known(live, campaign_view), "revision": revision})

    @blueprint.get("/rules/<row>")
    def rule(row: str) -> Response:
        """A row of the rulebook in our words."""
        return json_answer(live.do(lambda desk: _row(desk, row)))


def _of_known(live: LiveTable, answer: Callable[[Ruleset, Game], dict[str, Any]]) -> dict[str, Any]:
    """An answer worked out from the game as the present seat knows it."""
    seat = seat_here()

    def work(desk: Desk) -> dict[str, Any]:
        rules, game = desk.ruleset, desk.game
        return answer(rules, known_to(rules, game, seat).game)

    return live.do(work)


def _take_back(desk: Desk, seat: Seat, number: int | None, *, again: bool) -> dict[str, Any]:
    entry = desk.journal.redoable() if again else desk.journal.undoable()
    entries = desk.journal.entries
    while entry is not None and entry.undoes is not None:
        entry = entries[entry.undoes - 1]
    take_back(seat, desk.game, None if entry is None else entry.action)
    return {"entry": entry_view(desk, desk.redo(number) if again else desk.undo(number))}


def _resolve(live: LiveTable, desk: Desk, asked: ResolveBody, seat: Seat) -> dict[str, Any]:
    action = action_of(asked.action)
    hidden = concealed(desk.ruleset, desk.game, seat)
    demand_known(desk.ruleset, desk.game, seat, action)
    action, between = between_battles(seat, action, desk.ruleset.forms())
    if asked.key is not None:
        done = live.repeats.entry(seat, asked.key, action, desk.journal.entries)
        if done is not None:
            return {"status": "done", "entry": entry_for(entry_view(desk, done), desk.game, hidden, seat)}
    _demand_may(desk, seat, action, between=between)
    units = frozenset(name for name in (action.unit, action.target) if name is not None)
    conflict(live, desk, asked.revision, units)
    before = desk.game
    try:
        if asked.only_ask:
            return _beginning(desk, action, hidden)
        if seat.kind != "umpire":
            live.questions.demand_said(action)
        result = desk.resolve(action, asked.dice, roll=asked.roll)
    except Refused as error:
        raise refused_for(error, before, hidden) from error
    if isinstance(result, Unfinished):
        return _waiting(desk, result, before, hidden)
    if asked.key is not None:
        live.repeats.note(seat, asked.key, action, result)
    still = concealed(desk.ruleset, desk.game, seat)
    return {"status": "done", "entry": entry_for(entry_view(desk, result), before, still & hidden, seat)}


def _beginning(desk: Desk, action: Action, hidden: frozenset[str]) -> dict[str, Any]:
    """What an action would begin with; a refusal is an answer here, for it was only asked."""
    try:
        waiting = desk.beginning(action)
    except Refused as error:
        refused = refused_for(error, desk.game, hidden)
        return {"status": "refused", "error": str(refused), "reasons": list(refused.reasons)}
    return {"status": "ready"} if waiting is None else _waiting(desk, waiting, desk.game, hidden)


def _waiting(desk: Desk, so_far: Unfinished, game: Game, hidden: frozenset[str]) -> dict[str, Any]:
    """An action that waits for dice; to whom units are hidden its rolls are told without their names."""
    names = desk.teller.names(desk.game, desk.ruleset)
    rolls = [rolled.to_builtins() for rolled in so_far.rolls]
    for roll in rolls:
        roll["for"] = names.asked(said_for(str(roll["for"]), game, hidden))
    purpose = said_for(so_far.next.purpose, game, hidden)
    coming = {**roll_view(so_far.next, names), "for": names.asked(purpose), "units": names.units_in(purpose)}
    return {
        "status": "needs_dice",
        "next": coming,
        "rolls": rolls,
        "events": [] if hidden else [_told(event) for event in so_far.events],
    }


def _demand_may(desk: Desk, seat: Seat, action: Action, *, between: bool) -> None:
    """Makes sure that a seat may have an action done; what passes the turn on is its side's whose turn it is.

    Such an action may name the side that comes next. Raises NotYours.
    """
    form = desk.ruleset.forms().get(action.action)
    if form is not None and form.passes != "none" and action.unit is None and not action.override:
        pass_turn(seat, desk.game)
    else:
        act(seat, desk.game, action, between=between)


def _told(event: Event) -> dict[str, Any]:
    return {key: value for key, value in event.to_builtins().items() if key != "effects"}


def _row(desk: Desk, name: str) -> dict[str, Any]:
    rows = desk.ruleset.rows()
    if name not in rows:
        raise UnknownRow(f"{desk.ruleset.title} has no row {name!r}")
    row = rows[name]
    return {"id": row.id, "text": row.text, "page": row.page, "not_built": row.not_built}


def _answer(live: LiveTable, built: dict[str, Any]) -> Response:
    """The answer to a change, with the revision at which the state shows it."""
    return json_answer({**built, "revision": live.revision})
