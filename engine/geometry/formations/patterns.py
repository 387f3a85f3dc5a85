"""Whether units stand as a rulebook wants a line, a column or a mob to: its numbers come in, verdicts come out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.certainty import Verdict, Verdicts, all_of, at_least, at_most, settled
from engine.geometry.formations.ranks import Rows, coherence, neighbour_gaps, rows_across, spacing
from engine.geometry.shapes.bases import Bases
from engine.geometry.shapes.units import footprints, greatest

__all__ = ["Pattern", "Shape", "classify", "matches", "shapes"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """What a formation asks for; None where it does not care. All limits are inclusive.

    ``ranks`` and ``files`` are the fewest and the most; ``touching`` whether all bases are to hang together by
    contact; ``least_gap_widths`` and ``most_gap_widths`` hold for the gaps between neighbours in a rank, in base
    widths; ``least_spacing_mm`` and ``most_spacing_mm`` for the gap from each figure to the nearest of its unit;
    ``wider`` whether it is to be wider than deep, or with False deeper than wide; ``even`` how much the sizes of
    ranks may differ.
    """

    ranks: tuple[int, int] | None = None
    files: tuple[int, int] | None = None
    touching: bool | None = None
    least_gap_widths: float | None = None
    most_gap_widths: float | None = None
    least_spacing_mm: float | None = None
    most_spacing_mm: float | None = None
    wider: bool | None = None
    even: int | None = None


@dataclass(frozen=True, eq=False)
class Shape:
    """How ``u`` units stand: figures, ranks and files, width and depth, contact, gaps; ``uneven`` is by how much
    the sizes of a unit's ranks differ."""

    number: NDArray[np.intp]
    ranks: Rows
    files: Rows
    uneven: NDArray[np.intp]
    width_mm: Array
    depth_mm: Array
    sigma_mm: Array
    touching: Verdicts
    least_gap_widths: Array
    most_gap_widths: Array
    gap_sigma_widths: Array
    least_spacing_mm: Array
    most_spacing_mm: Array
    spacing_sigma_mm: Array


def shapes(bases: Bases, units: ArrayLike, facing_deg: Array, step_mm: ArrayLike, touch_mm: float) -> Shape:
    """How units of figures stand, each facing a bearing (u,).

    ``step_mm``, one number or (u,), is how far centres may be apart along the facing to be of one rank, and across
    it to be of one file; bases at most ``touch_mm`` apart touch.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> row = bases_of([(0, 0), (25, 0), (50, 0)], [Round(diameter_mm=25)] * 3, [0] * 3)
    >>> shape = shapes(row, [0] * 3, np.zeros(1), 12.5, 1.0)
    >>> wanted = {"line": Pattern(ranks=(1, 1), touching=True), "mob": Pattern(ranks=(2, 9), touching=True)}
    >>> classify(shape, wanted)
    (('line',), ((),))
    """
    of, count = np.asarray(units, dtype=np.intp), len(facing_deg)
    ranks = rows_across(bases, of, facing_deg, step_mm)
    files = rows_across(bases, of, np.asarray(facing_deg) - 90.0, step_mm)
    sizes = ranks.sizes(of)
    uneven = np.array([int(np.ptp(row[:n])) if n else 0 for row, n in zip(sizes, ranks.count, strict=True)], int)
    body = footprints(bases, of, count, facing_deg)
    chained = coherence(bases, of, count, touch_mm)[2]
    beside, near = neighbour_gaps(bases, of, facing_deg, ranks), spacing(bases, of)
    own = of[beside.left]
    least, most = -greatest(-beside.gap_widths, own, count)[0], greatest(beside.gap_widths, own, count)[0]
    other = near.nearest >= 0
    members = np.where(other, of, -1)
    return Shape(
        number=np.bincount(of[of >= 0], minlength=count), ranks=ranks, files=files, uneven=uneven,
        width_mm=body.width, depth_mm=body.depth, sigma_mm=body.sigma_mm * np.sqrt(2), touching=chained,
        least_gap_widths=least, most_gap_widths=most,
        gap_sigma_widths=np.maximum(greatest(beside.sigma_widths, own, count)[0], 0.0),
        least_spacing_mm=-greatest(np.where(other, -near.gap_mm, 0.0), members, count)[0],
        most_spacing_mm=greatest(np.where(other, near.gap_mm, 0.0), members, count)[0],
        spacing_sigma_mm=np.maximum(greatest(near.sigma_mm, members, count)[0], 0.0),
    )  # fmt: skip


def matches(shape: Shape, pattern: Pattern) -> Verdicts:
    """(u,) whether units stand as a pattern asks; a unit without figures does not.

    A unit of one figure has no gaps, so that none is too wide or too narrow.
    """
    found = [settled(shape.number > 0)]
    for rows, wanted in ((shape.ranks, pattern.ranks), (shape.files, pattern.files)):
        if wanted is not None:
            fits = (rows.count >= wanted[0]) & (rows.count <= wanted[1])
            found.append(settled(fits, rows.settled != Verdict.YES))
    if pattern.even is not None:
        found.append(settled(shape.uneven <= pattern.even, shape.ranks.settled != Verdict.YES))
    if pattern.touching is not None:
        found.append(shape.touching if pattern.touching else np.asarray(2 - shape.touching, dtype=np.int8))
    if pattern.wider is not None:
        more = shape.width_mm - shape.depth_mm if pattern.wider else shape.depth_mm - shape.width_mm
        found.append(np.asarray(2 - at_most(more, 0.0, shape.sigma_mm), dtype=np.int8))
    gap, space = shape.gap_sigma_widths, shape.spacing_sigma_mm
    for value, limit, sigma, within in (
        (shape.least_gap_widths, pattern.least_gap_widths, gap, at_least),
        (shape.most_gap_widths, pattern.most_gap_widths, gap, at_most),
        (shape.least_spacing_mm, pattern.least_spacing_mm, space, at_least),
        (shape.most_spacing_mm, pattern.most_spacing_mm, space, at_most),
    ):
        if limit is not None:
            found.append(within(value, limit, sigma))
    return all_of(*found)


def classify(shape: Shape, patterns: Mapping[str, Pattern]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The name of the first pattern that each of the units surely has, ``""`` for none; and the names of those that
    the measurement leaves open, of patterns before that one or, where there is none, of all."""
    verdicts = {name: matches(shape, pattern) for name, pattern in patterns.items()}
    names, doubts = [], []
    for unit in range(len(shape.number)):
        sure = next((name for name, verdict in verdicts.items() if verdict[unit] == Verdict.YES), "")
        before = list(verdicts)[: list(verdicts).index(sure)] if sure else list(verdicts)
        names.append(sure)
        doubts.append(tuple(name for name in before if verdicts[name][unit] == Verdict.BORDERLINE))
    return tuple(names), tuple(doubts)
