"""Asking the other side, on its page, what its unit does in an action: who asks, who answers, how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from engine.errors import ActionRefused
from engine.play import Procedure
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.forms.forms import Choice, Field, Form
from tests.webui.test_door import BLUE, RED, phone
from tests.webui.toys import ToyRules, observed, seen
from webui.live import LiveTable
from webui.people.seats import SPECTATOR, UMPIRE, Seat
from webui.table.desk import Desk

RUSH = {"action": "shoot", "unit": "red-1", "target": "blue-1"}
DUCK = Field(
    key="answer", label="It", ask="choice", default="stand", said_by="target",
    choices=(Choice(value="stand", label="Stands"), Choice(value="duck", label="Ducks")),
)  # fmt: skip


@pytest.fixture(autouse=True)
def asked_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is shot at says whether he ducks; nobody flies."""
    begin, forms = ToyRules.begin, ToyRules.forms

    def begun(rules: ToyRules, game: Game, action: Action) -> Procedure[None]:
        if action.extra.get("answer") == "fly":
            raise ActionRefused(["nobody flies"])
        return begin(rules, game, action)

    def with_answer(rules: ToyRules) -> Mapping[str, Form]:
        return {**forms(rules), "shoot": Form(action="shoot", title="Shoot", target="must", fields=(DUCK,))}

    monkeypatch.setattr(ToyRules, "begin", begun)
    monkeypatch.setattr(ToyRules, "forms", with_answer)


@pytest.fixture
def red(live: LiveTable) -> FlaskClient:
    return phone(live, RED)


@pytest.fixture
def blue(live: LiveTable) -> FlaskClient:
    return phone(live, BLUE)


def post(client: FlaskClient, path: str, **body: Any) -> tuple[int, Any]:
    answer = client.post(f"/api/questions{path}", json=body)
    return answer.status_code, answer.json


def questions(client: FlaskClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/state").json["questions"]
    return found


def test_it_comes_to_the_other_side_and_its_answer_back(red: FlaskClient, blue: FlaskClient) -> None:
    status, told = post(red, "", action={**RUSH, "answer": "duck"})
    assert status == 200
    (question,) = questions(blue)
    assert question == told["question"]
    assert question["keys"] == ["answer"]
    assert question["answer"] is None  # what the asker had put there himself does not count
    assert post(blue, "/answer", number=question["number"], answer={"answer": "duck"})[0] == 200
    assert [one["answer"] for one in questions(red)] == [{"answer": "duck"}]


@pytest.mark.parametrize(("seat", "hears"), [(RED, True), (BLUE, True), (UMPIRE, True), (SPECTATOR, False)])
def test_it_is_told_to_both_sides_and_the_umpire(
    live: LiveTable, red: FlaskClient, seat: Seat, hears: bool
) -> None:
    post(red, "", action=RUSH)
    assert bool(questions(phone(live, seat))) is hears


def test_nobody_asks_or_answers_for_another(live: LiveTable, red: FlaskClient, blue: FlaskClient) -> None:
    assert post(blue, "", action=RUSH)[0] == 403
    assert post(phone(live, SPECTATOR), "", action=RUSH)[0] == 403
    number = post(red, "", action=RUSH)[1]["question"]["number"]
    assert post(red, "/answer", number=number, answer={"answer": "stand"})[0] == 403
    assert post(blue, "/withdraw", number=number)[0] == 403
    assert questions(blue)


@pytest.mark.parametrize(
    ("action", "status", "why"),
    [
        ({"action": "wait", "unit": "red-1"}, 400, "has something to say"),
        ({"action": "shoot", "unit": "red-1"}, 400, "a unit and its target"),
        ({"action": "shoot", "unit": "red-1", "target": "blue-9"}, 400, "a unit and its target"),
        ({"action": "dance", "unit": "red-1"}, 400, "has something to say"),
    ],
)
def test_what_cannot_be_asked_is_said(red: FlaskClient, action: dict[str, Any], status: int, why: str) -> None:
    found, told = post(red, "", action=action)
    assert found == status
    assert why in told["error"]


def test_an_answer_that_the_rules_do_not_allow_is_refused_with_its_reasons_and_another_may_be_given(
    red: FlaskClient, blue: FlaskClient
) -> None:
    number = post(red, "", action=RUSH)[1]["question"]["number"]
    status, told = post(blue, "/answer", number=number, answer={"answer": "fly"})
    assert (status, told["reasons"]) == (422, ["nobody flies"])
    assert post(blue, "/answer", number=number, answer={"target": "blue-9"})[0] == 400
    assert post(blue, "/answer", number=number, answer={"answer": "stand"})[0] == 200
    assert post(blue, "/answer", number=number, answer={"answer": "duck"})[0] == 422  # what was said stands


def test_a_unit_that_asks_again_asks_one_thing_alone(red: FlaskClient, blue: FlaskClient) -> None:
    first = post(red, "", action=RUSH)[1]["question"]["number"]
    second = post(red, "", action=RUSH)[1]["question"]["number"]
    assert [one["number"] for one in questions(blue)] == [second]
    assert post(blue, "/answer", number=first, answer={"answer": "duck"})[0] == 404
    assert post(red, "/withdraw", number=second)[0] == 200
    assert questions(blue) == []


def rushed(client: FlaskClient, **said: str) -> tuple[int, Any]:
    answer = client.post("/api/resolve", json={"action": {**RUSH, **said}, "dice": [], "roll": True})
    return answer.status_code, answer.json


def test_what_is_done_ends_it(red: FlaskClient, blue: FlaskClient) -> None:
    number = post(red, "", action=RUSH)[1]["question"]["number"]
    post(blue, "/answer", number=number, answer={"answer": "duck"})
    assert rushed(red, answer="duck")[0] == 200
    assert questions(red) == questions(blue) == []


def test_nobody_decides_for_the_other_side_what_it_was_asked(
    live: LiveTable, red: FlaskClient, blue: FlaskClient
) -> None:
    number = post(red, "", action=RUSH)[1]["question"]["number"]
    status, told = rushed(red, answer="duck")
    assert (status, "have not answered" in told["error"]) == (422, True)
    post(blue, "/answer", number=number, answer={"answer": "duck"})
    for said in ({}, {"answer": "stand"}):
        status, told = rushed(red, **said)
        assert (status, "their answer stands" in told["error"]) == (422, True)
    assert questions(blue)  # and nothing was done
    assert rushed(phone(live, UMPIRE), answer="stand")[0] == 200


@pytest.mark.parametrize(("unit", "stays"), [("blue-1", False), ("red-1", False), (None, True)])
def test_whoever_it_is_about_moves_and_ends_it_but_a_look_that_finds_all_as_it_was_does_not(
    live: LiveTable, red: FlaskClient, unit: str | None, stays: bool
) -> None:
    def look(desk: Desk, moved: str | None = None) -> None:
        bases = [
            seen(figure, one.side, dx=40.0 if one.id == moved else 0.0)
            for one in desk.game.units
            for figure in one.figures
        ]
        desk.look(observed(bases))

    live.do(look)
    post(red, "", action=RUSH)
    live.do(lambda desk: look(desk, unit))
    assert bool(questions(red)) is stays


def test_who_is_hidden_does_not_betray_himself_by_a_question(live: LiveTable, red: FlaskClient) -> None:
    def hide(desk: Desk) -> None:
        units = tuple(replace(one, state={"hidden": one.side == "red"}) for one in desk.game.units)
        desk.begin(replace(desk.game, units=units))

    live.do(hide)
    status, told = post(red, "", action=RUSH)
    assert status == 422
    assert "do not see that unit yet" in told["error"]
