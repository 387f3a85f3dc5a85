"""Two players on each side of a battle: who orders which unit, who is asked about it, who takes back what."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from engine.keeping.journal import Journal
from engine.records.game import game_from
from tests.engine.muskets_mohawks.playing import game, unit
from tests.webui.test_door import phone
from tests.webui.toys import TABLE
from webui.live import LiveTable, running
from webui.people.seats import Seat
from webui.table.desk import Desk

pytestmark = pytest.mark.rule("MP-300")

SCENE = game(
    unit("grenadiers", "british", at=(500, 300)), unit("rangers", "british", type="irregular", at=(1300, 300)),
    unit("marines", "french", at=(1300, 540), facing=180), unit("line", "french", at=(500, 540), facing=180),
)  # fmt: skip


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveTable]:
    """The rangers are Tom's, the marines Guy's; all others are the commanders'."""
    ticks, seeds = itertools.count(), itertools.count(1)
    desk = Desk(
        Journal(tmp_path / "journal.db"), TABLE, lambda: f"2026-11-21T10:00:{next(ticks):02}Z", lambda: next(seeds)
    )
    desk.begin(game_from(SCENE, "the scene"))
    table = LiveTable(desk, mode="serve", clock_s=lambda: 100.0)
    with running(table):
        for side, name, handed in (("british", "Tom", "rangers"), ("french", "Guy", "marines")):
            body = {"name": name, "units": [handed]}
            assert at(table, side).post("/api/officers", json=body).status_code == 200
        yield table
    desk.journal.close()


def at(live: LiveTable, side: str, officer: str | None = None) -> FlaskClient:
    """The phone of a commander, or of an officer under him."""
    return phone(live, replace(Seat(kind="side", side=side), officer=officer))


def does(client: FlaskClient, **action: Any) -> int:
    """Has an action done with the program's dice; the status."""
    return client.post("/api/resolve", json={"action": action, "dice": [], "roll": True}).status_code


def test_an_officer_s_charge_is_answered_by_the_officer_whose_unit_is_charged(live: LiveTable) -> None:
    british, tom, french, guy = (
        at(live, "british"),
        at(live, "british", "Tom"),
        at(live, "french"),
        at(live, "french", "Guy"),
    )
    charge = {"action": "charge", "unit": "rangers", "target": "marines"}
    assert british.post("/api/questions", json={"action": charge}).status_code == 403
    asked = tom.post("/api/questions", json={"action": charge})
    assert asked.status_code == 200
    said = {"number": asked.json["question"]["number"], "answer": {"target_mode": "at-will"}}
    assert [one.post("/api/questions/answer", json=said).status_code for one in (french, tom, guy)] == [
        403,
        403,
        200,
    ]
    assert does(british, **charge, target_mode="at-will") == 403
    assert does(tom, **charge) == 422  # he leaves out what was answered
    assert does(tom, **charge, target_mode="at-will") == 200


def test_each_takes_back_what_his_own_units_did(live: LiveTable) -> None:
    british, tom, guy = at(live, "british"), at(live, "british", "Tom"), at(live, "french", "Guy")
    assert does(tom, action="prone", unit="rangers") == 200
    assert [one.post("/api/undo", json={}).status_code for one in (british, guy, tom)] == [403, 403, 200]
    assert does(british, action="prone", unit="grenadiers") == 200
    assert [one.post("/api/undo", json={}).status_code for one in (tom, guy, british)] == [403, 403, 200]


def test_the_turn_is_ended_by_the_commander_whose_it_is(live: LiveTable) -> None:
    british, tom, french = at(live, "british"), at(live, "british", "Tom"), at(live, "french")
    assert does(tom, action="pass-turn") == 403
    assert does(french, action="pass-turn") == 403
    assert does(british, action="pass-turn") == 200
    assert british.get("/api/state").json["game"]["turn"]["active_side"] == "french"
    assert does(french, action="pass-turn") == 200
    turn = {"number": 3, "side": "french"}
    assert [one.post("/api/turn", json=turn).status_code for one in (tom, french, british)] == [403, 403, 200]
