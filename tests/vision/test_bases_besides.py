"""Whom only the other look at an army's paint tells, from the mat or from the tops, is told besides those of the
one that is taken, where nobody stands and he is seen well."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.accuracy.drawing import Kind, case_of
from benchmarks.accuracy.measuring import measured
from tests.vision.test_bases_armies import MAROON, RED, claim
from vision.bases.find import _besides


def test_an_army_half_of_which_each_look_tells_is_told_as_a_whole() -> None:
    score = measured(case_of(6278, Kind(fair=True)), frozenset(("bases",))).score
    assert not score.bases_missed
    assert not score.bases_false


def test_besides_are_told_those_that_are_believed_and_stand_in_nobodys_way() -> None:
    taken = claim("red", RED, dict.fromkeys(range(4), RED.paint), 0.5)
    other = claim("red", RED, dict.fromkeys(range(2, 9), RED.paint), 0.4)
    seen = other.fit.contrast.copy()
    seen[-1] = 0.01  # the last is hardly seen
    other = replace(other, fit=replace(other.fit, contrast=seen))
    maroon = claim("maroon", MAROON, dict.fromkeys((5, 12, 13), MAROON.paint), 0.5)
    (told,) = _besides([(replace(taken, besides=other), np.ones(4)), (maroon, np.ones(3))])
    assert [round(base.x_mm / 30) for base in told.fit.placed] == [4, 6, 7]
    assert _besides([(taken, np.ones(4))]) == []
