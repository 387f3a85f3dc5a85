"""What stands between a point and a whole base, against shapely's convex hulls."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.certainty import Verdict
from engine.geometry.shapes.bases import Bases, bases_of
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight import all_lines
from engine.geometry.swept import bases_in, pieces_in
from engine.records.game import Base, Rect, Round

SHAPES: list[Base] = [Round(diameter_mm=25), Rect(width_mm=25, depth_mm=50), Rect(width_mm=40, depth_mm=20)]
#: Nearer to touching than this the two ways of reckoning may differ: circles are polygons to shapely.
CLOSE_MM = 0.05

place = st.tuples(st.floats(0, 300), st.floats(0, 300))
figure = st.tuples(place, st.sampled_from(SHAPES), st.floats(0, 360))


def bases(*figures: tuple[tuple[float, float], Base, float], sigma_mm: float = 0.0) -> Bases:
    return bases_of([one[0] for one in figures], [one[1] for one in figures], [one[2] for one in figures], sigma_mm)


def outline(base: Bases) -> shapely.Geometry:
    if base.is_rect[0]:
        return shapely.Polygon(base.corners()[0])
    return shapely.Point(base.centre[0]).buffer(float(base.radius[0]), quad_segs=64)


def meets(area: shapely.Geometry, thing: shapely.Geometry) -> bool | None:
    """Whether they overlap; None where it is too close to tell."""
    if area.distance(thing) > CLOSE_MM:
        return False
    return True if area.buffer(-CLOSE_MM).intersects(thing.buffer(-CLOSE_MM)) else None


@given(place, figure, figure)
def test_bases_in_the_area_are_those_that_meet_the_hull(
    eye: tuple[float, float], target: object, other: object
) -> None:
    ones, others = bases(target), bases(other)  # type: ignore[arg-type]
    expected = meets(outline(ones).union(shapely.Point(eye)).convex_hull, outline(others))
    if expected is not None:
        found = bases_in(all_lines([eye], ones.centre), ones, others)
        assert found.part.tolist() == ([0] if expected else [])


@given(place, figure, st.lists(place, min_size=3, max_size=6))
def test_pieces_in_the_area_are_those_that_meet_the_hull(
    eye: tuple[float, float], target: object, ring: list[tuple[float, float]]
) -> None:
    ones, piece = bases(target), pieces_of([ring])  # type: ignore[arg-type]
    shape = shapely.make_valid(shapely.Polygon(ring))
    if not piece.whole[0] or len(piece.rings[0]) > 1 or not shapely.Polygon(ring).is_valid or shape.area < 1:
        return
    expected = meets(outline(ones).union(shapely.Point(eye)).convex_hull, shape)
    if expected is not None:
        found = pieces_in(all_lines([eye], ones.centre), ones, piece)
        assert found.part.tolist() == ([0] if expected else [])


@pytest.mark.parametrize("shape", SHAPES)
def test_who_stands_shoulder_to_shoulder_is_not_in_the_way(shape: Base) -> None:
    width = shape.diameter_mm if isinstance(shape, Round) else shape.width_mm
    ones = bases(((0, 200), shape, 0))
    others = bases(*[((side * width, 200), shape, 0) for side in (-1, 1)])
    assert bases_in(all_lines([[0, 0]], ones.centre), ones, others).part.tolist() == []


def test_a_wall_that_the_base_leans_on_is_not_in_the_way() -> None:
    ones = bases(((0, 200), SHAPES[0], 0))
    wall = pieces_of(
        [[(12.5, 100), (20, 100), (20, 300), (12.5, 300)], [(-9, 212.5), (9, 212.5), (9, 220), (-9, 220)]]
    )
    assert pieces_in(all_lines([[0, 0]], ones.centre), ones, wall).part.tolist() == []


@pytest.mark.parametrize(
    ("x", "verdict"), [(17.0, Verdict.YES), (18.2, Verdict.BORDERLINE), (19.2, Verdict.BORDERLINE), (21.0, None)]
)
def test_what_the_measurement_cannot_settle_is_borderline(x: float, verdict: Verdict | None) -> None:
    ones, others = bases(((0, 200), SHAPES[0], 0), sigma_mm=0.5), bases(((x, 100), SHAPES[0], 0), sigma_mm=0.5)
    found = bases_in(all_lines([[0, 0]], ones.centre, 0.5, 0.5), ones, others)
    assert found.verdict.tolist() == ([] if verdict is None else [verdict])


def test_who_stands_behind_the_base_or_the_eye_is_not_in_the_way() -> None:
    ones = bases(((0, 200), SHAPES[0], 0))
    others = bases(((0, 230), SHAPES[0], 0), ((0, -13), SHAPES[0], 0), ((0, 186), SHAPES[0], 0))
    assert bases_in(all_lines([[0, 0]], ones.centre), ones, others).part.tolist() == [2]


def test_an_area_within_a_piece_meets_it() -> None:
    ones = bases(((0, 200), SHAPES[0], 0))
    yard = pieces_of([[(-500, -500), (500, -500), (500, 500), (-500, 500)]])
    assert pieces_in(all_lines([[0, 0]], ones.centre), ones, yard).part.tolist() == [0]
    assert np.all(pieces_in(all_lines([[0, 0]], ones.centre), ones, yard).verdict == Verdict.YES)
