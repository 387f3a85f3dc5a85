"""``vedette rules``: what can be played, which tables can be changed, and whether house rules fit."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from engine.rulesets import BUILT_IN
from tests.command_line import vedette

EXAMPLES = Path(__file__).parents[2] / "examples"
PACKS = sorted(file.parent.name for file in EXAMPLES.glob("*/ruleset.toml"))
HEAD = 'format = "vedette-ruleset/1"\nid = "ours"\ntitle = "Ours"\nextends = "tyneside"\n'


def put(folder: Path, text: str, **cases: object) -> Path:
    (folder / "cases").mkdir(parents=True)
    (folder / "ruleset.toml").write_text(text, encoding="utf-8")
    for name, case in cases.items():
        (folder / "cases" / f"{name}.json").write_text(json.dumps(case), encoding="utf-8")
    return folder


def test_rulesets_and_packs_are_listed_and_one_that_cannot_be_read_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "ours", HEAD)
    put(tmp_path / "broken", "format = ")
    monkeypatch.setenv("VEDETTE_RULESETS", str(tmp_path))
    done = vedette("rules")
    told = [line.partition(":")[0] for line in done.stdout.splitlines()]
    assert told == [*BUILT_IN, "ours"]
    assert "Ours (house rules of tyneside: " in done.stdout
    assert done.stderr.startswith(f"warning: {tmp_path / 'broken' / 'ruleset.toml'}: ")
    listed = json.loads(vedette("rules", "--json").stdout)["rulesets"]
    assert [one["id"] for one in listed] == [*BUILT_IN, "ours"]
    assert listed[-1]["extends"] == "tyneside"


def test_without_a_pack_the_folder_to_put_one_into_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEDETTE_RULESETS", "")
    monkeypatch.setattr("engine.rulesets.base.data.packs.packs_in", lambda _: iter(()))
    assert "looked for in" in vedette("rules").stdout


@pytest.mark.parametrize("ruleset", sorted(BUILT_IN))
def test_every_ruleset_shows_tables_to_copy_from(ruleset: str) -> None:
    names = [line.partition(":")[0] for line in vedette("rules", ruleset).stdout.splitlines()]
    assert names
    for name in names:
        assert tomllib.loads(vedette("rules", ruleset, name).stdout)


def test_a_table_of_house_rules_is_shown_as_printed_and_where_what_changes_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "ours", HEAD)
    monkeypatch.setenv("VEDETTE_RULESETS", str(tmp_path))
    ours, printed = vedette("rules", "ours", "weapons"), vedette("rules", "tyneside", "weapons")
    assert ours.stdout == printed.stdout
    assert str(tmp_path / "ours" / "ruleset.toml") in ours.stderr
    assert not printed.stderr


def test_a_table_that_there_is_not_is_refused_with_those_there_are() -> None:
    done = vedette("rules", "tyneside", "horses")
    assert done.exit_code == 2
    assert "expected one of its tables, book, actions, weapons, ground, got 'horses'" in done.stderr


@pytest.mark.parametrize("name", PACKS)
def test_the_examples_of_house_rules_fit(name: str) -> None:
    done = vedette("rules", "--check", str(EXAMPLES / name))
    assert (done.exit_code, done.stderr) == (0, "")
    assert "the tables fit" in done.stdout


def test_a_case_that_does_not_come_out_says_what_was_expected_and_what_came(tmp_path: Path) -> None:
    game = json.loads((EXAMPLES / "first-volley" / "game.json").read_text(encoding="utf-8"))
    unit = game["units"][0]["id"]
    case = {"kind": "ask", "game": {**game, "ruleset": "ours"}, "unit": unit}
    pack = put(
        tmp_path / "ours", HEAD.replace("tyneside", "muskets-mohawks"),
        right={**case, "expect": [{"path": "unit", "equals": unit}]},
        wrong={**case, "expect": [{"path": "unit", "equals": "nobody"}]},
        unheard={**case, "unit": "nobody", "expect": []},
    )  # fmt: skip
    done = vedette("rules", "--check", str(pack))
    assert done.exit_code == 1
    assert f"wrong.json: unit equals 'nobody', got '{unit}'" in done.stdout
    assert "unheard.json" in done.stdout
    assert "1 of 3 cases come out" in done.stdout


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ({"kind": "look"}, "kind"),
        ({"kind": "ask", "game": {}, "expect": [{"path": "unit", "is": 1}]}, "got 'is'"),
        ({"kind": "ask", "game": {}, "expect": [{"equals": 1}]}, "expected a path and operators"),
        ({"kind": "ask", "game": "lost.json", "expect": []}, "lost.json"),
    ],
    ids=["kind", "operator", "path", "game"],
)
def test_a_file_that_is_no_case_is_told_of(tmp_path: Path, case: object, said: str) -> None:
    done = vedette("rules", "--check", str(put(tmp_path / "ours", HEAD, strange=case)))
    assert done.exit_code == 1
    assert said in done.stdout


def test_a_folder_without_house_rules_is_refused_in_one_line(tmp_path: Path) -> None:
    done = vedette("rules", "--check", str(tmp_path))
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "ruleset.toml: cannot be read" in done.stderr
