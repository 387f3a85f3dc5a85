"""Things in the way taken apart into discs and straight edges, for each line those that it may have to do with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.geometry.sight.bodies import inroads
from engine.geometry.sight.near import lines_by_body, lines_by_piece, not_spared
from engine.geometry.sight.records import Lines, Opaque, Standing

__all__ = ["Covers", "covers_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Covers:
    """Discs (t,) and edges (u,), each with the line that it may cover, the sigma of its place and the number of the
    thing that it is a part of; and (v,) how deep, in mm, the starts of lines lie in things, below 0 outside."""

    disc_line: Index
    disc: Array
    radius: Array
    disc_sigma: Array
    disc_thing: Index
    edge_line: Index
    edge: Array
    edge_end: Array
    edge_sigma: Array
    edge_thing: Index
    start_line: Index
    start_deep: Array
    start_sigma: Array
    start_thing: Index

    def __len__(self) -> int:
        return len(self.disc_line) + len(self.edge_line)

    @classmethod
    def joined(cls, parts: Sequence[Covers]) -> Covers:
        """Several in one; no thing of the one is one of another."""
        names = cls.__dataclass_fields__
        count, own = 0, [_NONE]
        for part in parts:
            own.append(replace(part, **{name: getattr(part, name) + count for name in names if "thing" in name}))
            count += 1 + int(part.start_thing.max(initial=-1))
        return cls(*(np.concatenate([getattr(one, name) for one in own]) for name in names))


_NO_INDEX, _NO_POINT, _NO_LENGTH = np.zeros(0, np.intp), np.zeros((0, 2)), np.zeros(0)
_NO_DISC = (_NO_INDEX, _NO_POINT, _NO_LENGTH, _NO_LENGTH, _NO_INDEX)
_NO_EDGE = (_NO_INDEX, _NO_POINT, _NO_POINT, _NO_LENGTH, _NO_INDEX)
_NONE = Covers(*_NO_DISC, *_NO_EDGE, _NO_INDEX, _NO_LENGTH, _NO_LENGTH, _NO_INDEX)


def covers_of(lines: Lines, blocker: Opaque | Standing, reach_mm: float) -> Covers:
    """What a blocker puts within ``reach_mm`` of lines, but for what is spared and the ends' own bases."""
    if isinstance(blocker, Opaque):
        return _of_terrain(lines, blocker, reach_mm)
    return _of_bases(lines, blocker, reach_mm)


def _of_terrain(lines: Lines, blocker: Opaque, reach_mm: float) -> Covers:
    found = []
    reach = reach_mm + 6 * _most_sigma(lines, blocker.sigma_mm)
    for number, near in lines_by_piece(blocker.pieces, lines, reach):
        part = np.full(len(near), number)
        near = near[not_spared(lines, near, part, blocker.spare_from, blocker.spare_to)]
        edge, edge_end = blocker.pieces.edges(number)
        line = np.repeat(near, len(edge))
        spots = lines.start[near]
        deep = blocker.pieces.to_rim(spots, np.full(len(near), number))
        deep = np.where(blocker.pieces.pick([number]).contains(spots)[:, 0], deep, -deep)
        sigma, thing = np.full(len(line), blocker.sigma_mm), np.zeros(len(line), np.intp)
        found.append(
            Covers(
                *_NO_DISC,
                line, np.tile(edge, (len(near), 1)), np.tile(edge_end, (len(near), 1)), sigma, thing,
                near, deep, np.full(len(near), blocker.sigma_mm), np.zeros_like(near),
            )
        )  # fmt: skip
    return Covers.joined(found)


def _of_bases(lines: Lines, blocker: Standing, reach_mm: float) -> Covers:
    body = blocker.bodies
    line, part = lines_by_body(
        body, lines, reach_mm + 6 * _most_sigma(lines, float(body.sigma_mm.max(initial=0.0)))
    )
    concerns = not_spared(lines, line, part, blocker.spare_from, blocker.spare_to)
    for own, whose in ((blocker.looker_is, lines.looker), (blocker.target_is, lines.target)):
        if own is not None:
            concerns &= own[whose[line]] != part
    line, part = line[concerns], part[concerns]
    round_mm, sigma = body.round_mm[part], body.sigma_mm[part]
    rect = body.is_rect[part]
    disc = np.flatnonzero(~rect & (round_mm > 0))
    discs = [(line[disc], body.centre[part[disc]], round_mm[disc], sigma[disc], part[disc])]
    edges: list[tuple[Index, Array, Array, Array, Index]] = [_NO_EDGE]
    rects = np.flatnonzero(rect)
    if len(rects):
        grown = round_mm[rects]
        which, whose = part[rects], line[rects]
        for wider, deeper in ((1.0, 0.0), (0.0, 1.0)):
            half = body.half[which] + np.stack([wider * grown, deeper * grown], axis=1)
            corners = _corners(body.centre[which], half, body.bearing_rad[which])
            after = np.roll(corners, -1, axis=1)
            edges += [(whose, corners[:, i], after[:, i], sigma[rects], which) for i in range(4)]
        corners = _corners(body.centre[which], body.half[which], body.bearing_rad[which])
        some = np.flatnonzero(grown > 0)
        discs += [(whose[some], corners[some, i], grown[some], sigma[rects][some], which[some]) for i in range(4)]
    disc_line, spot, radius, disc_sigma, disc_thing = (np.concatenate(own) for own in zip(*discs, strict=True))
    edge_line, edge, edge_end, edge_sigma, edge_thing = (np.concatenate(own) for own in zip(*edges, strict=True))
    return Covers(
        disc_line, spot, radius, disc_sigma, disc_thing, edge_line, edge, edge_end, edge_sigma, edge_thing,
        line, inroads(body, part, lines.start[line], lines.start[line])[0], sigma, part,
    )  # fmt: skip


def _corners(centre: Array, half: Array, bearing_rad: Array) -> Array:
    sine, cosine = np.sin(bearing_rad)[:, None], np.cos(bearing_rad)[:, None]
    x = half[:, :1] * np.array([-1.0, 1.0, 1.0, -1.0])
    y = half[:, 1:] * np.array([-1.0, -1.0, 1.0, 1.0])
    corners: Array = centre[:, None] + np.stack([x * cosine + y * sine, -x * sine + y * cosine], axis=2)
    return corners


def _most_sigma(lines: Lines, own: float) -> float:
    return float(np.hypot(max(lines.sigma_start.max(initial=0.0), lines.sigma_end.max(initial=0.0)), own))
