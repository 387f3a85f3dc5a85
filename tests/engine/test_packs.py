"""House rules: a folder with TOML that turns a built-in ruleset into another."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import UnknownRuleset, UnusableFile
from engine.records.game import read_game
from engine.rulesets import find_ruleset, known_rulesets

EXAMPLES = Path(__file__).parents[2] / "examples"
HEAD = 'format = "vedette-ruleset/1"\nid = "ours"\ntitle = "Ours"\nextends = "palouse"\n'


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of packs that is looked in."""
    monkeypatch.setenv("VEDETTE_RULESETS", str(tmp_path))
    return tmp_path


def put(folder: Path, text: str) -> None:
    (folder / "ours").mkdir()
    (folder / "ours" / "ruleset.toml").write_text(text, encoding="utf-8")


def test_the_example_turns_palouse_into_another_period(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEDETTE_RULESETS", str(EXAMPLES))
    game = read_game(EXAMPLES / "civil-war-on-squares" / "game.json")
    ruleset = find_ruleset(game.ruleset)
    ruleset.check(game)
    assert (ruleset.id, ruleset.title) == ("civil-war-on-squares", "Civil War on Squares")
    maine, battery, _, horse = ruleset.ask(game).units
    assert [(shot.target, shot.band) for shot in maine.fire] == [
        ("15th-alabama", "long"),
        ("texas-horse", "out-of-range"),
    ]
    assert battery.fire[0].band == "short"
    assert maine.extra["resolve"]["value"] == 24  # breastworks, commander, veterans
    assert horse.move is not None
    assert horse.move.extra["allowance_bounds"] == 2
    assert ruleset.rows()["CW-1"].text.startswith("Rifles")
    assert "PA-10" in ruleset.rows()


def test_what_a_pack_takes_out_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEDETTE_RULESETS", str(EXAMPLES))
    path = EXAMPLES / "civil-war-on-squares" / "game.json"
    from engine.records.game import game_builtins, game_from

    raw = game_builtins(read_game(path))
    raw["units"][0]["type"] = "indian"
    with pytest.raises(UnusableFile, match="expected one of infantry, grenadier, skirmisher, artillery, cavalry"):
        find_ruleset("civil-war-on-squares").check(game_from(raw, "the game"))


def test_the_built_in_ruleset_stays_as_it_is(at_home: Path) -> None:
    put(at_home, HEAD + "[tables.resolve]\nbase = 4\n")
    assert find_ruleset("ours").book.resolve.base == 4  # type: ignore[attr-defined]
    assert find_ruleset("palouse").book.resolve.base == 6  # type: ignore[attr-defined]
    assert known_rulesets()[-1] == "ours"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("format = 3", "cannot be read as TOML|expected"),
        (HEAD.replace("/1", "/9"), 'format: expected "vedette-ruleset/1"'),
        (HEAD.replace("palouse", "chess"), "extends: expected one of musket-pike, muskets-mohawks, palouse"),
        (HEAD.replace("palouse", "muskets-mohawks"), "has no tables that a pack can replace"),
        (
            HEAD + 'remove = ["types.elephant"]',
            "remove: expected the path of a key in the tables, got 'types.elephant'",
        ),
        (HEAD + "[tables.resolve]\nbase = 'six'", "resolve.base"),
        (HEAD + "[tables.weapons]\nbow = { short = 1 }", "weapons.*long"),
        (HEAD + "colour = 'red'", "colour"),
        ("x = ", "cannot be read as TOML"),
    ],
)
def test_a_faulty_pack_is_refused_with_its_place(at_home: Path, text: str, fault: str) -> None:
    put(at_home, text)
    with pytest.raises(UnusableFile, match=fault) as refused:
        find_ruleset("ours")
    assert "ruleset.toml" in str(refused.value)


def test_an_unknown_ruleset_is_refused_with_those_there_are(at_home: Path) -> None:
    put(at_home, HEAD)
    with pytest.raises(UnknownRuleset, match=r"expected one of .*palouse.*ours, got 'chess'"):
        find_ruleset("chess")
