"""An action that moved figures is undone, and they are set back by hand: the unit stands as before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.geometry.moving.moves import towards
from engine.records.action import Action
from tests.webui.carrying import Evening
from webui.camera.memory import held

MARCH_MM = 139.7


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    made: list[Evening] = []

    def begin(ruleset: str = "muskets-mohawks") -> Evening:
        made.append(Evening(ruleset, tmp_path))
        return made[-1]

    yield begin
    for one in made:
        one.desk.journal.close()


Begin = Callable[..., Evening]
Places = Mapping[str, tuple[float, float]]


def march(table: Evening, name: str = "grenadiers") -> Places:
    """The rules march a unit straight ahead, people carry it there; gives where its figures stood."""
    figures = table.unit(name).figures
    front = towards(figures[0].bearing_deg or 0.0)
    middle = [sum(axis) / len(figures) for axis in zip(*((one.x_mm, one.y_mm) for one in figures), strict=True)]
    to = [at + along * MARCH_MM for at, along in zip(middle, front, strict=True)]
    return ordered(table, Action(action="march", unit=name, extra={"to": to}))


def ordered(table: Evening, action: Action) -> Places:
    """The rules carry an order out, people do so on the table; gives where the unit's figures stood."""
    assert action.unit is not None
    stood = {figure.id: table.bases[figure.id] for figure in table.unit(action.unit).figures}
    table.desk.resolve(action, (), roll=True)
    for figure in table.unit(action.unit).figures:
        table.bases[figure.id] = figure.x_mm, figure.y_mm
    table.looks()
    assert any(table.bases[name] != place for name, place in stood.items())
    return stood


def beside(place: tuple[float, float], by_mm: tuple[float, float]) -> tuple[float, float]:
    return place[0] + by_mm[0], place[1] + by_mm[1]


def moved_nowhere(table: Evening, unit: str) -> None:
    """The unit has its whole move, and nothing that was seen since the undo counts as a move of it."""
    state = table.state()
    assert (state["spent"].get(unit), state["moves"]) == (None, [])
    entries = table.desk.journal.entries
    undone = max(entry.number for entry in entries if entry.kind == "undo")
    seen = [event.facts for entry in entries[undone:] for event in entry.events if event.event == "moved"]
    assert {facts["judged"]["verdict"] for facts in seen} <= {"returning"}


ORDERS = [
    pytest.param("muskets-mohawks", {"action": "march", "unit": "grenadiers", "to": [1120.0, 539.7]}, id="a march"),
    pytest.param("muskets-mohawks", {"action": "charge", "unit": "rangers", "target": "hurons"}, id="a charge"),
    pytest.param("musket-pike", {"action": "move", "unit": "royal-foot", "path": ["N"]}, id="a move in hexes"),
]


@pytest.mark.parametrize(("ruleset", "order"), ORDERS)
def test_a_unit_that_is_set_back_after_an_undo_stands_as_before_with_its_full_move(
    evening: Begin, ruleset: str, order: dict[str, Any]
) -> None:
    table = evening(ruleset)
    before = table.state()
    extra = {key: value for key, value in order.items() if key not in ("action", "unit", "target")}
    unit = order["unit"]
    stood = ordered(table, Action(action=order["action"], unit=unit, target=order.get("target"), extra=extra))
    table.desk.undo(None)
    assert {one.id: (one.x_mm, one.y_mm) for one in table.unit(unit).figures} == stood
    table.bases |= stood
    table.looks()
    after = table.state()
    assert after["game"]["units"] == before["game"]["units"]
    assert after["answer"] == before["answer"]
    moved_nowhere(table, unit)
    assert not held(table.desk.memory, table.desk.game)


def test_figures_may_be_set_back_one_after_another_under_the_cameras_eye(evening: Begin) -> None:
    table = evening()
    stood = march(table)
    assert table.state()["set_back"] == []
    table.desk.undo(None)
    for figure, place in stood.items():
        assert table.state()["set_back"] == ["grenadiers"]
        table.bases[figure] = place
        table.looks()
        moved_nowhere(table, "grenadiers")
    assert table.state()["set_back"] == []


def test_they_may_be_put_down_on_the_way_and_a_little_beside(evening: Begin) -> None:
    table = evening()
    stood = march(table)
    table.desk.undo(None)
    for rest in ((0.0, 90.0), (25.0, 40.0), (12.0, -25.0)):
        table.bases |= {figure: beside(place, rest) for figure, place in stood.items()}
        table.looks()
        moved_nowhere(table, "grenadiers")
    assert table.said().endswith("set back after what was undone")


def test_from_a_little_beside_its_next_move_counts_from_where_it_stood(evening: Begin) -> None:
    table = evening()
    stood = march(table)
    table.desk.undo(None)
    table.bases |= {figure: beside(place, (0.0, 30.0)) for figure, place in stood.items()}
    table.looks()
    table.carries("grenadiers", 100.0)
    (move,) = table.state()["moves"]
    assert move["distance_mm"] == pytest.approx(130.0, abs=0.5)


def test_figures_that_are_left_there_and_carried_on_have_gone_all_of_the_way(evening: Begin) -> None:
    table = evening()
    march(table)
    table.desk.undo(None)
    table.looks()
    assert table.state()["spent"] == {}
    table.carries("grenadiers", 100.0)
    (move,) = table.state()["moves"]
    assert (move["distance_mm"], move["verdict"]) == (pytest.approx(MARCH_MM + 100.0, abs=0.5), "beyond")


def test_what_it_was_moved_by_hand_before_the_march_counts_on(evening: Begin) -> None:
    table = evening()
    table.carries("grenadiers", 50.0)
    stood = march(table)
    table.desk.undo(None)
    for rest in ((0.0, 60.0), (0.0, 0.0)):
        table.bases |= {figure: beside(place, rest) for figure, place in stood.items()}
        table.looks()
        assert table.state()["spent"]["grenadiers"]["distance_mm"] == pytest.approx(50.0, abs=0.5)


def test_done_again_the_figures_are_carried_there_again_and_have_made_no_other_move(evening: Begin) -> None:
    table = evening()
    stood = march(table)
    there = {figure: table.bases[figure] for figure in stood}
    table.desk.undo(None)
    table.bases |= stood
    table.looks()
    table.desk.redo()
    assert {f.id: (f.x_mm, f.y_mm) for f in table.unit("grenadiers").figures} == there
    table.bases |= there
    table.looks()
    assert (table.state()["spent"], table.state()["moves"]) == ({}, [])


def test_two_marches_undone_before_anybody_sets_a_figure_back(evening: Begin) -> None:
    table = evening()
    stood = march(table)
    ordered(table, Action(action="charge", unit="rangers", target="hurons"))
    table.desk.undo(None)
    table.desk.undo(None)
    table.bases |= stood
    table.looks()
    moved_nowhere(table, "grenadiers")


def test_a_program_that_starts_again_still_knows_that_the_unit_is_being_set_back(evening: Begin) -> None:
    table = evening()
    stood = march(table)
    table.desk.undo(None)
    for rest in ((0.0, 90.0), (0.0, 20.0)):
        table.desk.journal.close()
        table.desk = table.opened()
        table.bases |= {figure: beside(place, rest) for figure, place in stood.items()}
        table.looks()
        moved_nowhere(table, "grenadiers")


def test_a_unit_that_was_moved_by_hand_after_somebody_elses_march_stays_where_it_was_moved(evening: Begin) -> None:
    table = evening()
    march(table)
    table.carries("1st-foot", 60.0)
    table.desk.undo(None)
    assert table.state()["spent"]["1st-foot"]["distance_mm"] == pytest.approx(60.0, abs=0.5)


def test_units_that_were_laid_out_anew_are_set_back_for_nothing_when_that_is_undone(evening: Begin) -> None:
    table = evening()
    before, stood = table.state(), dict(table.bases)
    table.desk.resolve(Action(action="next-month", override=True), (), roll=True)
    table.bases = {one.id: (one.x_mm, one.y_mm) for unit in table.desk.game.units for one in unit.figures}
    assert any(table.bases[figure] != place for figure, place in stood.items())
    table.looks()
    table.desk.undo(None)
    table.bases = stood
    table.looks()
    after = table.state()
    assert (after["spent"], after["moves"], after["set_back"]) == ({}, [], [])
    assert after["game"]["units"] == before["game"]["units"]
