"""One photo of the board judged while it is taken: is it usable, what does it add, and what is to be done next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.lenses.boards import BoardView, board_corners_mm
from calibration.lenses.lens import LEAST_CORNERS, Photo

__all__ = ["ACROSS", "DOWN", "ENOUGH_CELLS", "ENOUGH_PHOTOS", "BoardLook", "cells_of", "judged", "next_photo"]

Points = NDArray[np.float64]

#: The parts of the picture in which the board should have been seen: as `calibrate_lens` counts them.
ACROSS, DOWN = 5, 4
ENOUGH_CELLS = 16
ENOUGH_PHOTOS = 10

_LEAST_SHARE = 0.35  # of the board's corners; fewer say little of its tilt
_LEAST_AREA = 0.03  # of the picture: a board farther off is read too coarsely
_BLURRED_PX = 2.0  # sigma of an edge: a sharp camera has 0.5 to 1.2
_TILTED = 0.10  # how much larger one side of the board is seen than the other, as a share
_ENOUGH_TILTED = 4
_SAME_PX = 0.04  # a board whose middle lies as near to an earlier photo's, as a share of the picture's width …
_SAME_TILT = 0.08  # … and is tilted so much alike, shows nothing new


class BoardLook(Struct, frozen=True, kw_only=True):
    """What a photo shows of the board: ``faults`` are for the user, each with what to do; none: it is usable.

    ``outline`` are its outermost corners, as shares of the picture; ``cells`` the parts of the picture (0 to 19,
    row by row) that it covers; ``blur_px`` the sigma of its edges; ``tilt`` how much larger it is seen on one side
    than on the other, across and down.
    """

    corners: int
    of: int
    outline: tuple[tuple[float, float], ...] = ()
    cells: tuple[int, ...] = ()
    blur_px: float | None = None
    tilt: tuple[float, float] = (0.0, 0.0)
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Held:
    """How a board was held: its middle as a share of the picture's width, and its tilt."""

    middle: tuple[float, float]
    tilt: tuple[float, float]


def judged(grey: NDArray[np.uint8], photo: Photo, earlier: Sequence[Photo]) -> BoardLook:
    """What a grey picture (H, W), read as ``photo``, is worth beside the photos taken ``earlier``."""
    view = photo.view
    look = BoardLook(corners=len(view.ids), of=view.board.corner_count)
    if len(view.ids) < LEAST_CORNERS:
        return _with(look, _unseen(grey, view))
    width, height = photo.size_px
    hull = cv2.convexHull(view.corners_px.astype(np.float32)).reshape(-1, 2)
    held, blur = _held(photo), _blur_px(grey, view)
    look = BoardLook(
        corners=look.corners,
        of=look.of,
        outline=tuple((round(float(x) / width, 4), round(float(y) / height, 4)) for x, y in hull),
        cells=cells_of([photo]),
        blur_px=None if blur is None else round(blur, 2),
        tilt=held.tilt,
    )
    faults = []
    if blur is not None and blur > _BLURRED_PX:
        faults.append("the board is blurred: hold it still, give it more light, and let the camera focus")
    if len(view.ids) < _LEAST_SHARE * look.of:
        faults.append(
            f"only {len(view.ids)} of the board's {look.of} corners are seen: take the fingers off its squares,"
            " keep glare away, and hold more of it in the picture"
        )
    if cv2.contourArea(hull) < _LEAST_AREA * width * height:
        faults.append("the board is far off: bring it nearer, until it fills a quarter of the picture")
    same = [i for i, one in enumerate(earlier, start=1) if _alike(held, _held(one)) and _adds(photo, earlier) == 0]
    if same and not faults:
        faults.append(f"much like photo {same[-1]}: move the board elsewhere, or tilt it otherwise")
    return _with(look, *faults)


def cells_of(photos: Sequence[Photo]) -> tuple[int, ...]:
    """The parts of the picture, counted row by row from 0, in which photos show the board."""
    cells: set[int] = set()
    for photo in photos:
        width, height = photo.size_px
        for x, y in photo.view.corners_px:
            column, row = (
                int(np.clip(x * ACROSS // width, 0, ACROSS - 1)),
                int(np.clip(y * DOWN // height, 0, DOWN - 1)),
            )
            cells.add(row * ACROSS + column)
    return tuple(sorted(cells))


def next_photo(photos: Sequence[Photo]) -> str | None:
    """What the next photo should show; None where there are enough."""
    cells = cells_of(photos)
    if not photos:
        return "hold the board flat before the camera, so that it fills about a quarter of the picture"
    if len(cells) < ENOUGH_CELLS:
        empty = [cell for cell in range(ACROSS * DOWN) if cell not in cells]
        return f"hold it {_region(empty)}, where the picture is not covered yet"
    tilted = sum(max(abs(t) for t in _held(photo).tilt) > _TILTED for photo in photos)
    if tilted < _ENOUGH_TILTED:
        return f"tilt the board towards another side than before ({tilted} of {_ENOUGH_TILTED} photos are tilted)"
    if len(photos) < ENOUGH_PHOTOS:
        return f"take {ENOUGH_PHOTOS - len(photos)} more, each tilted otherwise"
    return None


def _region(cells: Sequence[int]) -> str:
    """Where most of some cells lie, in words."""
    rows = [cell // ACROSS for cell in cells]
    columns = [cell % ACROSS for cell in cells]
    down = sum(1 if row >= DOWN / 2 else -1 for row in rows)
    across = sum((column > ACROSS // 2) - (column < ACROSS // 2) for column in columns)
    words = ["at the bottom" if down > 0 else "at the top"]
    words += ["right"] if across > 0 else ["left"] if across < 0 else []
    return " ".join(words)


def _unseen(grey: NDArray[np.uint8], view: BoardView) -> str:
    if view.markers_seen >= 4:
        return "the board is seen, but too blurred or too far off to be read: hold it still, nearer, in more light"
    if float(np.median(grey)) < 40:
        return "the picture is very dark: give the board more light"
    return (
        "the calibration board is not seen: print the sheets, stick the board to something flat, and hold it"
        " before the camera, sharp and without glare"
    )


def _held(photo: Photo) -> _Held:
    view = photo.view
    width = photo.size_px[0]
    middle = view.corners_px.mean(axis=0) / width
    return _Held((float(middle[0]), float(middle[1])), _tilt(view))


def _tilt(view: BoardView) -> tuple[float, float]:
    """How much larger the board is seen on one side than on the other, as a share, across and down the board."""
    corners = board_corners_mm(view.board)
    if len(view.ids) < LEAST_CORNERS:
        return 0.0, 0.0
    plane: NDArray[np.float64] | None = cv2.findHomography(corners[view.ids, :2], view.corners_px)[0]  # type: ignore[assignment]
    if plane is None:
        return 0.0, 0.0
    size = corners[:, :2].max(axis=0) - corners[:, :2].min(axis=0)
    middle = corners[:, :2].mean(axis=0)
    depth = float(plane[2, 0] * middle[0] + plane[2, 1] * middle[1] + plane[2, 2])
    return round(float(plane[2, 0] * size[0] / depth), 3), round(float(plane[2, 1] * size[1] / depth), 3)


def _alike(one: _Held, other: _Held) -> bool:
    near = np.hypot(one.middle[0] - other.middle[0], one.middle[1] - other.middle[1]) < _SAME_PX
    return bool(near and max(abs(a - b) for a, b in zip(one.tilt, other.tilt, strict=True)) < _SAME_TILT)


def _adds(photo: Photo, earlier: Sequence[Photo]) -> int:
    return len(set(cells_of([photo])) - set(cells_of(earlier)))


def _blur_px(grey: NDArray[np.uint8], view: BoardView) -> float | None:
    """The sigma of the edges between the board's squares, by their steepest slope; None where none can be read."""
    at = {int(i): view.corners_px[k] for k, i in enumerate(view.ids)}
    columns = view.board.columns - 1
    sigmas = []
    for i, corner in at.items():
        beside = at.get(i + 1) if (i + 1) % columns else None
        if beside is not None:
            sigma = _edge_sigma(grey, corner, beside)
            if sigma is not None:
                sigmas.append(sigma)
    return float(np.median(sigmas)) if len(sigmas) >= 3 else None


def _edge_sigma(grey: NDArray[np.uint8], start: Points, stop: Points) -> float | None:
    """The sigma in px of the edge from one corner to the next: half a square to either side is one colour."""
    along = stop - start
    length = float(np.linalg.norm(along))
    if length < 8:
        return None
    across = np.array([-along[1], along[0]]) / length
    reach = min(0.16 * length, 12.0)  # the marker in a white square begins not far from its edge
    steps = np.linspace(-reach, reach, 41)
    spread = np.linspace(0.35, 0.65, 5)
    points = (start + spread[:, None, None] * along + steps[None, :, None] * across).astype(np.float32)
    profile = cv2.remap(grey, points[..., 0], points[..., 1], cv2.INTER_LINEAR).astype(np.float64).mean(axis=0)
    contrast = float(profile.max() - profile.min())
    if contrast < 25:
        return None
    steepest = float(np.abs(np.gradient(profile, steps[1] - steps[0])).max())
    return float(contrast / (steepest * np.sqrt(2 * np.pi)))


def _with(look: BoardLook, *faults: str) -> BoardLook:
    return replace(look, faults=tuple(faults))
