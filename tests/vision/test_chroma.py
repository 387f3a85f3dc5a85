"""Colour is as sharp as brightness, though cameras and JPEG keep it at half the resolution."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.chroma import chroma_blur_px, with_sharp_chroma

Image = NDArray[np.uint8]


def rims(seed: int = 1) -> Image:
    """Orange rings of two pixels and a half on a mottled green mat, drawn four times as fine and shrunk."""
    rng = np.random.default_rng(seed)
    fine = np.empty((1536, 2304, 3), np.float32)
    fine[:] = (60, 120, 80)
    fine += cv2.resize(rng.normal(0, 6, (192, 288, 1)).astype(np.float32), (2304, 1536))[..., None]
    for centre in rng.uniform([60, 60], [2244, 1476], (150, 2)).astype(int).tolist():
        cv2.circle(fine, centre, 44, (50, 60, 70), -1, cv2.LINE_AA)
        cv2.circle(fine, centre, 44, (40, 140, 215), 10, cv2.LINE_AA)
    shrunk = cv2.resize(cv2.GaussianBlur(fine, (0, 0), 2.0), (576, 384), interpolation=cv2.INTER_AREA)
    return np.clip(shrunk, 0, 255).astype(np.uint8)


def packed(picture: Image) -> Image:
    """As JPEG brings it back, colour at half the resolution."""
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def blurred_colour(picture: Image, sigma_px: float) -> Image:
    """With the colour of a picture blurred so far, and its brightness as it was."""
    ycc = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)
    for channel in (1, 2):
        ycc[..., channel] = cv2.GaussianBlur(ycc[..., channel], (0, 0), sigma_px)
    return np.asarray(cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR), dtype=np.uint8)


def colour_off(one: Image, other: Image) -> float:
    """How far two pictures' colours differ, rms in grey levels."""
    both = [cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)[..., 1:].astype(float) for picture in (one, other)]
    return float(np.sqrt(((both[0] - both[1]) ** 2).mean()))


def test_how_far_colour_is_blurred_is_told_from_the_picture_itself_to_half_a_pixel() -> None:
    blurs_px = [0.0, 0.8, 1.2, 1.6]
    told = [chroma_blur_px(blurred_colour(rims(), blur) if blur else rims()) for blur in blurs_px]
    assert told == sorted(told)
    assert told == pytest.approx(blurs_px, abs=0.5)


def test_colour_that_was_never_halved_is_left_as_it_is() -> None:
    assert np.array_equal(with_sharp_chroma(rims(), chroma_blur_px(rims())), rims())


@pytest.mark.parametrize("times", [1, 2])
def test_rims_of_a_picture_packed_as_jpeg_get_much_of_their_colour_back(times: int) -> None:
    whole = rims()
    picture = packed(whole) if times == 1 else packed(packed(whole))
    sharp = with_sharp_chroma(picture, chroma_blur_px(picture))
    assert colour_off(sharp, whole) < 0.8 * colour_off(picture, whole)


def test_a_picture_without_colour_and_one_smaller_than_a_tile_are_taken_as_well() -> None:
    grey = np.repeat(rims()[..., :1], 3, axis=-1)
    assert colour_off(with_sharp_chroma(grey, chroma_blur_px(grey)), grey) < 1
    small = packed(rims())[:40, :50]
    assert with_sharp_chroma(small, chroma_blur_px(small)).shape == small.shape


def test_a_part_of_a_picture_is_sharpened_as_it_is_in_the_whole() -> None:
    picture, within = packed(rims()), np.zeros((384, 576), bool)
    within[100:200, 300:420] = True
    part, whole = with_sharp_chroma(picture, 1.0, within), with_sharp_chroma(picture, 1.0)
    assert np.abs(part[within].astype(int) - whole[within]).max() <= 1
    assert np.array_equal(part[:80], picture[:80])
    assert with_sharp_chroma(picture, 1.0, np.zeros_like(within)) is picture
