"""What lies across the edge of an army's bases, from their tops over the rim to the mat, in all its colours.

A paint is one direction among colours, in which a top or the mat may lie as well. The whole of a base's edge looks
like nothing else: its top, its rim and bare mat about it, all round, at a base's size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.fitting.touching import beside
from vision.bases.picture.paint import Paint
from vision.bases.picture.profiles import Group, grouped, moved, pattern_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.usual import Look, Section
from vision.bases.weighing.judged import FINE

__all__ = ["Matched", "matched", "section_of"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_TAKEN = 0.5  # what is another base's by so much tells nothing
_IN_SIGHT = 0.7  # of a section, or nothing is told by it
_LIT = (0.6, 1.3)  # how much stronger or weaker than usual a base may look in its light
_STEP_MM, _STEP_RAD = 1.5, 0.1  # the longest step of a round
_LEAST = 0.05  # what a place counts that does not match at all
_PULL = np.array([1e-3, 1e-3, 1e-2])  # of the mean evidence of a base: holds what nothing moves
_NEVER = 1e9  # … and a round one's turn


@dataclass(frozen=True, eq=False)
class Matched:
    """Bases (N,) as they match a section best, and the ``share`` (N,) of it that they show where no other base
    hides it: 1 is all, 0 of what others hide, and below 0 the mat shows rather."""

    group: Group
    share: Floats


def section_of(scene: Scene, placed: Sequence[Placed], paint: Paint, look: Look) -> Section:
    """What the usual one of some bases shows: bare mat where none of them tells anything. Not of no bases."""
    whiten = np.asarray(np.linalg.cholesky(paint.on_mat.precision), dtype=np.float64)
    groups = grouped(list(placed))
    told = [_shown(scene, group, groups, paint, look, whiten) for group in groups]
    shown, counts = (
        np.concatenate([one.reshape(-1, *one.shape[2:]) for one in some]) for some in zip(*told, strict=True)
    )
    across = [
        np.median(shown[own, depth], axis=0) if own.any() else np.zeros(3) for depth, own in enumerate(counts.T)
    ]
    section = Section(np.array(across), whiten, 0.0)
    shares = [matched(scene, group, placed, section, paint, look, 0).share for group in groups]
    return replace(section, share=float(np.median(np.concatenate(shares))))


def matched(
    scene: Scene, group: Group, standing: Sequence[Placed], section: Section, paint: Paint, look: Look, rounds: int
) -> Matched:
    """Bases beside others that are ``standing`` where they match a section best, after so many rounds."""
    others = grouped(list(standing))
    for _ in range(rounds):
        shown, counts = _shown(scene, group, others, paint, look, section.whiten)
        group = moved(group, _steps(group, shown, counts, section))
    _, match, told = _match(*_shown(scene, group, others, paint, look, section.whiten), section)
    there = np.maximum(told.sum(axis=1), 1e-9)
    share = (told * match).sum(axis=1) / there
    return Matched(group, np.where(told.mean(axis=1) > _IN_SIGHT, share, 0.0))


def _steps(group: Group, shown: Floats, counts: Mask, section: Section) -> Floats:
    """How far (N, 3) bases of which such is ``shown`` (N, K, M, 3) would move right and forward, in mm, and turn,
    in radians, to match a section better: one round of Gauss-Newton, what matches counting more."""
    pattern = pattern_of(group.outline, *FINE)
    slope = -np.gradient(section.across, pattern.depths.astype(np.float64), axis=0)  # for a step outwards
    lit, match, told = _match(shown, counts, section)
    off = np.where(counts[..., None], shown - lit[:, None, None, None] * section.across, 0.0)
    weight = told * np.maximum(match, _LEAST)
    outwards = weight * np.einsum("nkmc,mc->nk", off, slope) * lit[:, None]
    firm = weight * (counts @ np.square(slope).sum(axis=1)) * np.square(lit)[:, None]
    way = np.column_stack([pattern.normals, pattern.lever]).astype(np.float64)
    held = np.diag(np.where([False, False, group.outline.round_], _NEVER, _PULL))
    normal = np.einsum("nk,ka,kb->nab", firm, way, way) + held * (firm.sum(axis=1).mean() + 1e-9)
    steps = np.linalg.solve(normal, (outwards @ way)[..., None])[..., 0]
    most = np.array([_STEP_MM, _STEP_MM, _STEP_RAD])
    return np.asarray(np.clip(steps, -most, most), dtype=np.float64)


def _shown(
    scene: Scene, group: Group, others: Sequence[Group], paint: Paint, look: Look, whiten: Floats
) -> tuple[Floats, Mask]:
    """How far from the mat's colours those of bases' samples (N, K, M, 3) lie, in sigmas of theirs, and which
    (N, K, M) tell something: not those out of the picture, nor those of another base."""
    pattern = pattern_of(group.outline, *FINE)
    features, _, counts, _ = scene.sampled(group, pattern, paint.on_mat)
    near = beside(group, pattern, others, scene.camera.position_mm, look)
    if near is not None:
        counts = counts & (near[0] + near[1] < _TAKEN)
    return (features.astype(np.float64) - paint.on_mat.ground) @ whiten, counts


def _match(shown: Floats, counts: Mask, section: Section) -> tuple[Floats, Floats, Floats]:
    """How strongly bases (N,) show a section, how much of it each place on their rims (N, K) does, -1 to 1, and how
    much of it is in sight there (N, K)."""
    across, weights = section.across, np.square(section.across).sum(axis=1)
    there = np.maximum(counts @ weights, 1e-9)
    along = np.einsum("nkmc,mc->nk", np.where(counts[..., None], shown, 0.0), across) / there
    lit = np.clip(np.median(along, axis=1), *_LIT)
    off = np.square(shown - lit[:, None, None, None] * across).sum(axis=-1)
    missing = np.where(counts, off, 0.0).sum(axis=-1) / (there * np.square(lit)[:, None])
    return lit, np.clip(1 - missing, -1.0, 1.0), there / weights.sum()
