"""Pictures of drawn tables that another renderer than the simulated camera has traced."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.accuracy.cases import read_case
from benchmarks.accuracy.measuring import Measured, measured

CASES = Path(__file__).parents[1] / "data" / "traced"


@pytest.fixture(scope="module")
def hard() -> Measured:
    return measured(read_case(CASES / "fair-2002"))


def test_a_table_as_another_renderer_shows_it_is_measured_as_well_as_our_own() -> None:
    score = measured(read_case(CASES / "fair-2003")).score
    assert len(score.bases) == 45
    assert not score.bases_missed
    assert not score.bases_false
    assert max(error.off_mm for error in score.bases) < 1.0
    assert max(error.bearing_deg for error in score.bases if error.bearing_deg is not None) < 3.0


def test_pale_rims_that_the_camera_shows_paler_still_are_found(hard: Measured) -> None:
    """Two of five were: the others stand out as clearly, but lay beyond what their paint could be."""
    there = [error for error in hard.score.bases if error.truth.army == "army-2"]
    assert len(there) >= 4
    assert max(error.off_mm for error in there) < 1.5


def test_bases_on_a_hill_of_nearly_their_rims_colour_are_found(hard: Measured) -> None:
    on_hills = [error for error in hard.score.bases if error.truth.army == "army-1" and error.truth.z_mm > 40]
    assert len(on_hills) >= 4
    assert max(error.off_mm for error in on_hills) < 2.0


def test_many_rims_of_two_pixels_that_blur_leaves_little_of_are_found_and_a_wall_is_no_wider_for_its_shadow() -> (
    None
):
    score = measured(read_case(CASES / "fair-2006")).score
    there = [error for error in score.bases if error.truth.army == "army-3"]
    assert len(there) >= 25
    assert not score.bases_false
    assert min(iou for kind, iou in score.terrain if kind == "wall") > 0.84
