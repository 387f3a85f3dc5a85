"""Looking back: the table as it was after each entry of the log."""

from __future__ import annotations

import json
from typing import Any

from flask.testing import FlaskClient
from msgspec.structs import replace

from tests.webui.toys import GAME
from webui.live import LiveTable
from webui.people.concealing import known_game
from webui.people.seats import UMPIRE, Seat
from webui.shown.past import then_view
from webui.table.desk import Desk


def then(client: FlaskClient, number: int) -> Any:
    answer = client.get(f"/api/then?entry={number}")
    assert answer.status_code == 200, answer.data
    return answer.json


def figures(view: Any, unit: str) -> int:
    return len(next(one for one in view["game"]["units"] if one["id"] == unit)["figures"])


def shoot(client: FlaskClient) -> None:
    body = {"action": {"action": "shoot", "unit": "red-1", "target": "blue-1"}, "dice": [1, 1, 5, 2, 2]}
    assert client.post("/api/resolve", json=body).json["status"] == "done"


def test_the_table_is_shown_as_it_was_before_and_after_a_loss(client: FlaskClient) -> None:
    shoot(client)
    before, after = then(client, 1), then(client, 2)
    assert (figures(before, "blue-1"), figures(after, "blue-1")) == (4, 2)
    assert (before["number"], before["of"]) == (1, 2)
    assert after["entry"]["action"]["action"] == "shoot"


def test_what_was_undone_later_stood_then(client: FlaskClient) -> None:
    shoot(client)
    client.post("/api/undo", json={})
    assert figures(then(client, 2), "blue-1") == 2
    assert figures(then(client, 3), "blue-1") == 4


def test_looking_back_changes_nothing(client: FlaskClient, live: LiveTable) -> None:
    shoot(client)
    revision = live.revision
    then(client, 1)
    assert live.revision == revision


def test_an_entry_that_there_is_not_is_refused(client: FlaskClient) -> None:
    for number in ("0", "9", "x"):
        assert client.get(f"/api/then?entry={number}").status_code == 400


def test_what_was_or_is_hidden_from_a_seat_is_left_out(desk: Desk) -> None:
    hidden = [replace(unit, state={"hidden": unit.id == "blue-1"}) for unit in GAME.units]
    desk.begin(replace(GAME, units=tuple(hidden)))
    red = Seat(kind="side", side="red")
    for number in (1, 2):  # the first game did not hide it, but it is hidden now
        assert [unit["id"] for unit in then_view(desk, red, number)["game"]["units"]] == ["red-1"]
    assert len(then_view(desk, UMPIRE, 2)["game"]["units"]) == 2
    assert known_game(desk.game, frozenset()) is desk.game


def test_a_unit_in_sight_does_not_name_those_that_are_hidden() -> None:
    blue, red = GAME.units
    red = replace(red, stats={"rep": 4, "commander": blue.id}, state={"in_melee": [blue.id, "red-2"]})
    (seen,) = known_game(replace(GAME, units=(blue, red)), frozenset({blue.id})).units
    assert (seen.stats, seen.state) == ({"rep": 4}, {"in_melee": ["red-2"]})


def test_a_campaign_does_not_name_those_that_are_hidden() -> None:
    blue, red = GAME.units
    campaign = {"markers": [{"id": "m", "units": [red.id, blue.id]}], "by_unit": {blue.id: 3, red.id: 4}}
    seen = known_game(replace(GAME, conditions={"campaign": campaign}), frozenset({blue.id}))
    assert seen.conditions == {"campaign": {"markers": [{"id": "m", "units": [red.id]}], "by_unit": {red.id: 4}}}


def test_a_game_that_begins_once_more_before_anything_was_done_is_told_once(live: LiveTable) -> None:
    for _ in range(2):
        live.do(lambda desk: desk.begin(GAME))
    state = json.loads(live.state_json())
    assert [(entry["number"], entry["title"]) for entry in state["log"]] == [(3, "The game begins")]
    assert state["log_from"] == 3
    live.do(lambda desk: desk.set_turn(2, "blue"))
    live.do(lambda desk: desk.begin(GAME))
    assert [entry["number"] for entry in json.loads(live.state_json())["log"]] == [3, 4, 5]
