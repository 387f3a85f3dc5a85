"""The sides of a lattice followed through the picture: whether there are lines on them, and where these lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.mats.records import Lattice
from vision.mats.straight import Straight

__all__ = ["Placed", "Sides", "place", "sides_of"]

Floats = NDArray[np.float64]

#: Bearings of a cell's sides, of those that its neighbours do not share.
_SIDES_DEG = {"hex": (0.0, 60.0, 120.0), "square": (0.0, 90.0)}
_HALF = {"hex": 0.5 / np.sqrt(3), "square": 0.5}
_ENDS = 0.7  # of its length is looked at: at its ends a side meets others
_ALONG = 15
_WINDOWS = ((0.35, 0.22), (0.6, 0.18), (1.0, 0.15), (1.0, 0.1), (1.0, 0.08))  # share of the table, of a cell's size
_LEAST_WINDOW_PX, _MOST_WINDOW_PX = 2.5, 14.0
_TEST = 0.3  # of a cell's size to either side of a line there should be none that is stronger
_TEST_PX = (3.0, 10.0)
_NEAR_PX = 1.5
_LEAST_SIDES = 12
_MOST_SIDES = 1200  # of more, every second is followed, or every third …
_FEW_SIDES = 300  # of a proposal as such
_HOPELESS = 0.25  # a share of lines that no window makes good
_CORRELATED = 2.0  # neighbouring sides err alike: through the lens, the paper, the shade


@dataclass(frozen=True, eq=False)
class Sides:
    """The sides of a lattice on the play area: middles (S, 2), unit normals (S, 2) and half a side's length."""

    middles_mm: Floats
    normals: Floats
    half_mm: float


@dataclass(frozen=True, eq=False)
class Placed:
    """A lattice put where the lines are.

    ``share`` of its ``count`` sides in sight show a line, beyond what chance would; ``clear`` is how far these
    stand out, in what is usual for the mat; ``off_mm`` (rms) is how far they lie from it; ``covariance`` (4, 4)
    is that of its middle in mm, of the logarithm of its size and of its turn in radians.
    """

    lattice: Lattice
    share: float
    clear: float
    count: int
    off_mm: float
    covariance: Floats

    def sigma_at(self, points_mm: Floats) -> Floats:
        """One standard deviation (N,) in mm of where the lattice has table points (N, 2), the worse way."""
        away = points_mm - np.array(self.lattice.middle_mm)
        moves = np.stack([_moves(away, np.tile(axis, (len(away), 1))) for axis in ((1.0, 0.0), (0.0, 1.0))], axis=1)
        spread = moves @ self.covariance @ moves.transpose(0, 2, 1)
        return np.asarray(np.sqrt(np.linalg.eigvalsh(spread)[:, -1]), dtype=np.float64)


def sides_of(lattice: Lattice, straight: Straight, most: int = _MOST_SIDES) -> Sides:
    """Sides of a lattice whose middles lie on the play area, evenly spread where there are very many."""
    depth, width = (length * straight.px_mm for length in straight.lines.shape)
    size, turn = lattice.size_mm, np.radians(lattice.turn_deg)
    reach = int(np.hypot(width, depth) / size * 1.2) + 2
    index = np.stack(np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1)), axis=-1).reshape(
        -1, 2
    )
    ahead = np.radians(60.0 if lattice.kind == "hex" else 90.0) + turn
    steps = size * np.array([[np.sin(turn), np.cos(turn)], [np.sin(ahead), np.cos(ahead)]])
    centre = _nearest_middle(lattice, np.array([width / 2, depth / 2]), steps)
    cells = centre + index @ steps
    bearings = turn + np.radians(_SIDES_DEG[lattice.kind])
    normals = np.stack([np.sin(bearings), np.cos(bearings)], axis=1)
    middles = (cells[:, None] + normals * size / 2).reshape(-1, 2)
    normals = np.tile(normals, (len(cells), 1))
    inside = np.flatnonzero(np.all((middles > 0) & (middles < (width, depth)), axis=1))
    chosen = inside[:: max(1, len(inside) // most)]
    return Sides(middles[chosen], normals[chosen], size * _HALF[lattice.kind])


def _nearest_middle(lattice: Lattice, point: Floats, steps: Floats) -> Floats:
    away = np.linalg.solve(steps.T, point - np.array(lattice.middle_mm))
    return np.asarray(np.array(lattice.middle_mm) + np.round(away) @ steps, dtype=np.float64)


def place(lattice: Lattice, straight: Straight, *, light: bool) -> Placed | None:
    """A proposed lattice moved, scaled and turned onto lines (lighter than the mat, or darker); None: too few.

    What lies near the middle of the table is followed first, for there a proposal errs least.
    """
    depth, width = (length * straight.px_mm for length in straight.lines.shape)
    middle, ink = np.array([width / 2, depth / 2]), 1.0 if light else -1.0
    fit: tuple[Floats, float] | None = None
    for number, (share, window) in enumerate(_WINDOWS):
        if number == len(_WINDOWS) - 1:
            few = sides_of(lattice, straight, _FEW_SIDES)
            if _tested(straight, few, ink, lattice.size_mm)[0] < _HOPELESS:
                return None
        sides = sides_of(lattice, straight, _MOST_SIDES if number == len(_WINDOWS) - 1 else _FEW_SIDES)
        near = np.all(np.abs(sides.middles_mm - middle) <= share * middle + lattice.size_mm, axis=1)
        sides = Sides(sides.middles_mm[near], sides.normals[near], sides.half_mm)
        reach = np.clip(window * lattice.size_mm / straight.px_mm, _LEAST_WINDOW_PX, _MOST_WINDOW_PX)
        found = _moved(lattice, straight, sides, ink, float(reach))
        if found is None:
            return None
        lattice, covariance, off_mm = found
        fit = covariance, off_mm
    assert fit is not None
    sides = sides_of(lattice, straight)
    share, clear, count = _tested(straight, sides, ink, lattice.size_mm)
    return Placed(lattice, share, clear, count, fit[1], fit[0])


def _profiles(straight: Straight, sides: Sides, ink: float, reach_px: float) -> tuple[Floats, Floats]:
    """Across each side, offsets (O,) in mm and how much of a line there is at each (S, O): the mean along the side.

    NaN for sides that are not in sight.
    """
    count = int(np.ceil(2 * reach_px))
    offsets = np.arange(-count, count + 1) * straight.px_mm / 2
    tangents = np.stack([sides.normals[:, 1], -sides.normals[:, 0]], axis=1)
    along = np.linspace(-_ENDS, _ENDS, _ALONG) * sides.half_mm
    lines = sides.middles_mm[:, None] + along[None, :, None] * tangents[:, None]
    bare = straight.bare(lines).mean(axis=1) > 0.8
    points = lines[:, :, None] + offsets[None, None, :, None] * sides.normals[:, None, None]
    found = ink * straight.at(points).mean(axis=1).astype(np.float64)
    found[~bare] = np.nan
    return offsets, found


def _moved(
    lattice: Lattice, straight: Straight, sides: Sides, ink: float, reach_px: float
) -> tuple[Lattice, Floats, float] | None:
    """The lattice moved onto the strongest lines near its sides, its covariance, and how far off they lie."""
    offsets, profile = _profiles(straight, sides, ink, reach_px)
    held = np.isfinite(profile).all(axis=1)
    if held.sum() < _LEAST_SIDES:
        return None
    profile, middles, normals = profile[held], sides.middles_mm[held], sides.normals[held]
    off, weight = _crests(offsets, profile)
    moves = _moves(middles - np.array(lattice.middle_mm), normals)
    step, left = np.zeros(4), off
    scale = np.array([1.0, 1.0, 1 / lattice.size_mm, 1 / lattice.size_mm])
    for _ in range(6):
        spread = max(1.4826 * float(np.median(np.abs(left))), 0.05 * straight.px_mm)
        trust = weight / np.maximum(1.0, np.abs(left) / (1.5 * spread)) ** 2
        scaled = moves * scale
        normal = (scaled * trust[:, None]).T @ scaled + 1e-9 * np.eye(4)
        step = scale * np.linalg.solve(normal, (scaled * trust[:, None]).T @ off)
        left = off - moves @ step
    variance = float((trust * left**2).sum() / max(trust.sum(), 1e-9))
    inverse = np.linalg.inv(normal / float(np.mean(trust[trust > 0]))) if (trust > 0).any() else np.eye(4)
    covariance = _CORRELATED**2 * variance * inverse * np.outer(scale, scale)
    x, y = lattice.middle_mm
    moved = Lattice(
        kind=lattice.kind, size_mm=lattice.size_mm * float(np.exp(np.clip(step[2], -0.1, 0.1))),
        middle_mm=(x + float(step[0]), y + float(step[1])), turn_deg=lattice.turn_deg + float(np.degrees(step[3])),
    )  # fmt: skip
    return moved, covariance, float(np.sqrt(variance))


def _moves(away: Floats, normals: Floats) -> Floats:
    """How far sides so far (S, 2) from the middle move along their normals (S, 2) by each parameter: (S, 4)."""
    turned = np.stack([away[:, 1], -away[:, 0]], axis=1)
    return np.column_stack([normals, (normals * away).sum(axis=1), (normals * turned).sum(axis=1)])


def _crests(offsets: Floats, profile: Floats) -> tuple[Floats, Floats]:
    """Where each profile (S, O) is highest, in mm, and how far it stands out there."""
    best = np.clip(profile.argmax(axis=1), 1, len(offsets) - 2)
    rows = np.arange(len(profile))
    low, mid, high = (profile[rows, best + k] for k in (-1, 0, 1))
    bend = low - 2 * mid + high
    vertex = np.clip(np.where(bend < -1e-9, 0.5 * (low - high) / np.minimum(bend, -1e-9), 0.0), -1.0, 1.0)
    out = np.clip(mid - np.median(profile, axis=1), 0.0, None)
    return offsets[best] + vertex * (offsets[1] - offsets[0]), out


def _tested(straight: Straight, sides: Sides, ink: float, size_mm: float) -> tuple[float, float, int]:
    """The share of the sides in sight that show a line and no stronger one beside it, less what chance gives; how
    far it stands out; how many sides are in sight."""
    reach_px = float(np.clip(_TEST * size_mm / straight.px_mm, *_TEST_PX))
    offsets, profile = _profiles(straight, sides, ink, reach_px)
    profile = profile[np.isfinite(profile).all(axis=1)]
    if len(profile) < _LEAST_SIDES:
        return 0.0, 0.0, len(profile)
    near = np.abs(offsets) <= _NEAR_PX * straight.px_mm + 1e-9
    hit = float(near[profile.argmax(axis=1)].mean())
    chance = float(near.mean())
    clear = float(profile[:, near].max(axis=1).mean() - np.median(profile[:, ~near]))
    return max(0.0, (hit - chance) / (1 - chance)), clear, len(profile)
