"""A campaign over the wire: each seat is sent what it knows, and acts for its own side."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.errors import UnusableFile
from engine.keeping.journal import Journal
from engine.records.game import Game, game_builtins, game_json
from tests.webui.test_door import phone
from vision.simulated import load_demo
from webui.commands.demo import demo_game, open_demo
from webui.live import LiveTable
from webui.people.seats import SPECTATOR, UMPIRE, Seat
from webui.table.beginning import with_campaign
from webui.table.desk import Desk

SPANISH, RAIDERS = Seat(kind="side", side="spanish"), Seat(kind="side", side="raiders")
ALLIES, FRENCH = Seat(kind="side", side="allies"), Seat(kind="side", side="french")
ROOT = Path(__file__).parents[2]


def table_of(game: Game, folder: Path, ruleset: str) -> LiveTable:
    seeds = itertools.count(1)
    desk = Desk(
        Journal(folder / "journal.db"), load_demo(ruleset).virtual.table, lambda: "2026-11-21T10:00:00Z",
        lambda: next(seeds),
    )  # fmt: skip
    desk.begin(game)
    return LiveTable(desk, mode="serve", clock_s=lambda: 100.0)


@pytest.fixture
def live(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LiveTable]:
    """The campaign of Presidio's demo, or of the ruleset named."""
    ruleset = getattr(request, "param", "presidio")
    table = table_of(demo_game(load_demo(ruleset)), tmp_path, ruleset)
    table.start()
    yield table
    table.close()


def play(client: FlaskClient, **action: Any) -> Any:
    return client.post("/api/resolve", json={"action": action, "dice": [], "roll": True})


def view(client: FlaskClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/campaign").json["campaign"]
    return found


def wire(client: FlaskClient) -> str:
    """Everything that a page can ask for."""
    paths = ("state", "log?before=99", "campaign", "actions", "forms", "then?entry=1")
    return "\n".join(client.get(f"/api/{path}").data.decode() for path in paths)


#: Words that give away what stands under the markers which nobody has met.
OF_SPANISH, OF_RAIDERS = ("escort", "Escort", "Couriers"), ("horse-thieves", "Horse Thieves")


@pytest.mark.parametrize(
    ("seat", "hidden", "told"),
    [(SPANISH, OF_RAIDERS, OF_SPANISH), (RAIDERS, OF_SPANISH, OF_RAIDERS),
     (SPECTATOR, (*OF_SPANISH, *OF_RAIDERS), ()), (UMPIRE, (), (*OF_SPANISH, *OF_RAIDERS))],
    ids=["spanish", "raiders", "spectator", "umpire"],
)  # fmt: skip
def test_what_stands_under_an_enemys_marker_is_never_sent(
    live: LiveTable, seat: Seat, hidden: tuple[str, ...], told: tuple[str, ...]
) -> None:
    assert play(phone(live, UMPIRE), action="map-allot", marker="spanish-3", units=[]).status_code == 422
    sent = wire(phone(live, seat))
    for word in hidden:
        assert word not in sent, word
    for word in told:
        assert word in sent, word
    blanks = [marker.get("blank") for marker in phone(live, seat).get("/api/state").json["game"]["conditions"]
              ["campaign"]["markers"] if marker["side"] == "raiders"]  # fmt: skip
    assert any(blanks) == (seat in (RAIDERS, UMPIRE))


def test_what_a_side_allots_in_secret_its_enemy_only_hears_of(live: LiveTable) -> None:
    spanish, raiders = phone(live, SPANISH), phone(live, RAIDERS)
    assert play(spanish, action="map-move", marker="spanish-2", to="2,2").status_code == 200
    assert play(spanish, action="map-allot", marker="spanish-2", units=[]).status_code == 200
    assert raiders.get("/api/state").json["log"][-1]["title"] == "Something that you do not see"
    assert "blank" in spanish.get("/api/state").json["log"][-1]["lines"][-1]
    known = {one["id"]: one["lines"] for one in view(raiders)["pieces"]}
    assert known["spanish-2"] == ["Not known"]


def test_a_side_moves_its_own_markers_on_nobodys_turn(live: LiveTable) -> None:
    raiders, spanish = phone(live, RAIDERS), phone(live, SPANISH)
    assert live.do(lambda desk: desk.game.turn.active_side) == "spanish"
    assert play(raiders, action="map-move", marker="spanish-2", to="2,2").status_code == 400
    assert play(raiders, action="map-move", marker="spanish-2", side="spanish", to="2,2").status_code == 403
    assert play(raiders, action="map-move", marker="raiders-2", to="3,3").status_code == 200
    assert spanish.post("/api/undo", json={}).status_code == 403
    assert raiders.post("/api/undo", json={}).status_code == 200
    assert play(phone(live, SPECTATOR), action="map-day").status_code == 403


def test_a_contact_is_sent_to_all(live: LiveTable) -> None:
    spanish = phone(live, SPANISH)
    assert play(spanish, action="map-move", marker="spanish-2", to="3,2").status_code == 200
    for _ in range(2):
        assert play(spanish, action="map-day").status_code == 200
        goal = "3,3" if "3,2" in {one.get("hex") for one in view(spanish)["pieces"]} else "3,4"
        assert play(spanish, action="map-move", marker="spanish-2", to=goal).status_code == 200
    pieces = {one["id"]: one for one in view(phone(live, SPECTATOR))["pieces"]}
    assert pieces["raiders-2"]["lines"] == ["The Horse Thieves"]
    assert "contact-3,4" in [card["id"] for card in view(spanish)["cards"]]


@pytest.mark.parametrize("live", ["musket-pike"], indirect=True)
def test_a_choice_is_sent_to_nobody_before_the_other_is_made(live: LiveTable) -> None:
    allies, french = phone(live, ALLIES), phone(live, FRENCH)
    before = french.get("/api/state").data.decode().count("march")
    assert play(allies, action="situation-choose", side="allies", choice="march").status_code == 200
    for seat in (FRENCH, SPECTATOR):
        sent = phone(live, seat).get("/api/state").json
        assert json.dumps(sent).count("march") == before
        assert sent["log"][-1]["title"] == "Something that you do not see"
        assert [card["id"] for card in view(phone(live, seat))["cards"]] == ["b-attack", "b-wait"]
    assert play(french, action="situation-choose", side="allies", choice="march").status_code == 403
    assert play(french, action="situation-choose", side="french", choice="wait").status_code == 200
    assert view(french)["cards"][0]["id"] == "battle"


@pytest.mark.parametrize("live", ["palouse", "muskets-mohawks"], indirect=True)
def test_rules_without_a_map_are_cards_or_nothing(live: LiveTable) -> None:
    found = view(phone(live, UMPIRE))
    game = live.do(lambda desk: desk.game)
    if game.ruleset == "palouse":
        assert found is None
    else:
        assert found["begun"] is False
        assert {card["side"] for card in found["cards"]} == {side.name for side in game.sides}


def test_a_campaign_comes_from_another_file(tmp_path: Path) -> None:
    game = demo_game(load_demo("presidio"))
    file = tmp_path / "campaign.json"
    file.write_bytes(game_json(game))
    bare = game_builtins(game)["conditions"]["campaign"]
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps(bare), encoding="utf-8")
    for one in (file, plain):
        assert with_campaign(game, one).conditions["campaign"] == game.conditions["campaign"]
    plain.write_text(json.dumps({**bare, "weather": "fine"}), encoding="utf-8")
    with pytest.raises(UnusableFile, match=r"plain\.json: .*weather"):
        with_campaign(game, plain)
    other = ROOT / "examples" / "three-days-on-the-river" / "campaign.json"
    with pytest.raises(UnusableFile, match="expected the sides of the game"):
        open_demo(tmp_path / "data", fresh=True, seed=1, ruleset="musket-pike", campaign=other)
