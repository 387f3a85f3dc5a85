"""The umpire sets a unit's state and stats: as the rules know them, in the log, and taken back like all else."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.keeping.journal import Journal
from engine.rulesets import find_ruleset
from engine.rulesets.base.actions.amending import amended
from engine.rulesets.base.units.keys import unit_fields, unit_keys
from vision.simulated import demo_names, load_demo
from webui.app import create_app
from webui.commands.demo import demo_game
from webui.live import LiveTable
from webui.people.seats import SPECTATOR, Seat, code_of
from webui.table.desk import Desk

KEY = b"k" * 32


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveTable]:
    """A game of Muskets & Mohawks that has begun."""
    demo, seeds = load_demo("muskets-mohawks"), itertools.count(1)
    desk = Desk(Journal(tmp_path / "j.db"), demo.virtual.table, lambda: "2026-01-01T00:00:00Z", lambda: next(seeds))
    desk.begin(demo_game(demo))
    table = LiveTable(desk, mode="serve", clock_s=lambda: 100.0)
    table.start()
    yield table
    table.close()


@pytest.fixture
def client(live: LiveTable) -> FlaskClient:
    return create_app(live, key=KEY).test_client()


def unit(client: FlaskClient, name: str = "grenadiers") -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in client.get("/api/state").json["game"]["units"] if one["id"] == name)
    return found


def test_the_umpire_sets_a_unit_right_in_the_log_and_takes_it_back(client: FlaskClient) -> None:
    wanted = {"unit": "grenadiers", "state": {"reload_markers": 1, "retiring": True}, "stats": {"rep": 4}}
    done = client.post("/api/unit", json=wanted)
    assert done.status_code == 200, done.data
    assert done.json["entry"]["title"] == (
        "The umpire set Grenadiers right: reload markers 1, retiring yes, rep 4 instead of 5"
    )
    now = unit(client)
    assert (now["state"]["reload_markers"], now["state"]["retiring"], now["stats"]["rep"]) == (1, True, 4)
    assert client.post("/api/undo", json={"number": done.json["entry"]["number"]}).status_code == 200
    then = unit(client)
    assert ("reload_markers" in then["state"], then["stats"]["rep"]) == (False, 5)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"unit": "nobody", "state": {"reload_markers": 1}}, "unit: there is no unit 'nobody' in the game"),
        ({"unit": "grenadiers", "state": {"courage": 1}}, "state.courage: unknown key; its keys are: "),
        ({"unit": "grenadiers", "state": {"retiring": "often"}}, "state.retiring"),
        ({"unit": "grenadiers", "stats": {"rep": "high"}}, "stats.rep"),
        ({"unit": "grenadiers", "stats": {"rep": 5}}, "expected at least one key with another value"),
        ({"unit": "grenadiers"}, "expected at least one key with another value"),
    ],
)  # fmt: skip
def test_what_the_rules_do_not_know_is_refused_and_not_logged(
    client: FlaskClient, live: LiveTable, wanted: dict[str, Any], words: str
) -> None:
    before = live.do(lambda desk: len(desk.journal.entries))
    answer = client.post("/api/unit", json=wanted)
    assert answer.status_code == 400
    assert words.replace("`", "") in answer.json["error"].replace("`", "")
    assert "units[" not in answer.json["error"]
    assert live.do(lambda desk: len(desk.journal.entries)) == before


@pytest.mark.parametrize("seat", [Seat(kind="side", side="british"), SPECTATOR], ids=["british", "spectator"])
def test_nobody_but_the_umpire_may(live: LiveTable, seat: Seat) -> None:
    phone = create_app(live, key=KEY, any_address=True).test_client()
    phone.environ_base["REMOTE_ADDR"] = "192.168.7.4"
    assert phone.post("/api/join", json={"code": code_of(seat, KEY)}).status_code == 200
    wanted = {"unit": "grenadiers", "state": {"reload_markers": 1}}
    assert phone.post("/api/unit", json=wanted).status_code == 403
    assert phone.get("/api/unit?unit=grenadiers").status_code == 403
    assert live.do(lambda desk: [entry.kind for entry in desk.journal.entries]) == ["begin"]


def test_every_key_of_the_rules_is_offered_with_its_value(client: FlaskClient) -> None:
    told = client.get("/api/unit?unit=grenadiers").json
    assert next(iter(told["stats"])) == "rep"
    assert told["stats"]["rep"] == 5
    assert told["state"]["reload_markers"] == 0
    assert told["state"]["retiring"] is False
    assert client.get("/api/unit?unit=nobody").status_code == 400


def test_what_a_key_may_be_is_told_with_it(client: FlaskClient) -> None:
    fields = client.get("/api/unit?unit=grenadiers").json["fields"]
    stats = {one["key"]: one for one in fields["stats"]}
    ranks = {one["value"] for one in stats["rank"]["choices"]}
    assert ranks == {"lieutenant", "captain", "major", "war-chief"}
    assert (stats["rep"]["least"], stats["rep"]["most"], stats["rep"]["whole"]) == (1, 6, True)
    led_by = next(one for one in fields["state"] if one["key"] == "led_by")
    assert (led_by["ask"], "default" in led_by) == ("text", False), "it may be nothing"


@pytest.mark.parametrize("ruleset", demo_names())
def test_the_keys_are_those_of_which_is_told_what_they_may_be(ruleset: str) -> None:
    game, rules = demo_game(load_demo(ruleset)), find_ruleset(ruleset)
    fields = unit_fields(rules)
    for one in game.units:
        told = unit_keys(rules, one)
        assert {part: {field.key for field in fields[part]} for part in fields} == {
            part: set(told[part]) for part in told
        }


@pytest.mark.parametrize("ruleset", demo_names())
def test_every_key_that_is_offered_is_one_that_the_rules_accept(ruleset: str) -> None:
    game, rules = demo_game(load_demo(ruleset)), find_ruleset(ruleset)
    for one in game.units:
        told = unit_keys(rules, one)
        assert len(told["state"]) > 3
        assert amended(game, rules, one.id, told["state"], told["stats"]).changes


def test_a_strength_that_no_roster_comes_to_is_said_to_be_wrong(client: FlaskClient) -> None:
    eight = {"unit": "grenadiers", "state": {"strength": 8, "start_strength": 8}}
    assert client.post("/api/unit", json=eight).status_code == 200
    wrong = client.post("/api/unit", json={"unit": "grenadiers", "state": {"strength": 80}})
    assert wrong.status_code == 400
    assert "state.strength: expected 0 to" in wrong.json["error"]
    assert "got 80" in wrong.json["error"]
    assert unit(client)["state"]["strength"] == 8
