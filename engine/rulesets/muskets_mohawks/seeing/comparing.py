"""What of a side's view is as it was before: the lines past which nothing has come or gone, the pairs of units."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.shapes.bases import Bases, to_segments
from engine.geometry.sight import Again, Blocker, Standing
from engine.rulesets.muskets_mohawks.seeing.views import Line, Names, View
from engine.rulesets.muskets_mohawks.table.bodies import Body, that_differ

__all__ = ["compared"]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


def compared(view: View, old: View, moved: Collection[str]) -> View:
    """The view, told what stays of an old one of the same figures; ``moved`` are the units otherwise than then.

    Of a pair of units all stays where neither is among those, where every line between them is as open and as
    doubtful as before, and where the same things stand in the way of those lines of which they are named.
    """
    named = {rule: known for rule, known in list(old.named.items()) if rule in view.obstacles}
    disturbed = {rule: _disturbed(view, old, rule, known) for rule, known in named.items()}
    stays = _unmoved(view, moved)
    if list(view.obstacles) == list(old.obstacles):
        stays &= ~_by_units(view, _differ(view, old))
    else:
        stays[:] = False
    for lines in disturbed.values():
        stays[_units_of(view, lines)] = False
    still = {rule: _without(known, disturbed[rule]) for rule, known in named.items()}
    return replace(
        view, still=still, named={rule: _staying(view, known, stays) for rule, known in still.items()}, stays=stays
    )


def _units_of(view: View, lines: Index) -> tuple[Index, Index]:
    """The numbers of the units between which lines (k,) run."""
    row, column = np.divmod(lines, len(view.targets))
    return view.row_unit[row], view.column_unit[column]


def _numbers(known: Collection[Line]) -> Index:
    return np.fromiter(known, dtype=np.intp, count=len(known))


def _without(known: Mapping[Line, Names], lines: Index) -> dict[Line, Names]:
    left = dict(known)
    for line in lines.tolist():
        del left[line]
    return left


def _staying(view: View, known: Mapping[Line, Names], stays: Mask) -> dict[Line, Names]:
    """What stands in the way of lines between those pairs of units that stay."""
    lines = _numbers(known)
    return _without(known, lines[~stays[_units_of(view, lines)]])


def _unmoved(view: View, moved: Collection[str]) -> Mask:
    """(u, v) the pairs of units neither of which is otherwise."""
    rows, columns = (np.array([name not in moved for name in names]) for names in (view.rows, view.columns))
    unmoved: Mask = rows[:, None] & columns
    return unmoved


def _differ(view: View, old: View) -> Mask:
    """(n, m) the lines of which something may be told otherwise than before, though their ends are as they were.

    Of one that passes figures in doubt the measures are told, which stay where it was not looked along again.
    """
    differ = np.zeros(view.gap_mm.shape, dtype=bool)
    for rule, seen in view.seen.items():
        before, figures = old.seen[rule], isinstance(view.obstacles[rule].blocker, Standing)
        differ |= (seen.verdict != before.verdict) | (seen.part != before.part)
        differ |= view.blocked[rule] != old.blocked[rule]
        if figures:
            differ |= (seen.verdict == Verdict.BORDERLINE) & (seen.changed if isinstance(seen, Again) else True)
    return differ


def _by_units(view: View, mask: Mask) -> Mask:
    """(u, v) of a mask (n, m): whether it holds for any figures of two units."""
    starts = [[part.start for part in parts.values()] for parts in (view.rows, view.columns)]
    found: Mask = np.logical_or.reduceat(np.logical_or.reduceat(mask, starts[1], axis=1), starts[0], axis=0)
    return found


def _disturbed(view: View, old: View, rule: str, known: Mapping[Line, Names]) -> Index:
    """Those of some lines (k,) whose ends are otherwise than before, or near which something has come or gone."""
    lines, obstacle = _numbers(known), view.obstacles[rule]
    if obstacle.names != old.obstacles[rule].names:
        return lines
    row, column = np.divmod(lines, len(view.targets))
    moved = [np.zeros(len(body), dtype=bool) for body in (view.lookers, view.targets)]
    for mask, one, other in zip(moved, _bodies(old), _bodies(view), strict=True):
        mask[that_differ(one, other)] = True
    disturbed = moved[0][row] | moved[1][column]
    for bases in _come_or_gone(old.obstacles[rule].blocker, obstacle.blocker):
        near = to_segments(bases, view.lookers.centre[row], view.targets.centre[column])
        disturbed |= (near <= bases.width[:, None]).any(axis=0)  # much more than what a figure keeps clear
    return lines[disturbed]


def _bodies(view: View) -> tuple[Body, Body]:
    return view.lookers, view.targets


def _come_or_gone(old: Blocker, new: Blocker) -> list[Bases]:
    """The bases in the way that stand otherwise than they did, where they stood and where they stand."""
    if not isinstance(old, Standing) or not isinstance(new, Standing):
        return []
    differ = np.zeros(len(new.bases), dtype=bool)
    for name in ("centre", "half", "radius", "bearing_rad"):
        unlike = getattr(old.bases, name) != getattr(new.bases, name)
        differ |= unlike if unlike.ndim == 1 else unlike.any(axis=1)
    return [one.bases.pick(differ) for one in (old, new)] if differ.any() else []
