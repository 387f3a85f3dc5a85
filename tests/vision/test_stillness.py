"""Whether the table lies still, and whether an arm is over it, told from whole frames."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.following.stillness import Change, Stillness

Image = NDArray[np.uint8]


def mat(seed: int = 0, light: int = 0) -> Image:
    """A green mat with the noise of a webcam."""
    noise = np.random.default_rng(seed).normal(0.0, 3.0, (360, 640, 3))
    return np.clip(np.array([60, 110, 80]) + light + noise, 0, 255).astype(np.uint8)


def with_patch(image: Image, x: int, y: int, w: int, h: int) -> Image:
    image[y : y + h, x : x + w] = (40, 40, 160)
    return image


def after(kept: Image, *frames: Image) -> Change:
    stillness = Stillness()
    stillness.update(kept)
    stillness.keep()
    return [stillness.update(frame) for frame in frames][-1]


def test_noise_is_no_change() -> None:
    assert after(mat(1), mat(2), mat(3)) == Change(since_last=False, since_kept=False, covered=False)


@pytest.mark.parametrize("light", [-12, 12])
def test_a_cloud_over_the_sun_is_no_change(light: int) -> None:
    assert not after(mat(1), mat(2, light)).since_kept


def test_a_base_that_was_put_down_is_a_change_but_covers_nothing() -> None:
    change = after(mat(1), with_patch(mat(2), 300, 200, 14, 14), with_patch(mat(3), 300, 200, 14, 14))
    assert change == Change(since_last=False, since_kept=True, covered=False)


def test_a_resting_arm_covers_the_table_though_nothing_moves() -> None:
    arm = [with_patch(mat(seed), 0, 150, 260, 40) for seed in (2, 3)]
    assert after(mat(1), *arm) == Change(since_last=False, since_kept=True, covered=True)


def test_an_arm_that_lies_over_a_white_marker_at_the_border_covers_the_table() -> None:
    """Paper in the lamp's full light is too bright to tell the light by, but what is dark there now is no paper."""

    def printed(seed: int) -> Image:
        image = mat(seed)
        image[130:210, :70] = 255
        return image

    arm = [with_patch(printed(seed), 0, 150, 260, 40) for seed in (2, 3)]
    assert after(printed(1), *arm).covered
    assert not after(printed(1), np.clip(printed(2).astype(int) - 12, 0, 255).astype(np.uint8)).covered


def test_the_first_frame_of_all_is_a_change() -> None:
    first = Stillness().update(mat())
    assert first.since_last
    assert first.since_kept


def test_it_is_told_where_the_picture_changed() -> None:
    stillness = Stillness()
    stillness.update(mat(1))
    assert stillness.changes()(np.array([0.1, 0.1]), 0.02), "with nothing kept every place has changed"
    stillness.keep()
    stillness.update(with_patch(mat(2), 320, 180, 20, 20))
    changed = stillness.changes()
    assert changed(np.array([330 / 640, 190 / 360]), 0.02)
    assert not changed(np.array([0.1, 0.1]), 0.02)


def test_another_size_of_picture_is_a_change() -> None:
    assert after(mat(1), mat(1)[:300]).since_kept
