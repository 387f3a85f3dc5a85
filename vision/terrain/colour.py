"""What lamp, white balance and contrast make of a paint, told by the white and the black of the prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.prints.markers import FoundMarker
from vision.lookups import looked_up

__all__ = [
    "DARKEST", "Light", "Shade", "hues_off", "light_of", "lightness_roots", "linear_of", "paint_of", "whites_of",
]  # fmt: skip

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

DARKEST = 0.002  # light: no paint sends back less, and a picture's steps tell none of it apart
_PAPER = 0.9  # how much light printing paper sends back
_INK = 0.047  # and printer's black
_LEAST_SIDE = 0.6  # of the largest print's: what is seen of smaller ones is mixed with what lies beside it
_MARGIN = (1.08, 1.13)  # where a print's white margin lies, as a share of its half side
_BORDER = (0.81, 0.86)  # and the middle of its black border
_LEAST_RING = 24
_TONE_KEPT = 0.06  # a power this near to one (in logarithms) is within what printers differ by
_CLIPPED = 0.95  # light of which a camera may have cut off the rest
_TONES = (0.65, 1.5)
_FLAT = 0.05  # how strongly shading is taken to be even where few markers tell
_UNTINTED = 0.05  # and to be of one colour
_GREY = np.array([0.114, 0.587, 0.299])  # what blue, green and red add to the grey of a colour (ITU-R BT.601)
_DISPLAY = 2.2  # the power by which levels of a picture stand for light, nearly


def _srgb_table() -> Floats:
    grey = np.arange(256) / 255.0
    return np.where(grey <= 0.04045, grey / 12.92, ((grey + 0.055) / 1.055) ** 2.4)


_LINEAR = _srgb_table()


@dataclass(frozen=True, eq=False)
class Shade:
    """How light each place of a picture is where that changes from place to place, as with shadows.

    ``logs`` (R, C, 3) are the logarithms at pixels from ``first_px`` (2,) in steps of ``step_px`` (2,).
    """

    logs: Floats32
    first_px: Floats
    step_px: Floats

    def at(self, points_px: Floats) -> Floats:
        """The logarithms (N, 3) at pixels (N, 2); beyond the places told, as at the nearest."""
        places = (np.asarray(points_px, dtype=np.float64) - self.first_px) / self.step_px
        return np.asarray(looked_up(self.logs, places.astype(np.float32), border=cv2.BORDER_REPLICATE), np.float64)


@dataclass(frozen=True, eq=False)
class Light:
    """The light over a table: its cast (3,) BGR, the contrast's power, and shading over the picture.

    ``slopes`` (4, 3) are the logarithm's in each channel: constant, across, down, and with the squared distance
    from the middle, in half widths of a picture of ``size_px`` (width, height).
    """

    cast: Floats
    tone: float
    slopes: Floats
    size_px: tuple[int, int]
    shade: Shade | None = None

    def shading(self, points_px: Floats) -> Floats:
        """How bright (N, 3) a surface is that shows at pixels (N, 2), against one in middling light."""
        logs = _terms(points_px, *self.size_px) @ self.slopes
        return np.asarray(np.exp(logs if self.shade is None else logs + self.shade.at(points_px)))

    def gain(self, points_px: Floats) -> Floats:
        """By what (N, 3) the levels at pixels (N, 2) are multiplied to be as in middling light."""
        return np.asarray(self.shading(points_px) ** (-1.0 / _DISPLAY))

    def levels(self) -> Floats32:
        """For each level (256, 3) of a picture in middling light, what a surface sends back in white light."""
        share = _LINEAR[:, None] / self.cast
        return np.asarray(_PAPER * (share if self.tone == 1.0 else share**self.tone), dtype=np.float32)


def linear_of(values: Image) -> Floats32:
    """sRGB levels, 0 to 255, as light, 0 to 1; any shape."""
    return _LINEAR.astype(np.float32)[values]


def paint_of(colour: str, vividness: float = 1.0) -> Floats:
    """A colour such as ``#2e5a2c`` as the light (3,) BGR that it sends back in white light.

    Seen by a camera that makes colours so many times as vivid: levels lie so many times as far from their grey.
    """
    levels = np.array([int(colour[i : i + 2], 16) for i in (5, 3, 1)], dtype=np.float64)
    grey = float(levels @ _GREY)
    seen = np.clip(np.rint(grey + vividness * (levels - grey)), 0, 255).astype(np.uint8)
    return np.asarray(_LINEAR[seen], dtype=np.float64)


def lightness_roots(light: Floats32) -> Floats32:
    """Light, 0 to 1, as cube roots, in which noise and the eye's differences are about even; any shape."""
    return np.cbrt(np.maximum(light, DARKEST))


def hues_off(roots: Floats32, colour: Floats32) -> Floats32:
    """How far the hues of colours (N, 3) lie from another's (3,): tangents of the angles between them."""
    unit = colour / float(np.linalg.norm(colour))
    along = roots @ unit
    across = np.sqrt(np.maximum(np.einsum("...i,...i", roots, roots) - along * along, 0.0))
    return np.asarray(across / np.maximum(along, 0.01), dtype=np.float32)


def light_of(picture_bgr: Image, found: Sequence[FoundMarker], shade: Shade | None = None) -> Light:
    """The light of a picture (H, W, 3), from the white margins and the black of the markers found in it.

    The whites tell the cast and the shading: a slope and a falling off towards the corners. How dark their black
    is tells what a camera's contrast setting did to the tones. Without markers, even white light. Where the
    ``shade`` is known, it takes the place of that shading, which markers in a shadow had bent.
    """
    size = picture_bgr.shape[1], picture_bgr.shape[0]
    places, whites, blacks = _prints(picture_bgr, found)
    if not len(places):
        return Light(np.ones(3), 1.0, np.zeros((4, 3)), size, shade)
    if shade is not None:
        logs = np.log(whites) - shade.at(places)
        grey = logs.mean(axis=1, keepdims=True)
        cast = np.median(grey) + np.median(logs - grey, axis=0)
        return Light(np.exp(cast), _tone(whites, blacks), np.zeros((4, 3)), size, shade)
    cast = np.median(np.log(whites), axis=0)
    slopes = _slopes(_terms(places, *size), np.log(whites) - cast)
    return Light(np.exp(cast), _tone(whites, blacks), slopes, size)


def whites_of(picture_bgr: Image, found: Sequence[FoundMarker]) -> tuple[Floats, Floats]:
    """Where the markers of a picture (H, W, 3) lie (N, 2) in px whose white a camera has not cut off, and how light
    (N, 3) that is."""
    places, whites, _ = _prints(picture_bgr, found)
    whole = whites.max(axis=1, initial=0.0) < _CLIPPED
    return places[whole], whites[whole]


def _tone(whites: Floats, blacks: Floats) -> float:
    """The power that makes a print's black as dark beside its white as ink is; 1 where it nearly is, or white is
    burnt out and tells nothing."""
    if float(np.median(whites.max(axis=1))) > _CLIPPED:
        return 1.0
    seen = float(np.median((blacks / whites).mean(axis=1)))
    tone = np.log(_INK / _PAPER) / np.log(np.clip(seen, 1e-3, 0.5))
    return 1.0 if abs(np.log(tone)) < _TONE_KEPT else float(np.clip(tone, *_TONES))


def _prints(picture: Image, found: Sequence[FoundMarker]) -> tuple[Floats, Floats, Floats]:
    """Where markers lie (N, 2) in px, and the light (N, 3) of their white margins and of their black borders."""
    places, whites, blacks = [], [], []
    largest = max((marker.side_px for marker in found), default=0.0)
    for marker in found:
        if marker.side_px < _LEAST_SIDE * largest:
            continue
        margin = _ring(picture, marker, _MARGIN)
        if len(margin) < _LEAST_RING:
            continue
        places.append(marker.corners_px.mean(axis=0))
        whites.append(np.percentile(margin, 60, axis=0))
        blacks.append(np.percentile(_ring(picture, marker, _BORDER), 40, axis=0))
    white, black = np.array(whites).reshape(-1, 3), np.array(blacks).reshape(-1, 3)
    return np.array(places).reshape(-1, 2), np.maximum(white, 1e-3), np.maximum(black, 1e-4)


def _ring(picture: Image, marker: FoundMarker, shares: tuple[float, ...]) -> Floats32:
    """The light (N, 3) on squares about a marker's centre, of these shares of its size."""
    centre = marker.corners_px.mean(axis=0)
    along = np.linspace(0.1, 0.9, 24)[:, None, None]
    rings = []
    for share in shares:
        corners = centre + (marker.corners_px - centre) * share
        rings.append((corners * (1 - along) + np.roll(corners, -1, axis=0) * along).reshape(-1, 2))
    points = np.rint(np.concatenate(rings)).astype(int)
    inside = (points >= 0).all(axis=1) & (points < (picture.shape[1], picture.shape[0])).all(axis=1)
    return linear_of(picture[points[inside, 1], points[inside, 0]])


def _terms(places: Floats, width: int, height: int) -> Floats:
    centred = (np.asarray(places, dtype=np.float64) - (width / 2, height / 2)) / (width / 2)
    return np.column_stack([np.ones(len(centred)), centred, (centred**2).sum(axis=1)])


def _slopes(terms: Floats, logs: Floats) -> Floats:
    """The shading (4, 3) that fits best while staying as even as it may: what all channels share, and what a window
    on one side and a lamp on the other make of each."""
    shared = logs.mean(axis=1, keepdims=True)
    slopes = _held_even(terms, shared, _FLAT)
    tints = np.zeros((4, 3))
    tints[:3] = _held_even(terms[:, :3], logs - shared, _UNTINTED)
    return slopes + tints


def _held_even(terms: Floats, logs: Floats, firmly: float) -> Floats:
    """Slopes (T, C) of logarithms (N, C) in terms (N, T), the first of which is 1 and costs nothing."""
    held = len(terms) * firmly * np.diag([0.0, *np.ones(terms.shape[1] - 1)])
    return np.asarray(np.linalg.solve(terms.T @ terms + held + 1e-9 * np.eye(len(held)), terms.T @ logs))
