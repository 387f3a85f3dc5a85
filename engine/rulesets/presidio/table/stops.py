"""What stops the lines from some figures to others, thing by thing, in words (PR-006, PR-404 to PR-407)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict, Verdicts
from engine.geometry.plane.distinct import runs
from engine.geometry.sight import Lines, all_lines, held_by
from engine.geometry.sight.blocking import Holds
from engine.rulesets.base.answers.reasons import in_one, listed
from engine.rulesets.base.field.line_groups import by_group
from engine.rulesets.presidio.table.field import Field
from engine.rulesets.presidio.table.hindrances import Hindrances

__all__ = ["Looking", "Stops", "in_words"]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Stops:
    """Lines (t,) and what takes sight away from them, or may do so: ``thing`` (t,) in rising order, how surely.

    ``things``: what stops them in words, with its row; many tables may share them.
    """

    line: Index
    thing: Index
    passes: Verdicts
    things: Sequence[tuple[str, str]]

    @property
    def closed(self) -> Index:
        """(k,) the lines from which sight is surely taken."""
        closed: Index = self.line[self.passes == Verdict.NO]
        return closed

    @cached_property
    def by_thing(self) -> tuple[tuple[str, str, Index], ...]:
        """Each thing in words, with its row in the rulebook and the numbers of its lines."""
        parts = np.split(self.line, runs(self.thing)[1:]) if len(self.line) else ()
        which = self.thing[runs(self.thing)].tolist()
        return tuple((*self.things[one], lines) for one, lines in zip(which, parts, strict=True))

    @property
    def why(self) -> tuple[tuple[str, str], ...]:
        """What takes sight away, with its row, the commonest first."""
        by_rule: dict[str, list[str]] = {}
        for text, rule, _ in sorted(self.by_thing, key=lambda one: -len(one[2])):
            by_rule.setdefault(rule, []).append(text)
        return tuple((in_one(texts), rule) for rule, texts in by_rule.items())

    def doubtful(self) -> Stops:
        """What may take sight away or not, of lines that nothing surely takes."""
        of = (self.passes == Verdict.BORDERLINE) & ~np.isin(self.line, self.closed)
        return Stops(self.line[of], self.thing[of], self.passes[of], self.things)

    def split(self, sizes: Sequence[int]) -> tuple[Stops, ...]:
        """Of lines to targets that stand group by group, so many in each: those to each group, numbered anew."""
        found = by_group(self.line, sizes)
        return tuple(Stops(line, self.thing[which], self.passes[which], self.things) for which, line in found)


class Looking:
    """The making of the stops of lines from some figures to others, by their numbers in the field.

    Units in ``through`` (by id) stand in nobody's way.
    """

    def __init__(self, field: Field, lookers: Index, targets: Index, through: frozenset[str]) -> None:
        self.field, self.lookers, self.targets = field, lookers, targets
        self.hindrances = Hindrances(field, lookers, targets, through)

    @cached_property
    def lines(self) -> Lines:
        """From every looker to every target, centre to centre."""
        eyes, seen = (self.field.bases.pick(which) for which in (self.lookers, self.targets))
        return all_lines(eyes.centre, seen.centre, eyes.sigma_mm, seen.sigma_mm)

    def stops(self) -> Stops:
        """All that takes sight away or may do so."""
        found = list(self._found()) if len(self.lookers) and len(self.targets) else []
        whole = Holds.joined([held for held, _ in found])
        texts: list[tuple[str, str]] = []
        numbers = [np.zeros(0, dtype=np.intp)]
        for held, said in found:
            numbers.append(held.part + len(texts))
            texts += said
        thing = np.concatenate(numbers)
        order = np.argsort(thing, kind="stable")
        return Stops(whole.line[order], thing[order], whole.passes[order], texts)

    def _found(self) -> Iterator[tuple[Holds, list[tuple[str, str]]]]:
        """Kind by kind what stops lines, and what its parts are called, with their rows."""
        standing, blocker = self.hindrances.bases
        names = self.field.names(standing)
        yield held_by(self.lines, blocker), [(f"{name} is in the way", "PR-006") for name in names]
        which, relief = self.hindrances.blocks
        yield held_by(self.lines, relief), [(f"{self._name(one)} is in the way", "PR-006") for one in which]
        yield from self._in_woods()
        dark = self.hindrances.dark
        if dark is not None:
            yield held_by(self.lines, dark), [(self.hindrances.darkness, "PR-407")]

    def _name(self, number: int) -> str:
        patch = self.field.patches[number]
        return f"{patch.id} ({patch.kind})"

    def _in_woods(self) -> Iterator[tuple[Holds, list[tuple[str, str]]]]:
        for number, veil in self.hindrances.woods:
            held = held_by(self.lines, veil)
            eyes, seen = self.lines.looker[held.line], self.lines.target[held.line]
            ends = (self.lookers[eyes], self.targets[seen])
            inside = np.stack([self.field.inside[which, number] for which in ends])
            for rule, how, of in self.hindrances.ways(number, inside):
                yield held.pick(of), [(f"{self._name(number)}: {how}", rule)]


def in_words(field: Field, lookers: Index, targets: Index, doubtful: Stops) -> Iterator[str]:
    """What may take sight away or not, a line for each thing."""
    eyes, seen = field.names(lookers), field.names(targets)
    for text, _, lines in doubtful.by_thing:
        pairs = [divmod(line, len(targets)) for line in lines.tolist()]
        spread = max(float(field.bases.sigma_mm[lookers[one]]) for one, _ in pairs)
        names = listed([f"{eyes[one]} to {seen[two]}" for one, two in pairs])
        yield f"whether {text}: {names}, within {SIGMAS:g} x {spread:.1f} mm"
