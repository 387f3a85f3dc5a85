"""What a measurement settles: against the definition, value by value, limits and doubts exactly met included."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.certainty import SIGMAS, Verdict, all_of, any_of, at_least, at_most, negated, settled
from engine.geometry.plane.tolerance import MM

YES, NO, BORDERLINE = Verdict.YES, Verdict.NO, Verdict.BORDERLINE
values = st.integers(0, 8).map(lambda quarter: quarter / 4)
sigmas = st.sampled_from([0.0, 0.125, 0.25, 0.5])
several = st.lists(st.tuples(values, values, sigmas), min_size=1, max_size=9)


def _within(value: float, limit: float, sigma: float) -> Verdict:
    if sigma > 0 and abs(value - limit) <= SIGMAS * sigma:
        return BORDERLINE
    return YES if value <= limit + MM else NO


@given(several)
def test_limits_are_inclusive_and_in_doubt_within_two_sigma(cases):
    value, limit, sigma = (np.array(column) for column in zip(*cases, strict=True))
    assert at_most(value, limit, sigma).tolist() == [_within(*case) for case in cases]
    assert at_least(value, limit, sigma).tolist() == [_within(-v, -lim, s) for v, lim, s in cases]


@pytest.mark.parametrize("verdicts", list(itertools.product(Verdict, repeat=3)))
def test_and_is_the_worst_or_the_best_and_not_turns_round(verdicts):
    told = [np.array([one]) for one in verdicts]
    assert all_of(*told).tolist() == [NO if NO in verdicts else BORDERLINE if BORDERLINE in verdicts else YES]
    assert any_of(*told).tolist() == [YES if YES in verdicts else BORDERLINE if BORDERLINE in verdicts else NO]
    assert negated(all_of(*told)).tolist() == any_of(*map(negated, told)).tolist()


@given(values, values, sigmas)
def test_less_than_is_not_at_least(value, limit, sigma):
    """The strict limit of a rulebook: never yes where the limit itself is measured."""
    less = negated(at_least(value, limit, sigma))
    assert less.tolist() == (
        BORDERLINE if _within(-value, -limit, sigma) == BORDERLINE else YES if value < limit else NO
    )


def test_what_is_settled():
    assert settled([True, False, True, False], [False, False, True, True]).tolist() == [
        YES,
        NO,
        BORDERLINE,
        BORDERLINE,
    ]
