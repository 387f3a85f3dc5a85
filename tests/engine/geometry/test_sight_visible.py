"""How much of a base is seen from a point, held against rays tried one by one between all marks."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon

from engine.geometry.certainty import Verdict
from engine.geometry.shapes.bases import Bases, bases_of
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight import Opaque, Standing, all_lines
from engine.geometry.sight.visible import Visible, visible
from engine.records.game import Rect, Round
from tests.engine.geometry import oracles_sight as oracle
from tests.engine.geometry.oracles_sight import Block, Disc, outlines, spots, turns

YES, NO, BORDERLINE = Verdict.YES, Verdict.NO, Verdict.BORDERLINE
rounds = st.integers(1, 5).map(lambda diameter: Round(diameter_mm=diameter))
rects = st.tuples(st.integers(1, 4), st.integers(1, 4)).map(lambda at: Rect(width_mm=at[0], depth_mm=at[1]))
bases = st.tuples(spots, rounds | rects, turns)


def _as_thing(base: tuple, margin: float = 0.0) -> Disc | Block:
    at, shape, turn = base
    if isinstance(shape, Round):
        return Disc(at, shape.diameter_mm / 2 + margin)
    return Block(oracle.base_outline(at, shape.width_mm + 2 * margin, shape.depth_mm + 2 * margin, turn))


def _bases(some: list[tuple]) -> Bases:
    return bases_of([one[0] for one in some], [one[1] for one in some], [one[2] for one in some])


def _apart(eye: oracle.Spot, thing: Disc | Block) -> float:
    """How far an eye is outside of a thing; below 0 how far inside."""
    if isinstance(thing, Disc):
        return math.dist(eye, thing.centre) - thing.radius
    shape, spot = Polygon(thing.outline), Point(eye)
    return -shape.exterior.distance(spot) if shape.contains(spot) else shape.distance(spot)


@example(
    (2.0, 2.0), ((0.0, 2.0), Round(diameter_mm=3), 0.0), [((0.0, 2.0), Rect(width_mm=1, depth_mm=3), 90.0)], []
)  # a side touches the rim
@example(
    (0.0, 0.0),
    ((0.0, 6.0), Rect(width_mm=1, depth_mm=2), 30.0),
    [((0.0, 6.0), Rect(width_mm=1, depth_mm=3), 30.0)],
    [],
)  # sides lie on one another
@example(
    (1.0, 1.0), ((7.0, 7.0), Round(diameter_mm=1), 0.0), [], [[(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0)]]
)  # both inside of one house
@given(spots, bases, st.lists(bases, max_size=4), st.lists(outlines, max_size=2))
def test_the_share_of_a_base_that_is_seen(eye, base, others, terrain):
    target = _as_thing(base)
    things = [_as_thing(other) for other in others] + [Block(outline) for outline in terrain]
    assume(_apart(eye, target) > 1e-3 and all(abs(_apart(eye, thing)) > 1e-3 for thing in things))
    crossings = [
        spot for one, other in itertools.combinations([target, *things], 2) for spot in oracle.rims_meet(one, other)
    ]
    want = oracle.seen_share(eye, target, things, crossings)
    blockers = [Standing(_bases(others)), Opaque(pieces_of(terrain))]
    found = visible(all_lines([eye], [base[0]]), _bases([base]), blockers)
    assert found.share == pytest.approx([want], abs=1e-6)
    assert found.least[0] == found.share[0] == found.most[0]
    if want > 1 - 1e-9 or want < 1 - 1e-3:
        assert (found.whole == YES) == (want > 1 - 1e-9)
    if want < 1e-9 or want > 1e-3:
        assert (found.some == YES) == (want > 1e-9)


@given(
    spots,
    spots,
    st.integers(1, 5),
    st.sampled_from([-1.0, 0.5, 1.0]),
    st.lists(st.tuples(spots, rects, turns), max_size=3),
)
def test_margins_of_rectangles_are_rounded(eye, at, diameter, margin, others):
    target = Disc(at, diameter / 2)
    grown = [Polygon(oracle.base_outline(c, s.width_mm, s.depth_mm, t)) for c, s, t in others]
    things: list[Disc | Block] = []
    for (centre, shape, turn), outline in zip(others, grown, strict=True):
        if margin < 0:
            width, depth = shape.width_mm + 2 * margin, shape.depth_mm + 2 * margin
            if width > 0 and depth > 0:
                things.append(Block(oracle.base_outline(centre, width, depth, turn)))
            continue
        things += [Disc(corner, margin) for corner in list(outline.exterior.coords)[:-1]]
        for wider, deeper in ((margin, 0), (0, margin)):
            things.append(
                Block(oracle.base_outline(centre, shape.width_mm + 2 * wider, shape.depth_mm + 2 * deeper, turn))
            )
    assume(all(_apart(eye, thing) > 1e-3 for thing in [target, *things]))
    crossings = [
        spot for one, other in itertools.combinations([target, *things], 2) for spot in oracle.rims_meet(one, other)
    ]
    want = oracle.seen_share(eye, target, things, crossings)
    found = visible(
        all_lines([eye], [at]), _bases([(at, Round(diameter_mm=diameter), 0)]), [Standing(_bases(others), margin)]
    )
    assert found.share == pytest.approx([want], abs=1e-6)


def _rims_apart(one: Disc | Block, other: Disc | Block) -> float:
    return _rough_rim(one).distance(_rough_rim(other))


def _rough_rim(thing: Disc | Block) -> LineString:
    return Point(thing.centre).buffer(thing.radius).exterior if isinstance(thing, Disc) else thing.rim()


SIGMA_MM = 0.02


@example(
    (0.0, 4.0),
    ((8.0, 4.0), Round(diameter_mm=2), 0.0),
    [((4.0, 3.0), Round(diameter_mm=2), 0.0), ((4.0, 5.0), Round(diameter_mm=2), 0.0)],
    [],
    1,
    3,
)  # side by side
@example(
    (0.0, 4.0),
    ((8.0, 4.0), Round(diameter_mm=2), 0.0),
    [],
    [[(3.0, 0.0), (4.0, 0.0), (4.0, 4.0), (3.0, 4.0)], [(3.0, 4.0), (4.0, 4.0), (4.0, 8.0), (3.0, 8.0)]],
    1,
    3,
)  # two houses wall to wall
@given(
    spots, bases, st.lists(bases, max_size=4), st.lists(outlines, max_size=2), st.integers(0, 6), st.integers(0, 3)
)
def test_what_is_settled_stays_so_where_one_thing_stands_less_than_two_sigma_off(
    eye, base, others, terrain, which, way
):  # fmt: skip
    target = _as_thing(base)
    things = [_as_thing(other) for other in others] + [Block(outline) for outline in terrain]
    assume(_apart(eye, target) > 0.3 and all(abs(_apart(eye, thing)) > 0.3 for thing in things))
    assume(all(_rims_apart(target, thing) > 0.3 for thing in things))
    step = 1.9 * SIGMA_MM * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])[way]

    def moved(spot: oracle.Spot, number: int) -> oracle.Spot:
        return tuple(np.add(spot, step)) if number == which else spot

    def looked(eye: oracle.Spot, at: list[oracle.Spot], outlines: list, sigma: float) -> Visible:
        standing = _bases([(spot, *other[1:]) for spot, other in zip(at, others, strict=True)])
        blockers = [Standing(standing, sigma_mm=sigma), Opaque(pieces_of(outlines), sigma)]
        return visible(all_lines([eye], [base[0]], sigma), _bases([base]), blockers)

    found = looked(eye, [other[0] for other in others], terrain, SIGMA_MM)
    after = looked(
        moved(eye, 0),
        [moved(other[0], 1 + number) for number, other in enumerate(others)],
        [[moved(spot, 1 + len(others) + number) for spot in outline] for number, outline in enumerate(terrain)],
        0.0,
    )
    low, high = found.least[0] - 5e-3, found.most[0] + 5e-3  # what errors do is reckoned to first order
    assert low <= after.share[0] <= high
    assert found.some[0] != NO or after.share[0] < 5e-3
    assert found.some[0] != YES or after.some[0] == YES
    assert found.whole[0] != NO or after.whole[0] == NO or found.most[0] > 1 - 5e-3
    assert found.whole[0] != YES or after.share[0] > 1 - 5e-3


def test_half_hidden_wholly_hidden_and_seen_between_two():
    base = _bases([((100, 0), Round(diameter_mm=20), 0)])
    lines = all_lines([[0, 0]], base.centre)
    half = Opaque(pieces_of([[(40, 0), (50, 0), (50, 40), (40, 40)]]))
    assert visible(lines, base, [half]).share[0] == pytest.approx(0.5)
    wall = Opaque(pieces_of([[(40, -40), (50, -40), (50, 40), (40, 40)]]))
    hidden = visible(lines, base, [wall])
    assert (hidden.share[0], hidden.whole[0], hidden.some[0]) == (0.0, NO, NO)
    beside = 10 / math.sqrt(0.99)
    posts = Standing(_bases([((50, y), Round(diameter_mm=10), 0) for y in (-beside, beside)]))
    assert visible(lines, base, [posts]).whole[0] == YES  # both only touch the cone: tangents
    behind = Standing(_bases([((130, 0), Round(diameter_mm=100), 0)]))
    assert visible(lines, base, [behind]).share[0] == pytest.approx(0.0)  # it stands over the base's front


def test_comrades_and_own_bases_do_not_hide():
    three = _bases(
        [
            ((0, 0), Round(diameter_mm=20), 0),
            ((50, 0), Round(diameter_mm=20), 0),
            ((100, 0), Round(diameter_mm=20), 0),
        ]
    )
    number = np.arange(3)
    lines = all_lines(three.centre, three.centre)
    share = visible(lines, three, [Standing(three, 0.0, 0.0, number, number)]).share.reshape(3, 3)
    assert share[0, 1] == 1
    assert share[0, 2] < 0.1
    assert (share.diagonal() == 1).all()
    spared = Standing(three, 0.0, 0.0, number, number, spare_from=np.ones((3, 3), dtype=bool))
    assert (visible(lines, three, [spared]).share == 1).all()


@pytest.mark.parametrize(
    ("y", "sigma", "whole", "some"),
    [(20.0, 1.0, YES, YES), (11.0, 0.0, YES, YES), (11.0, 1.0, BORDERLINE, YES), (9.0, 1.0, BORDERLINE, YES),
     (0.0, 1.0, NO, YES), (-9.0, 1.0, NO, BORDERLINE), (-11.0, 1.0, NO, BORDERLINE), (-20.0, 1.0, NO, NO)],
)  # fmt: skip
def test_the_edge_of_a_house_within_two_sigma_leaves_it_open(y, sigma, whole, some):
    base = _bases([((100, 0), Round(diameter_mm=20), 0)])
    house = Opaque(pieces_of([[(90, y), (92, y), (92, 80), (90, 80)]]))
    found = visible(all_lines([[0, 0]], base.centre, sigma, sigma), base, [house])
    assert (found.whole[0], found.some[0]) == (whole, some)
    assert found.least[0] <= found.share[0] <= found.most[0]


@pytest.mark.parametrize(
    ("eye", "sigma", "some"), [(50.0, 1.0, NO), (1.0, 1.0, BORDERLINE), (-1.0, 1.0, BORDERLINE), (-3.0, 1.0, YES)]
)
def test_out_of_a_house_nothing_is_seen_and_from_its_rim_it_is_open(eye, sigma, some):
    base = _bases([((-100, 0), Round(diameter_mm=20), 0)])
    house = Opaque(pieces_of([[(0, -60), (120, -60), (120, 60), (0, 60)]]))
    assert visible(all_lines([[eye, 0]], base.centre, sigma), base, [house]).some[0] == some
    within = _bases([((90, 0), Round(diameter_mm=20), 0)])
    inside = visible(all_lines([[50, 0]], within.centre, sigma), within, [house])
    assert (inside.share[0], inside.some[0], inside.whole[0]) == (0.0, NO, NO)


def test_two_bases_side_by_side_may_leave_a_seam():
    base = _bases([((200, 0), Round(diameter_mm=20), 0)])
    for y, share in ((9.9, 0.0), (10.1, 0.02)):
        rank = _bases([((100, side * y), Round(diameter_mm=20), 0) for side in (1, -1)])
        seen = visible(all_lines([[0, 0]], base.centre), base, [Standing(rank, sigma_mm=1.0)])
        assert seen.share[0] == pytest.approx(share, abs=1e-3)
        assert seen.some[0] == BORDERLINE
        assert seen.most[0] > 0.08


def test_nothing_to_see():
    assert visible(all_lines([], []), _bases([]), []).share.shape == (0,)
