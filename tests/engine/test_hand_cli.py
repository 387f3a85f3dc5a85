"""``vedette turn``, ``place``, ``options``, ``unit``: a game or its journal is set right without the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.events import begin
from engine.keeping.journal import Journal
from engine.keeping.shelf import Held
from engine.records.game import Game, read_game
from tests.command_line import vedette

GAME = Path(__file__).parents[2] / "examples" / "first-volley" / "game.json"
NOON = "2026-11-21T12:00:00Z"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    file.write_bytes(GAME.read_bytes())
    return file


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    path = tmp_path / "evening.vedette"
    with Journal(path) as journal:
        journal.append(at=NOON, kind="begin", events=[begin(read_game(GAME))])
    return path


def kept(evening: Path) -> Game:
    with Journal(evening) as journal:
        journal.verify()
        return journal.game


def everything(file: Path) -> object:
    """All that a game's file or a journal holds."""
    if file.suffix == ".json":
        return file.read_bytes()
    with Journal(file) as journal:
        return journal.entries


def test_whose_turn_it_is_is_shown_and_nothing_is_written(game: Path, evening: Path) -> None:
    before, side = game.read_bytes(), read_game(game).turn.active_side
    for file in (game, evening):
        assert vedette("turn", file).stdout == f"turn 1: {side}\n"
        assert json.loads(vedette("turn", file, "--json").stdout) == {"number": 1, "active_side": side}
    assert game.read_bytes() == before
    with Journal(evening) as journal:
        assert len(journal.entries) == 1


def test_the_umpire_says_whose_turn_it_is_in_the_game_s_file(game: Path) -> None:
    other = read_game(game).sides[1].name
    done = vedette("turn", game, 4, other)
    assert (done.exit_code, done.stdout) == (0, f"turn 4: {other}\n")
    after = read_game(game).turn
    assert (after.number, after.active_side) == (4, other)


def test_in_a_journal_it_is_an_entry_like_the_page_s_and_can_be_undone(evening: Path) -> None:
    was, other = kept(evening), kept(evening).sides[1].name
    assert vedette("turn", evening, 4, other).exit_code == 0
    with Journal(evening) as journal:
        entry = journal.entries[-1]
        assert (entry.kind, entry.events[0].facts) == ("turn", {"number": 4, "side": other})
        assert (journal.game.turn.number, journal.game.turn.active_side) == (4, other)
    assert vedette("log", "undo", evening).exit_code == 0
    assert kept(evening) == was


def test_a_turn_that_it_is_already_is_not_written_down_again(evening: Path) -> None:
    with Journal(evening) as journal:
        turn, entries = journal.game.turn, len(journal.entries)
    done = vedette("turn", evening, turn.number, turn.active_side)
    assert (done.exit_code, done.stdout) == (0, f"turn {turn.number}: {turn.active_side}\n")
    with Journal(evening) as journal:
        assert len(journal.entries) == entries


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((2, "martians"), "side: expected one of"),
        ((-1, "SIDE"), "No such option"),
        ((10**9, "SIDE"), "number: expected a turn from 0 to"),
        ((2,), "expected NUMBER and SIDE"),
        (("two", "SIDE"), "expected NUMBER and SIDE, such as 3 french, got two"),
        (("²", "SIDE"), "expected NUMBER and SIDE, such as 3 french, got ²"),
    ],
)
@pytest.mark.parametrize("kind", ["game", "evening"])
def test_a_turn_that_cannot_be_is_refused_and_nothing_is_written(
    request: pytest.FixtureRequest, kind: str, words: tuple[object, ...], said: str
) -> None:
    file: Path = request.getfixturevalue(kind)
    before, side = everything(file), read_game(GAME).sides[0].name
    done = vedette("turn", file, *(side if word == "SIDE" else word for word in words))
    assert (done.exit_code, said in done.stderr, len(done.stderr.splitlines())) == (2, True, 1)
    assert everything(file) == before


def test_a_journal_that_a_running_program_has_is_left_alone(evening: Path) -> None:
    with Held(evening.parent):
        done = vedette("turn", evening, 4, kept(evening).sides[1].name)
    assert (done.exit_code, "another Vedette" in done.stderr) == (2, True)
    assert kept(evening).turn.number == 1


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    done = vedette("turn", tmp_path / "mistyped" / "game.json", 4, "french")
    assert (done.exit_code, "game.json" in done.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_every_figure_s_place_is_shown_as_it_is_typed(game: Path, evening: Path) -> None:
    figures = [one for unit in read_game(game).units for one in unit.figures]
    for file in (game, evening):
        shown = vedette("place", file).stdout.splitlines()
        assert len(shown) == len(figures)
        assert shown[0].startswith(f"{figures[0].id}={figures[0].x_mm:g},{figures[0].y_mm:g}")
        told = json.loads(vedette("place", file, "--json").stdout)["figures"]
        assert [one["id"] for one in told] == [one.id for one in figures]


@pytest.mark.parametrize("kind", ["game", "evening"])
def test_figures_are_put_where_a_person_says_and_keep_their_bearing_unless_told(
    request: pytest.FixtureRequest, kind: str
) -> None:
    file: Path = request.getfixturevalue(kind)
    one, two = read_game(GAME).units[0].figures[:2]
    done = vedette("place", file, f"{one.id}=200.5,230", f"{two.id}=-5,240,450")
    assert (done.exit_code, len(done.stdout.splitlines())) == (0, 2)
    first, second = (read_game(file) if kind == "game" else kept(file)).units[0].figures[:2]
    assert (first.x_mm, first.y_mm, first.bearing_deg) == (200.5, 230.0, one.bearing_deg)
    assert (second.x_mm, second.y_mm, second.bearing_deg) == (-5.0, 240.0, 90.0)


def test_what_is_placed_in_a_journal_is_an_entry_like_the_page_s(evening: Path) -> None:
    unit = read_game(GAME).units[0]
    assert vedette("place", evening, f"{unit.figures[0].id}=200,230").exit_code == 0
    with Journal(evening) as journal:
        entry = journal.entries[-1]
    assert (entry.kind, entry.events[0].event) == ("place", "placed")
    assert entry.events[0].facts == {"units": [unit.id], "figures": 1}


def test_figures_that_were_put_elsewhere_by_mistake_are_put_back_where_they_stood(evening: Path) -> None:
    unit, was = read_game(GAME).units[0], kept(evening)
    first, second = (figure.id for figure in unit.figures[:2])
    for place in (f"{first}=200,230", f"{first}=300,330,45", f"{second}=1,2"):
        assert vedette("place", evening, place).exit_code == 0
    back = vedette("place", evening, "--back", unit.id)
    assert back.exit_code == 0, back.output
    assert [line.partition("=")[0] for line in back.stdout.splitlines()] == [first, second]
    assert kept(evening).units == was.units
    assert "put back where they stood" in vedette("log", "list", evening).stdout
    again = vedette("place", evening, "--back", unit.id)
    assert again.exit_code == 2
    assert "there is nothing to put back" in again.stderr


def test_only_a_journal_knows_where_figures_stood_before(game: Path, evening: Path) -> None:
    assert "expected a journal" in vedette("place", game, "--back", "1st-foot").stderr
    assert "there is no unit 'nobody'" in vedette("place", evening, "--back", "nobody").stderr
    assert "give no places" in vedette("place", evening, "a=1,2", "--back", "1st-foot").stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nobody=1,2",), "there is no figure 'nobody'"),
        (("FIGURE=1",), "expected FIGURE=X,Y"),
        (("FIGURE=1,2,3,4",), "expected FIGURE=X,Y"),
        (("FIGURE",), "expected FIGURE=X,Y"),
        (("FIGURE=1,nan",), "y_mm: expected a point on the table, got nan"),
        (("FIGURE=90000,1",), "x_mm: expected a point on the table, got 90000"),
        (("FIGURE=1,1,inf",), "expected FIGURE=X,Y"),
        (("FIGURE=1,1,1e308",), "expected FIGURE=X,Y"),
        (("FIGURE=1_0,1",), "expected FIGURE=X,Y"),
        (("FIGURE=1,1", "FIGURE=2,2"), "is given twice"),
        (("FIGURE=1,1", "nobody=2,2"), "there is no figure 'nobody'"),
    ],
)
@pytest.mark.parametrize("kind", ["game", "evening"])
def test_a_place_that_cannot_be_is_refused_and_no_figure_moves(
    request: pytest.FixtureRequest, kind: str, words: tuple[str, ...], said: str
) -> None:
    file: Path = request.getfixturevalue(kind)
    before, figure = everything(file), read_game(GAME).units[0].figures[0].id
    done = vedette("place", file, *(word.replace("FIGURE", figure) for word in words))
    assert (done.exit_code, said in done.stderr, len(done.stderr.splitlines())) == (2, True, 1)
    assert everything(file) == before


def test_rulings_are_changed_in_a_journal_as_on_the_page_and_can_be_undone(evening: Path) -> None:
    was = kept(evening)
    done = vedette("options", evening, "measure=centre", "--json")
    told = {one["field"]["key"]: one["value"] for one in json.loads(done.stdout)["options"]}
    assert (done.exit_code, told["measure"]) == (0, "centre")
    with Journal(evening) as journal:
        entry = journal.entries[-1]
        assert (entry.kind, len(entry.events)) == ("option", 1)
    assert vedette("log", "undo", evening).exit_code == 0
    assert kept(evening) == was


def test_a_unit_is_set_right_in_a_journal_as_on_the_page_and_can_be_undone(evening: Path) -> None:
    was, unit = kept(evening), kept(evening).units[0]
    done = vedette("unit", evening, unit.id, "rep=3")
    assert (done.exit_code, "rep 3" in done.stdout) == (0, True)
    assert json.loads(vedette("unit", evening, unit.id, "--json").stdout)["stats"]["rep"] == 3
    with Journal(evening) as journal:
        assert journal.entries[-1].kind == "amend"
    assert vedette("log", "undo", evening).exit_code == 0
    assert kept(evening) == was


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("options", "measure=elbow"), "measure"),
        (("options", "measure=centre", "chess=1"), "expected one of"),
        (("unit", "UNIT", "zeal=3"), "zeal: expected one of"),
        (("unit", "nobody", "rep=3"), "no such unit"),
    ],
)
def test_what_the_rules_do_not_know_is_refused_and_no_journal_is_written(
    evening: Path, words: tuple[str, ...], said: str
) -> None:
    before = everything(evening)
    command, *rest = (kept(evening).units[0].id if word == "UNIT" else word for word in words)
    done = vedette(command, evening, *rest)
    assert (done.exit_code, said in done.stderr, len(done.stderr.splitlines())) == (2, True, 1)
    assert everything(evening) == before


def test_looking_at_rulings_and_units_writes_nothing(evening: Path) -> None:
    before = everything(evening)
    assert vedette("options", evening).exit_code == 0
    assert vedette("unit", evening, kept(evening).units[0].id).exit_code == 0
    assert everything(evening) == before
