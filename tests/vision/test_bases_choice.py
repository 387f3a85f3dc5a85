"""Of many rivals those are kept that can stand together and explain the most."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.records import RectBase, RoundBase
from vision.bases.pixels import Placed
from vision.bases.search import company_of
from vision.bases.shapes import Outline, outline_of, turned
from vision.bases.weighing.choose import (
    beside_them,
    clear_of,
    conflicts,
    distinct,
    heaviest,
    in_line,
    nests,
    polygons_of,
)

ROUND = outline_of(RoundBase(name="foot", diameter_mm=25.0, height_mm=3.0))
SQUARE = outline_of(RectBase(name="square", width_mm=20.0, depth_mm=20.0, height_mm=3.0))
COIN = outline_of(RoundBase(name="coin", diameter_mm=20.0, height_mm=3.0))
HORSE = outline_of(RectBase(name="horse", width_mm=25.0, depth_mm=50.0, height_mm=3.0))


@st.composite
def rivalries(draw: st.DrawFn) -> tuple[list[float], list[set[int]]]:
    """Up to nine rivals with weights, and which of them cannot stand together."""
    count = draw(st.integers(1, 9))
    weights = draw(st.lists(st.floats(-1, 5), min_size=count, max_size=count))
    against: list[set[int]] = [set() for _ in range(count)]
    for a, b in combinations(range(count), 2):
        if draw(st.booleans()):
            against[a].add(b)
            against[b].add(a)
    return weights, against


@given(rivalries())
def test_those_kept_can_stand_together_and_nothing_more_would_fit(case: tuple[list[float], list[set[int]]]) -> None:
    weights, against = case
    kept = heaviest(weights, against)
    assert all(b not in against[a] for a, b in combinations(kept, 2))
    assert all(weights[k] > 0 for k in kept)
    for k in set(range(len(weights))) - set(kept):
        assert weights[k] <= 0 or weights[k] <= sum(weights[j] for j in against[k] & set(kept)) + 1e-6


@given(rivalries())
def test_those_kept_weigh_at_least_half_of_the_best(case: tuple[list[float], list[set[int]]]) -> None:
    weights, against = case
    best = max(
        sum(weights[k] for k in chosen)
        for size in range(len(weights) + 1)
        for chosen in combinations(range(len(weights)), size)
        if all(b not in against[a] for a, b in combinations(chosen, 2))
    )
    heaviest_alone = max([0.0, *weights])
    assert heaviest_alone - 1e-9 <= sum(weights[k] for k in heaviest(weights, against)) <= best + 1e-9


def test_touching_bases_stand_together_and_overlapping_ones_do_not() -> None:
    line = [Placed(ROUND, 25.0 * k, 0.0, 0.0, 0.0) for k in range(3)]
    assert clear_of([*line, Placed(ROUND, 12.5, 8.0, 0.0, 0.0)], 1.0) == [0, 1, 2]
    assert conflicts(line, 1.0) == [set(), set(), set()]


@pytest.mark.parametrize("seed", range(3))
def test_bases_of_all_kinds_run_into_each_other_where_their_outlines_meet(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = [ROUND, SQUARE, COIN, HORSE]
    bases = [Placed(kinds[k % 4], *rng.uniform(0, 120, 2), 0.0, rng.uniform(0, 180)) for k in range(60)]
    shapes, part = polygons_of(bases, 1.0), np.arange(60) % 3
    meet = [{n for n in range(60) if n != k and shapes[k].intersects(shapes[n])} for k in range(60)]
    assert conflicts(bases, 1.0) == meet
    asked = [{n for n in meet[k] if part[n] in (0, part[k]) or not part[k]} for k in range(60)]
    assert conflicts(bases, 1.0, part) == asked != meet


def test_the_same_base_proposed_twice_is_one() -> None:
    twice = [
        Placed(SQUARE, 0.0, 0.0, 0.0, 88.0),
        Placed(SQUARE, 1.0, 1.0, 0.0, 1.0),
        Placed(ROUND, 0.0, 0.0, 0.0, 0.0),
    ]
    assert distinct(twice) == [0, 2]


def _obviously_distinct(placed: list[Placed]) -> list[int]:
    """One after the other, as the rule has it."""
    kept: list[int] = []
    for k, base in enumerate(placed):
        turn = base.outline.turn_deg
        if not any(
            other.outline == base.outline
            and abs(other.x_mm - base.x_mm) < 3.0
            and abs(other.y_mm - base.y_mm) < 3.0
            and abs((base.bearing_deg - other.bearing_deg + turn / 2) % turn - turn / 2) < 10.0
            for other in (placed[j] for j in kept)
        ):
            kept.append(k)
    return kept


@given(
    st.lists(
        st.builds(
            Placed,
            st.sampled_from([ROUND, SQUARE, HORSE]),
            st.integers(0, 12).map(float),
            st.integers(0, 12).map(float),
            st.just(0.0),
            st.integers(0, 35).map(lambda n: 5.0 * n + 0.5),
        ),
        max_size=30,
    )
)
def test_of_many_proposals_each_is_kept_that_no_better_one_is_the_same_as(placed: list[Placed]) -> None:
    """All pairs at once tell the same as one after the other."""
    assert distinct(placed) == _obviously_distinct(placed)


def test_figures_that_stand_apart_do_not_speak_for_one_between_them_that_would_push_them_aside() -> None:
    """What is made up in the gap of a loose line runs into both; one right beside a figure is of its unit."""
    loose = [Placed(SQUARE, 100.0 + 29.0 * k, 100.0, 0.0, 0.0) for k in range(2)]
    between = Placed(SQUARE, 114.5, 110.0, 0.0, 45.0)
    beside = Placed(SQUARE, 79.6, 100.0, 0.0, 0.0)
    assert company_of([between, beside], loose).tolist() == [0.0, 1.0]


def test_the_next_in_a_line_touches_but_does_not_overlap() -> None:
    base = Placed(HORSE, 100.0, 50.0, 0.0, 30.0)
    beside = beside_them([base])
    assert len(beside) == 4
    for other in beside:
        one, two = polygons_of([base, other])
        assert not one.intersects(two)
        assert one.distance(two) < 1.0


@given(st.floats(-60, 60), st.floats(-60, 60), st.sampled_from([ROUND, SQUARE, HORSE]))
def test_the_distance_from_an_outline_is_that_from_its_drawn_polygon(u: float, v: float, outline: object) -> None:
    import shapely

    shape = {id(o): o for o in (ROUND, SQUARE, HORSE)}[id(outline)]
    polygon = polygons_of([Placed(shape, 0.0, 0.0, 0.0, 0.0)])[0]
    signed = shapely.Point(u, v).distance(polygon.exterior) * (-1 if polygon.contains(shapely.Point(u, v)) else 1)
    assert float(shape.distance(np.array([u]), np.array([v]))[0]) == pytest.approx(signed, abs=0.15)


@pytest.mark.parametrize("missing", range(7))
def test_the_one_that_is_missing_from_a_mob_is_looked_for_where_it_stood(missing: int) -> None:
    ring = [(0.0, 0.0), *((25.4 * np.sin(a), 25.4 * np.cos(a)) for a in np.arange(6) * np.pi / 3)]
    mob = [Placed(ROUND, 300.0 + float(x), 200.0 + float(y), 0.0, 0.0) for x, y in ring]
    gone = mob.pop(missing)
    spots = nests(mob)
    assert any(np.hypot(spot.x_mm - gone.x_mm, spot.y_mm - gone.y_mm) < 0.5 for spot in spots)


@pytest.mark.parametrize("bearing_deg", [0.0, 17.0])
@pytest.mark.parametrize("seen", [[(0, 0), (1, 0)], [(3, 1), (3, 2)]])
def test_from_two_that_touch_a_whole_block_of_round_bases_is_looked_for_where_it_stands(
    bearing_deg: float, seen: list[tuple[int, int]]
) -> None:
    places = [(file, rank) for file in range(4) for rank in range(3)]
    at = turned(np.array(places) * 25.3, bearing_deg) + 200.0
    block = [Placed(ROUND, float(x), float(y), 0.0, 0.0) for x, y in at]
    found = [block[places.index(place)] for place in seen]
    for _ in range(5):
        come = [
            base for base in block
            if any(np.hypot(spot.x_mm - base.x_mm, spot.y_mm - base.y_mm) < 0.5 for spot in in_line(found))
        ]  # fmt: skip
        found += [base for base in come if base not in found]
    assert len(found) == len(block)


def test_bases_that_stand_apart_or_are_of_two_kinds_make_no_line() -> None:
    assert in_line([Placed(ROUND, 0.0, 0.0, 0.0, 0.0), Placed(ROUND, 31.0, 0.0, 0.0, 0.0)]) == []
    assert in_line([Placed(ROUND, 0.0, 0.0, 0.0, 0.0), Placed(COIN, 22.5, 0.0, 0.0, 0.0)]) == []
    assert in_line([Placed(SQUARE, 0.0, 0.0, 0.0, 0.0), Placed(SQUARE, 20.0, 0.0, 0.0, 0.0)]) == []


@given(
    st.lists(st.tuples(st.floats(0, 120), st.floats(0, 120), st.sampled_from([ROUND, SQUARE, COIN])), max_size=12)
)
def test_the_next_in_a_mob_touches_two_of_its_kind_and_runs_into_no_other_round_base(
    told: list[tuple[float, float, Outline]],
) -> None:
    mob = [Placed(outline, x, y, 0.0, 0.0) for x, y, outline in told]
    for spot in nests(mob):
        round_ = [p for p in mob if p.outline.round_]
        gaps = {
            k: np.hypot(p.x_mm - spot.x_mm, p.y_mm - spot.y_mm) - p.outline.reach_mm - spot.outline.reach_mm
            for k, p in enumerate(round_)
        }
        assert min(gaps.values()) > -2.1
        assert sum(abs(gap - 0.4) < 0.01 and round_[k].outline == spot.outline for k, gap in gaps.items()) >= 2
