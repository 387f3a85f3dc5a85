"""``vedette unit``: the umpire looks at a unit and sets it right, without the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import vedette

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    file.write_bytes((EXAMPLES / "first-volley" / "game.json").read_bytes())
    return file


def foot(game: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(game.read_bytes())["units"][0]
    return found


def test_a_unit_shows_every_key_that_its_rules_know(game: Path) -> None:
    before = game.read_bytes()
    shown = vedette("unit", game, "1st-foot").stdout.splitlines()
    assert shown[0] == "1st Foot"
    assert "    rep=4" in shown
    assert "    reload_markers=0" in shown
    told = json.loads(vedette("unit", game, "1st-foot", "--json").stdout)
    assert (told["unit"], told["stats"]["rep"], told["state"]["retiring"]) == ("1st-foot", 4, False)
    assert game.read_bytes() == before


def test_the_umpire_sets_a_unit_right_in_the_game_s_file(game: Path) -> None:
    done = vedette("unit", game, "1st-foot", "rep=3", "reload_markers=1", "state.retiring=true")
    assert (done.exit_code, done.stdout) == (
        0, "1st Foot: reload markers 1, retiring yes, rep 3 instead of 4\n",
    )  # fmt: skip
    assert foot(game)["state"] == {"reload_markers": 1, "retiring": True}
    assert foot(game)["stats"]["rep"] == 3
    assert vedette("ask", game).exit_code == 0


def test_with_json_the_unit_as_it_stands_then_is_all_that_is_printed(game: Path) -> None:
    done = vedette("unit", game, "1st-foot", "rep=3", "--json")
    assert json.loads(done.stdout)["stats"]["rep"] == 3
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("1st-foot", "rep"), "expected KEY=VALUE such as rep=4, got 'rep'"),
        (("1st-foot", "zeal=3"), "1st-foot: zeal: expected one of reload_markers"),
        (("1st-foot", "state.zeal=3"), "1st-foot: state.zeal: unknown key; its keys are: "),
        (
            ("1st-foot", "reload_markers=1", "rep=high"),
            "1st-foot: stats.rep: expected a whole number such as 4, got 'high'",
        ),
        (("1st-foot", "rep=4"), "1st-foot: rep is 4 already: expected at least one key with another value"),
        (("1st-foot", "rep=4.0"), "rep is 4 already"),
        (("1st-foot", "rep=3", "stats.rep=5"), "stats.rep is given twice"),
        (("nobody", "rep=3"), "unit 'nobody': no such unit; there are: 1st-foot, hurons, la-reine"),
    ],
)
def test_what_cannot_be_set_is_said_in_a_line_and_the_file_stays_as_it_was(
    game: Path, words: tuple[str, ...], said: str
) -> None:
    before = game.read_bytes()
    done = vedette("unit", game, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr.replace("`", "")
    assert len(done.stderr.splitlines()) == 1
    assert game.read_bytes() == before


def test_a_key_that_state_and_stats_both_have_is_asked_back_for(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    game.write_bytes((EXAMPLES / "raid-on-the-mission" / "game.json").read_bytes())
    name = json.loads(game.read_bytes())["units"][0]["id"]
    asked = vedette("unit", game, name, "morale=normal")
    assert (asked.exit_code, "say state.morale or stats.morale" in asked.stderr) == (2, True)
