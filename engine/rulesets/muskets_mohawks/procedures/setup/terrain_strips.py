"""Roads, creeks and rivers right across the table, lakes, bridges and fords (MM-188 to MM-192)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from engine.rulesets.muskets_mohawks.procedures.setup.terrain_frame import Box, Frame

__all__ = ["Piece", "Strip", "strips"]

Way = Literal["lengthwise", "widthwise"]
#: A road is as wide as two figures (MM-188), a bridge as wide as most models are.
_ROAD_IN, _BRIDGE_IN = 2.0, 3.0
#: Strips that would lie in each other are moved apart in such steps, and stay so far apart.
_STEP_IN, _APART_IN = 0.5, 1.0
#: A road leaves so much room for houses at the table's edge.
_VERGE_IN = 4.0
#: A crossing reaches so far beyond the water, half of it on either bank.
_BANKS_IN = 1.0
_WATERS = ("creek", "river")


class Piece(Struct, frozen=True, kw_only=True):
    """A piece of terrain: its kind, the section that it lies in (None: it runs across the table), its box."""

    kind: str
    section: int | None
    box: Box


class Strip(Struct, frozen=True, kw_only=True):
    """What runs across the table: its kind, its way, and between which lines beside it, in inches."""

    kind: str
    way: Way
    low: float
    high: float
    feature: Mapping[str, Any]

    @property
    def middle(self) -> float:
        """The line along its middle, in inches from the near edge, or from the left of one that runs widthwise."""
        return (self.low + self.high) / 2

    def box(self, frame: Frame) -> Box:
        """Where it lies."""
        if self.way == "lengthwise":
            return Box(0.0, self.low, frame.wide, self.high)
        return Box(self.low, 0.0, self.high, frame.deep)


def strips(frame: Frame, features: Sequence[Mapping[str, Any]], place: Mapping[int, int]) -> tuple[Piece, ...]:
    """The pieces of the roads and waters that were rolled; ``place``: the section that each section's terrain got.

    The first road runs as its die said, all others square to it, so that they meet it in a crossroads (MM-188);
    two of the same kind in one lane are one. What runs the same way lies side by side. A bridge or a lone ford is
    where a road crosses its river, if one does.
    """
    lakes = [_lake(frame, place[one["section"]], one) for one in features if one["kind"] == "lake"]
    laid: list[Strip] = []
    for one in (*_of_kind(features, *_WATERS), *_of_kind(features, "road")):
        strip = _strip(frame, place[one["section"]], one, laid, lakes)
        if strip is not None:
            laid.append(strip)
    roads = [strip for strip in laid if strip.kind == "road"]
    pieces = [*lakes]
    for strip in laid:
        pieces.append(Piece(kind=strip.kind, section=None, box=strip.box(frame)))
        pieces += _crossings(frame, strip, place.get(int(strip.feature["section"]), 5), roads)
    return tuple(pieces)


def _of_kind(features: Sequence[Mapping[str, Any]], *kinds: str) -> list[Mapping[str, Any]]:
    return [one for one in features if one["kind"] in kinds]


def _lake(frame: Frame, section: int, feature: Mapping[str, Any]) -> Piece:
    """A lake: as long as its section, as wide as a river."""
    (x, y), half = frame.section(section).middle, float(feature["width_in"]) / 2
    if feature["direction"] == "lengthwise":
        return Piece(
            kind="lake", section=section, box=Box(x - frame.wide / 6, y - half, x + frame.wide / 6, y + half)
        )
    return Piece(kind="lake", section=section, box=Box(x - half, y - frame.deep / 6, x + half, y + frame.deep / 6))


def _strip(
    frame: Frame, section: int, feature: Mapping[str, Any], laid: Sequence[Strip], lakes: Sequence[Piece]
) -> Strip | None:
    """A road or water through a section, beside what runs there already; None for a road that is there already."""
    kind, way = str(feature["kind"]), _way(feature, laid)
    lane = frame.section(section)
    low, high = (lane.near, lane.far) if way == "lengthwise" else (lane.left, lane.right)
    beside = [one for one in laid if one.way == way]
    if kind == "road" and any(one.kind == "road" and low <= one.middle <= high for one in beside):
        return None
    taken = [(one.low, one.high) for one in beside]
    if kind == "road":  # a water may run into a lake
        boxes = [lake.box for lake in lakes]
        taken += [(one.near, one.far) if way == "lengthwise" else (one.left, one.right) for one in boxes]
    width = float(feature.get("width_in", _ROAD_IN))
    breadth = frame.deep if way == "lengthwise" else frame.wide
    verge = _VERGE_IN if kind == "road" else 0.0
    start = _free((low + high) / 2 - width / 2, width, (verge, breadth - verge), taken)
    return Strip(kind=kind, way=way, low=start, high=start + width, feature=feature)


def _way(feature: Mapping[str, Any], laid: Sequence[Strip]) -> Way:
    """Which way it runs: as rolled, but every road after the first square to the first."""
    first = next((one.way for one in laid if one.kind == "road"), None)
    if feature["kind"] == "road" and first is not None:
        return "widthwise" if first == "lengthwise" else "lengthwise"
    return "lengthwise" if feature["direction"] == "lengthwise" else "widthwise"


def _free(start: float, width: float, bounds: tuple[float, float], taken: Sequence[tuple[float, float]]) -> float:
    """Where a strip begins that lies apart from all others, as near to ``start`` as can be; there if nowhere."""
    for step in range(int((bounds[1] - bounds[0]) / _STEP_IN) + 1):
        for low in (start - step * _STEP_IN, start + step * _STEP_IN):
            apart = all(low >= end + _APART_IN or low + width <= begin - _APART_IN for begin, end in taken)
            if apart and bounds[0] <= low <= bounds[1] - width:
                return low
    return start


def _crossings(frame: Frame, river: Strip, section: int, roads: Sequence[Strip]) -> Iterator[Piece]:
    """Bridges and fords of a river: where a road crosses it, else in the middle of their section (MM-192)."""
    column, row = (section - 1) % 3, 2 - (section - 1) // 3
    breadth = frame.wide if river.way == "lengthwise" else frame.deep
    third = column if river.way == "lengthwise" else row
    over = [road.middle for road in roads if road.way != river.way]
    lone = min(over, key=lambda at: abs(at - (third + 0.5) * breadth / 3), default=(third + 0.5) * breadth / 3)
    if river.feature.get("crossing") == "bridge":
        yield _over(river, "bridge", _BRIDGE_IN, lone)
    widths = [float(wide) for wide in river.feature.get("ford_width_in", ())]
    rolled = river.feature.get("ford_sections")
    places = [lone] if rolled is None else [_in_third(int(one) - 1, breadth, over) for one in rolled]
    for wide, at in zip(widths, places, strict=False):
        yield _over(river, "ford", wide, at)


def _in_third(third: int, breadth: float, over: Sequence[float]) -> float:
    """Where in a third of its length a river is forded: where a road crosses it there, else in the middle."""
    low, high = third * breadth / 3, (third + 1) * breadth / 3
    return next((at for at in over if low <= at <= high), (low + high) / 2)


def _over(river: Strip, kind: str, wide: float, at: float) -> Piece:
    half, low, high = wide / 2, river.low - _BANKS_IN / 2, river.high + _BANKS_IN / 2
    if river.way == "lengthwise":
        return Piece(kind=kind, section=None, box=Box(at - half, low, at + half, high))
    return Piece(kind=kind, section=None, box=Box(low, at - half, high, at + half))
