"""Moves by hand over a turn of a demo: held against what is left, told in the log, counted in what is to do."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.geometry.moving.moves import towards
from engine.keeping.journal import Journal
from engine.records.game import Unit
from tests.webui.toys import observed
from vision.records import BaseSeen
from vision.simulated import load_demo
from webui.camera.muster import kinds_of
from webui.commands.demo import demo_game
from webui.shown.state import entry_view, game_state
from webui.table.desk import Desk

Shift = tuple[float, float]


class Evening:
    """A demo's game at a desk, whose bases are carried about."""

    def __init__(self, ruleset: str, folder: Path) -> None:
        demo = load_demo(ruleset)
        self.table, self.path = demo.virtual.table, folder / "journal.db"
        self.ticks = itertools.count()
        self.desk = self.opened()
        self.desk.begin(demo_game(demo))
        self.bases = {
            figure.id: (figure.x_mm, figure.y_mm) for unit in self.desk.game.units for figure in unit.figures
        }
        self.looks()

    def opened(self) -> Desk:
        """The same game as a program that starts anew finds it."""
        clock = lambda: f"2026-11-22T20:00:{next(self.ticks):02}Z"  # noqa: E731
        return Desk(Journal(self.path), self.table, clock, lambda: 1)

    def unit(self, name: str) -> Unit:
        return next(unit for unit in self.desk.game.units if name in (unit.name, unit.id))

    def looks(self) -> None:
        kinds, seen = kinds_of(self.desk.game, self.table), []
        for unit in self.desk.game.units:
            for figure in unit.figures:
                army, base, _ = kinds[figure.id]
                x, y = self.bases[figure.id]
                seen.append(
                    BaseSeen(
                        army=army,
                        base=base,
                        x_mm=x,
                        y_mm=y,
                        z_mm=0.0,
                        bearing_deg=figure.bearing_deg,
                        sigma_mm=0.3,
                        bearing_sigma_deg=1.0,
                        confidence=0.95,
                    )
                )
        self.desk.look(observed(seen))
        self.desk.answer()

    def carries(self, name: str, length_mm: float, off_front_deg: float = 0.0) -> str:
        """Carries a unit so far off the way that it faces; gives what the log says of it."""
        unit = self.unit(name)
        dx, dy = towards((unit.figures[0].bearing_deg or 0.0) + off_front_deg)
        for figure in unit.figures:
            x, y = self.bases[figure.id]
            self.bases[figure.id] = (x + dx * length_mm, y + dy * length_mm)
        self.looks()
        return self.said()

    def said(self) -> str:
        title: str = entry_view(self.desk, self.desk.journal.entries[-1])["title"]
        return title

    def state(self) -> dict[str, Any]:
        return game_state(self.desk)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Callable[[str], Evening]]:
    made: list[Evening] = []

    def begin(ruleset: str = "muskets-mohawks") -> Evening:
        made.append(Evening(ruleset, tmp_path))
        return made[-1]

    yield begin
    for one in made:
        one.desk.journal.close()


Begin = Callable[..., Evening]


def active(evening: Evening, name: str) -> None:
    evening.desk.set_turn(1, evening.unit(name).side)
    evening.desk.answer()


def test_the_1st_foot_moved_150_mm_twice_has_gone_farther_than_its_8_inches(evening: Begin) -> None:
    table = evening()
    active(table, "1st Foot")
    assert table.carries("1st Foot", 150.0) == "1st Foot moved 5.9 in (150 mm): 5.9 in of 8.0 in, within its move"
    assert table.carries("1st Foot", 150.0) == (
        "1st Foot moved 5.9 in (150 mm): this turn 11.8 in of 8.0 in, farther than it may"
    )
    (move,) = table.state()["moves"]
    assert (move["distance_mm"], move["verdict"], move["steps"]) == (pytest.approx(300.0, abs=0.5), "beyond", 2)
    assert len(move["way_mm"]) == 3


def test_the_1st_foot_that_is_carried_back_has_its_move_again(evening: Begin) -> None:
    table = evening()
    active(table, "1st Foot")
    table.carries("1st Foot", 150.0)
    assert table.carries("1st Foot", -150.0) == "1st Foot moved 5.9 in (150 mm): back where it stood"
    assert table.state()["moves"] == []
    assert table.state()["spent"] == {}


def test_a_formed_line_that_slides_to_its_left_is_told_so_in_the_log(evening: Begin) -> None:
    table = evening()
    active(table, "1st Foot")
    said = table.carries("1st Foot", 150.0, -90.0)
    assert said == (
        "1st Foot moved 5.9 in (150 mm): 5.9 in of 8.0 in,"
        " it went 90° to the left of its front, where none of its ways of moving leads"
    )


def test_in_the_enemys_turn_the_log_remarks_that_it_was_not_its_turn(evening: Begin) -> None:
    table = evening()
    other = next(side.name for side in table.desk.game.sides if side.name != table.unit("1st Foot").side)
    table.desk.set_turn(1, other)
    table.desk.answer()
    assert table.carries("1st Foot", 330.2) == "1st Foot moved 13.0 in (330 mm): not in its side's turn"


def test_what_a_unit_has_used_of_its_move_is_counted_until_the_next_turn(evening: Begin) -> None:
    table = evening()
    active(table, "1st Foot")
    unit = table.unit("1st Foot").id
    table.carries("1st Foot", 150.0)
    table.carries("1st Foot", 50.0)
    assert table.state()["spent"][unit]["distance_mm"] == pytest.approx(200.0, abs=0.5)
    table.desk.set_turn(2, table.unit("1st Foot").side)
    assert table.state()["spent"] == {}


def test_the_sum_outlives_an_undo_and_a_program_that_starts_again(evening: Begin) -> None:
    table = evening()
    active(table, "1st Foot")
    table.carries("1st Foot", 150.0)
    table.desk.set_option("rear_fire_doubles", False)
    table.desk.undo(None)
    table.desk.answer()
    table.desk.journal.close()
    table.desk = table.opened()
    table.looks()
    assert table.carries("1st Foot", 150.0).endswith("this turn 11.8 in of 8.0 in, farther than it may")


@pytest.mark.parametrize(
    ("ruleset", "name", "step", "told"),
    [
        ("palouse", "The Royals", 152.4, "1 square (1 bound), within its move"),
        ("palouse", "The Royals", 457.2, "3 squares (1 bound), farther than it may"),
    ],
)
def test_on_squares_the_log_counts_squares(evening: Begin, ruleset: str, name: str, step: float, told: str) -> None:
    table = evening(ruleset)
    assert table.carries(name, step).endswith(told)
