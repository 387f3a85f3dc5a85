"""Printed square markers in a picture: found, told apart, and placed to a few hundredths of a pixel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.dictionaries import dictionary_names, marker_bits, marker_dictionary
from calibration.pictures import grey_of
from calibration.prints.bloom import bloom_px, grown
from calibration.prints.decoding import Decoded, decode, framed, ink_and_paper_of
from calibration.prints.edges import Refined, refine_squares
from calibration.prints.squares import rough_squares
from calibration.records import MarkerAt

__all__ = [
    "FoundMarker",
    "centre_of",
    "corners_on_table",
    "dictionary_names",
    "find_markers",
    "marker_bits",
    "marker_dictionary",
    "read_markers",
]

Points = NDArray[np.float64]

_ANOTHER = 2.0  # outlines of one print are no more unlike in size than this
_SIZES = (1.12, 0.77, 0.7, 0.64)  # a small print's outline lies inside it, or is that of its card
_CLEARLY_FRAMED = 0.9  # what looks so much like one needs no trying at other sizes
_FRAMED = 0.4  # what is less like a black frame in white is not looked at closely
_SHADED_CELL_PX = 4.0  # cells of so many pixels can be read where a hard shadow lies across them
_LIKENESS = 0.80  # the least correlation of a marker's cells with what was printed
#: The least correlation of the cells within the black border, for a black square has that as well, and how much at
#: most the best print may leave unexplained of what the next best does: any of these pairs will do.
_SURE = ((0.96, 0.85), (0.92, 0.7), (0.89, 0.6))
#: Of what ink gives back, and a little more, so much at most the channels differ in it; in what dark flock within a
#: pale rim gives back they differ by more.
_COLOURLESS, _VEIL = 0.35, 0.05
#: Of what paper gives back in its strongest channel, so much at least it does in each, under a lamp of any colour;
#: and where so many prints are in sight, their papers' shares are no more times the usual one's, or less.
_PALE, _SEVERAL, _LIKE_OTHERS = 0.12, 4, 2.0


@dataclass(frozen=True, eq=False)
class FoundMarker:
    """A marker seen.

    ``corners_px`` (4, 2) are its outer corners as printed: top left, top right, bottom right, bottom left; pixel
    centres are at integers. ``sigma_px`` is their noise per axis.
    """

    id: int
    corners_px: Points
    sigma_px: float = 0.1

    @property
    def centre_px(self) -> Points:
        """Where its middle is seen (2,): the crossing of its diagonals, which perspective keeps."""
        return centre_of(self.corners_px)

    @property
    def side_px(self) -> float:
        """The mean length of its sides."""
        return float(np.linalg.norm(self.corners_px - np.roll(self.corners_px, -1, axis=0), axis=1).mean())


def find_markers(picture: NDArray[np.uint8], dictionary: str) -> tuple[FoundMarker, ...]:
    """All markers of a dictionary (such as ``DICT_4X4_100``) in a picture, grey (H, W) or BGR (H, W, 3), by id.

    Corners are where they were printed: what bloom takes from a black square is measured on its cells and given
    back. An id may come twice where two such prints are in sight. A square whose border has a colour is no print: a
    base of dark flock with a pale rim and a figure in the middle may look like one in grey.
    Raises UnusableFile for an unknown dictionary, ValueError for a picture of another shape or type.
    """
    known = marker_dictionary(dictionary)
    if picture.ndim not in (2, 3) or picture.dtype != np.uint8:
        raise ValueError(f"picture: expected uint8 (H, W) or (H, W, 3), got {picture.dtype} {picture.shape}")
    grey = grey_of(picture)
    found = read_markers(grey, _likely(grey, rough_squares(grey, known), dictionary), dictionary)
    if picture.ndim == 2 or not found:
        return found
    ink, paper = ink_and_paper_of(picture, np.array([marker.corners_px for marker in found]), known.markerSize + 2)
    printed = np.ptp(ink, axis=1) < _COLOURLESS * (ink.mean(axis=1) + _VEIL)
    return tuple(marker for marker, true in zip(found, printed & _is_paper(paper), strict=True) if true)


def _is_paper(light: Points) -> NDArray[np.bool_]:
    """Which surfaces that give back such light (M, 3) may be paper, beside the others, and in any light."""
    shares = light / np.maximum(light.sum(axis=1, keepdims=True), 1e-6)
    pale = shares.min(axis=1) > _PALE * shares.max(axis=1)
    if len(light) < _SEVERAL:
        return np.asarray(pale, dtype=np.bool_)
    usual = np.maximum(np.median(shares, axis=0), 1e-6)
    off = np.abs(np.log(np.maximum(shares, 1e-6) / usual)).max(axis=1)
    return np.asarray(pale & (off < np.log(_LIKE_OTHERS)), dtype=np.bool_)


def read_markers(grey: NDArray[np.uint8], rough_px: Points, dictionary: str) -> tuple[FoundMarker, ...]:
    """The markers of a dictionary at rough corners (N, 4, 2), clockwise, by id; as `find_markers` has them."""
    if not len(rough_px):
        return ()
    refined = refine_squares(grey, rough_px, marker_dictionary(dictionary).markerSize + 2)
    told = _told(grey, refined, dictionary)
    sure = _is_sure(told)
    kept = [i for i in _one_each(refined.corners_px, told.likeness) if sure[i]]
    if not kept:
        return ()
    corners = np.array([np.roll(refined.corners_px[i], told.rolls[i], axis=0) for i in kept])
    bits = [marker_bits(dictionary, int(told.ids[i])) for i in kept]
    clear = [k for k, i in enumerate(kept) if refined.good[i]]
    corners = grown(corners, bloom_px(grey, corners[clear], [bits[k] for k in clear]))
    found = [
        FoundMarker(int(told.ids[i]), _frozen(corners[k]), float(refined.sigma_px[i])) for k, i in enumerate(kept)
    ]
    return tuple(sorted(found, key=lambda f: f.id))


def centre_of(corners_px: Points) -> Points:
    """The crossing (2,) of the diagonals of four corners (4, 2)."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners_px.tolist()
    ex, ey, fx, fy = cx - ax, cy - ay, dx - bx, dy - by
    along = ((bx - ax) * fy - (by - ay) * fx) / (ex * fy - ey * fx)
    return np.array([ax + along * ex, ay + along * ey])


def corners_on_table(marker: MarkerAt, size_mm: float) -> Points:
    """A marker's printed corners (4, 3) in the table frame: top left, top right, bottom right, bottom left."""
    bearing = np.radians(marker.rotation_deg)
    top = np.array([np.sin(bearing), np.cos(bearing), 0.0]) * size_mm / 2
    right = np.array([np.cos(bearing), -np.sin(bearing), 0.0]) * size_mm / 2
    centre = np.array([marker.x_mm, marker.y_mm, marker.z_mm])
    return np.array([centre + top - right, centre + top + right, centre - top + right, centre - top - right])


def _told(grey: NDArray[np.uint8], refined: Refined, dictionary: str) -> Decoded:
    """Which prints squares are; those in doubt, if large enough, are read as if a shadow lay across them."""
    told = decode(grey, refined.corners_px, refined.blur_px, dictionary)
    corners = refined.corners_px
    side = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2).mean(axis=1)
    again = np.flatnonzero(
        ~_is_sure(told) & (side > _SHADED_CELL_PX * (marker_dictionary(dictionary).markerSize + 2))
    )
    if not len(again):
        return told
    shaded = decode(grey, corners[again], refined.blur_px[again], dictionary, shaded=True)
    return told.with_parts(again, shaded, _is_sure(shaded))


def _is_sure(told: Decoded) -> NDArray[np.bool_]:
    """Which squares (M,) are markers beyond doubt."""
    clear = [(told.inner >= inner) & (told.doubt <= doubt) for inner, doubt in _SURE]
    return np.asarray((told.likeness >= _LIKENESS) & np.any(clear, axis=0), dtype=np.bool_)


def _likely(grey: NDArray[np.uint8], quads: Points, dictionary: str) -> Points:
    """Those of rough outlines (N, 4, 2) that may be markers, each at the size at which it is most like one."""
    if not len(quads):
        return quads
    cells = marker_dictionary(dictionary).markerSize + 2
    middle = quads.mean(axis=1, keepdims=True)
    best, likeness = quads.copy(), framed(grey, quads, cells)
    for size in _SIZES:
        unclear = np.flatnonzero(likeness < _CLEARLY_FRAMED)
        if not len(unclear):
            break
        sized = middle[unclear] + size * (quads[unclear] - middle[unclear])
        like = framed(grey, sized, cells)
        better = like > likeness[unclear]
        best[unclear[better]], likeness[unclear[better]] = sized[better], like[better]
    return best[[i for i in _one_each(best, likeness) if likeness[i] > _FRAMED]]


def _one_each(quads: Points, likeness: Points) -> list[int]:
    """Which of the quadrilaterals (N, 4, 2) to keep where several have nearly one middle: the likeliest.

    A large one about a small one, such as a sheet about a print on it, is not in its way.
    """
    middles = quads.mean(axis=1)
    size = np.linalg.norm(quads[:, 0] - quads[:, 2], axis=1)
    left = np.ones(len(quads), dtype=np.bool_)
    kept = []
    for i in np.argsort(-likeness, kind="stable"):
        if left[i]:
            kept.append(int(i))
            near = np.abs(middles - middles[i]).max(axis=1) <= 0.35 * np.minimum(size, size[i])
            left &= ~near | (np.maximum(size, size[i]) > _ANOTHER * np.minimum(size, size[i]))
    return kept


def _frozen(array: Points) -> Points:
    array = np.array(array, dtype=np.float64)
    array.setflags(write=False)
    return array
