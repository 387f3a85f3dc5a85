"""Looking from one unit at another: what stands in the way, what covers, what must be spotted (TY-41 to TY-46)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import Bases
from engine.geometry.certainty import SIGMAS, Verdict, Verdicts, at_most, negated
from engine.geometry.cover import base_gaps
from engine.geometry.distinct import distinct
from engine.geometry.sight import Veil, all_lines, held_by
from engine.geometry.sight.crossing import lengths_in
from engine.geometry.swept import bases_in, clear_of_bases, clear_of_piece, pieces_in
from engine.geometry.tolerance import MM
from engine.records.game import Game, Unit
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.facts import as_target
from engine.rulesets.tyneside.field import Field, cm, field_of, measured
from engine.rulesets.tyneside.views import COVERS, Stop, View
from engine.rulesets.tyneside.vocabulary import MM_PER_CM, conditions_of, state_of

__all__ = ["look_at"]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


def look_at(game: Game, unit: Unit, target: Unit) -> View:
    """What the figures of a unit see of another and of who belongs to it."""
    field = field_of(game)
    sure = _Looking(game, field.as_measured, unit, target)
    cover, cover_doubts = sure.covers()
    doubts: tuple[Stop, ...] = ()
    if field.as_measured is not field:
        unsure = _Looking(game, field, unit, target)
        doubts = tuple(_unsettled((*unsure.stops(), *unsure.unspotted())))
        cover_doubts = unsure.covers()[1]
    return View(
        field, sure.lookers, sure.targets, sure.stops(), tuple(sure.unspotted()), doubts, cover, tuple(cover_doubts)
    )


def _unsettled(stops: tuple[Stop, ...]) -> Iterator[Stop]:
    """What may take sight away, of lines that nothing surely takes."""
    closed = [stop.lines[stop.passes == Verdict.NO] for stop in stops]
    for stop in stops:
        doubtful = (stop.passes == Verdict.BORDERLINE) & ~np.isin(stop.lines, np.concatenate(closed))
        if doubtful.any():
            yield replace(stop, lines=stop.lines[doubtful], passes=stop.passes[doubtful])


def _clear_by(clear_mm: NDArray[np.float64], sigma_mm: float) -> str:
    """How far a way is clear of a thing, in words; below 0 the thing reaches into it."""
    return f"clear by {measured(float(clear_mm[0]), sigma_mm, 0.0)}" if np.isfinite(clear_mm[0]) else ""


class _Looking:
    """The making of one view."""

    def __init__(self, game: Game, field: Field, unit: Unit, target: Unit) -> None:
        self.game, self.field, self.target = game, field, target
        self.lookers = field.of_unit[unit.id]
        theirs = as_target(game, target)
        self.targets = theirs if len(theirs) else field.of_unit[target.id]
        self.eyes, self.seen = field.bases.pick(self.lookers), field.bases.pick(self.targets)
        self.lines = all_lines(self.eyes.centre, self.seen.centre, self.eyes.sigma_mm, self.seen.sigma_mm)
        self.over = book().mm("over")

    def stops(self) -> tuple[Stop, ...]:
        """All that takes sight away or may do so, but for throws."""
        return (*self.behind_bases(), *self.behind_terrain(), *self.in_woods())

    def behind_bases(self) -> Iterator[Stop]:
        """Who stands in the way, but for those within 2 cm of the shooter (TY-41)."""
        standing = np.flatnonzero(~self.field.marker)
        met = bases_in(self.lines, self.seen, self.field.bases.pick(standing))
        body = standing[met.part]
        looker, target = self.lookers[self.lines.looker[met.line]], self.targets[self.lines.target[met.line]]
        apart = self.field.edges
        near = at_most(apart.value_mm[looker, body], self.over, apart.sigma_mm[looker, body])
        passes = np.maximum(negated(met.verdict), near)
        passes[(body == looker) | (body == target)] = Verdict.YES
        for number in distinct(body).tolist():
            which = (body == number) & (passes < Verdict.YES)
            if which.any():
                text = f"{self.field.figures[number].id} is in the way"
                tell = partial(self._past_base, number)
                yield Stop(met.line[which], passes[which], text, "TY-41", terrain=False, measure=tell)

    def _of_sight(self, *kinds: str) -> Index:
        return np.array([i for i, one in enumerate(self.field.patches) if one.sight in kinds], dtype=np.intp)

    def behind_terrain(self) -> Iterator[Stop]:
        """What terrain hides: low things but near either end, tall ones and hills but for who is in them."""
        for line, part, meets in self.in_the_way:
            patch = self.field.patches[part]
            passes = negated(meets)
            for near in self.spared(part, line):
                passes = np.maximum(passes, near)
            which = passes < Verdict.YES
            if which.any():
                text = f"{patch.id} ({patch.kind}) is in the way"
                yield Stop(line[which], passes[which], text, "TY-41", measure=partial(self._past_piece, part))

    @cached_property
    def in_the_way(self) -> list[tuple[Index, int, Verdicts]]:
        """The lines and verdicts of each piece that reaches into the areas that are looked through."""
        which = self._of_sight("low", "tall", "hill")
        met = pieces_in(self.lines, self.seen, self.field.pieces.pick(which))
        found = []
        for part in distinct(met.part).tolist():
            of = met.part == part
            found.append((met.line[of], int(which[part]), met.verdict[of]))
        return found

    def spared(self, part: int, line: Index) -> tuple[Verdicts, ...]:
        """Whether a piece stops none of lines (k,): by the looker, and by the target."""
        looker, target = self.lines.looker[line], self.lines.target[line]
        if self.field.patches[part].sight == "low":
            return self.near(self.eyes, part)[looker], self.near(self.seen, part)[target]
        inside = self.field.inside[:, part]
        return tuple(
            np.where(inside[figures], Verdict.YES, Verdict.NO).astype(np.int8)
            for figures in (self.lookers[looker], self.targets[target])
        )

    def near(self, bases: Bases, part: int) -> Verdicts:
        """(k,) whether a piece is within 2 cm of bases (TY-41, TY-42)."""
        gaps = base_gaps(bases, self.field.pieces.pick([part]))[:, 0]
        return at_most(gaps, self.over, bases.sigma_mm)

    def in_woods(self) -> Iterator[Stop]:
        """What woods take away: 10 cm in or out, 20 cm within one, nothing right through (TY-43, TY-44)."""
        which, deep = self._of_sight("woods"), book().mm("woods")
        woods = self.field.pieces.pick(which)
        held = held_by(self.lines, Veil(woods, into_mm=deep, out_mm=deep, through_mm=0.0))
        for part in distinct(held.part).tolist():
            of = held.part == part
            patch, line = self.field.patches[int(which[part])], held.line[of]
            within = lengths_in(woods, part, self.lines.start[line], self.lines.end[line])
            text = f"{cm(float(within.min()))} of {patch.id} ({patch.kind}) is in the way"
            lengths = dict(zip(line.tolist(), within.tolist(), strict=True))
            tell = partial(self._through_woods, int(which[part]), lengths)
            yield Stop(line, held.passes[of], text, "TY-43", measure=tell)
        inside, limit = self.field.inside[:, which], book().mm("within_woods")
        for part, number in enumerate(which.tolist()):
            both = inside[self.lookers, part][:, None] & inside[self.targets, part][None, :]
            text = f"beyond {limit / MM_PER_CM:g} cm within {self._name(number)}"
            yield from self._too_far(both, limit, text, "TY-44")

    def _name(self, part: int) -> str:
        patch = self.field.patches[part]
        return f"{patch.id} ({patch.kind})"

    def _too_far(self, concerned: Mask, limit_mm: float, text: str, rule: str) -> Iterator[Stop]:
        """Those of lines (n, m) that are longer than a limit."""
        pairs = np.ix_(self.lookers, self.targets)
        apart = self.field.apart
        passes = at_most(apart.value_mm[pairs], limit_mm, apart.sigma_mm[pairs])
        line = np.flatnonzero((concerned & (passes < Verdict.YES)).ravel())
        if len(line):
            far, sigma = apart.value_mm[pairs].ravel(), apart.sigma_mm[pairs].ravel()
            yield Stop(
                line, passes.ravel()[line], text, rule,
                measure=lambda one: measured(float(far[one]), float(sigma[one]), max(limit_mm, 0.0)),
            )  # fmt: skip

    def _past_base(self, number: int, line: int) -> str:
        """How far a looker's way to a target is clear of a base, or how far that is from the looker, in words."""
        one = self.lines.pick(np.array([line]))
        looker, base = int(self.lookers[one.looker[0]]), self.field.bases.pick([number])
        gap, sigma = (
            float(table[looker, number]) for table in (self.field.edges.value_mm, self.field.edges.sigma_mm)
        )
        if at_most(gap, self.over, sigma) == Verdict.BORDERLINE:
            return f"{measured(gap, sigma, self.over)} from the looker"
        sigma = float(np.hypot(max(one.sigma_start[0], one.sigma_end[0]), base.sigma_mm[0]))
        return _clear_by(clear_of_bases(one, self.seen, base, SIGMAS * sigma), sigma)

    def _past_piece(self, part: int, line: int) -> str:
        """As `_past_base`, of a piece of terrain; a low one may be near enough to either end not to count."""
        one = self.lines.pick(np.array([line]))
        ends = ((self.eyes.pick(one.looker), "looker"), (self.seen.pick(one.target), "target"))
        for bases, whose in ends if self.field.patches[part].sight == "low" else ():
            if self.near(bases, part)[0] == Verdict.BORDERLINE:
                gap = float(base_gaps(bases, self.field.pieces.pick([part]))[0, 0])
                return f"{measured(gap, float(bases.sigma_mm[0]), self.over)} from the {whose}"
        sigma = float(max(one.sigma_start[0], one.sigma_end[0]))
        return _clear_by(clear_of_piece(one, self.seen, self.field.pieces, part, SIGMAS * sigma), sigma)

    def _through_woods(self, part: int, lengths: Mapping[int, float], line: int) -> str:
        """How much of a wood a line runs through, against what may be seen through."""
        ends = self.lookers[self.lines.looker[line]], self.targets[self.lines.target[line]]
        limit = book().mm("woods") if self.field.inside[ends, part].any() else 0.0
        return measured(lengths[line], float(self.lines.sigma_mm[line]), limit)

    def unspotted(self) -> Iterator[Stop]:
        """Those in concealing ground whom enemies outside must spot first (TY-45)."""
        which = self._of_sight("woods")
        inside = self.field.inside[:, which]
        hidden = (inside[self.targets][None] & ~inside[self.lookers][:, None]).any(axis=2)
        throws = conditions_of(self.game).options.firing_still_throws
        for name in dict.fromkeys(self.field.units[number].id for number in self.targets.tolist()):
            states = [state_of(self.game.unit(one)) for one in dict.fromkeys((self.target.id, name))]
            if any(state.fired for state in states) and not throws:
                continue
            mine = np.array([self.field.units[number].id == name for number in self.targets.tolist()])
            thrown = [state.spotted_cm for state in states if state.spotted_cm is not None]
            if thrown:
                text = f"seen at {max(thrown):g} cm only"
                yield from self._too_far(hidden & mine, max(thrown) * MM_PER_CM, text, "TY-45")
            else:
                text = f"{name} is in cover: spot it first"
                yield from self._too_far(hidden & mine, -1.0, text, "TY-45")

    def covers(self) -> tuple[NDArray[np.int8], list[tuple[int, str]]]:
        """The cover of each target from each looker, and what of it is in doubt (TY-42)."""
        ranks = np.array([COVERS.index(patch.cover) for patch in self.field.patches], dtype=np.int8)
        inside = self.field.inside[self.targets]
        area = np.where(inside, ranks, 0).max(axis=1, initial=0)
        found = np.tile(area[None, :], (len(self.lookers), 1)).astype(np.int8)
        doubt: list[tuple[int, str]] = []
        flat = found.reshape(-1)
        for line, part, meets in self.in_the_way:
            if self.field.patches[part].sight != "low":
                continue
            gaps = base_gaps(self.seen, self.field.pieces.pick([part]))[:, 0]
            target = self.lines.target[line]
            covers = gaps[target] <= self.over + MM
            flat[line[covers]] = np.maximum(flat[line[covers]], ranks[part])
            spread = SIGMAS * self.seen.sigma_mm[target]
            unsure = (spread > 0) & ((np.abs(gaps[target] - self.over) <= spread) | covers & (meets < Verdict.YES))
            for one in line[unsure].tolist():
                gap, sigma = float(gaps[self.lines.target[one]]), float(self.seen.sigma_mm[self.lines.target[one]])
                figure = self.field.figures[int(self.targets[self.lines.target[one]])].id
                text = f"cover of {figure} by {self._name(part)}: {measured(gap, sigma, self.over)}"
                doubt.append((one, text))
        return found, doubt
