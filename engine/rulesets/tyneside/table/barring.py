"""What stands between the figures of a unit and those of others, of all of them at once (TY-41 to TY-44)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict, Verdicts, at_most, negated
from engine.geometry.plane.distinct import distinct, numbered, runs
from engine.geometry.shapes.bases import Bases
from engine.geometry.sight import Veil, all_lines, held_by
from engine.geometry.sight.crossing import lengths_in
from engine.geometry.swept import Met, bases_in, clear_of_bases, clear_of_piece, pieces_in
from engine.rulesets.base.field.line_groups import by_group
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.table.field import Field, measured, told_apart
from engine.rulesets.tyneside.table.views import Stop
from engine.rulesets.tyneside.vocabulary import MM_PER_CM

__all__ = ["Barring", "Bars", "woods_of"]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


class _Measuring(Protocol):
    def __call__(self, line: int) -> str: ...


@dataclass(frozen=True)
class _Thing:
    """Something in the way: in words, the row, whether it is terrain, what was measured of a line; ``lengths``: how
    much of each line runs through it, where that is told before; ``base``: the number of the figure that it is."""

    text: str
    rule: str
    measure: _Measuring
    terrain: bool = True
    lengths: Mapping[int, float] | None = None
    base: int | None = None

    def told(self, lines: Index) -> str:
        """The thing in words, as it concerns some lines."""
        if self.lengths is None:
            return self.text
        length = min(self.lengths[line] for line in lines.tolist())
        return f"{told_apart(length, book().mm('woods'))[0]} of {self.text}"


@dataclass(frozen=True, eq=False)
class Bars:
    """What bars lines (t,) to one group of figures, or may do so: ``thing`` (t,) in rising order, how surely.

    ``line`` numbers them in the table of the group alone, ``whole`` in that of all groups; ``apart_mm`` (t,): how
    long they are. ``told`` gathers which thing's measure on which line is going to be told.
    """

    line: Index
    whole: Index
    thing: Index
    passes: Verdicts
    apart_mm: NDArray[np.float64]
    things: Sequence[_Thing]
    told: set[tuple[int, int]]

    @property
    def closed(self) -> Index:
        """(k,) the lines that something surely bars."""
        closed: Index = self.line[self.passes == Verdict.NO]
        return closed

    def stops(self, of: Mask | None = None) -> Iterator[Stop]:
        """A stop for each thing, in order; ``of`` (t,): of these lines alone."""
        for first, after in pairwise([*runs(self.thing).tolist(), len(self.thing)]):
            span = slice(first, after)
            lines, passes, whole = self.line[span], self.passes[span], self.whole[span]
            some = slice(None) if of is None else of[first:after]
            if of is not None and not of[first:after].any():
                continue
            thing = self.things[int(self.thing[first])]
            if of is not None and thing.base is not None:
                self.told.add((thing.base, int(whole[some][self.apart_mm[span][some].argmin()])))
            tell = partial(_told_of, thing.measure, lines, whole)
            yield Stop(lines[some], passes[some], thing.told(whole), thing.rule, thing.terrain, tell)


def _told_of(measure: _Measuring, lines: Index, whole: Index, line: int) -> str:
    return measure(int(whole[np.flatnonzero(lines == line)[0]]))


def woods_of(field: Field) -> Index:
    """The pieces of terrain that are woods to sight, by their numbers."""
    return _of_sight(field, "woods")


def _of_sight(field: Field, *kinds: str) -> Index:
    return np.array([i for i, one in enumerate(field.patches) if one.sight in kinds], dtype=np.intp)


def _clear_by(clear_mm: float, sigma_mm: float) -> str:
    """How far a way is clear of a thing, in words; below 0 the thing reaches into it."""
    return f"clear by {measured(clear_mm, sigma_mm, 0.0)}" if np.isfinite(clear_mm) else ""


class Barring:
    """The making of what bars the lines from some figures to groups of others; ``like``: the same with what the
    measurement cannot settle, whose measures hold as far as they are sure."""

    def __init__(self, field: Field, lookers: Index, groups: Sequence[Index], like: Barring | None = None) -> None:
        self.field, self.lookers, self.groups, self.like = field, lookers, groups, like
        self.targets = np.concatenate([np.zeros(0, dtype=np.intp), *groups])
        self.eyes, self.seen = field.bases.pick(lookers), field.bases.pick(self.targets)
        self.lines = all_lines(self.eyes.centre, self.seen.centre, self.eyes.sigma_mm, self.seen.sigma_mm)
        self.over = book().mm("over")
        self._told: set[tuple[int, int]] = set()
        self._clear: dict[tuple[int, int], tuple[float, float]] = {}

    def bars(self) -> tuple[Bars, ...]:
        """Group by group all that takes sight away or may do so, but for throws."""
        things: list[_Thing] = []
        columns: list[tuple[Index, Index, Verdicts]] = []
        for line, passes, number, some in (*self._bases(), *self._terrain(), *self._woods()):
            which = np.flatnonzero(passes < Verdict.YES)
            columns.append((line[which], number[which] + len(things), passes[which]))
            things += some
        empty = (np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.int8))
        line, thing, passes = (np.concatenate(column) for column in zip(empty, *columns, strict=True))
        order = np.argsort(thing, kind="stable")
        line, thing, passes = line[order], thing[order], passes[order]
        found = by_group(line, [len(group) for group in self.groups])
        ends = self.lookers[self.lines.looker[line]], self.targets[self.lines.target[line]]
        apart = self.field.apart.value_mm[ends]
        return tuple(
            Bars(alone, line[of], thing[of], passes[of], apart[of], things, self._told) for of, alone in found
        )

    @cached_property
    def standing(self) -> Index:
        """Who stands in anybody's way, by number."""
        return np.flatnonzero(~self.field.marker)

    @cached_property
    def met(self) -> Met:
        """The bases that stand in the areas that are looked through."""
        if self.like is not None:
            return self.like.met.as_measured
        return bases_in(self.lines, self.seen, self.field.bases.pick(self.standing))

    @cached_property
    def met_pieces(self) -> Met:
        """The pieces of terrain that reach into these areas, numbered in ``_solid``."""
        if self.like is not None:
            return self.like.met_pieces.as_measured
        return pieces_in(self.lines, self.seen, self.field.pieces.pick(self._solid))

    @cached_property
    def _solid(self) -> Index:
        return _of_sight(self.field, "low", "tall", "hill")

    def _bases(self) -> Iterator[tuple[Index, Verdicts, Index, list[_Thing]]]:
        """Who stands in the way, but for those within 2 cm of the shooter (TY-41)."""
        met = self.met
        body = self.standing[met.part]
        looker, target = self.lookers[self.lines.looker[met.line]], self.targets[self.lines.target[met.line]]
        apart = self.field.edges
        near = at_most(apart.value_mm[looker, body], self.over, apart.sigma_mm[looker, body])
        passes = np.maximum(negated(met.verdict), near)
        passes[(body == looker) | (body == target)] = Verdict.YES
        things = [
            _Thing(
                f"{self.field.figures[number].id} is in the way",
                "TY-41",
                partial(self._past_base, number),
                terrain=False,
                base=number,
            )
            for number in distinct(body).tolist()
        ]
        yield met.line, passes, numbered(body), things

    def _terrain(self) -> Iterator[tuple[Index, Verdicts, Index, list[_Thing]]]:
        """What terrain hides: low things but near either end, tall ones and hills but for who is in them."""
        for line, part, meets in self.in_the_way:
            patch = self.field.patches[part]
            passes = negated(meets)
            for near in self._spared(part, line):
                passes = np.maximum(passes, near)
            text = f"{patch.id} ({patch.kind}) is in the way"
            thing = _Thing(text, "TY-41", partial(self._past_piece, part))
            yield line, passes, np.zeros(len(line), dtype=np.intp), [thing]

    @cached_property
    def in_the_way(self) -> list[tuple[Index, int, Verdicts]]:
        """The lines and verdicts of each piece that reaches into the areas that are looked through."""
        met, found = self.met_pieces, []
        for part in distinct(met.part).tolist():
            of = met.part == part
            found.append((met.line[of], int(self._solid[part]), met.verdict[of]))
        return found

    def _spared(self, part: int, line: Index) -> tuple[Verdicts, ...]:
        """Whether a piece stops none of lines (k,): by the looker, and by the target."""
        looker, target = self.lines.looker[line], self.lines.target[line]
        if self.field.patches[part].sight == "low":
            ends = (self.lookers, self.eyes, looker), (self.targets, self.seen, target)
            return tuple(self.near(figures, bases, part)[which] for figures, bases, which in ends)
        inside = self.field.inside[:, part]
        return tuple(
            np.where(inside[figures], Verdict.YES, Verdict.NO).astype(np.int8)
            for figures in (self.lookers[looker], self.targets[target])
        )

    def near(self, figures: Index, bases: Bases, part: int) -> Verdicts:
        """(k,) whether a piece is within 2 cm of figures and their bases (TY-41, TY-42)."""
        return at_most(self.field.piece_gaps[figures, part], self.over, bases.sigma_mm)

    def _woods(self) -> Iterator[tuple[Index, Verdicts, Index, list[_Thing]]]:
        """What woods take away: 10 cm in or out, 20 cm within one, nothing right through (TY-43, TY-44)."""
        which, deep = woods_of(self.field), book().mm("woods")
        woods = self.field.pieces.pick(which)
        held = held_by(self.lines, Veil(woods, into_mm=deep, out_mm=deep, through_mm=0.0))
        for part in distinct(held.part).tolist():
            of = held.part == part
            patch, line = self.field.patches[int(which[part])], held.line[of]
            within = lengths_in(woods, part, self.lines.start[line], self.lines.end[line])
            lengths = dict(zip(line.tolist(), within.tolist(), strict=True))
            tell = partial(self._through_woods, int(which[part]), lengths)
            thing = _Thing(f"{patch.id} ({patch.kind}) is in the way", "TY-43", tell, lengths=lengths)
            yield line, held.passes[of], np.zeros(len(line), dtype=np.intp), [thing]
        yield from self._far_within(which)

    def _far_within(self, woods: Index) -> Iterator[tuple[Index, Verdicts, Index, list[_Thing]]]:
        """Those who both stand in one wood, too far from each other (TY-44)."""
        inside, limit = self.field.inside[:, woods], book().mm("within_woods")
        apart, count = self.field.apart, max(len(self.targets), 1)
        for part, number in enumerate(woods.tolist()):
            both = inside[self.lookers, part][:, None] & inside[self.targets, part][None, :]
            line = np.flatnonzero(both)
            pairs = self.lookers[line // count], self.targets[line % count]
            passes = at_most(apart.value_mm[pairs], limit, apart.sigma_mm[pairs])
            patch = self.field.patches[number]
            text = f"beyond {limit / MM_PER_CM:g} cm within {patch.id} ({patch.kind})"
            thing = _Thing(text, "TY-44", partial(self._apart, limit))
            yield line, passes, np.zeros(len(line), dtype=np.intp), [thing]

    def _apart(self, limit_mm: float, line: int) -> str:
        """How long a line is, against a limit, in words."""
        pair = self.lookers[self.lines.looker[line]], self.targets[self.lines.target[line]]
        far, sigma = (float(table[pair]) for table in (self.field.apart.value_mm, self.field.apart.sigma_mm))
        return measured(far, sigma, limit_mm)

    def _past_base(self, number: int, line: int) -> str:
        """How far a looker's way to a target is clear of a base, or how far that is from the looker, in words."""
        looker = int(self.lookers[self.lines.looker[line]])
        gap, sigma = (
            float(table[looker, number]) for table in (self.field.edges.value_mm, self.field.edges.sigma_mm)
        )
        if at_most(gap, self.over, sigma) == Verdict.BORDERLINE:
            return f"{measured(gap, sigma, self.over)} from the looker"
        return _clear_by(*self._clear_of(number, line))

    def _clear_of(self, number: int, line: int) -> tuple[float, float]:
        """How far a line is clear of a base and the sigma of that; of all that are going to be told at once."""
        if (number, line) not in self._clear:
            asked = sorted({(number, line), *self._told} - self._clear.keys())
            bases, of = np.array(asked, dtype=np.intp).T
            some, base = self.lines.pick(of), self.field.bases.pick(bases)
            sigma = np.hypot(np.maximum(some.sigma_start, some.sigma_end), base.sigma_mm)
            clear = clear_of_bases(some, self.seen, base, SIGMAS * sigma)
            self._clear.update(zip(asked, zip(clear.tolist(), sigma.tolist(), strict=True), strict=True))
        return self._clear[number, line]

    def _past_piece(self, part: int, line: int) -> str:
        """As `_past_base`, of a piece of terrain; a low one may be near enough to either end not to count."""
        one = self.lines.pick(np.array([line]))
        ends = (
            (self.lookers[one.looker], self.eyes.pick(one.looker), "looker"),
            (self.targets[one.target], self.seen.pick(one.target), "target"),
        )  # fmt: skip
        for figures, bases, whose in ends if self.field.patches[part].sight == "low" else ():
            if self.near(figures, bases, part)[0] == Verdict.BORDERLINE:
                gap = float(self.field.piece_gaps[figures[0], part])
                return f"{measured(gap, float(bases.sigma_mm[0]), self.over)} from the {whose}"
        sigma = float(max(one.sigma_start[0], one.sigma_end[0]))
        clear = clear_of_piece(one, self.seen, self.field.pieces, part, SIGMAS * sigma)
        return _clear_by(float(clear[0]), sigma)

    def _through_woods(self, part: int, lengths: Mapping[int, float], line: int) -> str:
        """How much of a wood a line runs through, against what may be seen through."""
        ends = self.lookers[self.lines.looker[line]], self.targets[self.lines.target[line]]
        limit = book().mm("woods") if self.field.inside[ends, part].any() else 0.0
        return measured(lengths[line], float(self.lines.sigma_mm[line]), limit)
