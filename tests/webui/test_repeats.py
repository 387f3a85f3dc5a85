"""An order whose answer was lost is sent again by its page: it is known, and not done a second time."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from tests.webui.test_door import RED, phone
from webui.live import LiveTable

SHOT: dict[str, Any] = {"action": {"action": "shoot", "unit": "red-1", "target": "blue-1"}, "dice": [1, 1, 5, 2, 2]}


def send(client: FlaskClient, **body: Any) -> Any:
    answer = client.post("/api/resolve", json=body)
    assert answer.status_code == 200, answer.data
    return answer.json


def shots(client: FlaskClient) -> int:
    return sum(entry["kind"] == "action" for entry in client.get("/api/state").json["log"])


def test_the_same_order_sent_again_is_told_again_and_stands_once(client: FlaskClient) -> None:
    revision = client.get("/api/state").json["revision"]
    first = send(client, **SHOT, key="a", revision=revision)
    again = send(client, **SHOT, key="a", revision=revision)  # as the page knew the table then
    assert again["entry"]["number"] == first["entry"]["number"]
    assert (again["status"], shots(client)) == ("done", 1)


def test_a_new_order_of_the_same_kind_is_another(client: FlaskClient) -> None:
    send(client, **SHOT, key="a")
    send(client, **SHOT, key="b")
    send(client, **SHOT)
    assert shots(client) == 3


def test_another_s_key_says_nothing(client: FlaskClient, live: LiveTable) -> None:
    send(client, **SHOT, key="a")
    send(phone(live, RED), **SHOT, key="a")
    assert shots(client) == 2


def test_what_was_overruled_later_is_another_order(client: FlaskClient) -> None:
    send(client, **SHOT, key="a")
    send(client, action={**SHOT["action"], "override": True}, dice=SHOT["dice"], key="a")
    assert shots(client) == 2


def test_an_order_that_still_waits_for_dice_goes_on(client: FlaskClient) -> None:
    assert send(client, action=SHOT["action"], key="a")["status"] == "needs_dice"
    assert send(client, **SHOT, key="a")["status"] == "done"
    assert shots(client) == 1
