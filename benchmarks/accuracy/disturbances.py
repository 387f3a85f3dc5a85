"""Disturbances of a picture that leave its truth valid: a measurement should hardly notice them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from msgspec.structs import replace as changed
from numpy.typing import NDArray

from benchmarks.accuracy.cases import Case, packed, unpacked
from calibration.records import Army, Intrinsics
from vision.frames.records import Image

Disturbance = Callable[[Case], Case]


def _pictures(change: Callable[[Image], Image]) -> Disturbance:
    """A disturbance of the pictures alone."""

    def disturb(case: Case) -> Case:
        empty = None if case.empty is None else change(case.empty)
        return replace(case, photo=change(case.photo), empty=empty, photo_file=b"", empty_file=b"")

    return disturb


def _through(
    curve: Callable[[NDArray[np.float64]], NDArray[np.float64]], bands: tuple[int, ...] = (0, 1, 2)
) -> Disturbance:
    """Every level 0-1 of some bands (blue, green, red) through a curve."""
    levels = np.clip(curve(np.linspace(0, 1, 256)) * 255 + 0.5, 0, 255).astype(np.uint8)

    def change(picture: Image) -> Image:
        result = picture.copy()
        for band in bands:
            result[:, :, band] = levels[picture[:, :, band]]
        return result

    return _pictures(change)


def _colour(share: float) -> Disturbance:
    """So many times the colour, as cameras' settings for it have it: what a pixel has beyond its grey."""

    def change(picture: Image) -> Image:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[:, :, None].astype(np.float32)
        return np.clip(grey + share * (picture - grey) + 0.5, 0, 255).astype(np.uint8)

    return _pictures(change)


def _squeezed(v: NDArray[np.float64]) -> NDArray[np.float64]:
    """Levels with the highlights squeezed, as cameras do lest they burn out."""
    return np.asarray(v + 0.35 * v * (1 - v))


def _steeper(v: NDArray[np.float64]) -> NDArray[np.float64]:
    """Levels through the S of a contrast setting."""
    return np.asarray(0.5 * v + 0.5 * v**2 * (3 - 2 * v))


def _gains(blue: float, green: float, red: float) -> Disturbance:
    gains = np.array([blue, green, red])
    return _pictures(lambda picture: np.clip(picture * gains + 0.5, 0, 255).astype(np.uint8))


def _noise(sigma: float) -> Disturbance:
    def change(picture: Image) -> Image:
        noise = np.random.default_rng(1).standard_normal(picture.shape, np.float32) * sigma
        return np.clip(picture + noise + 0.5, 0, 255).astype(np.uint8)

    return _pictures(change)


def _blur(sigma_px: float) -> Disturbance:
    return _pictures(lambda picture: np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), dtype=np.uint8))


def _jpeg(quality: int) -> Disturbance:
    return _pictures(lambda picture: unpacked(packed(picture, quality)))


def _scaled(factor: float) -> Disturbance:
    def disturb(case: Case) -> Case:
        lens = case.intrinsics
        width, height = round(lens.width_px * factor), round(lens.height_px * factor)
        kind = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
        resized = _pictures(
            lambda p: np.asarray(cv2.resize(p, (width, height), interpolation=kind), dtype=np.uint8)
        )
        x, y = width / lens.width_px, height / lens.height_px
        # pixel centres are at integers: the picture's corner is at -0.5 and stays there
        other = changed(
            lens, width_px=width, height_px=height, fx=lens.fx * x, fy=lens.fy * y,
            cx=(lens.cx + 0.5) * x - 0.5, cy=(lens.cy + 0.5) * y - 0.5,
        )  # fmt: skip
        return replace(resized(case), intrinsics=other)

    return disturb


def turned(case: Case) -> Case:
    """The picture upside down, as of a camera that is mounted the other way round."""
    lens = case.intrinsics
    k1, k2, p1, p2, k3 = lens.dist
    other: Intrinsics = changed(
        lens, cx=lens.width_px - 1 - lens.cx, cy=lens.height_px - 1 - lens.cy, dist=(k1, k2, -p1, -p2, k3)
    )
    upside_down = _pictures(lambda picture: np.ascontiguousarray(picture[::-1, ::-1]))
    return replace(upside_down(case), intrinsics=other)


def _absent(colour: str) -> Disturbance:
    """An army that is declared, and of which nothing stands on the table."""

    def disturb(case: Case) -> Case:
        armies = case.table.armies
        kinds = armies[0].bases if armies else ()
        extra = Army(name="absent", base_colour=colour, front_mark="#f4f0e0", bases=kinds)
        return replace(case, table=changed(case.table, armies=(*armies, extra)))

    return disturb


DISTURBANCES: dict[str, Disturbance] = {
    "as it is": lambda case: case,
    "warm": _gains(0.86, 1.0, 1.10),
    "cold": _gains(1.12, 1.0, 0.88),
    "greenish": _gains(0.94, 1.06, 0.92),
    "gamma 0.8": _through(lambda v: v**0.8),
    "gamma 1.25": _through(lambda v: v**1.25),
    "highlights squeezed": _through(_squeezed),
    "more contrast": _through(_steeper),
    "more colour": _colour(1.35),
    "less colour": _colour(0.7),
    "exposure x0.7": _through(lambda v: v * 0.7),
    "exposure x1.3": _through(lambda v: v * 1.3),
    "noise 4": _noise(4.0),
    "noise 8": _noise(8.0),
    "blur 0.7 px": _blur(0.7),
    "blur 1.2 px": _blur(1.2),
    "JPEG 75": _jpeg(75),
    "JPEG 50": _jpeg(50),
    "scale 2/3": _scaled(2 / 3),
    "scale 1.5": _scaled(1.5),
    "turned 180": turned,
    "absent black": _absent("#202024"),
    "absent white": _absent("#e9e6dc"),
    "absent mat green": _absent("#5d6f38"),
    "absent river blue": _absent("#3f6f8f"),
}
