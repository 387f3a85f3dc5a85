"""Unit tags that nothing outlines: a shadow, a figure or a house touches the border of the print.

Border and shadow are one dark thing then, and no outline in the picture is a square. But how large a tag is, and
that it lies flat, is known: so squares are laid on the pale paper that is left, and what can be read in one tells
it, with what lies beyond one of its sides left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.dictionaries import marker_dictionary
from calibration.pictures import grey_of
from calibration.prints.decoding import decode, ink_and_paper_of
from calibration.prints.edges import fit_edges
from calibration.prints.markers import FoundMarker
from calibration.prints.steps import HALF
from calibration.records import Table
from vision.ground import Ground
from vision.light import PAPER, estimate_light, srgb_of_linear
from vision.tags import CARD_MM, TAG_IDS

__all__ = ["tags_touched"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Box = tuple[slice, slice]

_PALE = 0.45  # of what paper gives back in full light: ink does not, nor does most of a table, in each channel
_PAPER, _SPAN = (0.35, 1.6), (0.7, 2.1)  # of a tag's square, and of its side, has the paper in it and about it
_CARD = 1.6  # sides: so wide about a print that is known its card is no other's
_LEAST_SIDE_PX = 11.0  # smaller ones cannot be read
_MOST = 30  # places are looked at, those with the most paper first
_STEP, _REACH = 0.055, 0.45  # of a tag's side: where its middle is looked for about that of the paper
_TURNS = np.deg2rad([-6.0, 0.0, 6.0])  # beside that of most edges
_FINER = ((0.03, 2.5), (0.015, 1.2))  # then, steps of place, in sides, and of turn, in degrees
_ROUNDS = 6
_BLUR_PX = 1.0
_SIDES = (None, 0, 1, 2, 3)
_ALL_ROUND = 0.03  # of likeness: so much more must be seen with a side left out
_LIKE, _INNER, _DOUBT = 0.90, 0.95, 0.7  # see `calibration.prints.decoding.Decoded`: less or more is no print
_COLOURLESS = 0.35  # of what ink gives back, and a little more, its channels differ by no more
_VEIL = 0.1
_PASSES, _REACH_SIDES = 3, 0.13
_CLEAR = 0.35  # of the clearest edge's step from ink to paper: less is an edge of something else
_EVEN = 0.7  # how little, as against one end of an edge, the spread of white is let move them all
_SIGMA_PX = 0.2
_SQUARE = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])


def tags_touched(
    frame_bgr: Image,
    camera: CameraModel,
    table: Table,
    ground: Ground,
    found: Sequence[FoundMarker],
    box: Box | None = None,
) -> list[FoundMarker]:
    """The tags in a frame (H, W, 3), or in a box of its rows and columns, that are not among those ``found``."""
    if table.tags is UNSET:
        return []
    grey, known, tags = grey_of(frame_bgr), {marker.id for marker in found}, []
    for middle in _papers(frame_bgr, camera, table, found, table.tags.size_mm, box):
        about = _about(camera, ground, middle, table.tags.size_mm)
        tag = None if about is None else _read(grey, about, table.markers.dictionary)
        if tag is not None and tag.id in TAG_IDS and tag.id not in known and _is_printed(frame_bgr, tag, table):
            known.add(tag.id)
            tags.append(tag)
    return tags


@dataclass(frozen=True, eq=False)
class _About:
    """Where a tag may lie: the pixel (2,) from which places are counted, right and up the table in sides of a tag,
    and how many pixels these are (2, 2)."""

    pixel: Floats
    slope: Floats

    def corners(self, places: Floats) -> Floats:
        """The corners (N, 4, 2), clockwise as seen, of tags at places (N, 3): right, up, and turned anticlockwise,
        in radians."""
        sine, cosine = np.sin(places[:, 2:]), np.cos(places[:, 2:])
        right = places[:, :1] + _SQUARE[:, 0] * cosine - _SQUARE[:, 1] * sine
        up = places[:, 1:2] + _SQUARE[:, 0] * sine + _SQUARE[:, 1] * cosine
        return np.asarray(self.pixel + np.stack([right, up], axis=-1) @ self.slope.T)

    def slopes(self, place: Floats) -> Floats:
        """How (3, 4, 2) the corners move with each part of a place."""
        moved = self.corners(place + 1e-3 * np.eye(3)) - self.corners(place[None])
        return np.asarray(moved / 1e-3)


def _about(camera: CameraModel, ground: Ground, middle_px: Floats, size_mm: float) -> _About | None:
    """How tags of such a size are seen about a pixel (2,); None where they are too small."""
    height = float(ground.height_seen(camera, middle_px[None], CARD_MM)[0]) + CARD_MM
    at = camera.to_plane(middle_px[None], height)[0]
    sides = np.column_stack([at + size_mm * np.array([[0, 0], [1, 0], [0, 1]]), np.full(3, height)])
    seen = camera.project(np.nan_to_num(sides))
    slope = (seen[1:] - seen[0]).T
    if not np.isfinite(at).all() or not np.isfinite(seen).all():
        return None
    return _About(seen[0], slope) if abs(np.linalg.det(slope)) >= _LEAST_SIDE_PX**2 else None


def _papers(
    frame_bgr: Image,
    camera: CameraModel,
    table: Table,
    found: Sequence[FoundMarker],
    size_mm: float,
    box: Box | None,
) -> Floats:
    """The middles (N, 2), in pixels, of pale things that may be what is left of a tag's paper."""
    rows, columns = box or (slice(0, frame_bgr.shape[0]), slice(0, frame_bgr.shape[1]))
    part = frame_bgr[rows, columns]
    if not part.size:
        return np.zeros((0, 2))
    corner = np.array([columns.start, rows.start])
    blue, green, red = cv2.split(cv2.compare(part, _least_pale(frame_bgr, found, part.shape, corner), cv2.CMP_GT))
    pale = np.asarray(cv2.bitwise_and(cv2.bitwise_and(blue, green), red), dtype=np.uint8)
    for marker in found:
        card = marker.centre_px + _CARD * (marker.corners_px - marker.centre_px) - corner
        cv2.fillConvexPoly(pale, np.rint(card).astype(np.int32), 0)
    _, _, stats, _ = cv2.connectedComponentsWithStats(pale, connectivity=8)
    middle = np.array([[table.table.width_mm / 2, table.table.depth_mm / 2, 0.0]])
    side = size_mm * float(camera.px_per_mm(middle)[0])
    left_top, size, area = stats[1:, :2], stats[1:, 2:4], stats[1:, 4] / side**2
    span = size.max(axis=1) / side
    fits = (area > _PAPER[0]) & (area < _PAPER[1]) & (span > _SPAN[0]) & (span < _SPAN[1])
    which = np.flatnonzero(fits)
    which = which[np.argsort(-area[which])][:_MOST]
    return np.asarray(corner + left_top[which] + (size[which] - 1) / 2, dtype=np.float64)


def _least_pale(
    frame_bgr: Image, found: Sequence[FoundMarker], shape: tuple[int, ...], corner: NDArray[np.int64]
) -> Image:
    """What paper surpasses (h, w, 3) in a part of the picture, of such a shape, that begins at a pixel (2,)."""
    x, y = np.meshgrid((np.arange(32) + 0.5) / 32 * shape[1], (np.arange(18) + 0.5) / 18 * shape[0])
    white = estimate_light(frame_bgr, found).white_at(np.column_stack([x.ravel(), y.ravel()]) + corner)
    least = srgb_of_linear(_PALE * PAPER * white.reshape(18, 32, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(least, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _read(grey: Image, about: _About, dictionary: str) -> FoundMarker | None:
    """The print that lies there, if there is one."""
    span = np.arange(-_REACH, _REACH + _STEP / 2, _STEP)
    places = _grid(span, span, _turn_of(grey, about) + _TURNS)
    place, like, aside = _likest(grey, about, places, dictionary)
    for step, turn_deg in _FINER:
        near = np.array([-1.0, 0.0, 1.0])
        around = _grid(step * near, step * near, np.deg2rad(turn_deg) * near)
        for _ in range(_ROUNDS):
            now = _likest(grey, about, place + around, dictionary)
            if now[1] <= like:
                break
            place, like, aside = now
    told = decode(grey, about.corners(place[None]), np.array([_BLUR_PX]), dictionary, aside=aside)
    if told.likeness[0] < _LIKE or told.inner[0] < _INNER or told.doubt[0] > _DOUBT:
        return None
    corners = about.corners(_on_edges(grey, about, place)[None])[0]
    corners = np.roll(corners, told.rolls[0], axis=0)
    corners.setflags(write=False)
    return FoundMarker(int(told.ids[0]), corners, _SIGMA_PX)


def _grid(right: Floats, up: Floats, turn: Floats) -> Floats:
    """All places (N, 3) of such parts."""
    return np.stack(np.meshgrid(right, up, turn), axis=-1).reshape(-1, 3)


def _likest(grey: Image, about: _About, places: Floats, dictionary: str) -> tuple[Floats, float, int | None]:
    """Of some places (N, 3) that which looks most like a print, how much so, and which side is left out."""
    corners, blur = about.corners(places), np.full(len(places), _BLUR_PX)
    likes = np.array([decode(grey, corners, blur, dictionary, aside=side).likeness for side in _SIDES])
    likes[0] += _ALL_ROUND
    side, best = np.unravel_index(int(likes.argmax()), likes.shape)
    return places[best], float(likes[side, best]), _SIDES[int(side)]


def _on_edges(grey: Image, about: _About, place: Floats) -> Floats:
    """A place (3,) moved and turned so that the square lies on those of its edges that are seen; white spreads, so
    that all of them may be seen as far inside."""
    for _ in range(_PASSES):
        corners = about.corners(place[None])[0]
        starts, stops = corners, np.roll(corners, -1, axis=0)
        length = np.linalg.norm(stops - starts, axis=1)
        edges = fit_edges(grey, starts, stops, _REACH_SIDES * length)
        steps = edges.fitted[:, HALF] * np.sign(np.median(edges.fitted[:, HALF]))
        clear = np.flatnonzero(steps > _CLEAR * steps.max())
        if len(clear) < 2:
            break
        along = (stops - starts) / length[:, None]
        outward = np.column_stack([along[:, 1], -along[:, 0]])
        moves = about.slopes(place)
        rows, off = [np.array([0.0, 0.0, 0.0, _EVEN])], [0.0]
        for seen, taken, move in (
            (edges.start_px, starts, moves),
            (edges.stop_px, stops, np.roll(moves, -1, axis=1)),
        ):
            for k in clear:
                rows.append(np.append(move[:, k] @ outward[k], -1.0))
                off.append(float((seen[k] - taken[k]) @ outward[k]))
        place = place + np.linalg.lstsq(np.array(rows), np.array(off), rcond=None)[0][:3]
    return place


def _turn_of(grey: Image, about: _About) -> float:
    """The turn, to a quarter, of most edges there, in radians."""
    reach = int(np.ceil(0.9 * np.linalg.norm(about.slope, axis=0).max()))
    x, y = np.rint(about.pixel).astype(int)
    part = grey[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1].astype(np.float32)
    part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.7), dtype=np.float32)
    across, down = cv2.Sobel(part, cv2.CV_32F, 1, 0), cv2.Sobel(part, cv2.CV_32F, 0, 1)
    right, up = (np.stack([across, down], axis=-1).reshape(-1, 2).astype(np.float64) @ about.slope).T
    weight = right**2 + up**2
    return float(np.angle((weight * np.exp(4j * np.arctan2(up, right))).sum()) / 4)


def _is_printed(frame_bgr: Image, tag: FoundMarker, table: Table) -> bool:
    """Whether its ink has no colour."""
    cells = marker_dictionary(table.markers.dictionary).markerSize + 2
    ink = ink_and_paper_of(frame_bgr, tag.corners_px[None], cells)[0][0]
    return bool(np.ptp(ink) < _COLOURLESS * (ink.mean() + _VEIL))
