"""Joining a table: with a code, as a side, the umpire or a spectator; and what each may do and see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from engine.errors import ActionRefused
from tests.webui.toys import GAME
from webui.app import create_app
from webui.live import LiveTable
from webui.people.concealing import said_for
from webui.people.seats import SPECTATOR, UMPIRE, Seat, code_of
from webui.table.desk import Desk

KEY = b"a key that nobody knows"
PHONE = {"REMOTE_ADDR": "192.168.7.20"}
RED, BLUE = Seat(kind="side", side="red"), Seat(kind="side", side="blue")
SHOOT = {"action": "shoot", "unit": "red-1", "target": "blue-1"}


@pytest.fixture
def live(desk: Desk) -> Iterator[LiveTable]:
    """The blue unit is hidden from whoever is not blue."""
    units = tuple(
        replace(unit, name="Hurons", state={"hidden": True}) if unit.id == "blue-1" else unit for unit in GAME.units
    )
    desk.begin(replace(GAME, units=units))
    table = LiveTable(desk, mode="serve", clock_s=lambda: 100.0)
    table.start()
    yield table
    table.close()


def phone(live: LiveTable, seat: Seat | None = None) -> FlaskClient:
    """A phone of the network, which has joined a seat or none."""
    app = create_app(live, hosts=("localhost",), key=KEY, address="http://192.168.7.1:8765/")
    client = app.test_client()
    client.environ_base |= PHONE
    if seat is not None:
        joined = client.post("/api/join", json={"code": code_of(seat, KEY)})
        assert joined.status_code == 200, joined.data
        assert joined.json["seat"]["kind"] == seat.kind
    return client


def act(client: FlaskClient, action: dict[str, Any], **more: Any) -> int:
    return client.post("/api/resolve", json={"action": action, "dice": [], "roll": True, **more}).status_code


class TestJoining:
    def test_this_computer_is_the_umpire(self, client: FlaskClient) -> None:
        assert client.get("/api/join").json["seat"]["kind"] == "umpire"

    @pytest.mark.parametrize(
        "path",
        ["state", "state?as=spectator", "log?before=9", "events", "picture.jpg", "forms", "actions", "rules/T-1"],
    )
    def test_a_phone_that_has_not_joined_learns_nothing(self, live: LiveTable, path: str) -> None:
        answer = phone(live).get(f"/api/{path}")
        assert answer.status_code == 401
        assert "code" in answer.json["error"]

    def test_a_phone_that_has_not_joined_changes_nothing(self, live: LiveTable) -> None:
        assert act(phone(live), SHOOT) == 401

    def test_the_page_itself_opens_for_everybody_to_type_the_code(self, live: LiveTable) -> None:
        assert phone(live).get("/").status_code == 200
        assert phone(live).get("/api/join").json == {"seat": None}

    @pytest.mark.parametrize("seat", [RED, BLUE, UMPIRE, SPECTATOR], ids=lambda seat: seat.name)
    def test_a_code_lets_into_its_seat_and_into_no_other(self, live: LiveTable, seat: Seat) -> None:
        assert phone(live, seat).get("/api/state").json["seat"]["kind"] == seat.kind

    def test_a_code_may_be_typed_as_it_is_read_out(self, live: LiveTable) -> None:
        code = code_of(RED, KEY)
        client = phone(live)
        spelled = f" {code[:4].lower()}-{code[4:].lower()} "
        assert client.post("/api/join", json={"code": spelled}).json["seat"]["side"] == "red"

    def test_a_wrong_code_is_refused_and_many_are_not_tried(self, live: LiveTable) -> None:
        client = phone(live)
        codes = [client.post("/api/join", json={"code": f"WRONG{n}"}).status_code for n in range(25)]
        assert codes[0] == 401
        assert codes[-1] == 429
        assert client.post("/api/join", json={"code": code_of(UMPIRE, KEY)}).status_code == 429

    def test_who_guesses_codes_keeps_nobody_else_out(self, live: LiveTable) -> None:
        app = create_app(live, hosts=("localhost",), key=KEY)
        guesser, other = app.test_client(), app.test_client()
        guesser.environ_base |= PHONE
        other.environ_base |= {"REMOTE_ADDR": "192.168.7.21"}
        for number in range(30):
            guesser.post("/api/join", json={"code": f"WRONG{number}"})
        assert other.post("/api/join", json={"code": code_of(RED, KEY)}).status_code == 200
        assert guesser.post("/api/join", json={"code": code_of(RED, KEY)}).status_code == 429

    @pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
    def test_what_a_proxy_on_this_computer_hands_on_is_not_the_umpires(self, live: LiveTable, header: str) -> None:
        client = create_app(live, hosts=("localhost",), key=KEY).test_client()
        handed_on = {header: "for=192.168.7.20"}
        assert client.get("/api/state").status_code == 200
        assert client.get("/api/state", headers=handed_on).status_code == 401
        joined = client.post("/api/join", json={"code": code_of(UMPIRE, KEY)}, headers=handed_on)
        assert joined.status_code == 200
        assert client.get("/api/state", headers=handed_on).status_code == 200

    def test_a_cookie_of_another_table_opens_nothing(self, live: LiveTable) -> None:
        client = phone(live, UMPIRE)
        other = create_app(live, hosts=("localhost",), key=b"another key").test_client()
        other.environ_base |= PHONE
        for cookie in client.get("/api/state").request.headers.get("Cookie", "").split("; "):
            name, _, value = cookie.partition("=")
            other.set_cookie(name, value)
        assert other.get("/api/state").status_code == 401

    def test_only_the_umpire_is_told_the_codes(self, live: LiveTable) -> None:
        told = phone(live, UMPIRE).get("/api/join").json
        assert [one["name"] for one in told["invitations"]] == ["side:red", "side:blue", "umpire", "spectator"]
        assert told["address"] == "http://192.168.7.1:8765/"
        assert "invitations" not in phone(live, RED).get("/api/join").json
        assert phone(live, RED).get("/api/join/qr.svg?seat=umpire").status_code == 403

    def test_a_seats_picture_is_a_drawing_to_scan(self, live: LiveTable) -> None:
        answer = phone(live, UMPIRE).get("/api/join/qr.svg?seat=side:blue")
        assert answer.mimetype == "image/svg+xml"
        assert answer.data.startswith(b"<?xml")
        assert phone(live, UMPIRE).get("/api/join/qr.svg?seat=nobody").status_code == 400

    def test_a_seat_is_given_up_with_an_empty_code(self, live: LiveTable) -> None:
        client = phone(live, RED)
        assert client.post("/api/join", json={"code": ""}).json == {"seat": None}
        assert client.get("/api/state").status_code == 401


class TestActing:
    def test_a_side_orders_its_own_units_and_no_others(self, live: LiveTable) -> None:
        assert act(phone(live, BLUE), {"action": "wait", "unit": "red-1"}) == 403
        assert act(phone(live, RED), {"action": "wait", "unit": "red-1"}) == 200
        assert act(phone(live, BLUE), {"action": "wait", "unit": "blue-1"}) == 200

    def test_a_spectator_does_nothing(self, live: LiveTable) -> None:
        client = phone(live, SPECTATOR)
        figure = {"id": "red-1-1", "x_mm": 1.0, "y_mm": 1.0}
        bodies: dict[str, Any] = {
            "resolve": {"action": {"action": "wait", "unit": "red-1"}},
            "undo": {},
            "redo": {},
            "turn": {"number": 2, "side": "red"},
            "place": {"figures": [figure]},
            "demo/move": {"figures": [figure]},
            "assign": {"unit": "red-1", "bases": [{"x_mm": 1.0, "y_mm": 1.0}]},
        }
        for path, body in bodies.items():
            assert client.post(f"/api/{path}", json=body).status_code == 403, path

    def test_only_the_umpire_overrules(self, live: LiveTable) -> None:
        hush = {"action": "hush", "unit": "red-1", "override": True}
        assert act(phone(live, RED), hush) == 403
        assert act(phone(live, UMPIRE), hush) == 200

    def test_the_turn_is_passed_by_the_side_whose_it_is(self, live: LiveTable) -> None:
        body = {"number": 1, "side": "blue"}
        assert phone(live, BLUE).post("/api/turn", json=body).status_code == 403
        assert phone(live, RED).post("/api/turn", json=body).status_code == 200
        assert phone(live, BLUE).post("/api/turn", json={"number": 2, "side": "red"}).status_code == 200
        far = {"number": 9, "side": "blue"}
        assert phone(live, RED).post("/api/turn", json=far).status_code == 403
        assert phone(live, UMPIRE).post("/api/turn", json=far).status_code == 200

    def test_a_turn_that_two_phones_pass_on_at_once_is_passed_once(self, live: LiveTable) -> None:
        body = {"number": 1, "side": "blue"}
        told = [phone(live, seat).post("/api/turn", json=body) for seat in (RED, UMPIRE, RED)]
        assert [one.status_code for one in told] == [200, 200, 200]
        assert len({one.json["entry"]["number"] for one in told if one.json}) == 1
        log = json.loads(live.state_json())["log"]
        assert [entry["kind"] for entry in log] == ["begin", "turn"]
        back = {"number": 2, "side": "red"}
        assert phone(live, BLUE).post("/api/turn", json=back).status_code == 200

    def test_a_side_puts_only_its_own_figures_right(self, live: LiveTable) -> None:
        body = {"figures": [{"id": "blue-1-1", "x_mm": 300.0, "y_mm": 300.0}]}
        assert phone(live, RED).post("/api/place", json=body).status_code == 403
        assert phone(live, BLUE).post("/api/place", json=body).status_code == 200

    def test_a_side_takes_back_what_its_own_troops_did(self, live: LiveTable) -> None:
        assert act(phone(live, RED), {"action": "wait", "unit": "red-1"}) == 200
        assert phone(live, BLUE).post("/api/undo", json={}).status_code == 403
        assert phone(live, RED).post("/api/undo", json={}).status_code == 200
        assert phone(live, BLUE).post("/api/redo", json={}).status_code == 403


class TestHidden:
    """The words that would give the hidden unit away are on no wire but its own side's and the umpire's."""

    SECRETS = ("blue-1", "Hurons")

    def wire(self, client: FlaskClient) -> str:
        """Everything that a page can ask for."""
        paths = ("state", "log?before=99", "actions?unit=red-1", "actions", "forms")
        return "\n".join(client.get(f"/api/{path}").data.decode() for path in paths)

    @pytest.mark.parametrize("seat", [RED, SPECTATOR], ids=lambda seat: seat.name)
    def test_who_may_not_see_it_is_never_sent_it(self, live: LiveTable, seat: Seat) -> None:
        assert act(phone(live, UMPIRE), {"action": "wait", "unit": "blue-1"}) == 200  # stands in the log
        wire = self.wire(phone(live, seat))
        for secret in self.SECRETS:
            assert secret not in wire, secret

    @pytest.mark.parametrize("seat", [BLUE, UMPIRE], ids=lambda seat: seat.name)
    def test_who_may_see_it_sees_all_of_it(self, live: LiveTable, seat: Seat) -> None:
        state = phone(live, seat).get("/api/state").json
        assert [unit["id"] for unit in state["game"]["units"]] == ["red-1", "blue-1"]

    @pytest.mark.parametrize("seat", [UMPIRE, BLUE], ids=lambda seat: seat.name)
    def test_a_screen_for_the_room_is_told_what_a_spectator_is(self, live: LiveTable, seat: Seat) -> None:
        client = phone(live, seat)
        known = client.get("/api/state").json["drawn"]
        for query in ("as=spectator", f"as=spectator&drawn={known}"):
            wire = client.get(f"/api/state?{query}").data.decode()
            assert not [secret for secret in self.SECRETS if secret in wire]
            assert '"kind":"spectator"' in wire
        assert "blue-1" in client.get("/api/state").data.decode()  # its own page is told as before

    def test_the_log_says_that_something_happened(self, live: LiveTable) -> None:
        act(phone(live, BLUE), {"action": "wait", "unit": "blue-1"})
        entry = phone(live, RED).get("/api/state").json["log"][-1]
        assert entry["title"] == "Something that you do not see"
        assert not entry["events"]
        assert phone(live, BLUE).get("/api/state").json["log"][-1]["action"]["unit"] == "blue-1"

    def test_what_is_hidden_cannot_be_shot_at_by_guessing_its_name(self, live: LiveTable) -> None:
        answer = phone(live, RED).post("/api/resolve", json={"action": SHOOT, "dice": []})
        assert answer.status_code == 400

    @pytest.mark.parametrize("path", ["try", "odds", "resolve"])
    def test_a_guessed_name_is_answered_like_one_that_is_nobodys(self, live: LiveTable, path: str) -> None:
        client = phone(live, RED)
        for name in ("blue-1", "blue-7"):
            action = {"action": "shoot", "unit": "red-1", "target": name}
            told = client.post(f"/api/{path}", json={"action": action}).data.decode()
            assert told.replace(name, "NAME") == client.post(
                f"/api/{path}", json={"action": {**action, "target": "blue-9"}}
            ).data.decode().replace("blue-9", "NAME")

    def test_a_refusal_does_not_name_what_stands_in_the_way(
        self, live: LiveTable, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> None:
            raise ActionRefused(["blue-1 stands in the way", "too far"])

        monkeypatch.setattr("tests.webui.toys.ToyRules.begin", refuse)
        body = {"action": {"action": "wait", "unit": "red-1"}}
        told = {seat: phone(live, seat).post("/api/resolve", json=body).json["reasons"] for seat in (RED, UMPIRE)}
        assert told[RED] == ["something that you do not see", "too far"]
        assert told[UMPIRE] == ["blue-1 stands in the way", "too far"]

    def test_whose_name_only_begins_or_ends_like_a_hidden_one_plays_on(self, live: LiveTable) -> None:
        def begin(desk: Desk) -> None:
            red, blue = (replace(unit, figures=()) for unit in GAME.units)
            hidden = replace(blue, id="red-1", state={"hidden": True})
            desk.begin(replace(GAME, units=(replace(red, id="red-10"), hidden, replace(red, id="old-red-1"))))

        live.do(begin)
        for name in ("red-10", "old-red-1"):
            assert act(phone(live, RED), {"action": "wait", "unit": name}) == 200
            assert phone(live, RED).get("/api/state").json["log"][-1]["action"]["unit"] == name
        assert act(phone(live, RED), {"action": "shoot", "unit": "red-10", "target": "red-1"}) == 400

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("blue-1 fires", False), ("Hurons, 4 in away", False), ("blue-1-9 is hit", False),
            ("1st Hurons Foot", True), ("blue-10 fires", True), ("the blue-1st", True),
        ],
    )  # fmt: skip
    def test_only_a_text_that_names_it_is_kept_back(self, live: LiveTable, text: str, told: bool) -> None:
        game = live.do(lambda desk: desk.game)
        near = replace(game.unit("red-1"), id="red-2", name="1st Hurons Foot")
        game = replace(game, units=(*game.units, near))
        assert (said_for(text, game, frozenset({"blue-1"})) == text) is told

    def test_once_it_is_seen_everything_is_told(self, live: LiveTable) -> None:
        client = phone(live, RED)
        assert len(client.get("/api/state").json["game"]["units"]) == 1

        def show(desk: Desk) -> None:
            units = tuple(replace(unit, state={}) for unit in desk.game.units)
            desk.begin(replace(desk.game, units=units))

        live.do(show)
        state = client.get("/api/state").json
        assert len(state["game"]["units"]) == 2
        assert "Hurons" in json.dumps(state)
