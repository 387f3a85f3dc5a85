"""Drawn plays: a table filmed while hands move figures, take them away, put them back, or touch nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from msgspec.structs import replace

from benchmarks.accuracy.cases import packed, unpacked
from benchmarks.accuracy.drawing import Drawn, Kind, draw
from benchmarks.accuracy.layout import footprint
from benchmarks.accuracy.paints import Rng
from vision.frames.records import Image
from vision.simulated import BasePlaced, Renderer, VirtualTable, empty_of
from vision.simulated.furniture import clutter_outline, foot_of
from vision.sources import Frame

FPS = 2.0
_TRIES = 200
_NOT_AT_ONCE = 6  # most figures that a hand takes together
_REST = 4  # frames of a settled table between two hands


@dataclass(frozen=True)
class TrueEvent:
    """What a perfect program reports of one base: moved (``to_mm``) or removed, between two frames."""

    event: str
    base: BasePlaced
    to_mm: tuple[float, float] | None
    earliest_frame: int
    clear_frame: int


@dataclass(frozen=True)
class Incursion:
    """The frames in which a hand is over the table."""

    first_frame: int
    last_frame: int
    what: str


@dataclass(frozen=True, eq=False)
class Play:
    """The table in each frame, and what happens."""

    drawn: Drawn
    tables: tuple[VirtualTable, ...]
    events: tuple[TrueEvent, ...]
    incursions: tuple[Incursion, ...]


def draw_play(seed: int) -> Play:
    """The play of a seed: a fair table, and four hands."""
    rng = np.random.default_rng(seed)
    drawn = draw(rng, Kind(fair=True))
    now, tables = drawn.table, [drawn.table] * _REST
    events: list[TrueEvent] = []
    incursions: list[Incursion] = []
    for what in rng.permutation(["moves", "moves", "takes away", "puts back", "touches nothing"])[:4]:
        taken = _some(now, rng)
        after = _after(str(what), now, taken, rng)
        if after is None:
            continue
        first = len(tables)
        tables += _hand(now, without(now, taken) if what != "touches nothing" else now, after, taken, rng)
        incursions.append(Incursion(first, len(tables) - 1, str(what)))
        places = {b.id: (b.x_mm, b.y_mm) for b in after.bases}
        if what in ("moves", "takes away"):
            kind = "moved" if what == "moves" else "removed"
            events += [TrueEvent(kind, b, places.get(b.id), first, len(tables)) for b in taken]
        now = after
        tables += [now] * _REST
    return Play(drawn, tuple(tables), tuple(events), tuple(incursions))


def frames_of(play: Play, seed: int, kept: Path | None = None) -> Iterator[Frame]:
    """The frames of a play, rendered and compressed one after another, or as a folder keeps them."""
    if kept is not None:
        for number in range(len(play.tables)):
            image = unpacked((kept / frame_name(number)).read_bytes())
            yield Frame(number=number, t_s=number / FPS, image=image)
        return
    effects = replace(play.drawn.effects, jpeg_quality=0, hand_blur_mm=(12.0, 8.0))
    renderer = Renderer(play.drawn.camera, effects, seed)
    for number, table in enumerate(play.tables):
        image = unpacked(packed(renderer.render(table), play.drawn.effects.jpeg_quality))
        yield Frame(number=number, t_s=number / FPS, image=image)


def name_of_play(seed: int) -> str:
    """What the play of a seed, and the folder that keeps its frames, are called."""
    return f"play-{seed}"


def frame_name(number: int) -> str:
    """The file's name of a kept frame."""
    return f"frame-{number:03d}.jpg"


def empty_of_play(play: Play, seed: int, kept: Path | None = None) -> Image | None:
    """The picture of the table before the first figure was put down; None where the bases are painted."""
    if kept is not None and play.drawn.plain:
        return unpacked((kept / "empty.jpg").read_bytes())
    return empty_of_drawn(play.drawn, seed)


def empty_of_drawn(drawn: Drawn, seed: int) -> Image | None:
    """The picture of a drawn table before the first figure was put down; None where the bases are painted."""
    if not drawn.plain:
        return None
    image = Renderer(drawn.camera, replace(drawn.effects, jpeg_quality=0), seed).render(empty_of(drawn.table))
    return unpacked(packed(image, drawn.effects.jpeg_quality))


def without(table: VirtualTable, taken: Sequence[BasePlaced]) -> VirtualTable:
    """The table while these bases are in a hand."""
    names = {base.id for base in taken}
    return replace(table, bases=tuple(base for base in table.bases if base.id not in names))


def moved_alone(
    table: VirtualTable, rng: Rng, in_sight: Callable[[float, float], bool]
) -> tuple[BasePlaced, BasePlaced, VirtualTable, VirtualTable] | None:
    """One base as it stood and as it stands, the table under the hand that puts it down, and after that.

    None where there is no room.
    """
    for _ in range(_TRIES):
        base = table.bases[int(rng.integers(len(table.bases)))]
        after = _after("moves", table, (base,), rng)
        if after is None:
            continue
        (put,) = (b for b in after.bases if b.id == base.id)
        if in_sight(base.x_mm, base.y_mm) and in_sight(put.x_mm, put.y_mm):
            hand = replace(after, hand_mm=(put.x_mm, put.y_mm), arm_deg=float(rng.uniform(-20, 20)))
            return base, put, hand, after
    return None


def _some(table: VirtualTable, rng: Rng) -> tuple[BasePlaced, ...]:
    """Some bases of one unit that stand together."""
    one = table.bases[int(rng.integers(len(table.bases)))]
    unit = one.id.rsplit("-", 1)[0]
    mates = [base for base in table.bases if base.id.rsplit("-", 1)[0] == unit]
    mates.sort(key=lambda base: np.hypot(base.x_mm - one.x_mm, base.y_mm - one.y_mm))
    return tuple(mates[: int(rng.integers(1, _NOT_AT_ONCE + 1))])


def _after(what: str, table: VirtualTable, taken: Sequence[BasePlaced], rng: Rng) -> VirtualTable | None:
    """The table when the hand has gone; None where there is no room to move to."""
    if what in ("touches nothing", "puts back"):
        return table
    rest = without(table, taken)
    if what == "takes away":
        return rest
    taken_up = _obstacles(rest)
    size = table.table.table
    room = shapely.box(15, 15, size.width_mm - 15, size.depth_mm - 15)
    for _ in range(_TRIES):
        away, angle = rng.uniform(25, 250), rng.uniform(0, 2 * np.pi)
        dx, dy = float(away * np.cos(angle)), float(away * np.sin(angle))
        moved = [replace(b, x_mm=round(b.x_mm + dx, 3), y_mm=round(b.y_mm + dy, 3)) for b in taken]
        area = shapely.buffer(shapely.union_all([footprint(b, table.base_kind(b)) for b in moved]), 4.0)
        if shapely.contains(room, area) and not shapely.intersects(taken_up, area):
            places = {base.id: base for base in moved}
            return replace(table, bases=tuple(places.get(b.id, b) for b in table.bases))
    return None


def _obstacles(table: VirtualTable) -> shapely.Geometry:
    """Where nothing can be put down: other bases, tags, clutter, trees, blocks, and the edges of terrain."""
    areas: list[shapely.Geometry] = [footprint(b, table.base_kind(b)) for b in table.bases]
    areas += [shapely.Point(t.x_mm, t.y_mm).buffer(25.0) for t in table.tags]
    areas += [shapely.Polygon(clutter_outline(c)[0]) for c in table.clutter]
    areas += [shapely.Point(t.x_mm, t.y_mm).buffer(t.radius_mm) for t in table.trees]
    for piece in table.terrain:
        foot = shapely.Polygon(foot_of(np.array(piece.polygon_mm), piece.slope_mm))
        areas.append(foot if table.height_of(piece.kind) > 4 else foot.exterior)
    return shapely.union_all(areas)


def _hand(
    before: VirtualTable, during: VirtualTable, after: VirtualTable, taken: Sequence[BasePlaced], rng: Rng
) -> list[VirtualTable]:
    """The frames of a hand that comes in, takes, carries, puts down and goes."""
    arm = float(rng.choice([0.0, 90.0, 180.0, 270.0]) + rng.uniform(-20, 20))
    start = np.array((taken[0].x_mm, taken[0].y_mm))
    ends = {b.id: (b.x_mm, b.y_mm) for b in after.bases}
    end = np.array(ends.get(taken[0].id, tuple(start)))
    back = np.array((np.sin(np.radians(arm)), np.cos(np.radians(arm)))) * 160.0

    def over(table: VirtualTable, at: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> VirtualTable:
        return replace(table, hand_mm=(float(at[0]), float(at[1])), arm_deg=arm)

    return [
        over(before, start - back),
        over(before, start),
        over(during, start - 0.3 * back),
        over(during, (start + end) / 2),
        over(after, end),
        over(after, end - back),
    ]
