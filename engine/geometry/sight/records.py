"""What is looked along, and what may stand in the way: small records that know no rule.

Every blocker may spare lines: ``spare_from`` (n, k) tells which of its k parts do not concern lines from looker i,
``spare_to`` (m, k) which do not concern lines to target j (the house that one sits in, comrades, things that one
stands high enough to look over). A part concerns a line only where neither spares it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.geometry.shapes.bases import Bases
from engine.geometry.shapes.pieces import Pieces

__all__ = [
    "Blocker",
    "Bodies",
    "Crests",
    "Limit",
    "Lines",
    "Opaque",
    "Relief",
    "Standing",
    "Veil",
    "Watch",
    "bodies_of",
]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Lines:
    """``q`` lines of sight: ends (q, 2) in table mm, whose they are (q,), the sigma of the ends' places (q,).

    ``sites`` are the places of all lookers (n, 2) and targets (m, 2), where every line of one has the same end.
    """

    start: Array
    end: Array
    looker: Index
    target: Index
    sigma_start: Array
    sigma_end: Array
    sites: tuple[Array, Array] | None = None

    def __len__(self) -> int:
        return len(self.looker)

    def pick(self, which: Index | Mask) -> Lines:
        """Some of the lines, by index or mask."""
        return Lines(
            self.start[which], self.end[which], self.looker[which], self.target[which],
            self.sigma_start[which], self.sigma_end[which], self.sites,
        )  # fmt: skip

    @cached_property
    def sigma_mm(self) -> Array:
        """(q,) the sigma of each line's length."""
        sigma: Array = np.hypot(self.sigma_start, self.sigma_end)
        return sigma


@dataclass(frozen=True, eq=False)
class Opaque:
    """Terrain that no line runs through; one that only touches it passes."""

    pieces: Pieces
    sigma_mm: float = 0.0
    spare_from: Mask | None = None
    spare_to: Mask | None = None


@dataclass(frozen=True, eq=False)
class Veil:
    """Terrain that allows a depth of seeing; limits in mm, inclusive, numbers or arrays (n, m).

    ``into_mm``: how deep a target inside may be for a looker outside; ``out_mm``: the same for a looker inside;
    ``inside_mm``: how much of a line that ends inside may run inside; ``through_mm``: how much of a line may that
    runs right through. Depth is measured ``along`` the line or to the ``nearest`` rim.
    """

    pieces: Pieces
    into_mm: float | Array = np.inf
    out_mm: float | Array = np.inf
    inside_mm: float | Array = np.inf
    through_mm: float | Array = np.inf
    depth: Literal["along", "nearest"] = "along"
    sigma_mm: float = 0.0
    spare_from: Mask | None = None
    spare_to: Mask | None = None


@dataclass(frozen=True, eq=False)
class Crests:
    """Paths (j, 2) on the ground between whose two sides there is no sight; touching one is not crossing it."""

    paths: tuple[Array, ...]
    sigma_mm: float = 0.0
    spare_from: Mask | None = None
    spare_to: Mask | None = None


@dataclass(frozen=True, eq=False)
class Standing:
    """Bases in the way: a line is stopped that comes nearer than ``margin_mm`` (k,) to a base.

    A margin of 0 stops what runs through the base, a lesser one only what runs that deep in it. ``looker_is`` (n,)
    and ``target_is`` (m,) are the numbers of the lookers' and targets' own bases, -1 for those that are not among
    them: these never block their own lines.
    """

    bases: Bases
    margin_mm: Array | float = 0.0
    sigma_mm: Array | float | None = None
    looker_is: Index | None = None
    target_is: Index | None = None
    spare_from: Mask | None = None
    spare_to: Mask | None = None

    @cached_property
    def bodies(self) -> Bodies:
        """The bases as grown or shrunk by their margins."""
        return bodies_of(self.bases, self.margin_mm, self.sigma_mm)


@dataclass(frozen=True, eq=False)
class Relief:
    """Blocks of heights: a line is stopped where it runs below the top of a block.

    ``eye_mm`` (n,) and ``seen_mm`` (m,) are heights above the table of what looks and what is looked at; the tops
    are the pieces' ``height_mm``.
    """

    pieces: Pieces
    eye_mm: Array
    seen_mm: Array
    sigma_mm: float = 0.0
    spare_from: Mask | None = None
    spare_to: Mask | None = None


@dataclass(frozen=True, eq=False)
class Limit:
    """How far can be seen, by night or in fog: ``most_mm`` against distances, both numbers or arrays (n, m).

    Where no ``distance_mm`` is given the lines' own lengths count.
    """

    most_mm: Array | float
    distance_mm: Array | None = None
    sigma_mm: Array | float | None = None


Blocker = Opaque | Veil | Crests | Standing | Relief | Limit


@dataclass(frozen=True, eq=False)
class Watch:
    """Lookers (n, 2) and targets (m, 2), the sigmas (n,), (m,) of their places, and what stands in their way."""

    lookers: Array
    targets: Array
    looker_sigma: Array
    target_sigma: Array
    blockers: tuple[Blocker, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """How many look, and how many are looked at."""
        return len(self.lookers), len(self.targets)


@dataclass(frozen=True, eq=False)
class Bodies:
    """``k`` bases with their margins: a rectangle (or a point) of half width and depth (k, 2), rounded by (k,)."""

    centre: Array
    half: Array
    bearing_rad: Array
    round_mm: Array
    sigma_mm: Array

    def __len__(self) -> int:
        return len(self.round_mm)

    @cached_property
    def reach_mm(self) -> Array:
        """(k,) how far each reaches from its centre."""
        reach: Array = np.hypot(self.half[:, 0], self.half[:, 1]) + self.round_mm
        return reach

    @cached_property
    def is_rect(self) -> Mask:
        """(k,) whether there is a rectangle in it."""
        rect: Mask = np.any(self.half > 0, axis=1)
        return rect

    def pick(self, which: Index | Mask) -> Bodies:
        """Some of the bodies, by index or mask."""
        return Bodies(
            self.centre[which], self.half[which], self.bearing_rad[which], self.round_mm[which],
            self.sigma_mm[which],
        )  # fmt: skip


def bodies_of(bases: Bases, margin_mm: Array | float = 0.0, sigma_mm: Array | float | None = None) -> Bodies:
    """Bases grown (or, with a margin below 0, shrunk) on all sides; the sigma is theirs unless one is given."""
    count = len(bases)
    margin = np.broadcast_to(np.asarray(margin_mm, dtype=float), (count,))
    sigma = np.broadcast_to(np.asarray(bases.sigma_mm if sigma_mm is None else sigma_mm, dtype=float), (count,))
    rect = bases.is_rect
    half = bases.half + np.minimum(margin, 0.0)[:, None]
    half = np.where((rect & (half > 0).all(axis=1))[:, None], half, 0.0)
    rounded = np.maximum(np.where(rect, margin, bases.radius + margin), 0.0)
    return Bodies(bases.centre, half, bases.bearing_rad, rounded, sigma)
