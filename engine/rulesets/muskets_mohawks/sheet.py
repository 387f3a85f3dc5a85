"""The facts of a whole game, worked out once: figures as arrays, terrain as outlines.

A `Sheet` belongs to one `Game` value; `sheet_of` keeps the last few, so that asking again costs nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from engine.geometry import bases as base_geometry
from engine.geometry.bases import Bases, bases_of
from engine.geometry.directions import mean_bearing
from engine.geometry.pieces import Pieces, pieces_from
from engine.records.game import Figure, Game, Terrain, Unit
from engine.rulesets.muskets_mohawks.vocabulary import Conditions, conditions_of, figures_of, state_of

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

T = TypeVar("T")

#: How close bases are said to touch, in millimetres (MM-124).
CONTACT_MM = 3.0


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


@dataclass(frozen=True, eq=False)
class Ground:
    """A piece of terrain: its ``shape`` (one of `Pieces`), and the crest line (j, 2) of a hill that has one."""

    terrain: Terrain
    shape: Pieces
    crest: Array | None

    @property
    def id(self) -> str:
        """The piece's id."""
        return self.terrain.id

    @cached_property
    def outline(self) -> Array:
        """(k, 2) the corners of its outline."""
        return self.shape.start


def _ground(piece: Terrain) -> Ground:
    crest: Any = piece.extra.get("crest_mm")
    return Ground(piece, pieces_from([piece]), None if crest is None else np.array(crest, dtype=float))


@dataclass(frozen=True, eq=False)
class Sheet:
    """One game's figures and terrain, ready to be measured."""

    game: Game
    conditions: Conditions
    ground: tuple[Ground, ...]
    _earlier: Mapping[Hashable, object] = field(default_factory=dict)
    _memo: dict[Hashable, Any] = field(default_factory=dict)

    def body(self, unit: Unit) -> Body:
        """All figures of a unit but the gun."""
        return self.memo(("body", unit.id), lambda: body_of(self.game, unit, figures_of(unit)), unit)

    def owns(self, *units: Unit) -> bool:
        """Whether these are the game's own units, and not what-ifs with figures elsewhere."""
        return all(self.game.by_id.get(unit.id) is unit for unit in units)

    def memo(self, key: Hashable, make: Callable[[], T], *units: Unit) -> T:
        """What ``make()`` gave the first time it was asked for under that key.

        ``units`` are those that it is about: where one is not the game's own, nothing is kept.
        """
        if not self.owns(*units):
            return make()
        if key not in self._memo:
            self._memo[key] = make()
        found: T = self._memo[key]
        return found

    def carried(self, key: tuple[Hashable, ...], make: Callable[[], T], *units: Unit) -> T:
        """As `memo`, but what was worked out for the game before is taken over where the key is the same."""
        before = self._earlier.get(key)
        return self.memo(key, make if before is None else lambda: cast(T, before), *units)

    def of_kind(self, *kinds: str) -> tuple[Ground, ...]:
        """The terrain of these kinds; ``woods`` takes in wooded hills."""
        return tuple(
            piece
            for piece in self.ground
            if piece.terrain.kind in kinds
            or ("woods" in kinds and piece.terrain.kind == "hill" and piece.terrain.extra.get("wooded", False))
        )

    def standing_in(self, body: Body, piece: Ground) -> Mask:
        """(n,) which of the figures have their centre in a piece of terrain."""
        if not self.owns(body.unit):
            return piece.shape.contains(body.centre)[:, 0]
        inside = self.memo(("inside", piece.id), lambda: self._figures_in(piece))
        return np.array([name in inside for name in body.ids], dtype=bool)

    def _figures_in(self, piece: Ground) -> frozenset[str]:
        figures = [figure for unit in self.game.units for figure in unit.figures]
        spots = np.array([(figure.x_mm, figure.y_mm) for figure in figures], dtype=float).reshape(-1, 2)
        within = piece.shape.contains(spots)[:, 0]
        return frozenset(figure.id for figure, inside in zip(figures, within.tolist(), strict=True) if inside)

    def piece(self, name: str | None) -> Ground | None:
        """The terrain of that id, or None."""
        return next((piece for piece in self.ground if piece.id == name), None)

    def building_of(self, unit: Unit) -> Ground | None:
        """The building that the unit occupies, or None."""
        return self.piece(state_of(unit).in_building)

    def gaps(self, first: Bases, second: Bases) -> Array:
        """(n, m) distances as the players measure them: base to base, or centre to centre (R-01)."""
        if self.conditions.options.measure == "edge":
            return base_geometry.gaps(first, second)
        return base_geometry.gaps(base_geometry.points(first.centre), base_geometry.points(second.centre))

    def blockers(self, unit: Unit) -> tuple[Body, Body]:
        """The friendly and the enemy figures, guns too, that stand in the way of a unit's sight (MM-85, R-04)."""
        return self.memo(("blockers", unit.side), lambda: self._blockers(unit.side))

    def _blockers(self, side: str) -> tuple[Body, Body]:
        upright = [
            other for other in self.game.units
            if other.figures and not state_of(other).prone and state_of(other).in_building is None
        ]  # fmt: skip
        enemies = self.conditions.options.enemy_figures_block
        sides = [u for u in upright if u.side == side], [u for u in upright if u.side != side and enemies]
        bodies = (joined(self.game, [body_of(self.game, u, u.figures) for u in units]) for units in sides)
        friends, others = bodies
        return friends, others

    def known(self, key: Hashable) -> object | None:
        """What has been worked out under a key, or None."""
        return self._memo.get(key)

    def earlier(self, key: Hashable) -> object | None:
        """What was kept under a key when a game before this one was worked out, or None."""
        return self._earlier.get(key)

    @property
    def views(self) -> Mapping[Hashable, object]:
        """The tables worth keeping for the game that comes after this one."""
        known: dict[Hashable, object] = {
            key: value
            for key, value in self._memo.items()
            if isinstance(key, tuple) and key[0] in ("view", "region")
        }
        kept: dict[Hashable, object] = {
            k: v for k, v in self._earlier.items() if isinstance(k, tuple) and k[0] == "view"
        }
        return {**kept, **known}


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


_KEPT = 8
_sheets: OrderedDict[int, Sheet] = OrderedDict()
_lock = Lock()


def sheet_of(game: Game) -> Sheet:
    """The sheet of a game; the last few games' sheets are kept."""
    with _lock:
        found = _sheets.get(id(game))
        if found is not None and found.game is game:
            _sheets.move_to_end(id(game))
            return found
        last = next(reversed(_sheets.values()), None)
        earlier = {} if last is None else last.views
        sheet = Sheet(game, conditions_of(game), tuple(_ground(piece) for piece in game.terrain), earlier)
        _sheets[id(game)] = sheet
        while len(_sheets) > _KEPT:
            _sheets.popitem(last=False)
        return sheet


def forget() -> None:
    """Forgets all that has been worked out, as a program that has just begun."""
    with _lock:
        _sheets.clear()
