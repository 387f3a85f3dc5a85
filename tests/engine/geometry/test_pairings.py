"""Matching figures in a melee: as even as it can be, against trying out every way."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.geometry.formations.pairings import even_pairs

TABLES = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(lambda shape: arrays(np.bool_, shape))


@given(TABLES)
def test_nobody_is_left_out_and_no_other_way_is_more_even(touches: np.ndarray) -> None:
    groups = even_pairs(touches)
    rows = [row for found, _ in groups for row in found]
    columns = [column for _, found in groups for column in found]
    assert sorted(rows) == np.flatnonzero(touches.any(axis=1)).tolist()
    assert sorted(columns) == np.flatnonzero(touches.any(axis=0)).tolist()
    for some, others in groups:
        assert min(len(some), len(others)) == 1
        assert all(touches[row, column] for row, column in product(some, others))
    assert sum(len(some) * len(others) for some, others in groups) == len(rows) + len(columns) - len(groups)
    assert unevenness(groups) == best(touches)


def unevenness(groups: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]) -> tuple[int, int]:
    return -len(groups), sum(max(len(some), len(others)) ** 2 for some, others in groups)


def best(touches: np.ndarray) -> tuple[int, int]:
    """The most groups, and among those the least sum of squares, over all ways to give rows and columns away."""
    links = np.argwhere(touches).tolist()
    found = [(0, 0)]
    for chosen in product((False, True), repeat=len(links)):
        kept = [link for link, taken in zip(links, chosen, strict=True) if taken]
        by_row = {row: [c for r, c in kept if r == row] for row, _ in kept}
        by_column = {column: [r for r, c in kept if c == column] for _, column in kept}
        if any(len(by_row[row]) > 1 and len(by_column[column]) > 1 for row, column in kept):
            continue
        if len(by_row) < touches.any(axis=1).sum() or len(by_column) < touches.any(axis=0).sum():
            continue
        sizes = [len(members) for members in by_row.values() if len(members) > 1]
        sizes += [len(members) for members in by_column.values() if len(members) > 1]
        ones = sum(len(by_row[row]) == 1 and len(by_column[column]) == 1 for row, column in kept)
        found.append((-len(sizes) - ones, sum(size**2 for size in sizes) + ones))
    return min(found)


@pytest.mark.parametrize(
    ("rows", "groups"),
    [
        ([[1]], (((0,), (0,)),)),
        ([[1, 1]], (((0,), (0, 1)),)),
        ([[1], [1], [1]], (((0, 1, 2), (0,)),)),
        ([[1, 1], [1, 0]], (((0,), (1,)), ((1,), (0,)))),
        ([[1, 0], [1, 0], [1, 1], [0, 1]], (((0, 1), (0,)), ((2, 3), (1,)))),
        ([[0]], ()),
    ],
)
def test_groups_as_players_would_match_them(rows: list[list[int]], groups: object) -> None:
    assert even_pairs(np.array(rows, dtype=bool)) == groups
