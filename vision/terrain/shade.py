"""Broad shadows and patches of sun: how much light falls on each place of the table, told by the mat that is there.

The markers are few, and tell light that changes slowly. A window's frame, a lampshade or somebody who leans over
makes edges between them. The mat, however, is nearly everywhere: where it is seen in its own hue, but darker, a
shadow lies upon it; and where a piece covers it, that piece's own colour goes on telling how the light changes.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.prints.markers import FoundMarker
from vision.terrain.colour import Shade, hues_off, whites_of
from vision.terrain.falling import falling_off
from vision.terrain.mat import Mat
from vision.terrain.paints import Paint, distance
from vision.terrain.scene import COLOURS, Scene

__all__ = ["lamplight_of", "shade_of"]

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_BLOCK_MM = 10.0  # over so much, each way, light is told
_NARROW_MM = 55.0  # the brush that fills narrower shadows: those of blocks and figures, told elsewhere
_HUE = 0.1  # how far (tangent) a hue may be off a surface's
_CLEARLY = 0.7  # … of how far it is then off every other surface's
_PAINT = 4.0  # squared deviations from a paint within which a colour may be it
_DARKEST, _BRIGHTEST = -1.1, 0.45  # logarithms of the root, against what the markers say
_ROUNDS = 2  # in which a shadow's own light is told
_MOSTLY = 0.3  # of a block's cells
_LEAST_BARE = 100  # blocks of mat that hang together
_LEAST_BLOCKS = 4  # of a piece
_EVEN = 0.045  # root mean square, in logarithms of the root: a mat's blotches and a lamp's falling off are evener
_FALLS_OFF = 0.012  # … and what is less than this of a lamp's falling off does not matter
_BLOTCH = 3.0  # blocks
_FINER = 0.2  # logarithm of the root: by what is more, a piece is in a shadow that is told elsewhere
_NEAR = 1.5  # blocks
_NONE = 9.0  # stands for no light known
_FILL = (2.0, 4.0, 8.0, 16.0, 32.0)  # blocks: light is taken from the nearest known
_ALL_ROUND = np.ones((3, 3), np.uint8)


def lamplight_of(
    scene: Scene, mat: Mat | None, paints: Sequence[Paint], found: Sequence[FoundMarker]
) -> Shade | None:
    """The light over a scene in which lamps fall off otherwise than the markers ``found`` tell alone; None where it
    is as they tell, the mat does not tell, or a broad shadow lies on it."""
    if mat is None:
        return None
    surfaces, plain = _Surfaces(scene, mat, paints), np.zeros(3, np.float32)
    bare, light = surfaces.bare(plain)
    places, whites = _whites(scene, found, bare.shape)
    if not bare.any() or not len(places):  # of a mat alone nobody tells blotches from light
        return None
    falls = falling_off(surfaces.hues(bare, plain), light, bare, places, whites)
    lamps = falls.mean(axis=-1)
    if np.std(lamps[bare]) < _FALLS_OFF or _is_shaded(surfaces.closed(light - lamps, bare), bare):
        return None
    return _in_frame(falls, scene)


def shade_of(scene: Scene, mat: Mat | None, paints: Sequence[Paint]) -> Shade | None:
    """The light over a scene with a broad shadow in it; None where there is none, or the mat does not tell.

    What is narrower than the shadow of a block is left as it is.
    """
    if mat is None:
        return None
    surfaces = _Surfaces(scene, mat, paints)
    tint = np.zeros(3, np.float32)
    bare, light = surfaces.bare(tint)
    if not bare.any() or not _is_shaded(surfaces.closed(light, bare), bare):
        return None
    for _ in range(_ROUNDS):
        tint, slant = surfaces.tint_of(bare, tint)
        bare, light = surfaces.bare(tint)
        if not bare.any():
            return None
    closed = surfaces.closed(light, bare)
    on_pieces, hearts = _joined(surfaces, len(paints), tint, bare, _filled(closed, bare))
    known = bare | ~np.isnan(on_pieces)
    told = np.where(bare, light, np.nan_to_num(on_pieces)).astype(np.float32)
    whole = surfaces.closed(told, known)
    finer = np.where(hearts & (np.abs(told - whole) < _FINER), told - whole, 0.0).astype(np.float32)
    whole += np.where(known & ~bare, _about(finer, hearts, _NEAR), np.float32(0.0))
    whole = np.asarray(cv2.GaussianBlur(_filled(whole, known), (0, 0), 1.0), dtype=np.float32)
    return _in_frame(whole[..., None] * (1.0 + tint) + slant, scene)


def _joined(surfaces: _Surfaces, kinds: int, tint: Floats32, bare: Mask, rough: Floats32) -> tuple[Floats32, Mask]:
    """The light (R, C) on pieces, each as light as the mat around it has it roughly: NaN elsewhere. And where they
    are not cut by their edges (R, C)."""
    light, hearts = np.full(bare.shape, np.nan, np.float32), np.zeros_like(bare)
    for index in range(1, kinds + 1):
        own, seen = surfaces.blocks(index, tint)
        count, pieces = cv2.connectedComponents(own.astype(np.uint8), connectivity=8)
        for piece in range(1, count):
            here = (pieces == piece) & ~bare & np.isnan(light)
            if np.count_nonzero(here) >= _LEAST_BLOCKS:
                light[here] = seen[here] + np.median(rough[here] - seen[here])
                hearts |= cv2.erode(here.astype(np.uint8), _ALL_ROUND) > 0
    return light, hearts


class _Surfaces:
    """The mat and the pieces of a scene, (3,) each, told from each other by hue alone, however dark they are."""

    def __init__(self, scene: Scene, mat: Mat, paints: Sequence[Paint]) -> None:
        side = max(round(_BLOCK_MM * scene.px_per_mm), 1)
        self._brush = max(round(_NARROW_MM * scene.px_per_mm / side), 1)
        self._codes = np.where((scene.table_top > 0) & (scene.prints == 0), scene.codes, -1)
        self._there = np.flatnonzero(np.bincount(self._codes.ravel() + 1, minlength=COLOURS + 1)[1:])
        self._roots = scene.roots_of(self._there.astype(np.int32))
        self._colours = [mat.centre, *(paint.roots for paint in paints)]
        self._bright = np.array([np.log(np.maximum(self._roots @ c / float(c @ c), 0.01)) for c in self._colours])
        self._lit = np.zeros(len(self._there), dtype=np.bool_)
        for paint in paints:
            self._lit |= distance(self._roots, paint) < _PAINT
        self._size = max(scene.shape[1] // side, 1), max(scene.shape[0] // side, 1)

    def _are(self, index: int, tint: Floats32) -> Mask:
        """Which of the colours there are of a surface, in shade of a tint.

        None is the mat's that is a piece's in the light: a hill that is like the mat, but darker, is no shadow.
        """
        in_light = (self._roots * np.exp(-s[:, None] * tint) for s in self._bright)
        hues = np.array([hues_off(roots, c) for roots, c in zip(in_light, self._colours, strict=True)])
        others = np.delete(hues, index, axis=0).min(axis=0, initial=np.inf)
        may_be = (self._bright[index] > _DARKEST) & (self._bright[index] < _BRIGHTEST) & ~(self._lit & (index == 0))
        return np.asarray(may_be & (hues[index] < np.minimum(_HUE, _CLEARLY * others)))

    def bare(self, tint: Floats32) -> tuple[Mask, Floats32]:
        """Which blocks (R, C) are of the mat, not of what is like it on a wood or among figures; and how light."""
        mask, light = self.blocks(0, tint)
        _, parts = cv2.connectedComponents(mask.astype(np.uint8), connectivity=4)
        large = np.bincount(parts.ravel()) >= _LEAST_BARE
        large[0] = False
        return np.asarray(large[parts]), light

    def blocks(self, index: int, tint: Floats32) -> tuple[Mask, Floats32]:
        """Which blocks (R, C) of cells show mostly a surface, and the logarithm of how light it is there."""
        are = self._are(index, tint)
        share = self._mean(are, are)
        light = self._mean(are, self._bright[index])
        return share > _MOSTLY, np.asarray(light / np.maximum(share, 1e-6), dtype=np.float32)

    def tint_of(self, bare: Mask, tint: Floats32) -> tuple[Floats32, Floats32]:
        """What a shadow's own light does to the colours (3,) in it for each step that it makes them darker, as a
        lamp's shadow is left in the window's blue light; and how colours change over the table (R, C, 3).

        Told by the blocks (R, C) of bare mat. Markers in a shadow had made the whole table of its tint.
        """
        logs = self.hues(bare, tint)[bare]
        light = logs.mean(axis=1)
        down, across = np.indices(bare.shape)
        terms = np.stack([np.ones(bare.shape), across / self._size[0], down / self._size[0]], axis=-1)
        by = np.linalg.lstsq(np.column_stack([light, terms[bare]]), logs - light[:, None], rcond=None)[0]
        return by[0].astype(np.float32), (terms[..., 1:] @ by[2:]).astype(np.float32)

    def closed(self, light: Floats32, known: Mask) -> Floats32:
        """Light (R, C) where it is known, without what is dark and narrower than a brush, or than half of one
        beside what is not."""
        size = 2 * self._brush + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        bright = cv2.dilate(np.where(known, light, -_NONE).astype(np.float32), disc)
        bright[~known] = _NONE
        return np.asarray(cv2.erode(bright, disc), dtype=np.float32)

    def hues(self, bare: Mask, tint: Floats32) -> Floats32:
        """The logarithms (R, C, 3) of the bare mat's colours, blotches aside, in shade of a tint."""
        are = self._are(0, tint)
        share = np.maximum(self._mean(are, are), np.float32(1e-6))
        channels = [np.asarray(self._mean(are, np.log(self._roots[:, c])) / share, np.float32) for c in range(3)]
        return np.stack([_about(channel, bare, _BLOTCH) for channel in channels], axis=-1)

    def _mean(self, are: Mask, values: NDArray[np.generic]) -> Floats32:
        """The mean over blocks (R, C) of what such colours stand for, and of nothing for others."""
        table = np.zeros(COLOURS + 1, np.float32)
        table[self._there[are]] = values[are]
        return np.asarray(cv2.resize(table[self._codes], self._size, interpolation=cv2.INTER_AREA), np.float32)


def _about(values: Floats32, known: Mask, radius: float) -> Floats32:
    """The mean of known values (R, C) near each block; 0 where there are none."""
    total = cv2.GaussianBlur(np.where(known, values, 0.0).astype(np.float32), (0, 0), radius)
    weight = cv2.GaussianBlur(known.astype(np.float32), (0, 0), radius)
    return np.asarray(np.where(weight > 0.02, total / np.maximum(weight, 0.02), 0.0), dtype=np.float32)


def _filled(light: Floats32, known: Mask) -> Floats32:
    """Light (R, C), where it is not known as it is near by."""
    filled, missing = np.where(known, light, 0.0).astype(np.float32), ~known
    for radius in _FILL:
        near = _about(light, known, radius)
        now = missing & (near != 0.0)
        filled[now] = near[now]
        missing &= ~now
    return filled


def _whites(scene: Scene, found: Sequence[FoundMarker], shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Where in blocks (K, 2), across and down, the white of markers lies, and how light (K, 3) it is there: the
    logarithms of the roots, against what was made of all of them."""
    pixels, whites = whites_of(scene.frame, found)
    cell = np.array([scene.shape[1] / shape[1], scene.shape[0] / shape[0]])
    logs = scene.light.tone / 3.0 * (np.log(whites) - np.log(scene.light.shading(pixels)))
    return (scene.from_frame(pixels) + 0.5) / cell - 0.5, logs


def _is_shaded(light: Floats32, bare: Mask) -> bool:
    """Whether the light (R, C) on the bare mat is so uneven."""
    return float(np.std(_about(light, bare, _BLOTCH)[bare])) > _EVEN


def _in_frame(light: Floats32, scene: Scene) -> Shade:
    """The whole light, with that which the markers told, over the frame."""
    rows, columns = light.shape[:2]
    cell = np.array([scene.shape[1] / columns, scene.shape[0] / rows])
    places = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
    pixels = scene.in_frame((places + 0.5) * cell - 0.5)
    logs = np.log(scene.light.shading(pixels)) + 3.0 / scene.light.tone * light.reshape(-1, 3)
    return Shade(logs.reshape(rows, columns, 3).astype(np.float32), pixels[0], cell / scene.zoom)
