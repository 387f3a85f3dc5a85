"""Who sees whom: lines from figure to figure past bases, terrain, woods and the dark (PR-006, PR-403 to PR-407)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.sight import watch, watch_of
from engine.records.game import Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.table.field import Field, field_of
from engine.rulesets.presidio.table.hindrances import Hindrances
from engine.rulesets.presidio.table.stops import Looking, Stops, in_words

__all__ = ["View", "look", "prepare", "sees", "view_of"]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class View:
    """What figures see of a unit: ``lookers`` (n,) and ``targets`` (m,) number them in the field; ``known`` (n, m)
    is what they see where that has been worked out already; units in ``through`` stand in nobody's way. ``blind``
    and ``unsure`` are views of the same figures of several units, this one's at a number: what is asked of this, as
    measured or with what is in doubt, is asked of all of them at once."""

    field: Field
    lookers: Index
    targets: Index
    through: frozenset[str] = frozenset()
    known: Mask | None = None
    blind: tuple[_Several, int] | None = None
    unsure: tuple[_Several, int] | None = None

    @cached_property
    def _stops(self) -> Stops:
        if self.blind is not None:
            return self.blind[0].stops[self.blind[1]]
        return Looking(self.field.as_measured, self.lookers, self.targets, self.through).stops()

    @cached_property
    def sees(self) -> Mask:
        """(n, m) who sees whom, as measured."""
        if self.known is not None:
            return self.known
        open_ = np.ones(len(self.lookers) * len(self.targets), dtype=bool)
        open_[self._stops.closed] = False
        return open_.reshape(len(self.lookers), len(self.targets))

    @cached_property
    def why(self) -> tuple[tuple[str, str], ...]:
        """What takes sight away, with its row, the commonest first."""
        return self._stops.why

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """What may take sight away or not, of lines that nothing surely takes, in words."""
        if self.field.as_measured is self.field:
            return ()
        if self.unsure is not None:
            doubtful = self.unsure[0].doubtful[self.unsure[1]]
        else:
            doubtful = Looking(self.field, self.lookers, self.targets, self.through).stops().doubtful()
        return tuple(in_words(self.field, self.lookers, self.targets, doubtful))


@dataclass(frozen=True, eq=False)
class _Several:
    """What the same figures see of several units."""

    field: Field
    lookers: Index
    targets: tuple[Index, ...]
    through: frozenset[str]

    @cached_property
    def _sizes(self) -> list[int]:
        return [len(each) for each in self.targets]

    @cached_property
    def _all(self) -> Stops:
        return Looking(self.field, self.lookers, np.concatenate(self.targets), self.through).stops()

    @cached_property
    def stops(self) -> tuple[Stops, ...]:
        """What stops the lines to each of the units."""
        return self._all.split(self._sizes)

    @cached_property
    def doubtful(self) -> tuple[Stops, ...]:
        """What of it may stop them or not."""
        return self._all.doubtful().split(self._sizes)


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
    """Why a unit sees nothing of some enemies, and what of it is in doubt, is asked of all of them at once."""
    pairs = [(unit.id, enemy.id) for enemy in game.enemies(unit)]
    fresh = [pair for pair in pairs if kept[pair].known is not None]
    blind = [pair for pair in fresh if not kept[pair].sees.any()]
    for name, some in (("blind", blind), ("unsure", fresh)):
        if len(some) < 2 or not len(kept[some[0]].lookers):
            continue
        first = kept[some[0]]
        field = first.field.as_measured if name == "blind" else first.field
        several = _Several(field, first.lookers, tuple(kept[pair].targets for pair in some), first.through)
        for number, pair in enumerate(some):
            of = (several, number)
            kept[pair] = replace(kept[pair], blind=of) if name == "blind" else replace(kept[pair], unsure=of)


def _table(field: Field, lookers: Index, targets: Index) -> Mask:
    """(n, m) who of some figures sees whom of others, as measured."""
    bases = field.as_measured.bases
    hindrances = Hindrances(field.as_measured, lookers, targets)
    whole = watch_of(bases.centre[lookers], bases.centre[targets], hindrances.all())
    return np.asarray(watch(whole).verdict == Verdict.YES, dtype=bool)
