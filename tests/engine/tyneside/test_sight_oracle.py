"""Who sees whose whole base in random scenes, against shapely's hulls and the rulebook's words."""

from __future__ import annotations

from typing import Any

import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.rulesets.tyneside.table.sight import view_of
from tests.engine.tyneside.scene import HALF, game, ground, unit

#: Nearer to a limit than this the two ways of reckoning may differ.
CLOSE_MM = 0.05

spot = st.tuples(st.integers(50, 700), st.integers(50, 700))
box = st.tuples(st.integers(50, 600), st.integers(50, 600), st.integers(2, 150), st.integers(2, 150))


def disc(at: tuple[float, float]) -> shapely.Geometry:
    return shapely.Point(at).buffer(HALF, quad_segs=64)


class Close(Exception):
    """Too close to tell."""


def within(distance: float, limit: float) -> bool:
    if abs(distance - limit) < CLOSE_MM:
        raise Close
    return distance <= limit


def inside(area: shapely.Geometry, at: tuple[float, float]) -> bool:
    if area.boundary.distance(shapely.Point(at)) < CLOSE_MM:
        raise Close
    return bool(area.contains(shapely.Point(at)))


def overlap(area: shapely.Geometry, thing: shapely.Geometry) -> bool:
    if area.distance(thing) > CLOSE_MM:
        return False
    if not area.buffer(-CLOSE_MM).intersects(thing.buffer(-CLOSE_MM)):
        raise Close
    return True


def sees(here: Any, there: Any, others: Any, fence: Any, house: Any, wood: Any) -> bool:
    hull = disc(there).union(shapely.Point(here)).convex_hull
    line = shapely.LineString([here, there])
    open_ = all(within(disc(one).distance(disc(here)), 20.0) or not overlap(hull, disc(one)) for one in others)
    near = within(disc(here).distance(fence), 20.0) or within(disc(there).distance(fence), 20.0)
    open_ &= near or not overlap(hull, fence)
    ends = [inside(wood, one) for one in (here, there)]
    if all(ends):
        open_ &= within(disc(here).distance(disc(there)), 200.0)
    elif any(ends):
        open_ &= within(line.intersection(wood).length, 100.0)
    else:
        open_ &= not within(-line.intersection(wood).length, -CLOSE_MM)
    at_home = any(inside(house, one) for one in (here, there))
    return open_ and (at_home or not overlap(hull, house))


def rectangle(one: Any) -> Any:
    return one[0], one[1], one[0] + one[2], one[1] + one[3]


@given(st.lists(spot, min_size=3, max_size=6, unique=True), box, box, box)
def test_views_are_as_the_rulebook_says(spots: Any, fence: Any, house: Any, wood: Any) -> None:
    here, there, *others = spots
    if shapely.Point(here).distance(shapely.Point(there)) < 2 * HALF:
        return
    terrain = [(kind, rectangle(one)) for kind, one in (("fence", fence), ("house", house), ("woods", wood))]
    of = game(
        unit("a", here), unit("b", there, fired=True), unit("ax", *others),
        terrain=[ground(kind, *corners) for kind, corners in terrain],
    )  # fmt: skip
    try:
        expected = sees(here, there, others, *[shapely.box(*corners) for _, corners in terrain])
    except Close:
        return
    assert bool(view_of(of, of.unit("a"), of.unit("b")).sees[0, 0]) is expected
