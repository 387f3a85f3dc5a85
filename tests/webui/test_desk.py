"""The desk: playing, undoing, placing, assigning; and finding all of it again after a sudden end."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from engine.events import Place
from engine.keeping.entry import Entry
from engine.records.action import Action
from engine.unfinished import Unfinished
from tests.webui.toys import GAME, everyone, observed, seen
from webui.camera.assigning import Assignment, Point
from webui.camera.memory import held
from webui.errors import BadRequest, Outdated, Refused
from webui.shown.state import game_state
from webui.table.desk import Desk

SHOOT = Action(action="shoot", unit="red-1", target="blue-1")


def at(figure: str, x: float, y: float) -> Place:
    return Place(figure=figure, x_mm=x, y_mm=y, bearing_deg=0.0)


class TestDice:
    def test_without_dice_the_first_roll_is_asked_for_and_nothing_is_changed(self, desk: Desk) -> None:
        waiting = desk.resolve(SHOOT, ())
        assert isinstance(waiting, Unfinished)
        assert (waiting.next.purpose, waiting.next.count, waiting.next.die) == ("shots", 3, "d6")
        assert desk.game == GAME

    def test_with_some_dice_the_next_roll_is_asked_for_and_what_happened_so_far_is_shown(self, desk: Desk) -> None:
        waiting = desk.resolve(SHOOT, (1, 1, 4))
        assert isinstance(waiting, Unfinished)
        assert waiting.next.purpose == "nerve"
        assert [rolled.scores for rolled in waiting.rolls] == [(1, 1, 4)]
        assert [event.event for event in waiting.events] == ["fired"]
        assert desk.game == GAME

    def test_half_a_roll_is_not_enough(self, desk: Desk) -> None:
        waiting = desk.resolve(SHOOT, (1, 1))
        assert isinstance(waiting, Unfinished)
        assert waiting.rolls == ()

    def test_with_all_dice_it_is_done_and_written(self, desk: Desk) -> None:
        done = desk.resolve(SHOOT, (1, 1, 4, 6, 5))
        assert isinstance(done, Entry)
        assert len(desk.game.unit("blue-1").figures) == 2
        assert desk.journal.entries[-1] == done

    def test_the_program_rolls_what_is_left(self, desk: Desk) -> None:
        done = desk.resolve(SHOOT, (1, 1), roll=True)
        assert isinstance(done, Entry)
        assert done.rolls[0].scores[:2] == (1, 1)
        assert len(done.rolls[1].scores) == 2

    @pytest.mark.parametrize(
        ("dice", "why"), [((7,), "cannot show 7"), ((1, 1, 1, 1, 1, 1), "left over"), ((1, 1, 9), "cannot show 9")]
    )
    def test_dice_that_do_not_fit_are_refused_with_the_roll_they_were_for(
        self, desk: Desk, dice: tuple[int, ...], why: str
    ) -> None:
        with pytest.raises(Refused) as refused:
            desk.resolve(SHOOT, dice)
        assert why in refused.value.reasons[0]
        assert len(desk.journal.entries) == 1


class TestRefusing:
    def test_every_reason_is_given(self, desk: Desk) -> None:
        with pytest.raises(Refused) as refused:
            desk.resolve(Action(action="hush", unit="red-1"), ())
        assert refused.value.reasons == ("nobody hushes a soldier", "and never two")

    def test_the_umpire_may_overrule_and_it_is_logged_as_such(self, desk: Desk) -> None:
        done = desk.resolve(Action(action="hush", unit="red-1", override=True), ())
        assert isinstance(done, Entry)
        assert done.overruled

    def test_an_override_of_what_is_allowed_anyway_overrules_nothing(self, desk: Desk) -> None:
        done = desk.resolve(Action(action="wait", unit="red-1", override=True), ())
        assert isinstance(done, Entry)
        assert not done.overruled

    def test_an_action_that_there_is_not(self, desk: Desk) -> None:
        with pytest.raises(BadRequest, match="expected shoot"):
            desk.resolve(Action(action="dance"), ())

    def test_a_unit_that_there_is_not(self, desk: Desk) -> None:
        with pytest.raises(BadRequest, match="no such unit"):
            desk.resolve(Action(action="shoot", unit="red-1", target="green"), ())


class TestUndo:
    def test_what_was_shot_stands_again_and_both_are_in_the_log(self, desk: Desk) -> None:
        done = desk.resolve(SHOOT, (1, 1, 4, 6, 5))
        assert isinstance(done, Entry)
        desk.undo(done.number)
        assert desk.game == GAME
        assert [entry.kind for entry in desk.journal.entries] == ["begin", "action", "undo"]

    def test_redo(self, desk: Desk) -> None:
        desk.resolve(SHOOT, (1, 1, 4, 6, 5))
        after = desk.game
        desk.undo(None)
        desk.redo()
        assert desk.game == after

    def test_with_nothing_to_undo(self, desk: Desk) -> None:
        with pytest.raises(Refused):
            desk.undo(None)

    def test_another_than_the_newest_is_refused(self, desk: Desk) -> None:
        desk.set_turn(2, "blue")
        desk.set_turn(3, "red")
        with pytest.raises(Refused):
            desk.undo(2)


class TestCamera:
    def test_what_moved_is_one_entry_and_the_rest_is_silence(self, desk: Desk) -> None:
        moved = [replace(b, y_mm=b.y_mm + 90.0) if b.army == "red" else b for b in everyone(GAME)]
        entry = desk.look(observed(moved))
        assert entry is not None
        assert entry.kind == "camera"
        assert [event.facts["unit"] for event in entry.events] == ["red-1"]
        assert desk.look(observed(moved)) is None

    def test_presence(self, desk: Desk) -> None:
        desk.look(observed(everyone(GAME)[1:]))
        assert desk.unseen() == {"red-1-1"}

    def test_at_the_first_look_the_figures_may_stand_anywhere(self, desk: Desk) -> None:
        far = [replace(b, x_mm=b.x_mm + 800.0, y_mm=b.y_mm - 150.0) for b in everyone(GAME) if b.army == "red"]
        desk.look(observed([*everyone(GAME)[5:], *far]))
        assert desk.game.unit("red-1").figures[0].x_mm == 1000.0

    def test_a_figure_that_one_look_misses_where_nothing_changed_is_still_seen(self, desk: Desk) -> None:
        desk.look(observed(everyone(GAME)))
        other = replace(everyone(GAME)[0], x_mm=900.0)
        entry = desk.look(observed([*everyone(GAME)[1:], other]), lambda x_mm, y_mm: x_mm > 800.0)
        assert entry is None
        assert desk.unseen() == frozenset()

    def test_a_figure_that_was_taken_up_may_be_put_down_later(self, desk: Desk) -> None:
        desk.look(observed(everyone(GAME)))
        desk.look(observed(everyone(GAME)[1:]), lambda x_mm, y_mm: x_mm < 210.0 and y_mm < 300.0)
        assert desk.unseen() == {"red-1-1"}
        there = replace(everyone(GAME)[0], x_mm=900.0)
        entry = desk.look(observed([*everyone(GAME)[1:], there]), lambda x_mm, y_mm: x_mm > 800.0)
        assert entry is not None
        assert desk.game.unit("red-1").figures[0].x_mm == 900.0


class TestAPersonsWord:
    def test_it_stays_until_the_base_really_moves(self, desk: Desk) -> None:
        desk.look(observed(everyone(GAME)))
        desk.place([at("red-1-1", 200.0, 230.0)])
        assert desk.look(observed(everyone(GAME))) is None
        assert desk.game.unit("red-1").figures[0].y_mm == 230.0
        bases = everyone(GAME)
        bases[0] = replace(bases[0], y_mm=260.0)
        assert desk.look(observed(bases)) is not None
        assert desk.game.unit("red-1").figures[0].y_mm == 260.0

    def test_what_was_dragged_is_put_back_where_it_stood_as_surely_as_it_stood_there(self, desk: Desk) -> None:
        desk.look(observed(everyone(GAME)))
        was = desk.game.unit("red-1").figures
        assert desk.can_put_back() == ()
        desk.place([at("red-1-1", 200.0, 230.0)])
        desk.place([at("red-1-1", 200.0, 250.0), at("red-1-2", 400.0, 250.0)])
        assert desk.can_put_back() == ("red-1",)
        assert game_state(desk)["put_back"] == ["red-1"]
        desk.put_back("red-1")
        assert desk.game.unit("red-1").figures == was
        assert desk.can_put_back() == ()
        assert desk.look(observed(everyone(GAME))) is None
        with pytest.raises(BadRequest, match="nothing to put back"):
            desk.put_back("red-1")

    def test_what_really_moved_since_is_not_put_back(self, desk: Desk, new_desk: Callable[[], Desk]) -> None:
        desk.look(observed(everyone(GAME)))
        desk.place([at("red-1-1", 200.0, 230.0), at("red-1-2", 400.0, 250.0)])
        bases = everyone(GAME)
        bases[0] = replace(bases[0], y_mm=260.0)
        desk.look(observed(bases))
        desk.journal.close()
        again = new_desk()
        assert again.can_put_back() == ("red-1",)
        again.put_back("red-1")
        first, second = again.game.unit("red-1").figures[:2]
        assert first.y_mm == 260.0
        assert second.x_mm == GAME.unit("red-1").figures[1].x_mm
        again.journal.close()

    def test_it_outlives_the_program(self, desk: Desk, new_desk: Callable[[], Desk]) -> None:
        desk.look(observed(everyone(GAME)))
        desk.place([at("red-1-1", 200.0, 230.0)])
        desk.journal.close()
        again = new_desk()
        assert again.memory == desk.memory
        assert held(again.memory, again.game) == {"red-1-1"}
        assert again.look(observed(everyone(GAME))) is None
        again.journal.close()

    def test_two_figures_that_were_taken_for_each_other_are_swapped_for_good(self, desk: Desk) -> None:
        desk.look(observed(everyone(GAME)))
        one, two = GAME.units[0].figures[:2]
        desk.place([at(one.id, two.x_mm, two.y_mm), at(two.id, one.x_mm, one.y_mm)])
        bases = everyone(GAME)
        bases[1] = replace(bases[1], y_mm=300.0)  # the base that is the first figure's now
        entry = desk.look(observed(bases))
        assert entry is not None
        assert entry.events[0].facts["figures"] == [one.id]

    def test_a_figure_that_there_is_not(self, desk: Desk) -> None:
        with pytest.raises(BadRequest, match="no figure 'nobody'"):
            desk.place([at("nobody", 1.0, 1.0)])

    def test_a_rule_that_moves_figures_holds_them_too(self, desk: Desk) -> None:
        desk.look(observed(everyone(GAME)))
        desk.resolve(SHOOT, (1, 1, 4, 6, 5))
        assert desk.look(observed(everyone(GAME))) is None
        assert desk.mustered is not None
        assert sorted(desk.mustered.lost.values()) == ["blue-1", "blue-1"]


class TestAssigning:
    def strays(self) -> list[Point]:
        return [Point(x_mm=600.0, y_mm=100.0), Point(x_mm=640.0, y_mm=100.0)]

    def look(self, desk: Desk) -> None:
        one = everyone(GAME)[0]
        more = [replace(one, x_mm=point.x_mm, y_mm=point.y_mm) for point in self.strays()]
        desk.look(observed([*everyone(GAME), *more]))

    def test_strays_become_a_new_unit(self, desk: Desk) -> None:
        self.look(desk)
        first, second = self.strays()
        bases = first, replace(second, role="leader")
        desk.assign(Assignment(unit="red-2", side="red", type="foot", bases=bases))
        unit = desk.game.unit("red-2")
        assert [(f.x_mm, f.role) for f in unit.figures] == [(600.0, "rank"), (640.0, "leader")]
        assert desk.mustered is not None
        assert desk.mustered.strays == ()
        assert desk.look(desk.observation or observed([])) is None

    def test_strays_join_a_unit(self, desk: Desk) -> None:
        self.look(desk)
        desk.assign(Assignment(unit="red-1", bases=tuple(self.strays())))
        assert [figure.id for figure in desk.game.unit("red-1").figures][-2:] == ["red-1-6", "red-1-7"]

    def test_a_missing_figure_is_found_again_before_a_new_one_is_made(self, desk: Desk) -> None:
        nearer = [replace(base, x_mm=base.x_mm - 30.0) for base in everyone(GAME)]
        desk.look(observed(nearer))
        far = replace(nearer[0], x_mm=1195.0, y_mm=895.0)  # farther than anybody goes between two looks
        desk.look(observed([*nearer[1:], far]))
        assert desk.unseen() == {"red-1-1"}
        desk.assign(Assignment(unit="red-1", bases=(Point(x_mm=1195.0, y_mm=895.0),)))
        assert len(desk.game.unit("red-1").figures) == 5
        assert desk.game.unit("red-1").figures[0].x_mm == 1195.0
        assert desk.unseen() == frozenset()

    def test_a_horse_is_no_missing_foot_soldier(self, desk: Desk) -> None:
        horse = replace(everyone(GAME)[0], base="horse", x_mm=600.0, y_mm=100.0)
        desk.look(observed([*everyone(GAME)[1:], horse]))
        desk.assign(Assignment(unit="red-1", bases=(Point(x_mm=600.0, y_mm=100.0),)))
        assert len(desk.game.unit("red-1").figures) == 6

    @pytest.mark.parametrize(
        ("wanted", "why"),
        [
            (Assignment(unit="red-2", side="red", type="foot", bases=()), "at least one base"),
            (Assignment(unit="red-2", side="red", type="foot", bases=(Point(x_mm=5.0, y_mm=5.0),)), "no free base"),
            (Assignment(unit="red-2", side="green", type="foot", bases=(Point(x_mm=600, y_mm=100),)), "side"),
            (Assignment(unit="red-2", side="red", bases=(Point(x_mm=600, y_mm=100),)), "type"),
            (Assignment(unit="blue-1", bases=(Point(x_mm=600, y_mm=100),)), "army 'red'"),
        ],
    )
    def test_what_cannot_be_is_refused_and_changes_nothing(self, desk: Desk, wanted: Assignment, why: str) -> None:
        self.look(desk)
        number = len(desk.journal.entries)
        with pytest.raises(BadRequest, match=why):
            desk.assign(wanted)
        assert len(desk.journal.entries) == number

    def test_a_unit_that_the_rules_do_not_know_is_refused(self, desk: Desk) -> None:
        self.look(desk)
        with pytest.raises(ValueError, match="expected foot or horse"):
            desk.assign(Assignment(unit="red-2", side="red", type="ghost", bases=tuple(self.strays())))
        assert "red-2" not in desk.game.by_id


class TestAnOldPage:
    def test_acts_on_when_only_the_camera_saw_others_move(self, desk: Desk) -> None:
        number = len(desk.journal.entries)
        desk.look(observed([replace(b, y_mm=b.y_mm + 90.0) if b.army == "red" else b for b in everyone(GAME)]))
        desk.since(number, frozenset({"blue-1"}))
        with pytest.raises(Outdated):
            desk.since(number, frozenset({"red-1"}))

    def test_is_outdated_by_anything_else(self, desk: Desk) -> None:
        number = len(desk.journal.entries)
        desk.set_turn(2, "blue")
        with pytest.raises(Outdated):
            desk.since(number, frozenset({"red-1"}))


def test_everything_is_found_again_after_a_sudden_end(desk: Desk, new_desk: Callable[[], Desk]) -> None:
    desk.look(observed(everyone(GAME)))
    desk.resolve(SHOOT, (1, 1, 4, 6, 5))
    desk.undo(None)
    desk.set_turn(2, "blue")
    again = new_desk()  # the first one is never closed
    assert again.game == desk.game
    written = [msgspec.json.encode(entry.to_builtins()) for entry in desk.journal.entries]
    assert [msgspec.json.encode(entry.to_builtins()) for entry in again.journal.entries] == written
    again.journal.close()


def test_a_move_is_held_against_what_the_rules_allowed_until_something_else_is_done(desk: Desk) -> None:
    desk.look(observed(everyone(GAME)))
    desk.answer()
    red, blue = GAME.units
    moved = [seen(figure, "red", dy=80.0) for figure in red.figures] + [
        seen(figure, "blue") for figure in blue.figures
    ]
    desk.look(observed(moved))
    (move,) = desk.moves
    assert (move.unit, round(move.distance_mm), move.verdict) == (
        "red-1",
        80,
        None,
    )  # the toy's rules know no moves
    assert [round(figure.y_mm) for figure in move.before] == [200] * 5
    desk.look(observed(moved))
    assert [one.unit for one in desk.moves] == ["red-1"]
    desk.set_turn(1, "blue")
    assert desk.moves == ()
