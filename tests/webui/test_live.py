"""The owner of the game: one thing at a time, whatever comes; and the hand over the virtual table."""

from __future__ import annotations

import gzip
import json
import threading
import time
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from engine.events import Event, Place, PlaceFigures, begin
from engine.keeping.entry import Entry
from engine.records.game import Game
from tests.webui.toys import GAME, everyone, observed
from vision.simulated import BasePlaced, VirtualTable
from webui.camera.sightings import Look
from webui.commands.demo import VirtualHand, demo_game, load_demo, stood_up
from webui.errors import BadRequest, NotReady
from webui.live import LiveTable
from webui.serving.requests import FigureAt
from webui.table.desk import Desk


class TestOwner:
    def test_everything_is_done_in_one_thread(self, live: LiveTable) -> None:
        names = {live.do(lambda desk: threading.current_thread().name) for _ in range(3)}
        assert names == {"vedette-table"}

    def test_many_at_once_are_served_one_after_the_other(self, live: LiveTable) -> None:
        threads = [
            threading.Thread(target=lambda n=n: live.do(lambda desk: desk.set_turn(n, "red"))) for n in range(2, 22)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        numbers = live.do(lambda desk: [entry.number for entry in desk.journal.entries])
        assert numbers == list(range(1, 22))

    def test_what_fails_is_told_to_whoever_asked_and_the_owner_goes_on(self, live: LiveTable) -> None:
        def fail(desk: Desk) -> None:
            raise ZeroDivisionError("for this one alone")

        with pytest.raises(ZeroDivisionError):
            live.do(fail)
        assert live.do(lambda desk: 7) == 7

    def test_a_look_that_fails_is_said_until_one_succeeds(
        self, live: LiveTable, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr("webui.table.desk.muster", lambda *_, **__: 1 / 0)
            live.looked(Look(frame=1, observation=observed(everyone(GAME))))
            live.do(lambda desk: None)
            assert b"could not be taken in: ZeroDivisionError: division by zero" in live.state_json()
        live.looked(Look(frame=2, observation=observed(everyone(GAME))))
        live.do(lambda desk: None)
        assert b"could not be taken in" not in live.state_json()

    def test_a_change_is_on_disk_before_anybody_is_told(self, live: LiveTable) -> None:
        told: list[int] = []

        def listen() -> None:
            live.wait(live.revision, 5.0)
            told.append(live.do(lambda desk: len(desk.journal.entries)))

        listener = threading.Thread(target=listen)
        listener.start()
        time.sleep(0.05)
        live.do(lambda desk: desk.set_turn(2, "blue"))
        listener.join()
        assert told == [2]

    def test_a_closed_table_takes_nothing_on(self, live: LiveTable) -> None:
        live.close()
        live.close()
        with pytest.raises(NotReady):
            live.do(lambda desk: None)
        assert live.wait(live.revision, 5.0) is None

    def test_a_picture_that_grows_old_is_noticed_by_itself(self, desk: Desk) -> None:
        from webui.camera.sightings import CameraView

        now = [100.0]
        table = LiveTable(desk, mode="serve", clock_s=lambda: now[0])
        table.start()
        table.camera_is(CameraView(state="live", seen_at_s=99.9))
        before = table.revision
        now[0] = 103.0
        assert table.wait(before, 5.0) is not None
        assert b'"stale":true' in table.state_json()
        table.close()


@dataclass
class Camera:
    """The part of the simulated camera that a hand touches."""

    table: VirtualTable
    replaced: list[VirtualTable] = field(default_factory=list)

    def replace(self, table: VirtualTable) -> None:
        self.table = table
        self.replaced.append(table)


def entry(kind: str) -> Entry:
    return Entry(number=2, at="2026-11-21T10:00:00Z", kind=kind)


class TestHand:
    demo = load_demo()
    game: Game = demo_game(demo)

    def hand(self) -> tuple[VirtualHand, Camera]:
        camera = Camera(stood_up(self.game, self.demo.virtual, {}))
        return VirtualHand(camera, self.game, {}), camera  # type: ignore[arg-type]

    def at(self, camera: Camera, figure: str) -> BasePlaced | None:
        return next((base for base in camera.table.bases if base.id == figure), None)

    def without_first(self) -> Game:
        unit = self.game.units[0]
        return replace(self.game, units=(replace(unit, figures=unit.figures[1:]), *self.game.units[1:]))

    def test_the_demo_begins_as_its_table_is_set_up(self) -> None:
        assert {base.id for base in stood_up(self.game, self.demo.virtual, {}).bases} == {
            base.id for base in self.demo.virtual.bases
        }

    def test_it_moves_what_is_dragged(self) -> None:
        hand, camera = self.hand()
        hand.move([FigureAt(id="1st-foot-1", x_mm=300.0, y_mm=310.0, bearing_deg=370.0)])
        moved = self.at(camera, "1st-foot-1")
        assert moved is not None
        assert (moved.x_mm, moved.y_mm, moved.bearing_deg) == (300.0, 310.0, 10.0)

    @pytest.mark.parametrize(
        "bad", [FigureAt(id="nobody", x_mm=1.0, y_mm=1.0), FigureAt(id="1st-foot-1", x_mm=9e3, y_mm=0)]
    )
    def test_what_cannot_be_moved_moves_nothing_else_either(self, bad: FigureAt) -> None:
        hand, camera = self.hand()
        with pytest.raises(BadRequest):
            hand.move([FigureAt(id="1st-foot-2", x_mm=300.0, y_mm=310.0), bad])
        assert camera.replaced == []

    def test_it_takes_casualties_off_and_puts_them_back_when_that_is_undone(self) -> None:
        hand, camera = self.hand()
        hand.follow(entry("action"), self.without_first(), ())
        assert self.at(camera, "1st-foot-1") is None
        hand.follow(entry("undo"), self.game, ())
        assert self.at(camera, "1st-foot-1") is not None

    def test_it_carries_out_what_the_rules_moved_and_leaves_the_rest_where_it_was_dragged(self) -> None:
        hand, camera = self.hand()
        hand.move([FigureAt(id="grenadiers-1", x_mm=300.0, y_mm=310.0)])
        unit = self.game.units[0]
        back = replace(unit, figures=tuple(replace(one, y_mm=one.y_mm - 100.0) for one in unit.figures))
        hand.follow(entry("action"), replace(self.game, units=(back, *self.game.units[1:])), ())
        retired, dragged = self.at(camera, "1st-foot-1"), self.at(camera, "grenadiers-1")
        assert retired is not None
        assert dragged is not None
        assert retired.y_mm == unit.figures[0].y_mm - 100.0
        assert (dragged.x_mm, dragged.y_mm) == (300.0, 310.0)

    def test_an_undo_carries_back_what_the_camera_has_seen_arrive(self) -> None:
        hand, camera = self.hand()
        unit = self.game.units[0]
        went = replace(unit, figures=tuple(replace(one, y_mm=one.y_mm + 90.0) for one in unit.figures))
        after = replace(self.game, units=(went, *self.game.units[1:]))
        change = PlaceFigures(
            places=tuple(
                Place(figure=f.id, x_mm=f.x_mm, y_mm=f.y_mm, bearing_deg=f.bearing_deg) for f in went.figures
            )
        )
        started = Entry(number=1, at="", kind="begin", events=(begin(self.game),))
        charged = Entry(number=2, at="", kind="action", events=(Event(event="advance", changes=(change,)),))
        arrived = Entry(number=3, at="", kind="camera", events=(Event(event="found", changes=(change,)),))
        undo = Entry(number=4, at="", kind="undo", undoes=2)
        hand.follow(charged, after, (started, charged))
        hand.follow(arrived, after, (started, charged, arrived))
        hand.follow(undo, after, (started, charged, arrived, undo))
        back = self.at(camera, "1st-foot-1")
        assert back is not None
        assert back.y_mm == unit.figures[0].y_mm
        redo = Entry(number=5, at="", kind="undo", undoes=4)
        hand.follow(redo, after, (started, charged, arrived, undo, redo))
        again = self.at(camera, "1st-foot-1")
        assert again is not None
        assert again.y_mm == unit.figures[0].y_mm + 90.0

    def test_an_undo_puts_figures_where_they_stood_and_not_where_they_were_measured(self) -> None:
        hand, camera = self.hand()
        unit = self.game.units[0]
        first = unit.figures[0]
        hand.move([FigureAt(id=first.id, x_mm=first.x_mm + 0.4, y_mm=first.y_mm, bearing_deg=3.0)])
        went = replace(unit, figures=tuple(replace(one, y_mm=one.y_mm + 90.0) for one in unit.figures))
        started = Entry(number=1, at="", kind="begin", events=(begin(self.game),))
        marched = Entry(number=2, at="", kind="action")
        undo = Entry(number=3, at="", kind="undo", undoes=2)
        hand.follow(marched, replace(self.game, units=(went, *self.game.units[1:])), (started, marched))
        hand.follow(undo, self.game, (started, marched, undo))
        back = self.at(camera, first.id)
        assert back is not None
        assert (back.x_mm, back.bearing_deg) == (first.x_mm + 0.4, 3.0)

    @pytest.mark.parametrize("kind", ["camera", "place"])
    def test_what_the_camera_or_a_person_says_is_none_of_its_business(self, kind: str) -> None:
        hand, camera = self.hand()
        hand.follow(entry(kind), self.without_first(), ())
        assert camera.replaced == []


class TestWhatPagesAreTold:
    def test_what_all_know_alike_is_written_and_packed_once_for_all_of_them(self, live: LiveTable) -> None:
        shared = {id(live.state(seat)[0]) for seat in live.seats()}
        assert len(shared) == 1

    def test_packed_or_not_every_seat_reads_the_same(self, live: LiveTable) -> None:
        for seat in live.seats():
            begun, end = live.state(seat)
            told = json.loads(gzip.decompress(begun.packed_with(end)))
            assert told == json.loads(live.state_json(seat))
            assert told["seat"]["kind"] == seat.kind
