"""The routes, as a page and as a stranger meet them."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from werkzeug.test import TestResponse

from tests.webui.toys import GAME, everyone, observed
from webui.app import create_app
from webui.camera.sightings import CameraView, Look, Picture
from webui.live import LiveTable

SHOOT = {"action": "shoot", "unit": "red-1", "target": "blue-1"}
POSTS = ("resolve", "odds", "undo", "redo", "turn", "place", "assign", "demo/move")


def post(client: FlaskClient, path: str, **body: Any) -> TestResponse:
    return client.post(f"/api/{path}", json=body)


def state(client: FlaskClient) -> dict[str, Any]:
    answer = client.get("/api/state")
    assert answer.status_code == 200
    return json.loads(answer.data)


class TestState:
    def test_it_holds_everything_that_the_page_draws(self, client: FlaskClient) -> None:
        got = state(client)
        assert got["game"]["format"] == "vedette-game/1"
        assert got["answer"]["format"] == "vedette-answer/1"
        assert [unit["unit"] for unit in got["answer"]["units"]] == ["red-1", "blue-1"]
        assert got["ruleset"] == {
            "id": "toy",
            "title": "Toy Soldiers",
            "unit": "in",
            "mm_per_unit": 25.4,
            "parts": [],
        }
        assert got["table"] == {"width_mm": 1200.0, "depth_mm": 900.0}
        assert got["sides"][0] == {"name": "red", "edge": "south", "colour": "#9e2b25"}
        assert got["mode"] == "serve"
        assert got["camera"]["state"] == "starting"
        assert (got["picture"], got["undo"], got["redo"]) == (None, None, None)
        assert [entry["title"] for entry in got["log"]] == ["The game begins"]

    def test_an_unchanged_state_is_not_sent_again(self, client: FlaskClient) -> None:
        revision = state(client)["revision"]
        answer = client.get(f"/api/state?since={revision}")
        assert answer.json == {"revision": revision, "unchanged": True}

    def test_what_a_page_has_drawn_already_is_left_out(self, client: FlaskClient, live: LiveTable) -> None:
        had = state(client)
        live.camera_is(CameraView(state="live"))
        newer = client.get(f"/api/state?since={had['revision']}&drawn={had['drawn']}").json
        assert newer is not None
        assert newer["revision"] > had["revision"]
        assert newer["camera"]["state"] == "live"
        assert not newer.keys() & {"game", "answer", "log", "presence", "trouble"}
        assert {**had, **newer} == state(client)
        stray = replace(everyone(GAME)[0], x_mm=900.0)
        live.looked(Look(frame=1, observation=observed([*everyone(GAME)[1:], stray])))
        live.do(lambda desk: None)
        assert client.get(f"/api/state?since={had['revision']}&drawn={had['drawn']}").json == state(client)

    def test_what_the_camera_sees_is_in_it(self, client: FlaskClient, live: LiveTable) -> None:
        stray = replace(everyone(GAME)[0], x_mm=900.0)
        live.looked(Look(frame=1, observation=observed([*everyone(GAME)[1:], stray])))
        live.do(lambda desk: None)
        got = state(client)
        assert got["presence"]["blue-1"] == {"seen": 4, "of": 4}
        assert got["camera"]["markers_used"] == [0, 1, 2]

    def test_it_is_compressed_for_whoever_takes_that(self, client: FlaskClient) -> None:
        for number in range(2, 20):
            post(client, "turn", number=number, side="red")
        answer = client.get("/api/state", headers={"Accept-Encoding": "gzip"})
        assert answer.content_encoding == "gzip"
        assert json.loads(gzip.decompress(answer.data)) == state(client)
        assert client.get("/api/state", headers={"Accept-Encoding": "identity"}).content_encoding is None

    def test_a_picture_that_is_too_old_is_said_to_be(self, client: FlaskClient, live: LiveTable) -> None:
        live.camera_is(CameraView(state="live", seen_at_s=97.0))
        assert state(client)["camera"]["stale"] is True
        live.camera_is(CameraView(state="live", seen_at_s=99.5))
        got = state(client)["camera"]
        assert (got["stale"], got["age_s"]) == (False, 0.5)

    def test_a_newer_frame_alone_is_no_news(self, live: LiveTable) -> None:
        live.camera_is(CameraView(state="live", seen_at_s=99.0))
        before = live.revision
        live.camera_is(CameraView(state="live", seen_at_s=99.9))
        assert live.revision == before

    def test_a_rules_engine_that_fails_is_said_and_the_page_goes_on(
        self, client: FlaskClient, live: LiveTable, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object) -> None:
            raise ZeroDivisionError("no such thing")

        monkeypatch.setattr("tests.webui.toys.ToyRules.ask", broken)
        post(client, "turn", number=2, side="blue")
        got = state(client)
        assert got["answer"]["units"] == []
        assert "no such thing" in got["trouble"][0]


class TestPlaying:
    def test_dice_are_asked_for_one_roll_after_the_other(self, client: FlaskClient) -> None:
        first = post(client, "resolve", action=SHOOT).json
        assert first == {
            "status": "needs_dice",
            "next": {"for": "Shots", "count": 3, "die": "d6", "success": "==1", "rule": "T-1", "units": []},
            "rolls": [],
            "events": [],
            "revision": first["revision"],
        }
        second = post(client, "resolve", action=SHOOT, dice=[1, 2, 3]).json
        assert second["next"]["for"] == "Nerve"
        assert second["rolls"][0]["passed"] == 1
        assert second["events"][0]["event"] == "fired"
        assert len(state(client)["game"]["units"][1]["figures"]) == 4
        done = post(client, "resolve", action=SHOOT, dice=[1, 2, 3, 4, 4]).json
        assert done["status"] == "done"
        assert done["entry"]["title"] == "1st Reds: shoot, Blue 1"
        assert len(state(client)["game"]["units"][1]["figures"]) == 3

    def test_the_answer_names_the_revision_at_which_the_state_shows_it(self, client: FlaskClient) -> None:
        done = post(client, "resolve", action=SHOOT, roll=True).json
        assert state(client)["revision"] == done["revision"]
        assert state(client)["log"][-1]["number"] == done["entry"]["number"]

    def test_a_refusal_carries_every_reason(self, client: FlaskClient) -> None:
        answer = post(client, "resolve", action={"action": "hush", "unit": "red-1"})
        assert answer.status_code == 422
        assert answer.json["reasons"] == ["nobody hushes a soldier", "and never two"]

    def test_an_old_page_is_told_to_look_again(self, client: FlaskClient) -> None:
        old = state(client)["revision"]
        post(client, "turn", number=2, side="blue")
        answer = post(client, "resolve", action=SHOOT, dice=[], revision=old)
        assert answer.status_code == 409
        assert post(client, "resolve", action=SHOOT, revision=state(client)["revision"]).status_code == 200

    def test_undo_and_redo(self, client: FlaskClient) -> None:
        done = post(client, "resolve", action=SHOOT, roll=True).json["entry"]
        assert state(client)["undo"]["number"] == done["number"]
        undone = post(client, "undo", number=done["number"])
        assert undone.status_code == 200
        got = state(client)
        assert len(got["game"]["units"][1]["figures"]) == 4
        assert [entry["undone"] for entry in got["log"]] == [False, True, False]
        assert got["log"][-1]["title"] == "Undone: 1st Reds: shoot, Blue 1"
        assert got["redo"]["title"] == "1st Reds: shoot, Blue 1"
        assert post(client, "redo").status_code == 200
        assert [entry["undone"] for entry in state(client)["log"]][1] is False

    def test_another_undo_than_the_last_is_not_redone(self, client: FlaskClient) -> None:
        post(client, "resolve", action=SHOOT, roll=True)
        post(client, "undo")
        before = state(client)
        refused = post(client, "redo", number=before["redo"]["number"] - 1)
        assert refused.status_code == 422
        assert "cannot be redone" in refused.json["error"]
        assert state(client)["log"] == before["log"]
        assert post(client, "redo", number=before["redo"]["number"]).status_code == 200

    @pytest.mark.parametrize("path", ["place", "demo/move"])
    def test_a_figure_is_put_to_one_place_at_a_time(self, client: FlaskClient, path: str) -> None:
        figure = {"id": "red-1-1", "x_mm": 1.0, "y_mm": 1.0}
        refused = post(client, path, figures=[figure, {**figure, "x_mm": 2.0}])
        assert refused.status_code == 400
        assert "figures: expected each figure once" in refused.json["error"]

    def test_nothing_to_undo(self, client: FlaskClient) -> None:
        assert post(client, "undo").status_code == 422

    def test_a_rule(self, client: FlaskClient) -> None:
        assert client.get("/api/rules/T-1").json == {
            "id": "T-1",
            "text": "Ones hit.",
            "page": "1",
            "not_built": None,
        }
        assert client.get("/api/rules/T-99").status_code == 404

    def test_the_chances(self, client: FlaskClient) -> None:
        got = post(client, "odds", action=SHOOT).json
        assert got["sentence"] == "42 %: 1 casualty or more; 0.5 on average"
        assert [row["what"] for row in got["outcomes"]] == [
            "0 casualties",
            "1 casualty",
            "2 casualties",
            "3 casualties",
        ]
        assert sum(row["chance"] for row in got["outcomes"]) == pytest.approx(1.0, abs=1e-5)

    def test_older_entries_of_the_log(self, client: FlaskClient) -> None:
        for number in range(2, 5):
            post(client, "turn", number=number, side="red")
        assert [entry["number"] for entry in client.get("/api/log?before=3").json["log"]] == [1, 2]
        assert client.get("/api/log").status_code == 400


class TestPlacing:
    def test_a_person_puts_a_figure_right(self, client: FlaskClient) -> None:
        answer = post(client, "place", figures=[{"id": "red-1-1", "x_mm": 150.0, "y_mm": 210.0}])
        assert answer.status_code == 200
        figure = state(client)["game"]["units"][0]["figures"][0]
        assert (figure["x_mm"], figure["y_mm"], figure["bearing_deg"]) == (150.0, 210.0, 0.0)

    def test_only_the_demo_has_a_virtual_table(self, client: FlaskClient) -> None:
        answer = post(client, "demo/move", figures=[{"id": "red-1-1", "x_mm": 150.0, "y_mm": 210.0}])
        assert answer.status_code == 422

    @pytest.mark.parametrize(
        "figures",
        [
            [],
            [{"id": "red-1-1"}],
            [{"id": "red-1-1", "x_mm": 1.0, "y_mm": "far"}],
            [{"id": "nobody", "x_mm": 1.0, "y_mm": 1.0}],
            [{"id": "red-1-1", "x_mm": 1e30, "y_mm": 1.0}],
            [{"id": "red-1-1", "x_mm": 1.0, "y_mm": 1.0, "colour": "red"}],
        ],
    )
    def test_what_cannot_be_placed_is_refused(self, client: FlaskClient, figures: list[Any]) -> None:
        before = state(client)["game"]
        answer = post(client, "place", figures=figures)
        assert answer.status_code == 400
        assert answer.json["error"]
        assert state(client)["game"] == before


class TestPicture:
    def test_before_the_first_there_is_none(self, client: FlaskClient) -> None:
        assert client.get("/api/picture.jpg").status_code == 503

    def test_it_is_cached_by_its_revision(self, client: FlaskClient, live: LiveTable) -> None:
        live.pictured(Picture(revision=3, jpeg=b"\xff\xd8picture", bounds_mm=((0.0, 0.0), (1.0, 1.0))))
        told = state(client)["picture"]
        assert told == {"revision": 3, "url": "/api/picture.jpg?r=3", "bounds_mm": [[0.0, 0.0], [1.0, 1.0]]}
        got = client.get(told["url"])
        assert (got.data, got.mimetype) == (b"\xff\xd8picture", "image/jpeg")
        assert "immutable" in got.headers["Cache-Control"]
        assert client.get(told["url"], headers={"If-None-Match": got.headers["ETag"]}).status_code == 304
        assert "immutable" not in client.get("/api/picture.jpg?r=2").headers.get("Cache-Control", "")


class TestStream:
    def test_a_comment_at_once_then_every_revision(self, client: FlaskClient, live: LiveTable) -> None:
        with client.get("/api/events") as stream:
            assert stream.mimetype == "text/event-stream"
            lines = iter(stream.response)
            assert next(lines).startswith(b":")
            assert json.loads(next(lines).decode().split("data: ")[1])["revision"] == live.revision
            post(client, "turn", number=2, side="blue")
            assert json.loads(next(lines).decode().split("data: ")[1])["revision"] == live.revision

    def test_it_ends_with_the_table(self, client: FlaskClient, live: LiveTable) -> None:
        with client.get("/api/events") as stream:
            lines = iter(stream.response)
            next(lines), next(lines)
            live.close()
            assert list(lines) == []

    def test_it_ends_when_its_page_is_gone(self, client: FlaskClient) -> None:
        environ = {"waitress.client_disconnected": lambda: True}
        with client.get("/api/events", environ_base=environ) as stream:
            assert len(list(stream.response)) == 2

    def test_too_many_pages_poll_instead(self, live: LiveTable) -> None:
        client = create_app(live, streams=1).test_client()
        with client.get("/api/events") as stream:
            next(iter(stream.response))
            assert client.get("/api/events").status_code == 503
        with client.get("/api/events") as stream:
            assert stream.status_code == 200


class TestGuard:
    @pytest.mark.parametrize(
        "host", ["evil.example", "evil.example:8765", "localhost.evil.example", "192.168.1.9", ""]
    )
    def test_other_names_are_not_answered(self, client: FlaskClient, host: str) -> None:
        answer = client.get("/api/state", headers={"Host": host})
        assert answer.status_code in (400, 403)
        assert b"game" not in answer.data

    @pytest.mark.parametrize("host", ["localhost", "localhost:8765", "127.0.0.1:1", "[::1]:8765", "LOCALHOST"])
    def test_our_own_names_are(self, client: FlaskClient, host: str) -> None:
        assert client.get("/api/state", headers={"Host": host}).status_code == 200

    def test_an_address_is_ours_on_a_network(self, live: LiveTable) -> None:
        client = create_app(live, hosts=("localhost",), any_address=True).test_client()
        assert client.get("/api/state", headers={"Host": "192.168.1.9:8765"}).status_code == 200
        assert client.get("/api/state", headers={"Host": "evil.example"}).status_code == 403

    @pytest.mark.parametrize("path", POSTS)
    @pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost", "http://localhost:1"])
    def test_a_strangers_page_changes_nothing(
        self, client: FlaskClient, live: LiveTable, path: str, origin: str
    ) -> None:
        before = live.revision
        answer = client.post(f"/api/{path}", json={}, headers={"Origin": origin})
        assert answer.status_code == 403
        assert live.revision == before

    @pytest.mark.parametrize("path", POSTS)
    def test_a_cross_site_request_without_origin_changes_nothing(self, client: FlaskClient, path: str) -> None:
        answer = client.post(f"/api/{path}", json={}, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 403

    def test_our_own_page_may(self, client: FlaskClient) -> None:
        answer = client.post(
            "/api/turn", json={"number": 2, "side": "blue"}, headers={"Origin": "http://localhost"}
        )
        assert answer.status_code == 200

    @pytest.mark.parametrize("path", POSTS)
    @pytest.mark.parametrize(
        "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None]
    )
    def test_only_json_is_taken(self, client: FlaskClient, path: str, kind: str | None) -> None:
        answer = client.post(f"/api/{path}", data=b'{"number": 2, "side": "blue"}', content_type=kind)
        assert answer.status_code == 403

    @pytest.mark.parametrize("path", POSTS)
    @pytest.mark.parametrize(
        "data",
        [b"", b"{", b"[]", b"nonsense", b'{"a": 1e999}', b"[1", b"[" * 5000, b"\xff\xfe", b'{"figures": null}'],
    )
    def test_nonsense_is_refused_in_one_sentence(self, client: FlaskClient, path: str, data: bytes) -> None:
        answer = client.post(f"/api/{path}", data=data, content_type="application/json")
        assert answer.status_code in (400, 422)
        assert isinstance(answer.json["error"], str)

    @pytest.mark.parametrize("path", POSTS)
    def test_a_huge_body_is_not_read(self, client: FlaskClient, path: str) -> None:
        answer = client.post(f"/api/{path}", data=b" " * 400_000, content_type="application/json")
        assert answer.status_code == 413
        assert answer.json == {"error": "the request is too large"}

    @pytest.mark.parametrize("path", POSTS)
    def test_a_change_is_not_made_by_looking(self, client: FlaskClient, path: str) -> None:
        assert client.get(f"/api/{path}").status_code == 405

    @pytest.mark.parametrize("path", ["/api/state", "/api/nothing", "/static/nothing.js", "/"])
    def test_every_answer_says_what_a_browser_may_do_with_it(self, client: FlaskClient, path: str) -> None:
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"

    @pytest.mark.parametrize(
        "path", ["/static/vendor/leaflet/../../../secret", "/static/vendor/leaflet/%2e%2e/x", "/static/../app.py"]
    )
    def test_no_file_outside_is_served(self, client: FlaskClient, path: str) -> None:
        assert client.get(path).status_code == 404

    @pytest.mark.parametrize("name", ["leaflet.js", "leaflet.css", "images/layers.png"])
    def test_the_map_library_is_served_from_here(self, client: FlaskClient, name: str) -> None:
        with client.get(f"/static/vendor/leaflet/{name}") as answer:
            assert answer.status_code == 200

    def test_a_fault_of_ours_is_one_sentence_and_no_traceback(
        self, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(_: object) -> None:
            raise ZeroDivisionError("secret detail")

        monkeypatch.setattr("tests.webui.toys.ToyRules.rows", broken)
        answer = client.get("/api/rules/T-1")
        assert answer.status_code == 500
        assert b"secret detail" not in answer.data


def test_what_a_page_loads_comes_compressed(client: FlaskClient) -> None:
    for path in ("/", "/static/js/map.js", "/static/css/base.css", "/static/vendor/leaflet/leaflet.js"):
        with client.get(path, headers={"Accept-Encoding": "gzip, deflate"}) as packed, client.get(path) as plain:
            assert (packed.content_encoding, plain.content_encoding) == ("gzip", None)
            assert gzip.decompress(packed.data) == plain.data
            assert len(packed.data) < len(plain.data) / 1.5
            assert "Accept-Encoding" in packed.vary


def test_toys_have_no_rulings_to_change(client: FlaskClient) -> None:
    assert client.get("/api/options").json == {"options": []}
    refused = client.post("/api/options", json={"key": "measure", "value": "edge"})
    assert refused.status_code == 400
    assert "expected one of none" in refused.json["error"]
