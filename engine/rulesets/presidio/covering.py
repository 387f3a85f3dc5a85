"""Cover: which class of it units have from a point, by terrain, posture and the dark (PR-008, PR-409 to PR-418)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS, Verdict
from engine.geometry.cover import Between, base_gaps, between
from engine.geometry.sight import Lines, all_lines
from engine.geometry.tolerance import MM
from engine.records.game import Game, Unit
from engine.rulesets.presidio.bodies import body_of, shooting_point
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.field import Field, field_of, measured
from engine.rulesets.presidio.patches import Patch
from engine.rulesets.presidio.vocabulary import COVERS, Cover, State, conditions_of, state_of

__all__ = ["Covering", "cover_of", "rank"]

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
    """The cover of a unit against another: of its seen figures (by number in the field), else of all."""
    field = field_of(game)
    numbers = field.of_unit[target.id] if seen is None else np.array(sorted(seen), dtype=np.intp)
    if not len(numbers):
        numbers = field.of_unit[target.id]
    if not len(numbers) or not len(field.of_unit[firer.id]):
        return Covering("none", ())
    sigma = float(body_of(game, firer).sigma_mm[0])
    return _Sheltering(field, target, numbers, shooting_point(game, firer, target), sigma).covering()


@dataclass(frozen=True, eq=False)
class _Sheltering:
    """Figures of one unit as seen from a point: which piece gives whom which class."""

    field: Field
    unit: Unit
    numbers: Index
    start: tuple[float, float]
    start_sigma_mm: float

    @cached_property
    def state(self) -> State:
        """The unit's state."""
        return state_of(self.unit)

    @cached_property
    def lines(self) -> Lines:
        """(k) the lines from the point to the figures' centres."""
        bases = self.field.bases.pick(self.numbers)
        return all_lines(np.array([self.start]), bases.centre, self.start_sigma_mm, bases.sigma_mm)

    @cached_property
    def across(self) -> Between:
        """How the terrain lies on the lines, (k, p)."""
        return between(self.lines, self.field.pieces, None, self.field.bases.pick(self.numbers))

    @cached_property
    def crosses(self) -> Mask:
        """(k, p) whose line runs through which piece, as measured."""
        return ~np.isnan(self.across.first)

    @cached_property
    def inside(self) -> Mask:
        """(k, p) who stands in which piece."""
        return self.field.inside[self.numbers]

    @cached_property
    def defended(self) -> Mask:
        """(k, p) who defends which piece: it lies across, at most an inch from the base (PR-008)."""
        return self.crosses & (self.across.to_target_mm <= book().mm("defended") + MM)

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
        share = self.across.first[:, number]
        way = self.lines.end - self.lines.start
        spot = self.lines.start + np.nan_to_num(share)[:, None] * way
        bases = self.field.bases.pick(self.numbers)
        apart = np.array(
            [float(bases.pick([one]).to_points(spot[one : one + 1])[0, 0]) for one in range(len(spot))]
        )
        enters = ~np.isnan(share) & (share > 0) & self.inside[:, number]
        return np.asarray(enters & (apart <= book().mm("defended") + MM), dtype=bool)

    def positions(self) -> Iterator[tuple[str, Cover, Mask]]:
        """Cover from being posted at a window, doorway, loophole or parapet (PR-410 to PR-412)."""
        cover = _POSITIONS.get(self.state.position or "")
        if cover is None:
            return
        walls = [number for number, patch in enumerate(self.field.patches) if patch.posts]
        gaps = base_gaps(self.field.bases.pick(self.numbers), self.field.pieces.pick(walls))
        at_wall = (gaps <= book().mm("defended") + MM).any(axis=1) if walls else np.zeros(len(self.numbers), bool)
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
        if 2 * some.sum() >= len(some):
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
            if patch.ground.gives == "defended":
                gap = self.across.to_target_mm[:, number]
                doubt = (np.abs(gap - limit) <= SIGMAS * sigma) & (self.across.crosses[:, number] > Verdict.NO)
                words = [measured(float(gap[one]), float(sigma[one]), limit) for one in range(len(gap))]
            else:
                rim = self.field.pieces.to_outline(self.field.bases.centre[self.numbers])[:, number]
                doubt = rim <= SIGMAS * sigma
                words = [f"its centre {rim[one]:.1f} ± {sigma[one]:.1f} mm from the rim" for one in range(len(rim))]
            for one in np.flatnonzero(doubt).tolist():
                figure = self.field.figures[int(self.numbers[one])].id
                yield f"cover of {figure} by {patch.id} ({patch.kind}): {words[one]}"
