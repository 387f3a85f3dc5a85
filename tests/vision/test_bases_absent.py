"""An army that is listed, but nowhere in the picture, has no bases; one that is there keeps its own."""

from __future__ import annotations

from collections import Counter

import msgspec
import numpy as np
import pytest

from calibration.records import Army
from tests.vision.test_bases import Colour, Floats, Level, Stands, camera, drawn, table
from vision.bases import find_bases
from vision.bases.shapes import turned

ABSENT = {
    "purple": "#7a2a80",
    "ochre": "#d08a1e",
    "olive": "#6b7a2c",
    "black": "#22242c",
    "brown, like red rims in shadow": "#7a4a2a",
    "dark red, like red rims in shadow": "#5c1f1a",
    "the mat's own": "#5c6e3c",
}
STANDS = [Stands("red", "foot", 120.0 + 30.0 * k, 120.0 + 9.0 * k) for k in range(3)]


@pytest.mark.parametrize("name", sorted(ABSENT))
def test_an_absent_army_gets_none_of_anothers_bases(name: str) -> None:
    listed = table()
    absent = msgspec.structs.replace(listed.armies[0], name=name, base_colour=ABSENT[name])
    frame = drawn(STANDS)
    seen = find_bases(frame, camera(), msgspec.structs.replace(listed, armies=(absent,)), Level(), ())
    assert seen == []
    both: tuple[Army, ...] = (*listed.armies, absent)
    seen = find_bases(frame, camera(), msgspec.structs.replace(listed, armies=both), Level(), ())
    assert [s.army for s in seen] == ["red"] * len(STANDS)


@pytest.mark.parametrize("name", sorted(ABSENT))
def test_an_empty_table_is_empty_for_every_paint(name: str) -> None:
    absent = msgspec.structs.replace(table().armies[0], name=name, base_colour=ABSENT[name])
    frame = np.asarray(drawn([]), dtype=np.uint8)
    assert find_bases(frame, camera(), msgspec.structs.replace(table(), armies=(absent,)), Level(), ()) == []


@pytest.mark.parametrize(("greys", "told"), [("#7b728a", {"grey": 8, "violet": 8}), ("#6b619b", {"violet": 16})])
def test_rims_of_two_colours_plainly_apart_tell_of_two_armies_though_the_one_looks_half_like_the_other(
    greys: str, told: dict[str, int]
) -> None:
    """A camera shows a warm grey bluer than it was listed; where all are violet the grey army is not there."""
    red, blue = table().armies
    grey = msgspec.structs.replace(red, name="grey", base_colour="#93828b")
    violet = msgspec.structs.replace(blue, name="violet", base_colour="#6b619b")
    stands = [Stands(greys, "foot", 60.0 + 30.0 * k, 100.0 + 9.0 * k) for k in range(8)]
    stands += [Stands("#6b619b", "foot", 60.0 + 30.0 * k, 220.0 + 9.0 * k) for k in range(8)]
    listed = msgspec.structs.replace(table(), armies=(grey, violet))
    assert Counter(base.army for base in find_bases(drawn(stands), camera(), listed, Level(), ())) == told


def test_two_armies_of_one_paint_are_told_by_the_shapes_of_their_bases() -> None:
    red = table().armies[0]
    armies = tuple(
        msgspec.structs.replace(red, name=name, bases=tuple(kind for kind in red.bases if kind.name == shape))
        for name, shape in (("riders", "horse"), ("walkers", "foot"))
    )
    stands = [*STANDS, *(Stands("red", "horse", 300.0, 120.0 + 60.0 * k) for k in range(3))]
    seen = find_bases(drawn(stands), camera(), msgspec.structs.replace(table(), armies=armies), Level(), ())
    assert sorted((s.army, s.base) for s in seen) == [("riders", "horse")] * 3 + [("walkers", "foot")] * 3


def test_what_lies_beside_the_table_is_not_on_it_however_like_a_line_of_bases_it_looks() -> None:
    """As planks of a floor do, and the fallen, put down in a row."""
    narrow = msgspec.structs.replace(table(), table=msgspec.structs.replace(table().table, width_mm=300.0))
    on = [Stands("red", "horse", 200.0 + 25.3 * k, 120.0) for k in range(4)]
    beside = [Stands("red", "horse", 200.0 + 25.3 * k, 120.0) for k in range(5, 9)]
    seen = find_bases(drawn([*on, *beside]), camera(), narrow, Level(), ())
    assert sorted(round(s.x_mm / 5) * 5 for s in seen) == [200, 225, 250, 275]


def rulebook(turn_deg: float) -> list[tuple[Floats, Colour]]:
    """A printed page that lies on the table, 150 x 110 mm: paper, and lines of print of all lengths."""
    lengths_mm = [110, 112, 60, 111, 109, 30, 112, 110, 75, 111, 110, 40]
    page = [((-75.0, 75.0, -55.0, 55.0), (228, 233, 231))]
    page += [
        ((-56.0, -56.0 + length, 42.0 - 7.5 * k, 45.0 - 7.5 * k), (92, 95, 94))
        for k, length in enumerate(lengths_mm)
    ]
    at = np.array([240.0, 240.0])
    return [
        (turned(np.array([[left, low], [right, low], [right, high], [left, high]]), turn_deg) + at, colour)
        for (left, right, low, high), colour in page
    ]


@pytest.mark.parametrize("turn_deg", [9.0, 27.0, 36.0, 72.0])
@pytest.mark.parametrize("paint", ["#f8d8ee", "#e2d9df", "#e6e0c8"])
def test_between_the_lines_of_a_page_no_pale_army_has_bases(paint: str, turn_deg: float) -> None:
    listed = table()
    pale = msgspec.structs.replace(listed.armies[0], name="pale", base_colour=paint)
    frame = drawn(STANDS, felt=rulebook(turn_deg))
    seen = find_bases(frame, camera(), msgspec.structs.replace(listed, armies=(*listed.armies, pale)), Level(), ())
    assert [base.army for base in seen] == ["red"] * len(STANDS)
