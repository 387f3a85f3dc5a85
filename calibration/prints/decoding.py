"""Which marker a dark square is: its cells held against every print of a dictionary, as blurred as the picture is.

Prints too small for their cells to be read one by one are told as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from calibration.dictionaries import marker_bits, marker_dictionary
from calibration.prints.edges import sample_light

__all__ = ["Decoded", "decode", "framed", "ink_and_paper_of"]

Points = NDArray[np.float64]

_QUIET = (0.3, 0.4)  # the white round a print is looked at so many cells outside: it may be narrow
_IN_CELL = (0.25, 0.75)  # where each cell is looked at
_BLACK = np.float32(0.02)  # ink gives back so much light that ratios mean something
_TRIED = 3  # so many of them, from that of the edges on
_BLURS = (0.08, 0.16, 0.24, 0.32, 0.4, 0.5, 0.6)  # sigmas in cells for which prints are drawn


@dataclass(frozen=True, eq=False)
class Decoded:
    """For each of M squares the print it is most like: ``ids`` (M,), and by how many quarter turns its corners must
    be rolled so that they start at its top left (``rolls``).

    ``likeness`` (M,) is the correlation with that print, ``inner`` that of the cells within the black border alone;
    ``doubt`` is what the best print leaves unexplained over what the next best does: 1 where they are equally good.
    """

    ids: NDArray[np.intp]
    rolls: NDArray[np.intp]
    likeness: Points
    inner: Points
    doubt: Points

    def with_parts(self, some: NDArray[np.intp], of: Decoded, where: NDArray[np.bool_]) -> Decoded:
        """This, with ``some`` squares (K,) as another decoding of just these has them, ``where`` (K,) is true."""
        parts = []
        for name in ("ids", "rolls", "likeness", "inner", "doubt"):
            own = getattr(self, name).copy()
            own[some[where]] = getattr(of, name)[where]
            parts.append(own)
        return Decoded(*parts)


def decode(
    grey: NDArray[np.uint8],
    corners_px: Points,
    blur_px: Points,
    dictionary: str,
    *,
    shaded: bool = False,
    aside: int | None = None,
) -> Decoded:
    """The prints of a dictionary that squares with corners (M, 4, 2), clockwise, are most like.

    ``blur_px`` (M,) is the sigma of the blur of edges there. With ``shaded`` cells are held against each other by
    ratios, so that a shadow across a print matters little; that wants cells of some pixels. The white beyond the
    side from corner number ``aside`` to the next is left out: something dark may lie there.
    """
    cells = marker_dictionary(dictionary).markerSize + 2
    seen = _cells_seen(grey, corners_px, cells)
    if shaded:
        seen = np.log(seen + _BLACK)
    side = np.linalg.norm(corners_px - np.roll(corners_px, -1, axis=1), axis=2).mean(axis=1)
    blur = blur_px * cells / np.maximum(side, 1e-6)
    least = np.abs(np.subtract.outer(blur, _BLURS)).argmin(axis=1)  # edges that run into each other look sharper
    first, *others = (
        _held(seen, np.minimum(least + more, len(_BLURS) - 1), dictionary, aside) for more in range(_TRIED)
    )
    for other in others:
        first = np.where(other[1] > first[1], other, first)
    best, likeness, inner, rest = first
    doubt = (1 - likeness) / np.maximum(1 - rest, 1e-9)
    ids, rolls = np.divmod(best.astype(np.intp), 4)
    return Decoded(ids, rolls, likeness, inner, doubt)


def _held(seen: NDArray[np.float32], level: NDArray[np.intp], dictionary: str, aside: int | None) -> Points:
    """Squares (M, K) held against all prints, each at its level of blur, but for the white ``aside`` of them.

    As (4, M): the best print (a row of `_prints`), how like it is, how like within the border, how like the next.
    """
    out = np.zeros((4, len(seen)))
    cells = marker_dictionary(dictionary).markerSize + 2
    within, looked = _inside(cells), _but_for(cells, aside)
    for k in np.unique(level):
        some = np.flatnonzero(level == k)
        whole, core = _prints(dictionary, int(k), aside)
        match = _normal(seen[some][:, looked]) @ whole.T
        best = match.argmax(axis=1)
        inner = (_normal(seen[some][:, within]) * core[best]).sum(axis=1)
        like = match[np.arange(len(some)), best]
        match[np.arange(len(some)), best] = -1.0
        out[:, some] = best, like, inner, match.max(axis=1)
    return out


def framed(grey: NDArray[np.uint8], corners_px: Points, cells: int) -> Points:
    """How much each square (M, 4, 2) of so many cells looks like a black border in white, whatever it holds: a
    correlation (M,)."""
    x, y, ring = _frame(cells)
    seen = sample_light(grey, _places(corners_px, x, y)).reshape(len(corners_px), len(ring), -1).mean(axis=2)
    return np.asarray(_normal(seen) @ ring, dtype=np.float64)


def ink_and_paper_of(picture_bgr: NDArray[np.uint8], corners_px: Points, cells: int) -> tuple[Points, Points]:
    """What share (M, 3) of the light that the white round squares (M, 4, 2) of so many cells gives back in each
    channel their black borders do; and how much (M, 3) that white gives back."""
    x, y, ring = _frame(cells)
    places = _places(corners_px, x, y)
    seen = [sample_light(np.ascontiguousarray(picture_bgr[..., channel]), places) for channel in range(3)]
    light = np.stack(seen, axis=-1).reshape(len(corners_px), len(ring), -1, 3).mean(axis=2)
    black, white = (np.median(light[:, which], axis=1).astype(np.float64) for which in (ring < 0, ring > 0))
    return black / np.maximum(white, _BLACK), white


@cache
def _frame(cells: int) -> tuple[Points, Points, NDArray[np.float32]]:
    """Where the black border and the white round it are looked at, cell by cell, and what they should look like."""
    white = np.zeros((cells + 2, cells + 2))
    white[[0, -1]] = white[:, [0, -1]] = 1.0
    held = np.ones_like(white, dtype=np.bool_)
    held[2:-2, 2:-2] = False
    held[[0, 0, -1, -1], [0, -1, 0, -1]] = False  # the corners of a card are the first to be cut or bent
    rows, columns = np.nonzero(held)
    at = _looked_at(cells).reshape(-1, 2) / cells
    x, y = np.repeat(at[columns][:, None], 2, axis=1), np.repeat(at[rows][:, :, None], 2, axis=2)
    return x.ravel(), y.ravel(), _normal(white[held][None])[0]


def _cells_seen(grey: NDArray[np.uint8], corners_px: Points, cells: int) -> NDArray[np.float32]:
    """The mean light (M, K) of the cells of squares and of the white round them, row by row."""
    at = _looked_at(cells) / cells
    x, y = np.meshgrid(at, at)
    seen = sample_light(grey, _places(corners_px, x.ravel(), y.ravel())).reshape(-1, len(at), len(at))
    return np.asarray((_mean_of_cells(cells) @ seen @ _mean_of_cells(cells).T).reshape(len(seen), (cells + 2) ** 2))


def _places(corners_px: Points, x: Points, y: Points) -> Points:
    """Where places (K,) of the unit square are seen (M, K, 2), in perspective, given its corners (M, 4, 2)."""
    first, second, third, fourth = corners_px.transpose(1, 0, 2)
    a, b, c = second - third, fourth - third, first - second + third - fourth
    area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = np.where(np.abs(area) > 1e-9, area, 1e-9)
    g = ((c[:, 0] * b[:, 1] - c[:, 1] * b[:, 0]) / area)[:, None]
    h = ((a[:, 0] * c[:, 1] - a[:, 1] * c[:, 0]) / area)[:, None]
    across, down = second - first + g * second, fourth - first + h * fourth
    depth = 1 + g * x + h * y
    places = first[:, None] + x[:, None] * across[:, None] + y[:, None] * down[:, None]
    return np.asarray(places / np.where(np.abs(depth) > 1e-6, depth, 1e-6)[..., None], dtype=np.float64)


def _mean_of_cells(cells: int) -> NDArray[np.float32]:
    """What joins the places looked at along one side to cells, and to the white before and after (cells + 2, K)."""
    return np.kron(np.eye(cells + 2), [0.5, 0.5]).astype(np.float32)


def _looked_at(cells: int) -> Points:
    """Where squares are looked at along one side, in cells from their edge: twice in each, and in the white."""
    inside = np.add.outer(np.arange(cells), _IN_CELL).ravel()
    return np.concatenate([[-_QUIET[1], -_QUIET[0]], inside, [cells + _QUIET[0], cells + _QUIET[1]]])


def _inside(cells: int) -> NDArray[np.bool_]:
    """Which cells lie within the black border."""
    line = np.zeros(cells + 2, dtype=np.bool_)
    line[2:-2] = True
    return np.outer(line, line).ravel()


@cache
def _but_for(cells: int, aside: int | None) -> NDArray[np.bool_]:
    """All cells and the white round them, but for that beyond one side, from a corner number to the next."""
    looked = np.ones((cells + 2, cells + 2), dtype=np.bool_)
    if aside is not None:
        np.rot90(looked, aside)[0] = False
    return looked.ravel()


@cache
def _prints(
    dictionary: str, level: int, aside: int | None = None
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How all prints, each in its four turns, look at one level of blur: whole, and within their border alone.

    Normal rows, but for the white ``aside``; row 4 * id + roll is the print seen from its corner number ``roll``.
    """
    known = len(marker_dictionary(dictionary).bytesList)
    side = marker_bits(dictionary, 0).shape[0]
    edges = np.arange(side + 1)
    share = ndtr(np.subtract.outer(edges, _looked_at(side)) / _BLURS[level])
    share = np.diff(share, axis=0, prepend=0.0, append=1.0).T  # (places, cells and the white before and after)
    share = _mean_of_cells(side) @ share
    bits = [np.pad(marker_bits(dictionary, n).astype(np.float64), 1, constant_values=1) for n in range(known)]
    rows = np.array([(share @ np.rot90(b, turn) @ share.T).ravel() for b in bits for turn in range(4)])
    return _normal(rows[:, _but_for(side, aside)]), _normal(rows[:, _inside(side)])


def _normal(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """Rows without their mean, of length 1; those without contrast are 0."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    length = np.linalg.norm(centred, axis=1, keepdims=True)
    return np.asarray(centred / np.maximum(length, 1e-6), dtype=np.float32)
