"""Everybody against everybody: as line by line; and again after some have moved: as from nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.certainty import Verdict
from engine.geometry.shapes.bases import Bases
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight import (
    Crests,
    Limit,
    Opaque,
    Relief,
    Standing,
    Veil,
    Watch,
    all_lines,
    held_by,
    look,
    tables,
    watch,
    watch_again,
    watch_each,
    watch_each_again,
    watch_of,
)
from engine.geometry.sight.covering import NONE, least_covering, places

seeds = st.integers(0, 2**32 - 1)


def _table(seed: int, count: int, *, whole_numbers: bool, sigma: float) -> Watch:
    """A crowded table: figures at whole places so that they stand in line, terrain of all kinds."""
    rng = np.random.default_rng(seed)
    spots = rng.integers(0, 40, (count, 2)).astype(float) if whole_numbers else rng.uniform(0, 40, (count, 2))
    rect = rng.random(count) < 0.4
    bases = Bases(
        spots,
        np.where(rect, 0.0, rng.choice([0.5, 1.0, 1.5], count)),
        np.where(rect[:, None], rng.choice([0.5, 1.0], (count, 2)), 0.0),
        rng.choice([0.0, np.pi / 4, np.arctan2(3, 4), 1.0], count),
    )
    side = rng.random(count) < 0.5
    number = np.arange(count)
    standing = Standing(
        bases, rng.choice([-0.25, 0.0, 0.25], count), sigma, number, number,
        spare_from=side[:, None] != side[None, :] if rng.random() < 0.5 else None,
        spare_to=(number[:, None] // 5 == number // 5) if rng.random() < 0.5 else None,
    )  # fmt: skip
    outlines = [_outline(rng, whole_numbers) for _ in range(rng.integers(0, 7))]
    split = len(outlines) // 2
    wood = pieces_of(outlines[split:])
    hill = pieces_of([_outline(rng, whole_numbers)], [3.0])
    blockers = (
        Opaque(pieces_of(outlines[:split]), sigma, spare_to=rng.random((count, split)) < 0.1),
        standing,
        Veil(wood, 2.0, 1.0, 8.0, 1.0, "nearest" if rng.random() < 0.5 else "along"),
        Crests((rng.integers(0, 40, (3, 2)).astype(float),)),
        Relief(hill, rng.uniform(0, 6, count), rng.uniform(0, 6, count)),
        Limit(rng.choice([15.0, 60.0], (count, count))),
    )
    kept = rng.random(len(blockers)) < 0.7
    sigmas = rng.choice([0.0, sigma], count)
    return watch_of(spots, spots, [one for one, keep in zip(blockers, kept, strict=True) if keep], sigmas, sigmas)


def _outline(rng: np.random.Generator, whole_numbers: bool) -> np.ndarray:
    corners = int(rng.integers(3, 9))
    turn = np.sort(rng.uniform(0, 2 * np.pi, corners))
    reach = rng.uniform(2, 9, corners)
    around = rng.uniform(0, 40, 2) + np.stack([reach * np.cos(turn), reach * np.sin(turn)], axis=1)
    return around.round() if whole_numbers else around


def _alone(table: Watch) -> list[Watch]:
    """The table, then with each of its blockers alone."""
    return [table, *(replace(table, blockers=(one,)) for one in table.blockers)]


def _line_by_line(table: Watch) -> np.ndarray:
    lines = all_lines(table.lookers, table.targets, table.looker_sigma, table.target_sigma)
    return look(lines, table.blockers).verdict.reshape(table.shape)


def _as_measured(table: Watch) -> np.ndarray:
    """What is taken away from the lines if nothing is uncertain."""
    none = np.zeros(len(table.lookers))
    blockers = tuple(one if isinstance(one, Limit) else replace(one, sigma_mm=0.0) for one in table.blockers)
    return _line_by_line(replace(table, looker_sigma=none, target_sigma=none, blockers=blockers)) == Verdict.NO


@pytest.fixture(scope="class")
def fans_for_all():
    """Small tables too are looked at by fans, on two threads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "_LINES_FOR_FANS", 0)
        patch.setattr(tables, "_LINES_FOR_TWO", 1_500)
        patch.setattr(tables, "_ROWS", 16)
        yield


@pytest.mark.usefixtures("fans_for_all")
class TestWholeTables:
    @given(seeds, st.sampled_from([1, 7, 30, 45]), st.booleans(), st.sampled_from([0.0, 0.1]))
    def test_a_table_is_as_its_lines(self, seed, count, whole_numbers, sigma):
        table = _table(seed, count, whole_numbers=whole_numbers, sigma=sigma)
        seen = watch(table)
        assert (seen.verdict == _line_by_line(table)).all()
        assert ((seen.by < 0) == (seen.verdict == Verdict.YES)).all()
        assert (seen.taken == _as_measured(table)).all()

    @given(seeds)
    def test_what_is_named_does_block(self, seed):
        table = _table(seed, 30, whole_numbers=True, sigma=0.0)
        seen = watch(table)
        lines = all_lines(table.lookers, table.targets)
        for number, blocker in enumerate(table.blockers):
            held = held_by(lines, blocker)
            surely = set(
                zip(held.line[held.passes == 0].tolist(), held.part[held.passes == 0].tolist(), strict=True)
            )
            named = np.flatnonzero((seen.by == number).ravel())
            assert set(zip(named.tolist(), seen.part.ravel()[named].tolist(), strict=True)) <= surely

    @given(seeds, st.sampled_from([0.0, 0.1]))
    def test_after_some_moved_as_from_nothing(self, seed, sigma):
        table = _table(seed, 30, whole_numbers=True, sigma=sigma)
        rng = np.random.default_rng(seed)
        moved = rng.choice(30, int(rng.integers(0, 6)), replace=False)
        spots = table.lookers.copy()
        spots[moved] += rng.integers(-9, 10, (len(moved), 2))
        blockers = tuple(
            replace(one, bases=replace(one.bases, centre=spots)) if isinstance(one, Standing) else one
            for one in table.blockers
        )
        now = replace(table, lookers=spots, targets=spots, blockers=blockers)
        again, each = watch_again(table, watch(table), now), watch_each_again(table, watch_each(table), now)
        assert (again.verdict == _line_by_line(now)).all()
        assert [one.verdict.tolist() for one in each] == [one.verdict.tolist() for one in watch_each(now)]
        for one, fresh in zip((again, *each), (watch(now), *watch_each(now)), strict=True):
            doubt = fresh.verdict == Verdict.BORDERLINE  # what puts a line in doubt is told in words
            assert (one.by[doubt] == fresh.by[doubt]).all()
            assert (one.part[doubt] == fresh.part[doubt]).all()
        for one, old, new in zip((again, *each), _alone(table), _alone(now), strict=True):
            assert (one.taken == _as_measured(new)).all()
            kept = ~one.changed
            assert (_line_by_line(old)[kept] == _line_by_line(new)[kept]).all()

    @given(seeds, st.sampled_from([0.0, 0.1]))
    def test_each_thing_in_the_way_as_if_it_were_the_only_one(self, seed, sigma):
        table = _table(seed, 30, whole_numbers=True, sigma=sigma)
        alone = [watch(one).verdict.tolist() for one in _alone(table)[1:]]
        assert [one.verdict.tolist() for one in watch_each(table)] == alone


def test_terrain_that_changed_is_looked_at_anew():
    house = [Opaque(pieces_of([[(4, -1), (6, -1), (6, 1), (4, 1)]]))]
    table = watch_of([[0, 0]], [[10, 0]], house)
    moved = watch_of([[0, 0]], [[10, 0]], [Opaque(pieces_of([[(4, 5), (6, 5), (6, 6), (4, 6)]]))])
    assert watch(table).verdict.tolist() == [[Verdict.NO]]
    assert watch_again(table, watch(table), moved).verdict.tolist() == [[Verdict.YES]]


def test_nobody_looks_and_nobody_is_looked_at():
    assert watch(watch_of([], [], [])).verdict.shape == (0, 0)
    assert watch(watch_of([[0, 0]], [], [Opaque(pieces_of([]))])).verdict.shape == (1, 0)


@given(st.data())
def test_the_least_key_that_covers_a_place(data):
    count = data.draw(st.integers(1, 12))
    intervals = data.draw(
        st.lists(st.tuples(st.integers(0, count), st.integers(0, count), st.integers(0, 99)), max_size=8)
    )
    begin = np.array([[one[0] for one in intervals]], dtype=np.intp).reshape(1, -1)
    end = begin + np.array([[one[1] for one in intervals]], dtype=np.intp).reshape(1, -1)
    key = np.array([[one[2] for one in intervals]], dtype=np.int64).reshape(1, -1)
    found = least_covering(begin, end, key, count)
    for place in range(count):
        over = [k for b, length, k in intervals if b <= place < b + length or b <= place + count < b + length]
        assert found[0, place] == min(over, default=NONE)


def test_places_go_round():
    angle = np.array([[-3.0, -1.0, 0.5, 3.0]])
    begin, end = places(angle, np.array([[2.0, -2.0, 0.0]]), np.array([[4.0, 1.0, -1.0]]))
    assert begin.tolist() == [[3, 1, 2]]
    assert end.tolist() == [[5, 3, 2]]
