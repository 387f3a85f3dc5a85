"""Game, action, answer and result files: read strictly, written without loss."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UnusableFile
from engine.play import Played
from engine.records.action import Action, action_builtins, action_from, read_action
from engine.records.answer import (
    Answer,
    ChargeOption,
    ChargeRoll,
    FireOption,
    FireRoll,
    Modifier,
    MoveOption,
    UnitAnswer,
    answer_from,
    answer_json,
)
from engine.records.game import Game, Rect, Round, game_builtins, game_json, parse_game, read_game
from engine.result import result_from, result_json
from tests.engine.strategies import actions, events_on, games, json_values, names, own_keys, rolls


@given(games())
def test_a_game_survives_writing_and_reading(game: Game) -> None:
    assert parse_game(game_json(game)) == game


@given(games())
def test_a_ruleset_s_own_keys_stand_beside_the_others_in_the_file(game: Game) -> None:
    written = json.loads(game_json(game))
    for side, record in zip(written["sides"], game.sides, strict=True):
        assert "extra" not in side
        assert all(side[key] == value for key, value in record.extra.items())


@given(actions)
def test_an_action_survives_writing_and_reading(action: Action) -> None:
    assert action_from(json.loads(json.dumps(action_builtins(action)))) == action


_modifiers = st.builds(Modifier, name=names, effect=names, rule=names, extra=own_keys)
_words = st.lists(st.text(max_size=5), max_size=2).map(tuple)
_fires = st.builds(
    FireOption,
    why_not=_words,
    why_rules=_words,
    shooters=_words,
    targets_seen=_words,
    borderline=_words,
    modifiers=st.lists(_modifiers, max_size=2).map(tuple),
    roll=st.none() | st.builds(FireRoll, count=st.integers(0, 20), multiplier=st.floats(0, 4), extra=own_keys),
    range_mm=st.none() | st.floats(0, 5000),
    range_sigma_mm=st.floats(0, 5),
    extra=own_keys,
)
_charges = st.builds(
    ChargeOption,
    why_not=_words,
    why_rules=_words,
    borderline=_words,
    distance_mm=st.none() | st.floats(0, 5000),
    modifiers=st.lists(_modifiers, max_size=2).map(tuple),
    roll=st.none() | st.builds(ChargeRoll, extra=own_keys),
    extra=own_keys,
)
_moves = st.builds(
    MoveOption,
    allowance_mm=st.floats(0, 1000),
    modes=_words,
    reach_mm=st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), max_size=4).map(tuple),
    extra=own_keys,
)
_units = st.builds(
    UnitAnswer,
    fire=st.lists(_fires, max_size=2).map(tuple),
    charge=st.lists(_charges, max_size=2).map(tuple),
    move=st.none() | _moves,
    extra=own_keys,
)
_answers = st.builds(
    Answer, format=st.just("vedette-answer/1"), units=st.lists(_units, max_size=2).map(tuple), extra=own_keys
)


@given(_answers)
def test_an_answer_survives_writing_and_reading(answer: Answer) -> None:
    assert answer_from(msgspec.json.decode(answer_json(answer))) == answer


@given(games(), st.lists(rolls(), max_size=3), st.data())
def test_a_result_survives_writing_and_reading(game: Game, rolled: Any, data: st.DataObject) -> None:
    events = tuple(data.draw(st.lists(events_on(game), max_size=3)))
    played = Played(rolls=tuple(rolled), events=events, game=game)
    assert result_from(msgspec.json.decode(result_json(played))) == played


GOOD: dict[str, Any] = {
    "format": "vedette-game/1",
    "ruleset": "muskets-mohawks",
    "table": {"width_mm": 1828.8, "depth_mm": 1219.2},
    "sides": [{"name": "british", "edge": "south"}, {"name": "french", "edge": "north"}],
    "turn": {"number": 1, "active_side": "british"},
    "units": [
        {
            "id": "a",
            "side": "british",
            "type": "regular",
            "figures": [{"id": "a-1", "x_mm": 1, "y_mm": 2, "base": {"shape": "round", "diameter_mm": 25}}],
        }
    ],
    "terrain": [{"id": "w", "kind": "woods", "polygon_mm": [[0, 0], [1, 0], [1, 1]]}],
}


def test_figures_of_which_no_base_is_told_stand_on_what_the_rulebooks_take() -> None:
    raw = json.loads(json.dumps(GOOD))
    foot = {"x_mm": 1, "y_mm": 2}
    raw["units"][0]["figures"] = [{"id": "a-1", **foot}, {"id": "a-2", **foot, "mounted": True}]
    first, second = parse_game(json.dumps(raw).encode()).units[0].figures
    assert first.base == Round(diameter_mm=25.0)
    assert second.base == Rect(width_mm=25.0, depth_mm=50.0)


def _broken(*path: str | int, value: object) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(GOOD))
    inner: Any = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("raw", "where", "expected"),
    [
        (_broken("format", value="vedette-game/2"), "format", 'expected "vedette-game/1"'),
        ({"ruleset": "x"}, "format", "found no such key"),
        ([], "format", "found no such key"),
        (_broken("table", "width_mm", value="6 ft"), "table.width_mm", "expected a number such as 12.5, got"),
        (_broken("table", "width_mm", value=0), "table.width_mm", "above 0, got 0"),
        (_broken("weather", value="rain"), "weather", "unknown key"),
        (_broken("weather", value="rain"), "weather", "its keys are: ruleset, table, sides"),
        (_broken("measured", value={"sigma_m": 0.5}), "measured.sigma_m", "unknown key (did you mean sigma_mm?)"),
        (_broken("units", 0, "kind", value="x"), "units[0].kind", "unknown key; its keys are: id, side, type"),
        (_broken("units", 0, "figures", 0, "x_mm", value=None), "units[0].figures[0].x_mm", "got null"),
        (_broken("units", 0, "figures", 0, "base", "shape", value="oval"), "base.shape",
         "expected one of round, rect, got 'oval'"),
        (_broken("units", 0, "figures", 0, "base", value={"shape": "round", "diameter_mm": 25, "width_mm": 3}),
         "base.width_mm", "unknown key for a thing of this sort: leave it out"),
        (_broken("units", 0, "side", value="dutch"), "units[0].side", "expected one of british, french"),
        (_broken("sides", 0, "edge", value="left"), "sides[0].edge",
         "expected one of south, north, west, east, got 'left'"),
        (_broken("table", "grid", value={"kind": "oct", "size_mm": 100, "columns": 9, "rows": 9}),
         "table.grid.kind", "expected one of square, hex, got 'oct'"),
        (_broken("table", "grid", value={"kind": "hex", "size_mm": 9, "columns": 9, "rows": 10**30}),
         "table.grid.rows", "of at most 1000"),
        (_broken("table", "grid", value={"kind": "square", "size_mm": 1e-9, "columns": 9, "rows": 9}),
         "table.grid.size_mm", "of at least 1, got 1e-09"),
        (_broken("units", 0, "square", value=[10**30, 0]), "units[0].square[0]", "of at most 1000"),
        (_broken("turn", "number", value=10**25), "turn.number", "of at most 1000000"),
        (_broken("turn", "active_side", value="dutch"), "turn.active_side", "expected one of british"),
        (_broken("terrain", 0, "polygon_mm", value=[[9, 9], [9, 9], [9, 9]]),
         "terrain[0].polygon_mm", "at least three different points"),
        (_broken("terrain", 0, value={"id": "w", "kind": "wall", "polyline_mm": [[5, 5], [5, 5]], "width_mm": 6}),
         "terrain[0].polyline_mm", "at least two different points"),
        (_broken("terrain", 0, "polygon_mm", value=[[0, 0], [1e300, 0], [0, 1]]), "polygon_mm[1][0]", "at most"),
        (_broken("units", 0, "figures", 0, "x_mm", value=-1e300), "units[0].figures[0].x_mm", "at least -1000000"),
        (_broken("units", 0, "figures", 0, "base", value={"shape": "round", "diameter_mm": 1e300}),
         "base.diameter_mm", "of at most 1000000"),
        (_broken("measured", value={"sigma_mm": 1e300}), "measured.sigma_mm", "of at most 1000000"),
    ],
)  # fmt: skip
def test_a_broken_game_file_is_refused_with_its_name_the_key_and_what_was_expected(
    tmp_path: Path, raw: Any, where: str, expected: str
) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(raw))
    with pytest.raises(UnusableFile) as caught:
        read_game(file)
    message = str(caught.value)
    assert message.startswith(str(file))
    assert where in message
    assert expected in message
    assert "\n" not in message


def test_whole_numbers_may_be_written_with_a_point_for_json_has_one_kind_of_number(tmp_path: Path) -> None:
    written = _broken("turn", "number", value=3)
    written["units"][0] |= {"stats": {"rep": 4}, "state": {"reload_markers": 1}, "square": [2, 1]}
    plain, pointed = tmp_path / "plain.json", tmp_path / "pointed.json"
    plain.write_text(json.dumps(written))
    pointed.write_text(re.sub(r"([ \[])(\d+)(?=[,\]}])", r"\1\2.0", json.dumps(written)))
    assert '"rep": 4.0' in pointed.read_text()
    assert '"square": [2.0, 1.0]' in pointed.read_text()
    assert read_game(pointed) == read_game(plain)
    assert game_json(read_game(pointed)) == game_json(read_game(plain))


def test_two_units_or_figures_of_one_id_are_refused() -> None:
    twice = _broken("units", value=[GOOD["units"][0], GOOD["units"][0]])
    with pytest.raises(UnusableFile, match=r"units\[1\].id: expected an id of its own"):
        parse_game(json.dumps(twice).encode())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "expected JSON, found an empty file"),
        (b" \r\n", "expected JSON, found an empty file"),
        (b"{", "not well-formed JSON (line 1, column 2: it ends too soon"),
        (b'{"ruleset": "tyneside",\n "units": [,]}', "not well-formed JSON (line 2, column 12: invalid character)"),
        (b'{"format": NaN}', "format: expected a finite number"),
        (b'{"units": [{"figures": [{"x_mm": 1e999}]}]}', "units[0].figures[0].x_mm: expected a finite number"),
        (b'{"ruleset": "\xfc"}', "expected text in UTF-8, found byte 0xfc"),
        ('{"format": 1}'.encode("utf-16"), "expected text in UTF-8, found UTF-16: save it as UTF-8"),
        (b"[" * 100000, "not well-formed JSON"),
    ],
)
def test_what_is_no_json_is_refused_in_one_line_that_says_where(tmp_path: Path, text: bytes, said: str) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(text)
    with pytest.raises(UnusableFile) as caught:
        read_game(file)
    assert str(caught.value).startswith(f"{file}: {said}")
    assert "\n" not in str(caught.value)


def test_a_key_that_stands_twice_is_refused_for_one_of_the_two_would_be_lost(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    text = json.dumps(GOOD).replace('"ruleset":', '"ruleset": "palouse", "ruleset":', 1)
    file.write_text(text)
    with pytest.raises(
        UnusableFile, match=r'each key once in an object, got "ruleset" twice, beside "format": "vede'
    ):
        read_game(file)


def test_a_file_saved_by_an_editor_on_windows_is_the_same_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD, indent=1).replace("\n", "\r\n").encode())
    assert read_game(file) == parse_game(json.dumps(GOOD).encode())


def test_a_game_of_a_newer_program_says_what_can_read_it(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps({**GOOD, "format": "vedette-game/2"}))
    with pytest.raises(UnusableFile, match="got 'vedette-game/2': a newer Vedette wrote it"):
        read_game(file)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match=r"none\.json: cannot be read"):
        read_action(tmp_path / "none.json")


def test_the_written_game_says_every_key_that_an_action_sets() -> None:
    written = game_builtins(parse_game(json.dumps(GOOD).encode()))
    assert written["units"][0]["formation"] == "unformed"
    assert written["units"][0]["state"] == {}
    assert written["measured"] == {"sigma_mm": 0.0}


@given(json_values)
def test_any_value_is_a_game_or_refused_never_a_crash(raw: Any) -> None:
    with pytest.raises(UnusableFile):
        parse_game(json.dumps(raw).encode())
