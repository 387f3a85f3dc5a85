"""The light is told from the white of printed markers, tint, slope and all."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.prints.markers import FoundMarker
from vision.light import PAPER, estimate_light, linear_of_hex, linear_of_srgb

SIDE = 48.0
PLACES = ((60.0, 60.0), (580.0, 60.0), (580.0, 420.0), (60.0, 420.0))


def picture(tint: tuple[float, float, float], slope: float) -> tuple[NDArray[np.uint8], list[FoundMarker]]:
    """A green picture with four white sheets with black squares, under a tinted light that grows to the right."""
    linear = np.empty((480, 640, 3))
    linear[:] = linear_of_hex("#5c7a3c")
    found = []
    for number, (x, y) in enumerate(PLACES):
        sheet, black = round(SIDE * 0.7), round(SIDE / 2)
        linear[int(y) - sheet : int(y) + sheet, int(x) - sheet : int(x) + sheet] = PAPER
        linear[int(y) - black : int(y) + black, int(x) - black : int(x) + black] = 0.03
        half = SIDE / 2
        corners = np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])
        found.append(FoundMarker(number, corners))
    lit = linear * np.array(tint) * np.exp(slope * (np.arange(640) - 320) / 640)[None, :, None]
    lit = np.clip(lit, 0, 1)
    shown = np.where(lit <= 0.0031308, lit * 12.92, 1.055 * lit ** (1 / 2.4) - 0.055)
    return np.rint(shown * 255).astype(np.uint8), found


@pytest.mark.parametrize("tint", [(1.0, 1.0, 1.0), (0.55, 0.7, 0.85), (0.9, 0.75, 0.6)])
@pytest.mark.parametrize("slope", [0.0, 0.4, -0.3])
def test_a_colour_is_seen_as_it_is_under_any_light(tint: tuple[float, float, float], slope: float) -> None:
    frame, found = picture(tint, slope)
    light = estimate_light(frame, found)
    for x in (150, 320, 500):
        share = light.reflectance(frame[240:241, x], np.array([[x, 240]]))[0]
        assert share == pytest.approx(linear_of_hex("#5c7a3c"), rel=0.08)


@pytest.mark.parametrize("tint", [(0.7, 0.8, 0.9), (0.95, 0.8, 0.6)])
@pytest.mark.parametrize("slope", [0.3, -0.2])
def test_a_picture_levelled_roughly_looks_as_under_even_white_light(
    tint: tuple[float, float, float], slope: float
) -> None:
    frame, found = picture(tint, slope)
    places = np.stack(np.meshgrid(np.arange(640), np.arange(480)), axis=-1).astype(np.float32)
    levelled = estimate_light(frame, found).levelled(frame, places)
    wanted = [0x3C, 0x7A, 0x5C]
    for x, y in ((150, 240), (320, 200), (500, 240)):
        assert levelled[y, x].astype(float) == pytest.approx(wanted, abs=8)


def test_what_a_paint_is_expected_to_look_like_is_what_it_looks_like() -> None:
    frame, found = picture((0.6, 0.75, 0.9), 0.2)
    expected = estimate_light(frame, found).expected_bgr("#5c7a3c", np.array([[320.0, 240.0]]))[0]
    assert expected == pytest.approx(frame[240, 320].astype(float), abs=5)


def test_a_marker_in_a_shadow_is_outvoted() -> None:
    frame, found = picture((0.8, 0.8, 0.8), 0.0)
    x, y = (int(v) for v in PLACES[0])
    frame[y - 40 : y + 40, x - 40 : x + 40] = (frame[y - 40 : y + 40, x - 40 : x + 40] * 0.5).astype(np.uint8)
    white = estimate_light(frame, found).white_at(np.array([[320.0, 240.0]]))[0]
    assert white == pytest.approx([0.8, 0.8, 0.8], rel=0.15)


def test_without_markers_the_brightest_stands_for_white() -> None:
    frame = np.full((480, 640, 3), 60, np.uint8)
    cv2.rectangle(frame, (0, 0), (200, 200), (200, 210, 220), -1)
    white = estimate_light(frame, []).white_at(np.array([[320.0, 240.0]]))[0]
    assert white == pytest.approx(np.full(3, linear_of_srgb(220)) / PAPER, rel=0.05)
