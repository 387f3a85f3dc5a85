"""Cover: which class of it units have from a point, by terrain, posture and the dark (PR-008, PR-409 to PR-418)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict, Verdicts
from engine.geometry.cover import between
from engine.geometry.plane.tolerance import MM
from engine.geometry.sight import all_lines
from engine.geometry.sight.crossing import may_meet, spans_in
from engine.records.game import Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.table.bodies import body_of, shooting_point, shooting_points
from engine.rulesets.presidio.table.field import Field, field_of, measured
from engine.rulesets.presidio.table.patches import Patch
from engine.rulesets.presidio.table.sight import view_of
from engine.rulesets.presidio.vocabulary import COVERS, Cover, State, conditions_of, state_of

__all__ = ["Covering", "cover_of", "entered_at", "own_cover_of", "prepare", "rank"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

_POSITIONS: dict[str, Cover] = {"window": "heavy", "doorway": "partial", "loophole": "full", "parapet": "partial"}
_PARTIAL = COVERS.index("partial")


def rank(cover: str) -> int:
    """How high a class of cover is, from 0 for none to 5 for complete.

    >>> rank("none"), rank("partial"), rank("complete")
    (0, 2, 5)
    """
    return COVERS.index(cover)


@dataclass(frozen=True)
class Covering:
    """The cover of a unit: its class above incidental (or ``none``), what of it is incidental and from what, and
    what of it the measurement cannot settle, in words."""

    above: Cover
    effects: tuple[str, ...]
    doubts: tuple[str, ...] = ()

    @property
    def name(self) -> Cover:
        """The class in one word: incidental effects show only where there is nothing higher."""
        if self.above != "none":
            return self.above
        return "incidental" if self.effects else "none"


def cover_of(game: Game, firer: Unit, target: Unit, seen: Iterable[int] | None = None) -> Covering:
    """The cover of a unit against another: of its seen figures (by number in the field), else of all; kept beside
    the game."""
    field = field_of(game)
    every = field.of_unit[target.id]
    numbers = every if seen is None else np.array(sorted(seen), dtype=np.intp)
    numbers = numbers if len(numbers) else every
    if not len(numbers) or not len(field.of_unit[firer.id]):
        return Covering("none", ())
    kept: dict[tuple[str, str, tuple[int, ...]], Covering] = once(game, "pr_covers", dict)
    key = (firer.id, target.id, tuple(numbers.tolist()))
    if key not in kept:
        sigma = float(body_of(game, firer).sigma_mm[0])
        start = shooting_point(game, firer, target)
        enters = entered_at(game, firer, target)[np.searchsorted(every, numbers)]
        kept[key] = _Sheltering(field, target, numbers, start, sigma, enters).covering()
    return kept[key]


def own_cover_of(game: Game, unit: Unit, target: Unit) -> Covering:
    """A unit's own cover from what it fires at (PR-413): that of its figures which the target sees."""
    back = view_of(game, target, unit)
    return cover_of(game, target, unit, back.targets[back.sees.any(axis=0)].tolist() or None)


def entered_at(game: Game, firer: Unit, target: Unit) -> Array:
    """(k, p) from what share of their length on lines from a firer's measuring point to each figure of a target run
    in each piece; nan where they do not. Kept beside the game."""
    kept: dict[tuple[str, str], Array] = once(game, "pr_enters", dict)
    if (firer.id, target.id) not in kept:
        kept[firer.id, target.id] = _entering(game, [(firer, target)])[0]
    return kept[firer.id, target.id]


def prepare(game: Game, units: Sequence[Unit]) -> None:
    """Works out at once how lines between units and their enemies run: quicker than pair by pair."""
    field = field_of(game)
    kept: dict[tuple[str, str], Array] = once(game, "pr_enters", dict)
    pairs = dict.fromkeys(
        pair
        for unit in units
        for enemy in game.enemies(unit)
        if len(field.of_unit[unit.id]) and len(field.of_unit[enemy.id])
        for pair in ((unit.id, enemy.id), (enemy.id, unit.id))
    )
    chosen = [(game.unit(one), game.unit(other)) for one, other in pairs]
    kept.update(zip(pairs, _entering(game, chosen), strict=True))


def _entering(game: Game, pairs: Sequence[tuple[Unit, Unit]]) -> list[Array]:
    """The shares (k, p) of each pair of firer and target, as `entered_at` says."""
    field, numbers, points = field_of(game), field_of(game).numbers, shooting_points(game)
    which = [field.of_unit[target.id] for _, target in pairs]
    if not pairs:
        return []
    starts = [points[numbers[one.id], numbers[other.id]] for one, other in pairs]
    start = np.repeat(np.array(starts), [len(each) for each in which], axis=0)
    end = field.bases.centre[np.concatenate(which)]
    shares = np.full((len(start), len(field.patches)), np.nan)
    for number in range(len(field.patches)):
        near = np.flatnonzero(may_meet(field.pieces, number, start, end))
        shares[near, number] = spans_in(field.pieces, number, start[near], end[near])[0]
    return np.split(shares, np.cumsum([len(each) for each in which])[:-1])


@dataclass(frozen=True, eq=False)
class _Sheltering:
    """Figures of one unit as seen from a point: which piece gives whom which class."""

    field: Field
    unit: Unit
    numbers: Index
    start: tuple[float, float]
    start_sigma_mm: float
    enters: Array

    @cached_property
    def state(self) -> State:
        """The unit's state."""
        return state_of(self.unit)

    @property
    def crosses(self) -> Mask:
        """(k, p) whose line runs through which piece, as measured."""
        return ~np.isnan(self.enters)

    @cached_property
    def inside(self) -> Mask:
        """(k, p) who stands in which piece."""
        return self.field.inside[self.numbers]

    @cached_property
    def gaps(self) -> Array:
        """(k, p) how far each base is from each piece."""
        return self.field.piece_gaps[self.numbers]

    @cached_property
    def defended(self) -> Mask:
        """(k, p) who defends which piece: it lies across, at most an inch from the base (PR-008)."""
        return self.crosses & (self.gaps <= book().mm("defended") + MM)

    def covered(self, number: int, patch: Patch) -> Mask:
        """(k,) who has the cover that a piece gives."""
        gives = patch.ground.gives
        if gives == "defended":
            return np.asarray(self.defended[:, number], dtype=bool)
        inside = self.inside[:, number]
        if gives == "either":
            return np.asarray(inside | self.defended[:, number], dtype=bool)
        return np.asarray(inside | self.crosses[:, number] if gives == "between" else inside, dtype=bool)

    def at_top_edge(self, number: int) -> Mask:
        """(k,) who stands on a hill within an inch of where the line enters it (PR-410)."""
        share, bases = self.enters[:, number], self.field.bases.pick(self.numbers)
        start = np.array(self.start)
        spot = start + np.nan_to_num(share)[:, None] * (bases.centre - start)
        apart = bases.to_points(spot).diagonal()
        enters = ~np.isnan(share) & (share > 0) & self.inside[:, number]
        return np.asarray(enters & (apart <= book().mm("defended") + MM), dtype=bool)

    def positions(self) -> Iterator[tuple[str, Cover, Mask]]:
        """Cover from being posted at a window, doorway, loophole or parapet (PR-410 to PR-412)."""
        cover = _POSITIONS.get(self.state.position or "")
        if cover is None:
            return
        walls = [number for number, patch in enumerate(self.field.patches) if patch.posts]
        at_wall = (self.gaps[:, walls] <= book().mm("defended") + MM).any(axis=1)
        behind = np.array([self.field.patches[one].kind == "house" for one in walls], dtype=bool)
        shelters = self.defended[:, walls] | (self.inside[:, walls] & behind)
        # One who is posted where no wall is drawn has the cover that he is said to have.
        yield f"a {self.state.position}", cover, np.asarray(shelters.any(axis=1) | ~at_wall, dtype=bool)

    def sources(self) -> Iterator[tuple[str, Cover, Mask]]:
        """Everything that gives cover: what it is called, its class, and to whom (k,)."""
        everyone = np.ones(len(self.numbers), dtype=bool)
        if self.state.hunkered:
            yield "hunkered down", "complete", everyone
        if not self.state.taking_cover:
            yield from self.positions()
            yield from self._terrain()
            if self.state.works is not None:
                yield "hasty works", self.state.works, everyone
            if self.state.posture == "prone":
                yield "prone", "partial", everyone
        if self.state.posture == "kneeling":
            yield "kneeling", "incidental", everyone
        if conditions_of(self.field.game).light == "night":
            yield "darkness", "incidental", everyone

    def _terrain(self) -> Iterator[tuple[str, Cover, Mask]]:
        posted = self.state.position in _POSITIONS
        for number, patch in enumerate(self.field.patches):
            if patch.cover == "none" or (posted and patch.posts):
                continue
            yield f"{patch.id} ({patch.kind})", patch.cover, self.covered(number, patch)
            if patch.top_edge is not None:
                yield f"{patch.id} ({patch.kind})", patch.top_edge, self.at_top_edge(number)

    def covering(self) -> Covering:
        """The highest class that at least half have, and the incidental effects beside what gives it (PR-409)."""
        found = list(self.sources())
        ranks = np.zeros(len(self.numbers), dtype=np.intp)
        for _, cover, who in found:
            if rank(cover) >= _PARTIAL:
                ranks = np.where(who, np.maximum(ranks, rank(cover)), ranks)
        ordered = np.sort(ranks)[::-1]
        above = int(ordered[(len(ordered) + 1) // 2 - 1])
        givers = {
            name for name, cover, who in found if rank(cover) >= _PARTIAL and rank(cover) == above and who.any()
        }
        light = [(name, who) for name, cover, who in found if cover == "incidental" and name not in givers]
        effects: tuple[str, ...] = ()
        some = np.logical_or.reduce([who for _, who in light]) if light else np.zeros(len(ranks), dtype=bool)
        # With no higher class for half of them, those behind something better count as in incidental cover too.
        if light and 2 * (some if above else some | (ranks > 0)).sum() >= len(some):
            whole = tuple(name for name, who in light if 2 * who.sum() >= len(who))
            effects = whole or tuple(name for name, who in light if who.any())[:1]
        return Covering(COVERS[above] if above else "none", effects, tuple(self.doubts()))

    def doubts(self) -> Iterator[str]:
        """What of it the measurement cannot settle, in words."""
        sigma = self.field.bases.sigma_mm[self.numbers]
        if not sigma.any():
            return
        limit = book().mm("defended")
        for number, patch in enumerate(self.field.patches):
            if patch.cover == "none":
                continue
            defended = patch.ground.gives == "defended"
            apart = self.gaps[:, number] if defended else self.field.rims[self.numbers, number]
            doubtful = np.flatnonzero(np.abs(apart - limit * defended) <= SIGMAS * sigma)
            if defended and len(doubtful):
                doubtful = doubtful[self._across(doubtful, number) > Verdict.NO]
            for one in doubtful.tolist():
                figure, off, own = (
                    self.field.figures[int(self.numbers[one])].id,
                    float(apart[one]),
                    float(sigma[one]),
                )
                words = f"its centre {off:.1f} ± {own:.1f} mm from the rim"
                words = measured(off, own, limit) if defended else words
                yield f"cover of {figure} by {patch.id} ({patch.kind}): {words}"

    def _across(self, which: Index, number: int) -> Verdicts:
        """(k,) whether the lines to some of the figures run through a piece, with what is in doubt."""
        bases = self.field.bases.pick(self.numbers[which])
        lines = all_lines(np.array([self.start]), bases.centre, self.start_sigma_mm, bases.sigma_mm)
        return between(lines, self.field.pieces.pick([number]), None, bases).crosses[:, 0]
