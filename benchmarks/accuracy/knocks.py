"""Drawn knocks: a table at rest whose camera is bumped, or whose light is switched; then one figure is moved."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from msgspec.structs import replace

from benchmarks.accuracy.cases import packed, unpacked
from benchmarks.accuracy.drawing import Drawn, Kind, draw
from benchmarks.accuracy.paints import Rng
from benchmarks.accuracy.plays import FPS, moved_alone
from calibration.camera import CameraModel
from calibration.prints.markers import corners_on_table
from vision.simulated import BasePlaced, Effects, Renderer, VirtualTable
from vision.sources import Frame

_REST = 3  # frames of a table at rest
_SHIFTS_PX = ((0.5, 5.0), (5.0, 60.0))  # a nudge, and a blow
_IN_SIGHT = 3  # markers that a bumped camera still has in its picture
_TRIES = 100


@dataclass(frozen=True, eq=False)
class Knock:
    """What happens at ``frame``, by which the table is seen to shift by ``shift_px`` (rms); what is then ``moved``.

    ``moved`` is a base as it stood and as it stands from ``moved_frame`` on, when no hand is in sight any more.
    """

    frame: int
    what: str
    shift_px: float
    camera: CameraModel
    effects: Effects
    moved: tuple[BasePlaced, BasePlaced] | None = None
    moved_frame: int = 0


@dataclass(frozen=True, eq=False)
class KnockPlay:
    """The table in each frame, the knocks, and by which of these each frame's light and camera are (None: none)."""

    drawn: Drawn
    tables: tuple[VirtualTable, ...]
    by: tuple[int | None, ...]
    knocks: tuple[Knock, ...]


def draw_knocks(seed: int, what: str) -> KnockPlay:
    """The play of a seed: a fair table, knocked twice; ``what`` is "bump" or "lamp"."""
    rng = np.random.default_rng(seed)
    drawn = draw(rng, Kind(fair=True))
    camera, now, tables = drawn.camera, drawn.table, [drawn.table] * _REST
    by: list[int | None] = [None] * _REST
    knocks: list[Knock] = []
    for n, shift in enumerate(_SHIFTS_PX):
        if what == "bump":
            before, camera = camera, bumped(camera, drawn.table, rng, shift)
            knock = Knock(len(tables), what, apart_px(camera, before, drawn.table), camera, drawn.effects)
        else:
            effects, words = other_light(drawn.effects, rng)
            knock = Knock(len(tables), words, 0.0, camera, effects)
        tables += [now] * _REST
        carried = moved_alone(now, rng, partial(_in_picture, camera))
        if carried is not None:
            stood, stands, with_hand, now = carried
            tables += [with_hand] + [now] * _REST
            knock = dataclasses.replace(knock, moved=(stood, stands), moved_frame=len(tables) - _REST)
        by += [n] * (len(tables) - len(by))
        knocks.append(knock)
    return KnockPlay(drawn, tuple(tables), tuple(by), tuple(knocks))


def frames_of_knocks(play: KnockPlay, seed: int) -> Iterator[Frame]:
    """The frames of a play, rendered and compressed one after another."""
    last: int | None = -1
    for number, (table, by) in enumerate(zip(play.tables, play.by, strict=True)):
        if by != last:
            camera = play.drawn.camera if by is None else play.knocks[by].camera
            effects = play.drawn.effects if by is None else play.knocks[by].effects
            renderer = Renderer(camera, replace(effects, jpeg_quality=0), seed)
            last = by
        image = unpacked(packed(renderer.render(table), play.drawn.effects.jpeg_quality))
        yield Frame(number=number, t_s=number / FPS, image=image)


def bumped(camera: CameraModel, table: VirtualTable, rng: Rng, shift_px: tuple[float, float]) -> CameraModel:
    """A camera turned, rolled, carried and raised, by some of each, until the table shifts so far (rms)."""
    low, high = np.log(shift_px)
    for _ in range(_TRIES):
        turn = rng.normal(0, 1, 3) * (0.01, 0.01, rng.choice([0.002, 0.05]))
        way = rng.normal(0, 1, 3) * (8.0, 8.0, rng.choice([2.0, 20.0]))
        wanted, least, most = float(np.exp(rng.uniform(low, high))), 0.0, 16.0
        for _ in range(40):
            share = (least + most) / 2
            other = _hung(camera, turn * share, way * share)
            far = apart_px(camera, other, table) >= wanted
            least, most = (least, share) if far else (share, most)
        if _markers_in_sight(other, table) >= _IN_SIGHT and np.abs(np.degrees(turn * share)).max() <= 6.0:
            return other
    return camera


def other_light(effects: Effects, rng: Rng) -> tuple[Effects, str]:
    """A lamp made brighter or dimmer by up to 40 %, the camera's own exposure or white balance a step on, or a lamp
    switched that lights one end."""
    kind = str(rng.choice(["lamp", "exposure", "white balance", "lamp aside"]))
    if kind in ("lamp", "exposure"):
        gain = float(rng.uniform(0.6, 1.4))
        gain = 1.15 * gain if 0.93 < gain < 1.07 else gain
        cast = np.array(effects.cast) * (np.exp(rng.normal(0, 0.05, 3)) if kind == "lamp" else 1.0)
        blue, green, red = (float(c) for c in cast)
        return replace(effects, exposure=effects.exposure * gain, cast=(blue, green, red)), f"{kind} x{gain:.2f}"
    if kind == "white balance":
        step = float(rng.uniform(0.05, 0.2) * rng.choice([-1, 1]))
        blue, green, red = effects.cast
        return replace(effects, cast=(blue * (1 + step), green, red * (1 - step))), f"{kind} {step:+.2f}"
    aside = float(rng.uniform(0.1, 0.4))
    turned = replace(effects, lamp=aside, lamp_deg=float(rng.uniform(0, 360)))
    return turned, f"{kind} {effects.lamp:.2f}->{aside:.2f}"


def apart_px(one: CameraModel, other: CameraModel, table: VirtualTable) -> float:
    """How far apart (rms, px) two cameras see the same points of the table."""
    size = table.table.table
    x, y = np.meshgrid(np.linspace(0, size.width_mm, 7), np.linspace(0, size.depth_mm, 7))
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    return float(np.sqrt(np.nanmean(((one.project(points) - other.project(points)) ** 2).sum(axis=1))))


def _hung(camera: CameraModel, turn: np.ndarray, way_mm: np.ndarray) -> CameraModel:
    """The camera turned about its own axes (3,) in radians, and carried (3,) in mm along the table's."""
    rotation = np.asarray(cv2.Rodrigues(np.asarray(turn, dtype=np.float64))[0]) @ camera.rotation
    vector = np.asarray(cv2.Rodrigues(rotation)[0], dtype=np.float64).ravel()
    return dataclasses.replace(camera, rvec=vector, tvec_mm=-rotation @ (camera.position_mm + way_mm))


def _markers_in_sight(camera: CameraModel, table: VirtualTable) -> int:
    cards = [camera.project(corners_on_table(m, 1.3 * table.table.markers.size_mm)) for m in table.table.markers.at]
    lens = camera.intrinsics
    return sum(bool(((c > 1) & (c < (lens.width_px - 2, lens.height_px - 2))).all()) for c in cards)


def _in_picture(camera: CameraModel, x_mm: float, y_mm: float) -> bool:
    seen = camera.project([[x_mm, y_mm, 0.0]])[0]
    return bool(((seen > 40) & (seen < (camera.intrinsics.width_px - 40, camera.intrinsics.height_px - 40))).all())
