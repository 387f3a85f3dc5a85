"""The scale of a survey, by tape: several lengths are joined, one that contradicts the others is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.errors import JobFailed
from calibration.records import MarkerAt
from calibration.surveys.lengths import Length, scale_by

MARKERS = (
    MarkerAt(id=0, x_mm=0.0, y_mm=0.0),
    MarkerAt(id=1, x_mm=1800.0, y_mm=0.0),
    MarkerAt(id=2, x_mm=1800.0, y_mm=1200.0),
    MarkerAt(id=3, x_mm=0.0, y_mm=1200.0, z_mm=40.0),
)


def lengths(*told: tuple[int, int, float]) -> list[Length]:
    return [Length(*each) for each in told]


def test_without_a_length_the_best_one_to_measure_is_named():
    scale = scale_by([], MARKERS, 80.0)
    assert scale.factor == 1.0
    assert "--length 0:2=MM" in scale.warnings[0]
    assert "9 mm over this table" in scale.warnings[0]


def test_one_length_sets_the_scale_and_the_disagreement_is_shown():
    scale = scale_by(lengths((0, 1, 1806.0)), MARKERS, 80.0)
    assert scale.factor == pytest.approx(1806 / 1800)
    (said,) = scale.warnings
    assert "1806 mm from 0 to 1, the prints' size 1800.0 mm (+0.33 %)" in said
    assert "markers to 80.27 mm" in said


def test_a_length_that_agrees_needs_no_word():
    assert scale_by(lengths((0, 1, 1800.5)), MARKERS, 80.0).warnings == ()


@given(st.floats(0.99, 1.01), st.lists(st.floats(-1.0, 1.0), min_size=3, max_size=3))
def test_several_lengths_are_joined_and_long_ones_count_more(factor: float, off_mm: list[float]):
    spans = ((0, 1, 1800.0), (1, 2, 1200.0), (0, 2, 2163.33))
    told = [(a, b, factor * mm + off) for (a, b, mm), off in zip(spans, off_mm, strict=True)]
    scale = scale_by(lengths(*told), MARKERS, 80.0)
    assert scale.factor == pytest.approx(factor, abs=1.0 / 1200)
    assert all(each.used for each in scale.lengths)
    assert not any("contradicts" in said for said in scale.warnings)


@pytest.mark.parametrize("wrong", range(4))
def test_one_that_contradicts_three_others_is_left_out_and_named(wrong: int):
    told = [(0, 1, 1805.4), (1, 2, 1203.6), (0, 2, 2169.8), (2, 3, 1805.9)]
    told[wrong] = (*told[wrong][:2], told[wrong][2] - 12.0)
    scale = scale_by(lengths(*told), MARKERS, 80.0)
    assert scale.factor == pytest.approx(1.003, abs=0.0005)
    assert [each.used for each in scale.lengths] == [n != wrong for n in range(4)]
    a, b, mm = told[wrong]
    assert any(
        said.startswith(f"the length {a}:{b}={mm:g} contradicts the other lengths by -1") for said in scale.warnings
    )


def test_two_that_contradict_each_other_are_both_named():
    scale = scale_by(lengths((0, 1, 1806.0), (1, 2, 1195.0)), MARKERS, 80.0)
    assert sum("contradicts the other length by" in said for said in scale.warnings) == 2


def test_lengths_that_give_no_scale_at_all_are_refused():
    with pytest.raises(JobFailed, match=r"contradict each other: 0:1=1806 .* 1:2=1500 "):
        scale_by(lengths((0, 1, 1806.0), (1, 2, 1500.0)), MARKERS, 80.0)


def test_a_scale_that_no_printer_makes_asks_for_the_size_of_the_markers():
    assert any(
        "is the size of the markers 80 mm" in s for s in scale_by(lengths((0, 1, 2250.0)), MARKERS, 80.0).warnings
    )


def test_a_length_to_a_marker_in_no_photo_is_refused():
    with pytest.raises(JobFailed, match="marker 7 is in no photo"):
        scale_by(lengths((0, 7, 1806.0)), MARKERS, 80.0)
