"""Who sees whom: lines from figure to figure past bases, terrain, woods and the dark (PR-006, PR-403 to PR-407)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict, Verdicts
from engine.geometry.distinct import distinct
from engine.geometry.sight import Lines, all_lines, held_by, watch, watch_of
from engine.records.game import Game, Unit
from engine.rulesets.kept import once
from engine.rulesets.presidio.field import Field, field_of
from engine.rulesets.presidio.hindrances import Hindrances
from engine.rulesets.reasons import in_one, listed

__all__ = ["View", "look", "prepare", "sees", "view_of"]

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
    """What figures see of a unit: ``lookers`` (n,) and ``targets`` (m,) number them in the field; ``known`` (n, m)
    is what they see where that has been worked out already; units in ``through`` stand in nobody's way. ``within``
    is a view of the same figures of more targets, of which these begin at a number: what stops it stops this."""

    field: Field
    lookers: Index
    targets: Index
    through: frozenset[str] = frozenset()
    known: Mask | None = None
    within: tuple[View, int] | None = None

    @cached_property
    def _stops(self) -> tuple[_Stop, ...]:
        if self.within is not None:
            return tuple(self._of_more(*self.within))
        return tuple(_Looking(self.field.as_measured, self).stops())

    def _of_more(self, more: View, first: int) -> Iterator[_Stop]:
        """What of a view of more targets stops the lines to these."""
        for stop in more._stops:
            looker, target = np.divmod(stop.lines, len(more.targets))
            of = (target >= first) & (target < first + len(self.targets))
            if of.any():
                lines = looker[of] * len(self.targets) + target[of] - first
                yield _Stop(lines, stop.passes[of], stop.text, stop.rule)

    @cached_property
    def sees(self) -> Mask:
        """(n, m) who sees whom, as measured."""
        if self.known is not None:
            return self.known
        open_ = np.ones(len(self.lookers) * len(self.targets), dtype=bool)
        for stop in self._stops:
            open_[stop.lines[stop.passes == Verdict.NO]] = False
        return open_.reshape(len(self.lookers), len(self.targets))

    @cached_property
    def why(self) -> tuple[tuple[str, str], ...]:
        """What takes sight away, with its row, the commonest first."""
        by_rule: dict[str, list[str]] = {}
        for stop in sorted(self._stops, key=lambda one: -len(one.lines)):
            by_rule.setdefault(stop.rule, []).append(stop.text)
        return tuple((in_one(texts), rule) for rule, texts in by_rule.items())

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """What may take sight away or not, of lines that nothing surely takes, in words."""
        return () if self.field.as_measured is self.field else tuple(_in_doubt(_Looking(self.field, self)))


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
    """What some figures of a unit see of another; it and units in ``through`` (by id) are in nobody's way."""
    field = field_of(game)
    return View(field, lookers, field.of_unit[target.id], through | {unit.id})


def prepare(game: Game, units: Sequence[Unit]) -> None:
    """Works out at once what units see of their enemies, and those of them: quicker than pair by pair."""
    field = field_of(game)
    kept: dict[tuple[str, str], View] = once(game, "pr_views", dict)
    every = np.arange(len(field.figures), dtype=np.intp)
    mine = np.concatenate([np.zeros(0, dtype=np.intp), *(field.of_unit[unit.id] for unit in units)])
    if not len(mine):
        return
    place = np.full(len(every), -1, dtype=np.intp)
    place[mine] = np.arange(len(mine))
    forth = _table(field, mine, every)
    back = forth[place][:, mine] if len(mine) == len(every) else _table(field, every, mine)
    for unit in units:
        own = field.of_unit[unit.id]
        for enemy in game.enemies(unit):
            theirs = field.of_unit[enemy.id]
            known = forth[np.ix_(place[own], theirs)], back[np.ix_(theirs, place[own])]
            kept.setdefault((unit.id, enemy.id), View(field, own, theirs, known=known[0]))
            kept.setdefault((enemy.id, unit.id), View(field, theirs, own, known=known[1]))
    for unit in units:
        _together(game, unit, kept)


def _together(game: Game, unit: Unit, kept: dict[tuple[str, str], View]) -> None:
    """Why a unit sees nothing of several enemies is asked of all of them at once."""
    pairs = [(unit.id, enemy.id) for enemy in game.enemies(unit)]
    blind = [pair for pair in pairs if kept[pair].known is not None and not kept[pair].sees.any()]
    targets = [kept[pair].targets for pair in blind]
    if len(blind) < 2 or not len(kept[blind[0]].lookers):
        return
    first = kept[blind[0]]
    more = View(first.field, first.lookers, np.concatenate(targets), first.through)
    starts = np.cumsum([0, *map(len, targets)]).tolist()
    for pair, start in zip(blind, starts, strict=False):
        kept[pair] = replace(kept[pair], within=(more, start))


def _table(field: Field, lookers: Index, targets: Index) -> Mask:
    """(n, m) who of some figures sees whom of others, as measured."""
    bases = field.as_measured.bases
    hindrances = Hindrances(field.as_measured, lookers, targets)
    whole = watch_of(bases.centre[lookers], bases.centre[targets], hindrances.all())
    return np.asarray(watch(whole).verdict == Verdict.YES, dtype=bool)


def _in_doubt(looking: _Looking) -> Iterator[str]:
    stops = tuple(looking.stops())
    closed = [stop.lines[stop.passes == Verdict.NO] for stop in stops]
    field, view = looking.field, looking.view
    for stop in stops:
        doubtful = stop.lines[(stop.passes == Verdict.BORDERLINE) & ~np.isin(stop.lines, np.concatenate(closed))]
        if not len(doubtful):
            continue
        pairs = [divmod(line, len(view.targets)) for line in doubtful.tolist()]
        eyes, seen = field.names(view.lookers), field.names(view.targets)
        spread = max(float(field.bases.sigma_mm[view.lookers[one]]) for one, _ in pairs)
        names = listed([f"{eyes[one]} to {seen[two]}" for one, two in pairs])
        yield f"whether {stop.text}: {names}, within {SIGMAS:g} x {spread:.1f} mm"


class _Looking:
    """What stops the lines of one view, thing by thing, in words."""

    def __init__(self, field: Field, view: View) -> None:
        self.field, self.view = field, view
        self.hindrances = Hindrances(field, view.lookers, view.targets, view.through)

    @cached_property
    def lines(self) -> Lines:
        """From every looker to every target, centre to centre."""
        eyes, seen = (self.field.bases.pick(which) for which in (self.view.lookers, self.view.targets))
        return all_lines(eyes.centre, seen.centre, eyes.sigma_mm, seen.sigma_mm)

    def stops(self) -> Iterator[_Stop]:
        """All that takes sight away or may do so."""
        if len(self.view.lookers) and len(self.view.targets):
            yield from self._behind_bases()
            yield from self._behind_terrain()
            yield from self._in_woods()
            yield from self._in_the_dark()

    def _behind_bases(self) -> Iterator[_Stop]:
        standing, blocker = self.hindrances.bases
        held = held_by(self.lines, blocker)
        for part in distinct(held.part).tolist():
            of = held.part == part
            name = self.field.figures[int(standing[part])].id
            yield _Stop(held.line[of], held.passes[of], f"{name} is in the way", "PR-006")

    def _behind_terrain(self) -> Iterator[_Stop]:
        which, blocker = self.hindrances.blocks
        held = held_by(self.lines, blocker)
        for part in distinct(held.part).tolist():
            of = held.part == part
            yield _Stop(held.line[of], held.passes[of], f"{self._name(which[part])} is in the way", "PR-006")

    def _name(self, number: int) -> str:
        patch = self.field.patches[number]
        return f"{patch.id} ({patch.kind})"

    def _in_woods(self) -> Iterator[_Stop]:
        for number, veil in self.hindrances.woods:
            held = held_by(self.lines, veil)
            eyes, seen = self.lines.looker[held.line], self.lines.target[held.line]
            ends = (self.view.lookers[eyes], self.view.targets[seen])
            inside = np.stack([self.field.inside[which, number] for which in ends])
            for rule, how, of in self.hindrances.ways(number, inside):
                if of.any():
                    yield _Stop(held.line[of], held.passes[of], f"{self._name(number)}: {how}", rule)

    def _in_the_dark(self) -> Iterator[_Stop]:
        dark = self.hindrances.dark
        if dark is not None:
            held = held_by(self.lines, dark)
            text = f"beyond what can be seen by {self.hindrances.light}"
            if len(held.line):
                yield _Stop(held.line, held.passes, text, "PR-407")
