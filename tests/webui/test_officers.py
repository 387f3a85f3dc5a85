"""Several players on a side, each with his own units; and what players say to each other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from tests.webui.test_door import BLUE, RED, act, phone
from tests.webui.toys import GAME
from webui.live import LiveTable, running
from webui.people.seats import SPECTATOR, Seat
from webui.table.desk import Desk

CASE = pytest.mark.rule
OWN = next(one.id for one in GAME.units if one.side == "red")
SHOOT = {"action": "shoot", "unit": OWN, "target": "blue-1"}


@pytest.fixture
def live(desk: Desk) -> Iterator[LiveTable]:
    """A table at which nobody hides."""
    desk.begin(GAME)
    table = LiveTable(desk, mode="serve", clock_s=lambda: 100.0)
    with running(table):
        yield table


def appoint(client: FlaskClient, name: str, *units: str, **more: str) -> int:
    """A commander hands units out."""
    return client.post("/api/officers", json={"name": name, "units": list(units), **more}).status_code


def officer(live: LiveTable, name: str = "Tom") -> FlaskClient:
    """A phone that has joined as an officer of red."""
    return phone(live, replace(RED, officer=name))


@CASE("MP-300")
def test_a_commander_orders_all_units_until_he_hands_some_out(live: LiveTable) -> None:
    commander = phone(live, RED)
    assert act(commander, {**SHOOT, "unit": OWN}) != 403
    assert appoint(commander, "Tom", OWN) == 200
    assert act(commander, SHOOT) == 403
    assert act(officer(live), SHOOT) != 403
    assert appoint(commander, "Tom") == 200
    assert act(commander, SHOOT) != 403


@CASE("MP-300")
def test_an_officer_orders_his_own_units_alone_and_does_not_end_the_turn(live: LiveTable) -> None:
    commander = phone(live, RED)
    appoint(commander, "Tom", OWN)
    appoint(commander, "Ann", *[one.id for one in GAME.units if one.side == "red" and one.id != OWN])
    tom = officer(live)
    assert tom.get("/api/join").json["seat"] == {
        "kind": "side", "side": "red", "officer": "Tom",
        "handed_out": [list(pair) for pair in live.seats()[0].handed_out],
    }  # fmt: skip
    assert tom.post("/api/turn", json={"number": 2, "side": "blue"}).status_code == 403
    assert appoint(tom, "Me", OWN) == 403


@CASE("MP-300")
def test_units_of_the_other_side_are_not_handed_out(live: LiveTable) -> None:
    commander = phone(live, RED)
    assert appoint(commander, "Tom", "blue-1") == 400
    assert appoint(commander, "To:m", OWN) == 400
    assert appoint(commander, "Tom", OWN, side="blue") == 403
    assert appoint(phone(live, SPECTATOR), "Tom", OWN) == 403


@CASE("MP-300")
def test_the_commander_and_the_umpire_learn_the_codes_of_officers(live: LiveTable, client: FlaskClient) -> None:
    appoint(phone(live, RED), "Tom", OWN)
    (tom,) = phone(live, RED).get("/api/officers").json["officers"]
    assert (tom["name"], tom["units"]) == ("Tom", [OWN])
    assert phone(live).post("/api/join", json={"code": tom["code"]}).json["seat"]["officer"] == "Tom"
    assert officer(live).get("/api/officers").json["officers"][0]["code"] is None
    assert phone(live, BLUE).get("/api/officers").json["officers"] == []


@CASE("MP-300")
def test_a_commander_invites_his_own_officers_and_nobody_else(live: LiveTable) -> None:
    commander = phone(live, RED)
    appoint(commander, "Tom", OWN)
    told = commander.get("/api/join").json
    assert [one["name"] for one in told["invitations"]] == ["side:red:Tom"]
    assert told["address"] == "http://192.168.7.1:8765/"
    assert commander.get("/api/join/qr.svg?seat=side:red:Tom").mimetype == "image/svg+xml"
    assert commander.get("/api/join/qr.svg?seat=side:red").status_code == 400
    for other in (phone(live, BLUE), officer(live), phone(live, SPECTATOR)):
        assert "invitations" not in other.get("/api/join").json
        assert other.get("/api/join/qr.svg?seat=side:red:Tom").status_code == 403


@CASE("MP-300")
def test_a_unit_has_one_officer_and_the_umpire_may_take_it_back(live: LiveTable) -> None:
    commander = phone(live, RED)
    appoint(commander, "Tom", OWN)
    appoint(commander, "Ann", OWN)
    assert [(one.name, one.units) for one in live.officers()] == [("Ann", (OWN,))]
    live.do(lambda desk: desk.undo(None))
    assert [(one.name, one.units) for one in live.officers()] == [("Tom", (OWN,))]


def said(client: FlaskClient, after: int = 0) -> list[str]:
    """What a page may read."""
    return [one["text"] for one in client.get(f"/api/messages?after={after}").json["messages"]]


@CASE("MP-301")
def test_messages_go_to_all_or_to_the_own_side(live: LiveTable) -> None:
    red, blue, watcher = phone(live, RED), phone(live, BLUE), phone(live, SPECTATOR)
    appoint(red, "Tom", OWN)
    assert red.post("/api/messages", json={"text": "Good  luck!"}).status_code == 200
    assert red.post("/api/messages", json={"text": "We go left", "own_side": True}).status_code == 200
    assert said(red) == said(officer(live)) == ["Good luck!", "We go left"]
    assert said(blue) == said(watcher) == ["Good luck!"]
    assert said(red, after=1) == ["We go left"]
    assert (red.get("/api/state").json["messages"], blue.get("/api/state").json["messages"]) == (2, 1)


@CASE("MP-301")
def test_a_message_has_words_and_a_spectator_no_side(live: LiveTable) -> None:
    red, watcher = phone(live, RED), phone(live, SPECTATOR)
    assert red.post("/api/messages", json={"text": "  "}).status_code == 400
    assert red.post("/api/messages", json={"text": "x" * 501}).status_code == 400
    assert watcher.post("/api/messages", json={"text": "psst", "own_side": True}).status_code == 403
    assert watcher.post("/api/messages", json={"text": "bravo"}).json["message"]["sender"] == "spectator"


@CASE("MP-301")
def test_pages_are_told_that_there_is_something_to_read(live: LiveTable) -> None:
    before = live.revision
    live.say(Seat(kind="side", side="red"), "hello", own_side=False)
    assert live.revision > before
