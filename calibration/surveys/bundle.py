"""The bundle adjustment behind `calibration.surveys.survey`: all markers and all cameras at once, robustly.

The frame: its origin is where the centre of the first frame marker stands, x runs towards the second's, z up from
the height at which most markers lie. They lie flat, each at a height of its own, which is likely to be that of the
others, or all in one plane. As in `calibration.poses.posefit`, a marker's middle weighs more than its corners, and
how far inside all edges of a photo are seen is fitted with the rest. What is likely (heights, lens) is weighed
against the noise that the photos turn out to have.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.optics import camera_matrix
from calibration.poses.posefit import split
from calibration.prints.markers import FoundMarker
from calibration.records import Intrinsics

__all__ = ["Bundle", "View", "adjust", "height_likely"]

Points = NDArray[np.float64]

_CENTRE_SIGMA_PX = 0.1
_CORNER_SIGMA_PX = 0.2
_EDGE_SIGMA_PX = 0.015  # how far inside edges may yet be seen, bloom having been measured (heavy tails)
_HEIGHT_SIGMA_MM = 0.5  # heights differ by about this, unless a marker lies on something
_BEND = (0.2, 0.7, 0.002, 0.002, 0.7)  # sigma of k1, k2, p1, p2, k3: wide lenses bend back at the rim (k2 < 0 < k3)
_ASIDE = 100.0  # so many times more are markers set aside taken to miss
_FOCAL = 0.3  # sigma of the logarithm of a focal length that is not known
_OFF_MIDDLE = 0.008  # sigma of where a lens has its middle, in widths of the picture from the picture's
_HELD = 1e-6  # the sigma of what is not to be found
_FREE_LENS = {  # sigma of log(focal length), the middle and the distortion, where they are to be found too
    "all": np.array([_FOCAL, _OFF_MIDDLE, _OFF_MIDDLE, *_BEND]),
    "bend": np.array([_HELD, _HELD, _HELD, *_BEND]),
}
_TAIL = 3.0  # residuals beyond so many times the usual count ever less
_ROUNDS, _SURE_ROUNDS = 4, 2


@dataclass(frozen=True, eq=False)
class View:
    """One photo: the markers found, by id, and where its camera was, as rvec and tvec in mm (6,)."""

    name: str
    found: Mapping[int, FoundMarker]
    pose: Points
    edge_px: float = 0.0


@dataclass(frozen=True, eq=False)
class Bundle:
    """Markers as (x, y, z in mm, bearing in radians) by id, cameras and lens; after `adjust` with its figures.

    ``misses_px`` (N, 2) say how far all corners are from where they should be seen; ``variances`` (4,) by id are
    those of the marker's parameters, by the fit's own residual.
    """

    frame: tuple[int, int]
    size_mm: float
    lens: Intrinsics
    markers: Mapping[int, Points]
    views: tuple[View, ...]
    misses_px: Points
    variances: Mapping[int, Points]


def adjust(
    start: Bundle, free_lens: Literal["none", "bend", "all"], *, flat: bool = False, aside: Collection[int] = (),
    noise: tuple[float, float] = (30.0, 1.0),
) -> Bundle:  # fmt: skip
    """The bundle that fits all photos best, with the lens as it is, its distortion, or all of it to be found.

    With ``flat`` all markers lie at one height; markers ``aside`` weigh next to nothing. What is seen is taken to
    miss by ``noise`` times what is expected of it: at first, and in the end at least.
    """
    problem = _Problem(start, _FREE_LENS.get(free_lens), flat, aside)
    x, problem.noise = problem.start, noise[0]
    for left in reversed(range(_ROUNDS)):  # from far off, a narrow tail would hold every marker for wrong
        problem.doubt = problem.noise if left >= _SURE_ROUNDS else 1.0
        x = least_squares(
            problem.residuals,
            x,
            jac=problem.jacobian,
            loss=problem.loss,  # type: ignore[arg-type]  # the stubs have it answer costs alone, SciPy (3, N)
            x_scale="jac",
            ftol=1e-7,
            max_nfev=80,
        ).x
        usual = 1.4826 * float(np.median(np.abs(problem.residuals(x)[: problem.observed])))
        problem.noise = max(noise[1], usual * problem.noise)
    residual, jacobian = problem.residuals(x), problem.jacobian(x)
    weight = problem.loss(residual**2)[1]
    freedom = max(problem.observed - len(x), 1)
    scale = max(float((weight * residual**2)[: problem.observed].sum()) / freedom, problem.noise**-2)
    normal = jacobian.T @ (jacobian * weight[:, None])
    variances = np.diag(np.linalg.pinv(normal, hermitian=True)) * scale
    return problem.bundle(x, np.asarray(variances, dtype=np.float64))


def height_likely(height_mm: Points | float) -> Points | float:
    """What being likely says of a height over the table, as the inverse of a variance in mm²: high up, next to
    nothing.
    """
    return _HEIGHT_SIGMA_MM**-2 / (1 + (height_mm / _HEIGHT_SIGMA_MM) ** 2 / 2)


class _Problem:
    """The bundle as a vector of parameters, its residuals and their slopes.

    ``noise`` is how many times the expected sigma (that of good prints and pictures) what is seen is taken to miss,
    ``doubt`` likewise for what is likely beforehand: until places have settled, it must not outweigh what is seen.
    """

    def __init__(self, bundle: Bundle, free_lens: Points | None, flat: bool, aside: Collection[int]) -> None:
        self._first = bundle
        self._aside = frozenset(aside)
        self.noise = self.doubt = 1.0
        origin, along = bundle.frame
        self._ids = sorted(bundle.markers)
        self._index: dict[tuple[int, int], int] = {}
        for i in self._ids:
            held = {origin: (0, 1), along: (1,)}.get(i, ())
            for k in range(4):
                if k not in held and not (flat and k == 2):
                    self._index[i, k] = len(self._index)
        self._views_at = len(self._index)
        self._lens_at = self._views_at + 7 * len(bundle.views)
        self._free_lens = free_lens
        self._focal_free = free_lens is not None and free_lens[0] > _HELD
        self.size = self._lens_at + (0 if free_lens is None else len(free_lens))
        self.observed = 10 * sum(len(view.found) for view in bundle.views)
        self.height_of = {i: at for (i, k), at in self._index.items() if k == 2}
        self.heights = slice(self.observed, self.observed + len(self.height_of))
        self.start = self._packed(bundle)

    def bundle(self, x: Points, variances: Points) -> Bundle:
        """The bundle that a vector stands for."""
        spread = {
            i: np.array([variances[self._index[i, k]] if (i, k) in self._index else 0.0 for k in range(4)])
            for i in self._ids
        }
        views = tuple(
            replace(view, pose=self._view(x, v)[:6], edge_px=float(self._view(x, v)[6]))
            for v, view in enumerate(self._first.views)
        )
        return replace(
            self._first,
            lens=self._lens(x),
            markers={i: self._marker(x, i) for i in self._ids},
            views=views,
            misses_px=self._misses(x),
            variances=spread,
        )

    def residuals(self, x: Points) -> Points:
        """What is seen against what should be, in sigmas; then heights and the rest against what is likely."""
        parts = [self._of_view(x, v)[0] for v in range(len(self._first.views))]
        return np.concatenate([*parts, self._priors(x)[0]])

    def jacobian(self, x: Points) -> Points:
        """The slopes of the residuals."""
        parts = [self._of_view(x, v)[1] for v in range(len(self._first.views))]
        return np.concatenate([*parts, self._priors(x)[1]])

    def loss(self, squares: Points) -> Points:
        """What squared residuals cost (3, N), as SciPy's `least_squares` has it: Cauchy's.

        A height costs less than a reading that is as far off: a box under a marker is no wonder.
        """
        tail = np.full(len(squares), _TAIL**2)
        tail[self.heights] = 2.0
        if self._focal_free:
            tail[-len(_FREE_LENS["all"]) :][:3] = 1e9  # no tail: a reading that is off is likelier than such a lens
        slope = 1 / (1 + squares / tail)
        return np.array([tail * np.log1p(squares / tail), slope, -(slope**2) / tail])

    def _packed(self, bundle: Bundle) -> Points:
        x = np.zeros(self.size)
        for (i, k), at in self._index.items():
            x[at] = bundle.markers[i][k]
        for v, view in enumerate(bundle.views):
            x[self._views_at + 7 * v : self._views_at + 7 * v + 7] = [*view.pose, view.edge_px]
        if self._free_lens is not None:
            off = _off_middle(bundle.lens) if self._focal_free else (0.0, 0.0)
            x[self._lens_at :] = [np.log(bundle.lens.fx), *off, *bundle.lens.dist]
        return x

    def _marker(self, x: Points, i: int) -> Points:
        return np.array([x[self._index[i, k]] if (i, k) in self._index else 0.0 for k in range(4)])

    def _view(self, x: Points, v: int) -> Points:
        return x[self._views_at + 7 * v : self._views_at + 7 * v + 7]

    def _lens(self, x: Points) -> Intrinsics:
        lens = self._first.lens
        if self._free_lens is None:
            return lens
        log_f, right, down, *bend = (float(value) for value in x[self._lens_at :])
        lens = structs.replace(lens, dist=tuple(bend))
        if not self._focal_free:
            return lens
        focal, width = float(np.exp(log_f)), lens.width_px
        cx, cy = (width - 1) / 2 + right * width, (lens.height_px - 1) / 2 + down * width
        return structs.replace(lens, fx=focal, fy=focal * lens.fy / lens.fx, cx=cx, cy=cy)

    def _of_view(self, x: Points, v: int) -> tuple[Points, Points]:
        """A view's residuals (10 a marker: its middle's, then its corners' beyond that) and slopes."""
        ids = sorted(self._first.views[v].found)
        seen, corners, slopes = self._projected(x, v, ids)
        inward = _inward(corners)
        slopes[..., self._views_at + 7 * v + 6] = inward
        expected = corners + self._view(x, v)[6] * inward
        sigma = self.noise * np.array([_CENTRE_SIGMA_PX, *[_CORNER_SIGMA_PX] * 4])
        sigmas = np.array([_ASIDE if i in self._aside else 1.0 for i in ids])[:, None] * sigma
        residual = split(seen - expected) / sigmas[..., None]
        return residual.ravel(), -(split(slopes) / sigmas[..., None, None]).reshape(-1, self.size)

    def _projected(self, x: Points, v: int, ids: Sequence[int]) -> tuple[Points, Points, Points]:
        """Corners seen and predicted (M, 4, 2), and the slopes of the latter (M, 4, 2, P)."""
        found, lens, camera = self._first.views[v].found, self._lens(x), self._view(x, v)
        places = np.array([self._marker(x, i) for i in ids])
        offsets, turning = _square(places[:, 3], self._first.size_mm)
        world = places[:, None, :3] + offsets
        pixels, slopes = cv2.projectPoints(
            world.reshape(-1, 1, 3), camera[:3], camera[3:6], camera_matrix(lens), np.array(lens.dist)
        )
        by_camera = np.asarray(slopes, dtype=np.float64).reshape(len(ids), 4, 2, -1)
        by_place = by_camera[..., 3:6] @ np.asarray(cv2.Rodrigues(camera[:3])[0], dtype=np.float64)
        full = np.zeros((len(ids), 4, 2, self.size))
        for m, i in enumerate(ids):
            for k in range(3):
                if (i, k) in self._index:
                    full[m, ..., self._index[i, k]] = by_place[m, ..., k]
            full[m, ..., self._index[i, 3]] = np.einsum("cpd,cd->cp", by_place[m], turning[m])
        at = self._views_at + 7 * v
        full[..., at : at + 6] = by_camera[..., :6]
        if self._free_lens is not None:
            if self._focal_free:
                full[..., self._lens_at] = by_camera[..., 6] * lens.fx + by_camera[..., 7] * lens.fy
                full[..., self._lens_at + 1 : self._lens_at + 3] = by_camera[..., 8:10] * lens.width_px
            full[..., self._lens_at + 3 :] = by_camera[..., 10:15]
        seen = np.stack([found[i].corners_px for i in ids])
        return seen, np.asarray(pixels, dtype=np.float64).reshape(-1, 4, 2), full

    def _priors(self, x: Points) -> tuple[Points, Points]:
        values: list[float] = []
        rows: list[tuple[int, float]] = []
        for at in self.height_of.values():
            values.append(x[at] / _HEIGHT_SIGMA_MM)
            rows.append((at, 1 / _HEIGHT_SIGMA_MM))
        for v in range(len(self._first.views)):
            at = self._views_at + 7 * v + 6
            values.append(x[at] / _EDGE_SIGMA_PX)
            rows.append((at, 1 / _EDGE_SIGMA_PX))
        if self._free_lens is not None:
            for k, sigma in enumerate(self._free_lens):
                at = self._lens_at + k
                values.append((x[at] - self.start[at] if k == 0 else x[at]) / sigma)
                rows.append((at, 1 / sigma))
        slopes = np.zeros((len(rows), self.size))
        for row, (at, slope) in enumerate(rows):
            slopes[row, at] = slope
        return np.array(values) / self.doubt, slopes / self.doubt

    def _misses(self, x: Points) -> Points:
        """How far every corner (N, 2) is from where it should be seen, edge shift allowed for."""
        out = []
        for v, view in enumerate(self._first.views):
            ids = sorted(view.found)
            seen, corners, _ = self._projected(x, v, ids)
            out.append((seen - corners - self._view(x, v)[6] * _inward(corners)).reshape(-1, 2))
        return np.concatenate(out)


def _off_middle(lens: Intrinsics) -> tuple[float, float]:
    """How far right of and below the picture's middle the lens has its own, in widths of the picture."""
    return (lens.cx - (lens.width_px - 1) / 2) / lens.width_px, (lens.cy - (lens.height_px - 1) / 2) / lens.width_px


def _square(bearings: Points, size_mm: float) -> tuple[Points, Points]:
    """Corners (M, 4, 3) of squares about their middle, and how they change with the bearing."""
    s, c = np.sin(bearings), np.cos(bearings)
    zero = np.zeros_like(s)
    up, right = np.stack([s, c, zero], -1), np.stack([c, -s, zero], -1)
    half = size_mm / 2
    signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))  # of right and up: top left, clockwise
    offsets = np.stack([half * (r * right + u * up) for r, u in signs], axis=1)
    turning = np.stack([half * (-r * up + u * right) for r, u in signs], axis=1)
    return offsets, turning


def _inward(corners: Points) -> Points:
    """Per corner (M, 4, 2) the shift that moves both its edges inward by a pixel."""
    before, after = np.roll(corners, 1, axis=1) - corners, np.roll(corners, -1, axis=1) - corners
    return np.asarray(
        before / np.linalg.norm(before, axis=2, keepdims=True)
        + after / np.linalg.norm(after, axis=2, keepdims=True)
    )
