"""What one player has to ask another in the middle of an action: how the target of a charge answers it, say.

A question is put on the page of the side whose decision it is, and its answer goes back to the page of whoever
asked. Nothing of it is written down: the action that follows carries the answer, and a program that ends forgets
what was asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.records.action import Action
from engine.rulesets.base.forms.forms import Form
from webui.errors import BadRequest, Refused, WebError
from webui.people.seats import Seat

__all__ = ["Question", "Questions", "asked_of_target"]


class NoQuestion(WebError, LookupError):
    """A question that is not open: it was taken back, or the game has gone on."""

    status = 404


class Question(Struct, frozen=True, kw_only=True):
    """An action of ``asker``'s side whose ``keys`` are for ``side`` to say; ``answer`` once it was said.

    ``entries``: how many entries the journal had when it was asked.
    """

    number: int
    action: Action
    keys: tuple[str, ...]
    asker: str | None
    side: str
    entries: int
    answer: Mapping[str, Any] | None = None

    def view(self) -> dict[str, Any]:
        """The question as pages are told it: of the action only who acts on whom."""
        return {
            "number": self.number, "action": self.action.action, "unit": self.action.unit,
            "target": self.action.target, "keys": self.keys, "side": self.side, "answer": self.answer,
        }  # fmt: skip


class Questions:
    """The questions that are open at a table, one for each unit that acts; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, Question] = {}
        self._count = 0

    def ask(self, action: Action, keys: tuple[str, ...], *, asker: str | None, side: str, entries: int) -> Question:
        """Asks, in the place of whatever was asked for the same unit before."""
        with self._lock:
            self._count += 1
            question = Question(
                number=self._count, action=action, keys=keys, asker=asker, side=side, entries=entries
            )
            self._open[action.unit or ""] = question
        return question

    def get(self, number: int) -> Question:
        """An open question. Raises NoQuestion."""
        with self._lock:
            return self._found(number)

    def answer(self, number: int, answer: Mapping[str, Any]) -> Question:
        """Answers; what was said stands. Raises NoQuestion, Refused."""
        with self._lock:
            question = self._found(number)
            if question.answer is not None:
                raise Refused("that is answered already: whoever asked may ask again")
            question = replace(question, answer=dict(answer))
            self._open[question.action.unit or ""] = question
        return question

    def demand_said(self, action: Action) -> None:
        """Makes sure that an action says what its target's player did, where he was asked. Raises Refused."""
        with self._lock:
            question = self._open.get(action.unit or "")
        if question is None or (question.action.action, question.action.target) != (action.action, action.target):
            return
        if question.answer is None:
            raise Refused(f"{question.side} were asked and have not answered: wait for them, or take it back")
        if any(action.extra.get(key) != value for key, value in question.answer.items()):
            raise Refused(f"{question.side} have answered otherwise: their answer stands")

    def withdraw(self, number: int) -> None:
        """Takes a question back. Raises NoQuestion."""
        with self._lock:
            del self._open[self._found(number).action.unit or ""]

    def keep(self, stands: Callable[[Question], bool]) -> None:
        """Lets those go that stand no longer."""
        with self._lock:
            self._open = {unit: question for unit, question in self._open.items() if stands(question)}

    def told(self, seat: Seat) -> list[dict[str, Any]]:
        """What a seat is told: what its side asked or has to say; the umpire everything."""
        with self._lock:
            known = [
                question
                for question in self._open.values()
                if seat.kind == "umpire" or (seat.side is not None and seat.side in (question.asker, question.side))
            ]
        return [question.view() for question in known]

    def _found(self, number: int) -> Question:
        for question in self._open.values():
            if question.number == number:
                return question
        raise NoQuestion("that question is not open any more")


def asked_of_target(form: Form | None) -> tuple[str, ...]:
    """The keys of an action that its target's player says. Raises BadRequest where there are none."""
    keys = () if form is None else tuple(field.key for field in form.fields if field.said_by == "target")
    if not keys:
        raise BadRequest("action: expected one in which the target's player has something to say")
    return keys
