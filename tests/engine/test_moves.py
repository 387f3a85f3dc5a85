"""A move on the table is held against what the rules allowed: how far in this turn, in which way, in whose turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from engine.events import AddFigures, Event, Place, PlaceFigures, RemoveFigures, SetTurn, SetUnit, begin, fold
from engine.keeping.entry import Entry
from engine.moved.moves import Move, move_of, spent_of
from engine.moved.ways import Ways, after_entry, ways_told, with_options_of
from engine.records.answer import Answer, MoveOption, UnitAnswer
from engine.records.game import Figure, Game, Round, Side, TableArea, Turn, Unit
from engine.rulesets import find_ruleset

Shift = tuple[float, float]


def game(sigma_mm: float = 0.0, active: str | None = "red") -> Game:
    figures = tuple(
        Figure(id=f"a-{n}", x_mm=300.0 + 25.0 * n, y_mm=300.0, base=Round(diameter_mm=25.0), sigma_mm=sigma_mm)
        for n in range(3)
    )
    return Game(
        ruleset="x",
        table=TableArea(width_mm=1000.0, depth_mm=800.0),
        sides=(Side(name="red", edge="south"), Side(name="blue", edge="north")),
        turn=Turn(number=1, active_side=active),
        units=(Unit(id="a", side="red", type="foot", figures=figures),),
    )


def answer(allowance_mm: float, **extra: Any) -> Answer:
    move = MoveOption(allowance_mm=allowance_mm, modes=(), reach_mm=(), extra=extra)
    return Answer(ruleset="x", units=(UnitAnswer(unit="a", move=move),))


def moved(game: Game, unit: str, by: Mapping[str, Shift]) -> Event:
    places = tuple(
        Place(
            figure=f.id, x_mm=f.x_mm + by[f.id][0], y_mm=f.y_mm + by[f.id][1],
            bearing_deg=f.bearing_deg, sigma_mm=f.sigma_mm,
        )
        for f in game.unit(unit).figures if f.id in by
    )  # fmt: skip
    return Event(event="moved", facts={"unit": unit}, changes=(PlaceFigures(places=places),))


class Table:
    """A game at which a unit is moved by hand, and the ways so far; ``told`` is the answer before each move."""

    def __init__(self, game: Game, told: Answer | None, unit: str = "a") -> None:
        self.game, self.told, self.unit = game, told, unit
        self.ways: Ways = {}
        self.entries = [Entry(number=1, at="", kind="begin", events=(begin(game),))]

    def moves(self, dx_mm: float, dy_mm: float, figures: Sequence[str] | None = None) -> Move | None:
        names = figures or [figure.id for figure in self.game.unit(self.unit).figures]
        self.does("camera", moved(self.game, self.unit, dict.fromkeys(names, (dx_mm, dy_mm))))
        return move_of(self.unit, self.ways[self.unit], self.game)

    def does(self, kind: str, *events: Event) -> None:
        after = fold(events, self.game)
        self.ways = after_entry(self.ways, kind, events, self.game, after, self.told)
        self.entries.append(Entry(number=len(self.entries) + 1, at="", kind=kind, events=events))
        self.game = after


def judged(move: Move | None) -> tuple[float, str | None]:
    assert move is not None
    return round(move.distance_mm, 1), move.verdict


@pytest.mark.parametrize(
    ("moved_mm", "sigma_mm", "extra", "verdict"),
    [
        (200.0, 0.0, {}, "within"),
        (200.0005, 0.0, {}, "within"),
        (201.0, 0.0, {}, "beyond"),
        (201.0, 0.5, {}, "borderline"),
        (199.0, 0.5, {}, "borderline"),
        (210.0, 0.5, {}, "beyond"),
        (120.0, 0.5, {}, "within"),
        (120.0, 0.5, {"left_mm": 110.0}, "beyond"),
        (10.0, 0.0, {"legal": False, "why_not": ["it has fired"]}, "may-not"),
    ],
)
def test_one_move_is_held_against_the_allowance(
    moved_mm: float, sigma_mm: float, extra: Mapping[str, Any], verdict: str
) -> None:
    move = Table(game(sigma_mm), answer(200.0, **extra)).moves(0.0, moved_mm)
    assert move is not None
    assert move.distance_mm == pytest.approx(moved_mm)
    assert move.verdict == verdict
    assert move.why_not == tuple(extra.get("why_not", ()))
    assert [figure.y_mm for figure in move.before] == [300.0] * 3


def test_a_unit_that_has_nothing_left_and_is_told_why_may_not_move() -> None:
    move = Table(game(), answer(0.0, why_not=["already activated this turn"])).moves(0.0, 50.0)
    assert move is not None
    assert (move.verdict, move.why_not) == ("may-not", ("already activated this turn",))


def test_two_moves_of_150_mm_are_one_of_300_mm_and_the_ghost_stands_where_the_turn_began() -> None:
    table = Table(game(0.3), answer(203.2))
    assert judged(table.moves(0.0, 150.0)) == (150.0, "within")
    move = table.moves(0.0, 150.0)
    assert judged(move) == (300.0, "beyond")
    assert move is not None
    assert [figure.y_mm for figure in move.before] == [300.0] * 3
    assert [y for _, y in move.way_mm] == [300.0, 450.0, 600.0]
    assert move.steps == 2


def test_a_way_round_a_corner_is_as_long_as_its_steps_not_as_the_straight_line() -> None:
    table = Table(game(), answer(203.2))
    table.moves(0.0, 120.0)
    assert judged(table.moves(120.0, 0.0)) == (240.0, "beyond")


def test_a_step_that_is_taken_back_is_not_counted() -> None:
    table = Table(game(0.3), answer(203.2))
    table.moves(0.0, 150.0)
    assert judged(table.moves(0.0, 150.0)) == (300.0, "beyond")
    assert judged(table.moves(4.0, -152.0)) == (150.0, "within")
    assert table.moves(-3.0, -147.0) is None, "it stands again where it began"
    assert judged(table.moves(0.0, 200.0)) == (201.0, "within"), "from where it began"


def test_setting_a_line_right_by_a_little_after_its_move_is_no_step_of_its_own() -> None:
    table = Table(game(), answer(203.2))
    assert judged(table.moves(0.0, 205.0)) == (205.0, "beyond")
    assert judged(table.moves(0.0, -4.0)) == (201.0, "within")


def test_creeping_by_little_nudges_is_a_move_all_the_same() -> None:
    table = Table(game(), answer(50.0))
    for _ in range(5):
        move = table.moves(0.0, 12.0)
    assert judged(move) == (60.0, "beyond")


def test_only_the_figures_that_moved_are_drawn_where_they_were() -> None:
    move = Table(game(), None).moves(0.0, 60.0, ["a-1"])
    assert move is not None
    assert [figure.id for figure in move.before] == ["a-1"]
    assert judged(move) == (60.0, None)


def test_a_unit_all_of_whose_figures_are_others_begins_its_way_with_them() -> None:
    table = Table(game(), answer(203.2))
    table.moves(0.0, 150.0)
    unit = table.game.unit("a")
    fresh = tuple(replace(figure, id=f"b-{n}") for n, figure in enumerate(unit.figures))
    lost = RemoveFigures(unit="a", figures=tuple(figure.id for figure in unit.figures))
    table.does("assign", Event(event="assigned", changes=(lost, AddFigures(unit="a", figures=fresh))))
    assert judged(table.moves(0.0, 100.0)) == (100.0, "within")


def test_a_new_turn_begins_a_new_way() -> None:
    table = Table(game(), answer(203.2))
    table.moves(0.0, 150.0)
    table.does("turn", Event(event="turn", changes=(SetTurn(number=2, active_side="red"),)))
    assert judged(table.moves(0.0, 150.0)) == (150.0, "within")


def test_what_the_rules_move_begins_a_new_way() -> None:
    table = Table(game(), answer(203.2))
    table.moves(0.0, 150.0)
    table.does("action", replace(moved(table.game, "a", {"a-0": (0.0, -200.0)}), event="fell-back"))
    assert judged(table.moves(0.0, 100.0)) == (100.0, "within")


def test_where_a_person_says_that_the_figures_stand_their_way_ends_there() -> None:
    table = Table(game(), answer(203.2))
    table.moves(0.0, 150.0)
    shift = dict.fromkeys(("a-0", "a-1", "a-2"), (0.0, -50.0))
    table.does("place", replace(moved(table.game, "a", shift), event="placed"))
    assert judged(table.moves(0.0, 90.0)) == (190.0, "within")


def test_an_order_to_hurry_says_how_far_the_unit_may_be_carried() -> None:
    table = Table(game(), answer(0.0, why_not=["already activated this turn"]))
    table.does("action", Event(event="fast-move", facts={"unit": "a", "unformed_mm": 400.0, "formed_mm": None}))
    assert judged(table.moves(0.0, 390.0)) == (390.0, "within")
    assert judged(table.moves(0.0, 30.0)) == (420.0, "beyond")


def test_figures_set_in_the_order_that_they_were_told_to_take_up_have_not_moved() -> None:
    table = Table(game(), answer(100.0))
    table.moves(0.0, 60.0)
    order = SetUnit(unit="a", key="formation", value="formed-line")
    table.does("action", Event(event="reformed", facts={"unit": "a"}, changes=(order,)))
    assert table.moves(300.0, 0.0, ["a-0"]) is None, "only the figure that was out of the line"
    assert judged(table.moves(0.0, 50.0)) == (110.0, "beyond")


def test_a_unit_told_to_take_up_an_order_that_only_marches_on_has_moved() -> None:
    table = Table(game(), answer(100.0))
    order = SetUnit(unit="a", key="formation", value="unformed")
    table.does("action", Event(event="reformed", facts={"unit": "a"}, changes=(order,)))
    assert judged(table.moves(0.0, 110.0)) == (110.0, "beyond")


def test_out_of_its_sides_turn_a_move_is_remarked_and_not_counted_against_it() -> None:
    table = Table(game(active="blue"), answer(10.0))
    assert judged(table.moves(0.0, 330.2)) == (330.2, "out-of-turn")
    table.does("turn", Event(event="turn", changes=(SetTurn(number=1, active_side="red"),)))
    table.told = answer(203.2)
    assert judged(table.moves(0.0, 150.0)) == (150.0, "within")


def test_without_an_answer_nothing_is_judged_and_without_a_side_to_move_everyone_is() -> None:
    assert judged(Table(game(), None).moves(0.0, 50.0)) == (50.0, None)
    assert judged(Table(game(active=None), answer(10.0)).moves(0.0, 50.0)) == (50.0, "beyond")
    assert judged(Table(game(), replace(answer(1.0), units=())).moves(0.0, 50.0)) == (50.0, None)


def test_a_length_of_one_action_of_several_is_for_each_step() -> None:
    table = Table(game(), answer(152.4, roll={"count": 1, "die": "d6"}))
    table.moves(0.0, 150.0)
    assert judged(table.moves(0.0, 150.0)) == (150.0, "within")


def test_the_journal_leads_to_the_same_ways_as_the_evening_did() -> None:
    table = Table(game(0.2), answer(203.2))
    table.moves(0.0, 150.0)
    table.moves(40.0, 40.0)
    again = ways_told(table.entries)["a"]
    assert again.poses == table.ways["a"].poses
    assert spent_of(again, table.game) == spent_of(table.ways["a"], table.game)
    assert with_options_of(table.ways["a"], again) == table.ways["a"]


class TestTheWay:
    """The ground in reach: here straight ahead, as wide as the unit stands."""

    @pytest.fixture
    def ahead(self) -> Answer:
        ground = [[287.0, 287.0], [363.0, 287.0], [363.0, 520.0], [287.0, 520.0]]
        return answer(203.2, reach_polygons_mm=[[ground]])

    def test_straight_on_it_is_within(self, ahead: Answer) -> None:
        assert judged(Table(game(), ahead).moves(0.0, 200.0)) == (200.0, "within")

    def test_aside_it_is_not_though_it_is_not_far(self, ahead: Answer) -> None:
        move = Table(game(), ahead).moves(-150.0, 0.0)
        assert move is not None
        assert (move.verdict, move.allowance_mm) == ("off-way", 203.2)
        assert move.why_not == ("that ground is not within its reach",)

    def test_by_as_little_as_the_measurement_cannot_settle_it_is_borderline(self, ahead: Answer) -> None:
        move = Table(game(1.0), ahead).moves(-2.5, 150.0)
        assert move is not None
        assert move.verdict == "borderline"
        assert move.why_not == (
            "stands 2.0 mm (± 1.4) outside the ground that it can reach, which is drawn to 1 mm",
        )

    def test_two_steps_that_were_allowed_each_are_allowed(self, ahead: Answer) -> None:
        table = Table(game(), ahead)
        table.moves(0.0, 100.0)
        then = [[287.0, 387.0], [463.0, 387.0], [463.0, 520.0], [287.0, 520.0]]
        table.told = answer(203.2, reach_polygons_mm=[[then]])
        assert judged(table.moves(90.0, 0.0)) == (190.0, "within")

    def test_where_troops_are_hidden_the_ground_does_not_tell_of_them(self, ahead: Answer) -> None:
        table = Table(game(), ahead)
        table.moves(-150.0, 0.0)
        move = move_of("a", table.ways["a"], table.game, by_reach=False)
        assert judged(move) == (150.0, "within")


class TestAtADemo:
    """The demos' own armies, by their rules."""

    def test_the_1st_foot_that_slides_to_its_left_is_told_that_no_way_leads_there(self) -> None:
        table = demo("muskets-mohawks", "1st Foot")
        facing = table.game.unit(table.unit).figures[0].bearing_deg
        assert facing is not None
        left = across(facing, -90.0, 150.0)
        move = table.moves(*left)
        assert move is not None
        assert move.verdict == "off-way"
        assert move.why_not == ("it went 90° to the left of its front, where none of its ways of moving leads",)

    @pytest.mark.parametrize("off_deg", [0.0, 40.0, -40.0])
    def test_the_1st_foot_may_go_straight_on_and_aslant(self, off_deg: float) -> None:
        table = demo("muskets-mohawks", "1st Foot")
        facing = table.game.unit(table.unit).figures[0].bearing_deg
        assert facing is not None
        assert judged(table.moves(*across(facing, off_deg, 60.0))) == (60.0, "within")


def demo(ruleset: str, name: str) -> Table:
    from vision.simulated import load_demo
    from webui.commands.demo import demo_game

    game = demo_game(load_demo(ruleset))
    unit = next(unit for unit in game.units if name in (unit.name, unit.id))
    game = replace(game, turn=replace(game.turn, active_side=unit.side))
    return Table(game, find_ruleset(ruleset).ask(game), unit.id)


def across(facing_deg: float, off_deg: float, length_mm: float) -> Shift:
    from engine.geometry.moving.moves import towards

    dx, dy = towards(facing_deg + off_deg)
    return dx * length_mm, dy * length_mm
