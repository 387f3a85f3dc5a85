"""What somebody points at in a picture: the base under the finger, its colour, its shape and its size.

Nothing is known of the base beforehand but that its rim is of one paint, a few millimetres wide, and that the paint
differs from the mat. Every colour near the finger is tried as that paint, and every likely outline round it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.errors import JobFailed
from calibration.prints.markers import FoundMarker
from calibration.records import Army, BaseKind, RectBase, RoundBase
from vision.bases.picture.paint import features_of
from vision.bases.shapes import turned
from vision.light import Light, estimate_light

__all__ = ["Pointed", "colour_at", "kind_in", "read_base"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Image = NDArray[np.uint8]

HEIGHT_MM = 3.0  # of a usual base's rim above the ground
_REACH_MM = 48.0  # how far about the finger is looked
_STEP_MM = 0.5  # of the patch that is looked at
_OFF_MM = 13.0  # how far from a base's middle people point: at the figure's head, which leans outwards
_COLOURS = 7  # colours that are told apart about the finger
_RIM_MM = 1.5  # the middle of a painted rim lies so far inside the outline
_OUT_MM = 1.8  # and the mat begins so far outside
_LEAST_SCORE = 0.68  # of a rim that is surely one: 1 were a rim of one paint on a mat without any
_SNAP_MM = 1.4  # a size as near to a usual one is that
_GROWN_MM = 0.6  # by so much blur makes outlines larger (measured on rendered tables)
_TRIED = 6  # so many of the likeliest outlines are looked at closely
_GAIN = 0.05  # by so much must a rectangle fit better than a circle

#: The bases that figures are sold on: diameters, and widths by depths, in mm.
ROUND_MM = (15, 20, 25, 28, 30, 32, 35, 40, 45, 50, 60)
RECT_MM = (
    (15, 15), (20, 20), (25, 25), (30, 30), (40, 40), (50, 50), (20, 15), (30, 15), (30, 20), (40, 20), (50, 25),
    (40, 30), (60, 30), (45, 40), (60, 40), (60, 45),
)  # fmt: skip


class Pointed(Struct, frozen=True, kw_only=True):
    """A base that was pointed at: where it lies, its paint as in good light, and its outline.

    ``sure`` runs from 0 to 1; ``measured_mm`` is the size as measured (the diameter, or width and depth), ``kind``
    the usual size that it comes to. ``bearing_deg`` is that of a rectangle's front or back.
    """

    x_mm: float
    y_mm: float
    bearing_deg: float | None
    colour: str
    kind: BaseKind
    measured_mm: tuple[float, ...]
    sure: float


@dataclass(frozen=True, eq=False)
class _Patch:
    """A square of the table about the finger: features (N, N, 3), y downwards in the grid; its middle in mm."""

    features: Singles
    reflectance: Singles
    middle_mm: Floats

    @property
    def mat(self) -> Singles:
        """The usual look of what lies farther out."""
        edge = np.concatenate([self.features[:10].reshape(-1, 3), self.features[-10:].reshape(-1, 3)])
        sides = np.concatenate([self.features[:, :10].reshape(-1, 3), self.features[:, -10:].reshape(-1, 3)])
        return np.asarray(np.median(np.concatenate([edge, sides]), axis=0), dtype=np.float32)


@dataclass(frozen=True)
class _Fit:
    """An outline at a place of the patch, in mm about its middle; ``size`` (d,) or (w, d)."""

    score: float
    x: float
    y: float
    turn_deg: float
    size: tuple[float, ...]


def read_base(
    frame_bgr: Image, camera: CameraModel, at_px: tuple[float, float], found: Sequence[FoundMarker] = (),
    ground_mm: float = 0.0, height_mm: float = HEIGHT_MM,
) -> Pointed:  # fmt: skip
    """The base that a pixel of a frame (H, W, 3) points at.

    ``found`` are the printed markers in sight, whose paper tells the light; ``ground_mm`` is the height of the
    ground there, ``height_mm`` that of the rim's top above it. Raises JobFailed where no base is there, saying what
    to do.
    """
    light = estimate_light(frame_bgr, found)
    patch = _patch(frame_bgr, camera, light, at_px, ground_mm + height_mm)
    rough = [
        (fit, like) for colour in _colours(patch) for like in [_likeness(patch, colour)] for fit in _rough(like)
    ]
    likely = sorted(rough, key=lambda pair: -pair[0].score)[:_TRIED]
    best = max((_refined(like, fit) for fit, like in likely), key=_merit, default=None)
    if best is None or best.score < _LEAST_SCORE:
        raise JobFailed(
            "there is no base under the finger: point at the middle of one that stands free, with its painted rim"
            " in sight and in even light; if its rim is not painted, or painted like the mat, paint it first"
        )
    return _told(patch, best, height_mm)


def colour_at(
    frame_bgr: Image, at_px: tuple[float, float], found: Sequence[FoundMarker] = (), radius_px: float = 3.0
) -> str:
    """The colour (``#rrggbb``, as in good light) of what a pixel of a frame (H, W, 3) shows: a mark, a wood.

    Raises JobFailed where the pixel is not in the frame.
    """
    x, y = at_px
    rows, columns = np.mgrid[0 : frame_bgr.shape[0], 0 : frame_bgr.shape[1]][
        :, _rows(y, radius_px, frame_bgr, 0), _rows(x, radius_px, frame_bgr, 1)
    ]
    near = np.hypot(columns - x, rows - y) <= radius_px
    if not near.any():
        raise JobFailed("that is outside the picture: point at something in it")
    points = np.column_stack([columns[near], rows[near]]).astype(np.float32)
    light = estimate_light(frame_bgr, found)
    return _hex(np.median(light.reflectance(frame_bgr[rows[near], columns[near]], points), axis=0))


def kind_in(armies: Sequence[Army], army: str, kind: BaseKind) -> BaseKind | None:
    """The kind of an army's bases that has the same outline as one that was pointed at; None where it has none."""
    for one in armies:
        for known in one.bases:
            if one.name == army and type(known) is type(kind) and _size_of(known) == _size_of(kind):
                return known
    return None


def _rows(middle: float, radius: float, image: Image, axis: int) -> slice:
    least = int(np.clip(np.floor(middle - radius), 0, image.shape[axis]))
    return slice(least, int(np.clip(np.ceil(middle + radius) + 1, least, image.shape[axis])))


def _size_of(kind: BaseKind) -> tuple[float, ...]:
    if isinstance(kind, RoundBase):
        return (kind.diameter_mm,)
    assert isinstance(kind, RectBase)
    return kind.width_mm, kind.depth_mm


def _patch(frame: Image, camera: CameraModel, light: Light, at_px: tuple[float, float], z_mm: float) -> _Patch:
    height, width = frame.shape[:2]
    if not (0 <= at_px[0] < width and 0 <= at_px[1] < height):
        raise JobFailed("that is outside the picture: point at a base in it")
    middle = camera.to_plane(np.array([at_px]), z_mm)[0]
    if not np.isfinite(middle).all():
        raise JobFailed("that is not on the table: point at a base that stands on it")
    along = np.arange(-_REACH_MM, _REACH_MM + _STEP_MM / 2, _STEP_MM)
    x, y = np.meshgrid(middle[0] + along, middle[1] - along)
    points = np.stack([x.ravel(), y.ravel(), np.full(x.size, z_mm)], axis=1)
    pixels = camera.project(points).astype(np.float32).reshape(*x.shape, 2)
    seen = cv2.remap(frame, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    flat = light.reflectance(seen.reshape(-1, 3).astype(np.uint8), pixels.reshape(-1, 2))
    reflectance = flat.reshape(*x.shape, 3)
    return _Patch(features_of(reflectance), reflectance, middle)


def _colours(patch: _Patch) -> Iterator[Singles]:
    """The colours (3,) about the finger that are not the mat's, as features."""
    size = len(patch.features)
    near = int(30.0 / _STEP_MM)
    inner = patch.features[size // 2 - near : size // 2 + near, size // 2 - near : size // 2 + near].reshape(-1, 3)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 12, 1e-3)
    cv2.setRNGSeed(1)
    _, _, centres = cv2.kmeans(
        np.ascontiguousarray(inner[::2]), _COLOURS, np.empty(0), stop, 2, cv2.KMEANS_PP_CENTERS
    )
    mat = patch.mat
    for centre in np.asarray(centres, dtype=np.float32):
        if float(np.linalg.norm(centre - mat)) > 0.07:
            yield centre


def _likeness(patch: _Patch, colour: Singles) -> Singles:
    """How much like a paint each place (N, N) is: 1 the paint itself, 0 the mat or anything else as far from it."""
    apart = max(float(np.linalg.norm(colour - patch.mat)), 0.05)
    off = np.linalg.norm(patch.features - colour, axis=2)
    return np.asarray(np.clip(1.0 - off / (0.75 * apart), 0.0, 1.0), dtype=np.float32)


def _rough(like: Singles) -> Iterator[_Fit]:
    """The best circle and the best rectangles about the finger, roughly."""
    rounds = [_best_place(like, *_ring(float(size)), 0.0, (float(size),)) for size in ROUND_MM]
    yield from sorted(rounds, key=lambda fit: -fit.score)[:2]
    if max(fit.score for fit in rounds) < 0.1:
        return  # a colour that makes no rim at all needs no rectangles
    rects = [
        _best_place(like, *_rect_points(width, depth, float(turn)), float(turn), (float(width), float(depth)))
        for width, depth in RECT_MM
        for turn in np.arange(0.0, 90.0 if width == depth else 180.0, 15.0)
    ]
    yield from sorted(rects, key=lambda fit: -fit.score)[:3]


def _merit(fit: _Fit) -> float:
    """How good an outline is; a rectangle must be clearly better than a circle."""
    return fit.score - (_GAIN if len(fit.size) == 2 else 0.0)


def _ring(diameter: float) -> tuple[Floats, Floats]:
    """Points (N, 2) on a round rim, and as many just outside."""
    angle = np.arange(48) * (2 * np.pi / 48)
    ray = np.column_stack([np.cos(angle), np.sin(angle)])
    return ray * (diameter / 2 - _RIM_MM), ray * (diameter / 2 + _OUT_MM)


def _rect_points(width: float, depth: float, turn_deg: float) -> tuple[Floats, Floats]:
    """Points (N, 2) on a rectangle's rim, and as many just outside."""
    out = []
    for inset in (_RIM_MM, -_OUT_MM):
        a, b = width / 2 - inset, depth / 2 - inset
        along = np.linspace(-0.94, 0.94, 12)
        sides = [np.column_stack([along * a, np.full(12, s * b)]) for s in (-1, 1)]
        sides += [np.column_stack([np.full(12, s * a), along * b]) for s in (-1, 1)]
        out.append(turned(np.concatenate(sides), turn_deg))
    return out[0], out[1]


def _best_place(like: Singles, rim: Floats, out: Floats, turn_deg: float, size: tuple[float, ...]) -> _Fit:
    """The best place of an outline near the finger: a whole rim of the paint, with none of it just outside."""
    steps = np.arange(-_OFF_MM, _OFF_MM + 0.1, 2.0)
    x, y = np.meshgrid(steps, steps)
    row, column = _cells(like, np.concatenate([rim, out]))
    down, across = np.rint(-y.ravel() / _STEP_MM).astype(np.intp), np.rint(x.ravel() / _STEP_MM).astype(np.intp)
    most = len(like) - 1
    at = np.clip(row + down[:, None], 0, most) * len(like) + np.clip(column + across[:, None], 0, most)
    looked = like.ravel()[at]
    scores = looked[:, : len(rim)].mean(axis=1) - looked[:, len(rim) :].mean(axis=1)
    best = int(scores.argmax())
    return _Fit(float(scores[best]), float(x.ravel()[best]), float(y.ravel()[best]), turn_deg, size)


def _scores(like: Singles, centres: Floats, rim: Floats, out: Floats) -> Floats:
    """How good an outline each centre (M, 2) is: 1 at best."""
    on = _looked_up(like, centres[:, None] + rim)
    off = _looked_up(like, centres[:, None] + out)
    # a neighbour may touch the base, and a figure lean over its rim: the worst fifth of either does not count
    on.sort(axis=1)
    off.sort(axis=1)
    part = len(rim) // 5
    return np.asarray(on[:, part:].mean(axis=1) - off[:, :-part].mean(axis=1), dtype=np.float64)


def _looked_up(like: Singles, points: Floats) -> Floats:
    """The likeness at points (..., 2) in mm about the patch's middle; beyond its edge, that at the edge."""
    row, column = _cells(like, points)
    most = len(like) - 1
    return like[np.clip(row, 0, most), np.clip(column, 0, most)].astype(np.float64)


def _cells(like: Singles, points: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows and columns (...) of points (..., 2) in mm about the patch's middle."""
    middle = (len(like) - 1) / 2
    column = np.rint(middle + points[..., 0] / _STEP_MM).astype(np.intp)
    return np.rint(middle - points[..., 1] / _STEP_MM).astype(np.intp), column


def _refined(like: Singles, fit: _Fit) -> _Fit:
    """The outline shifted, turned and resized a little to where it fits best."""
    best = _moved(like, fit, 0, 0.0) or fit
    for step in (2.0, 1.0, 0.5):
        for _ in range(4):
            tried = [_moved(like, best, which, sign * step) for which in range(5) for sign in (-1, 1)]
            better = max((one for one in tried if one is not None), key=lambda one: one.score)
            if better.score <= best.score:
                break
            best = better
    return best


def _moved(like: Singles, fit: _Fit, which: int, step: float) -> _Fit | None:
    x, y, turn, size = fit.x, fit.y, fit.turn_deg, list(fit.size)
    if which == 0:
        x += step
    elif which == 1:
        y += step
    elif which == 2:
        turn += 4 * step
    elif which - 3 < len(size):
        size[which - 3] += step
    else:
        return None
    rim, out = _ring(size[0]) if len(size) == 1 else _rect_points(size[0], size[1], turn)
    score = float(_scores(like, np.array([[x, y]]), rim, out)[0])
    return _Fit(score, x, y, turn, tuple(size))


def _told(patch: _Patch, fit: _Fit, height_mm: float) -> Pointed:
    """The fit in the table's frame, with a usual size where it comes to one, and the colour of its rim."""
    shift = np.array([fit.x, fit.y])
    middle = patch.middle_mm + shift
    size = tuple(one - _GROWN_MM for one in fit.size)
    if len(size) == 1:
        (usual,) = _usual(size, [(float(d),) for d in ROUND_MM])
        kind: BaseKind = RoundBase(name="foot", diameter_mm=usual, height_mm=height_mm)
        rim, _ = _ring(fit.size[0])
        bearing = None
    else:
        turn = (
            fit.turn_deg if size[0] >= size[1] else fit.turn_deg + 90.0
        )  # bases are wider than deep, most of them
        size = tuple(sorted(size, reverse=True))
        width, depth = _usual(size, [(float(w), float(d)) for w, d in RECT_MM])
        kind = RectBase(name="foot", width_mm=width, depth_mm=depth, height_mm=height_mm)
        rim, _ = _rect_points(fit.size[0], fit.size[1], fit.turn_deg)
        bearing = turn % 180.0
    return Pointed(
        x_mm=float(middle[0]),
        y_mm=float(middle[1]),
        bearing_deg=bearing,
        colour=_rim_colour(patch, rim + shift),
        kind=kind,
        measured_mm=tuple(round(one, 1) for one in size),
        sure=float(np.clip(fit.score, 0.0, 1.0)),
    )


def _usual(size: tuple[float, ...], known: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """The usual size that a measured one comes to; else itself, to half a millimetre."""
    near = min(known, key=lambda one: max(abs(a - b) for a, b in zip(one, size, strict=True)))
    if max(abs(a - b) for a, b in zip(near, size, strict=True)) <= _SNAP_MM:
        return near
    return tuple(round(2 * one) / 2 for one in size)


def _rim_colour(patch: _Patch, rim: Floats) -> str:
    most = len(patch.features) - 1
    row, column = _cells(patch.features, rim)
    return _hex(np.median(patch.reflectance[np.clip(row, 0, most), np.clip(column, 0, most)], axis=0))


def _hex(reflectance_bgr: NDArray[np.floating]) -> str:
    """Linear shares of white (3,) as ``#rrggbb``."""
    linear = np.clip(np.asarray(reflectance_bgr, dtype=np.float64), 0.0, 1.0)
    values = 255.0 * np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    blue, green, red = np.rint(values).astype(int)
    return f"#{red:02x}{green:02x}{blue:02x}"
