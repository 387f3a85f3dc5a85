"""What repeats over the table, by its spectrum: the lattices that a printed grid may have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import scipy.fft
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.mats.records import Kind, Lattice, same
from vision.mats.straight import Straight

__all__ = ["Proposal", "least_size", "proposals"]

Floats = NDArray[np.float32]

#: How often a cell must at least repeat over the play area's smaller side.
_LEAST_CELLS = 3.0
_LEAST_PX = 9.0  # sides of cells are at least so far apart
_PEAKS = 60
_MOST = 14
_LEAST_RIDGE = 0.8  # deviations: what stands out less is the mat's grain
_MOST_RIDGE = 2.2
_LONG_MM = 22.0
_DIRECTIONS = 12
_GOES_ON = 0.45  # of a ridge less the grain, on average along a stroke
_STRONG = 5.0  # times the usual amplitude
_TURNS = {"hex": 60.0, "square": 90.0}
#: Wavelengths in a cell's size: the lines of hexes repeat every half of √3 sizes, along their sides.
_WAVE = {"hex": np.sqrt(3) / 2, "square": 1.0}


class Proposal(NamedTuple):
    """A lattice that may be there, and whether its lines are lighter than the mat."""

    lattice: Lattice
    light: bool


@dataclass(frozen=True, eq=False)
class _Spectrum:
    """``strength`` (F, G): the amplitude of each wave over the usual one.

    Rows are frequencies across the table's depth, 0 in the middle; columns those across its width, from 0.
    """

    strength: Floats
    step: tuple[float, float]  # frequency of one column and one row

    def strength_at(self, x: float, y: float) -> float:
        """The strength of the wave with so many periods a mm, the strongest within a cell of the spectrum."""
        if x < 0:
            x, y = -x, -y
        column, row = round(x / self.step[0]), round(y / self.step[1]) + self.strength.shape[0] // 2
        part = self.strength[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
        return float(part.max(initial=0.0))


def least_size(straight: Straight) -> float:
    """The size in mm of the smallest cells that the picture can show."""
    return _LEAST_PX * straight.px_mm


def proposals(straight: Straight, kind: Kind | None) -> list[Proposal]:
    """Lattices of squares and hexes (of one ``kind`` if told) that the picture may hold, the likeliest first."""
    kinds: tuple[Kind, ...] = ("hex", "square") if kind is None else (kind,)
    found: list[tuple[float, Proposal]] = []
    ridges = {light: _ridges(straight, light=light) for light in (False, True)}
    for light, picture in ridges.items():
        spectrum = _spectrum_of(picture, straight.px_mm)
        for one in kinds:
            for strength, size, turn in _of_kind(spectrum, straight, one):
                lattice = Lattice(kind=one, size_mm=size, middle_mm=(0.0, 0.0), turn_deg=turn)
                # overtones may be as strong as the first waves, but are shorter
                found.append((strength * float(np.sqrt(size)), Proposal(lattice, light)))
    told: list[Proposal] = []
    for _, likeliest in sorted(found, key=lambda entry: -entry[0]):
        if len(told) < _MOST and not any(_alike(likeliest, known) for known in told):
            told.append(likeliest)
    return [
        Proposal(replace(lattice, middle_mm=_middle(ridges[light], straight.px_mm, lattice)), light)
        for lattice, light in told
    ]


def _ridges(straight: Straight, *, light: bool) -> Floats:
    """What stands out as dark or light lines do, by how much; 0 elsewhere."""
    found = np.clip((straight.lines if light else -straight.lines) - _LEAST_RIDGE, 0, _MOST_RIDGE - _LEAST_RIDGE)
    # figures are short: of every direction, what goes on for a while is kept
    length = max(5, round(_LONG_MM / straight.px_mm)) | 1
    best = np.zeros_like(found, dtype=np.float32)
    for turn in range(_DIRECTIONS):
        best = np.maximum(
            best, cv2.filter2D(found.astype(np.float32), -1, _stroke(length, 180.0 * turn / _DIRECTIONS))
        )
    return np.asarray(np.where(best > _GOES_ON, found, 0.0), dtype=np.float32)


def _stroke(length_px: int, turn_deg: float) -> Floats:
    """A line of so many pixels, as weights that add up to 1."""
    stroke, half = np.zeros((length_px, length_px), np.float32), length_px // 2
    x, y = half * np.sin(np.radians(turn_deg)), half * np.cos(np.radians(turn_deg))
    ends = [(round(half + sign * x), round(half + sign * y)) for sign in (-1, 1)]
    cv2.line(stroke, ends[0], ends[1], 1.0)
    return np.asarray(stroke / stroke.sum(), dtype=np.float32)


def _alike(one: Proposal, other: Proposal) -> bool:
    """Whether two proposals are one lattice, as far as a spectrum can tell."""
    return one.light == other.light and same(one.lattice, other.lattice)


def _of_kind(spectrum: _Spectrum, straight: Straight, kind: Kind) -> Iterator[tuple[float, float, float]]:
    """The lattices of a kind whose first waves are all strong: their strength, size and turn."""
    depth, width = (length * straight.px_mm for length in straight.lines.shape)
    most = min(depth, width) / _LEAST_CELLS
    others = (60.0, 120.0) if kind == "hex" else (90.0,)
    for strength, x, y in _peaks(spectrum, least_size(straight) * _WAVE[kind], most * _WAVE[kind]):
        turned = [_turned(x, y, angle) for angle in others]
        weakest = min(strength, *(spectrum.strength_at(*wave) for wave in turned))
        if weakest < _STRONG:
            continue
        # the first waves of hexes run along their sides: 30 degrees on from the neighbour straight ahead
        bearing = float(np.degrees(np.arctan2(x, y))) - (30.0 if kind == "hex" else 0.0)
        yield weakest, 1 / float(np.hypot(x, y)) / _WAVE[kind], _least_turn(bearing, _TURNS[kind])


def _turned(x: float, y: float, angle_deg: float) -> tuple[float, float]:
    angle = np.radians(angle_deg)
    return float(x * np.cos(angle) + y * np.sin(angle)), float(y * np.cos(angle) - x * np.sin(angle))


def _least_turn(turn_deg: float, every_deg: float) -> float:
    """The same turn between minus and plus half of what leaves the lattice as it is."""
    return float((turn_deg + every_deg / 2) % every_deg - every_deg / 2)


def _spectrum_of(ridges: Floats, px_mm: float) -> _Spectrum:
    height, width = ridges.shape
    window = np.outer(np.hanning(height), np.hanning(width)).astype(np.float32)
    shape = tuple(cv2.getOptimalDFTSize(length) for length in (height, width))
    padded = np.zeros(shape, np.float32)
    padded[:height, :width] = (ridges - ridges.mean()) * window
    waves = np.fft.fftshift(np.abs(scipy.fft.rfft2(padded)), axes=0)
    step = 1 / (shape[1] * px_mm), 1 / (shape[0] * px_mm)
    # rows of a picture run down, those of the table up
    size = waves[::-1] if shape[0] % 2 else np.roll(waves[::-1], 1, axis=0)
    return _Spectrum((size / max(float(np.median(size)), 1e-6)).astype(np.float32), step)


def _peaks(spectrum: _Spectrum, least_mm: float, most_mm: float) -> Iterator[tuple[float, float, float]]:
    """The strongest waves of these lengths: strength, and periods a mm across and up, to a fraction of a cell."""
    strength, middle = spectrum.strength, spectrum.strength.shape[0] // 2
    local = strength >= cv2.dilate(strength, np.ones((5, 5), np.uint8)) - 1e-6
    rows, columns = np.nonzero(local & (strength > _STRONG))
    often = np.hypot(columns * spectrum.step[0], (rows - middle) * spectrum.step[1])
    wanted = (often >= 1 / most_mm) & (often <= 1 / least_mm)
    rows, columns = rows[wanted], columns[wanted]
    order = np.argsort(-strength[rows, columns])[:_PEAKS]
    for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        x, y = column + _vertex(strength, row, column, 1), row + _vertex(strength, row, column, 0)
        yield float(strength[row, column]), x * spectrum.step[0], (y - middle) * spectrum.step[1]


def _vertex(values: Floats, row: int, column: int, axis: int) -> float:
    """Where between its neighbours along an axis a peak is highest, from -0.5 to 0.5."""
    at, length = (row, column)[axis], values.shape[axis]
    if not 0 < at < length - 1:
        return 0.0
    line = values[:, column] if axis == 0 else values[row]
    low, mid, high = (float(line[at + k]) for k in (-1, 0, 1))
    bend = low - 2 * mid + high
    return float(np.clip(0.5 * (low - high) / bend, -0.5, 0.5)) if bend < 0 else 0.0


def _middle(ridges: Floats, px_mm: float, lattice: Lattice) -> tuple[float, float]:
    """Where a cell's middle is, by the phases of the lattice's first waves: there they are at their lowest."""
    height, width = ridges.shape
    first, kind = 30.0 if lattice.kind == "hex" else 0.0, lattice.kind
    bearings = np.radians([lattice.turn_deg + first, lattice.turn_deg + first + _TURNS[kind]])
    vectors = np.stack([np.sin(bearings), np.cos(bearings)], axis=1) / (lattice.size_mm * _WAVE[kind])
    x, y = (np.arange(width) + 0.5) * px_mm, (height - np.arange(height) - 0.5) * px_mm
    even = ridges - ridges.mean()
    phases = []
    for across, up in 2 * np.pi * vectors:
        # a row at a time first, in real numbers: quicker than complex ones over the whole picture
        rows = np.stack([np.cos(up * y), -np.sin(up * y)]).astype(np.float32) @ even
        phases.append(float(np.angle(((rows[0] + 1j * rows[1]) * np.exp(-1j * across * x)).sum())))
    middle = np.linalg.solve(vectors, -(np.array(phases) + np.pi) / (2 * np.pi))
    return float(middle[0]), float(middle[1])
