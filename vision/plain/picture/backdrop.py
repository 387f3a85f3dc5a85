"""The empty table as it would look in the newer frame: registered, in its light, with the noise that tells a
change.

Exposure, white balance and the camera itself may have changed between the two pictures. The poses that the markers
give lay one picture over the other, plane by plane; what is then left of a shift is measured in the pictures
themselves, and the light is compared block by block, by medians that figures cannot sway.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.errors import JobFailed, UnusableFile
from calibration.poses.pose import solve_pose
from calibration.prints.markers import find_markers
from calibration.records import Intrinsics, Table
from vision.bases.picture.plane import Ground
from vision.errors import EMPTY_PHOTO, StrangeBackdrop

__all__ = ["Backdrop", "backdrop_of", "demand_one_table", "mat_colour", "scaled"]

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Picture = NDArray[np.float32]

_SAME_PX = 0.3  # poses that differ by less are one pose and its noise
_KNOT_PX = 16  # the lens is followed exactly at every so many pixels, linearly between
_BLOCK = 40  # the light is compared in blocks of the picture's width over this
_SAMPLE = 3  # every so many pixels each way tell a block's light and noise
_LEAST_NOISE = 1.5  # grey levels
# A base's flock and paint vary by so many grey levels, however little noise the picture has: in sigmas of less,
# nearly all of a base is as far off what it could be as can be, and its outline tells nothing.
_UNEVEN_LEVELS = 3.7
_ASTRAY_PX = 0.12  # registration is never better than this: at edges it counts as noise
_STEPS = 3
_UNEVEN, _NO_LIGHT = 0.05, 0.35  # of the logarithm of light: a lamp's own unevenness, and more than that
# The share of the table that is off by as much: a tenth where a crowded one is its own, up to a half in others.
_STRANGE_LEVELS, _STRANGE_SHARE = 24.0, 0.3
_ALIKE, _ASKED = 16.0, 1000  # levels of a mat lie so near each other, of about so many places
_LOOKS = 100  # places of the table each way at which it is compared
_FINE_PX = 0.03  # a shift below this is not worth a second interpolation


@dataclass(frozen=True, eq=False)
class Backdrop:
    """What the frame would show were nothing put down.

    ``then`` (H, W, 3) is the empty table in the frame's light, ``noise`` (H, W, 3) one standard deviation of the
    difference to be expected, in grey levels; ``known`` (H, W) is where the empty picture shows the place at all;
    ``fallen`` (H, W), 0 to 1, how deep it lies in soft shadows of figures, None while none are known.
    """

    then: Picture
    noise: Picture
    known: NDArray[np.bool_]
    fallen: Picture | None = None

    @cached_property
    def spread(self) -> Picture:
        """One sigma (H, W, 3) of what is put down about what it could be: noise, or its own unevenness."""
        return np.maximum(self.noise, np.float32(_UNEVEN_LEVELS))


def backdrop_of(frame_bgr: Image, empty_bgr: Image, camera: CameraModel, table: Table, ground: Ground) -> Backdrop:
    """The empty table (H2, W2, 3) seen as ``camera`` sees the frame (H, W, 3)."""
    height, width = frame_bgr.shape[:2]
    at = _lookup(frame_bgr.shape[:2], empty_bgr, camera, table, ground)
    now = frame_bgr.astype(np.float32)
    if at is None:
        then, at = empty_bgr.astype(np.float32), _identity(height, width)
    else:
        then = _taken(empty_bgr, at)
    known = _within(at, empty_bgr.shape)
    shift = _shift(now, then, known)
    if shift is not None:
        at = at + shift
        then, known = _taken(empty_bgr, at), _within(at, empty_bgr.shape)
    then *= _field(_light(now, then), (height, width))
    return Backdrop(then, _noise(now - then, then), known)


def demand_one_table(frame_bgr: Image, backdrop: Backdrop, camera: CameraModel, table: Table) -> None:
    """Raises StrangeBackdrop where so much of the table has changed in a frame (H, W, 3) that no figures can have
    done it."""
    row, column = _over_table(frame_bgr.shape, camera, table)
    known = backdrop.known[row, column]
    off = np.abs(frame_bgr[row, column].astype(np.float32) - backdrop.then[row, column]).max(axis=1)
    share = float((off[known] > _STRANGE_LEVELS).mean()) if known.any() else 1.0
    if share > _STRANGE_SHARE:
        raise StrangeBackdrop(
            f"the {EMPTY_PHOTO} does not fit: {share:.0%} of the table looks otherwise in it, so no"
            " bases without paint were looked for; take it again, by the same camera, terrain laid, no figures"
        )


def mat_colour(backdrop: Backdrop, camera: CameraModel, table: Table) -> Picture:
    """The colour (3,) that most of the empty table has, whatever terrain lies on it."""
    row, column = _over_table(backdrop.then.shape, camera, table)
    seen = backdrop.then[row, column][backdrop.known[row, column]]
    if not len(seen):
        return np.zeros(3, np.float32)
    seen = seen[:: max(1, len(seen) // _ASKED)]
    alike = np.abs(seen[:, None] - seen).max(axis=2) < _ALIKE
    return np.asarray(np.median(seen[alike[alike.sum(axis=1).argmax()]], axis=0), dtype=np.float32)


def _over_table(
    shape: tuple[int, ...], camera: CameraModel, table: Table
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows and columns (N,) at which places all over the table are seen in a picture of such a shape."""
    across, deep = np.linspace(0, table.table.width_mm, _LOOKS), np.linspace(0, table.table.depth_mm, _LOOKS)
    places = np.stack([*np.meshgrid(across, deep), np.zeros((_LOOKS, _LOOKS))], axis=-1).reshape(-1, 3)
    seen = camera.project(places)
    height, width = shape[:2]
    seen = seen[np.isfinite(seen).all(axis=1) & (np.abs(seen) < max(height, width)).all(axis=1)]
    column, row = np.rint(seen).astype(np.intp).T
    inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
    return row[inside], column[inside]


def _lookup(
    shape: tuple[int, ...], empty_bgr: Image, camera: CameraModel, table: Table, ground: Ground
) -> Picture | None:
    """Where in the empty picture (H, W, 2) the frame's pixels show the same ground; None: at the same pixels."""
    height, width = shape[:2]
    size = (empty_bgr.shape[1], empty_bgr.shape[0])
    before = _pose_of(empty_bgr, scaled(camera.intrinsics, size), table)
    if before is None:
        if size == (width, height):
            return None
        scale = np.array([size[0] / width, size[1] / height])
        return np.asarray((_identity(height, width) + 0.5) * scale - 0.5, dtype=np.float32)
    rows, columns = np.arange(0, height + _KNOT_PX, _KNOT_PX), np.arange(0, width + _KNOT_PX, _KNOT_PX)
    pixels = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2).astype(np.float64)
    places = camera.to_plane(pixels, 0.0)
    heights = _heights(ground, camera, pixels, places)
    places = camera.to_plane(pixels, heights)
    then = before.project(np.column_stack([np.nan_to_num(places), heights]))
    inside = (places >= 0).all(axis=1) & (places <= [table.table.width_mm, table.table.depth_mm]).all(axis=1)
    if size == (width, height) and inside.any() and np.nanmax(np.abs(then - pixels)[inside]) < _SAME_PX:
        return None
    then[~np.isfinite(then).all(axis=1) | ~np.isfinite(places).all(axis=1)] = -1e3
    knots = then.reshape(len(rows), len(columns), 2).astype(np.float32)
    return _spread(knots, height, width)


def _heights(ground: Ground, camera: CameraModel, pixels: Floats, places: Floats) -> Floats:
    """The height of the ground that pixels show: where a ray first meets it, told by looking twice."""
    heights = ground.height_at(np.nan_to_num(places))
    return np.asarray(ground.height_at(np.nan_to_num(camera.to_plane(pixels, heights))), dtype=np.float64)


def _pose_of(empty_bgr: Image, lens: Intrinsics, table: Table) -> CameraModel | None:
    """Where the camera hung when the empty picture was taken; None where its markers do not tell."""
    try:
        found = find_markers(empty_bgr, table.markers.dictionary)
        return solve_pose(found, table, lens, (empty_bgr.shape[1], empty_bgr.shape[0]))
    except (JobFailed, UnusableFile):
        return None


def scaled(lens: Intrinsics, size: tuple[int, int]) -> Intrinsics:
    """The same lens for a picture of another number of pixels."""
    if (lens.width_px, lens.height_px) == size:
        return lens
    x, y = size[0] / lens.width_px, size[1] / lens.height_px
    return replace(
        lens, width_px=size[0], height_px=size[1], fx=lens.fx * x, fy=lens.fy * y,
        cx=(lens.cx + 0.5) * x - 0.5, cy=(lens.cy + 0.5) * y - 0.5,
    )  # fmt: skip


def _identity(height: int, width: int) -> Picture:
    return np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(np.float32)


def _spread(knots: Picture, height: int, width: int) -> Picture:
    """Linear interpolation of knots (R, C, 2) a fixed number of pixels apart."""
    at_x, at_y = np.arange(width, dtype=np.float32) / _KNOT_PX, np.arange(height, dtype=np.float32) / _KNOT_PX
    left, top = at_x.astype(np.intp), at_y.astype(np.intp)
    share_x, share_y = (at_x - left)[None, :, None], (at_y - top)[:, None, None]
    wide = knots[:, left] * (1 - share_x) + knots[:, left + 1] * share_x
    return np.asarray(wide[top] * (1 - share_y) + wide[top + 1] * share_y, dtype=np.float32)


def _taken(image: Image, at: Picture) -> Picture:
    """A picture looked up at places (H, W, 2) of it."""
    looked_up = cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(looked_up, dtype=np.float32)


def _within(at: Picture, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    x, y = at[..., 0], at[..., 1]
    return np.asarray((x >= -0.5) & (y >= -0.5) & (x <= shape[1] - 0.5) & (y <= shape[0] - 0.5))


def _shift(now: Picture, then: Picture, known: NDArray[np.bool_]) -> Picture | None:
    """What is left of a shift (H, W, 2), affine over the picture, to be added to where the empty one is looked up;
    None where there is next to none."""
    height, width = now.shape[:2]
    a = cv2.GaussianBlur(now.mean(axis=2), (0, 0), 1.2)
    b = cv2.GaussianBlur(then.mean(axis=2), (0, 0), 1.2)
    dx, dy = cv2.Sobel(b, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(b, cv2.CV_32F, 0, 1, scale=0.125)
    part = (slice(4, height - 4, 4), slice(4, width - 4, 4))
    usable = known[part] & (np.hypot(dx, dy)[part] > 0.5)
    if usable.sum() < 500:
        return None
    rows, columns = np.mgrid[part][:, usable]
    x, y = (columns - width / 2) / width, (rows - height / 2) / width
    gx, gy, before = dx[part][usable], dy[part][usable], b[part][usable]
    terms = np.column_stack([np.ones_like(x), x, y])
    slopes = np.column_stack([terms * gx[:, None], terms * gy[:, None], terms * before[:, None]]).astype(np.float64)
    off = (a[part][usable] - before).astype(np.float64)
    weights = np.ones_like(off)
    solved = np.zeros(9)
    for _ in range(_STEPS + 2):
        weighted = slopes * weights[:, None]
        solved = np.linalg.solve(weighted.T @ slopes + 1e-6 * np.eye(9), weighted.T @ off)
        left = off - slopes @ solved
        scale = 1.48 * float(np.median(np.abs(left))) + 0.3
        weights = 1.0 / (1.0 + (left / (2 * scale)) ** 2) ** 2
    reach = np.array([[1, x, y] for x in (-0.5, 0.5) for y in (-0.3, 0.3)])
    if np.abs(reach @ solved[:3]).max() < _FINE_PX and np.abs(reach @ solved[3:6]).max() < _FINE_PX:
        return None
    across = (np.arange(width, dtype=np.float32) - width / 2) / width
    down = (np.arange(height, dtype=np.float32)[:, None] - height / 2) / width
    moved = [solved[k] + solved[k + 1] * across + solved[k + 2] * down for k in (0, 3)]
    return np.stack(moved, axis=-1).astype(np.float32)


def _light(now: Picture, then: Picture) -> Picture:
    """How much brighter (R, C, 3) the frame is than the empty picture, block by block."""
    ratio = (now[::_SAMPLE, ::_SAMPLE] + 2.0) / (then[::_SAMPLE, ::_SAMPLE] + 2.0)
    return _steadied(_without_things(_blocks(ratio, then.shape[1])))


def _without_things(ratio: Picture) -> Picture:
    """Blocks (R, C, 3), of which those that a sheet or book fills have the light about it.

    Light changes evenly over a table, whatever lamp or camera did: what is far off a smooth surface is a thing.
    """
    rows, columns = ratio.shape[:2]
    if min(rows, columns) < 3:
        return ratio
    y, x = (g.ravel() for g in np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij"))
    terms = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    stops = np.log(np.maximum(ratio, 1e-3)).reshape(-1, 3).astype(np.float64)
    even = np.broadcast_to(np.median(stops, axis=0), stops.shape)
    for _ in range(_STEPS + 2):
        weights = 1.0 / (1.0 + (np.abs(stops - even).max(axis=1, keepdims=True) / _UNEVEN) ** 2) ** 2
        weighted = terms * weights
        even = terms @ np.linalg.solve(weighted.T @ terms + 1e-6 * np.eye(6), weighted.T @ stops)
    thing = np.abs(stops - even).max(axis=1, keepdims=True) > _NO_LIGHT
    return np.exp(np.where(thing, even, stops)).reshape(ratio.shape).astype(np.float32)


def _noise(off: Picture, then: Picture) -> Picture:
    """One sigma (H, W, 3) of the difference where nothing has changed."""
    spread = 1.48 * _steadied(_blocks(np.abs(off[::_SAMPLE, ::_SAMPLE]), then.shape[1]))
    even = _field(np.maximum(spread, _LEAST_NOISE), off.shape[:2])
    edges = cv2.morphologyEx(cv2.GaussianBlur(then, (0, 0), 0.8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray(np.sqrt(even**2 + (_ASTRAY_PX * edges) ** 2), dtype=np.float32)


def _blocks(sampled: Picture, width: int) -> Picture:
    """The median (R, C, 3) of each block of a sampled picture."""
    side = max(4, width // _BLOCK // _SAMPLE)
    rows, columns = max(1, sampled.shape[0] // side), max(1, sampled.shape[1] // side)
    cut = sampled[: rows * side, : columns * side]
    if cut.shape[0] < rows * side or cut.shape[1] < columns * side:
        return np.asarray(np.median(sampled.reshape(1, 1, -1, 3), axis=2), dtype=np.float32)
    parts = cut.reshape(rows, side, columns, side, 3).transpose(0, 2, 1, 3, 4).reshape(rows, columns, -1, 3)
    return np.asarray(np.median(parts, axis=2), dtype=np.float32)


def _steadied(blocks: Picture) -> Picture:
    """Blocks without those that a formation fills, and smooth."""
    if min(blocks.shape[:2]) < 3:
        return blocks
    median = np.stack([cv2.medianBlur(np.ascontiguousarray(blocks[..., k]), 5) for k in range(3)], axis=-1)
    return np.asarray(cv2.GaussianBlur(median, (0, 0), 1.0), dtype=np.float32)


def _field(blocks: Picture, shape: tuple[int, ...]) -> Picture:
    """Blocks spread over all pixels (H, W, 3)."""
    return np.asarray(cv2.resize(blocks, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR), dtype=np.float32)
