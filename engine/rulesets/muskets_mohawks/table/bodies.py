"""Figures of one unit, or of several, as arrays: what the geometry measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.geometry.facing.aspects import Strips, strips
from engine.geometry.plane.directions import mean_bearing
from engine.geometry.shapes.bases import Bases, bases_of
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.vocabulary import figures_of

if TYPE_CHECKING:
    from engine.geometry.reach import Blockers

__all__ = ["Body", "body_of", "joined", "that_differ"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Body:
    """Figures of one unit as arrays: ``bases``, ``bearing_deg`` (n,) (nan: not known), ``sigma_mm`` (n,),
    ``bearing_sigma_deg`` (n,)."""

    unit: Unit
    figures: tuple[Figure, ...]
    bases: Bases
    bearing_deg: Array
    sigma_mm: Array
    bearing_sigma_deg: Array

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The figures' ids, in list order."""
        return tuple(figure.id for figure in self.figures)

    @property
    def centre(self) -> Array:
        """(n, 2) the bases' centres."""
        return self.bases.centre

    @cached_property
    def centroid(self) -> Array:
        """(2,) the mean of the centres."""
        middle: Array = self.bases.centre.mean(axis=0)
        return middle

    @cached_property
    def facing_deg(self) -> float | None:
        """The unit's mean facing (MM-09), or None where no figure's bearing is known."""
        return mean_bearing(f.bearing_deg for f in self.figures if f.bearing_deg is not None)

    @cached_property
    def strips(self) -> Strips:
        """The unit's front and rear lines, across its mean facing (MM-09 to MM-11)."""
        return strips(self.bases, np.zeros(len(self)), 1, np.nan if self.facing_deg is None else self.facing_deg)

    @cached_property
    def in_the_way(self) -> Blockers:
        """The bases as what others may not walk over, by the unit's name."""
        from engine.geometry.reach import bases_as_blockers  # loads shapely, which a short command does without

        return bases_as_blockers(self.bases, [self.unit.id] * len(self.figures))

    def pick(self, index: Sequence[int]) -> Body:
        """Some of the figures, by index."""
        which = np.array(index, dtype=np.intp)
        return Body(
            self.unit, tuple(self.figures[i] for i in index), self.bases.pick(which), self.bearing_deg[which],
            self.sigma_mm[which], self.bearing_sigma_deg[which],
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.figures)


def body_of(game: Game, unit: Unit, figures: Sequence[Figure]) -> Body:
    """Figures of a unit as arrays; a figure without a bearing takes the unit's mean facing (R-05)."""
    mean = mean_bearing(f.bearing_deg for f in figures_of(unit) if f.bearing_deg is not None)
    bearings = [mean if figure.bearing_deg is None else figure.bearing_deg for figure in figures]
    turn_sigma = game.measured.bearing_sigma_deg
    return Body(
        unit=unit,
        figures=tuple(figures),
        bases=bases_of([(f.x_mm, f.y_mm) for f in figures], [f.base for f in figures], bearings),
        bearing_deg=np.array([np.nan if b is None else b for b in bearings], dtype=float),
        sigma_mm=np.array([game.sigma_mm(f) for f in figures], dtype=float),
        bearing_sigma_deg=np.array(
            [turn_sigma if f.bearing_sigma_deg is None else f.bearing_sigma_deg for f in figures], dtype=float
        ),
    )


def joined(game: Game, parts: Sequence[Body]) -> Body:
    """The figures of several units as one body, under the first one's name."""
    if not parts:
        return body_of(game, game.units[0], ())
    stacked = [
        np.concatenate([getattr(part.bases, name) for part in parts])
        for name in ("centre", "radius", "half", "bearing_rad")
    ]
    return Body(
        parts[0].unit,
        tuple(figure for part in parts for figure in part.figures),
        Bases(*stacked),
        np.concatenate([part.bearing_deg for part in parts]),
        np.concatenate([part.sigma_mm for part in parts]),
        np.concatenate([part.bearing_sigma_deg for part in parts]),
    )


def that_differ(one: Body, other: Body) -> Index:
    """The numbers of the figures that differ in base, place, bearing or sigma between two bodies of as many."""
    differ = one.sigma_mm != other.sigma_mm
    differ |= one.bearing_sigma_deg != other.bearing_sigma_deg
    differ |= (one.bearing_deg != other.bearing_deg) & ~(np.isnan(one.bearing_deg) & np.isnan(other.bearing_deg))
    for name in ("centre", "half"):
        differ |= (getattr(one.bases, name) != getattr(other.bases, name)).any(axis=1)
    for name in ("radius", "bearing_rad"):
        differ |= getattr(one.bases, name) != getattr(other.bases, name)
    return np.flatnonzero(differ)
