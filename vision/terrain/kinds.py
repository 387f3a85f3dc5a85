"""Which kind of terrain each cell of the small picture shows, by its colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.terrain.colour import hues_off
from vision.terrain.mat import Mat, mat_of
from vision.terrain.paints import Paint, distance, paint_for, unlikelihood
from vision.terrain.scene import COLOURS, Scene
from vision.terrain.vividness import vividness_of

__all__ = ["BARE", "Colours", "colours_of"]

Labels = NDArray[np.uint8]
Floats32 = NDArray[np.float32]

BARE = 255  # stands for the mat among labels
_NEAR = 9.0  # squared deviations from a paint within which a cell may show it
_PLAINLY, _HARDLY = 2.0, 4.0  # … within which the commonest colour is that paint's, without which the next is not
_SHADE = (0.15, 1.1)  # how much darker (logarithm of the root) what lies in a shadow is than in the lamp's light
_SHADED_HUE = 0.1  # how far (tangent) shade, which a bluer light is left in, may take a hue
_CLEARLY = 0.5  # … of how far it is then off the mat's and every other kind's
_HALF, _WHOLE = 0.45, 1.3  # of the way from the mat's colour to a paint's: what blur mixes of both lies between …
_OFF_MAT = 9.0  # … and so many squared deviations of the mat's off it
_STEP = 3  # of the cells, every third across and down tells what colours there are
_LEAST_MAT = 0.2  # of the table: what covers less is a cloth or a book on the mat


class Colours:
    """The colours that a scene has at all, so that each is judged once and not at every cell."""

    def __init__(self, scene: Scene, mat: Mat | None) -> None:
        self._codes = np.flatnonzero(np.bincount(scene.codes.ravel(), minlength=COLOURS))
        self._roots = scene.roots_of(self._codes.astype(np.int32))
        self._scene = scene
        self.mat = mat
        self._bare = np.full(len(self._codes), np.inf, np.float32) if mat is None else mat.distance(self._roots)

    def nearest(self, paints: Sequence[Paint]) -> Labels:
        """For each cell (h, w) one more than the index of the paint that it is nearest to, if near enough, and
        likelier than the bare mat; else 0."""
        best = np.zeros(len(self._codes), np.uint8)
        least = self._bare.copy()
        for index, paint in enumerate(paints):
            cost = distance(self._roots, paint)
            likely = unlikelihood(cost, paint)
            nearer = (cost < _NEAR) & (likely < least)
            least[nearer] = likely[nearer]
            best[nearer] = index + 1
        return self._shown(best)

    def in_shade(self, paints: Sequence[Paint]) -> Labels:
        """For each cell (h, w) one more than the index of the flat paint whose hue it has, but darker, as a shadow
        upon it has; `BARE` where it has the mat's so; 0 where it may be either, or neither."""
        best = np.zeros(len(self._codes), np.uint8)
        if self.mat is None:
            return self._shown(best)
        colours = [*(paint.roots for paint in paints), self.mat.centre]
        hues = np.array([hues_off(self._roots, colour) for colour in colours])
        for index, colour in enumerate(colours):
            others = np.delete(hues, index, axis=0).min(axis=0)
            darker = -np.log(np.maximum(self._roots @ colour / float(colour @ colour), 0.01))
            shaded = (darker > _SHADE[0]) & (darker < _SHADE[1])
            shaded &= (hues[index] < _SHADED_HUE) & (hues[index] < _CLEARLY * others)
            if index == len(paints) or paints[index].flat:
                best[shaded] = BARE if index == len(paints) else index + 1
        return self._shown(best)

    def mixed(self, paint: Paint) -> Labels:
        """1 at the cells (h, w) whose colour blur has mixed from a paint's and, no more than as much, the mat's."""
        are = np.zeros(len(self._codes), np.uint8)
        if self.mat is None:
            return self._shown(are)
        way, away = paint.roots - self.mat.centre, self._roots - self.mat.centre
        towards = self.mat.precision @ way
        length = float(way @ towards)
        share = away @ towards / length
        rest = np.einsum("ni,ni->n", away @ self.mat.precision, away) - share**2 * length
        are[(share > _HALF) & (share < _WHOLE) & (rest < _NEAR) & (share**2 * length > _OFF_MAT)] = 1
        return self._shown(are)

    def _shown(self, of_codes: Labels) -> Labels:
        table = np.zeros(COLOURS, np.uint8)
        table[self._codes] = of_codes
        return np.asarray(table[self._scene.codes], dtype=np.uint8)


def colours_of(scene: Scene) -> tuple[list[Paint], Colours]:
    """The paints of the table's kinds of terrain as the camera shows them, and the colours of a scene.

    The mat's are among these recognised: it is none of the paints if it can be.
    """
    ground = (scene.play_area(0.0) & (1 - scene.prints))[::_STEP, ::_STEP] > 0
    number = np.bincount(scene.codes[::_STEP, ::_STEP][ground], minlength=COLOURS)
    there = np.flatnonzero(number)
    roots, number = scene.roots_of(there.astype(np.int32)), number[there]
    kinds = scene.table.terrain_kinds
    paints = [paint_for(kind) for kind in kinds]
    mat = _mat(roots, number, paints)
    vividness = vividness_of(kinds, roots, number * (_STEP / scene.px_per_mm) ** 2, mat)
    if vividness != 1.0:
        paints = [paint_for(kind, vividness) for kind in kinds]
        mat = _mat(roots, number, paints)
    return paints, Colours(scene, mat)


def _mat(roots: Floats32, number: NDArray[np.int64], paints: Sequence[Paint]) -> Mat | None:
    """The mat, from colours (N, 3) that are seen so often (N,).

    A wood or a lake may cover more of the table than is left of the mat. So where the commonest colour is that of a
    kind of terrain, and another, of none, covers as much as a mat does, that is the mat.
    """
    commonest = mat_of(roots, number)
    if commonest is None or not any(float(distance(commonest.centre, paint)) < _PLAINLY for paint in paints):
        return commonest
    apart = ~commonest.shows(roots)
    next_one = mat_of(roots[apart], number[apart]) if apart.any() else None
    if next_one is None or any(float(distance(next_one.centre, paint)) < _HARDLY for paint in paints):
        return commonest
    covered = int(number[apart][next_one.shows(roots[apart])].sum())
    return next_one if covered > _LEAST_MAT * int(number.sum()) else commonest
