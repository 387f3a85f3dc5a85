"""The game in ``examples``: profiles that are told to be examples, a battle to be fought, a map to begin on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.records.game import read_game
from engine.rulesets.presidio import RULESET
from engine.rulesets.presidio.campaign.standing import campaign_of
from tests.engine.presidio.playing import Playing
from tests.engine.presidio.scene import do

FOLDER = Path(__file__).parents[3] / "examples" / "raid-on-the-mission"
GAME = read_game(FOLDER / "game.json")
_NUMBERS = ("ranged", "melee", "armor", "recon", "camou", "morale")


@pytest.mark.rule("presidio R-1")
def test_the_page_beside_it_tells_every_units_profile_and_that_it_is_an_example() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert "suggestions" in text
    told = {}
    for names, stats in re.findall(r"^\| ((?:`\w+`,? ?)+)[^|]*\| ([^|]+) \|$", text, re.MULTILINE):
        for name in re.findall(r"`(\w+)`", names):
            told[name] = dict(pair.split(" ") for pair in stats.split(", "))
    assert set(told) == set(GAME.by_id)
    for unit in GAME.units:
        assert told[unit.id] == {key: str(unit.stats[key]) for key in _NUMBERS if key in unit.stats}, unit.id


def test_it_can_be_played() -> None:
    RULESET.check(GAME)
    assert {one.unit for one in RULESET.ask(GAME).units} == set(GAME.by_id)
    assert not any(one.extra.get("warnings") for one in RULESET.ask(GAME).units)
    playing = Playing(GAME, 3)
    playing.turn()
    assert playing.events


@pytest.mark.rule("PR-1101", "PR-1102")
def test_a_campaign_begins_on_its_map() -> None:
    campaign = campaign_of(do(GAME, action="map-begin", columns=6, rows=4, blanks=2).game)
    assert campaign.hexes["1,1"].name == "Mission"
    assert len(campaign.markers) == len(GAME.units) + 4
