"""``vedette campaign`` as a user types it: a month alone against the French, kept in one file."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from engine.events import begin
from engine.keeping.journal import Journal
from engine.keeping.shelf import Held
from engine.records.game import game_json, read_game
from tests.command_line import vedette

SIDES = {"british": {"army": "british"}, "french": {"army": "french"}}


@pytest.fixture
def field(tmp_path: Path) -> Path:
    """An empty table of two armies."""
    file = tmp_path / "field.json"
    game: dict[str, Any] = {
        "format": "vedette-game/1", "ruleset": "muskets-mohawks", "table": {"width_mm": 1828.8, "depth_mm": 1219.2},
        "conditions": {"campaign": SIDES}, "turn": {"number": 1, "active_side": "british"},
        "sides": [{"name": "british", "edge": "south"}, {"name": "french", "edge": "north"}],
        "units": [], "terrain": [], "measured": {"sigma_mm": 0},
    }  # fmt: skip
    file.write_text(json.dumps(game), encoding="utf-8")
    return file


def begun(field: Path) -> Path:
    campaign = field.with_name("campaign.json")
    done = vedette("campaign", "begin", field, "year=1757", "-o", campaign)
    assert done.exit_code == 0, done.output
    return campaign


def play(campaign: Path, *words: object) -> dict[str, Any]:
    """Plays an action of the campaign; its file afterwards."""
    done = vedette("campaign", "play", campaign, *words)
    assert done.exit_code == 0, done.output
    kept: dict[str, Any] = json.loads(campaign.read_text(encoding="utf-8"))
    return kept


def kept_of(campaign: dict[str, Any], side: str) -> dict[str, Any]:
    found: dict[str, Any] = campaign["conditions"]["campaign"][side]
    return found


def test_a_campaign_is_begun_into_a_file_of_its_own(field: Path) -> None:
    before = field.read_text(encoding="utf-8")
    kept = json.loads(begun(field).read_text(encoding="utf-8"))
    assert {side: kept_of(kept, side)["local_campaign_morale"] for side in SIDES} == {"british": 3, "french": 4}
    assert field.read_text(encoding="utf-8") == before


def test_in_the_log_of_an_evening_it_is_shown_and_played_on_and_each_action_can_be_undone(field: Path) -> None:
    campaign = begun(field)
    evening = field.with_name("evening.db")
    with Journal(evening) as journal:
        journal.append(at="2026-11-21T12:00:00Z", kind="begin", events=[begin(read_game(campaign))])
        before = journal.game
    told = vedette("campaign", "show", evening).stdout
    assert told.replace(str(evening), "FILE") == vedette("campaign", "show", campaign).stdout.replace(
        str(campaign), "FILE"
    )
    done = vedette("campaign", "play", evening, "territory", "--dice", "5 2")
    assert (done.exit_code, "entry 2" in done.stderr) == (0, True)
    kept = play(campaign, "territory", "--dice", "5 2")
    with Journal(evening) as journal:
        journal.verify()
        assert json.loads(game_json(journal.game)) == kept
        entry = journal.entries[-1]
        assert (entry.kind, entry.action and entry.action.action) == ("action", "territory")
    assert vedette("log", "undo", evening).exit_code == 0
    with Journal(evening) as journal:
        assert journal.game == before


def test_what_a_campaign_does_not_allow_writes_nothing_into_a_log(field: Path) -> None:
    evening = field.with_name("evening.db")
    with Journal(evening) as journal:
        journal.append(at="2026-11-21T12:00:00Z", kind="begin", events=[begin(read_game(begun(field)))])
    for words, said in ((("fly",), "fly"), (("territory", "--dice", "9 9"), "cannot show 9")):
        done = vedette("campaign", "play", evening, *words)
        assert (done.exit_code, said in done.stderr, done.stderr.count("\n")) == (2, True, 1)
    with Held(field.parent):
        done = vedette("campaign", "play", evening, "territory", "--dice", "5 2")
        assert (done.exit_code, "another Vedette" in done.stderr) == (2, True)
    with Journal(evening) as journal:
        assert len(journal.entries) == 1


def test_a_scout_encounter_and_the_month_around_it(field: Path) -> None:
    campaign = begun(field)
    play(campaign, "territory", "--dice", "5 2")
    # Main opponent French; levels; clear weather; the enemy is on a scout of his own.
    kept = play(campaign, "encounter", "encounter=scout", "--dice", "1 2 3 2 3 2 1")
    assert kept["conditions"]["encounter"] == "scout"
    play(campaign, "terrain", "--seed", 4)
    play(campaign, "raise", "side=british", "id=lieutenant", "rank=lieutenant")
    for name in ("1st", "2nd"):
        play(campaign, "raise", "side=british", f"id={name}", "entry=line")
        play(campaign, "generate-rep", "--unit", name, "kind=unit", "--dice", "4")
    kept = play(campaign, "pef-generate", "side=french", "--dice", "1 2 5")
    assert [unit["id"] for unit in kept["units"] if unit["type"] == "pef"] == [f"french-pef-{n}" for n in (1, 2, 3)]
    play(campaign, "new-turn", "--dice", "2 4")
    play(campaign, "pef-move", "--unit", "french-pef-3", "--dice", "1 1 4")
    kept = play(campaign, "pef-resolve", "--unit", "french-pef-3", "--seed", 12)
    found = [one["id"] for one in kept["units"] if one["side"] == "french" and one["type"] not in ("pef", "leader")]
    for name in found:
        play(campaign, "np-move", "--unit", name, "tactics=attack", "--seed", 3)
    play(campaign, "end-battle", "unwilling=true")
    play(campaign, "afterwards", "side=british", "won=true", "success=true", "--seed", 5)
    kept = play(campaign, "after-encounter", "success=british", "--seed", 6)
    play(campaign, "next-encounter", "last=scout", "success=true")
    shown = vedette("campaign", "show", campaign)
    assert shown.exit_code == 0
    for words in ("territory: ", "1st: Regular with musket; Rep 4", "Between battles", "next-encounter"):
        assert words in shown.output
    assert f"local campaign morale: {kept_of(kept, 'british')['local_campaign_morale']}" in shown.output


def test_an_evening_alone_is_set_up_by_the_commands_that_are_printed(field: Path) -> None:
    """From an empty table of two sides with nothing agreed to the first turn, by what is printed alone."""
    field.write_text(field.read_text(encoding="utf-8").replace(json.dumps({"campaign": SIDES}), "{}"), "utf-8")
    done: list[str] = []
    while "new-turn" not in done:
        shown = vedette("campaign", "show", field)
        assert shown.exit_code == 0, shown.output
        _, _, steps = shown.output.partition("What comes next\n")
        command = next(line for line in steps.splitlines() if "vedette campaign play" in line)
        words = shlex.split(command)[1:]
        done.append(words[3])
        assert vedette(*words, "--seed", len(done)).exit_code == 0
        assert len(done) < 20, done
    assert done[:6] == ["agree", "agree", "campaign-start", "territory", "encounter", "terrain"]
    kept = json.loads(field.read_text(encoding="utf-8"))
    assert [unit["side"] for unit in kept["units"]][:3] == ["british"] * 3
    assert kept["conditions"]["evening"]["stage"] == "battle"
    leader = kept["units"][0]["figures"][0]
    play(field, "march", "--unit", kept["units"][0]["id"], f"to=[{leader['x_mm']}, {leader['y_mm'] + 100}]")
    passed = play(field, "pass-turn", "side=french")
    assert passed["turn"]["active_side"] == "french"


def next_command(field: Path) -> list[str]:
    """The words of the first command that ``vedette campaign show`` prints as what comes next."""
    shown = vedette("campaign", "show", field)
    assert shown.exit_code == 0, shown.output
    _, _, steps = shown.output.partition("What comes next\n")
    return shlex.split(next(line for line in steps.splitlines() if "vedette campaign play" in line))[1:]


def go_ahead(field: Path) -> None:
    """Every unit of the player's marches 4 in ahead, where it may."""
    for unit in json.loads(field.read_text(encoding="utf-8"))["units"]:
        if unit["side"] == "british" and unit["figures"]:
            x, y = unit["figures"][0]["x_mm"], unit["figures"][0]["y_mm"] + 100
            done = vedette("campaign", "play", field, "march", "--unit", unit["id"], f"to=[{x}, {y}]")
            assert done.exit_code == 0 or "not allowed" in done.stderr


@pytest.mark.rule("MM-206", "MM-221", "MM-224", "MM-198")
def test_a_scout_encounter_alone_and_its_month_are_played_by_the_commands_that_are_printed(field: Path) -> None:
    """From an empty table to the next month: of his own the player only moves his units, and calls the battle."""
    field.write_text(field.read_text(encoding="utf-8").replace(json.dumps({"campaign": SIDES}), "{}"), "utf-8")
    done: list[str] = []
    while "next-month" not in done:
        words = next_command(field)
        if words[3] == "pass-turn":
            go_ahead(field)
        if words[3] == "new-turn" and done.count("new-turn") == 2 and "end-battle" not in done:
            words = ["campaign", "play", str(field), "end-battle", "unwilling=true"]
        done.append(words[3])
        played = vedette(*words, "--seed", len(done) - 1)
        assert played.exit_code == 0, (words, played.output)
        assert len(done) < 70, done
    assert {"pef-generate", "pef-move", "pef-resolve", "afterwards", "after-encounter", "next-encounter"} <= {*done}
    kept = json.loads(field.read_text(encoding="utf-8"))
    assert (kept["conditions"]["month"], kept["conditions"]["evening"]["stage"]) == (4, "before")
    assert kept["terrain"] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [(("weather", "--dice", "1 2", "--seed", "3"), "exclude each other"), (("raise", "side"), "expected KEY=VALUE"),
     (("weather", "action=chess"), "expected a key of the action weather"),
     (("encounter", "encounter=raid-defend", "encounter=raid-attack"), "encounter: is given twice"),
     (("chess",), "expected one of"), (("encounter", "encounter=picnic"), "encounter"),
     (("weather", "--dice", "9"), "9"), (("replacements", "--unit", "nobody"), "nobody")],
)  # fmt: skip
def test_what_cannot_be_played_is_said_and_changes_nothing(field: Path, words: tuple[str, ...], said: str) -> None:
    campaign = begun(field)
    before = campaign.read_bytes()
    done = vedette("campaign", "play", campaign, *words)
    assert done.exit_code in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.output
    assert campaign.read_bytes() == before


def test_before_a_campaign_has_begun_it_says_how_to_begin(field: Path) -> None:
    field.write_text(field.read_text(encoding="utf-8").replace(json.dumps({"campaign": SIDES}), "{}"), "utf-8")
    assert "vedette campaign begin" in vedette("campaign", "show", field).output


def test_rules_without_a_campaign_say_so(tmp_path: Path) -> None:
    game = {
        "format": "vedette-game/1", "ruleset": "tyneside", "table": {"width_mm": 1800, "depth_mm": 1200},
        "turn": {"number": 1},
        "sides": [{"name": "a", "edge": "south"}, {"name": "b", "edge": "north"}], "units": [], "terrain": [],
        "conditions": {}, "measured": {"sigma_mm": 0},
    }  # fmt: skip
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game), encoding="utf-8")
    done = vedette("campaign", "begin", file, "-o", tmp_path / "c.json")
    assert done.exit_code == 2
    assert "Tyneside Skirmish has no campaign" in done.stderr
    assert not (tmp_path / "c.json").exists()
    shown = vedette("campaign", "show", file)
    assert "Tyneside Skirmish has no campaign" in shown.output
    assert "vedette campaign begin" not in shown.output


@pytest.mark.parametrize("words", [("begin", "-o", "c.json"), ("show",), ("play", "anything")])
def test_a_campaign_with_a_file_of_its_own_is_sent_to_its_commands(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "war.json"
    file.write_text('{"format": "vedette-campaign/1", "ruleset": "musket-pike"}', encoding="utf-8")
    done = vedette("campaign", words[0], file, *words[1:])
    assert done.exit_code == 2
    assert "expected a game, got a campaign" in done.stderr
    assert "vedette campaign situations" in done.stderr


def test_a_campaign_whose_armies_are_not_said_yet_tells_where_they_are_said(field: Path) -> None:
    game = json.loads(field.read_text(encoding="utf-8"))
    field.write_text(json.dumps({**game, "conditions": {}}), encoding="utf-8")
    done = vedette("campaign", "begin", field, "year=1757", "-o", field.with_name("campaign.json"))
    assert done.exit_code == 2
    assert "nobody has said which army british is: say first how you play (agree, with armies)" in done.stderr
    assert "conditions.campaign.british.army; expected one of british, french, " in done.stderr
    assert not field.with_name("campaign.json").exists()


def test_only_dice_that_were_rolled_are_said_to_be(field: Path) -> None:
    campaign = begun(field)
    agreed = vedette("campaign", "play", campaign, "agree", "play=solo", "player_side=british")
    assert (agreed.exit_code, agreed.stderr) == (0, "")
    rolled = vedette("campaign", "play", campaign, "territory")
    assert rolled.stderr.startswith("rolled with --seed ")


def test_a_campaign_that_is_begun_over_another_keeps_the_other_under_a_name_that_is_said(field: Path) -> None:
    campaign = begun(field)
    played = json.dumps(play(campaign, "agree", "play=solo", "player_side=british"))
    again = vedette("campaign", "begin", field, "year=1758", "-o", campaign, "--seed", 1)
    assert again.exit_code == 0
    (aside,) = field.parent.glob("campaign-*.json")
    assert str(aside) in again.stderr.replace("\n", "")
    assert json.loads(aside.read_text(encoding="utf-8")) == json.loads(played)


def test_a_campaign_that_is_not_begun_leaves_the_other_where_it_is(field: Path) -> None:
    campaign = begun(field)
    before = campaign.read_bytes()
    assert vedette("campaign", "begin", field, "year=1890", "-o", campaign).exit_code == 2
    assert campaign.read_bytes() == before
    assert sorted(one.name for one in field.parent.iterdir()) == ["campaign.json", "field.json"]
