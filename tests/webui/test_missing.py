"""What an order still lacks, said with the labels that stand on its form."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets import BUILT_IN, find_ruleset
from engine.rulesets.base.forms.forms import Field, Form
from vision.simulated import load_demo
from webui.commands.demo import demo_game
from webui.table.missing import lacking
from webui.table.trying import tried


@cache
def game_of(ruleset: str) -> Game:
    return demo_game(load_demo(ruleset))


def lacks(ruleset: str, action: str, **more: Any) -> str:
    """What the page shows of an order of a ruleset's demo's first unit, or of nobody in particular."""
    game, rules = game_of(ruleset), find_ruleset(ruleset)
    unit = game.units[0].id if rules.forms()[action].scope == "unit" else None
    told = tried(rules, game, Action(action=action, unit=unit, **more))
    assert told["state"] == "unready"
    return str(told["lacks"])


@pytest.mark.parametrize(
    ("ruleset", "action", "labels"),
    [
        ("presidio", "reform", "“Into”"),
        ("presidio", "move", "“Where the lead figure goes”"),
        ("presidio", "casualty-status", "“How many fell”"),
        ("presidio", "fire", "“Target”"),
        ("presidio", "map-entry", "“Which marker”, “Entry hexes”"),
        ("palouse", "turn", "“New facing”"),
        ("musket-pike", "move", "“The steps”"),
        ("musket-pike", "turn", "“New facing”"),
        ("musket-pike", "fire", "“Target” or “Or at the empty bridge in”"),
        ("muskets-mohawks", "fire-canister", "“Target” or “Or at a building”"),
    ],
)
def test_what_is_still_to_be_given_is_called_as_on_the_form(ruleset: str, action: str, labels: str) -> None:
    assert lacks(ruleset, action) == f"Still to be given: {labels}"


@pytest.mark.parametrize("ruleset", list(BUILT_IN))
def test_no_form_of_any_rules_says_the_program_s_keys_for_what_is_missing(ruleset: str) -> None:
    for form in find_ruleset(ruleset).forms().values():
        if form.needed:
            missing = [field.label for field in form.fields if field.required]
            told = lacks(ruleset, form.action)
            assert all(f"“{label}”" in told for label in missing), told
            assert ": still to be given" not in told


FORM = Form(
    action="go",
    title="Go",
    fields=(
        Field(key="to", label="Where it goes", ask="cell", required=True),
        Field(key="turn_deg", label="New facing", ask="bearing"),
        Field(key="stops", label="Halts", ask="rows", of=(Field(key="at_mm", label="How far on", ask="number"),)),
    ),
)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("go: to: expected a hex of the table", "“Where it goes”: expected a hex of the table"),
        (
            "go: stops[1]: at_mm: still to be given, expected a number such as 12.5",
            "Still to be given: “Halts: 2: How far on”",
        ),
        ("go: stops[0].at_mm: expected less", "“Halts: 1: How far on”: expected less"),
        ("go: expected a hex or turn_deg", "Expected a hex or “New facing”"),
        ("the order is not understood", "the order is not understood"),
    ],
)
def test_what_is_wrong_with_a_field_is_said_of_its_label(error: str, told: str) -> None:
    assert lacking(FORM, Action(action="go", unit="x", extra={"to": [1, 1]}), error) == told
    assert lacking(None, Action(action="go"), error) == error
