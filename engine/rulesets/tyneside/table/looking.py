"""Looking from one unit at others: what stands in the way, what covers, what must be spotted (TY-41 to TY-46)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict, at_most
from engine.geometry.plane.tolerance import MM
from engine.records.game import Game, Unit
from engine.rulesets.tyneside.table.barring import Barring, Bars
from engine.rulesets.tyneside.table.facts import as_target
from engine.rulesets.tyneside.table.field import Field, field_of, measured
from engine.rulesets.tyneside.table.spotting import concealed
from engine.rulesets.tyneside.table.views import COVERS, Stop, View
from engine.rulesets.tyneside.vocabulary import MM_PER_CM, conditions_of, state_of

__all__ = ["looks_at"]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
Covers = NDArray[np.int8]


def looks_at(game: Game, unit: Unit, targets: Sequence[Unit]) -> tuple[View, ...]:
    """What the figures of a unit see of each of others and of who belongs to it."""
    field = field_of(game)
    lookers, groups = field.of_unit[unit.id], [_aimed_at(game, target) for target in targets]
    whole = Barring(field, lookers, groups)
    known = field.as_measured is field
    sure = whole if known else Barring(field.as_measured, lookers, groups, whole)
    bars, unsure = sure.bars(), () if known else whole.bars()
    cover, cover_doubts = _covers(sure)
    cover_doubts = cover_doubts if known else _covers(whole)[1]
    views, first = [], 0
    for number, (target, group) in enumerate(zip(targets, groups, strict=True)):
        after = first + len(group)
        throw = tuple(_unspotted(game, field.as_measured, lookers, group, target))
        doubts: tuple[Stop, ...] = ()
        if not known:
            doubts = tuple(_unsettled(unsure[number], tuple(_unspotted(game, field, lookers, group, target))))
        said = tuple(
            (looker * len(group) + one - first, text)
            for looker, one, text in cover_doubts if first <= one < after
        )  # fmt: skip
        views.append(
            View(field, lookers, group, tuple(bars[number].stops()), throw, doubts, cover[:, first:after], said)
        )
        first = after
    return tuple(views)


def _aimed_at(game: Game, target: Unit) -> Index:
    """The figures that one looks for in a unit, by number: those whom fire at it may hit, else its own."""
    theirs = as_target(game, target)
    return theirs if len(theirs) else field_of(game).of_unit[target.id]


def _unsettled(bars: Bars, throws: tuple[Stop, ...]) -> Iterator[Stop]:
    """What may take sight away, of lines that nothing surely takes."""
    closed = np.concatenate([bars.closed, *(stop.lines[stop.passes == Verdict.NO] for stop in throws)])
    yield from bars.stops((bars.passes == Verdict.BORDERLINE) & ~np.isin(bars.line, closed))
    for stop in throws:
        doubtful = (stop.passes == Verdict.BORDERLINE) & ~np.isin(stop.lines, closed)
        if doubtful.any():
            yield replace(stop, lines=stop.lines[doubtful], passes=stop.passes[doubtful])


def _too_far(
    field: Field, lookers: Index, targets: Index, concerned: Mask, limit_mm: float, text: str
) -> Iterator[Stop]:
    """Those of lines (n, m) that are longer than a limit: nobody sees so far what must be spotted (TY-45)."""
    pairs = np.ix_(lookers, targets)
    apart = field.apart
    passes = at_most(apart.value_mm[pairs], limit_mm, apart.sigma_mm[pairs])
    line = np.flatnonzero((concerned & (passes < Verdict.YES)).ravel())
    if len(line):
        far, sigma = apart.value_mm[pairs].ravel(), apart.sigma_mm[pairs].ravel()
        yield Stop(
            line, passes.ravel()[line], text, "TY-45",
            measure=lambda one: measured(float(far[one]), float(sigma[one]), max(limit_mm, 0.0)),
        )  # fmt: skip


def _unspotted(game: Game, field: Field, lookers: Index, targets: Index, target: Unit) -> Iterator[Stop]:
    """Those in concealing ground whom enemies outside must spot first (TY-45)."""
    hidden = concealed(field, lookers, targets)
    if not hidden.any():
        return
    throws = conditions_of(game).options.firing_still_throws
    whose = [field.units[number].id for number in targets.tolist()]
    for name in dict.fromkeys(whose):
        states = [state_of(game.unit(one)) for one in dict.fromkeys((target.id, name))]
        if any(state.fired for state in states) and not throws:
            continue
        mine = hidden & np.array([one == name for one in whose])
        thrown = [state.spotted_cm for state in states if state.spotted_cm is not None]
        if thrown:
            text = f"seen at {max(thrown):g} cm only"
            yield from _too_far(field, lookers, targets, mine, max(thrown) * MM_PER_CM, text)
        else:
            yield from _too_far(field, lookers, targets, mine, -1.0, f"{name} is in cover: spot it first")


def _covers(bars: Barring) -> tuple[Covers, list[tuple[int, int, str]]]:
    """The cover (n, m) of each target from each looker; what is in doubt: looker, target, words (TY-42)."""
    field, lines = bars.field, bars.lines
    ranks = np.array([COVERS.index(patch.cover) for patch in field.patches], dtype=np.int8)
    area = np.where(field.inside[bars.targets], ranks, 0).max(axis=1, initial=0)
    found = np.tile(area[None, :], (len(bars.lookers), 1)).astype(np.int8)
    doubt: list[tuple[int, int, str]] = []
    flat = found.reshape(-1)
    for line, part, meets in bars.in_the_way:
        if field.patches[part].sight != "low":
            continue
        target = lines.target[line]
        gaps, sigma = field.piece_gaps[bars.targets, part], bars.seen.sigma_mm
        covers = gaps[target] <= bars.over + MM
        flat[line[covers]] = np.maximum(flat[line[covers]], ranks[part])
        spread = SIGMAS * sigma[target]
        near = np.abs(gaps[target] - bars.over) <= spread
        unsure = (spread > 0) & (near | covers & (meets < Verdict.YES))
        name = f"{field.patches[part].id} ({field.patches[part].kind})"
        for one in line[unsure].tolist():
            which = int(lines.target[one])
            figure = field.figures[int(bars.targets[which])].id
            text = f"cover of {figure} by {name}: {measured(float(gaps[which]), float(sigma[which]), bars.over)}"
            doubt.append((int(lines.looker[one]), which, text))
    return found, doubt
