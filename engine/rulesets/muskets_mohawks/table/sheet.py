"""The facts of a whole game, worked out once: figures as arrays, terrain as outlines.

A `Sheet` belongs to one `Game` value; `sheet_of` keeps the last few, so that asking again costs nothing. Of what
was worked out for the game before, a sheet takes over what still holds: it never says anything but what a sheet
would say that knows of no other game.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.geometry.shapes import bases as base_geometry
from engine.geometry.shapes.bases import Bases
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.table.bodies import Body, body_of, joined
from engine.rulesets.muskets_mohawks.table.land import Ground, Land, land_of
from engine.rulesets.muskets_mohawks.vocabulary import Conditions, conditions_of, figures_of, state_of

__all__ = ["CONTACT_MM", "Earlier", "Sheet", "forget", "sheet_of", "sheets_as_they_were"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

T = TypeVar("T")

#: How close bases are said to touch, in millimetres (MM-124).
CONTACT_MM = 3.0


@dataclass(frozen=True, eq=False)
class Earlier:
    """What was worked out for a game that came before."""

    game: Game
    value: Any


@dataclass(frozen=True, eq=False)
class Sheet:
    """One game's figures and terrain, ready to be measured."""

    game: Game
    conditions: Conditions
    land: Land
    _earlier: Mapping[Hashable, Earlier] = field(default_factory=dict)
    _memo: dict[Hashable, Any] = field(default_factory=dict)

    def body(self, unit: Unit) -> Body:
        """All figures of a unit but the gun."""
        found = self._memo.get(("body", unit.id))
        if isinstance(found, Body) and found.unit is unit:
            return found
        return self.carried(
            ("body", unit.id), lambda: body_of(self.game, unit, figures_of(unit)),
            lambda old: old.game.by_id.get(unit.id) is unit and old.game.measured == self.game.measured, unit,
        )  # fmt: skip

    def owns(self, *units: Unit) -> bool:
        """Whether these are the game's own units, and not what-ifs with figures elsewhere."""
        own = self.game.by_id
        for unit in units:  # noqa: SIM110 - asked many thousand times, and faster so
            if own.get(unit.id) is not unit:
                return False
        return True

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

    def carried(
        self, key: tuple[Hashable, ...], make: Callable[[], T], holds: Callable[[Earlier], bool], *units: Unit
    ) -> T:
        """As `memo`, but what was worked out for an earlier game is taken over where it ``holds``."""
        before = self.earlier(key)
        if before is None or not self.owns(*units) or not holds(before):
            return self.memo(key, make, *units)
        value: T = before.value
        return self.memo(key, lambda: value, *units)

    def earlier(self, key: Hashable) -> Earlier | None:
        """What was worked out under a key for the last game for which it was, or None."""
        return self._earlier.get(key)

    def moved_since(self, before: Game) -> frozenset[str] | None:
        """The units that are not as they were in an earlier game; None where more than units differ."""
        return self.memo(("moved since", id(before)), lambda: _units_that_differ(before, self.game))

    def of_kind(self, *kinds: str) -> tuple[Ground, ...]:
        """The terrain of these kinds; ``woods`` takes in wooded hills."""
        return self.land.of_kind(*kinds)

    def standing_in(self, body: Body, piece: Ground) -> Mask:
        """(n,) which of the figures have their centre in a piece of terrain."""
        if not self.owns(body.unit):
            return piece.shape.contains(body.centre)[:, 0]
        inside = self.memo(("inside", piece.id), lambda: self._figures_in(piece))
        if not inside:
            return np.zeros(len(body), dtype=bool)
        return np.array([name in inside for name in body.ids], dtype=bool)

    def _figures_in(self, piece: Ground) -> frozenset[str]:
        """The figures in a piece; of units that are as they were, those who were in it."""
        before, units, known = self.earlier(("inside", piece.id)), self.game.units, frozenset[str]()
        moved = None if before is None else self.moved_since(before.game)
        if before is not None and moved is not None:
            units = tuple(self.game.by_id[name] for name in moved)
            known = before.value - {one.id for name in moved for one in before.game.unit(name).figures}
        figures = [figure for unit in units for figure in unit.figures]
        if not figures:
            return known
        spots = np.array([(figure.x_mm, figure.y_mm) for figure in figures], dtype=float).reshape(-1, 2)
        within = piece.shape.contains(spots)[:, 0]
        return known | {figure.id for figure, inside in zip(figures, within.tolist(), strict=True) if inside}

    def building_of(self, unit: Unit) -> Ground | None:
        """The building that the unit occupies, or None."""
        return self.land.piece(state_of(unit).in_building)

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
        friends, others = (self.together([self.with_gun(unit) for unit in units]) for units in sides)
        return friends, others

    def together(self, parts: Sequence[Body]) -> Body:
        """The figures of several of the game's own units as one body, under the first one's name."""
        key = ("joined", *((part.unit.id, len(part)) for part in parts))  # as long: with or without the gun
        return self.memo(key, lambda: joined(self.game, parts))

    def with_gun(self, unit: Unit) -> Body:
        """All figures of a unit and the gun."""
        whole = len(figures_of(unit)) == len(unit.figures)
        return self.body(unit) if whole else body_of(self.game, unit, unit.figures)

    def known(self, key: Hashable) -> object | None:
        """What has been worked out under a key, or None."""
        return self._memo.get(key)

    def legacy(self) -> dict[Hashable, Earlier]:
        """What is worth keeping for the game that comes after this one: the last of each kind for each unit."""
        known: dict[Hashable, Earlier] = {
            key: Earlier(self.game, value)
            for key, value in list(self._memo.items())
            if isinstance(key, tuple) and key[0] in _CARRIED and value is not None
        }
        renewed = {key[:2] for key in known if isinstance(key, tuple)}
        rest = {key: one for key, one in self._earlier.items() if isinstance(key, tuple) and key[:2] not in renewed}
        return rest | known


def _units_that_differ(before: Game, now: Game) -> frozenset[str] | None:
    if [unit.id for unit in before.units] != [unit.id for unit in now.units]:
        return None
    for name in ("ruleset", "table", "sides", "conditions", "terrain", "measured"):
        old, new = getattr(before, name), getattr(now, name)
        if old is not new and old != new:
            return None
    pairs = zip(before.units, now.units, strict=True)
    return frozenset(new.id for old, new in pairs if old is not new and old != new)


#: What is kept from game to game: by the first part of its key.
_CARRIED = (
    "actions", "aims", "at the walls", "between", "body", "charge", "charge alone", "charges", "command",
    "contacts", "courses", "doubts", "fire", "fire alone", "fires", "inside", "moves", "region", "shots", "view",
    "ways",
)  # fmt: skip
_KEPT = 8
_sheets: OrderedDict[int, Sheet] = OrderedDict()
_newest: list[Sheet] = []  # the last one of them, if any
_lock = Lock()


def sheet_of(game: Game) -> Sheet:
    """The sheet of a game; the last few games' sheets are kept."""
    for newest in _newest:  # asked for some hundred times in each `ask`
        if newest.game is game:
            return newest
    with _lock:
        found = _sheets.get(id(game))
        if found is not None and found.game is game:
            _sheets.move_to_end(id(game))
            _newest[:] = [found]
            return found
        last = _most_like(game)
        earlier = {} if last is None else last.legacy()
        land = land_of(game) if last is None or last.game.terrain != game.terrain else last.land
        sheet = Sheet(game, conditions_of(game), land, earlier)
        _sheets[id(game)] = sheet
        _newest[:] = [sheet]
        while len(_sheets) > _KEPT:
            _sheets.popitem(last=False)
        return sheet


def _most_like(game: Game) -> Sheet | None:
    """The newest sheet of the same units; else the newest of all: by the same rules, for a pack's are others.

    The same game is asked in turn as each side knows it, without the troops that are hidden from it.
    """
    newest = [sheet for sheet in reversed(_sheets.values()) if sheet.game.ruleset == game.ruleset]
    same = (sheet for sheet in newest if sheet.game.by_id.keys() == game.by_id.keys())
    return next(same, newest[0] if newest else None)


@contextmanager
def sheets_as_they_were() -> Iterator[None]:
    """Afterwards the same sheets are kept as before, whatever games were asked about in between."""
    with _lock:
        kept = list(_sheets.items())
    try:
        yield
    finally:
        with _lock:
            _sheets.clear()
            _sheets.update(kept)
            _newest.clear()


def forget() -> None:
    """Forgets all that has been worked out, as a program that has just begun."""
    with _lock:
        _sheets.clear()
        _newest.clear()
