"""Which way bases face that no mark tells: from a rectangle's axis, its formation's line, and where the enemy is.

What is measured stays as it was measured: a `BaseSeen` without a front mark carries its axis as one of two opposite
bearings, and a round one none at all. `suggested_facings` only proposes a direction, with how sure it is, for a
person to take or to flip: a bearing is written into the game only when it was accepted. An army with a front mark
is left out: its bearings were seen, and nothing said here may change them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.records import MOST_MM, BaseKind, RectBase, Table
from vision.records import BaseSeen
from vision.unpainted import shapes_of

__all__ = ["Facing", "suggested_facings"]

Floats = NDArray[np.float64]
Kinds = Mapping[str, BaseKind]
Ways = Literal["axis", "square", "line"]

_ABREAST_MM = 12.0  # a gap at which bases still stand in one formation
_FLUSH_DEG = 20.0  # rectangles of one formation differ by less
_LINE_BREADTH = 0.6  # bases that stray from their line by more than this share of a breadth are no line
_LEAST_IN_LINE = 3  # two bases are always in line
_AXIS_DEG = 2.0  # no axis is known worse
_SQUARE_SPREAD = 1.05  # a rectangle whose sides differ by less than this factor has four ways
_LEVEL_DEG = 20.0  # with the enemy so nearly abreast neither way is likelier
_SURE = 0.95  # the enemy is in front, mostly: never more than this without a mark
_UNTOLD = 0.5  # one of two ways, and nothing to choose by
_BETWEEN_SIDES = 0.85  # that a formation of rectangles faces across its line and not along it


@dataclass(frozen=True)
class Facing:
    """A direction suggested for the base ``index`` of those given.

    ``sigma_deg`` is the uncertainty of the axis or of the line's normal, ``confidence`` (0-1) how likely it is
    that the base faces along it and not one of the other ``ways`` that its shape leaves: an ``axis`` has two, a
    ``square`` four, a round base in a ``line`` the two normals of the line. ``flipped``: a person said so.
    """

    index: int
    bearing_deg: float
    sigma_deg: float
    confidence: float
    ways: Ways
    flipped: bool = False


def suggested_facings(
    bases: Sequence[BaseSeen],
    table: Table,
    army: str | None,
    enemy_mm: Sequence[tuple[float, float]] = (),
    enemy_bearing_deg: float | None = None,
    flips: Collection[int] = (),
) -> list[Facing]:
    """Where the bases of one army without front marks may face; none for an army that has marks.

    ``army`` is its name, None for bases without paint. The hint where the enemy is are places of his bases, or the
    bearing of the side he is on; without either each axis keeps the way that it was measured, with even odds. Bases
    that stand together and show the same axis face the same way. ``flips`` are indices of bases that a person
    turned about: these are certain. Bases of other armies are passed over.

    >>> from calibration.records import Army, Markers, RectBase, TableSize
    >>> horse = RectBase(name="horse", width_mm=25, depth_mm=50, height_mm=3)
    >>> table = Table(format="vedette-table/1", table=TableSize(width_mm=1200, depth_mm=1200),
    ...               markers=Markers(dictionary="DICT_4X4_100", size_mm=80),
    ...               armies=(Army(name="huron", base_colour="#2f4f9e", bases=(horse,)),))
    >>> seen = BaseSeen(army="huron", base="horse", x_mm=300, y_mm=900, z_mm=0, bearing_deg=10.0, sigma_mm=0.3,
    ...                 bearing_sigma_deg=1.0, confidence=0.9)
    >>> [(f.bearing_deg, f.ways) for f in suggested_facings([seen], table, "huron", enemy_bearing_deg=180.0)]
    [(190.0, 'axis')]
    """
    armies = [a for a in table.armies if army is None or a.name == army]
    if army is not None and any(isinstance(a.front_mark, str) for a in armies):
        return []
    mine = [k for k, base in enumerate(bases) if base.army == army]
    listed = (shape.kind for shape in shapes_of(table)) if army is None else (k for a in armies for k in a.bases)
    kinds = {kind.name: kind for kind in listed}
    out: list[Facing] = []
    for group in _formations([bases[k] for k in mine], kinds):
        members = [mine[k] for k in group]
        towards = _towards([bases[k] for k in members], enemy_mm, enemy_bearing_deg)
        boxes = [k for k in members if isinstance(kinds.get(bases[k].base or ""), RectBase)]
        out += _of_boxes(bases, boxes, kinds, towards)
        out += _of_line(bases, [k for k in members if k not in boxes], towards)
    turned = [_flipped(facing) if facing.index in flips else facing for facing in out]
    return sorted(turned, key=lambda facing: facing.index)


def _formations(bases: Sequence[BaseSeen], kinds: Kinds) -> list[list[int]]:
    """Indices of bases that stand together, group by group."""
    reach = {name: _half_breadth(kind) for name, kind in kinds.items()}
    left = set(range(len(bases)))
    groups = []
    while left:
        group, edge = [], [left.pop()]
        while edge:
            k = edge.pop()
            group.append(k)
            near = [o for o in left if _gap(bases[k], bases[o], reach) < _ABREAST_MM]
            near = [o for o in near if _flush(bases[k], bases[o])]
            left.difference_update(near)
            edge += near
        groups.append(sorted(group))
    return groups


def _half_breadth(kind: BaseKind) -> float:
    return (min(kind.width_mm, kind.depth_mm) if isinstance(kind, RectBase) else kind.diameter_mm) / 2


def _gap(one: BaseSeen, other: BaseSeen, reach: Mapping[str, float]) -> float:
    apart = math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
    return apart - reach.get(one.base or "", MOST_MM) - reach.get(other.base or "", MOST_MM)


def _flush(one: BaseSeen, other: BaseSeen) -> bool:
    """Whether two bases of one kind may belong to one formation by their axes."""
    if one.base != other.base:
        return False
    if one.lies_deg is None or other.lies_deg is None:
        return True
    return abs((one.lies_deg - other.lies_deg + 45) % 90 - 45) < _FLUSH_DEG


def _towards(
    bases: Sequence[BaseSeen], enemy_mm: Sequence[tuple[float, float]], enemy_bearing_deg: float | None
) -> float | None:
    """The bearing of the enemy from the middle of some bases: of his nearest, for he may be all about."""
    if enemy_mm:
        middle = np.mean([(b.x_mm, b.y_mm) for b in bases], axis=0)
        off = np.asarray(enemy_mm, dtype=np.float64) - middle
        far = np.maximum(np.hypot(off[:, 0], off[:, 1]), 1.0)
        pull = (off / far[:, None] ** 3).sum(axis=0)  # by the inverse square: the near count, the many count
        if np.hypot(*pull) > 1e-9:
            return math.degrees(math.atan2(pull[0], pull[1])) % 360.0
    return None if enemy_bearing_deg is None else enemy_bearing_deg % 360.0


def _of_boxes(
    bases: Sequence[BaseSeen], members: Sequence[int], kinds: Kinds, towards: float | None
) -> list[Facing]:
    """Rectangles of one formation: each keeps its own axis, all of one kind face the same way."""
    told = [k for k in members if bases[k].lies_deg is not None]
    if not told:
        return []
    square = [_is_square(kinds[bases[k].base or ""]) for k in told]
    turn = 90.0 if all(square) else 180.0
    axes = np.array([bases[k].lies_deg for k in told], dtype=np.float64)
    common = _mean_axis(axes, turn)
    way, sure = _way(common, turn, towards)
    out = []
    for k, axis, quarter in zip(told, axes, square, strict=True):
        near = axis + turn * round((way - axis) / turn)
        sigma = bases[k].bearing_sigma_deg or _AXIS_DEG
        out.append(Facing(k, float(near % 360.0), sigma, sure, "square" if quarter else "axis"))
    return out


def _is_square(kind: BaseKind) -> bool:
    if not isinstance(kind, RectBase):
        return False
    return max(kind.width_mm, kind.depth_mm) / min(kind.width_mm, kind.depth_mm) < _SQUARE_SPREAD


def _mean_axis(axes_deg: Floats, turn_deg: float) -> float:
    """The mean of axes that look the same after a turn of ``turn_deg``, near the first."""
    whole = np.exp(1j * np.radians(axes_deg) * (360.0 / turn_deg)).sum()
    mean = math.degrees(float(np.angle(whole))) * turn_deg / 360.0
    return mean + turn_deg * round((float(axes_deg[0]) - mean) / turn_deg)


def _way(axis_deg: float, turn_deg: float, towards: float | None) -> tuple[float, float]:
    """Which way along an axis, and how sure that is."""
    if towards is None:
        return axis_deg, _UNTOLD if turn_deg == 180.0 else _UNTOLD / 2
    ways = [axis_deg + turn_deg * k for k in range(round(360.0 / turn_deg))]
    off = sorted((abs((way - towards + 180) % 360 - 180), way) for way in ways)
    lead = off[1][0] - off[0][0]  # by how much the next likely way is farther off
    share = min(1.0, lead / (2 * _LEVEL_DEG))
    least = 1.0 / len(ways)
    return off[0][1], least + (_SURE - least) * share


def _of_line(bases: Sequence[BaseSeen], members: Sequence[int], towards: float | None) -> list[Facing]:
    """Round bases in a formed line: the line's normal towards the enemy."""
    if len(members) < _LEAST_IN_LINE or any(bases[k].bearing_deg is not None for k in members):
        return []
    places = np.array([(bases[k].x_mm, bases[k].y_mm) for k in members])
    middle = places - places.mean(axis=0)
    _, spread, ways = np.linalg.svd(middle, full_matrices=False)
    breadth = float(np.median(_nearest(places)))
    astray = np.abs(middle @ ways[1])
    if astray.max() > _LINE_BREADTH * breadth or spread[0] < 2 * spread[1]:
        return []
    normal = math.degrees(math.atan2(ways[1][0], ways[1][1]))
    sigma = math.degrees(math.atan2(float(astray.std()) + 0.3, float(spread[0])))
    way, sure = _way(normal, 180.0, towards)
    return [Facing(k, way % 360.0, max(sigma, 1.0), sure * _BETWEEN_SIDES, "line") for k in members]


def _nearest(places: Floats) -> Floats:
    """How far each place (N, 2) is from its nearest neighbour."""
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    return np.asarray(apart.min(axis=1))


def _flipped(facing: Facing) -> Facing:
    """A facing that a person turned about."""
    bearing = (facing.bearing_deg + 180.0) % 360.0
    return Facing(facing.index, bearing, facing.sigma_deg, 1.0, facing.ways, flipped=True)
