"""``vedette ask``, ``resolve`` and ``log`` as a user types them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.errors import UnusableFile
from engine.events import begin
from engine.keeping.journal import Journal
from engine.records.files import as_it_is, write_file
from engine.records.game import read_game
from tests.command_line import vedette
from tests.engine.cases import CASES
from webui.cli import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "first-volley"
GAME, VOLLEY = EXAMPLE / "game.json", EXAMPLE / "action.json"


def test_ask_tells_the_weapons_of_a_unit_apart(tmp_path: Path) -> None:
    raw = json.loads((CASES / "tyneside" / "019-band-rifle-30.1.json").read_text())["game"]
    raw["units"][0]["stats"]["second_weapon"] = "hatchet"
    file = tmp_path / "game.json"
    file.write_text(json.dumps(raw))
    printed = vedette("ask", file, "--unit", raw["units"][0]["id"]).stdout
    assert "fire shoot at b with rifle" in printed
    assert "fire shoot at b with hatchet" in printed


def test_ask_tells_what_a_unit_does_by_itself_and_whom_a_leader_commands(tmp_path: Path) -> None:
    raw = json.loads((CASES / "tyneside" / "084-officer-4.8-cm-from-the-group.json").read_text())["game"]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(raw))
    leader, men = (vedette("ask", file, "--unit", name).stdout for name in ("ld", "b"))
    assert "commands with 3d6" in leader
    assert "b: 3 points, with 3d6" in leader
    assert "2: halt, if it likes" in leader
    assert "left to itself, at risk 1: " in men
    assert "[TY-52]" in men
    assert "2: halt, unless it is commanded" in men
    assert "3-5: continue, may charge, unless it is commanded" in men


@pytest.mark.parametrize("ruleset", ["muskets-mohawks", "presidio", "palouse", "tyneside", "musket-pike"])
def test_ask_prints_any_answer(ruleset: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    for case in sorted((CASES / ruleset).glob("*.json"))[::6]:
        file.write_text(json.dumps(json.loads(case.read_text())["game"]))
        assert vedette("ask", file).exit_code == 0, case.name


def test_ask_prints_an_answer_and_nothing_else() -> None:
    done = vedette("ask", GAME, "--json")
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    assert answer["format"] == "vedette-answer/1"
    assert [unit["unit"] for unit in answer["units"]] == ["1st-foot", "hurons", "la-reine"]
    assert done.stderr == ""


def test_ask_tells_people_in_their_own_inches() -> None:
    done = vedette("ask", GAME, "--unit", "1st-foot")
    assert "yes fire volley at hurons  12.41 in  10d6, 1s hit" in done.stdout
    assert "out of charge reach: 15.51 in (394.1 mm), can reach 14 in (355.6 mm)" in done.stdout
    assert "La Reine (" not in done.stdout


def test_ask_counts_squares_as_the_rules_do_and_not_by_the_tape(tmp_path: Path) -> None:
    """A corner's step is one bound of the Palouse variant, not 1.41; two squares along and one aside are two."""
    units = [
        {"id": name, "side": side, "type": "infantry", "formation": "none", "weapon": "musket", "square": square,
         "stats": {}, "state": {"bearing_deg": bearing}}
        for name, side, square, bearing in (
            ("b", "british", [4, 1], 45), ("f", "french", [5, 2], 180), ("f2", "french", [5, 3], 180))
    ]  # fmt: skip
    game = {
        "format": "vedette-game/1", "ruleset": "palouse",
        "table": {"width_mm": 1828.8, "depth_mm": 1219.2,
                  "grid": {"kind": "square", "size_mm": 152.4, "columns": 12, "rows": 8, "origin_mm": [0, 0]}},
        "turn": {"number": 2, "active_side": "british"},
        "sides": [{"name": "british", "edge": "south"}, {"name": "french", "edge": "north"}], "units": units,
    }  # fmt: skip
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game))
    told = vedette("ask", file, "--unit", "b").stdout
    assert "fire musket at f  1 bound  1d3" in told
    assert "fire musket at f2  2 bounds  1d3-1" in told
    assert "move 1 bound: bounds, turn" in told


def test_what_an_action_did_is_told_in_the_words_of_the_log_on_the_page() -> None:
    dice = "2 5 1 3 1 4 4 4 6 4 2 1 4 1 4 4 5"
    assert vedette("resolve", GAME, "--do", VOLLEY, "--dice", dice).stdout.splitlines() == [
        "1st Foot fires at Hurons: 10d6, 1s hit: 2 5 1 3 1 4 4 4 6 4 → 2 of 10  [MM-98]",
        "Leader check of Hurons, 11 or more hits him: 2d6: 2 1 → 3  [MM-116]",
        "Leader check of Hurons, 11 or more hits him: 2d6: 4 1 → 5  [MM-116]",
        "Hurons test received fire, received casualty: 3d6, 4 or less pass: 4 4 5 → 2 of 3  [MM-78]",
        "1st Foot at Hurons: 2 hits, 2 casualties  [MM-95]",
        "Hurons: its Leader is unharmed (3)  [MM-116]",
        "Hurons: its Leader is unharmed (5)  [MM-116]",
        "Hurons lose 2 figures  [MM-115]",
        "Hurons test their reaction (received fire, received casualty; a die more, in cover (woods)): 2 passed →"
        " carry on  [MM-78]",
    ]


def test_the_same_dice_give_the_same_result_to_the_byte() -> None:
    first = vedette("resolve", GAME, "--do", VOLLEY, "--seed", 7, "--json")
    assert first.exit_code == 0, first.output
    assert vedette("resolve", GAME, "--do", VOLLEY, "--seed", 7, "--json").stdout == first.stdout
    result = json.loads(first.stdout)
    scores = " ".join(str(score) for roll in result["rolls"] for score in roll["scores"])
    typed = vedette("resolve", GAME, "--do", VOLLEY, "--dice", scores, "--json")
    assert typed.stdout == first.stdout


def test_without_dice_or_seed_the_program_rolls_and_says_how_to_repeat_it() -> None:
    done = vedette("resolve", GAME, "--do", VOLLEY, "--json")
    seed = done.stderr.split()[-1]
    assert vedette("resolve", GAME, "--do", VOLLEY, "--seed", seed, "--json").stdout == done.stdout


@pytest.mark.parametrize(
    ("dice", "complaint"),
    [
        ("", "expected 10d6, but none are left"),
        ("1 2 3", "expected 10d6, but 3 are left"),
        ("1 2 3 4 5 6 7 1 1 1", "a d6 cannot show 7"),
        ("one two", "whole numbers"),
    ],
)
def test_dice_that_do_not_fit_end_with_status_2_and_name_the_roll(dice: str, complaint: str) -> None:
    done = vedette("resolve", GAME, "--do", VOLLEY, "--dice", dice, "--json")
    assert done.exit_code == 2
    assert complaint in done.stderr
    assert done.stdout == ""


def test_what_the_rules_forbid_ends_with_status_1_and_every_reason(tmp_path: Path) -> None:
    raw = json.loads(GAME.read_text())
    raw["units"][0]["state"] = {"activated": True, "in_melee": ["la-reine"]}
    game, before = tmp_path / "game.json", json.dumps(raw)
    game.write_text(before)
    done = vedette("resolve", game, "--do", VOLLEY, "--dice", "", "--json")
    assert done.exit_code == 1
    assert "activated" in done.stderr
    assert "melee" in done.stderr
    assert done.stdout == ""
    assert game.read_text() == before


def test_a_name_that_no_unit_of_the_game_bears_is_warned_of_beside_the_answer(tmp_path: Path) -> None:
    raw = json.loads(GAME.read_text())
    first = raw["units"][0]
    first["stats"] = {**first.get("stats", {}), "commands": ["2nd-foto"]}
    first["state"] = {
        **first.get("state", {}),
        "in_melee": ["gone"],
        "firing_at": first["id"],
        "behind": "stonewall",
    }
    (tmp_path / "game.json").write_text(json.dumps(raw))
    done = vedette("ask", tmp_path / "game.json", "--json")
    told = [line for line in done.stderr.splitlines() if line.startswith(f"warning: {first['id']}: ")]
    assert [line.split("names ")[1].split(":")[0] for line in told] == ["'2nd-foto'", "'gone'", "'stonewall'"]
    assert json.loads(done.stdout)["units"][0]["warnings"][0].startswith("stats.commands names '2nd-foto'")
    assert "warning" not in vedette("ask", GAME).stderr


def test_a_game_saved_with_a_byte_order_mark_is_read_as_any_other(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    game.write_bytes(b"\xef\xbb\xbf" + GAME.read_bytes())
    assert vedette("ask", game, "--json").stdout == vedette("ask", GAME, "--json").stdout


def changed(**keys: Any) -> str:
    return json.dumps({**json.loads(GAME.read_text()), **keys})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "not well-formed JSON (line 1, column 2"),
        (
            GAME.read_text().replace('"x_mm": ', '"x_mm": NaN, "was": ', 1),
            "units[0].figures[0].x_mm: expected a finite number",
        ),
        (GAME.read_text().replace('"x_mm": ', '"x_mm": 1e999, "was": ', 1), "x_mm: expected a finite number"),
        (changed(format="vedette-game/9"), 'format: expected "vedette-game/1"'),
        (changed(ruleset="chess"), "expected one of musket-pike, muskets-mohawks"),
        (changed(weather="rain"), "weather: unknown key; its keys are: "),
        (changed(conditions={"light": "dusk"}), "conditions"),
        (changed(terrain=[{"id": "w", "kind": "woods"}]), "terrain[0]: expected polygon_mm, or polyline_mm"),
    ],
)
def test_a_game_that_cannot_be_used_is_said_in_one_line_with_status_2(
    tmp_path: Path, text: str, complaint: str
) -> None:
    game = tmp_path / "game.json"
    game.write_text(text)
    done = vedette("ask", game, "--json")
    assert done.exit_code == 2
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.parametrize(
    "words", [("ask", GAME, "--unit", "nobody"), ("ask", "none.json"), ("log", "list", "none")]
)
def test_a_name_that_is_not_there_is_said_with_status_2(words: tuple[object, ...]) -> None:
    done = vedette(*words)
    assert done.exit_code == 2
    assert "Traceback" not in done.output


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    path = tmp_path / "evening.vedette"
    with Journal(path) as journal:
        journal.append(at="2026-11-21T19:00:00Z", kind="begin", events=[begin(read_game(GAME))])
        journal.append(at="2026-11-21T19:05:00Z", kind="note")
        journal.undo(at="2026-11-21T19:06:00Z")
    return path


def test_the_log_is_listed_exported_verified_and_replayed(evening: Path, tmp_path: Path) -> None:
    listed = vedette("log", "list", evening)
    assert "undoes 2" in listed.stdout
    assert re.search(
        r"2026-11-2\d \d\d:\d\d: The game begins$", listed.stdout, re.MULTILINE
    )  # this computer's clock
    exported = [json.loads(line) for line in vedette("log", "export", evening).stdout.splitlines()]
    assert (exported[0]["format"], exported[0]["entries"]) == ("vedette-log/1", 3)
    assert [entry["kind"] for entry in exported[1:]] == ["begin", "note", "undo"]
    assert "3 entries, each as it was written after the one before" in vedette("log", "verify", evening).stdout
    replayed = tmp_path / "game.json"
    replayed.write_text(vedette("log", "replay", evening, "--upto", 1).stdout)
    assert read_game(replayed) == read_game(GAME)


def test_the_list_of_the_log_tells_who_did_what_what_was_rolled_and_what_came_of_it(evening: Path) -> None:
    dice = "2 5 1 3 1 4 4 4 6 4 2 1 4 1 4 4 5"
    vedette("log", "play", evening, "--do", VOLLEY, "--dice", dice)
    vedette("log", "undo", evening)
    told = [
        re.sub(r" 20\d\d-\S+ \S+?(?=[,:] )", "", line)
        for line in vedette("log", "list", evening).stdout.splitlines()
    ]
    assert told[3:6] == [
        "   4 , Turn 1, British: 1st Foot volleys at Hurons  (undone)",
        "          1st Foot fires at Hurons: 10d6, 1s hit: 2 5 1 3 1 4 4 4 6 4 → 2 of 10",
        "          Leader check of Hurons, 11 or more hits him: 2d6: 2 1 → 3",
    ]
    assert "          Hurons lose 2 figures" in told
    assert told[-1] == "   5 , Turn 1, British: Undone: 1st Foot volleys at Hurons  (undoes 4)"


def test_the_log_of_a_game_whose_house_rules_are_not_at_hand_is_listed_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "away.vedette"
    with Journal(path) as journal:
        journal.append(
            at="2026-11-21T19:00:00Z", kind="begin", events=[begin(replace(read_game(GAME), ruleset="elsewhere"))]
        )
    assert "The game begins" in vedette("log", "list", path).stdout


def in_folder(folder: Path) -> dict[str, tuple[bytes, int]]:
    """What lies there: each file's bytes, and when it was last written."""
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


@pytest.mark.parametrize("words", [("list",), ("verify",), ("export",), ("replay",)])
def test_a_log_that_is_only_looked_at_stays_as_it_was_and_nothing_is_left_beside_it(
    evening: Path, words: tuple[str, ...]
) -> None:
    before = in_folder(evening.parent)
    assert vedette("log", *words, evening).exit_code == 0
    assert in_folder(evening.parent) == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: b"\xff" * 50 + file[50:],
        lambda file: file[:100] + b"\xff" * 3900 + file[4000:],
        lambda file: file[:4096] + b"\xff" * (len(file) - 4096),
        lambda file: file[:5000],
    ],
    ids=["head", "first page", "entries", "cut off"],
)
def test_a_damaged_log_is_refused_and_the_check_leaves_nothing_beside_it(
    evening: Path, damage: Callable[[bytes], bytes]
) -> None:
    evening.write_bytes(damage(evening.read_bytes()))
    before = in_folder(evening.parent)
    done = vedette("log", "verify", evening)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{evening}: expected a Vedette journal" in done.stderr
    assert in_folder(evening.parent) == before


@pytest.mark.parametrize("number", [-1, 0, 4])
def test_an_entry_that_the_log_does_not_have_is_not_replayed_to(evening: Path, number: int) -> None:
    done = vedette("log", "replay", evening, "--upto", number)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--upto" in done.stderr


@pytest.mark.parametrize("words", [("list",), ("verify",), ("export",), ("replay",)])
def test_an_empty_file_is_no_log_and_stays_empty(tmp_path: Path, words: tuple[str, ...]) -> None:
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    done = vedette("log", *words, empty)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "expected a Vedette journal, found an empty file" in done.stderr
    assert empty.read_bytes() == b""


def test_an_export_that_cannot_be_written_leaves_nothing_behind(evening: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for output in (folder, folder / "none" / "out.jsonl"):
        done = vedette("log", "export", evening, "-o", output)
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"{output}: cannot be written" in done.stderr
    assert list(folder.iterdir()) == []
    assert not list(tmp_path.glob("*.new"))


def test_a_file_that_is_written_keeps_its_link_and_its_rights(tmp_path: Path) -> None:
    there, link = tmp_path / "kept" / "game.json", tmp_path / "game.json"
    there.parent.mkdir()
    there.write_bytes(b"before")
    there.chmod(0o600)
    link.symlink_to(there)
    write_file(link, b"after")
    assert (link.is_symlink(), there.read_bytes(), there.stat().st_mode & 0o777) == (True, b"after", 0o600)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["game.json", "game.json", "kept"]


def test_of_two_programs_that_change_one_file_neither_undoes_the_other_unseen(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    game.write_bytes(GAME.read_bytes())
    before = as_it_is(game)
    assert vedette("options", game, "measure=centre").exit_code == 0
    other = game.read_bytes()
    with pytest.raises(UnusableFile, match=r"game\.json: another program changed it meanwhile"):
        write_file(game, b"mine", over=before)
    assert game.read_bytes() == other


def test_two_programs_that_write_one_file_at_once_leave_it_whole(tmp_path: Path) -> None:
    game, texts = tmp_path / "game.json", [letter * 200_000 for letter in (b"a", b"b", b"c", b"d")]
    with ThreadPoolExecutor() as at_once:
        list(at_once.map(lambda text: [write_file(game, text) for _ in range(20)], texts))
    assert game.read_bytes() in texts
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [({"mode": "laser"}, "mode"), ({"zeal": 1}, "zeal: unknown key"), ({"unit": "nobody"}, "unit: expected one of"),
     ({"action": "dance"}, "action: expected one of"),
     ({"action": "chrge"}, "action: there is no 'chrge'; did you mean charge?"), ({"override": "yes"}, "override")],
)  # fmt: skip
def test_an_action_that_cannot_be_used_is_named_with_its_file(
    tmp_path: Path, change: dict[str, Any], complaint: str
) -> None:
    action = tmp_path / "action.json"
    action.write_text(json.dumps({**json.loads(VOLLEY.read_text()), **change}))
    done = vedette("resolve", GAME, "--do", action, "--seed", "1")
    assert (done.exit_code, done.stdout) == (2, "")
    assert str(action) in done.stderr
    assert complaint in done.stderr


def test_without_a_standard_output_nothing_is_printed_and_nothing_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)  # what Python makes of a descriptor that is closed
    main.main(["ask", str(GAME), "--json"], standalone_mode=False)
