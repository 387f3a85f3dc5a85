"""From a picture of the table to the grid that is printed on its mat, or to why none was found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.records import GridOnMat, TableSize
from vision.errors import VisionError
from vision.mats.periods import least_size, proposals
from vision.mats.records import GridFound, Kind, Lattice, same, turn_between
from vision.mats.sides import Placed, place
from vision.mats.straight import Straight, straighten

__all__ = ["NoGrid", "fit_grid", "laid_like", "laid_over"]

Points = NDArray[np.float64]

_ACCEPTED = 0.7  # share of the sides in sight that must show a line, beyond chance
_SURE = 0.85  # no other hexes and no squares do as well
_CLEAR = 0.25
_RIVAL = 0.12  # a second grid that does nearly as well makes both doubtful
_UNEVEN_MM = 1.5
_HINT = 0.12  # how far from the size named a grid may be
_MARKED_PX = 0.05
_BARE = 0.5  # share of the mat that must be in sight and bare
_EDGE_MM = 1.0  # so far beyond the edge a middle is still on the play area


class NoGrid(VisionError):
    """No grid was found on the mat, or none that can be told from others; the text says why and what to do."""


def fit_grid(
    frame_bgr: NDArray[np.uint8],
    camera: CameraModel,
    table: TableSize,
    *,
    kind: Kind | None = None,
    size_mm: float | None = None,
    covered_mm: Sequence[Points] = (),
    like: GridOnMat | None = None,
) -> GridFound:
    """The grid of hexes or squares printed on the mat that a picture (H, W, 3) BGR shows.

    ``kind`` and ``size_mm`` (to an eighth) narrow what is looked for; outlines (N, 2) of what lies on the mat are
    left out. A grid ``like`` one that the table has already keeps its columns and rows: cells keep their names.
    Raises NoGrid.
    """
    straight = straighten(frame_bgr, camera, table, covered_mm)
    found = _finest(straight, _accepted(straight, kind, size_mm))
    if not found and len(covered_mm):
        # of few large cells too little may be left; what lies on them is then no more than a disturbance
        open_wide = straighten(frame_bgr, camera, table)
        found = _finest(open_wide, _accepted(open_wide, kind, size_mm)) if straight.seen.mean() > _BARE else []
    if not found:
        raise NoGrid(_why(straight, kind, size_mm))
    best = found[0]
    rival = next((one for one in found[1:] if not same(one.lattice, best.lattice)), None)
    if rival is not None and rival.share > best.share - _RIVAL:
        raise NoGrid(
            f"two grids fit the lines equally well: {_told(best.lattice)} and {_told(rival.lattice)}."
            " Say which it is with its size (from side to side), in mm."
        )
    if best.off_mm > _UNEVEN_MM:
        raise NoGrid(
            f"lines like {_told(best.lattice)} lie {best.off_mm:.1f} mm off an even grid: smooth the mat out, and"
            " calibrate the lens if it is only guessed."
        )
    return _grid(best, camera, table, like)


def _accepted(straight: Straight, kind: Kind | None, size_mm: float | None) -> list[Placed]:
    """The proposals with lines on their sides, the best first."""
    found: list[Placed] = []
    for lattice, light in proposals(straight, kind):
        if size_mm is not None and abs(lattice.size_mm / size_mm - 1) > _HINT:
            continue
        if any(same(lattice, known.lattice) for known in found):
            continue
        placed = place(lattice, straight, light=light)
        if placed is not None and _good(placed):
            found.append(placed)
            if lattice.kind == "hex" and placed.share >= _SURE:
                break
    return sorted(found, key=lambda one: -one.share)


def _good(placed: Placed) -> bool:
    return placed.share >= _ACCEPTED and placed.clear >= _CLEAR


def _finest(straight: Straight, found: list[Placed]) -> list[Placed]:
    """Without the squares that are made of smaller ones that are printed too."""
    made = [
        one
        for one in found
        if any(_is_part(other.lattice, one.lattice) for other in found)
    ]  # fmt: skip
    return [one for one in found if one not in made]


def _is_part(small: Lattice, large: Lattice) -> bool:
    """Whether squares are a whole part of larger ones."""
    if small.kind != "square" or large.kind != "square" or small.size_mm >= 0.75 * large.size_mm:
        return False
    times = large.size_mm / small.size_mm
    return abs(times - round(times)) < 0.03 * times and turn_between(small, large) < 1.5


def _told(lattice: Lattice) -> str:
    name = "hexes" if lattice.kind == "hex" else "squares"
    return f"{name} of {lattice.size_mm:.1f} mm turned {lattice.turn_deg:.1f}°"


def _why(straight: Straight, kind: Kind | None, size_mm: float | None) -> str:
    """Why nothing was found, and what to do."""
    what = {"hex": "hexes", "square": "squares", None: "hexes or squares"}[kind]
    size = "" if size_mm is None else f" of {size_mm:g} mm"
    seen = float(straight.seen.mean())
    if seen < _BARE:
        return (
            f"only {seen:.0%} of the mat is in sight and bare: hang the camera so that it sees the whole table, or"
            " clear the mat, and try again."
        )
    return (
        f"no lines of {what}{size} repeat evenly over the mat. They must be printed (the camera sees cells from"
        f" {least_size(straight):.0f} mm on), lie flat and show on most of the table: clear it, light it evenly and"
        " focus the camera; or write size, origin and turn into [grid] of the table file by hand."
    )


def _grid(placed: Placed, camera: CameraModel, table: TableSize, like: GridOnMat | None) -> GridFound:
    kind, lattice = placed.lattice.kind, placed.lattice
    corners = np.array([[x, y] for x in (0.0, table.width_mm) for y in (0.0, table.depth_mm)])
    pixels = camera.project(np.column_stack([corners, np.zeros(4)]))
    pose = camera.plane_covariance(pixels, 0.0, _MARKED_PX)
    posed = np.sqrt(np.linalg.eigvalsh(pose)[:, -1])
    sigma = float(np.hypot(placed.sigma_at(corners), posed).max())
    # a camera that is a little off at the corners makes everything so much larger, or turns it
    leans = float(posed.max()) / (0.5 * float(np.hypot(table.width_mm, table.depth_mm)))
    spread = np.hypot(np.sqrt(np.diag(placed.covariance)[2:]), leans)
    kept = like is not None and kind == like.kind and abs(lattice.size_mm / like.size_mm - 1) <= _HINT
    turn, origin, columns, rows = laid_like(lattice, like) if like and kept else laid_over(lattice, table)
    return GridFound(
        kind=kind, size_mm=round(float(lattice.size_mm), 3), columns=columns, rows=rows,
        origin_mm=(round(origin[0], 2), round(origin[1], 2)), turn_deg=round(turn, 3), sigma_mm=round(sigma, 3),
        size_sigma_mm=round(float(lattice.size_mm) * float(spread[0]), 4),
        turn_sigma_deg=round(float(np.degrees(spread[1])), 4),
        off_mm=round(placed.off_mm, 3), sides=placed.count, seen=round(placed.share, 3),
    )  # fmt: skip


def laid_over(lattice: Lattice, table: TableSize) -> tuple[float, tuple[float, float], int, int]:
    """The turn, the origin, and how many columns and rows the cells have whose middles lie on the play area.

    Of the turns that leave the lattice as it is, that one whose columns run most nearly along an edge of the table.
    """
    turn = min(_turns(lattice), key=lambda one: (round(_askew(one), 3), abs(one) > 90.0, abs(one), -one))
    middles = _middles(lattice, table, turn)
    first, low = middles.min(axis=0)
    if lattice.kind == "square":
        first, low = round(first), round(low)
        columns, rows = round(middles[:, 0].max()) - first + 1, round(middles[:, 1].max()) - low + 1
        corner = lattice.size_mm * (np.array([first, low]) - 0.5)
    else:
        columns = round(middles[:, 0].max()) - round(first) + 1
        # odd columns stand half a hex farther away: rows are counted from where the lowest of either comes first
        odd = (np.round(middles[:, 0]) - round(first)) % 2
        low = (middles[:, 1] - odd / 2).min()
        rows = round((middles[:, 1] - odd / 2).max() - low) + 1
        corner = lattice.size_mm * np.array([round(first) * np.sqrt(3) / 2 - 1 / np.sqrt(3), low - 0.5])
    x, y = _on_table(corner, turn) + lattice.middle_mm
    return turn, (float(x), float(y)), int(columns), int(rows)


def laid_like(lattice: Lattice, like: GridOnMat) -> tuple[float, tuple[float, float], int, int]:
    """The same for a grid that the table has already: each cell becomes the one of the lattice nearest to it."""
    turn = min(_turns(lattice), key=lambda one: abs((one - like.turn_deg + 180.0) % 360.0 - 180.0))
    half = np.array([1 / np.sqrt(3), 0.5] if like.kind == "hex" else [0.5, 0.5])
    # of the cell in the middle of the grid, which errs least
    column, row = like.columns // 4 * 2, like.rows // 2
    wide = np.sqrt(3) / 2 if like.kind == "hex" else 1.0
    away = np.array([column * wide, row])
    there = np.array(like.origin_mm) + _on_table(like.size_mm * (away + half), like.turn_deg)
    steps = np.array([[wide, 0.5 if like.kind == "hex" else 0.0], [0.0, 1.0]])
    local = np.linalg.solve(steps.T, _off_table(there - np.array(lattice.middle_mm), turn) / lattice.size_mm)
    nearest = np.array(lattice.middle_mm) + _on_table(lattice.size_mm * (np.round(local) @ steps), turn)
    x, y = nearest - _on_table(lattice.size_mm * (away + half), turn)
    return turn, (float(x), float(y)), like.columns, like.rows


def _turns(lattice: Lattice) -> list[float]:
    """The turns that leave a lattice as it is."""
    every = 60.0 if lattice.kind == "hex" else 90.0
    return [(lattice.turn_deg + every * k + 180.0) % 360.0 - 180.0 for k in range(round(360 / every))]


def _on_table(local: Points, turn_deg: float) -> Points:
    """Points (..., 2) of a turned grid as they lie on the table."""
    sine, cosine = np.sin(np.radians(turn_deg)), np.cos(np.radians(turn_deg))
    x, y = local[..., 0], local[..., 1]
    return np.asarray(np.stack([x * cosine + y * sine, y * cosine - x * sine], axis=-1), dtype=np.float64)


def _off_table(points: Points, turn_deg: float) -> Points:
    """The reverse of `_on_table`."""
    return _on_table(points, -turn_deg)


def _askew(turn_deg: float) -> float:
    """How far a turn is from the table's edges."""
    return abs((turn_deg + 45.0) % 90.0 - 45.0)


def _middles(lattice: Lattice, table: TableSize, turn_deg: float) -> Points:
    """The middles (N, 2) on the play area in steps of columns (√3/2 of a hex's size, or a square's) and of rows."""
    wide = np.sqrt(3) / 2 if lattice.kind == "hex" else 1.0
    reach = int(np.hypot(table.width_mm, table.depth_mm) / lattice.size_mm * 1.3) + 2
    column, row = (part.ravel() for part in np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1)))
    up = row + (column % 2) / 2 if lattice.kind == "hex" else row.astype(float)
    local = lattice.size_mm * np.stack([column * wide, up], axis=1)
    there, far = (
        _on_table(local, turn_deg) + lattice.middle_mm,
        (table.width_mm + _EDGE_MM, table.depth_mm + _EDGE_MM),
    )
    on = np.all((there >= -_EDGE_MM) & (there <= far), axis=1)
    return np.asarray(np.stack([column, up], axis=1)[on], dtype=np.float64)
