"""Pieces of terrain as masks of the small picture: parted, held against blotches of the mat, and made whole where
something stands on them or hides their edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.terrain.scene import Scene, Window, closed, dilated, eroded, opened

__all__ = [
    "LEAST_MM2", "STEPS", "Part", "Surroundings", "breadth_px", "evened", "filled", "make_whole", "of_one_top",
    "parts_of", "top_of",
]  # fmt: skip

Mask = NDArray[np.uint8]
Labels = NDArray[np.int32]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

LEAST_MM2 = 450.0
_LEAST_WIDTH_MM = 4.0
_INLET = 4.0  # cells: the brush that cannot enter the inlets of a riddled part
_LEAST_CELLS = 12

STEPS = 24  # of each channel when colours are counted coarsely
_BROAD = 5.0  # cells: a part as broad as this has cells that are of its top alone
_LEAST_TILT = 0.03  # in logarithms of lightness: a side is at least so much darker or lighter than the top
_HALF = 0.5  # the breadth of a narrow block that its fragments have, too
_FAR = 0.1  # what differs by more is not the top's own variation
_ROUNDS = 3
_TILT = 3.0  # or so many deviations of the top's own
_SPECK = np.ones((2, 2), np.uint8)
_BITE_MM = 60.0  # the brush that cannot enter the bays which trees and figures on an edge make in it
_BITE_BREADTHS = 2.5  # nor is it larger than this many breadths of a narrow strip
_RING_MM = 25.0
_USUAL = 0.85  # the commonest colours around a piece, which make up this share of it, are its surroundings
_MOST_SURROUND = 0.5  # the share of a bay that looks like the surroundings, if it is one
_NARROW = 0.3  # the share of a bay's outline that is open, below which hardly any piece is cut so
_NEARLY_ALL = 0.9
_TREE_MM2, _HALF_OPEN = 3000.0, 0.47  # a bay that is no larger, and no more open, may hold a tree …
_LIT_AND_DARK = 0.11  # … if light varies in it by so much (logarithm of the root): it does not on mat
_MOST_OF_A_TREE = 0.7  # the share of a tree that may look like the surroundings
_UNUSUAL, _FEW_UNUSUAL = 0.09, 0.25  # in cube roots of light, and the share of a bite's cells that differ by more
_PATH = 2.0  # cells: mat between two pieces is broader
_TOUCHING = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, eq=False)
class Part:
    """A connected part of a mask: 1 where it is, within its window; its outline (N, 2) there, and its breadth."""

    mask: Mask
    window: Window
    outline: NDArray[np.int32]
    breadth_px: float


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What lies around pieces: colours (h, w) in ``coarse`` steps, and 1 where the mat is seen in shade (h, w)."""

    coarse: NDArray[np.int16]
    shaded_mat: Mask


def parts_of(mask: Mask, px_per_mm: float, margin_px: int, share: float = 1.0) -> Iterator[Part]:
    """The connected parts of a mask (h, w) that are large and broad enough to be terrain.

    Each comes in a window with a margin all round, as far as the picture goes. ``share`` of that size is enough
    for what may be a fragment of a piece.
    """
    solid = _without_specks(mask)
    outlines, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        if cv2.contourArea(outline) + len(outline) / 2 < share * LEAST_MM2 * px_per_mm**2:
            continue
        x, y, w, h = cv2.boundingRect(outline)
        left, top = max(x - margin_px, 0), max(y - margin_px, 0)
        right, bottom = min(x + w + margin_px, mask.shape[1]), min(y + h + margin_px, mask.shape[0])
        window = Window(left, top, right - left, bottom - top)
        within = (outline[:, 0] - (left, top)).astype(np.int32)
        part = np.zeros((window.height, window.width), np.uint8)
        cv2.drawContours(part, [within[:, None]], -1, 1, cv2.FILLED)
        part &= window.of(solid)
        breadth = breadth_px(part)
        if (
            cv2.countNonZero(part) >= share * LEAST_MM2 * px_per_mm**2
            and breadth >= share * _LEAST_WIDTH_MM * px_per_mm
        ):
            yield Part(part, window, within, breadth)


def _without_specks(mask: Mask) -> Mask:
    """A mask without what is only one cell broad: rims of bases, streaks."""
    core = cv2.erode(mask, _SPECK, anchor=(0, 0))
    return np.asarray(cv2.dilate(core, _SPECK, anchor=(1, 1)), dtype=np.uint8)


def filled(mask: Mask) -> Mask:
    """A mask (H, W) with its holes filled (OpenCV's findContours)."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros_like(mask)
    cv2.drawContours(whole, outlines, -1, 1, cv2.FILLED)
    return whole


def breadth_px(mask: Mask) -> float:
    """The breadth of a mask (H, W) as that of a strip of its area and outline, holes and all."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    around = sum(cv2.arcLength(outline, True) for outline in outlines)
    return 2.0 * float(cv2.countNonZero(mask)) / max(around, 1.0)


def evened(part: Part) -> Part:
    """A part without holes and inlets: what is nearly of the mat's colour is riddled with what seems to be mat."""
    whole = filled(closed(part.mask, _INLET))
    outlines, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=len)[:, 0].astype(np.int32)
    return Part(whole, part.window, outline, breadth_px(whole))


def top_of(part: Part, kind: Mask, scene: Scene) -> Mask:
    """The cells of a part's window that show a block's top, and not a side that lies in almost the same light.

    A top is even, and the largest of a block's faces: what differs from the commonest lightness by more than the
    top itself varies is a side. ``kind`` (h, w) is the mask of all that has its colour.
    """
    own = part.mask & kind
    if part.breadth_px < _BROAD:
        return own
    light = np.log(np.linalg.norm(scene.roots_of(part.window.of(scene.codes)), axis=2)).astype(np.float32)
    weight = cv2.blur(own.astype(np.float32), (3, 3))
    light = np.asarray(cv2.blur(light * own, (3, 3)) / np.maximum(weight, 0.1), dtype=np.float32)
    values = light[own > 0]
    if len(values) < _LEAST_CELLS:
        return own
    counts, edges = np.histogram(values, bins=np.arange(values.min() - 0.02, values.max() + 0.03, 0.01))
    usual = float(edges[int(np.convolve(counts, np.ones(3), mode="same").argmax())]) + 0.005
    rows, columns = np.nonzero(own)
    away = values - _slope(np.column_stack([np.ones(len(rows)), columns, rows]), values, usual)
    sides = [away[(away <= 0) & (away > -_FAR)], away[(away >= 0) & (away < _FAR)]]
    spread = min(float(np.sqrt(np.mean(side**2))) if len(side) else 0.0 for side in sides)
    top = np.zeros_like(own)
    top[rows, columns] = np.abs(away) <= max(_LEAST_TILT, _TILT * spread)
    return top


def of_one_top(parts: Sequence[Part], scene: Scene) -> Iterator[list[Part]]:
    """For each part of a block's colour, those that may be fragments of the same top: as light, and as broad as a
    face.

    Blotches of the mat that have the block's colour are lighter or darker than its top, and the rim of its shadow,
    where that fades out, is narrow.
    """
    roots = [scene.roots_of(part.window.of(scene.codes)[part.mask > 0]) for part in parts]
    lights = [float(np.log(np.linalg.norm(shown, axis=1)).mean()) for shown in roots]
    for part, light in zip(parts, lights, strict=True):
        least = min(_BROAD, _HALF * part.breadth_px)
        beside = zip(parts, lights, strict=True)
        yield [other for other, its in beside if abs(its - light) < _LEAST_TILT and other.breadth_px >= least]


def _slope(terms: Floats, values: Floats32, usual: float) -> Floats:
    """How light (N,) an even slope of light over a face makes its cells, whose commonest lightness is ``usual``.

    ``terms`` (N, 3) are 1 and each cell's place. Cells that differ by much do not count.
    """
    light = np.full(len(values), usual)
    for _ in range(_ROUNDS):
        near = np.abs(values - light) < _LEAST_TILT
        if np.count_nonzero(near) < _LEAST_CELLS:
            break
        light = terms @ np.linalg.lstsq(terms[near], values[near], rcond=None)[0]
    return light


def make_whole(part: Part, others: Mask, kind: Mask, around: Surroundings, scene: Scene, *, flat: bool) -> Mask:
    """The part's mask without holes, and without the bites that trees, figures and prints take out of its edge.

    ``others`` (h, w) is the window of all parts of the kind: those that only a bite parts grow together.
    ``kind`` is that of all that has its colour, ``around`` what its window shows besides. What lies around it is
    told outside its bays, which may be upon it, if it is ``flat``: in those of a block its own sides are seen.
    Where mat parts it from another piece, its bites are told again without that one.
    """
    reach = min(_BITE_MM * scene.px_per_mm, _BITE_BREADTHS * breadth_px(filled(part.mask)))
    together = filled(others & dilated(part.mask, 2 * reach) | part.mask)
    hull = closed(together, reach)
    bites = _without_specks(hull & (1 - together))
    ring = _ring_around(hull if flat else filled(part.mask), part, kind, scene)
    surround = _surround_of(part, ring, kind, around, scene)
    count, marks = cv2.connectedComponents(bites, connectivity=4)
    labels = marks.astype(np.int32)
    sizes = np.bincount(labels.ravel(), minlength=count)
    outside = np.bincount(labels[surround > 0], minlength=count)
    open_to = bites & dilated(1 - (together | bites), 1)
    mouth = np.bincount(labels[open_to > 0], minlength=count)
    rim = np.bincount(labels[(bites & dilated(together, 1)) > 0], minlength=count)
    hidden = outside < _most_open(labels, sizes, mouth / np.maximum(mouth + rim, 1), part, scene, flat=flat) * sizes
    hidden[0] = False
    between = _partings(together, labels, ring, part, around.shaded_mat, scene)
    whole = together | (hidden[labels] & (between == 0)).astype(np.uint8)
    _, marks = cv2.connectedComponents(closed(whole, 1))
    own = np.unique(marks[part.mask > 0])
    its = (np.isin(marks, own[own > 0]) & (whole > 0)).astype(np.uint8)
    if between.any() and np.any((together > 0) & (its == 0)):
        return make_whole(part, others & its, kind, around, scene, flat=flat)
    return filled(its)


def _most_open(
    bays: Labels, sizes: NDArray[np.int64], mouths: Floats, part: Part, scene: Scene, *, flat: bool
) -> Floats:
    """The share of each bay (N,) that looks like the surroundings if it is open to them.

    ``mouths`` (N,) are the open shares of their outlines. A bay in what is ``flat`` that is as large as a tree, lit
    on one side and dark on the other, holds a tree, though that be of the mat's colour: mat lies evenly.
    """
    most = np.where(mouths < _NARROW, _NEARLY_ALL, _MOST_SURROUND)
    if not flat:
        return most
    roots = scene.roots_of(part.window.of(scene.codes)[bays > 0])
    light, of = np.log(np.linalg.norm(roots, axis=1)), bays[bays > 0]
    mean, square = (np.bincount(of, light**power, len(sizes)) / np.maximum(sizes, 1) for power in (1, 2))
    uneven = np.sqrt(np.maximum(square - mean**2, 0.0))
    small = sizes < _TREE_MM2 * scene.px_per_mm**2
    tree = (uneven > _LIT_AND_DARK) & small & (mouths < _HALF_OPEN)
    return np.where(tree, np.maximum(most, _MOST_OF_A_TREE), most)


def _partings(together: Mask, bites: Labels, ring: Mask, part: Part, shaded_mat: Mask, scene: Scene) -> Mask:
    """The cells of bites (h, w) that part two pieces as mat does two woods: plainly of the usual colour around.

    A row of figures that shows the mat within its rims does not. Where something else reaches from the mat between
    them into one of them, a mug's shadow, that is no part of what parts them. ``shaded_mat`` (h, w) is mat as well:
    a tree at the edge of a wood lays its shadow across what lies between; so are the specks in it, and its rim.
    """
    between = np.zeros_like(together)
    marks = cv2.connectedComponents(together, connectivity=8)[1]
    large = np.bincount(marks.ravel()) >= LEAST_MM2 * scene.px_per_mm**2
    large[0] = False
    if np.count_nonzero(large) < 2 or np.count_nonzero(ring) < _LEAST_CELLS:
        return between
    roots = scene.roots_of(part.window.of(scene.codes))
    far = np.linalg.norm(roots - np.median(roots[ring > 0], axis=0), axis=2) > _UNUSUAL
    mat = closed(~far | shaded_mat, 1)
    far &= (mat & dilated(shaded_mat, _PATH)) == 0
    for label in range(1, int(bites.max()) + 1):
        bite = (bites == label).astype(np.uint8)
        beside = np.unique(marks[cv2.dilate(bite, _TOUCHING) > 0])
        beside = beside[large[beside]]
        heart = cv2.erode(bite, _TOUCHING) > 0
        if len(beside) < 2 or not heart.any():
            continue
        if far[heart].mean() < _FEW_UNUSUAL:
            between |= bite
            continue
        plain = opened((bite > far).astype(np.uint8), _PATH)
        left = cv2.connectedComponents((together | bite) & (1 - plain), connectivity=4)[1]
        if len({int(left[marks == mark].max()) for mark in beside}) == len(beside):
            between |= plain
    return between


def _ring_around(whole: Mask, part: Part, kind: Mask, scene: Scene) -> Mask:
    """The cells of a part's window beside what is whole of it that are neither of its colour nor print."""
    beside = dilated(whole, _RING_MM * scene.px_per_mm) & ~dilated(whole, 1)
    return np.asarray(beside & (1 - part.window.of(scene.prints)) & (1 - kind), dtype=np.uint8)


def _surround_of(part: Part, ring: Mask, kind: Mask, seen: Surroundings, scene: Scene) -> Mask:
    """Which cells of a part's window look like what commonly lies in a ring around it: mat, shade, sides."""
    whole = filled(part.mask)
    clear = 1 - part.window.of(scene.prints)
    around = _shares(seen.coarse[ring > 0])
    upon = _shares(seen.coarse[(eroded(whole, 1) & (1 - kind)) > 0])
    order = np.argsort(around)[::-1]
    usual = np.zeros(len(around), np.uint8)
    usual[order[: int(np.searchsorted(np.cumsum(around[order]), _USUAL)) + 1]] = 1
    usual[upon > around] = 0  # trees and figures look alike upon a piece and at its edge
    return np.asarray((usual[seen.coarse] | seen.shaded_mat) & clear, dtype=np.uint8)


def _shares(colours: NDArray[np.int16]) -> Floats:
    """How large a share of cells each coarse colour has; none where there are too few to tell."""
    counts = np.bincount(colours, minlength=STEPS**3).astype(np.float64)
    return counts / max(len(colours), 1) if len(colours) >= _LEAST_CELLS else np.zeros_like(counts)
