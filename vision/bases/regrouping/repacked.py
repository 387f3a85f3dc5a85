"""Where the bases found are doubtful, the other ways in which their ground may be filled are tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.weighing.choose import beside_them, in_line, nests
from vision.bases.weighing.confidence import FOLLOWED, LIKELY, confidence
from vision.bases.weighing.judged import Found, fitted_together
from vision.bases.weighing.packing import groups_of, ways_to_fill
from vision.bases.weighing.ranks import Slots, readings_of, slots_of

__all__ = ["no_more_doubtful", "repacked"]

_DOUBTFUL = 0.9  # the mean confidence of a group below which it is looked at again
_UNSURE = (0.6, 0.2)  # the best and the last of a group's rivals, where blocks are told from them
_SAME_PLACE = 0.25  # of half its least side: a rival so near is another reading of the same rim
_OF_BEFORE = 0.97  # of what stays unexplained now, a better packing leaves less than this


def repacked(
    scene: Scene, found: Found, rivals: Sequence[Placed], paint: Paint, strong: int, shared: bool = True
) -> Found | None:
    """The bases found, with those groups of them packed anew that are doubtful, where another packing of ``rivals``
    (best first) explains more of the picture, and is not more doubtful itself; None where there are none.

    Doubtful is also what the first of the rivals, so many as are ``strong``, take for another kind. What all rims
    share is fitted again if it is ``shared``.
    """
    sure = confidence(found)
    anew = _anew(scene, found, sure, rivals, paint, strong)
    if not anew or sum(len(change.gone) - len(change.come) for change in anew) >= len(found.placed):
        return None
    now = _fitted(
        scene, found, [*_rest(found, anew), *(base for change in anew for base in change.come)], paint, shared
    )
    told, first = confidence(now), len(now.placed) - sum(len(change.come) for change in anew)
    better = []
    for change in anew:
        own = told[first : first + len(change.come)]
        first += len(change.come)
        if no_more_doubtful(own, sure[change.gone]):
            better.append(change)
    if not better:
        return None
    if len(better) < len(anew):
        now = _fitted(
            scene,
            found,
            [*_rest(found, better), *(base for change in better for base in change.come)],
            paint,
            shared,
        )
    return now


def no_more_doubtful(come: NDArray[np.float64], gone: NDArray[np.float64]) -> bool:
    """Whether what comes is as sure as what goes, from the confidence (N,) of each: in the mean, and in what is won
    by telling it, so that many likely bases are not given away for a few surer ones.
    """
    in_the_mean = not len(come) or come.mean() >= gone.mean()
    return bool(in_the_mean and (come - LIKELY).sum() >= (gone - LIKELY).sum())


@dataclass(frozen=True)
class _Change:
    """A group packed anew: which of the bases found go, and what comes in their place."""

    gone: list[int]
    come: list[Placed]


def _anew(
    scene: Scene, found: Found, sure: NDArray[np.float64], rivals: Sequence[Placed], paint: Paint, strong: int
) -> list[_Change]:
    """The groups that are doubtful and that another packing explains better."""
    standing = found.placed
    otherwise = _otherwise(standing, rivals[:strong])
    if float(sure.min(initial=1.0)) >= _DOUBTFUL and not otherwise.any():  # so is no group's mean
        return []
    on = scene.on_table([[p.x_mm, p.y_mm] for p in standing])
    lies = scene.on_table([[p.x_mm, p.y_mm] for p in rivals])
    both = [*standing, *(p for p, inside in zip(rivals, lies, strict=True) if inside)]
    first = len(standing) + int(np.count_nonzero(lies[:strong]))
    changes = []
    for group in groups_of(both):
        own = [k for k in group if k < len(standing)]
        doubtful = len(own) > 1 and float(sure[own].mean()) < _DOUBTFUL
        if not on[own].all() or not (doubtful or otherwise[own].any()):
            continue
        now = [standing[k] for k in own]
        others = [both[k] for k in group if k >= len(standing) and (doubtful or k < first)]
        blocks = list[Slots]()
        if doubtful:
            line = in_line([standing[k] for k in own if sure[k] >= FOLLOWED])
            told = np.concatenate([sure[own], np.linspace(*_UNSURE, len(others))])
            blocks = [slots_of(now, sure[own]), *readings_of([*now, *others], told)]
            others = [*beside_them(now), *nests(now), *others, *line]
        better = _better(scene, found, now, others, blocks, paint)
        if better is not None:
            changes.append(_Change(own, better))
    return changes


def _otherwise(standing: Sequence[Placed], rivals: Sequence[Placed]) -> NDArray[np.bool_]:
    """Which of some bases (N,) may as well be of another kind: a rival of that stands in the same place."""
    at, theirs = (np.array([[p.x_mm, p.y_mm] for p in some]).reshape(-1, 2) for some in (standing, rivals))
    kinds = list(dict.fromkeys(p.outline for p in (*standing, *rivals)))
    kind, their_kind = (np.array([kinds.index(p.outline) for p in some]) for some in (standing, rivals))
    half = np.array([min(p.outline.half_width_mm, p.outline.half_depth_mm) for p in standing])
    apart = np.linalg.norm(at[:, None] - theirs, axis=2)
    return np.asarray(((apart < _SAME_PLACE * half[:, None]) & (kind[:, None] != their_kind)).any(axis=1))


def _rest(found: Found, changes: Sequence[_Change]) -> list[Placed]:
    """The bases found that stay as they are."""
    gone = {k for change in changes for k in change.gone}
    return [base for k, base in enumerate(found.placed) if k not in gone]


def _fitted(scene: Scene, found: Found, placed: list[Placed], paint: Paint, shared: bool) -> Found:
    """Bases newly packed, fitted together."""
    now = fitted_together(scene, placed, np.ones(len(placed)), paint, found.look, 5, soft_mm=0.5, shared=shared)
    return fitted_together(scene, now.placed, now.contrast, paint, now.look, 4, soft_mm=0.0, shared=shared)


def _better(
    scene: Scene,
    found: Found,
    now: Sequence[Placed],
    others: Sequence[Placed],
    blocks: Sequence[Slots],
    paint: Paint,
) -> list[Placed] | None:
    """A group of bases packed so that more of the picture is explained; None where it stands as it is.

    The first of ``blocks`` is told by those that stand, the others by what may: so they must explain it far better.
    """
    laid = scene.likeness(paint, float(np.median([base.outline.height_mm for base in now])))
    if laid is None:
        return None
    ways = ways_to_fill(*laid, now, others, found.look, blocks)
    best = ways.best()
    if ways.unexplained(best) > _OF_BEFORE * ways.unexplained(ways.standing):
        return None
    return [ways.placed[k] for k in best]
