"""The game as a whole on the page: another course, one file out and in, the report; all of it the umpire's."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from engine.events import begin
from engine.keeping.entry import Entry
from engine.keeping.exchange import log_text
from engine.keeping.journal import Journal
from engine.keeping.shelf import pictures_of
from engine.records.game import TableArea
from tests.webui.test_app import post, state
from vision.simulated import load_demo
from webui.app import create_app
from webui.camera.sightings import Picture
from webui.commands.demo import demo_game
from webui.live import LiveTable
from webui.table.desk import Desk

ROUTES = ("api/log/export", "api/report.html", "api/report.pdf", "api/report.webm", "api/roster.pdf")


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveTable]:
    demo, seeds = load_demo("muskets-mohawks"), itertools.count()
    clock = lambda: "2026-11-21T19:00:00Z"  # noqa: E731
    desk = Desk(Journal(tmp_path / "journal.db"), demo.virtual.table, clock, lambda: next(seeds))
    desk.begin(demo_game(demo))
    table = LiveTable(desk, mode="serve", clock_s=lambda: 1.0)
    table.start()
    yield table
    table.close()


@pytest.fixture
def client(live: LiveTable) -> FlaskClient:
    return create_app(live).test_client()


def turn(client: FlaskClient, number: int) -> None:
    assert post(client, "turn", number=number, side="british").status_code == 200


def as_spectator(client: FlaskClient) -> None:
    told = client.get("/api/join").json
    assert told is not None
    code = next(one["code"] for one in told["invitations"] if one["name"] == "spectator")
    assert post(client, "join", code=code).status_code == 200


def test_the_game_goes_on_from_an_earlier_entry_and_the_other_course_is_told(client: FlaskClient) -> None:
    for number in (2, 3, 4):
        turn(client, number)
    entry = post(client, "branch", entry=2).json
    assert entry is not None
    assert entry["entry"]["title"] == "Gone on from an earlier point, after: Turn 2: British to act"
    got = state(client)
    assert got["game"]["turn"]["number"] == 2
    assert [(one["tip"], one["leaves"], one["entries"]) for one in got["courses"]] == [(4, 2, 2)]
    assert [one["number"] for one in got["log"] if one["aside"]] == [3, 4]
    assert not any(one["undone"] for one in got["log"])
    post(client, "branch", entry=4)
    assert state(client)["game"]["turn"]["number"] == 4


@pytest.mark.parametrize(("entry", "status"), [(1, 422), (7, 422), (0, 400), ("x", 400)])
def test_what_is_no_earlier_point_is_refused(client: FlaskClient, entry: Any, status: int) -> None:
    assert post(client, "branch", entry=entry).status_code == status


def test_a_game_goes_out_and_comes_in_again_and_the_present_one_is_put_aside(
    client: FlaskClient, live: LiveTable
) -> None:
    turn(client, 2)
    answer = client.get("/api/log/export")
    assert "attachment" in answer.headers["Content-Disposition"]
    turn(client, 3)
    taken = post(client, "log/import", file=answer.get_data(as_text=True))
    assert (taken.status_code, taken.json and taken.json["entries"]) == (200, 2)
    assert state(client)["game"]["turn"]["number"] == 2
    (aside,) = live.kept_in.parent.glob("journal-2*.db")
    with Journal(aside) as kept:
        assert kept.game.turn.number == 3
    turn(client, 5)
    assert state(client)["game"]["turn"]["number"] == 5


def test_a_bad_file_says_what_is_wrong_and_the_game_goes_on(client: FlaskClient, live: LiveTable) -> None:
    turn(client, 2)
    text = client.get("/api/log/export").get_data(as_text=True)
    before = state(client)
    for bad, words in (
        (text[:-30], "line 3"),
        ("hello", "expected a game that was exported"),
        (text.replace("british", "brutish"), "changed"),
    ):
        refused = post(client, "log/import", file=bad)
        assert (refused.status_code, words in refused.get_data(as_text=True)) == (400, True)
    assert state(client) == before
    assert [file.name for file in live.kept_in.parent.glob("*.db")] == ["journal.db"]


def test_where_the_disk_fails_while_a_game_comes_in_the_present_one_has_its_log_and_pictures_back(
    client: FlaskClient, live: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn(client, 2)
    text = client.get("/api/log/export").get_data(as_text=True)
    turn(client, 3)
    pictures = pictures_of(live.kept_in)
    pictures.mkdir(exist_ok=True)
    (pictures / "0001.jpg").write_bytes(b"a picture")
    renamed = Path.rename

    def full(self: Path, target: Path) -> Path:
        if "coming" in self.name:
            raise OSError(28, "No space left on device")
        return renamed(self, target)

    monkeypatch.setattr(Path, "rename", full)
    refused = post(client, "log/import", file=text)
    assert (refused.status_code, "No space left" in refused.get_data(as_text=True)) == (422, True)
    assert state(client)["game"]["turn"]["number"] == 3
    assert (pictures / "0001.jpg").read_bytes() == b"a picture"


def test_a_game_of_another_table_is_refused(client: FlaskClient) -> None:
    wide = replace(demo_game(load_demo("muskets-mohawks")), table=TableArea(width_mm=3000.0, depth_mm=2000.0))
    text = log_text([Entry(number=1, at="now", kind="begin", events=(begin(wide),))])
    refused = post(client, "log/import", file=text.decode())
    assert (refused.status_code, "3000 x 2000 mm" in refused.get_data(as_text=True)) == (422, True)


def test_the_report_comes_as_page_and_pdf_and_shows_only_what_is_in_it(client: FlaskClient) -> None:
    turn(client, 2)
    page = client.get("/api/report.html")
    assert "Battle report" in page.get_data(as_text=True)
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert client.get("/api/report.pdf").data.startswith(b"%PDF")
    refused = client.get("/api/report.webm")
    assert (refused.status_code, "pictures" in refused.get_data(as_text=True)) == (404, True)


def test_the_rosters_come_as_a_pdf_with_a_page_for_each_side(client: FlaskClient, live: LiveTable) -> None:
    document = pypdfium2.PdfDocument(client.get("/api/roster.pdf").data)
    pages = [page.get_textpage().get_text_bounded() for page in document]
    game = live.do(lambda desk: desk.game)
    assert len(pages) == len(game.sides)
    for side, page in zip(game.sides, pages, strict=True):
        for unit in game.units:
            assert ((unit.name or unit.id) in page) is (unit.side == side.name)


def test_pictures_of_a_table_at_rest_are_kept_with_the_game(client: FlaskClient, live: LiveTable) -> None:
    live.pictured(Picture(revision=1, jpeg=b"jpeg", bounds_mm=((0, 0), (1, 1))))
    live.do(lambda desk: None)
    assert state(client)["pictures"] == 1
    turn(client, 2)
    live.pictured(Picture(revision=2, jpeg=b"later", bounds_mm=((0, 0), (1, 1))))
    live.do(lambda desk: None)
    folder = live.kept_in.with_name("journal.pictures")
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == {
        "000001.jpg": b"jpeg",
        "000002.jpg": b"later",
    }


def test_all_of_it_is_the_umpires(client: FlaskClient) -> None:
    text = client.get("/api/log/export").get_data(as_text=True)
    as_spectator(client)
    assert [client.get(route).status_code for route in ROUTES] == [403] * 5
    assert post(client, "branch", entry=1).status_code == 403
    assert post(client, "log/import", file=text).status_code == 403


def test_a_file_may_be_large_but_other_requests_may_not(client: FlaskClient) -> None:
    long = json.dumps({"file": "x" * 1_000_000})
    headers = {"Content-Type": "application/json"}
    assert client.post("/api/log/import", data=long, headers=headers).status_code == 400
    assert client.post("/api/branch", data=long, headers=headers).status_code == 413
