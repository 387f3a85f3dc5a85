"""All lines of sight of a table at once, against shapely line by line and against shapely's arrays."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.geometry.shapes.bases import Bases
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.sight import Opaque, Standing, Veil, Watch, watch, watch_again, watch_of

Array = NDArray[np.float64]
Result = TypeVar("Result")

_EDGE_MM, _FAR_MM = 25.4, 304.8
_MM = 0.001


@dataclass(frozen=True)
class Field:
    """A game's figures on their bases, houses and woods."""

    bases: Bases
    houses: tuple[Array, ...]
    woods: tuple[Array, ...]

    def watch(self) -> Watch:
        """Everybody looks at everybody; houses and all bases block, woods are seen into for an inch."""
        number = np.arange(len(self.bases))
        return watch_of(
            self.bases.centre,
            self.bases.centre,
            [
                Opaque(pieces_of(self.houses)),
                Standing(self.bases, 0.0, 0.0, number, number),
                Veil(pieces_of(self.woods), _EDGE_MM, _EDGE_MM, _FAR_MM, _EDGE_MM, "nearest"),
            ],
        )


def field(figures: int, pieces: int, *, spread: bool = False, seed: int = 1) -> Field:
    """Two armies in units of ten, two deep (or all ``spread`` over the table), among pieces of 12 to 40 corners."""
    rng = np.random.default_rng(seed)
    width, depth = 1828.8, 1219.2
    rank = np.array([[(i - 2) * 27.0, (j - 0.5) * 27.0] for j in range(2) for i in range(5)])
    units = []
    for unit in range(figures // 10):
        turn = rng.uniform(-0.5, 0.5)
        north = unit % 2 * depth * 0.55
        at = rng.uniform([60, 60 + north], [width - 60, depth * 0.45 - 60 + north])
        units.append(at + rank @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]))
    spots = rng.uniform([0, 0], [width, depth], (figures, 2)) if spread else np.concatenate(units)
    mounted = np.arange(figures) // 10 % 4 == 0
    half = np.where(mounted[:, None], [12.5, 12.5], 0.0)
    bases = Bases(spots, np.where(mounted, 0.0, 12.5), half, np.where(mounted, 0.3, 0.0))
    outlines = []
    for _ in range(pieces):
        corners = int(rng.integers(12, 41))
        angle = np.sort(rng.uniform(0, 2 * np.pi, corners))
        reach = rng.uniform(0.6, 1.0, corners) * rng.uniform(20, 90)
        outlines.append(
            rng.uniform([0, 0], [width, depth]) + np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=1)
        )
    return Field(bases, tuple(outlines[: pieces // 2]), tuple(outlines[pieces // 2 :]))


def by_shapely_arrays(table: Field) -> NDArray[np.bool_]:
    """(n, n) who sees whom: each pair once, what is blocked is not asked again, trees choose the couples.

    The best that we know how to write with shapely alone: prepared houses a hair smaller (touching is not
    crossing), distances from the discs' centres, lengths only of lines that meet a wood.
    """
    spots, bases = table.bases.centre, table.bases
    count = len(spots)
    one, other = np.triu_indices(count, 1)
    lines = shapely.linestrings(np.stack([spots[one], spots[other]], axis=1))
    seen = np.ones(len(lines), dtype=bool)
    houses = _polygons(table.houses, -_MM)
    seen[np.unique(shapely.STRtree(houses).query(lines, "intersects")[0])] = False
    for rect in (False, True):
        left, which = np.flatnonzero(seen), np.flatnonzero(bases.is_rect == rect)
        if rect:
            shapes = _polygons(tuple(bases.corners()[which]), -_MM)
            line, shape = shapely.STRtree(shapes).query(lines[left], "intersects")
        else:
            tree = shapely.STRtree(shapely.points(spots[which]))
            line, shape = tree.query(lines[left], "dwithin", bases.radius[which[0]] - _MM)
        own = (one[left[line]] == which[shape]) | (other[left[line]] == which[shape])
        seen[left[line[~own]]] = False
    woods = _polygons(table.woods, 0.0)
    inside = shapely.contains_xy(woods[None, :], spots[:, :1], spots[:, 1:])
    deep = inside & (shapely.distance(shapely.boundary(woods)[None, :], shapely.points(spots)[:, None]) > _EDGE_MM)
    left = np.flatnonzero(seen)
    line, wood = shapely.STRtree(woods).query(lines[left], "intersects")
    run = shapely.length(shapely.intersection(lines[left[line]], woods[wood]))
    first, last = one[left[line]], other[left[line]]
    both, neither = inside[first, wood] & inside[last, wood], ~inside[first, wood] & ~inside[last, wood]
    held = np.where(both, run > _FAR_MM, np.where(neither, run > _EDGE_MM, deep[first, wood] | deep[last, wood]))
    held |= ~neither & (run > _FAR_MM)
    seen[left[line[held]]] = False
    table_of_all = np.eye(count, dtype=bool)
    table_of_all[one, other] = table_of_all[other, one] = seen
    return table_of_all


def _polygons(outlines: tuple[Array, ...], grown: float) -> NDArray[np.object_]:
    shapes = np.array([shapely.Polygon(outline) for outline in outlines], dtype=object)
    shapes = shapely.buffer(shapes, grown, join_style="mitre") if grown else shapes
    shapely.prepare(shapes)
    return shapes


def by_shapely_loop(table: Field, couples: list[tuple[int, int]]) -> list[bool]:
    """Whether they see each other, for some couples of figures: as one writes it down first."""
    bases = table.bases
    houses = [shapely.Polygon(outline) for outline in table.houses]
    woods = [shapely.Polygon(outline) for outline in table.woods]
    shapes = [
        shapely.Polygon(bases.corners()[i])
        if bases.is_rect[i]
        else shapely.Point(bases.centre[i]).buffer(bases.radius[i], quad_segs=32)
        for i in range(len(bases))
    ]
    return [_see(i, j, bases.centre, houses, woods, shapes) for i, j in couples]


def _see(
    i: int, j: int, spots: Array, houses: list[shapely.Polygon], woods: list[shapely.Polygon],
    shapes: list[shapely.Polygon],
) -> bool:  # fmt: skip
    line = shapely.LineString([spots[i], spots[j]])
    if any(line.intersection(house).length > _MM for house in houses):
        return False
    if any(k not in (i, j) and line.intersection(shape).length > _MM for k, shape in enumerate(shapes)):
        return False
    ends = [shapely.Point(spots[k]) for k in (i, j)]
    for wood in woods:
        run, inside = line.intersection(wood).length, [wood.covers(end) for end in ends]
        if (not any(inside) and run > _EDGE_MM) or (any(inside) and run > _FAR_MM):
            return False
        deep = [within and wood.exterior.distance(end) > _EDGE_MM for within, end in zip(inside, ends, strict=True)]
        if not all(inside) and any(deep):
            return False
    return True


def one_unit_moved(table: Watch, unit: int = 2) -> Watch:
    """The same table, ten figures of it two inches on."""
    spots = table.lookers.copy()
    spots[10 * unit : 10 * unit + 10] += [30.0, 40.0]
    blockers = tuple(
        replace(one, bases=replace(one.bases, centre=spots)) if isinstance(one, Standing) else one
        for one in table.blockers
    )
    return replace(table, lookers=spots, targets=spots, blockers=blockers)


def sight_of_whole_tables() -> str:
    """400 x 400 figures among 60 pieces against shapely both ways; after a move; growth and memory to 1,000."""
    table = field(400, 60, spread=True)
    whole = table.watch()
    seen, ours, own_work = _best(lambda: watch(whole))
    arrays, theirs, their_work = _best(lambda: by_shapely_arrays(table), 3)
    agree = float(((seen.verdict == 2) == arrays)[~np.eye(400, dtype=bool)].mean())
    couples = [(int(i), int(j)) for i, j in np.random.default_rng(2).integers(0, 400, (150, 2)) if i != j]
    begin = time.perf_counter()
    found = by_shapely_loop(table, couples)
    loop = (time.perf_counter() - begin) / len(couples) * 400 * 400
    same = sum(bool(seen.verdict[pair] == 2) == one for pair, one in zip(couples, found, strict=True))
    moved = one_unit_moved(whole)
    _, again, again_work = _best(lambda: watch_again(whole, seen, moved), 9)
    sizes = {count: _best(partial(watch, field(count, 100).watch()), 3)[1] for count in (100, 400, 1000)}
    return (
        f"400 x 400 figures, 60 pieces: {ours * 1e3:.0f} ms ({own_work * 1e3:.0f} of a processor); "
        f"a loop of shapely objects {loop / ours:.0f}x ({same} of {len(couples)} agree), "
        f"shapely's arrays {theirs / ours:.1f}x ({their_work / own_work:.1f}x the work, {agree:.2%} agree); "
        f"after 10 figures moved {again * 1e3:.1f} ms ({again_work * 1e3:.1f}); "
        "100, 400, 1000 figures with 100 pieces: "
        + ", ".join(f"{sizes[count] * 1e3:.0f} ms" for count in sizes)
        + f" (a pair at 1000 costs {sizes[1000] / sizes[400] / 6.25:.2f} of one at 400); "
        f"memory at 1000: {_memory(1000):.0f} MB"
    )


def _best(work: Callable[[], Result], repeats: int = 5) -> tuple[Result, float, float]:
    """What some work gives, the least seconds that it took, and the least of a processor's."""
    result, seconds, used = work(), [], []
    for _ in range(repeats):
        begin, begun = time.perf_counter(), time.process_time()
        result = work()
        seconds.append(time.perf_counter() - begin)
        used.append(time.process_time() - begun)
    return result, min(seconds), min(used)


def _memory(figures: int) -> float:
    whole = field(figures, 100).watch()
    tracemalloc.start()
    watch(whole)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6
