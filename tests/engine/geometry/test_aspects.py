"""Front, flank and rear, which edge is touched, figures taken together as units; against plain loops and angles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.certainty import Verdict
from engine.geometry.facing.aspects import (
    Aspect,
    Aspects,
    Side,
    front_and_rear,
    majority,
    quarters,
    show_quarters,
    show_strip,
    side_middles,
    stand,
    strips,
)
from engine.geometry.formations.contacts import contact_edges, contact_graph, parts, show_graph
from engine.geometry.shapes.bases import bases_of, points
from engine.geometry.shapes.units import by_units, footprints, greatest, mean_bearings, middles
from tests.engine.geometry.oracles_figures import Thing, bases_from, bearings, crowds, gap_between, places, things

unit_numbers = st.integers(-1, 2)
spots = st.lists(places, min_size=1, max_size=5)


def along(spot: Any, bearing: float) -> float:
    turn = math.radians(bearing)
    return spot[0] * math.sin(turn) + spot[1] * math.cos(turn)


def reach_along(thing: Thing, bearing: float) -> float:
    return max(along(corner, bearing) for corner in shapely.get_coordinates(thing.core)) + thing.radius


@given(crowds, st.data(), bearings, spots)
def test_front_and_rear_lines_cut_the_table_in_three(crowd: Any, data: Any, bearing: float, at: Any) -> None:
    units = data.draw(st.lists(st.integers(0, 2), min_size=len(crowd), max_size=len(crowd)))
    sure = [Thing(t.at, t.width, t.depth, t.bearing) for t in crowd]
    lines = strips(bases_from(sure), units, 3, bearing)
    found = lines.aspects(at)
    assert (lines.as_measured(at) == found.aspect).all()
    for u in range(3):
        own = [thing for thing, unit in zip(sure, units, strict=True) if unit == u]
        if not own:
            assert found.aspect[:, u].tolist() == [Aspect.FLANK] * len(at)
            continue
        front = max(reach_along(thing, bearing) for thing in own)
        rear = -max(reach_along(thing, bearing + 180) for thing in own)
        for k, spot in enumerate(at):
            ahead = along(spot, bearing)
            if min(abs(ahead - front), abs(ahead - rear)) > 0.002:
                wanted = Aspect.FRONT if ahead > front else Aspect.REAR if ahead < rear else Aspect.FLANK
                assert found.aspect[k, u] == wanted
                assert [v[k, u] for v in (found.front, found.flank, found.rear)][wanted] == Verdict.YES
        if len(set(units)) == 1:
            assert front_and_rear(bases_from(sure), bearing) == pytest.approx((front, rear), abs=1e-6)
            names = [Aspect(each).name.lower() for each in found.aspect[:, u]]
            assert stand(np.array(at), bases_from(sure), bearing) == names


def test_exactly_on_the_front_line_is_front_and_on_the_rear_line_flank() -> None:
    body = bases_from([Thing((0.0, 100.0), 20.0, None, 0.0), Thing((30.0, 90.0), 20.0, None, 0.0)])
    found = strips(body, [0, 0], 1, 0.0).aspects([[900, 110], [900, 109.99], [900, 80], [900, 79.99]])
    assert found.aspect[:, 0].tolist() == [Aspect.FRONT, Aspect.FLANK, Aspect.FLANK, Aspect.REAR]


@pytest.mark.parametrize(
    ("y", "sigma", "turn_sigma", "verdicts"),
    [
        (110.5, 0.3, 0.0, (1, 1, 0)),
        (111.5, 0.3, 0.0, (2, 0, 0)),
        (79.5, 0.3, 0.0, (0, 1, 1)),
        (95.0, 5.0, 0.0, (0, 2, 0)),
        (95.0, 9.0, 0.0, (1, 1, 1)),
        (111.5, 0.0, 0.1, (1, 1, 0)),  # 1000 mm to the side a tenth of a degree is 1.7 mm
    ],
)
def test_near_a_line_the_aspect_is_borderline(y: float, sigma: float, turn_sigma: float, verdicts: Any) -> None:
    body = bases_from([Thing((0.0, 95.0), 30.0, None, 0.0)])
    found = strips(body, [0], 1, 0.0, turn_sigma).aspects([[1000.0, y]], sigma)
    assert (found.front[0, 0], found.flank[0, 0], found.rear[0, 0]) == verdicts
    assert bool(found.settled[0, 0]) == (2 in verdicts)


@given(crowds, spots, st.sampled_from([45.0, 90.0, 60.0]), st.sampled_from([45.0, 30.0]), st.booleans())
def test_quarters_by_rays_off_the_corners_or_the_centre(
    crowd: Any, at: Any, front_deg: float, rear_deg: float, from_centre: bool
) -> None:
    sure = [Thing(t.at, t.width, t.depth, t.bearing) for t in crowd]
    found = quarters(at, bases_from(sure), front_deg, rear_deg, from_centre=from_centre)
    for m, thing in enumerate(sure):
        for k, spot in enumerate(at):
            wanted = _quarter(thing, spot, front_deg, rear_deg, from_centre)
            if wanted is not None:
                assert Aspect(found.aspect[k, m]).name == wanted
                right = along(np.subtract(spot, thing.at), thing.bearing + 90)
                side = wanted if wanted != "FLANK" else "RIGHT" if right >= 0 else "LEFT"
                if wanted != "FLANK" or abs(right) > 1e-6:
                    assert Side(found.side[k, m]).name == side


def _quarter(thing: Thing, spot: Any, front_deg: float, rear_deg: float, from_centre: bool) -> str | None:
    """By angles seen from the corners; None too near a limit to say."""
    wide, deep = (0.0, 0.0) if from_centre or thing.depth is None else (thing.width / 2, thing.depth / 2)
    for name, sign, deg in (("FRONT", 1.0, front_deg), ("REAR", -1.0, rear_deg)):
        ahead = sign * along(np.subtract(spot, thing.at), thing.bearing) - deep
        aside = max(abs(along(np.subtract(spot, thing.at), thing.bearing + 90)) - wide, 0.0)
        off = math.degrees(math.atan2(aside, ahead)) if max(abs(ahead), aside) > 1e-9 else 0.0
        if abs(off - deg) < 0.01 or abs(ahead) < 0.01 or math.hypot(ahead, aside) < 0.1:
            return None
        if ahead > 0 and off < deg:
            return name
    return "FLANK"


@pytest.mark.parametrize(
    ("spot", "rear_edge", "side"),
    [
        ((30.0, 30.0), True, Side.FRONT),
        ((-30.0, 30.0), True, Side.FRONT),
        ((30.0, -30.0), True, Side.REAR),
        ((30.0, -30.0), False, Side.RIGHT),
        ((-30.0, -30.0), False, Side.LEFT),
        ((0.0, 0.0), True, Side.FRONT),
    ],
)
def test_points_exactly_on_a_ray(spot: Any, rear_edge: bool, side: Side) -> None:
    """On a ray is front or rear by the one rulebook; beyond 135 degrees is rear by the other."""
    found = quarters([spot], points([(0.0, 0.0)]), rear_edge=rear_edge)
    assert found.side.tolist() == [[side]]


def test_quarters_near_a_ray_are_borderline() -> None:
    bodies = points([(0.0, 0.0)], sigma_mm=0.5)
    found = quarters([(100.0, 101.0), (100.0, 110.0), (100.0, -101.0)], bodies)
    assert found.front[:, 0].tolist() == [1, 2, 0]
    assert found.flank[:, 0].tolist() == [1, 0, 1]
    assert found.rear[:, 0].tolist() == [0, 0, 1]


@given(st.lists(st.sampled_from(list(Aspect)), min_size=1, max_size=9), st.data())
def test_a_unit_comes_from_where_most_of_its_figures_stand(kinds: Any, data: Any) -> None:
    units = data.draw(st.lists(st.integers(0, 1), min_size=len(kinds), max_size=len(kinds)))
    one_hot = [np.array([[2 if kind == each else 0] for kind in kinds], dtype=np.int8) for each in Aspect]
    found = majority(Aspects(np.array([[kind] for kind in kinds], dtype=np.int8), *one_hot), units, 2)
    for u in range(2):
        own = [kind for kind, unit in zip(kinds, units, strict=True) if unit == u]
        rear, behind = own.count(Aspect.REAR), len(own) - own.count(Aspect.FRONT)
        wanted = Aspect.REAR if 2 * rear > len(own) else Aspect.FLANK if 2 * behind > len(own) else Aspect.FRONT
        assert found.aspect[u, 0] == wanted
        assert [found.front[u, 0], found.flank[u, 0], found.rear[u, 0]][wanted] == Verdict.YES


def test_one_doubtful_figure_can_leave_a_majority_in_doubt() -> None:
    aspect = np.array([[Aspect.REAR], [Aspect.REAR], [Aspect.FLANK], [Aspect.FLANK]], dtype=np.int8)
    rear = np.array([[2], [2], [1], [0]], dtype=np.int8)
    flank = np.array([[0], [0], [1], [2]], dtype=np.int8)
    found = majority(Aspects(aspect, np.zeros((4, 1), dtype=np.int8), flank, rear), [0] * 4, 1)
    assert found.aspect.tolist() == [[Aspect.FLANK]]
    assert (found.front[0, 0], found.flank[0, 0], found.rear[0, 0]) == (0, 1, 1)


@given(crowds)
def test_the_middles_of_the_sides_lie_on_the_outline(crowd: Any) -> None:
    bases = bases_from(crowd)
    for thing, four in zip(crowd, side_middles(bases), strict=True):
        assert four[0] == pytest.approx(thing.front, abs=1e-6)
        wide, deep = thing.width / 2, thing.radius + (thing.depth or 0.0) / 2
        wanted = [thing.at_local(0.0, deep), thing.at_local(wide, 0.0), thing.at_local(0.0, -deep)]
        assert four[:3] == pytest.approx(np.array(wanted), abs=1e-6)
        assert four[3] == pytest.approx(2 * np.array(thing.at) - four[1], abs=1e-6)


@given(things(sure=True), things(sure=True), st.floats(1, 300))
def test_a_charger_touches_the_edge_that_is_nearest(target: Thing, charger: Thing, within: float) -> None:
    rect = Thing(target.at, target.width, target.depth or 30.0, target.bearing)
    found = contact_edges(bases_from([rect]), bases_from([charger]), within)
    corners = [rect.corners[k] for k in (3, 2, 1, 0)]
    away = [charger.gap(shapely.LineString([corners[k], corners[(k + 1) % 4]])) for k in range(4)]
    side = int(found.side[0, 0])
    gap = gap_between(rect, charger)
    if abs(gap - within) > 0.01:
        assert (found.touching[0, 0] == Verdict.YES) == (gap <= within) == (side != Side.NONE)
    if side != Side.NONE:
        assert away[side] <= min(away) + 0.002


@pytest.mark.parametrize(
    ("x", "y", "side"),
    [
        (0.0, 20.0, Side.FRONT), (10.0, 20.0, Side.FRONT), (20.0, 0.0, Side.RIGHT), (-20.0, 5.0, Side.LEFT),
        (0.0, -20.0, Side.REAR), (20.0, 20.0, Side.FRONT), (60.0, 0.0, Side.NONE),
    ],
)  # fmt: skip
def test_edges_flush_with_each_other_touch_there_and_not_at_the_corners(x: float, y: float, side: Side) -> None:
    target, charger = Thing((0.0, 0.0), 20.0, 20.0, 0.0), Thing((x, y), 20.0, 20.0, 0.0)
    assert contact_edges(bases_from([target]), bases_from([charger])).side.tolist() == [[side]]


def test_which_edge_is_touched_near_a_corner_is_borderline() -> None:
    target = bases_from([Thing((0.0, 0.0), 20.0, 20.0, 0.0, 0.5)])
    near, clear = (bases_from([Thing(at, 10.0, None, 0.0, 0.5)]) for at in ((13.6, 13.5), (0.0, 15.0)))
    assert contact_edges(target, near, 1.0).settled.tolist() == [[Verdict.BORDERLINE]]
    assert contact_edges(target, clear, 2.0).settled.tolist() == [[Verdict.YES]]


@given(st.lists(things(), max_size=8), st.floats(0, 200))
def test_bases_hang_together_where_chains_of_contact_join_them(crowd: Any, within: float) -> None:
    graph = contact_graph(bases_from(crowd), within)
    linked = {(int(i), int(j)) for i, j in zip(graph.one, graph.other, strict=True)}
    for i, one in enumerate(crowd):
        for j in range(i + 1, len(crowd)):
            gap, sigma = gap_between(one, crowd[j]), math.hypot(one.sigma, crowd[j].sigma)
            if abs(gap - within - 2 * sigma) > 0.01:
                assert ((i, j) in linked) == (gap <= within + 2 * sigma)
    for least in (Verdict.YES, Verdict.BORDERLINE):
        kept = [(i, j) for i, j, v in zip(graph.one, graph.other, graph.verdict, strict=True) if v >= least]
        assert graph.parts(least).tolist() == _parts(len(crowd), kept)
    assert len(show_graph(bases_from(crowd), graph)) == len(graph.one)


def _parts(count: int, links: Any) -> list[int]:
    names = list(range(count))
    for _ in range(count):
        for i, j in links:
            names[i] = names[j] = min(names[i], names[j])
    order = sorted(set(names))
    return [order.index(name) for name in names]


@given(st.integers(1, 40), st.data())
def test_parts_of_graphs(count: int, data: Any) -> None:
    nodes = st.integers(0, count - 1)
    links = data.draw(st.lists(st.tuples(nodes, nodes), max_size=60))
    one, other = (np.array([link[k] for link in links], dtype=np.intp) for k in (0, 1))
    assert parts(count, one, other).tolist() == _parts(count, links)


@given(crowds, st.data(), bearings)
def test_units_have_middles_bearings_and_footprints(crowd: Any, data: Any, bearing: float) -> None:
    units = data.draw(st.lists(unit_numbers, min_size=len(crowd), max_size=len(crowd)))
    bases = bases_from(crowd)
    middle, prints = middles(bases, units, 3), footprints(bases, units, 3, bearing)
    for u in range(3):
        own = [thing for thing, unit in zip(crowd, units, strict=True) if unit == u]
        if not own:
            assert np.isnan(middle.centre[u]).all()
            assert np.isnan(prints.centre[u]).all()
            continue
        assert middle.centre[u] == pytest.approx(np.mean([thing.at for thing in own], axis=0), abs=1e-6)
        error = math.sqrt(sum(thing.sigma**2 for thing in own)) / len(own)
        assert middle.sigma_mm[u] == pytest.approx(error, abs=1e-9)
        for turn in (0, 90, 180, 270):
            way = np.array([math.sin(math.radians(bearing + turn)), math.cos(math.radians(bearing + turn))])
            wanted = max(reach_along(thing, bearing + turn) for thing in own)
            assert prints.support(way)[u] == pytest.approx(wanted, abs=1e-6)
        assert prints.sigma_mm[u] == max(thing.sigma for thing in own)


@given(st.lists(st.floats(-80, 80), min_size=1, max_size=6), bearings, st.floats(0, 5))
def test_the_mean_bearing_of_a_unit_and_its_sigma(turns: Any, north: float, sigma: float) -> None:
    given = np.array([(north + turn) % 360 for turn in turns] + [np.nan])
    mean, error = mean_bearings(given, [0] * len(given), 2, sigma)
    total = sum(complex(math.cos(math.radians(b)), math.sin(math.radians(b))) for b in given[:-1])
    wanted = math.degrees(math.atan2(total.imag, total.real))
    assert (mean[0] - wanted + 180) % 360 - 180 == pytest.approx(0.0, abs=1e-6)
    assert error[0] == pytest.approx(sigma * math.sqrt(len(turns)) / abs(total), abs=1e-9)
    assert np.isnan(mean[1])
    assert np.isnan(error[1])


def test_units_without_figures_are_no_trouble() -> None:
    none = bases_of([], [], [])
    lines = strips(none, [], 2, 0.0)
    assert lines.aspects([[0.0, 0.0]]).aspect.tolist() == lines.as_measured([[0.0, 0.0]]).tolist()
    assert lines.as_measured([[0.0, 0.0]]).tolist() == [[Aspect.FLANK] * 2]
    assert quarters(np.zeros((0, 2)), none).side.shape == (0, 0)
    assert majority(quarters(np.zeros((0, 2)), points([[0, 0]])), [], 1).aspect.tolist() == [[Aspect.FRONT]]
    assert contact_edges(none, none).side.shape == (0, 0)
    assert contact_graph(none, 1.0).parts().tolist() == []
    assert greatest(np.zeros(0), [], 1)[1].tolist() == [-1]
    assert by_units(np.zeros((0, 0)), [], [], (1, 1), True, 5.0).tolist() == [[5.0]]
    assert np.isnan(footprints(none, [], 1, 0.0).centre).all()
    assert np.isnan(middles(none, [], 1).centre).all()


def test_the_zones_that_are_drawn() -> None:
    body = bases_from([Thing((0.0, 0.0), 40.0, 20.0, 90.0)])
    front, rear = show_strip(strips(body, [0], 1, 90.0), 0, 100.0)
    assert front.points_mm == pytest.approx(np.array([(10, 100), (10, -100)]), abs=1e-6)  # type: ignore[union-attr]
    assert rear.text == "rear"
    ahead, behind = (shapely.Polygon(each.outline_mm) for each in show_quarters(body, 0, 45, 45, 300.0))  # type: ignore[union-attr]
    for x, y in ((100.0, 0.0), (100.0, 105.0), (100.0, 115.0), (-50.0, 0.0), (0.0, 50.0)):
        side = Side(quarters([(x, y)], body).side[0, 0])
        assert ahead.contains(shapely.Point(x, y)) == (side == Side.FRONT)
        assert behind.contains(shapely.Point(x, y)) == (side == Side.REAR)
