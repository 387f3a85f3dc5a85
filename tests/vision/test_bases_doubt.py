"""How far off a fit may be is told as it is: neither less where a fit is poor, nor more where it is good."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchmarks.accuracy.drawing import Kind, case_of
from benchmarks.accuracy.measuring import measured
from benchmarks.accuracy.scoring import WITHIN_SIGMAS
from tests.vision.test_bases_fit import EVERY, LOOK, seen_of
from vision.bases.fitting.doubt import circular
from vision.bases.fitting.fit import Fitted, Seen, fit
from vision.bases.fitting.touching import keeping_apart
from vision.bases.pixels import Placed

Floats = NDArray[np.float64]

_TRUE = np.array([130.0, 90.0])


def fitted(seen: Seen) -> Fitted:
    return fit([seen], LOOK, 8)[0][0]


def seen_with(name: str, noise: float, hidden: float = 0.0, seed: int = 1) -> Seen:
    """A base of which a share is hidden, beside whose paint there is noise."""
    _, seen = seen_of(Placed(EVERY[name], 130.3, 89.8, 0.0, 12.0), _TRUE, hidden)
    rough = np.random.default_rng(seed).normal(0.0, noise, seen.likeness.shape).astype(np.float32)
    return replace(seen, likeness=seen.likeness + rough)


def place_sigma(seen: Seen) -> float:
    return float(circular(fitted(seen).covariance[:, :2, :2])[0])


@pytest.mark.parametrize("name", sorted(EVERY))
def test_a_noisy_rim_is_less_certain_than_a_clean_one(name: str) -> None:
    assert place_sigma(seen_with(name, 0.25)) > 1.3 * place_sigma(seen_with(name, 0.02))


@pytest.mark.parametrize("name", sorted(EVERY))
def test_a_rim_half_hidden_is_less_certain_than_a_whole_one(name: str) -> None:
    assert place_sigma(seen_with(name, 0.05, hidden=0.4)) > 1.2 * place_sigma(seen_with(name, 0.05))


def test_the_direction_that_a_hidden_side_leaves_loose_is_the_uncertain_one() -> None:
    """Of a horseman's base only one long side and half of the short ones are in sight: what lies along the long
    side is known from corners, what lies across it from all of it."""
    seen = seen_with("horse", 0.05)
    right = seen.pattern.points[:, 0] > 0
    seen = replace(seen, trust=seen.trust * right[None, :, None].astype(np.float32))
    spread = fitted(seen).covariance[0]
    across, along = spread[0, 0], spread[1, 1]
    assert along > across


def test_paint_like_the_mats_own_colours_is_less_certain() -> None:
    seen = seen_with("round", 0.05)
    assert place_sigma(replace(seen, mottle=0.4)) > 1.3 * place_sigma(replace(seen, mottle=0.05))


def test_a_finer_picture_is_more_certain() -> None:
    seen = seen_with("round", 0.05)
    assert place_sigma(replace(seen, pixel_mm=0.7)) < 0.85 * place_sigma(replace(seen, pixel_mm=1.4))


def test_ground_that_differs_from_side_to_side_leaves_doubt() -> None:
    seen = seen_with("round", 0.02)
    beyond = (seen.pattern.depths > 0.5)[None, None, :]
    uneven = 0.35 * seen.pattern.normals[:, 0][None, :, None] * beyond
    assert place_sigma(replace(seen, likeness=seen.likeness + uneven)) > 1.3 * place_sigma(seen)


def test_bases_pushed_out_of_each_other_are_less_certain_than_those_that_stand_free() -> None:
    outline = EVERY["round"]

    def sigma(gap_mm: float, pushed: bool) -> float:
        group, one = seen_of(Placed(outline, 130.0, 90.0, 0.0, 0.0), _TRUE)
        both = replace(group, number=np.array([0, 1]), **{
            name: np.repeat(getattr(group, name), 2) for name in ("y", "z", "bearing")
        }, x=group.x[0] + np.array([0.0, 25.0 + gap_mm]))  # fmt: skip
        seen = replace(one, group=both, likeness=np.repeat(one.likeness, 2, 0), trust=np.repeat(one.trust, 2, 0),
                       side=np.repeat(one.side, 2, 0))  # fmt: skip
        (told,), _ = fit([seen], LOOK, 8, apart=keeping_apart([both]) if pushed else None)
        return float(circular(told.covariance[:, :2, :2])[0])

    assert sigma(-3.0, True) > 1.5 * sigma(-3.0, False)
    assert sigma(3.0, True) == pytest.approx(sigma(3.0, False))


@given(st.floats(0.01, 2.0), st.floats(0.0, 1.0), st.floats(0.0, np.pi))
def test_so_many_lie_within_245_sigma_whatever_the_shape_of_the_spread(
    most: float, share: float, turn: float
) -> None:
    """The oracle: points drawn from the spread, counted."""
    way = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    points = _NORMAL @ np.diag([most, most * share]) @ way.T
    spread = (way @ np.diag([most**2, (most * share) ** 2]) @ way.T)[None]
    within = float((np.hypot(*points.T) <= 2.45 * circular(spread)[0]).mean())
    assert within == pytest.approx(0.95, abs=0.012)


_NORMAL = np.random.default_rng(4).normal(size=(20000, 2))


def test_truth_keeps_to_the_sigmas_on_a_drawn_table_and_the_sigmas_to_it() -> None:
    """A table with figures, shadows, flock and JPEG on which nothing was measured while the sigmas were made."""
    errors = measured(case_of(305, Kind(fair=True)), frozenset({"bases"})).score.bases
    sigmas = np.array([e.sigmas for e in errors])
    assert len(errors) > 60
    assert (sigmas <= WITHIN_SIGMAS).mean() >= 0.92
    assert np.median(sigmas) > 0.5, "half of the errors are less than half a sigma: sigmas are far too large"
    turns = [
        e.bearing_deg / e.seen.bearing_sigma_deg
        for e in errors
        if e.bearing_deg is not None and e.bearing_deg < 90 and e.seen.bearing_sigma_deg
    ]
    assert (np.array(turns) <= 1.96).mean() >= 0.9
