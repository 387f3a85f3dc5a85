"""The ground in reach of formed bodies and of loose ones: while the one is drawn, the other is worked out."""

from __future__ import annotations

from collections.abc import Sequence

from engine.geometry.reach.loose import LooseMover, loose_drawn, loose_prepared
from engine.geometry.reach.regions import Mover, Region, drawn, prepared, told
from engine.geometry.side_by_side import meanwhile

__all__ = ["regions_of_both"]


def regions_of_both(rigid: Sequence[Mover], loose: Sequence[LooseMover]) -> tuple[list[Region], list[Region]]:
    """What `regions_of` and `loose_regions_of` give, to the last bit; their rings are worked out, too.

    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.records.game import Round
    >>> from engine.geometry.reach.regions import Straight
    >>> one = bases_of([(0, 0)], [Round(diameter_mm=20)], [0])
    >>> (ahead,), (about,) = regions_of_both([Mover(one, 0.0, [Straight()], 60.0)], [LooseMover(one, 60.0)])
    >>> [[round(bound) for bound in one.footprint.bounds] for one in (ahead, about)]
    [[-10, -10, 10, 70], [-70, -70, 70, 70]]
    """
    tasks = loose_prepared(loose)
    if loose and rigid:
        of_loose, bodies = meanwhile(lambda: loose_drawn(tasks, threads=1), lambda: prepared(rigid))
    else:
        of_loose, bodies = loose_drawn(tasks), prepared(rigid)
    of_rigid = drawn(bodies)
    told([*of_rigid, *of_loose])
    return of_rigid, of_loose
