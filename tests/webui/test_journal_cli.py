"""``vedette swap`` and ``vedette officers``: whose a base is and who orders a unit, said without the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.events import begin
from engine.keeping.journal import Journal
from engine.keeping.shelf import Held
from engine.records.game import Game, game_json, read_game
from tests.command_line import vedette
from tests.webui.toys import GAME as TOYS
from tests.webui.toys import TABLE, everyone, observed
from webui.people.officers import officers_of
from webui.table.desk import Desk

NOON = "2026-11-21T12:00:00Z"
#: The toys' soldiers under rules that there are.
GAME = replace(
    TOYS,
    ruleset="muskets-mohawks",
    units=tuple(replace(unit, type="regular", weapon="musket", stats={"rep": 4}) for unit in TOYS.units),
)
RED, BLUE = (unit.id for unit in GAME.units)
FIRST, SECOND = (figure.id for figure in GAME.units[0].figures[:2])


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    path = tmp_path / "evening.vedette"
    with Journal(path) as journal:
        journal.append(at=NOON, kind="begin", events=[begin(GAME)])
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_bytes(game_json(GAME))
    return path


@contextmanager
def desk_over(path: Path) -> Iterator[Desk]:
    """The desk of a program that has the journal."""
    with Journal(path) as journal:
        yield Desk(journal, TABLE, lambda: NOON, lambda: 1)


def kept(path: Path) -> Game:
    if path.suffix == ".json":
        return read_game(path)
    with Journal(path) as journal:
        journal.verify()
        return journal.game


def everything(path: Path) -> object:
    if path.suffix == ".json":
        return path.read_bytes()
    with Journal(path) as journal:
        return journal.entries


def place_of(game: Game, name: str) -> tuple[float, float]:
    return next((one.x_mm, one.y_mm) for unit in game.units for one in unit.figures if one.id == name)


class TestSwapping:
    @pytest.mark.parametrize("kind", ["evening", "file"])
    def test_two_figures_stand_each_where_the_other_stood(self, request: pytest.FixtureRequest, kind: str) -> None:
        path: Path = request.getfixturevalue(kind)
        before = kept(path)
        done = vedette("swap", path, FIRST, SECOND)
        assert (done.exit_code, done.stdout) == (0, f"{FIRST} and {SECOND} are swapped\n")
        assert place_of(kept(path), FIRST) == place_of(before, SECOND)
        assert place_of(kept(path), SECOND) == place_of(before, FIRST)
        assert vedette("swap", path, FIRST, SECOND).exit_code == 0
        assert kept(path) == before

    def test_each_is_on_the_other_s_base_from_then_on(self, evening: Path) -> None:
        bases = everyone(GAME)
        with desk_over(evening) as desk:
            desk.look(observed(bases))
        assert vedette("swap", evening, FIRST, SECOND).exit_code == 0
        x, y = place_of(GAME, FIRST)
        carried = [
            replace(one, x_mm=x - 100.0, y_mm=y - 60.0) if (one.x_mm, one.y_mm) == (x, y) else one for one in bases
        ]
        with desk_over(evening) as desk:
            assert desk.look(observed(bases)) is None
            desk.look(observed(carried))
            assert place_of(desk.game, SECOND) == (x - 100.0, y - 60.0)
            assert place_of(desk.game, FIRST) == place_of(GAME, SECOND)

    def test_it_is_an_entry_like_that_of_figures_dragged_onto_each_other_s_bases(self, evening: Path) -> None:
        assert vedette("swap", evening, FIRST, SECOND).exit_code == 0
        with Journal(evening) as journal:
            entry = journal.entries[-1]
        assert (entry.kind, entry.events[0].event) == ("place", "placed")
        assert set(entry.events[0].facts["bases"]) == {FIRST, SECOND}

    def test_units_of_as_many_figures_are_swapped_whole(self, tmp_path: Path) -> None:
        red, blue = GAME.units
        path = tmp_path / "even.json"
        path.write_bytes(game_json(replace(GAME, units=(replace(red, figures=red.figures[:4]), blue))))
        before = kept(path)
        assert vedette("swap", path, RED, BLUE).exit_code == 0
        stood = [(one.x_mm, one.y_mm) for one in before.unit(BLUE).figures]
        assert [(one.x_mm, one.y_mm) for one in kept(path).unit(RED).figures] == stood

    @pytest.mark.parametrize(
        ("one", "other", "said"),
        [
            (FIRST, "nobody", "nobody: expected a figure or a unit"),
            (FIRST, FIRST, f"expected another than {FIRST}"),
            (FIRST, RED, f"expected another than {FIRST}"),
            (RED, BLUE, f"expected as many figures as {RED} has, 5, got 4"),
        ],
    )
    @pytest.mark.parametrize("kind", ["evening", "file"])
    def test_what_cannot_be_swapped_is_refused_in_one_line_and_nothing_is_written(
        self, request: pytest.FixtureRequest, kind: str, one: str, other: str, said: str
    ) -> None:
        path: Path = request.getfixturevalue(kind)
        before = everything(path)
        done = vedette("swap", path, one, other)
        assert (done.exit_code, said in done.stderr, done.stderr.count("\n")) == (2, True, 1)
        assert path.name in done.stderr
        assert everything(path) == before


class TestOfficers:
    def test_at_first_the_commanders_order_all(self, evening: Path) -> None:
        before = everything(evening)
        assert "commander orders all" in vedette("officers", evening).stdout
        assert everything(evening) == before

    def test_a_player_gets_units_as_from_the_page_and_it_can_be_undone(self, evening: Path) -> None:
        done = vedette("officers", evening, "Tom", RED)
        assert (done.exit_code, done.stdout) == (0, f"red: Tom: {RED}\n")
        with desk_over(evening) as desk:
            (tom,) = officers_of(desk.journal.entries)
            assert (tom.side, tom.name, tom.units) == ("red", "Tom", (RED,))
        assert vedette("log", "undo", evening).exit_code == 0
        assert json.loads(vedette("officers", evening, "--json").stdout) == {"officers": []}

    def test_a_unit_has_one_officer_who_may_be_dismissed(self, evening: Path) -> None:
        vedette("officers", evening, "Tom", RED)
        assert vedette("officers", evening, "Ann", RED, "--side", "red").stdout == f"red: Ann: {RED}\n"
        vedette("officers", evening, "Tom", BLUE)
        told = json.loads(vedette("officers", evening, "--json").stdout)["officers"]
        assert told == [
            {"side": "red", "name": "Ann", "units": [RED]},
            {"side": "blue", "name": "Tom", "units": [BLUE]},
        ]
        assert "commander" not in vedette("officers", evening, "Ann", "--dismiss").stdout
        assert "commander" in vedette("officers", evening, "Tom", "--dismiss").stdout

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("Tom",), "expected the units that Tom orders"),
            (("Tom", RED, "--dismiss"), "expected the units that Tom orders"),
            (("Tom", "nobody"), "nobody"),
            (("Tom", RED, BLUE), f"'{BLUE}' is no unit of red"),
            (("Tom", RED, "--side", "green"), "side: expected one of red, blue, got 'green'"),
            (("To:m", RED), "without a colon"),
            (("Tom", "--dismiss"), "no officer of that name"),
        ],
    )
    def test_what_cannot_be_is_refused_in_one_line_and_nothing_is_written(
        self, evening: Path, words: tuple[str, ...], said: str
    ) -> None:
        before = everything(evening)
        done = vedette("officers", evening, *words)
        assert (done.exit_code, said in done.stderr, done.stderr.count("\n")) == (2, True, 1), done.stderr
        assert everything(evening) == before

    def test_of_two_of_one_name_the_side_says_which(self, evening: Path) -> None:
        vedette("officers", evening, "Tom", RED)
        with Journal(evening) as journal:
            tom = journal.entries[-1].events[0]
            facts = {**tom.facts, "side": "blue", "units": [BLUE]}
            journal.append(at=NOON, kind="officers", events=[replace(tom, facts=facts)])
        assert "tell --side" in vedette("officers", evening, "Tom", "--dismiss").stderr
        assert vedette("officers", evening, "Tom", "--dismiss", "--side", "red").stdout == f"blue: Tom: {BLUE}\n"

    def test_a_game_s_file_has_none_to_tell_of(self, file: Path, tmp_path: Path) -> None:
        for path in (file, tmp_path / "none.db"):
            done = vedette("officers", path, "Tom", RED)
            assert (done.exit_code, "expected a journal" in done.stderr) == (2, True)

    def test_a_journal_that_a_running_program_has_is_left_alone(self, evening: Path) -> None:
        before = everything(evening)
        with Held(evening.parent):
            for words in (("officers", evening, "Tom", RED), ("swap", evening, FIRST, SECOND)):
                done = vedette(*words)
                assert (done.exit_code, "another Vedette" in done.stderr) == (2, True)
        assert everything(evening) == before
