"""The scale of a survey: lengths measured with a tape against what the size of the prints makes of them.

Printers are off by some tenths of a per cent, which is millimetres over a table; a tape over a long span is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.errors import JobFailed
from calibration.records import MarkerAt

__all__ = ["Length", "Scale", "scale_by"]

Points = NDArray[np.float64]

_CONTRADICTS_MM = 4.0  # a tape in careful hands is right to two or three
_HOPELESS_MM = 8.0  # lengths that contradict each other by more give no scale
_DISAGREES = 0.001  # a tape and the prints that disagree by more are worth a word
_PRINTERS = 0.004  # by this share are ordinary printers off


@dataclass(frozen=True)
class Length:
    """The distance ``by_tape_mm`` of two markers' centres, and what the prints' size makes it."""

    first: int
    second: int
    by_tape_mm: float
    by_prints_mm: float = 0.0
    used: bool = True


@dataclass(frozen=True)
class Scale:
    """By how much everything is to be scaled, by which lengths, and what is to be said of it."""

    factor: float
    lengths: tuple[Length, ...]
    warnings: tuple[str, ...]


def scale_by(lengths: Sequence[Length], markers: Sequence[MarkerAt], size_mm: float) -> Scale:
    """The tapes' lengths over the prints'.

    Long spans count more. Of three or more, those that contradict the others are left out and named. Raises
    JobFailed for a length to a marker that no photo shows, and for lengths that give no scale at all.
    """
    if not lengths:
        return Scale(1.0, (), (_untold(markers),))
    places = {m.id: np.array([m.x_mm, m.y_mm, m.z_mm]) for m in markers}
    told = [_photographed(length, places) for length in lengths]
    used = _agreeing(told)
    factor = _factor([told[i] for i in used])
    if any(abs(_off_mm(told[i], factor)) > _HOPELESS_MM for i in used):
        raise JobFailed(_contradiction(told))
    marked = tuple(
        Length(t.first, t.second, t.by_tape_mm, t.by_prints_mm, used=i in used) for i, t in enumerate(told)
    )
    return Scale(factor, marked, tuple(_said(marked, factor, size_mm)))


def _photographed(length: Length, places: Mapping[int, Points]) -> Length:
    missing = [i for i in (length.first, length.second) if i not in places]
    if missing:
        raise JobFailed(
            f"--length {length.first}:{length.second}: marker {missing[0]} is in no photo; measure between two that"
            " are"
        )
    apart = float(np.linalg.norm(places[length.first] - places[length.second]))
    return Length(length.first, length.second, length.by_tape_mm, apart)


def _factor(lengths: Sequence[Length]) -> float:
    """The scale that fits lengths best, each right to the same number of millimetres."""
    tape, prints = (np.array([getattr(t, name) for t in lengths]) for name in ("by_tape_mm", "by_prints_mm"))
    return float((tape @ prints) / (prints @ prints))


def _off_mm(length: Length, factor: float) -> float:
    return length.by_tape_mm - factor * length.by_prints_mm


def _agreeing(lengths: Sequence[Length]) -> list[int]:
    """Which lengths to use: without any that the others, three in all or more, contradict."""
    used = list(range(len(lengths)))
    while len(used) > 2:
        off = []
        for i in used:
            others = [lengths[k] for k in used if k != i]
            factor = _factor(others)
            agree = max(abs(_off_mm(other, factor)) for other in others) <= _CONTRADICTS_MM
            off.append((agree, abs(_off_mm(lengths[i], factor)), i))
        agree, most, worst = max(off)
        if most <= _CONTRADICTS_MM or (not agree and len(used) == 3):
            break
        used.remove(worst)
    return used


def _contradiction(lengths: Sequence[Length]) -> str:
    each = ", ".join(
        f"{t.first}:{t.second}={t.by_tape_mm:g} makes everything"
        f" {100 * (t.by_tape_mm / t.by_prints_mm - 1):+.2f} % larger than the prints' size does"
        for t in lengths
    )
    return f"the lengths contradict each other: {each}; measure again, between the centres of the markers"


def _said(lengths: Sequence[Length], factor: float, size_mm: float) -> list[str]:
    """The disagreement of tape and prints, and of the tapes among each other."""
    said = []
    for t in lengths:
        off = _off_mm(t, factor)
        if not t.used or abs(off) > _CONTRADICTS_MM / 2:
            what = "left out: measure it again" if not t.used else "measure them again, between the centres"
            others = "the other lengths" if len(lengths) > 2 else "the other length"
            said.append(
                f"the length {t.first}:{t.second}={t.by_tape_mm:g} contradicts {others} by {off:+.1f} mm; {what}"
            )
    if abs(factor - 1) > _DISAGREES:
        each = "; ".join(
            f"{t.by_tape_mm:g} mm from {t.first} to {t.second}, the prints' size {t.by_prints_mm:.1f} mm"
            for t in lengths
            if t.used
        )
        said.append(
            f"the tape says {each} ({100 * (factor - 1):+.2f} %): all is scaled to the tape, markers to"
            f" {size_mm * factor:.2f} mm"
        )
    if abs(factor - 1) > 3 * _PRINTERS:
        said.append(
            f"no printer is off by {100 * abs(factor - 1):.1f} %: is the size of the markers {size_mm:g} mm, over"
            " the black square, and was the tape laid from centre to centre?"
        )
    return said


def _untold(markers: Sequence[MarkerAt]) -> str:
    """That the scale rests on the prints alone, and which length would tell it."""
    places = np.array([(m.x_mm, m.y_mm) for m in markers])
    apart = np.linalg.norm(places[:, None] - places, axis=2)
    a, b = (int(i) for i in np.unravel_index(int(apart.argmax()), apart.shape))
    first, second = sorted((markers[a].id, markers[b].id))
    return (
        f"the scale rests on the size of the prints alone, which printers get wrong by up to {100 * _PRINTERS:g} %"
        f" ({_PRINTERS * apart.max():.0f} mm over this table): measure from the centre of marker {first} to that of"
        f" {second} with a tape and give it as --length {first}:{second}=MM"
    )
