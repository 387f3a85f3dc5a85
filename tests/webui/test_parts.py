"""What single figures are, said with the bases that are put into a unit: the Leader, the gun."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.webui.carrying import Evening
from tests.webui.toys import observed
from vision.records import BaseSeen
from webui.camera.assigning import Assignment, Point
from webui.errors import BadRequest


@pytest.fixture
def table(tmp_path: Path) -> Evening:
    return Evening("muskets-mohawks", tmp_path)


def lays_down(
    table: Evening, *places: tuple[float, float], instead: tuple[float, float] | None = None
) -> list[Point]:
    """The camera sees bases of nobody beside the others, perhaps ``instead`` of one; where they lie."""
    assert table.desk.observation is not None
    bases = [one for one in table.desk.observation.bases if (one.x_mm, one.y_mm) != instead]
    model: BaseSeen = next(base for base in bases if base.army == "british")
    new = [replace(model, x_mm=x_mm, y_mm=y_mm) for x_mm, y_mm in places]
    table.desk.look(observed(bases + new))
    return [Point(x_mm=base.x_mm, y_mm=base.y_mm) for base in new]


def leaders(table: Evening, unit: str) -> list[tuple[float, float]]:
    return [(one.x_mm, one.y_mm) for one in table.desk.game.unit(unit).figures if one.role == "leader"]


@pytest.mark.rule("MM-29")
def test_whoever_musters_a_unit_whose_leader_is_worth_something_says_which_base_is_his(table: Evening) -> None:
    first, second = lays_down(table, (1600.0, 60.0), (1640.0, 60.0))
    wanted = Assignment(
        unit="new", side="british", type="regular", formation="unformed", weapon="musket",
        stats={"rep": 4, "leader_rep": 5}, bases=(first, second),
    )  # fmt: skip
    before = len(table.desk.journal.entries)
    with pytest.raises(BadRequest, match="Say which base is the Leader"):
        table.desk.assign(wanted)
    assert len(table.desk.journal.entries) == before
    table.desk.assign(replace(wanted, bases=(first, replace(second, role="leader"))))
    assert leaders(table, "new") == [(second.x_mm, second.y_mm)]
    (third,) = lays_down(table, (1680.0, 60.0))
    with pytest.raises(BadRequest, match="has its Leader already"):
        table.desk.assign(Assignment(unit="new", bases=(replace(third, role="leader"),)))


@pytest.mark.rule("MM-29")
def test_a_leader_whom_the_camera_has_lost_is_found_again_on_the_base_that_is_said_to_be_his(
    table: Evening,
) -> None:
    first, second = lays_down(table, (1600.0, 60.0), (1640.0, 60.0))
    table.desk.assign(
        Assignment(
            unit="new", side="british", type="regular", weapon="musket", stats={"rep": 4, "leader_rep": 5},
            bases=(first, replace(second, role="leader")),
        )
    )  # fmt: skip
    was = table.desk.game.unit("new").figures
    (far,) = lays_down(table, (40.0, 1180.0), instead=(second.x_mm, second.y_mm))
    table.desk.assign(Assignment(unit="new", bases=(replace(far, role="leader"),)))
    now = table.desk.game.unit("new").figures
    assert [one.id for one in now] == [one.id for one in was]
    assert leaders(table, "new") == [(40.0, 1180.0)]
