"""Which actions are open now, and why not the rest, without a die being rolled or anything changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.records.game import game_from, read_game
from engine.rulesets import BUILT_IN, find_ruleset
from engine.rulesets.base.actions.opening import OpenAction, open_actions
from tests.command_line import vedette
from tests.engine.cases import CASES
from tests.engine.musket_pike import scene as musket_pike
from vision.simulated import load_demo
from webui.commands.demo import demo_game

EXAMPLE = Path(__file__).parents[2] / "examples" / "first-volley" / "game.json"


def palouse(**conditions: object):
    squares = {"foot": [2, 2], "scouts": [4, 2], "enemy": [2, 3]}
    return game_from(
        {
            "format": "vedette-game/1",
            "ruleset": "palouse",
            "table": {
                "width_mm": 914.4,
                "depth_mm": 914.4,
                "grid": {"kind": "square", "size_mm": 152.4, "columns": 6, "rows": 6, "origin_mm": [0, 0]},
            },
            "conditions": conditions,
            "turn": {"number": 1, "active_side": "british"},
            "sides": [{"name": "british", "edge": "south"}, {"name": "french", "edge": "north"}],
            "units": [
                {"id": name, "side": "french" if name == "enemy" else "british", "type": "infantry",
                 "formation": "none", "weapon": "musket", "square": square}
                for name, square in squares.items()
            ],
        },
        "the test",
    )  # fmt: skip


def opening(game, unit: str | None, action: str) -> OpenAction:
    found = {one.action: one for one in open_actions(find_ruleset(game.ruleset), game, unit)}
    return found[action]


def test_an_action_that_needs_nothing_more_is_allowed_as_it_stands():
    assert opening(palouse(), None, "end-turn").state == "allowed"


def test_an_action_out_of_its_step_is_refused_with_the_reason_and_its_row():
    found = opening(palouse(step="movement"), None, "elimination")
    assert found.state == "refused"
    assert len(found.why_not) == len(found.why_rules) == 1
    assert "movement" in found.why_not[0]
    assert found.why_rules[0].startswith(("PA-", "R"))


def test_an_action_aimed_at_a_unit_is_tried_at_every_enemy():
    found = opening(palouse(), "foot", "fire")
    assert [(aim.key, aim.value, aim.allowed) for aim in found.aims] == [("target", "enemy", True)]
    assert found.state == "allowed"
    far = opening(palouse(), "scouts", "fire").aims[0]
    assert not far.allowed
    assert far.why_rules[0] == "PA-30"


def test_an_action_that_wants_more_than_one_thing_says_what_it_asks_for():
    found = opening(palouse(), "foot", "turn")
    assert (found.state, found.asks) == ("asks", ("bearing_deg",))


def test_an_action_that_nothing_one_could_say_would_allow_is_refused_with_what_speaks_against_all_of_it():
    found = opening(palouse(), "enemy", "turn")
    assert (found.state, found.why_not, found.why_rules) == (
        "refused", ("it is the turn of british",), ("PA-05",)
    )  # fmt: skip
    muskets = read_game(EXAMPLE)
    level = opening(muskets, muskets.units[0].id, "change-level")
    assert (level.state, level.why_not) == ("refused", ("not in a building",))


def test_what_a_choice_would_allow_is_refused_as_it_stands_and_asks_for_the_choice():
    game = read_game(EXAMPLE)
    found = opening(game, game.units[0].id, "np-play")
    assert (found.state, found.asks) == ("refused", ("tactics",))
    assert "say whether it attacks or defends" in found.why_not[0]
    over = next(one for one in open_actions(find_ruleset(game.ruleset), game, None) if one.action == "end-battle")
    assert (over.state, over.asks) == ("refused", ("unwilling",))


def test_how_the_players_play_can_be_agreed_at_any_time():
    """It was refused because nothing was said, and nothing could be said because it was refused."""
    game = read_game(EXAMPLE)
    found = next(one for one in open_actions(find_ruleset(game.ruleset), game, None) if one.action == "agree")
    assert (found.state, found.why_not) == ("allowed", ())


@pytest.mark.rule("MP-76")
@pytest.mark.parametrize(
    ("kind", "at_work", "state"),
    [("artillery", False, "refused"), ("pioneer", False, "refused"), ("pioneer", True, "asks")],
)
def test_what_can_neither_be_begun_nor_stopped_is_not_asked_about(kind: str, at_work: bool, state: str):
    """A battery was offered to repair a bridge, yes or no."""
    found = opening(musket_pike.game(musket_pike.unit("a", (4, 4), kind, repairing=at_work)), "a", "repair")
    assert found.state == state
    assert ("only pioneers repair bridges" in found.why_not) is (kind == "artillery")


def test_the_games_own_actions_are_not_a_units_and_no_units_the_games():
    game = palouse()
    rules = find_ruleset("palouse")
    of_unit = {one.action for one in open_actions(rules, game, "foot")}
    of_game = {one.action for one in open_actions(rules, game, None)}
    assert of_unit == {"move", "turn", "fire"}
    assert of_unit | of_game == set(rules.forms())
    assert not of_unit & of_game


def test_an_action_that_needs_one_enemy_among_its_keys_is_tried_with_each():
    found = opening(read_game(EXAMPLE), "1st-foot", "break-off")
    assert [(aim.key, aim.value, aim.why_not) for aim in found.aims] == [
        ("enemy", "hurons", ("not in melee",)),
        ("enemy", "la-reine", ("not in melee",)),
    ]


def test_an_action_for_which_there_is_nothing_on_the_table_is_refused():
    found = opening(read_game(EXAMPLE), "1st-foot", "start-fire")
    assert (found.state, found.why_not) == ("refused", ("there is nothing on the table for “Which building”",))


@pytest.mark.parametrize("name", ["1st-foot", "hurons", None])
def test_what_is_open_is_what_begins(name):
    game = read_game(EXAMPLE)
    rules = find_ruleset(game.ruleset)
    for one in open_actions(rules, game, name):
        if one.state == "refused":
            assert one.why_not or one.aims, one.action
        assert len(one.why_not) == len(one.why_rules)


def test_the_command_tells_players_what_is_open_in_a_line_each():
    done = vedette("actions", EXAMPLE, "--unit", "1st-foot")
    assert done.exit_code == 0, done.output
    assert "yes fire: hurons" in done.stdout
    assert "no  rally" in done.stdout
    assert "[MM-66]" in done.stdout
    assert "The game" in done.stdout


def test_the_command_prints_forms_and_what_is_open_as_json():
    done = vedette("actions", EXAMPLE, "--json")
    told = json.loads(done.stdout)
    assert told["format"] == "vedette-actions/1"
    forms = {form["action"] for form in told["forms"]}
    assert {one["action"] for one in told["open"]} == forms
    assert {one["unit"] for one in told["open"]} == {"1st-foot", "hurons", "la-reine", None}


def test_an_unknown_unit_is_refused_in_one_line():
    done = vedette("actions", EXAMPLE, "--unit", "nobody")
    assert done.exit_code == 2
    assert "nobody" in done.stderr


@pytest.mark.parametrize("ruleset", sorted(BUILT_IN))
def test_every_reason_against_an_action_names_its_row(ruleset: str) -> None:
    found, rules = find_ruleset(ruleset), find_ruleset(ruleset).rows()
    games = [game_from(json.loads(path.read_text())["game"], path.name) for path in _some_cases(ruleset)]
    for game in (*games, demo_game(load_demo(ruleset))):
        for unit in (None, *(one.id for one in game.units[:3])):
            for opening in open_actions(found, game, unit):
                for told in (opening, *opening.aims):
                    own = [text for text in told.why_not if not text.startswith("there is nothing on the table")]
                    assert len([rule for rule in told.why_rules if rule in rules]) >= len(own), (opening, told)


def _some_cases(ruleset: str) -> list[Path]:
    cases = sorted((CASES / ruleset).glob("*.json"))
    return [path for path in cases[::6] if '"exit_status"' not in path.read_text()]
