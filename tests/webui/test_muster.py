"""Which figure stands on which base, and what the game is told about it."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.events import PlaceFigures, fold
from engine.records.game import Game, Rect, Side, Unit
from tests.webui.toys import GAME, TABLE, everyone, line, seen
from vision.records import BaseSeen
from webui.camera.memory import Memory, held, pose_of, remembered
from webui.camera.muster import armies_of, kinds_of, muster, turned_deg

MEMORY: Memory = {figure.id: pose_of(unit.id, figure, 0.4) for unit in GAME.units for figure in unit.figures}


def places(game: Game) -> dict[str, tuple[float, float]]:
    return {figure.id: (figure.x_mm, figure.y_mm) for unit in game.units for figure in unit.figures}


def moved_by(bases: list[BaseSeen], army: str, dx: float, dy: float) -> list[BaseSeen]:
    return [
        replace(base, x_mm=base.x_mm + dx, y_mm=base.y_mm + dy) if base.army == army else base for base in bases
    ]


def test_a_table_as_the_game_has_it_gives_no_event_and_every_figure_is_seen() -> None:
    found = muster(GAME, MEMORY, everyone(GAME), TABLE)
    assert found.events == ()
    assert set(found.matches) == set(places(GAME))
    assert found.strays == ()


def test_a_unit_that_advanced_is_told_with_its_distance_and_its_figures_keep_their_order() -> None:
    found = muster(GAME, MEMORY, moved_by(everyone(GAME), "red", 10.0, 150.0), TABLE)
    (event,) = found.events
    assert event.event == "moved"
    assert event.facts["unit"] == "red-1"
    assert event.facts["distance_mm"] == pytest.approx(math.hypot(10.0, 150.0), abs=0.05)
    after = fold([event], GAME)
    for name, (x, y) in places(GAME).items():
        shift = (10.0, 150.0) if name.startswith("red") else (0.0, 0.0)
        assert places(after)[name] == pytest.approx((x + shift[0], y + shift[1]))


def test_a_unit_that_turned_on_the_spot_is_told() -> None:
    bases = [replace(base, bearing_deg=90.0) if base.army == "red" else base for base in everyone(GAME)]
    (event,) = muster(GAME, MEMORY, bases, TABLE).events
    assert event.facts["turned_deg"] == 90.0
    assert event.facts["distance_mm"] == 0.0


def test_a_figure_that_is_not_seen_stays_where_it_was() -> None:
    bases = everyone(GAME)[1:]
    found = muster(GAME, MEMORY, bases, TABLE)
    assert found.events == ()
    assert "red-1-1" not in found.matches
    assert len(found.matches) == 8


def test_a_base_of_no_figure_is_a_stray() -> None:
    stray = replace(everyone(GAME)[0], x_mm=900.0, y_mm=450.0)
    found = muster(GAME, MEMORY, [*everyone(GAME), stray], TABLE)
    assert found.strays == (9,)
    assert found.events == ()


def test_a_base_of_the_other_army_never_takes_a_figures_place() -> None:
    bases = [replace(base, army="blue") if index == 0 else base for index, base in enumerate(everyone(GAME))]
    found = muster(GAME, MEMORY, bases, TABLE)
    assert "red-1-1" not in found.matches
    assert found.strays == (0,)


def test_nobody_goes_farther_than_the_reach_between_two_looks() -> None:
    bases = [*everyone(GAME)[1:], replace(everyone(GAME)[0], x_mm=1100.0)]
    assert muster(GAME, MEMORY, bases, TABLE, reach_mm=300.0).strays == (8,)
    assert muster(GAME, MEMORY, bases, TABLE, reach_mm=1200.0).matches["red-1-1"] == 8


def test_a_unit_may_be_carried_as_one_wherever_there_is_room() -> None:
    bases = moved_by(everyone(GAME), "red", 700.0, 300.0)
    (event,) = muster(GAME, MEMORY, bases, TABLE, reach_mm=300.0).events
    assert len(event.facts["figures"]) == 5
    assert event.facts["distance_mm"] == pytest.approx(math.hypot(700.0, 300.0), abs=0.1)


def test_a_unit_that_is_carried_about_as_far_as_the_reach_keeps_together() -> None:
    found = muster(GAME, MEMORY, moved_by(everyone(GAME), "red", 700.0, 300.0), TABLE, reach_mm=735.0)
    assert found.strays == ()
    assert found.matches == {name: index for index, name in enumerate(places(GAME))}


def test_one_figure_that_walks_round_its_line_moves_alone() -> None:
    bases = everyone(GAME)
    bases[0] = replace(bases[0], x_mm=200.0 + 26.0 * 5, y_mm=210.0)
    (event,) = muster(GAME, MEMORY, bases, TABLE).events
    assert event.facts["figures"] == ["red-1-1"]


@pytest.mark.parametrize("steps", [1, 2, -1])
def test_a_line_that_sidles_by_whole_bases_has_moved_as_one(steps: int) -> None:
    (event,) = muster(GAME, MEMORY, moved_by(everyone(GAME), "red", 26.0 * steps, 0.4), TABLE).events
    assert len(event.facts["figures"]) == 5
    assert event.facts["distance_mm"] == pytest.approx(26.0 * abs(steps), abs=0.1)


def test_a_line_that_sidles_leaves_no_figure_where_its_place_looks_as_before() -> None:
    """Another of the line has come to stand there: it has not stayed, nor is its base a far one's, out of sight."""
    lost = replace(GAME.units[0], id="red-9", figures=line("red-9", 150.0, 650.0, 1))
    game = replace(GAME, units=(*GAME.units, lost))
    memory = {**MEMORY, **{one.id: pose_of("red-9", one, 0.4) for one in lost.figures}}
    apart = GAME.units[0].figures[1].x_mm - GAME.units[0].figures[0].x_mm
    bases = moved_by(everyone(GAME), "red", 2 * apart + 4.0, 0.0)
    found = muster(game, memory, bases, TABLE, stayed={GAME.units[0].figures[-1].id})
    assert {figure.id for figure in GAME.units[0].figures} <= set(found.matches)
    assert "red-9-1" not in found.matches


def test_a_base_whose_army_nobody_can_tell_is_the_figure_that_stood_there() -> None:
    bases = [replace(base, army=None, base=None) for base in everyone(GAME)]
    assert len(muster(GAME, MEMORY, bases, TABLE).matches) == 9


def test_a_bearing_that_is_not_seen_stays_as_it_was() -> None:
    bases = [
        replace(b, bearing_deg=None, bearing_sigma_deg=None) for b in moved_by(everyone(GAME), "red", 0.0, 80.0)
    ]
    after = fold(muster(GAME, MEMORY, bases, TABLE).events, GAME)
    assert {figure.bearing_deg for figure in after.unit("red-1").figures} == {0.0}


@pytest.mark.parametrize(("axis_deg", "bearing_deg"), [(30.0, 30.0), (150.0, 330.0), (90.0, 0.0)])
def test_a_rectangle_whose_front_is_not_seen_faces_as_its_sides_lie(axis_deg: float, bearing_deg: float) -> None:
    """It is turned as little as they allow; where it may have been turned either way about, it stays as it was."""
    bases = [
        replace(b, bearing_deg=None, bearing_sigma_deg=None, axis_deg=axis_deg) if b.army == "red" else b
        for b in everyone(GAME)
    ]
    after = fold(muster(GAME, MEMORY, bases, TABLE).events, GAME)
    assert {figure.bearing_deg for figure in after.unit("red-1").figures} == {bearing_deg}


def test_a_casualty_still_on_the_table_is_its_units_and_no_stray() -> None:
    game = replace(GAME, units=(GAME.units[0], replace(GAME.units[1], figures=GAME.units[1].figures[1:])))
    found = muster(game, MEMORY, everyone(GAME), TABLE)
    assert found.strays == ()
    assert found.lost == {5: "blue-1"}
    assert found.events == ()


def test_the_players_may_take_off_another_base_than_the_game_did() -> None:
    game = replace(GAME, units=(GAME.units[0], replace(GAME.units[1], figures=GAME.units[1].figures[1:])))
    bases = [base for index, base in enumerate(everyone(GAME)) if index != 8]
    found = muster(game, MEMORY, bases, TABLE)
    assert found.matches["blue-1-4"] == 5
    assert found.lost == {}


class TestWhatAPersonSaid:
    said = PlaceFigures(places=())
    game = replace(
        GAME,
        units=(
            replace(
                GAME.units[0],
                figures=tuple(replace(figure, y_mm=figure.y_mm + 40.0) for figure in GAME.units[0].figures),
            ),
            GAME.units[1],
        ),
    )

    def test_it_stays_while_the_bases_lie_still(self) -> None:
        assert muster(self.game, MEMORY, everyone(GAME), TABLE).events == ()

    def test_it_is_known_as_said(self) -> None:
        assert held(MEMORY, self.game) == {f"red-1-{n}" for n in range(1, 6)}

    def test_a_small_correction_stays_as_well(self) -> None:
        one = replace(GAME.units[0].figures[0], x_mm=GAME.units[0].figures[0].x_mm - 6.0)
        units = (replace(GAME.units[0], figures=(one, *GAME.units[0].figures[1:])), GAME.units[1])
        assert muster(replace(GAME, units=units), MEMORY, everyone(GAME), TABLE).events == ()

    def test_when_the_bases_are_carried_there_they_are_found_and_not_said_to_have_moved(self) -> None:
        found = muster(self.game, MEMORY, moved_by(everyone(GAME), "red", 3.0, 38.0), TABLE)
        assert [event.event for event in found.events] == ["found"]
        after = fold(found.events, self.game)
        assert after.unit("red-1").figures[0].y_mm == 238.0
        assert held(found.memory, after) == frozenset()

    def test_it_ends_when_the_figures_really_move(self) -> None:
        found = muster(self.game, MEMORY, moved_by(everyone(GAME), "red", 0.0, 100.0), TABLE)
        (event,) = found.events
        assert event.facts["distance_mm"] == 100.0
        after = fold(found.events, self.game)
        assert after.unit("red-1").figures[0].y_mm == 300.0
        assert held(found.memory, after) == frozenset()


@given(st.lists(st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)), min_size=9, max_size=9))
def test_jitter_of_the_measurement_is_no_event(jitter: list[tuple[float, float]]) -> None:
    bases = [
        replace(base, x_mm=base.x_mm + dx, y_mm=base.y_mm + dy)
        for base, (dx, dy) in zip(everyone(GAME), jitter, strict=True)
    ]
    found = muster(GAME, MEMORY, bases, TABLE)
    assert found.events == ()
    assert found.memory == MEMORY


scattered = st.lists(
    st.tuples(st.sampled_from(["red", "blue"]), st.floats(0, 1200), st.floats(0, 900)), max_size=14
).map(lambda rows: [seen(replace(GAME.units[0].figures[0], x_mm=x, y_mm=y), army) for army, x, y in rows])


@given(scattered, st.randoms(use_true_random=False))
def test_the_order_in_which_bases_are_listed_does_not_matter(
    bases: list[BaseSeen], shuffler: random.Random
) -> None:
    order = list(range(len(bases)))
    shuffler.shuffle(order)
    mixed = [bases[index] for index in order]
    first = fold(muster(GAME, MEMORY, bases, TABLE).events, GAME)
    second = fold(muster(GAME, MEMORY, mixed, TABLE).events, GAME)
    assert first == second


@given(scattered)
def test_no_base_is_given_twice_and_none_is_forgotten(bases: list[BaseSeen]) -> None:
    found = muster(GAME, MEMORY, bases, TABLE)
    taken = list(found.matches.values())
    assert len(taken) == len(set(taken))
    assert sorted([*taken, *found.strays, *found.lost]) == list(range(len(bases)))


@given(scattered)
def test_what_was_seen_once_is_no_news_the_second_time(bases: list[BaseSeen]) -> None:
    first = muster(GAME, MEMORY, bases, TABLE)
    game = fold(first.events, GAME)
    assert muster(game, first.memory, bases, TABLE).events == ()


@given(st.integers(0, 4), st.integers(0, 4))
def test_two_identical_figures_that_change_places_change_nothing(first: int, second: int) -> None:
    bases = everyone(GAME)
    bases[first], bases[second] = bases[second], bases[first]
    assert muster(GAME, MEMORY, bases, TABLE).events == ()


@given(st.floats(-80, 80), st.floats(-80, 80))
def test_the_game_follows_a_unit_wherever_it_goes(dx: float, dy: float) -> None:
    found = muster(GAME, MEMORY, moved_by(everyone(GAME), "red", dx, dy), TABLE)
    after = fold(found.events, GAME)
    wanted = sorted((x + dx, y + dy) for name, (x, y) in places(GAME).items() if name.startswith("red"))
    got = sorted(place for name, place in places(after).items() if name.startswith("red"))
    for ours, theirs in zip(got, wanted, strict=True):
        assert math.dist(ours, theirs) <= 2.5


def test_a_side_fields_the_army_of_its_name_and_the_left_over_ones_pair_up() -> None:
    named = replace(GAME, sides=(Side(name="Red", edge="south"), Side(name="french", edge="north")), units=())
    assert armies_of(named, TABLE) == {"Red": ("red",), "french": ("blue",)}


def test_a_base_that_the_table_file_does_not_list_is_not_looked_for() -> None:
    gun = replace(GAME.units[0].figures[0], id="gun", base=Rect(width_mm=60.0, depth_mm=60.0))
    game = replace(GAME, units=(*GAME.units, Unit(id="guns", side="red", type="foot", figures=(gun,))))
    assert "gun" not in kinds_of(game, TABLE)


def test_horse_and_foot_of_one_army_are_told_apart() -> None:
    rider = replace(line("h", 600.0, 300.0, 1)[0], base=Rect(width_mm=25.0, depth_mm=50.0))
    game = replace(GAME, units=(*GAME.units, Unit(id="h", side="red", type="horse", figures=(rider,))))
    bases = [*everyone(GAME), seen(rider, "red", base="horse", dx=100.0)]
    assert muster(game, MEMORY, bases, TABLE).matches["h-1"] == 9


@pytest.mark.parametrize(("before", "after", "by"), [(350.0, 10.0, 20.0), (0.0, 180.0, 180.0), (None, 5.0, 0.0)])
def test_a_turn_is_the_short_way_round(before: float | None, after: float, by: float) -> None:
    assert turned_deg(before, after) == by


def test_the_memory_follows_the_camera_and_not_the_rules() -> None:
    event = muster(GAME, MEMORY, moved_by(everyone(GAME), "red", 0.0, 50.0), TABLE).events
    game = fold(event, GAME)
    assert remembered(MEMORY, "camera", event, game)["red-1-1"].y_mm == 250.0
    assert remembered(MEMORY, "action", event, game)["red-1-1"].y_mm == 200.0


class TestAGameThatWasOnlyGiven:
    given_game = replace(
        GAME,
        units=tuple(
            replace(unit, figures=tuple(replace(figure, sigma_mm=None) for figure in unit.figures))
            for unit in GAME.units
        ),
    )

    def test_its_figures_are_found_and_from_then_on_measured(self) -> None:
        found = muster(self.given_game, MEMORY, everyone(GAME), TABLE)
        assert [(event.event, event.facts["unit"]) for event in found.events] == [
            ("found", "red-1"),
            ("found", "blue-1"),
        ]
        after = fold(found.events, self.given_game)
        assert {figure.sigma_mm for unit in after.units for figure in unit.figures} == {0.4}
        assert muster(after, found.memory, everyone(GAME), TABLE).events == ()

    def test_a_figure_that_a_rule_has_moved_is_not_found_where_it_was(self) -> None:
        one = replace(self.given_game.units[0].figures[0], y_mm=90.0)
        units = (replace(GAME.units[0], figures=(one, *GAME.units[0].figures[1:])), GAME.units[1])
        assert muster(replace(GAME, units=units), MEMORY, everyone(GAME), TABLE).events == ()
