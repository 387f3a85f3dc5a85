"""What lies across the edge of an army's bases, from their tops over the rim to the mat, in all its colours.

A paint is one direction among colours, in which a top or the mat may lie as well. The whole of a base's edge looks
like nothing else: its top, its rim and bare mat about it, all round, at a base's size. Under a hard lamp half of it
lies in shadows, its own and others': they leave its hue, if hardly any of it is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.fitting.touching import beside
from vision.bases.picture.figures import hidden_by_figures
from vision.bases.picture.paint import Paint
from vision.bases.picture.profiles import Group, grouped, moved, pattern_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.usual import Look, Section
from vision.bases.weighing.judged import FINE

__all__ = ["Matched", "matched", "section_of"]

Floats = NDArray[np.float64]

_TAKEN = 0.5  # what is another base's by so much tells nothing
_IN_SIGHT = 0.4  # of a section, or nothing is told by it
_LIGHT = 2  # of a paint's features
_BLACK = 0.001  # of that: what is no lighter, as a black mat, is as light as that
_SHADED = 0.15  # how far shadows move that, one sigma
_FIGURE = 0.9  # of what a figure is likely to hide that tells nothing
_ALIKE = 2  # so many places on either side along a rim are of the same colours: what differs is noise
_LIT = (0.6, 1.3)  # how much stronger or weaker than usual a base may look in its light
_STEP_MM, _STEP_RAD = 1.5, 0.1  # the longest step of a round
_LEAST = 0.05  # what a place counts that does not match at all
_PULL = np.array([1e-3, 1e-3, 1e-2])  # of the mean evidence of a base: holds what nothing moves
_NEVER = 1e9  # … and a round one's turn


@dataclass(frozen=True, eq=False)
class Matched:
    """Bases (N,) as they match a section best, and the ``share`` (N,) of it that they show where no other base
    hides it: 1 is all, 0 what bare mat shows, less what has other colours, and nan where too little is seen."""

    group: Group
    share: Floats

    def or_rather(self, other: Matched) -> Matched:
        """Each base where it shows more of the section."""
        better = np.nan_to_num(other.share, nan=-np.inf) > np.nan_to_num(self.share, nan=-np.inf)
        mine, theirs = self.group, other.group
        places = {
            name: np.where(better, getattr(theirs, name), getattr(mine, name)) for name in ("x", "y", "bearing")
        }
        return Matched(replace(mine, **places), np.where(better, other.share, self.share))


@dataclass(frozen=True, eq=False)
class _Shown:
    """How far from the mat's colours those of bases' samples (N, K, M, 3) lie, in sigmas of theirs, and how much, 0
    to 1, each ``tells`` (N, K, M)."""

    colours: Floats
    tells: Floats


def section_of(scene: Scene, placed: Sequence[Placed], paint: Paint, look: Look) -> Section:
    """What the usual one of some bases shows: bare mat where none of them tells anything. Not of no bases."""
    spread = np.linalg.inv(paint.on_mat.precision)
    spread[_LIGHT, _LIGHT] += _SHADED**2
    whiten = np.asarray(np.linalg.cholesky(np.linalg.inv(spread)), dtype=np.float64)
    groups = grouped(list(placed))
    told = [_shown(scene, group, groups, paint, look, whiten) for group in groups]
    colours = np.concatenate([one.colours.reshape(-1, *one.colours.shape[2:]) for one in told])
    clear = np.concatenate([one.tells.reshape(-1, one.tells.shape[2]) for one in told]) > 0
    across = [
        np.median(colours[own, depth], axis=0) if own.any() else np.zeros(3) for depth, own in enumerate(clear.T)
    ]
    section = Section(np.array(across), whiten, 0.0)
    shares = [matched(scene, group, placed, section, paint, look, 0).share for group in groups]
    return replace(section, share=float(np.median(np.nan_to_num(np.concatenate(shares)))))


def matched(
    scene: Scene, group: Group, standing: Sequence[Placed], section: Section, paint: Paint, look: Look, rounds: int
) -> Matched:
    """Bases beside others that are ``standing`` where they match a section best, in so many rounds."""
    others = grouped(list(standing))
    shown = _shown(scene, group, others, paint, look, section.whiten)
    best = Matched(group, _share(shown, section))
    for _ in range(rounds):
        group = moved(group, _steps(group, shown, section))
        shown = _shown(scene, group, others, paint, look, section.whiten)
        best = best.or_rather(Matched(group, _share(shown, section)))
    return best


def _share(shown: _Shown, section: Section) -> Floats:
    """How much (N,) of a section bases show; nan where too little is seen."""
    _, match, told = _match(shown, section)
    share = (told * match).sum(axis=1) / np.maximum(told.sum(axis=1), 1e-9)
    return np.where(told.mean(axis=1) > _IN_SIGHT, share, np.nan)


def _steps(group: Group, shown: _Shown, section: Section) -> Floats:
    """How far (N, 3) bases of which such is shown would move right and forward, in mm, and turn, in radians, to
    match a section better: one round of Gauss-Newton, what matches counting more."""
    pattern = pattern_of(group.outline, *FINE)
    slope = -np.gradient(section.across, pattern.depths.astype(np.float64), axis=0)  # for a step outwards
    lit, match, told = _match(shown, section)
    off = shown.tells[..., None] * (shown.colours - lit[:, None, None, None] * section.across)
    weight = told * np.maximum(match, _LEAST)
    outwards = weight * np.einsum("nkmc,mc->nk", off, slope) * lit[:, None]
    firm = weight * (shown.tells @ np.square(slope).sum(axis=1)) * np.square(lit)[:, None]
    way = np.column_stack([pattern.normals, pattern.lever]).astype(np.float64)
    held = np.diag(np.where([False, False, group.outline.round_], _NEVER, _PULL))
    normal = np.einsum("nk,ka,kb->nab", firm, way, way) + held * (firm.sum(axis=1).mean() + 1e-9)
    steps = np.linalg.solve(normal, (outwards @ way)[..., None])[..., 0]
    most = np.array([_STEP_MM, _STEP_MM, _STEP_RAD])
    return np.asarray(np.clip(steps, -most, most), dtype=np.float64)


def _shown(scene: Scene, group: Group, others: Sequence[Group], paint: Paint, look: Look, whiten: Floats) -> _Shown:
    """What a group's samples show beside others: nothing out of the picture or where one of these is, and little in
    the dark or where a figure is likely to stand before it."""
    pattern, eye = pattern_of(group.outline, *FINE), scene.camera.position_mm
    features, _, free, _ = scene.sampled(group, pattern, paint.on_mat)
    near = beside(group, pattern, others, eye, look)
    if near is not None:
        free = free & (near[0] + near[1] < _TAKEN)
    light = np.square((features[..., _LIGHT] + _BLACK) / (paint.on_mat.ground[_LIGHT] + _BLACK)).astype(np.float64)
    tells = free * np.minimum(light, 1) * (1 - _FIGURE * hidden_by_figures(group, pattern, eye))
    return _Shown(_smooth((features.astype(np.float64) - paint.on_mat.ground) @ whiten, tells), tells)


def _smooth(colours: Floats, tells: Floats) -> Floats:
    """The mean (N, K, M, 3) of colours at the places beside each other along rims, by how much each tells."""
    total, weight = np.zeros_like(colours), np.zeros_like(tells)
    weighed = colours * tells[..., None]
    for along in range(-_ALIKE, _ALIKE + 1):
        total += np.roll(weighed, along, axis=1)
        weight += np.roll(tells, along, axis=1)
    return np.asarray(total / np.maximum(weight, 1e-9)[..., None])


def _match(shown: _Shown, section: Section) -> tuple[Floats, Floats, Floats]:
    """How strongly bases (N,) show a section, how much of it each place on their rims (N, K) does, -1 to 1, and how
    much of it is in sight there (N, K)."""
    there = np.maximum(shown.tells @ section.weights, 1e-9)
    along = np.einsum("nkm,nkmc,mc->nk", shown.tells, shown.colours, section.across) / there
    lit = np.clip(np.median(along, axis=1), *_LIT)
    off = np.square(shown.colours - lit[:, None, None, None] * section.across).sum(axis=-1)
    missing = (shown.tells * off).sum(axis=-1) / (there * np.square(lit)[:, None])
    return lit, np.clip(1 - missing, -1.0, 1.0), there / section.weights.sum()
