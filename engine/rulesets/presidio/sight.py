"""Who sees whom: lines from figure to figure past bases, terrain, woods and the dark (PR-006, PR-403 to PR-407)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict, Verdicts
from engine.geometry.cover import base_gaps
from engine.geometry.sight import Limit, Lines, Relief, Standing, Veil, all_lines, held_by
from engine.geometry.tolerance import MM
from engine.records.game import Game, Unit
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.field import Field, field_of
from engine.rulesets.presidio.patches import Patch
from engine.rulesets.presidio.vocabulary import MM_PER_IN, conditions_of, once, state_of
from engine.rulesets.reasons import listed

__all__ = ["View", "look", "sees", "view_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class _Stop:
    """What takes sight away from lines (k,), or may do so: the thing in words, the row, how surely."""

    lines: Index
    passes: Verdicts
    text: str
    rule: str


@dataclass(frozen=True, eq=False)
class View:
    """What figures see of a unit: ``lookers`` (n,) and ``targets`` (m,) number them in the field; ``sees`` (n, m)
    as measured; ``why`` what takes sight away, with its row; ``doubts`` what may take it away or not."""

    lookers: Index
    targets: Index
    sees: Mask
    why: tuple[tuple[str, str], ...]
    doubts: tuple[str, ...]


def view_of(game: Game, unit: Unit, target: Unit) -> View:
    """What the figures of a unit see of another; kept beside the game."""
    kept: dict[tuple[str, str], View] = once(game, "pr_views", dict)
    key = (unit.id, target.id)
    if key not in kept:
        kept[key] = look(game, field_of(game).of_unit[unit.id], unit, target)
    return kept[key]


def sees(game: Game, unit: Unit, target: Unit) -> bool:
    """Whether any figure of a unit sees any of another."""
    return bool(view_of(game, unit, target).sees.any())


def look(game: Game, lookers: Index, unit: Unit, target: Unit, through: frozenset[str] = frozenset()) -> View:
    """What some figures of a unit see of another; units in ``through`` (by id) stand in nobody's way."""
    field = field_of(game)
    sure = _Looking(field.as_measured, lookers, unit, target, through)
    shape = (len(lookers), len(sure.targets))
    open_ = np.ones(shape[0] * shape[1], dtype=bool)
    stops = tuple(sure.stops())
    for stop in stops:
        open_[stop.lines[stop.passes == Verdict.NO]] = False
    doubts: tuple[str, ...] = ()
    if field.as_measured is not field:
        doubts = tuple(_in_doubt(_Looking(field, lookers, unit, target, through)))
    return View(lookers, sure.targets, open_.reshape(shape), tuple(_in_words(stops)), doubts)


def _in_words(stops: tuple[_Stop, ...]) -> Iterator[tuple[str, str]]:
    """What takes sight away, with its row, the commonest first."""
    by_rule: dict[str, list[str]] = {}
    for stop in sorted(stops, key=lambda one: -len(one.lines)):
        by_rule.setdefault(stop.rule, []).append(stop.text)
    for rule, texts in by_rule.items():
        yield listed(texts), rule


def _in_doubt(looking: _Looking) -> Iterator[str]:
    """What may take sight away or not, of lines that nothing surely takes."""
    stops = tuple(looking.stops())
    closed = [stop.lines[stop.passes == Verdict.NO] for stop in stops]
    field = looking.field
    for stop in stops:
        doubtful = stop.lines[(stop.passes == Verdict.BORDERLINE) & ~np.isin(stop.lines, np.concatenate(closed))]
        if not len(doubtful):
            continue
        pairs = [divmod(line, len(looking.targets)) for line in doubtful.tolist()]
        eyes, seen = field.names(looking.lookers), field.names(looking.targets)
        spread = max(float(field.bases.sigma_mm[looking.lookers[one]]) for one, _ in pairs)
        names = listed([f"{eyes[one]} to {seen[two]}" for one, two in pairs])
        yield f"whether {stop.text}: {names}, within {SIGMAS:g} x {spread:.1f} mm"


class _Looking:
    """The making of one view."""

    def __init__(self, field: Field, lookers: Index, unit: Unit, target: Unit, through: frozenset[str]) -> None:
        self.field, self.lookers, self.through = field, lookers, through
        self.unit, self.target = unit, target
        self.targets = field.of_unit[target.id]
        self.eyes, self.seen = field.bases.pick(lookers), field.bases.pick(self.targets)

    @cached_property
    def lines(self) -> Lines:
        """From every looker to every target, centre to centre."""
        return all_lines(self.eyes.centre, self.seen.centre, self.eyes.sigma_mm, self.seen.sigma_mm)

    def stops(self) -> Iterator[_Stop]:
        """All that takes sight away or may do so."""
        if len(self.lookers) and len(self.targets):
            yield from self.behind_bases()
            yield from self.behind_terrain()
            yield from self.in_woods()
            yield from self.in_the_dark()

    def behind_bases(self) -> Iterator[_Stop]:
        """Who stands in the way, of other units, but for those whom looker or target overlooks (PR-006)."""
        away = {self.unit.id, self.target.id, *self.through}
        others = [
            number for number, unit in enumerate(self.field.units)
            if unit.id not in away and not self.field.marker[number]
        ]  # fmt: skip
        standing = np.array(others, dtype=np.intp)
        ground, over = self.field.ground_mm, book().mm("higher")
        spared = [
            ground[ends][:, None] >= ground[standing][None, :] + over - MM for ends in (self.lookers, self.targets)
        ]
        held = held_by(
            self.lines, Standing(self.field.bases.pick(standing), spare_from=spared[0], spare_to=spared[1])
        )
        for part in np.unique(held.part).tolist():
            of = held.part == part
            name = self.field.figures[int(standing[part])].id
            yield _Stop(held.line[of], held.passes[of], f"{name} is in the way", "PR-006")

    def behind_terrain(self) -> Iterator[_Stop]:
        """What stands higher than the line between the eyes, but for what either is on, in or posted at."""
        which = [number for number, patch in enumerate(self.field.patches) if patch.block_mm > 0]
        ends = ((self.lookers, self.unit), (self.targets, self.target))
        spared = [self._spared(figures, unit, which) for figures, unit in ends]
        eyes = self.field.eyes_mm
        relief = Relief(
            self.field.pieces.pick(which), eyes[self.lookers], eyes[self.targets],
            spare_from=spared[0], spare_to=spared[1],
        )  # fmt: skip
        held = held_by(self.lines, relief)
        for part in np.unique(held.part).tolist():
            of = held.part == part
            yield _Stop(held.line[of], held.passes[of], f"{self._name(which[part])} is in the way", "PR-006")

    def _spared(self, figures: Index, unit: Unit, which: list[int]) -> Mask:
        """(n, k) which pieces do not stop those who are inside, or posted at an opening of them."""
        spared = self.field.inside[figures][:, which]
        if state_of(unit).position in (None, "ladder"):
            return spared
        gaps = base_gaps(self.field.bases.pick(figures), self.field.pieces.pick(which))
        posts = np.array([self.field.patches[number].posts for number in which], dtype=bool)
        return np.asarray(spared | (posts & (gaps <= book().mm("defended") + MM)), dtype=bool)

    def _name(self, number: int) -> str:
        patch = self.field.patches[number]
        return f"{patch.id} ({patch.kind})"

    def in_woods(self) -> Iterator[_Stop]:
        """What woods take away: 2 in out of them, so much within, half of it into them, nothing right through."""
        through = np.inf if conditions_of(self.field.game).options.see_through_woods else 0.0
        for number, patch in enumerate(self.field.patches):
            if not patch.woods:
                continue
            deep = patch.ground.vision * MM_PER_IN
            veil = Veil(
                self.field.pieces.pick([number]), into_mm=deep / 2, out_mm=book().mm("out_of_woods"),
                inside_mm=deep, through_mm=through,
            )  # fmt: skip
            held = held_by(self.lines, veil)
            looker, target = (self.field.inside[which, number] for which in (self.lookers, self.targets))
            inside = np.stack([looker[self.lines.looker[held.line]], target[self.lines.target[held.line]]])
            for rule, how, of in self._ways(patch, inside):
                if of.any():
                    yield _Stop(held.line[of], held.passes[of], f"{self._name(number)}: {how}", rule)

    def _ways(self, patch: Patch, inside: Mask) -> Iterator[tuple[str, str, Mask]]:
        """The rows by which woods stop lines (k,), whose ends stand inside or not (2, k)."""
        looker, target = inside
        deep, out = patch.ground.vision, book().limits["out_of_woods"]
        yield "PR-405", f"no more than {deep:g} in is seen within", looker & target
        yield "PR-404", f"one fires out of it from {out:g} in deep at most", looker & ~target
        yield "PR-406", f"no more than {deep / 2:g} in is seen into it", ~looker & target
        yield "PR-406", "one does not see through it", ~looker & ~target

    def in_the_dark(self) -> Iterator[_Stop]:
        """How far anybody sees by night or dusk, base outline to base outline; half as far into woods (PR-407)."""
        conditions = conditions_of(self.field.game)
        if conditions.light == "day":
            return
        far = book().night["full" if conditions.light == "dusk" else conditions.moon]
        woods = np.array([patch.woods for patch in self.field.patches], dtype=bool)
        hidden = (self.field.inside[self.targets] & woods).any(axis=1)
        pairs = np.ix_(self.lookers, self.targets)
        most = np.where(hidden, far / 2, far)[None, :] * MM_PER_IN + np.zeros((len(self.lookers), 1))
        apart = self.field.edges
        limit = Limit(most, apart.value_mm[pairs], apart.sigma_mm[pairs])
        held = held_by(self.lines, limit)
        if len(held.line):
            yield _Stop(
                held.line, held.passes, f"beyond the {far:g} in that can be seen ({conditions.light})", "PR-407"
            )
