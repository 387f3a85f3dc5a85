"""What the page asks before a player acts: the forms, what is open, and whether an action would be allowed."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.dice import TypedDice
from engine.play import play
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets import find_ruleset
from tests.engine.tyneside.table import game as skirmish
from tests.engine.tyneside.table import group, row
from vision.simulated import load_demo
from webui.commands.demo import demo_game
from webui.live import LiveTable
from webui.table.chances import chances
from webui.table.trying import tried


def get(client: FlaskClient, path: str) -> Any:
    answer = client.get(f"/api/{path}")
    assert answer.status_code == 200, answer.data
    return answer.json


def test_the_forms_are_those_of_the_ruleset(client: FlaskClient) -> None:
    told = get(client, "forms")
    assert told["ruleset"] == "toy"
    assert [form["action"] for form in told["forms"]] == ["shoot", "hush", "wait"]


def test_what_is_open_to_a_unit_is_told_with_the_reasons_against_the_rest(client: FlaskClient) -> None:
    told = get(client, "actions?unit=red-1")
    found = {one["action"]: one for one in told["open"]}
    assert found["wait"]["state"] == "allowed"
    assert found["hush"]["why_not"] == ["nobody hushes a soldier", "and never two"]
    assert [aim["value"] for aim in found["shoot"]["aims"]] == ["blue-1"]
    assert told["revision"] >= 1


def test_a_unit_that_there_is_not_is_said_in_one_sentence(client: FlaskClient) -> None:
    answer = client.get("/api/actions?unit=nobody")
    assert answer.status_code == 400
    assert "nobody" in answer.json["error"]


def test_an_action_is_tried_without_a_die_and_nothing_changes(client: FlaskClient, live: LiveTable) -> None:
    before = live.revision
    shoot = {"action": "shoot", "unit": "red-1", "target": "blue-1"}
    told = client.post("/api/try", json={"action": shoot}).json
    assert told["state"] == "allowed"
    assert (told["next"]["count"], told["next"]["die"]) == (3, "d6")
    assert client.post("/api/try", json={"action": {"action": "wait", "unit": "red-1"}}).json["next"] is None
    assert live.revision == before
    assert live.do(lambda desk: len(desk.journal.entries)) == 1


def test_what_the_rules_forbid_is_said_with_every_reason_and_row(client: FlaskClient) -> None:
    told = client.post("/api/try", json={"action": {"action": "hush", "unit": "red-1"}}).json
    assert told["state"] == "refused"
    assert told["reasons"] == ["nobody hushes a soldier", "and never two"]
    assert len(told["rules"]) == 2


def test_whoever_is_about_to_roll_may_ask_again_and_nothing_changes(client: FlaskClient, live: LiveTable) -> None:
    def ask(**action: Any) -> Any:
        return client.post("/api/resolve", json={"action": action, "only_ask": True}).json

    waiting = ask(action="shoot", unit="red-1", target="blue-1")
    assert (waiting["status"], waiting["next"]["count"]) == ("needs_dice", 3)
    assert ask(action="wait", unit="red-1")["status"] == "ready"
    refused = ask(action="hush", unit="red-1")
    assert (refused["status"], refused["reasons"]) == ("refused", ["nobody hushes a soldier", "and never two"])
    assert live.do(lambda desk: len(desk.journal.entries)) == 1


@pytest.mark.parametrize("more", [{"dice": [1, 2, 3]}, {"roll": True}])
def test_nobody_learns_what_his_dice_would_do_before_they_count(client: FlaskClient, more: dict[str, Any]) -> None:
    shoot = {"action": "shoot", "unit": "red-1", "target": "blue-1"}
    answer = client.post("/api/resolve", json={"action": shoot, "only_ask": True, **more})
    assert answer.status_code == 400
    assert "only_ask: expected no dice" in answer.json["error"]


def test_an_action_that_lacks_a_key_says_what_it_lacks(client: FlaskClient) -> None:
    told = client.post("/api/try", json={"action": {"action": "dance"}}).json
    assert told["state"] == "unready"
    assert "expected shoot, hush or wait" in told["lacks"]


def test_chances_that_would_hold_up_the_table_are_given_up(live: LiveTable) -> None:
    ticks = itertools.count()
    shoot = Action(action="shoot", unit="red-1", target="blue-1")
    told = live.do(lambda desk: chances(desk.ruleset, desk.game, shoot, clock_s=lambda: float(next(ticks))))
    assert told == {"outcomes": [], "sentence": "the chances take too long to work out"}


def foretold(ruleset: str, action: Action) -> Any:
    """What the page says of an action's chances on a ruleset's demo table, however slow this machine."""
    game = demo_game(load_demo(ruleset))
    return chances(find_ruleset(ruleset), game, action, clock_s=lambda: 0.0)


def walked_in(game: Game, action: Action, pip: int) -> float:
    """How far a unit goes, in inches, where the die of its move shows ``pip``."""
    played = play(game, find_ruleset(game.ruleset).begin(game, action), TypedDice([pip]))
    return next(float(event.facts["distance_mm"]) for event in played.events if event.event == "moved") / 25.4


def test_who_panics_at_a_charge_is_said() -> None:
    told = foretold("presidio", Action(action="charge", unit="comanches", target="militia"))
    assert told["sentence"] == "50 % the enemy panics"
    assert all("enemy" in one["what"] for one in told["outcomes"])


def test_the_move_of_the_leather_jackets_is_said_to_go_as_far_as_the_die_lets_it() -> None:
    game = demo_game(load_demo("presidio"))
    unit = next(unit for unit in game.units if unit.name == "Leather Jackets")
    far = Action(action="move", unit=unit.id, extra={"to": [game.table.width_mm, unit.figures[0].y_mm]})
    told = foretold("presidio", far)
    assert [one["chance"] for one in told["outcomes"]] == [pytest.approx(1 / 6, abs=1e-5)] * 6
    by_pip = [walked_in(game, far, pip) for pip in range(1, 7)]
    assert [one["what"] for one in told["outcomes"]] == [f"{inches:.1f} in" for inches in by_pip]
    least, most, mean = by_pip[0], by_pip[-1], sum(by_pip) / 6
    assert told["sentence"] == f"at least {least:.1f} in; 17 % {most:.1f} in; {mean:.1f} in on average"
    near = Action(action="move", unit=unit.id, extra={"to": [unit.figures[0].x_mm + 25.4, unit.figures[0].y_mm]})
    assert "in any case" in foretold("presidio", near)["sentence"]


def test_who_gives_way_in_a_melee_is_called_by_name() -> None:
    squad = group("b", *row(2, step=26), weapon="sword") | {"name": "Hervey's Squad"}
    hurons = group("f", *row(2, y=425, step=26), weapon="war-club") | {"name": "Huron Warriors"}
    told = chances(find_ruleset("tyneside"), skirmish(squad, hurons), Action(action="melee", unit="b", target="f"))
    assert {one["what"] for one in told["outcomes"]} == {
        "Hervey's Squad gives way", "Huron Warriors give way", "Hervey's Squad and Huron Warriors give way",
    }  # fmt: skip
    assert "Hervey's Squad" in told["sentence"]


def test_nothing_is_said_to_be_rolled_only_where_nothing_is(live: LiveTable) -> None:
    wait = live.do(lambda desk: chances(desk.ruleset, desk.game, Action(action="wait", unit="red-1")))
    assert wait["sentence"] == "nothing is rolled for this"
    turn = foretold("muskets-mohawks", Action(action="new-turn"))
    assert turn["sentence"] == ""


def test_as_an_action_is_filled_in_only_words_that_there_are_are_offered() -> None:
    ruleset = find_ruleset("muskets-mohawks")
    game = demo_game(load_demo("muskets-mohawks"))
    told = tried(ruleset, game, Action(action="raise", extra={"side": "british"}))
    assert told["state"] == "unready"
    assert "grenadiers" in told["choices"]["entry"]
    assert "cossacks" not in told["choices"]["entry"]
