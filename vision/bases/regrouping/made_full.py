"""Ranks and files made full: bases that none but their block tells.

A figure in the colours of the paint, a shadow or the next base leaves of some rims so little that they would not be
believed anywhere else, or that they were fitted somewhere beside. Where a block of those that are believed has a
free spot, what looks a little like them there is one of them: on bare ground next to a block nothing does, and in a
hole amid it the rims of those about it are explained worse with a base than without.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.picture.prints import on_prints
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.regrouping.carried_on import fitted_with, free
from vision.bases.rims import rims_of
from vision.bases.shapes import turned
from vision.bases.weighing.judged import Found, Where
from vision.bases.weighing.packing import groups_of
from vision.bases.weighing.ranks import slots_of

__all__ = ["made_full"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_LEAST = 4  # so few form no block
_MOSTLY = 0.5  # of a block
_TIMES = 12  # ranks and files that may be wanting
# Of what is usual for the block, the least of one that stands in it …
_SUPPORT, _STRENGTH, _RELIEF = 0.65, 0.6, 0.15
_PROOF, _LESS, _STANDS_OUT = 0.5, 0.3, 0.6  # … and of its proof, unless it stands out from both its sides
_LOSES = 0.3  # of its outline's length by the usual proof: what the block may explain less with it
_SURE = 0.9  # of so many that were told so, of 14,000 spots


def made_full(
    scene: Scene, found: Found, likely: Floats, paint: Paint, others: Sequence[Placed], beside: Where | None = None
) -> tuple[Found, Floats]:
    """The bases of an army that were found and are so ``likely`` (N,), and those that only their blocks tell where
    none of the ``others`` stands; as likely as these are. ``beside`` terrain of the army's colour none is,
    where the others are elsewhere."""
    now, sure, dead = found, likely, list[Placed]()
    for _ in range(_TIMES):
        more = list[Found]()
        for group in groups_of(now.placed):
            if len(group) >= _LEAST:
                block = now.taken(group)
                taken = [*now.placed, *others, *dead]
                spots = free(scene, slots_of(block.placed, sure[group]).spots, taken)
                spots = _elsewhere([spot for spot in spots if _is_looked_at(scene, spot)], block.placed, beside)
                told = _told(scene, block, spots, paint) if spots else None
                dead += spots
                more += [told] if told is not None else []
        if not more:
            break
        for told in more:
            now, sure = now.moved([], told), np.append(sure, np.full(len(told.placed), _SURE))
    return now, sure


def _told(scene: Scene, block: Found, spots: list[Placed], paint: Paint) -> Found | None:
    """Those bases on spots that a block tells; None for none."""
    all_ = _on(scene, block, spots, paint)
    likely = [spots[k] for k in np.flatnonzero(_are_alike(block, all_, paint)).tolist()]
    if not likely:
        return None
    before = fitted_with(scene, block, [], paint).explained
    stand = [spot for spot in likely if _is_told(scene, block, spot, paint, before)]
    return _on(scene, block, stand, paint) if stand else None


def _is_told(scene: Scene, block: Found, spot: Placed, paint: Paint, before: float) -> bool:
    """Whether one on a spot looks as those of a block do when it is the only one that is added to them, and with
    it the block explains about as much as it did ``before``."""
    both = fitted_with(scene, block, [spot], paint)
    loses = before - both.explained
    one = both.taken([len(block.placed)])
    least = _LOSES * spot.outline.perimeter_mm * max(float(np.median(block.proof)), 0.0)
    return bool(_are_alike(block, one, paint)[0]) and loses < least


def _are_alike(block: Found, told: Found, paint: Paint) -> Mask:
    """Which of the bases (N,) that were put on spots look a little as those of a block do."""
    rims, theirs = rims_of(told, paint), rims_of(block, paint)
    alike = rims.support > _SUPPORT * np.median(theirs.support)
    alike &= rims.strength > _STRENGTH * np.median(theirs.strength)
    relief = told.relief / max(float(np.median(block.relief)), 1e-6)  # a field of the paint's colour has little
    proven = told.proof > _PROOF * np.median(block.proof) - _LESS
    return np.asarray(alike & (relief > _RELIEF) & (proven | (relief > _STANDS_OUT)), dtype=np.bool_)


def _on(scene: Scene, block: Found, spots: Sequence[Placed], paint: Paint) -> Found:
    """Bases on spots, fitted with a block."""
    count = len(block.placed)
    return fitted_with(scene, block, spots, paint).taken(range(count, count + len(spots)))


def _elsewhere(spots: list[Placed], standing: Sequence[Placed], beside: Where | None) -> list[Placed]:
    """The spots not ``beside`` terrain of the army's colour, unless most of those that are standing are."""
    if beside is None or not spots or beside(standing).mean() > _MOSTLY:
        return spots
    return [spot for spot, like in zip(spots, beside(spots).tolist(), strict=True) if not like]


def _is_looked_at(scene: Scene, spot: Placed) -> bool:
    """Whether all of a base's outline lies where bases are looked for, and not on a printed marker or tag."""
    outline = spot.outline
    ring, _ = outline.ring(0.0, outline.perimeter_mm / 24)
    at = turned(ring, spot.bearing_deg) + np.array([spot.x_mm, spot.y_mm])
    seen = scene.camera.project(np.column_stack([at, np.full(len(at), spot.z_mm + outline.height_mm)]))
    height, width = scene.frame.shape[:2]
    if not (np.isfinite(seen).all() and (seen >= 0).all() and (seen <= [width - 1, height - 1]).all()):
        return False
    column, row = np.rint(seen).astype(np.intp).T
    looked_at = scene.within is None or bool(scene.within[row, column].all())
    return looked_at and not bool(on_prints(seen, scene.found).any())
