"""Moves by hand over a turn of a demo: held against what is left, told in the log, counted in what is to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.webui.carrying import Evening


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
