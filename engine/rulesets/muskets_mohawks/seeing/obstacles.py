"""What takes sight away, rule by rule (MM-85 to MM-91): the blockers that `engine.geometry.sight` looks past."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import Bases, to_segments
from engine.geometry.shapes.pieces import Pieces, pieces_from
from engine.geometry.sight import Blocker, Crests, Limit, Opaque, Standing, Veil
from engine.rulesets.muskets_mohawks.table.bodies import Body
from engine.rulesets.muskets_mohawks.table.land import Ground, Land
from engine.rulesets.muskets_mohawks.table.sheet import CONTACT_MM, Sheet
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH

__all__ = [
    "FAR_MM", "FIGURES", "NEAR_MM", "WOOD_EDGE_MM", "Obstacle", "Obstacles", "in_the_way",
    "obstacles_of", "standing", "touches",
]  # fmt: skip

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

WOOD_EDGE_MM = 1 * MM_PER_INCH
FAR_MM, NEAR_MM = 12 * MM_PER_INCH, 6 * MM_PER_INCH

#: The rows by which figures take sight away: friends, and enemies where the players want it.
FIGURES = ("MM-85", "R-04")

_CLOSE = 0.1  # MM-85, R-03: of its width, the margin about a figure in the way


@dataclass(frozen=True, eq=False)
class Obstacle:
    """What one row takes sight away by, and the names of its parts.

    ``mutual``: it takes sight away from both sides alike.
    """

    blocker: Blocker
    names: tuple[str, ...] = ()
    mutual: bool = False


@dataclass(frozen=True, eq=False)
class Obstacles:
    """A game's terrain as it stands in the way of sight."""

    woods: Pieces
    houses: Pieces
    hills: tuple[Ground, ...]

    @cached_property
    def crests(self) -> tuple[Array, ...]:
        """The crest lines (k, 2) of the hills, in mm."""
        return tuple(hill.crest for hill in self.hills if hill.crest is not None)


def obstacles_of(sheet: Sheet) -> Obstacles:
    """The terrain of a game; kept with it."""
    return sheet.land.memo("obstacles", lambda: _obstacles(sheet.land))


def _obstacles(land: Land) -> Obstacles:
    woods, houses = land.of_kind("woods"), land.of_kind("building")
    return Obstacles(
        pieces_from([one.terrain for one in woods]),
        pieces_from([one.terrain for one in houses]),
        tuple(hill for hill in land.of_kind("hill") if hill.crest is not None),
    )


def in_the_way(
    sheet: Sheet,
    lookers: Body,
    seen: Body,
    gap_mm: Array,
    sigma_mm: Array,
    houses: tuple[Ground | None, Ground | None],
) -> dict[str, Obstacle]:
    """The obstacles between lookers (n) and the looked at (m) by row, those that may matter.

    ``gap_mm`` and ``sigma_mm`` (n, m) are their distances as players measure them; ``houses`` the buildings that
    either side occupies.
    """
    known, found = obstacles_of(sheet), dict[str, Obstacle]()
    far, near = _limits(sheet, seen, gap_mm.shape)
    if np.isfinite(far).any():
        found["MM-87" if _foul(sheet) else "MM-86"] = Obstacle(Limit(far, gap_mm, sigma_mm))
    if len(known.woods):
        names = known.woods.names
        found["MM-88"] = Obstacle(
            Veil(known.woods, inside_mm=near), names, mutual=sheet.conditions.light != "night"
        )
        edge = Veil(
            known.woods, into_mm=WOOD_EDGE_MM, out_mm=WOOD_EDGE_MM, through_mm=WOOD_EDGE_MM, depth="nearest"
        )
        found["MM-89"] = Obstacle(edge, names, mutual=True)
    if known.hills:
        spared = [
            np.stack([touches(body.bases, crest) & (house is None) for crest in known.crests], axis=1)
            for body, house in zip((lookers, seen), houses, strict=True)
        ]
        crests = Crests(known.crests, spare_from=spared[0], spare_to=spared[1])
        found["MM-90"] = Obstacle(crests, tuple(hill.id for hill in known.hills), mutual=True)
    if len(known.houses):
        occupied = {house.id for house in houses if house is not None}
        spare = np.array([name in occupied for name in known.houses.names])
        spare_from = np.broadcast_to(spare, (len(lookers), len(spare))) if spare.any() else None
        found["MM-91"] = Obstacle(Opaque(known.houses, spare_from=spare_from), known.houses.names, mutual=True)
    return found | _figures(sheet, lookers, seen)


def _foul(sheet: Sheet) -> bool:
    """Whether weather or falling snow limits sight (MM-87)."""
    return sheet.conditions.level is not None or sheet.conditions.snow_falls


def _limits(sheet: Sheet, seen: Body, shape: tuple[int, ...]) -> tuple[Array, Array]:
    """How far can be seen by night and in weather, and how far within woods (MM-86 to MM-88): rows (1, m)."""
    lit = np.zeros(len(seen), dtype=bool)
    for area in sheet.of_kind("lit-area"):
        lit |= sheet.standing_in(seen, area)
    dark = ((sheet.conditions.light == "night") & ~lit)[None, :]
    foul = _foul(sheet)
    far = np.where(dark & foul, NEAR_MM, np.where(dark | foul, FAR_MM, np.inf))
    near = np.where(dark | (sheet.conditions.level is not None), NEAR_MM, FAR_MM)
    return np.broadcast_to(far, (1, shape[1])), np.broadcast_to(near, (1, shape[1]))


def _figures(sheet: Sheet, lookers: Body, seen: Body) -> dict[str, Obstacle]:
    """Friendly figures, and enemy ones where the players want it, in the way (MM-85, R-04)."""
    found = {}
    for row, others in zip(FIGURES, sheet.blockers(lookers.unit), strict=True):
        if len(others):
            own = _numbers(lookers, others), _numbers(seen, others)
            found[row] = Obstacle(replace(standing(others), looker_is=own[0], target_is=own[1]), others.ids)
    return found


def standing(others: Body) -> Standing:
    """Figures in the way of anybody's sight, with what is to be kept clear about them (R-03)."""
    return Standing(others.bases, _CLOSE * others.bases.width, others.sigma_mm)


def _numbers(body: Body, others: Body) -> Index:
    """(n,) the number that each figure has among others, -1 for those that are not among them."""
    if body is others:
        return np.arange(len(body))
    number = {name: k for k, name in enumerate(others.ids)}
    return np.array([number.get(name, -1) for name in body.ids], dtype=np.intp)


def touches(bases: Bases, path: Array) -> Mask:
    """(n,) whether bases lie within 3 mm of a crest line (k, 2) (R-16)."""
    near: Mask = to_segments(bases, path[:-1], path[1:]).min(axis=1) <= CONTACT_MM + MM
    return near
