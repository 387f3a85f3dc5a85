"""Which way bases face whose front nothing marks, and whose bases are that no paint tells."""

from __future__ import annotations

import pytest
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from calibration.records import Army, RectBase, RoundBase, Table
from engine.events import fold
from engine.records.game import Figure, Game, Rect, Round, Side, TableArea, Turn, Unit
from tests.webui.toys import GAME, observed
from tests.webui.toys import TABLE as TOYS
from vision.records import BaseSeen
from webui.camera.assigning import Assignment, Point, assignment
from webui.camera.fronts import but_for_fronts
from webui.camera.memory import pose_of
from webui.camera.muster import muster
from webui.errors import BadRequest
from webui.table.desk import Desk

HORSE = RectBase(name="horse", width_mm=25.0, depth_mm=50.0, height_mm=3.0)
BROAD = RectBase(name="stand", width_mm=50.0, depth_mm=25.0, height_mm=3.0)
FOOT = RoundBase(name="foot", diameter_mm=25.0, height_mm=3.0)
SMALL = RoundBase(name="foot", diameter_mm=20.0, height_mm=3.0)
MARKED = Army(name="red", base_colour="#a8282a", front_mark="#f4f0e0", bases=(HORSE,))
PAINTED = replace(MARKED, front_mark=UNSET)
BARE = Army(name="red", bases=(HORSE,))


def table(*armies: Army) -> Table:
    return replace(TOYS, armies=armies)


def seen(army: str | None, base: str, bearing_deg: float | None, x_mm: float = 300.0) -> BaseSeen:
    return BaseSeen(
        army=army, base=base, x_mm=x_mm, y_mm=400.0, z_mm=0.0, bearing_deg=bearing_deg, sigma_mm=0.4,
        bearing_sigma_deg=None if bearing_deg is None else 0.6, confidence=0.95,
    )  # fmt: skip


def game(bearing_deg: float | None, base: Rect | Round | None = None, side: str = "red") -> Game:
    figure = Figure(
        id="h-1", x_mm=300.0, y_mm=400.0, bearing_deg=bearing_deg, sigma_mm=0.4,
        base=base or Rect(width_mm=25.0, depth_mm=50.0),
    )  # fmt: skip
    unit = Unit(id="h", side=side, type="horse", figures=(figure,))
    return Game(
        format="vedette-game/1", ruleset="toy", table=TableArea(width_mm=1200.0, depth_mm=900.0),
        sides=(Side(name="red", edge="south"), Side(name="blue", edge="north")),
        turn=Turn(number=1, active_side="red"), units=(unit,),
    )  # fmt: skip


def faces_after(army: Army, bearing_deg: float, one: BaseSeen, seen_deg: float | None = None) -> float | None:
    """Which way a figure faces in the game that faced so, once its base is seen."""
    known, begun = table(army), game(bearing_deg)
    memory = {"h-1": replace(pose_of("h", begun.units[0].figures[0], 0.4), bearing_deg=seen_deg or bearing_deg)}
    bases = but_for_fronts(observed([one]), known).bases
    return fold(muster(begun, memory, bases, known).events, begun).unit("h").figures[0].bearing_deg


@pytest.mark.parametrize("army", [PAINTED, BARE], ids=["painted", "bare"])
@pytest.mark.parametrize(("measured", "faces"), [(200.0, 20.0), (20.0, 20.0), (350.0, 350.0), (170.0, 350.0)])
def test_a_rectangle_without_a_mark_does_not_face_about_by_itself(
    army: Army, measured: float, faces: float
) -> None:
    """A measurement gives one of its two ways at even odds; it has turned as little as its sides allow."""
    name = None if army is BARE else army.name
    assert faces_after(army, 0.0, seen(name, "horse", measured)) == pytest.approx(faces)


def test_at_a_table_too_it_has_not_moved(desk: Desk) -> None:
    horse = replace(GAME.units[0], figures=game(0.0).units[0].figures)
    desk.begin(replace(GAME, units=(horse,)))
    assert desk.look(observed([seen("red", "horse", 180.0)])) is None
    desk.see(observed([seen("red", "horse", 180.0)]))
    assert desk.mustered is not None
    assert desk.mustered.events == ()


def test_a_front_mark_tells_that_a_base_was_turned_about() -> None:
    assert faces_after(MARKED, 0.0, seen("red", "horse", 180.0)) == pytest.approx(180.0)


def test_who_says_that_it_faces_the_other_way_is_believed_when_it_moves() -> None:
    moved = seen(None, "horse", 10.0, x_mm=340.0)
    assert faces_after(BARE, 180.0, moved, seen_deg=0.001) == pytest.approx(190.0)


@pytest.mark.parametrize(("like", "there"), [("red", True), ("blue", False)])
def test_of_bases_that_no_paint_tells_those_of_its_shape_are_a_figures(like: str, there: bool) -> None:
    known = table(Army(name="red", bases=(FOOT,)), Army(name="blue", bases=(SMALL,)))
    begun = game(None, Round(diameter_mm=25.0))
    memory = {"h-1": pose_of("h", begun.units[0].figures[0], 0.4)}
    found = muster(begun, memory, [replace(seen(None, "foot", None), like_army=like)], known)
    assert (found.matches == {"h-1": 0}) == there


def test_where_two_armies_lie_across_each_other_a_figure_faces_by_its_own_front() -> None:
    known = table(Army(name="red", bases=(HORSE,)), Army(name="blue", bases=(BROAD,)))
    begun = game(90.0, Rect(width_mm=50.0, depth_mm=25.0), "blue")
    memory = {"h-1": pose_of("h", begun.units[0].figures[0], 0.4)}
    bases = but_for_fronts(observed([seen(None, "horse", 20.0)]), known).bases
    (event,) = muster(begun, memory, bases, known).events
    assert fold([event], begun).unit("h").figures[0].bearing_deg == pytest.approx(110.0)


class TestPutIntoAUnit:
    """Bases that no paint tells become figures of the side that somebody says."""

    known = table(Army(name="red", bases=(FOOT,)), Army(name="blue", bases=(replace(BROAD, name="gun"), SMALL)))
    begun = replace(game(None), units=())

    def new(self, side: str, base: str, like: str | UnsetType = UNSET) -> Figure:
        one = replace(seen(None, base, None), like_army=like)
        wanted = Assignment(unit="u", side=side, type="foot", bases=(Point(x_mm=one.x_mm, y_mm=one.y_mm),))
        event = assignment(self.begun, self.known, [one], frozenset(), wanted)
        (figure,) = fold([event], self.begun).unit("u").figures
        return figure

    @pytest.mark.parametrize(
        ("side", "base", "like", "size"),
        [
            ("red", "foot", "red", Round(diameter_mm=25.0)),
            ("blue", "foot", "blue", Round(diameter_mm=20.0)),
            ("blue", "gun", UNSET, Rect(width_mm=50.0, depth_mm=25.0)),
            ("red", "gun", UNSET, Rect(width_mm=50.0, depth_mm=25.0)),
        ],
        ids=["its-own", "of-one-name", "rectangle", "none-of-its-army"],
    )
    def test_they_are_as_large_as_they_were_seen_to_be(
        self, side: str, base: str, like: str | UnsetType, size: Rect | Round
    ) -> None:
        assert self.new(side, base, like).base == size

    def test_a_base_that_the_table_does_not_list_is_named(self) -> None:
        with pytest.raises(BadRequest, match="lists no base 'waggon'"):
            self.new("red", "waggon")
