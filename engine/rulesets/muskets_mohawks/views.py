"""What a whole side sees of its enemies: the tables that every pair of units reads its part from.

After a few figures have moved, only what that changes is worked out again (`engine.geometry.sight.watch_again`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.aspects import strips
from engine.geometry.certainty import Verdict
from engine.geometry.directions import bearing_of, off
from engine.geometry.distances import Distances, between_units
from engine.geometry.sight import Blocker, Lines, Seen, Watch, held_by, look, watch, watch_again, watch_of
from engine.geometry.tolerance import MM
from engine.geometry.units import mean_bearings
from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.obstacles import Obstacle, as_measured, in_the_way
from engine.rulesets.muskets_mohawks.sheet import Body, Sheet, joined
from engine.rulesets.muskets_mohawks.vocabulary import state_of

__all__ = ["View", "arc_sigmas", "in_the_way_of", "owners", "surely", "view_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class View:
    """One side's figures (n) against all others' (m); arrays (n, m). Those in buildings are left out.

    ``rows`` and ``columns`` tell where each unit's figures stand in them; ``seen`` and ``blocked`` are by the row
    that takes sight away: the verdicts, and what is taken as measured.
    """

    rows: Mapping[str, slice]
    columns: Mapping[str, slice]
    lookers: Body
    targets: Body
    gap_mm: Array
    off_deg: Array
    sigma_mm: Array
    arc_sigma_deg: Array
    obstacles: Mapping[str, Obstacle]
    watches: Mapping[str, Watch]
    seen: Mapping[str, Seen]
    blocked: Mapping[str, Mask]

    @cached_property
    def _known(self) -> dict[str, Mapping[tuple[int, int], tuple[str, ...]]]:
        return {}

    def behind(self, rule: str) -> Mapping[tuple[int, int], tuple[str, ...]]:
        """What stands between the nearest two figures of two units of those that a row takes sight from: the names,
        by the numbers of the units."""
        if rule not in self._known:
            self._known[rule] = self._behind(rule)
        return self._known[rule]

    def _behind(self, rule: str) -> Mapping[tuple[int, int], tuple[str, ...]]:
        gap = np.where(self.blocked[rule], self.gap_mm, np.inf)
        shape = len(self.rows), len(self.columns)
        nearest = between_units(Distances(gap, np.zeros_like(gap)), self.row_unit, self.column_unit, shape)
        one, other = np.nonzero(np.isfinite(nearest.value_mm))
        chosen = nearest.row[one, other] * len(self.targets) + nearest.column[one, other]
        found = in_the_way_of(_all_lines(self.lookers, self.targets).pick(chosen), self.obstacles[rule])
        return dict(zip(zip(one.tolist(), other.tolist(), strict=True), found, strict=True))

    @cached_property
    def row_unit(self) -> Index:
        """(n,) the number of each looker's unit."""
        return owners(self.rows)

    @cached_property
    def column_unit(self) -> Index:
        """(m,) the number of each target's unit."""
        return owners(self.columns)

    @cached_property
    def aspects(self) -> NDArray[np.int8]:
        """(n, v) from where each looker comes to each unit of the targets (MM-09 to MM-11), as `Aspect` counts."""
        count = len(self.columns)
        facing, _ = mean_bearings(self.targets.bearing_deg, self.column_unit, count)
        lines = strips(self.targets.bases, self.column_unit, count, facing)
        return lines.aspects(self.lookers.centre).aspect


def owners(parts: Mapping[str, slice]) -> Index:
    """(n,) the number of each figure's unit."""
    return np.repeat(np.arange(len(parts)), [part.stop - part.start for part in parts.values()])


def view_of(sheet: Sheet, looker: Unit, target: Unit) -> View | None:
    """The view that holds two units, or None: of friends, of stand-ins, of those in buildings there is none."""
    if not sheet.owns(looker, target) or looker.side == target.side:
        return None
    view = sheet.memo(("view", looker.side), lambda: _view(sheet, looker.side))
    return view if view is not None and looker.id in view.rows and target.id in view.columns else None


def _view(sheet: Sheet, side: str) -> View | None:
    outdoors = [unit for unit in sheet.game.units if len(sheet.body(unit)) and state_of(unit).in_building is None]
    mine, theirs = [u for u in outdoors if u.side == side], [u for u in outdoors if u.side != side]
    if not mine or not theirs:
        return None
    lookers, targets = (joined(sheet.game, [sheet.body(unit) for unit in units]) for units in (mine, theirs))
    before = sheet.earlier(("view", side))
    old = before if isinstance(before, View) and _alike(before, lookers, targets) else None
    gap, turn, apart = _distances(sheet, lookers, targets, old)
    sigma = np.hypot(lookers.sigma_mm[:, None], targets.sigma_mm[None, :])
    found = in_the_way(sheet, lookers, targets, gap, sigma, (None, None))
    watches = {
        rule: watch_of(lookers.centre, targets.centre, [one.blocker], lookers.sigma_mm, targets.sigma_mm)
        for rule, one in found.items()
    }
    back = _other_way(sheet, mine, theirs)
    seen = {
        rule: _turned(back.seen[rule]) if back is not None and found[rule].mutual else _watched(rule, now, old)
        for rule, now in watches.items()
    }
    lines = None
    blocked = {}
    for rule, one in seen.items():
        if (one.verdict == Verdict.BORDERLINE).any():
            lines = lines or _all_lines(lookers, targets)
            blocked[rule] = surely(lines, found[rule].blocker, one)
        else:
            blocked[rule] = one.verdict == Verdict.NO
    return View(
        _slices(mine, sheet), _slices(theirs, sheet), lookers, targets, gap, turn, sigma,
        arc_sigmas(lookers, sigma, apart), found, watches, seen, blocked,
    )  # fmt: skip


def _other_way(sheet: Sheet, mine: list[Unit], theirs: list[Unit]) -> View | None:
    """What the enemies see of this side, where that has been worked out and there are but two sides."""
    other = theirs[0].side
    known = sheet.known(("view", other)) if all(unit.side == other for unit in theirs) else None
    if not isinstance(known, View) or list(known.columns) != [unit.id for unit in mine]:
        return None
    return known


def _turned(seen: Seen) -> Seen:
    return Seen(seen.verdict.T, seen.by.T, seen.part.T)


def _alike(before: View, lookers: Body, targets: Body) -> bool:
    """Whether the same figures stand in the same order, wherever they now are."""
    return before.lookers.ids == lookers.ids and before.targets.ids == targets.ids


def _watched(rule: str, now: Watch, old: View | None) -> Seen:
    if old is None or rule not in old.watches:
        return watch(now)
    return watch_again(old.watches[rule], old.seen[rule], now)


def _distances(sheet: Sheet, lookers: Body, targets: Body, old: View | None) -> tuple[Array, Array, Array]:
    """Gaps, how far each target is off each looker's front, and how far the centres are apart."""
    way = targets.centre[None] - lookers.centre[:, None]
    apart = np.hypot(way[..., 0], way[..., 1])
    turn = off(lookers.bearing_deg[:, None], bearing_of(way))
    turn = np.where(np.isnan(turn) | (apart < MM), 0.0, turn)
    if old is None:
        return sheet.gaps(lookers.bases, targets.bases), turn, apart
    gap = old.gap_mm.copy()
    rows, columns = _moved(old.lookers, lookers), _moved(old.targets, targets)
    if len(rows):
        gap[rows] = sheet.gaps(lookers.bases.pick(rows), targets.bases)
    if len(columns):
        gap[:, columns] = sheet.gaps(lookers.bases, targets.bases.pick(columns))
    return gap, turn, apart


def _moved(before: Body, now: Body) -> Index:
    """The figures whose base is another, elsewhere, or turned."""
    differ = (before.bases.centre != now.bases.centre).any(axis=1)
    differ |= (before.bases.half != now.bases.half).any(axis=1) | (before.bases.radius != now.bases.radius)
    return np.flatnonzero(differ | (before.bases.bearing_rad != now.bases.bearing_rad))


def _slices(units: list[Unit], sheet: Sheet) -> Mapping[str, slice]:
    ends = np.cumsum([len(sheet.body(unit)) for unit in units]).tolist()
    return {unit.id: slice(end - len(sheet.body(unit)), end) for unit, end in zip(units, ends, strict=True)}


def _all_lines(lookers: Body, targets: Body) -> Lines:
    n, m = len(lookers), len(targets)
    looker, target = np.repeat(np.arange(n), m), np.tile(np.arange(m), n)
    return Lines(
        lookers.centre[looker], targets.centre[target], looker, target,
        lookers.sigma_mm[looker], targets.sigma_mm[target],
    )  # fmt: skip


def surely(lines: Lines, blocker: Blocker, seen: Seen) -> Mask:
    """What is taken away as measured: all that surely is, and what is in doubt on the side that was measured."""
    taken: Mask = (seen.verdict == Verdict.NO).copy()
    doubtful = np.flatnonzero(seen.verdict.ravel() == Verdict.BORDERLINE)
    if len(doubtful):
        exact = _exact(lines.pick(doubtful))
        taken.ravel()[doubtful] = look(exact, [as_measured(blocker)]).verdict == Verdict.NO
    return taken


def in_the_way_of(lines: Lines, obstacle: Obstacle) -> list[tuple[str, ...]]:
    """For each line what of an obstacle takes sight away as measured, by name, in the order of its parts."""
    held = held_by(_exact(lines), as_measured(obstacle.blocker))
    surely = held.passes == Verdict.NO
    found: list[list[int]] = [[] for _ in range(len(lines))]
    for line, part in sorted(zip(held.line[surely].tolist(), held.part[surely].tolist(), strict=True)):
        found[line].append(part)
    return [tuple(obstacle.names[part] for part in parts) if obstacle.names else () for parts in found]


def _exact(lines: Lines) -> Lines:
    """The same lines as if nothing were uncertain about them."""
    none = np.zeros(len(lines))
    return replace(lines, sigma_start=none, sigma_end=none)


def arc_sigmas(lookers: Body, sigma_mm: Array, apart_mm: Array) -> Array:
    """(n, m) the sigma of the angle off a looker's front, in degrees."""
    sideways = np.degrees(np.arctan2(sigma_mm, np.maximum(apart_mm, MM)))
    angle: Array = np.hypot(sideways, lookers.bearing_sigma_deg[:, None])
    return angle
