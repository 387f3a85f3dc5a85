"""Working out what a side sees: from nothing, or from what it saw before a few figures were otherwise.

Both give the same to the last bit: rows and columns of figures that are not as they were are worked out anew, by
the same functions, and so is every line that what moved has to do with; all the rest is copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.directions import bearing_of, off
from engine.geometry.plane.tolerance import MM
from engine.geometry.sight import Seen, Watch, watch_each, watch_each_again, watch_of
from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.seeing.comparing import compared
from engine.rulesets.muskets_mohawks.seeing.obstacles import in_the_way
from engine.rulesets.muskets_mohawks.seeing.views import View, arc_sigmas
from engine.rulesets.muskets_mohawks.table.bodies import Body, that_differ
from engine.rulesets.muskets_mohawks.table.sheet import Sheet
from engine.rulesets.muskets_mohawks.vocabulary import state_of

__all__ = ["view_from", "view_of"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


def view_of(sheet: Sheet, looker: Unit, target: Unit) -> View | None:
    """The view that holds two units, or None: of friends, of stand-ins, of those in buildings there is none."""
    if looker.side == target.side or not sheet.owns(target):
        return None
    view = view_from(sheet, looker)
    return view if view is not None and target.id in view.columns else None


def view_from(sheet: Sheet, looker: Unit) -> View | None:
    """What a unit's side sees, where the unit is one of those that look; else None, as for `view_of`."""
    if not sheet.owns(looker):
        return None
    key = ("view", looker.side)
    view = sheet.known(key) or sheet.memo(key, lambda: _view(sheet, looker.side))
    return view if isinstance(view, View) and looker.id in view.rows else None


def _view(sheet: Sheet, side: str) -> View | None:
    outdoors = [unit for unit in sheet.game.units if len(sheet.body(unit)) and state_of(unit).in_building is None]
    mine, theirs = [u for u in outdoors if u.side == side], [u for u in outdoors if u.side != side]
    if not mine or not theirs:
        return None
    lookers, targets = (sheet.together([sheet.body(unit) for unit in units]) for units in (mine, theirs))
    old, moved = _old(sheet, side, lookers, targets)
    gap, turn, sigma, arc_sigma = _measured_again(sheet, lookers, targets, old)
    found = in_the_way(sheet, lookers, targets, gap, sigma, (None, None))
    blockers = [one.blocker for one in found.values()]
    whole = watch_of(lookers.centre, targets.centre, blockers, lookers.sigma_mm, targets.sigma_mm)
    back = _other_way(sheet, mine, theirs)
    mutual = [
        rule for rule, one in found.items() if one.mutual and back is not None and back.obstacles[rule].mutual
    ]
    alone = [rule for rule in found if rule not in mutual]
    seen = _seen(whole, list(found), alone, old)
    if back is not None:
        seen |= {rule: back.seen[rule].turned for rule in mutual}
    view = View(
        _slices(sheet, mine), _slices(sheet, theirs), lookers, targets, gap, turn, sigma, arc_sigma,
        found, whole, {rule: seen[rule] for rule in found}, back=back,
    )  # fmt: skip
    return view if old is None else compared(view, old, moved)


def _old(sheet: Sheet, side: str, lookers: Body, targets: Body) -> tuple[View | None, frozenset[str]]:
    """What the side saw before, where the same figures stood in the same order, wherever they stood; the units that
    are otherwise since."""
    before = sheet.earlier(("view", side))
    moved = None if before is None else sheet.moved_since(before.game)
    if before is None or moved is None:
        return None, frozenset()
    view: View = before.value
    same = view.lookers.ids == lookers.ids and view.targets.ids == targets.ids
    return (view, moved) if same else (None, frozenset())


def _other_way(sheet: Sheet, mine: list[Unit], theirs: list[Unit]) -> View | None:
    """What the enemies see of this side, where that has been worked out and there are but two sides."""
    other = theirs[0].side
    known = sheet.known(("view", other)) if all(unit.side == other for unit in theirs) else None
    if not isinstance(known, View) or list(known.columns) != [unit.id for unit in mine]:
        return None
    return known


def _measured_again(sheet: Sheet, lookers: Body, targets: Body, old: View | None) -> tuple[Array, ...]:
    """As `_measured`, rows and columns of those that are as they were taken over."""
    if old is None:
        return _measured(sheet, lookers, targets)
    tables = tuple(one.copy() for one in (old.gap_mm, old.off_deg, old.sigma_mm, old.arc_sigma_deg))
    rows, columns = that_differ(old.lookers, lookers), that_differ(old.targets, targets)
    for table, part in zip(tables, _measured(sheet, lookers.pick(rows.tolist()), targets), strict=True):
        table[rows] = part
    for table, part in zip(tables, _measured(sheet, lookers, targets.pick(columns.tolist())), strict=True):
        table[:, columns] = part
    return tables


def _measured(sheet: Sheet, lookers: Body, targets: Body) -> tuple[Array, ...]:
    """(n, m) how far apart figures are, how far each target is off each looker's front, and the sigmas of both."""
    way = targets.centre[None] - lookers.centre[:, None]
    apart = np.hypot(way[..., 0], way[..., 1])
    turn = off(lookers.bearing_deg[:, None], bearing_of(way))
    turn = np.where(np.isnan(turn) | (apart < MM), 0.0, turn)
    sigma = np.hypot(lookers.sigma_mm[:, None], targets.sigma_mm[None, :])
    return sheet.gaps(lookers.bases, targets.bases), turn, sigma, arc_sigmas(lookers, sigma, apart)


def _seen(whole: Watch, rules: Sequence[str], alone: Sequence[str], old: View | None) -> dict[str, Seen]:
    """What each of some rows lets be seen, as if it were ``alone``."""
    now = _past(whole, rules, alone)
    if old is None or list(old.obstacles) != list(rules):
        return dict(zip(alone, watch_each(now), strict=True))
    seen = [old.seen[rule] for rule in alone]
    return dict(zip(alone, watch_each_again(_past(old.watch, rules, alone), seen, now), strict=True))


def _past(whole: Watch, rules: Sequence[str], some: Sequence[str]) -> Watch:
    blockers = [whole.blockers[rules.index(rule)] for rule in some]
    return watch_of(whole.lookers, whole.targets, blockers, whole.looker_sigma, whole.target_sigma)


def _slices(sheet: Sheet, units: list[Unit]) -> Mapping[str, slice]:
    ends = np.cumsum([0, *(len(sheet.body(unit)) for unit in units)]).tolist()
    return {unit.id: slice(*pair) for unit, pair in zip(units, pairwise(ends), strict=True)}
