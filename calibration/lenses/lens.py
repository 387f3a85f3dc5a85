"""Lens calibration from photos of a ChArUco board: the lens, and honest figures of how good it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import JobFailed
from calibration.lenses.boards import Board, BoardView, board_corners_mm, find_board
from calibration.lenses.lensdoubt import lens_doubt, place_in_words
from calibration.records import Intrinsics

__all__ = ["Calibration", "Photo", "calibrate_lens", "find_boards"]

Points = NDArray[np.float64]

LEAST_VIEWS = 3
LEAST_CORNERS = 8  # a view with fewer says nothing that its own pose does not use up
_OUTLIER = 5.0  # corners this many times the usual miss off are refused
_ROUNDS = 3
_FOLDS = 10
_FOCAL_DOUBTFUL = 0.003  # of the focal length: half a centimetre over a table
_FOCAL_UNKNOWN = 0.1  # of the focal length: a lens guessed from the table's markers is better than that
_TURNED_DEG = 3.0  # by less between its photos, the board says nothing of the focal length: only corners' errors do
_DOUBTFUL_PX = 1.0  # a lens that is known no better than this somewhere makes millimetres of error there
_TILT = "tilt the board, or the camera, to several sides, by 30 degrees or so"
_EXACT = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 100, 1e-10)


@dataclass(frozen=True, eq=False)
class Photo:
    """A photo's name, its size (width, height), and what it shows of the board."""

    name: str
    size_px: tuple[int, int]
    view: BoardView


@dataclass(frozen=True, eq=False)
class Calibration:
    """A lens with its figures.

    ``sigma`` holds one standard deviation of fx, fy, cx, cy in pixels, by the fit or by leaving out views in turn,
    whichever says more; ``cross_validated_px`` is the rms miss on
    views that the fit had not seen (NaN with three views); ``doubt_px`` says how well the lens is known over the
    whole picture by leaving out views in turn, rms and at the worst place; ``views`` pairs the photos used
    with their rms in pixels; ``unused`` tells which were not, and why.
    """

    intrinsics: Intrinsics
    board: Board
    sigma: tuple[float, float, float, float]
    cross_validated_px: float
    doubt_px: tuple[float, float]
    views: tuple[tuple[Photo, float], ...]
    unused: tuple[tuple[str, str], ...]
    corners_refused: int
    warnings: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Fit:
    matrix: Points
    dist: Points
    misses: list[Points]  # per view, (N, 2)
    sigma: Points
    facing: Points  # (views, 3): which way the board faces the camera, as unit vectors


def find_boards(pictures: Sequence[tuple[str, NDArray[np.uint8]]], board: Board) -> list[Photo]:
    """What named grey pictures (H, W) show of a board, all in the layout that most of them have."""
    photos = [Photo(name, (grey.shape[1], grey.shape[0]), find_board(grey, board)) for name, grey in pictures]
    corners = {legacy: sum(len(p.view.ids) for p in photos if p.view.board.legacy == legacy) for legacy in (0, 1)}
    legacy = corners[1] > corners[0]
    nothing = BoardView(replace(board, legacy=legacy), np.zeros(0, dtype=np.intp), np.zeros((0, 2)), 0)
    return [p if p.view.board.legacy == legacy else replace(p, view=nothing) for p in photos]


def calibrate_lens(photos: Sequence[Photo]) -> Calibration:
    """The lens that took photos of a board. Raises JobFailed where there are too few usable views, or all alike."""
    usable = [p for p in photos if len(p.view.ids) >= LEAST_CORNERS and not _in_a_line(p)]
    _demand(photos, usable)
    refused = 0
    fit = _fitted(usable)
    for _ in range(_ROUNDS):
        trimmed = _trimmed(usable, fit)
        dropped = _corners(usable) - _corners(trimmed)
        if not dropped:
            break
        refused += dropped
        usable = [p for p in trimmed if len(p.view.ids) >= LEAST_CORNERS]
        _demand(photos, usable)
        fit = _fitted(usable)
    return _report(photos, usable, fit, refused)


def _demand(photos: Sequence[Photo], usable: Sequence[Photo]) -> None:
    """Raises JobFailed where a calibration cannot be had from these."""
    if len(usable) < LEAST_VIEWS:
        board = photos[0].view.board
        most = max(len(p.view.ids) for p in photos)
        markers = max(p.view.markers_seen for p in photos)
        hint = (
            "is it the board that the photos show (--board)?"
            if most == 0
            else "take more, from all sides, filling the picture, well lit and sharp"
        )
        raise JobFailed(
            f"too few usable views of the board {board}: {len(usable)} of {len(photos)} photos, needs {LEAST_VIEWS}"
            f" with {LEAST_CORNERS} corners or more each (the most in one: {most}, and {markers} markers); {hint}"
        )
    for first, second in pairwise(usable):
        if first.size_px != second.size_px:
            raise JobFailed(
                f"the photos differ in size: {first.name} has {_size(first)}, {second.name} has {_size(second)};"
                " calibrate with photos of one size, that of the pictures to be measured"
            )


def _demand_fixed(fit: _Fit, focal_doubt: float) -> None:
    """Raises JobFailed where the views leave the focal length open; ``focal_doubt`` is its sigma as a share of it.

    Where the board faces the camera alike in all views, near and large looks like far and small, and no sigma
    tells: the fit goes by the corners' errors alone.
    """
    least = float((fit.facing @ fit.facing.T).min())
    turned_deg = float(np.degrees(np.arccos(np.clip(least, -1.0, 1.0))))
    if turned_deg < _TURNED_DEG:
        raise JobFailed(
            f"the photos do not fix a lens: the board faces the camera alike in all {len(fit.facing)} (turned by"
            f" {turned_deg:.1f} degrees at most, of 30 that are wanted); {_TILT}"
        )
    if focal_doubt > _FOCAL_UNKNOWN:
        raise JobFailed(
            "the photos do not fix a lens: without one or two of them its focal length would be quite another;"
            f" {_TILT}, in most photos"
        )


def _in_a_line(photo: Photo) -> bool:
    """Whether all corners seen lie in one row or column, which fixes no pose."""
    rows, columns = np.divmod(photo.view.ids, photo.view.board.columns - 1)
    return len(np.unique(rows)) < 2 or len(np.unique(columns)) < 2


def _fitted(photos: Sequence[Photo]) -> _Fit:
    world, seen = _points(photos)
    try:
        _, matrix, dist, turns, shifts, sigma, _, _ = cv2.calibrateCameraExtended(
            world, seen, photos[0].size_px, np.eye(3), np.zeros(5), criteria=_EXACT
        )
    except cv2.error as error:
        raise JobFailed(
            "the views do not fix a lens: take more, tilted to several sides and not all square to the board"
        ) from error
    dist = np.ravel(dist)[:5].astype(np.float64)
    misses = [
        np.asarray(s, dtype=np.float64).reshape(-1, 2)
        - np.asarray(cv2.projectPoints(w, r, t, matrix, dist)[0]).reshape(-1, 2)
        for w, s, r, t in zip(world, seen, turns, shifts, strict=True)
    ]
    return _Fit(
        matrix=np.asarray(matrix, dtype=np.float64),
        dist=np.asarray(dist),
        misses=misses,
        sigma=np.ravel(sigma)[:4].astype(np.float64),
        facing=np.array([np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)[:, 2] for turn in turns]),
    )


def _points(photos: Sequence[Photo]) -> tuple[list[NDArray[np.float32]], list[NDArray[np.float32]]]:
    corners = board_corners_mm(photos[0].view.board)
    world = [corners[p.view.ids].astype(np.float32).reshape(-1, 1, 3) for p in photos]
    return world, [p.view.corners_px.astype(np.float32).reshape(-1, 1, 2) for p in photos]


def _trimmed(photos: Sequence[Photo], fit: _Fit) -> list[Photo]:
    """The photos without corners that miss by far more than is usual."""
    lengths = [np.linalg.norm(m, axis=1) for m in fit.misses]
    limit = max(_OUTLIER * float(np.median(np.concatenate(lengths))), 0.5)
    return [_only(p, length < limit) for p, length in zip(photos, lengths, strict=True)]


def _only(photo: Photo, kept: NDArray[np.bool_]) -> Photo:
    view = photo.view
    return replace(photo, view=replace(view, ids=view.ids[kept], corners_px=view.corners_px[kept]))


def _without_each(photos: Sequence[Photo]) -> list[tuple[Sequence[Photo], _Fit]]:
    """Parts of the photos, and the fit to all but each part; none with three views, which can spare none."""
    if len(photos) <= LEAST_VIEWS:
        return []
    folds = min(_FOLDS, len(photos))
    return [
        (photos[fold::folds], _fitted([p for i, p in enumerate(photos) if i % folds != fold]))
        for fold in range(folds)
    ]


def _cross_validated(parts: Sequence[tuple[Sequence[Photo], _Fit]]) -> float:
    """The rms miss in pixels on views left out of the fit, only their poses fitted; NaN without any."""
    total, count = 0.0, 0
    for left_out, fit in parts:
        for world, seen in zip(*_points(left_out), strict=True):
            _, turn, shift = cv2.solvePnP(world, seen, fit.matrix, fit.dist)
            there = np.asarray(cv2.projectPoints(world, turn, shift, fit.matrix, fit.dist)[0])
            total += float(((there - seen) ** 2).sum())
            count += len(world)
    return float(np.sqrt(total / count)) if count else float("nan")


def _lens(fit: _Fit, size_px: tuple[int, int]) -> Intrinsics:
    k1, k2, p1, p2, k3 = (float(k) for k in fit.dist)
    return Intrinsics(
        width_px=size_px[0],
        height_px=size_px[1],
        fx=float(fit.matrix[0, 0]),
        fy=float(fit.matrix[1, 1]),
        cx=float(fit.matrix[0, 2]),
        cy=float(fit.matrix[1, 2]),
        dist=(k1, k2, p1, p2, k3),
        rms_px=float(np.sqrt(np.concatenate([(m**2).sum(axis=1) for m in fit.misses]).mean())),
    )


def _report(photos: Sequence[Photo], used: Sequence[Photo], fit: _Fit, refused: int) -> Calibration:
    lens, parts = _lens(fit, used[0].size_px), _without_each(used)
    sigma = _sigma(fit, [other for _, other in parts])
    focal_doubt = float(sigma[0]) / lens.fx
    _demand_fixed(fit, focal_doubt)
    others = [_lens(other, used[0].size_px) for _, other in parts]
    places, doubt = lens_doubt(lens, others) if others else (np.zeros((1, 2)), np.full(1, np.nan))
    rms = [float(np.sqrt((m**2).sum(axis=1).mean())) for m in fit.misses]
    kept = {p.name for p in used}
    return Calibration(
        intrinsics=lens,
        board=used[0].view.board,
        sigma=(float(sigma[0]), float(sigma[1]), float(sigma[2]), float(sigma[3])),
        cross_validated_px=_cross_validated(parts),
        doubt_px=(float(np.sqrt((doubt**2).mean())), float(doubt.max())),
        views=tuple(zip(used, rms, strict=True)),
        unused=tuple((p.name, f"{len(p.view.ids)} corners seen") for p in photos if p.name not in kept),
        corners_refused=refused,
        warnings=(*_warnings(used, focal_doubt), *_doubts(lens, places, doubt)),
    )


def _sigma(fit: _Fit, others: Sequence[_Fit]) -> Points:
    """One standard deviation (4,) of fx, fy, cx, cy: where a view or two hold a fit up, leaving them out tells."""
    if not others:
        return fit.sigma
    found = np.array([[m[0, 0], m[1, 1], m[0, 2], m[1, 2]] for m in (other.matrix for other in others)])
    jackknife = np.sqrt(((found - found.mean(axis=0)) ** 2).sum(axis=0) * (len(found) - 1) / len(found))
    return np.asarray(np.maximum(fit.sigma, jackknife), dtype=np.float64)


def _doubts(lens: Intrinsics, places: Points, doubt: Points) -> list[str]:
    """Where in the picture the lens is not known well."""
    worst = int(np.nan_to_num(doubt).argmax())
    if not doubt[worst] > _DOUBTFUL_PX:
        return []
    return [
        f"towards the {place_in_words(places[worst], lens)} of the picture the lens is known to no better than"
        f" {doubt[worst]:.1f} px: take more photos in which the board reaches into that part"
    ]


def _warnings(used: Sequence[Photo], focal_doubt: float) -> list[str]:
    """What there is to do for a better lens; ``focal_doubt`` is the sigma of the focal length as a share of it."""
    said = []
    if len(used) < 8:
        said.append(f"only {len(used)} views: take ten or more, tilted to all sides, for a lens to rely on")
    width, height = used[0].size_px
    seen = np.concatenate([p.view.corners_px for p in used])
    cells = {(int(x * 5 // width), int(y * 4 // height)) for x, y in seen}
    if len(cells) < 16:
        said.append(
            f"the board was seen in {len(cells)} of the picture's 20 parts (5 across, 4 down): take photos with it"
            " in the others, above all in the corners"
        )
    if focal_doubt > _FOCAL_DOUBTFUL:
        said.append(
            f"the focal length is known to {100 * focal_doubt:.1f} % only: tilt the board more, and come closer"
            " with it"
        )
    return said


def _corners(photos: Sequence[Photo]) -> int:
    return sum(len(p.view.ids) for p in photos)


def _size(photo: Photo) -> str:
    return f"{photo.size_px[0]} x {photo.size_px[1]}"
