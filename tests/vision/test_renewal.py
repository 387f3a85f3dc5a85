"""Looking again at what has changed: the same answer as a look at all of it, whatever happened on the table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray

import vision.measure
from tests.long_runs import examples, some
from tests.vision.small_table import LENS, TABLE, base, camera, table
from vision.bases import Known
from vision.measure import Measurer
from vision.records import BaseSeen, Observation
from vision.simulated import BasePlaced, Renderer, TagPlaced, TerrainPlaced, VirtualTable
from vision.simulated.camera import camera_over

LINE = tuple(base(f"b{n}", 120.0 + 25.4 * n, 150.0, bearing_deg=10.0) for n in range(5))
CROWD = tuple(
    base(f"f{n}", 360.0 + 37.0 * (n % 3), 270.0 + 41.0 * (n // 3), army="french", bearing_deg=185.0)
    for n in range(6)
)
SET_UP = table(*LINE, *CROWD, tags=(TagPlaced(id=17, x_mm=480.0, y_mm=120.0),))
WOOD = TerrainPlaced(kind="woods", polygon_mm=((60.0, 250.0), (190.0, 240.0), (200.0, 390.0), (70.0, 380.0)))


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How bases were looked for, look by look: ``whole`` or ``part``."""
    kinds: list[str] = []
    look = vision.measure.look_for_bases

    def look_for_bases(*given: object) -> tuple[Sequence[BaseSeen], Known]:
        kinds.append("whole" if given[5] is None else "part")
        return look(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(vision.measure, "look_for_bases", look_for_bases)
    return kinds


def moved(by: dict[str, tuple[float, float]], of: VirtualTable = SET_UP) -> VirtualTable:
    bases = (
        replace(b, x_mm=b.x_mm + by[b.id][0], y_mm=b.y_mm + by[b.id][1]) if b.id in by else b for b in of.bases
    )
    return replace(of, bases=tuple(bases))


def without(*names: str) -> VirtualTable:
    return replace(SET_UP, bases=tuple(b for b in SET_UP.bases if b.id not in names))


def with_another(*more: BasePlaced) -> VirtualTable:
    return replace(SET_UP, bases=(*SET_UP.bases, *more))


def pictures(*tables: VirtualTable) -> list[NDArray[np.uint8]]:
    renderer = Renderer(camera())
    return [renderer.render(each) for each in tables]


def agree(seen: Observation, oracle: Observation, within_mm: float = 0.5) -> None:
    """Each base of the one is a base of the other, at the same place."""
    assert len(seen.bases) == len(oracle.bases)
    for one in seen.bases:
        rivals = [o for o in oracle.bases if (o.army, o.base) == (one.army, one.base)]
        assert min(np.hypot(o.x_mm - one.x_mm, o.y_mm - one.y_mm) for o in rivals) < within_mm
    assert [tag.id for tag in seen.tags] == [tag.id for tag in oracle.tags]
    for tag, other in zip(seen.tags, oracle.tags, strict=True):
        assert np.hypot(tag.x_mm - other.x_mm, tag.y_mm - other.y_mm) < within_mm
    assert [t.kind for t in seen.terrain] == [t.kind for t in oracle.terrain]


@pytest.mark.parametrize(
    "then",
    [
        pytest.param(moved({b.id: (8.0, 30.0) for b in LINE}), id="a line marches"),
        pytest.param(moved({"b4": (40.0, 10.0)}), id="one leaves the line"),
        pytest.param(moved({"b2": (0.0, 1.5)}), id="one is nudged within the line"),
        pytest.param(moved({"f0": (-30.0, -60.0), "b0": (-50.0, 20.0)}), id="one of each army moves"),
        pytest.param(replace(SET_UP, tags=(TagPlaced(id=17, x_mm=520.0, y_mm=160.0),)), id="a tag is moved"),
    ],
)
def test_what_has_changed_is_measured_as_in_a_look_at_everything(then: VirtualTable, looks: list[str]):
    before, after = pictures(SET_UP, then)
    measurer = Measurer(TABLE, LENS)
    measurer.measure(before)
    seen = measurer.measure(after)
    assert looks == ["whole", "part"]
    agree(seen, Measurer(TABLE, LENS).measure(after))
    assert len(seen.bases) == len(then.bases)


@given(
    by=st.dictionaries(
        st.sampled_from([b.id for b in SET_UP.bases]),
        st.tuples(st.floats(-25.0, 25.0), st.floats(-55.0, 55.0)),
        max_size=4,
    )
)
@settings(max_examples=examples(6))
def test_whatever_is_moved_both_looks_see_the_same(by: dict[str, tuple[float, float]]):
    then = moved(by)
    if _crowded(then):
        return
    before, after = pictures(SET_UP, then)
    measurer = Measurer(TABLE, LENS)
    measurer.measure(before)
    agree(measurer.measure(after), Measurer(TABLE, LENS).measure(after))


def test_a_long_evening_of_small_moves_does_not_wander_off():
    measurer = Measurer(TABLE, LENS)
    steps = [moved({b.id: (0.4 * n, 0.3 * n) for b in LINE[2:]}) for n in range(10)]
    for frame in pictures(*steps):
        seen = measurer.measure(frame)
    agree(seen, Measurer(TABLE, LENS).measure(frame))


@pytest.mark.parametrize(
    "then",
    [
        pytest.param(without("b2"), id="one is taken out of the line"),
        pytest.param(with_another(base("b9", 120.0 - 25.4, 150.0, bearing_deg=10.0)), id="one more joins the line"),
        pytest.param(with_another(base("f9", 300.0, 380.0, army="french")), id="one comes where none was"),
    ],
)
def test_where_bases_come_or_go_all_is_looked_at_to_be_sure(then: VirtualTable, looks: list[str]):
    before, after = pictures(SET_UP, then)
    measurer = Measurer(TABLE, LENS)
    measurer.measure(before)
    seen = measurer.measure(after)
    assert looks == ["whole", "part", "whole"]
    assert len(seen.bases) == len(then.bases)
    agree(seen, Measurer(TABLE, LENS).measure(after))


def test_a_table_on_which_nothing_happens_is_not_measured_again(looks: list[str]):
    measurer = Measurer(TABLE, LENS)
    first, *others = pictures(SET_UP, SET_UP, SET_UP)
    seen = measurer.measure(first)
    assert [measurer.measure(other) for other in others] == [seen, seen]
    assert looks == ["whole"]


def test_all_is_measured_anew_when_that_is_asked_for(looks: list[str]):
    measurer = Measurer(TABLE, LENS)
    frame, again = pictures(SET_UP, SET_UP)
    measurer.measure(frame)
    agree(measurer.measure(again, anew=True), measurer.measure(frame))
    assert looks == ["whole", "whole"]


@pytest.mark.parametrize("brighter", some(1, [1.3, 0.93, 1.05]))
def test_a_lamp_that_dims_or_brightens_moves_nothing(brighter: float):
    before, after = pictures(SET_UP, moved({"b4": (40.0, 10.0)}))
    after = np.clip(after * brighter, 0, 255).astype(np.uint8)
    measurer = Measurer(TABLE, LENS)
    measurer.measure(before)
    agree(measurer.measure(after), Measurer(TABLE, LENS).measure(after))


def test_a_bumped_camera_has_all_measured_again(looks: list[str]):
    measurer = Measurer(TABLE, LENS)
    measurer.measure(Renderer(camera()).render(SET_UP))
    after = Renderer(camera_over((312.0, 184.0, 820.0), (306.0, 230.0), LENS)).render(SET_UP)
    seen = measurer.measure(after)
    assert measurer.bumped
    assert looks == ["whole", "whole"]
    agree(seen, Measurer(TABLE, LENS).measure(after))
    again = measurer.measure(after)
    assert not measurer.bumped
    assert again.warnings == ()


def test_a_wood_that_is_laid_down_while_a_line_marches_is_seen():
    then = replace(moved({b.id: (8.0, 30.0) for b in LINE}), terrain=(WOOD,))
    before, after = pictures(SET_UP, then)
    measurer = Measurer(TABLE, LENS)
    measurer.measure(before)
    seen = measurer.measure(after)
    assert [piece.kind for piece in seen.terrain] == ["woods"]
    agree(seen, Measurer(TABLE, LENS).measure(after))


def _crowded(then: VirtualTable) -> bool:
    """Whether two bases stand in each other, or one on the tag: no table looks so."""
    at = np.array([(b.x_mm, b.y_mm) for b in then.bases])
    apart = np.linalg.norm(at[:, None] - at[None], axis=2) + 1e3 * np.eye(len(at))
    return bool(apart.min() < 25.2 or np.linalg.norm(at - (480.0, 120.0), axis=1).min() < 40.0)
