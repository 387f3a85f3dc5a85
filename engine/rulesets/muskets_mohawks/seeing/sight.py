"""Who sees whom (MM-83 to MM-91): every pair of figures of two units at once, with what stands between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.plane.directions import bearing_of, off
from engine.geometry.plane.lines import turned
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import to_segments
from engine.geometry.sight import Lines, Seen, look
from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.seeing.between import How, note_between, still_between
from engine.rulesets.muskets_mohawks.seeing.obstacles import FIGURES, in_the_way
from engine.rulesets.muskets_mohawks.seeing.pairs import Pairs
from engine.rulesets.muskets_mohawks.seeing.viewing import view_of
from engine.rulesets.muskets_mohawks.seeing.views import View, arc_sigmas
from engine.rulesets.muskets_mohawks.table.bodies import Body, joined
from engine.rulesets.muskets_mohawks.table.land import Ground
from engine.rulesets.muskets_mohawks.table.sheet import Sheet
from engine.rulesets.muskets_mohawks.vocabulary import state_of

__all__ = [
    "Crowd", "bodies_pairs", "crowd", "look_at_one", "pairs", "whole_pairs",
]  # fmt: skip

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


def pairs(sheet: Sheet, looker: Unit, target: Unit, *, over_figures: bool = False) -> Pairs:
    """Every figure of a unit against every figure of another; ``over_figures``: figures do not block (MM-32).

    From or to a building it is the nearest point of the outline that counts, and there is no arc (R-18).
    """
    return sheet.memo(
        ("pairs", looker.id, target.id, over_figures),
        lambda: _pairs(sheet, looker, target, over_figures=over_figures),
        looker,
        target,
    )


def look_at_one(sheet: Sheet, looker: Unit, target: Unit) -> None:
    """Looks at one unit alone, sooner where nobody else is asked about; this sheet looks at no side as a whole."""
    for side in sheet.game.sides:
        sheet.memo(("view", side.name), lambda: None)
    alone = bodies_pairs(sheet, sheet.body(looker), sheet.body(target))
    sheet.memo(("pairs", looker.id, target.id, False), lambda: alone, looker, target)


def _pairs(sheet: Sheet, looker: Unit, target: Unit, *, over_figures: bool) -> Pairs:
    view = view_of(sheet, looker, target)
    if view is None:
        return _from_group(sheet, looker, target, over_figures=over_figures)
    return _from_view(sheet, view, looker, target, over_figures=over_figures)


def _from_group(sheet: Sheet, looker: Unit, target: Unit, *, over_figures: bool) -> Pairs:
    """The pairs of two units that no view holds: as they were in an earlier game, or of all that stand alike."""
    mine, theirs = sheet.body(looker), sheet.body(target)
    if not len(mine) or not len(theirs) or not sheet.owns(looker, target) or looker is target:
        return bodies_pairs(sheet, mine, theirs, over_figures=over_figures)
    how: How = "over" if over_figures else "past"
    key, still = (looker.id, target.id, how), still_between(sheet)
    found = still[key] if key in still else _of_all_alike(sheet, looker, target, over_figures=over_figures)
    note_between(sheet, key, found)
    return found


def _of_all_alike(sheet: Sheet, looker: Unit, target: Unit, *, over_figures: bool) -> Pairs:
    """The pairs of two units out of those of all that stand alike and are not known yet, worked out at once.

    Those looked at are all units of a side that are in one building, or in none. Who looks does so alone; but at
    those in a building all look together that are in none, and Leaders look at their friends together.
    """
    house, still, how = state_of(target).in_building, still_between(sheet), "over" if over_figures else "past"
    all_look = house is not None and state_of(looker).in_building is None
    leaders_look = looker.type == "leader" and looker.side == target.side and not all_look

    def unknown(one: Unit, other: Unit) -> bool:
        return one is not other and (one.id, other.id, how) not in still

    def together() -> Crowd:
        units = [unit for unit in sheet.game.units if len(sheet.body(unit))]
        seen, looking = [[unit for unit in units if _alike(sheet, unit, one)] for one in (target, looker)]
        if not all_look:
            looking = [unit for unit in looking if unit.type == "leader"] if leaders_look else [looker]
        lookers = [unit for unit in looking if any(unknown(unit, other) for other in seen)]
        targets = [unit for unit in seen if any(unknown(other, unit) for other in lookers)]
        return crowd(
            sheet, [sheet.body(unit) for unit in lookers], [sheet.body(unit) for unit in targets],
            over_figures=over_figures,
        )  # fmt: skip

    who = "all" if all_look else "leaders" if leaders_look else looker.id
    key = ("crowd", who, *_stance(sheet, looker), *_stance(sheet, target), over_figures)
    return sheet.memo(key, together).of(sheet.body(looker), sheet.body(target))


def _alike(sheet: Sheet, one: Unit, other: Unit) -> bool:
    return _stance(sheet, one) == _stance(sheet, other)


def _stance(sheet: Sheet, unit: Unit) -> tuple[str, str | None, bool]:
    """What units have in common whose sight is worked out together.

    Rectangles are left to themselves: the last bit of a distance may hang on who is measured beside them.
    """
    return unit.side, state_of(unit).in_building, bool(sheet.body(unit).bases.is_rect.any())


@dataclass(frozen=True)
class Crowd:
    """The pairs of units that look and units that are looked at, by whose names stands where they begin."""

    whole: Pairs
    rows: Mapping[str, int]
    columns: Mapping[str, int]

    def of(self, looker: Body, target: Body) -> Pairs:
        """The pairs of two of them."""
        begins = self.rows[looker.unit.id], self.columns[target.unit.id]
        return self.whole.part_of(looker, target, *begins)


def crowd(sheet: Sheet, lookers: Sequence[Body], targets: Sequence[Body], *, over_figures: bool = False) -> Crowd:
    """The pairs of all of some units, those of one side, with all of some others, worked out at once."""
    spans = []
    for bodies in (lookers, targets):
        ends = np.cumsum([0, *(len(body) for body in bodies)]).tolist()
        spans.append({body.unit.id: slice(*pair) for body, pair in zip(bodies, pairwise(ends), strict=True)})
    rows, columns = spans
    one, other = (some[0] if len(some) == 1 else joined(sheet.game, some) for some in (lookers, targets))
    whole = bodies_pairs(sheet, one, other, over_figures=over_figures)
    return Crowd(
        replace(whole, parts=tuple(product(rows.values(), columns.values()))),
        *({name: span.start for name, span in some.items()} for some in spans),
    )  # fmt: skip


def _from_view(sheet: Sheet, view: View, looker: Unit, target: Unit, *, over_figures: bool) -> Pairs:
    """The part of a whole side's view that is of two units."""
    rows, columns = view.rows[looker.id], view.columns[target.id]
    lookers, seen = sheet.body(looker), sheet.body(target)
    shape = (len(lookers), len(seen), 2)
    seen_by = {
        rule: one.pick((rows, columns)) for rule, one in view.seen.items() if not (over_figures and rule in FIGURES)
    }
    start = np.broadcast_to(lookers.centre[:, None], shape)
    end = np.broadcast_to(seen.centre[None], shape)
    gap, turn = view.gap_mm[rows, columns], view.off_deg[rows, columns]
    return Pairs(
        lookers, seen, start, end, gap, turn, view.sigma_mm[rows, columns], view.arc_sigma_deg[rows, columns],
        view.obstacles, *_told(seen_by),
        first_column=columns.start, view=view,
        units=(view.row_number[looker.id], view.column_number[target.id]),
    )  # fmt: skip


def whole_pairs(sheet: Sheet, side: str, view: View) -> Pairs:
    """Every figure of a side against every enemy: all of its view as one."""

    def whole() -> Pairs:
        shape = (*view.gap_mm.shape, 2)
        return Pairs(
            view.lookers, view.targets,
            np.broadcast_to(view.lookers.centre[:, None], shape), np.broadcast_to(view.targets.centre[None], shape),
            view.gap_mm, view.off_deg, view.sigma_mm, view.arc_sigma_deg, view.obstacles,
            *_told(view.seen),
        )  # fmt: skip

    return sheet.memo(("whole pairs", side), whole)


def bodies_pairs(sheet: Sheet, lookers: Body, seen: Body, *, over_figures: bool = False) -> Pairs:
    """As `pairs`, for chosen figures of the two units."""
    houses = sheet.building_of(lookers.unit), sheet.building_of(seen.unit)
    start, end = _ends(lookers, seen, *houses)
    flat_start, flat_end = start.reshape(-1, 2), end.reshape(-1, 2)
    gap = _gaps(sheet, lookers, seen, *houses, flat_start, flat_end)
    apart = np.hypot(*(end - start).transpose(2, 0, 1))
    sigma = np.hypot(lookers.sigma_mm[:, None], seen.sigma_mm[None, :])
    turn = off(lookers.bearing_deg[:, None], bearing_of(end - start))
    turn = np.where(np.isnan(turn) | (apart < MM) | (houses[0] is not None), 0.0, turn)
    arc_sigma = arc_sigmas(lookers, sigma, apart) * (houses[0] is None)
    found = in_the_way(sheet, lookers, seen, gap, sigma, houses)
    if over_figures:
        found = {rule: one for rule, one in found.items() if rule not in FIGURES}
    lines = _lines(lookers, seen, flat_start, flat_end)
    seen_by = {rule: look(lines, [one.blocker]).reshaped(*gap.shape) for rule, one in found.items()}
    return Pairs(lookers, seen, start, end, gap, turn, sigma, arc_sigma, found, *_told(seen_by))


def _lines(lookers: Body, seen: Body, start: Array, end: Array) -> Lines:
    n, m = len(lookers), len(seen)
    return Lines(
        start, end, np.repeat(np.arange(n), m), np.tile(np.arange(m), n),
        np.repeat(lookers.sigma_mm, m), np.tile(seen.sigma_mm, n),
    )  # fmt: skip


def _told(
    seen_by: Mapping[str, Seen],
) -> tuple[Mapping[str, Mask], Mapping[str, Mask], Mapping[str, NDArray[np.int32]]]:
    """What blocks, what may, and which part of it: the rows that take sight away from some pair, or may."""
    doubtful = {rule: one.verdict == Verdict.BORDERLINE for rule, one in seen_by.items()}
    return (
        {rule: one.taken for rule, one in seen_by.items() if one.taken.any()},
        {rule: mask for rule, mask in doubtful.items() if mask.any()},
        {rule: one.part for rule, one in seen_by.items()},
    )


def _ends(lookers: Body, seen: Body, house: Ground | None, other_house: Ground | None) -> tuple[Array, Array]:
    count = (len(lookers), len(seen), 2)
    start = np.broadcast_to(lookers.centre[:, None], count)
    end = np.broadcast_to(seen.centre[None], count)
    if other_house is not None:
        towards = start if house is None else np.broadcast_to(house.outline.mean(axis=0), count)
        end = other_house.shape.nearest_on_rim(0, towards.reshape(-1, 2)).reshape(count)
    if house is not None:
        start = house.shape.nearest_on_rim(0, end.reshape(-1, 2)).reshape(count)
    return start, end


def _gaps(
    sheet: Sheet, lookers: Body, seen: Body, house: Ground | None, other_house: Ground | None,
    start: Array, end: Array,
) -> Array:  # fmt: skip
    if house is None and other_house is None:
        return sheet.gaps(lookers.bases, seen.bases)
    count = (len(lookers), len(seen))
    apart = np.hypot(*(end - start).T).reshape(count)
    if sheet.conditions.options.measure == "edge":
        if house is not None and other_house is None:
            apart = np.broadcast_to(_to_bases(house, seen)[None], count)
        elif other_house is not None and house is None:
            apart = np.broadcast_to(_to_bases(other_house, lookers)[:, None], count)
    return np.array(apart)


def _to_bases(house: Ground, body: Body) -> Array:
    ends = turned(house.outline)
    distance: Array = to_segments(body.bases, house.outline, ends).min(axis=1)
    return distance
