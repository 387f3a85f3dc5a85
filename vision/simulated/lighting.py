"""What lamp, lens and sensor do to a clean picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.records import Image
from vision.simulated.painting import Box, join_boxes
from vision.simulated.virtual import Effects

__all__ = ["Sensor"]

_SPARE_PX = 64
_TAKES = 3  # so many frames of a film differ by their noise
_BLOCK_PX = 16  # in which JPEG packs, colours halved
_BANDS = 3.3  # a lamp on the mains flickers so often while a rolling shutter reads one picture
_LEVELS = 1 << 12
_READ_NOISE = 0.25  # of the noise at mid grey; the rest grows with the light

Light = NDArray[np.float32]
Pixels = NDArray[np.integer[Any] | np.floating[Any]]


@dataclass(frozen=True)
class _Grain:
    """The noise of one frame: where in the pattern of noise it begins, and how far the lamp's bands have come."""

    x: int
    y: int
    phase: float


@dataclass(eq=False)
class _Take:
    """A frame of a film, and the box of it that no longer shows what is there."""

    image: Image
    grain: _Grain
    outdated: Box | None = None


class Sensor:
    """Turns clean pictures into what a camera gives; the noise is drawn from ``rng``.

    `develop` brings the light that arrives up to date; `expose` takes a frame of it, `film` one of a film.
    """

    def __init__(self, size_px: tuple[int, int], effects: Effects, rng: np.random.Generator) -> None:
        self._effects = effects
        self._rng = rng
        self._gain = _gain(size_px, effects)
        width, height = size_px
        self._lit = np.zeros((height, width, 3), np.float32 if effects.linear else np.uint8)
        self._whole = (0, 0, width, height)
        self._takes: list[_Take] = []
        self._filmed = 0
        self._noise = _grain((height + _SPARE_PX, width + _SPARE_PX, 3), effects, rng)

    def develop(self, clean: Image, box: Box) -> None:
        """Brings up to date what a box, in pixels, of the clean picture (H, W, 3), and what it blurs into, looks
        like in this light."""
        margin = int(4 * self._effects.blur_px + self._effects.defocus_px) + 1
        height, width = clean.shape[:2]
        left, top = max(0, box[0] - margin), max(0, box[1] - margin)
        right, bottom = min(width, box[2] + margin), min(height, box[3] + margin)
        x0, y0 = max(0, left - margin), max(0, top - margin)
        part: Pixels = clean[y0 : bottom + margin, x0 : right + margin]
        if self._effects.linear:
            part = _LIGHT_OF_LEVEL[part]
        if self._effects.defocus_px:
            part = cv2.filter2D(part, -1, _disc(self._effects.defocus_px))
        if self._effects.blur_px:
            part = cv2.GaussianBlur(part, (0, 0), self._effects.blur_px)
        part = part[top - y0 : bottom - y0, left - x0 : right - x0]
        lit, gain = self._lit[top:bottom, left:right], self._gain[top:bottom, left:right]
        cv2.multiply(part, gain, dst=lit, dtype=cv2.CV_32F if self._effects.linear else cv2.CV_8U)
        for take in self._takes:
            parts = [(left, top, right, bottom)] + ([take.outdated] if take.outdated is not None else [])
            take.outdated = join_boxes(parts)

    def expose(self) -> Image:
        """One frame (H, W, 3): fresh noise and flicker, and the loss of compression."""
        return self._exposed(self._whole, self._grain())

    def film(self) -> Image:
        """One frame of a film, not to be written to: a few frames with noise and flicker of their own, which come
        round again and are exposed anew only where something has been developed since."""
        at = self._filmed % _TAKES
        self._filmed += 1
        if at == len(self._takes):
            grain = self._grain()
            self._takes.append(_Take(self._exposed(self._whole, grain), grain))
        take = self._takes[at]
        if take.outdated is not None:
            take.image = take.image.copy()  # whoever was given the other keeps it
            self._retake(take, take.outdated)
            take.outdated = None
        return take.image

    def _retake(self, take: _Take, box: Box) -> None:
        """Exposes a box anew, with as much about it as sharpening and compression draw in."""
        width, height = self._whole[2:]
        left, top = (max(0, edge // _BLOCK_PX * _BLOCK_PX - _BLOCK_PX) for edge in box[:2])
        right, bottom = min(width, box[2] + 2 * _BLOCK_PX), min(height, box[3] + 2 * _BLOCK_PX)
        part = self._exposed((left, top, right, bottom), take.grain)
        inner = part[box[1] - top : box[3] - top, box[0] - left : box[2] - left]
        take.image[box[1] : box[3], box[0] : box[2]] = inner

    def _grain(self) -> _Grain:
        phase = float(self._rng.uniform(0, 2 * np.pi)) if self._effects.flicker else 0.0
        x, y = self._rng.integers(0, _SPARE_PX, 2) if self._noise is not None else (0, 0)
        return _Grain(int(x), int(y), phase)

    def _exposed(self, box: Box, grain: _Grain) -> Image:
        left, top, right, bottom = box
        lit = self._lit[top:bottom, left:right]
        frame = self._exposed_light(lit, box, grain) if self._effects.linear else self._levels_of(lit, box, grain)
        if self._effects.colour != 1.0:
            grey = cv2.cvtColor(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
            frame = np.asarray(
                cv2.addWeighted(frame, self._effects.colour, grey, 1 - self._effects.colour, 0), np.uint8
            )
        if self._effects.sharpen:
            soft = cv2.GaussianBlur(frame, (0, 0), 1.0)
            share = self._effects.sharpen
            frame = np.asarray(cv2.addWeighted(frame, 1 + share, soft, -share, 0), dtype=np.uint8)
        if self._effects.jpeg_quality:
            _, packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self._effects.jpeg_quality])
            return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
        return frame.copy() if np.shares_memory(frame, self._lit) else frame

    def _levels_of(self, lit: Pixels, box: Box, grain: _Grain) -> Image:
        frame = lit
        if self._effects.flicker:
            frame = cv2.multiply(
                frame, self._flicker(box, grain) * np.ones_like(frame, np.float32), dtype=cv2.CV_8U
            )
        if self._noise is not None:
            frame = cv2.add(frame, self._noise_of(self._noise, box, grain), dtype=cv2.CV_8U)
        return np.asarray(frame, dtype=np.uint8)

    def _exposed_light(self, lit: Pixels, box: Box, grain: _Grain) -> Image:
        light = lit * self._flicker(box, grain) if self._effects.flicker else lit
        if self._noise is not None:
            # of 255 at mid grey (0.21 of the light), where a level is 1 / 1.2 of a 255th of the light
            amount = np.sqrt(_READ_NOISE**2 + (1 - _READ_NOISE**2) * np.maximum(light, 0) / 0.21)
            light = light + amount * self._noise_of(self._noise, box, grain)
        steps = np.clip(light * (_LEVELS - 1) + 0.5, 0, _LEVELS - 1).astype(np.uint16)
        return np.asarray(_LEVEL_OF_LIGHT[steps], dtype=np.uint8)

    @staticmethod
    def _noise_of(noise: Pixels, box: Box, grain: _Grain) -> Pixels:
        left, top, right, bottom = box
        return noise[grain.y + top : grain.y + bottom, grain.x + left : grain.x + right]

    def _flicker(self, box: Box, grain: _Grain) -> Light:
        """The light (H, 1, 1) of each row of a box in this frame."""
        rows = np.linspace(0, 2 * np.pi * _BANDS, self._lit.shape[0])[box[1] : box[3]] + grain.phase
        return np.asarray(1 + self._effects.flicker * np.sin(rows), dtype=np.float32)[:, None, None]


def _encoded(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Light 0-1 as levels 0-1, by the curve of sRGB."""
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)


def _decoded(level: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)


_LIGHT_OF_LEVEL = _decoded(np.arange(256) / 255.0).astype(np.float32)
_LEVEL_OF_LIGHT = np.rint(255 * _encoded(np.arange(_LEVELS) / (_LEVELS - 1))).astype(np.uint8)


def _grain(shape: tuple[int, int, int], effects: Effects, rng: np.random.Generator) -> Pixels | None:
    """The noise (H, W, 3): in levels, or in shares of the light where light is what is added up."""
    if not effects.noise:
        return None
    noise = rng.standard_normal(shape, dtype=np.float32) * np.float32(effects.noise)
    return noise * np.float32(0.0034) if effects.linear else np.rint(noise).astype(np.int16)


def _disc(radius_px: float) -> Light:
    """The even disc that a point out of focus makes, with soft edges."""
    reach = int(radius_px) + 1
    x, y = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    disc = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(disc / disc.sum(), dtype=np.float32)


def _gain(size_px: tuple[int, int], effects: Effects) -> Light:
    """The light (H, W, 3) that arrives from each pixel, 1 for a white well lit."""
    width, height = size_px
    x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32))
    turn = np.radians(effects.lamp_deg)
    there = np.clip(0.5 + 0.39 * (x * np.sin(turn) - y * np.cos(turn)), 0, 1)
    lamp = 1 - effects.lamp * there
    corners = 1 - effects.vignetting * (x**2 + y**2) / 2
    gain = (lamp * corners * effects.exposure)[:, :, None] * np.array(effects.cast, np.float32)
    if effects.window:
        gain = gain * (1 + effects.window * (2 * there[:, :, None] - 1) * np.array([1, 0, -1], np.float32))
    return np.asarray(gain, dtype=np.float32)
