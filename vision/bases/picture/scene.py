"""One frame and what is known about it, laid flat once for every height of rims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.camera import CameraModel
from calibration.prints.markers import FoundMarker
from calibration.records import Table
from vision.bases.picture.lamp import Cast, Lamp
from vision.bases.picture.lookalikes import Lookalikes, lookalikes
from vision.bases.picture.paint import Paint, features_of
from vision.bases.picture.plane import Flat, Ground, box_of, lay_flat, shrunk
from vision.bases.picture.prints import cells_on_prints, on_prints
from vision.bases.picture.profiles import Group, Pattern, pixels_of
from vision.bases.picture.shade import Shade, lit_across, shade_of
from vision.bases.picture.surfaces import Surfaces, surfaces_of
from vision.bases.pixels import Placed
from vision.bases.shapes import turned
from vision.light import Light, linear_of_srgb
from vision.lookups import looked_up

__all__ = ["Scene"]

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Singles = NDArray[np.float32]

_SPARSE_MM = 12.0  # points so far apart stand for the whole table
_CURVE = linear_of_srgb(np.arange(256)).astype(np.float32)
_SHADES = np.array([1.0, 0.8, 0.65, 0.52, 0.41, 0.33], np.float32)
_BITS = 5  # of each channel, where colours are looked up
_SEEMS, _FOREIGN = 0.15, 0.3  # what seems painted, but so far astray (see `Paint.astray`) that it is something else
_COARSE_CELLS, _MOSTLY, _WIDE_MM = 4, 0.5, 40.0  # … and where most of an area so wide is, a thing lies there
_PAINTED, _LINE_MM = 0.5, 6.0  # on a page more than this is paper, and lines of print are narrower
_AS_WHITE, _BLANK = 0.8, 0.4  # of its whitest: so white is at least such a share of a page
_CORNER_MM = 10.0  # what a round as wide as the page leaves of its corners
_ROOM_MM = 80.0  # about where bases are looked for, so that whole ones are seen
_BARE = (0.1, 0.75)  # of the table: less does not tell the mat's colour, and of more the median tells it anyhow
_OVER_MM = 5.0  # a base's middle may be so far over the table's edge, no more: it would fall
_OVERHANG = 0.4  # of its half width that a base's middle may seem beside its ground, for edges are not known better
_BLUR_PX = 1.3  # the usual blur of a picture, one sigma
_STEP_MM = 5.0  # over the edge of what is no higher a base leans, and does not fall: felt, card, a road
_AROUND = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (0.7, 0.7), (-0.7, 0.7), (-0.7, -0.7), (0.7, -0.7)])


@dataclass(frozen=True, eq=False)
class _Laid:
    """The frame laid flat at a height: which colour of the palette, in what shade, each cell (H, W) is, where bases
    are looked for, and the cells (N,), counted row by row, that show each surface but the mat."""

    flat: Flat
    index: NDArray[np.int32]
    usable: Mask
    pieces: tuple[tuple[int, NDArray[np.intp]], ...]


@dataclass(frozen=True, eq=False)
class Scene:
    """What every step needs. ``within`` (H, W) is where in the frame bases are looked for; None: everywhere.

    ``known_background`` (N, 3) are the mat's features, and ``known_surfaces`` what lies on it, where an earlier
    look has told them.
    """

    frame: Image
    camera: CameraModel
    ground: Ground
    light: Light
    found: tuple[FoundMarker, ...]
    table: Table
    within: Mask | None = None
    known_background: NDArray[np.float64] | None = None
    known_surfaces: Surfaces | None = None
    _flats: dict[float, _Laid | None] = field(default_factory=dict, repr=False)
    _likes: dict[tuple[Paint, float], tuple[Singles, Image]] = field(default_factory=dict, repr=False)

    def likeness(self, paint: Paint, rim_mm: float) -> tuple[Flat, Singles, Mask] | None:
        """The frame laid flat at the height of rims, how much like a paint each cell is (H, W), and where bases are
        looked for; None where nothing is."""
        self.prepare((rim_mm,))
        laid = self._flats[rim_mm]
        if laid is None:
            return None
        on_the_mat = self._like_on_mat(laid, paint, rim_mm)
        like, foreign = on_the_mat[0].copy(), on_the_mat[1].copy()
        all_like, all_foreign = like.reshape(-1), foreign.reshape(-1)
        for number, at in laid.pieces:
            here, on_mat = self.surfaces.told(paint, number), all_like[at]
            own, all_foreign[at] = _alike(laid.index.reshape(-1)[at], here.paint)
            own *= np.float32(here.share)
            all_like[at] = np.where(np.abs(on_mat) < np.abs(own), on_mat, own)  # on bases is the mat's
        all_over = _wide(foreign, laid.flat.cell_mm)
        if paint.is_like_paper:  # of others, what is so all over may be a block in shadow
            all_over |= _sheets(like, laid.flat.cell_mm)
        like[all_over] = 1.0  # that is no rim
        return laid.flat, like, laid.usable

    def _like_on_mat(self, laid: _Laid, paint: Paint, rim_mm: float) -> tuple[Singles, Image]:
        """As `_alike` of all cells, and the same arrays whenever it is asked again."""
        key = (paint, rim_mm)
        if key not in self._likes:
            self._likes[key] = _alike(laid.index, paint)
        return self._likes[key]

    def lookalikes(self, paint: Paint, rim_mm: float) -> Lookalikes | None:
        """Where what is painted all over is of a paint's colour; None where no bases are looked for."""
        self.prepare((rim_mm,))
        laid = self._flats[rim_mm]
        return None if laid is None else lookalikes(laid.flat, self._like_on_mat(laid, paint, rim_mm)[0])

    def prepare(self, rims_mm: Iterable[float]) -> None:
        """Lays the frame flat at rims of such heights, so that several threads may then ask for `likeness`."""
        for rim_mm in rims_mm:
            if rim_mm not in self._flats:
                self._flats[rim_mm] = self._laid(rim_mm)

    @cached_property
    def background(self) -> NDArray[np.float64]:
        """The features (N, 3) of a sample of the mat.

        Terrain that is known is left out if there is much of it: where it covers more of the table than is left of
        the mat, its colour would be taken for the mat's, and an army of that colour for no paint at all.
        """
        if self.known_background is not None:
            return self.known_background
        size = self.table.table
        x = np.arange(_SPARSE_MM / 2, size.width_mm, _SPARSE_MM)
        y = np.arange(_SPARSE_MM / 2, size.depth_mm, _SPARSE_MM)
        points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        bare = points[Surfaces((), self.ground.outlines_mm, (size.width_mm, size.depth_mm)).at(points) == 0]
        if _BARE[0] * len(points) < len(bare) < _BARE[1] * len(points):
            points = bare
        seen = self.camera.project(np.column_stack([points, np.zeros(len(points))]))
        return self._features_at(self._in_sight(seen))

    @cached_property
    def surfaces(self) -> Surfaces:
        """The pieces of terrain that look otherwise than the mat."""
        if self.known_surfaces is not None:
            return self.known_surfaces
        size = self.table.table

        def look(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
            height = np.median(self.ground.height_at(points[:: max(1, len(points) // 5)])) if len(points) else 0.0
            seen = self.camera.project(np.column_stack([points, np.full(len(points), height)]))
            seen = self._in_sight(seen)
            return self._features_at(seen), self.shade.at(seen.astype(np.float32)).astype(np.float64)

        mat = np.median(self.background, axis=0)
        return surfaces_of(self.ground.outlines_mm, (size.width_mm, size.depth_mm), mat, look)

    def _in_sight(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Those of some pixels (N, 2) that the picture has and that lie on no print."""
        rows, columns = self.frame.shape[:2]
        with np.errstate(invalid="ignore"):
            inside = (pixels >= 0).all(axis=1) & (pixels <= [columns - 1, rows - 1]).all(axis=1)
        pixels = pixels[inside]
        return pixels[~on_prints(pixels, self.found)]

    def features_of_points(self, points_mm: NDArray[np.float64], height_mm: float) -> NDArray[np.float64]:
        """The features (N, 3) of those of some points (N, 2) at a height that the picture has, on no print."""
        at = np.column_stack([points_mm, np.full(len(points_mm), height_mm)])
        return self._features_at(self._in_sight(self.camera.project(at)))

    def _features_at(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """The features (N, 3) of pixels (N, 2) of the picture."""
        at = pixels.astype(np.intp)
        return features_of(self.light.reflectance(self.frame[at[:, 1], at[:, 0]], pixels)).astype(np.float64)

    @cached_property
    def px_per_mm(self) -> float:
        """The picture's scale in the middle of the table."""
        size = self.table.table
        return float(self.camera.px_per_mm(np.array([[size.width_mm / 2, size.depth_mm / 2, 0.0]]))[0])

    @cached_property
    def blur_mm(self) -> float:
        """How far a picture of this scale is usually blurred in the middle of the table, one sigma in mm."""
        return _BLUR_PX / self.px_per_mm

    def off_the_mat(self, placed: Sequence[Placed]) -> Mask:
        """Which bases (N,) stand on what looks otherwise than the mat."""
        return np.asarray(self.surfaces.at(np.array([[p.x_mm, p.y_mm] for p in placed]).reshape(-1, 2)) > 0)

    def on_table(self, points_mm: ArrayLike) -> Mask:
        """Which points (N, 2) lie on the table, or as little over its edge as a base's middle may."""
        at, size = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2), self.table.table
        return np.asarray(
            ((at > -_OVER_MM) & (at < [size.width_mm + _OVER_MM, size.depth_mm + _OVER_MM])).all(axis=1)
        )

    def carries(self, placed: Sequence[Placed]) -> Mask:
        """Under which bases (N,) there is ground of their height, at their middle or hardly beside it: others would
        fall off the edge of a hill."""
        middles = np.array([[p.x_mm, p.y_mm] for p in placed]).reshape(-1, 1, 2)
        over = np.array([_OVERHANG * p.outline.half_width_mm for p in placed]).reshape(-1, 1, 1)
        heights = self.ground.height_at((middles + over * _AROUND).reshape(-1, 2)).reshape(len(placed), -1)
        return np.asarray(heights.max(axis=1, initial=0.0) > [p.z_mm - _STEP_MM for p in placed])

    def sampled(
        self, group: Group, pattern: Pattern, paint: Paint, lamp: Lamp | None = None
    ) -> tuple[Singles, Singles, Mask, Cast | None]:
        """The features (N, K, M, 3) of bases' samples, lit as this paint is, their likeness (N, K, M) to it, which
        (N, K, M) the picture shows, and the shadows that the bases cast themselves, where there is a ``lamp``."""
        small, by = (self.frame, 1) if pattern.deep_mm * self.px_per_mm < 2.0 else self._small
        pixels = pixels_of(group, self.camera, pattern.terms)
        rows, columns = self.frame.shape[:2]
        x, y = pixels[..., 0], pixels[..., 1]
        inside = (x >= 0) & (y >= 0) & (x <= columns - 1) & (y <= rows - 1)
        at = pixels if by == 1 else (pixels + np.float32(0.5)) / np.float32(by) - np.float32(0.5)
        middle = self.camera.project(np.column_stack([group.x, group.y, group.z]))
        shape = (len(group), len(pattern.normals), len(pattern.depths))
        colours = self.light.reflectance_about(looked_up(small, at), np.nan_to_num(middle)).reshape(*shape, 3)
        cast, bare = None, colours
        if lamp is not None:  # what a base shades itself is no shadow on it
            cast = Cast.of(group, pattern, self.camera.position_mm, lamp)
            shaded = cast.share(pattern.depths, self.blur_mm)[..., None] * (pattern.depths > 0)[:, None]
            bare = colours / (1 - np.float32(lamp.dark) * shaded)
        lit = lit_across(bare, pattern.depths, self.blur_mm * paint.is_dark, paint.ground)
        features = features_of(paint.lit(colours, lit))
        if cast is not None and lamp is not None:
            cast = replace(cast, likeness=paint.shaded(lamp.dark, lit[..., 0]))
        likeness = paint.likeness(features)
        elsewhere = np.flatnonzero(self._may_be_off_the_mat(group))
        if len(elsewhere):
            told = (values[elsewhere] for values in (colours, features, likeness))
            features[elsewhere], likeness[elsewhere] = self._off_the_mat(
                group.taken(elsewhere), pattern, paint, *told
            )
        return features, likeness, inside.reshape(shape), cast

    def brightness(self, group: Group, pattern: Pattern) -> tuple[NDArray[np.float64], Mask]:
        """How bright bases' samples (N, K, M) are, as shares of white, and which of them the picture shows."""
        colours, inside = self.colours(group, pattern)
        return colours.sum(axis=-1).astype(np.float64) / 3, inside

    def colours(self, group: Group, pattern: Pattern) -> tuple[Singles, Mask]:
        """The linear blue, green, red of bases' samples (N, K, M, 3), as shares of white in the light where each
        base stands, and which of them (N, K, M) the picture shows."""
        pixels = pixels_of(group, self.camera, pattern.terms)
        rows, columns = self.frame.shape[:2]
        inside = ((pixels >= 0) & (pixels <= [columns - 1, rows - 1])).all(axis=-1)
        middle = self.camera.project(np.column_stack([group.x, group.y, group.z]))
        colours = self.light.reflectance_about(looked_up(self.frame, pixels), np.nan_to_num(middle))
        shape = (len(group), len(pattern.normals), len(pattern.depths))
        return colours.reshape(*shape, 3), inside.reshape(shape)

    def _off_the_mat(
        self, group: Group, pattern: Pattern, paint: Paint, colours: Singles, features: Singles, likeness: Singles
    ) -> tuple[Singles, Singles]:
        """The features (N, K, M, 3) and likeness (N, K, M) of samples of such ``colours``, told as on the mat, as
        they are told on what each of them lies on."""
        at = turned(pattern.places.reshape(1, -1, 2), group.bearing[:, None])
        on = self.surfaces.at(at + np.stack([group.x, group.y], axis=-1)[:, None]).reshape(likeness.shape)
        for number in np.unique(on[on > 0]).tolist():
            here, which = self.surfaces.told(paint, number), np.flatnonzero((on == number).any(axis=(1, 2)))
            own, there = colours[which], (on == number)[which]
            # slopes and trees cast shadows there, which are not to be taken for dark paint
            lit = lit_across(own, pattern.depths, 0.0, paint.ground, here.paint.ground)
            own = features_of(here.paint.lit(own, lit))
            alike = here.of_samples(own, likeness[which], pattern.depths)
            likeness[which] = np.where(there, alike, likeness[which])
            features[which] = np.where(there[..., None], own, features[which])
        return features, likeness

    def _may_be_off_the_mat(self, group: Group) -> Mask:
        """Which (N,) of a group may stand on what is not the mat, if only in part."""
        if not self.surfaces.all:
            return np.zeros(len(group), dtype=np.bool_)
        return self.surfaces.about(np.column_stack([group.x, group.y]), group.outline)

    @cached_property
    def shade(self) -> Shade:
        """The shadows in the frame."""
        middle = np.median(self.background, axis=0)
        box = None if self.within is None else _box(self.within)
        return shade_of(*self._small, self.px_per_mm, self.light, middle.astype(np.float32), box)

    @cached_property
    def _small(self) -> tuple[Image, int]:
        return shrunk(self.frame, self.px_per_mm)

    def _laid(self, rim_mm: float) -> _Laid | None:
        box = None
        if self.within is not None:
            box = self._wanted()
            if box is None:
                return None
        flat = lay_flat(*self._small, self.camera, self.table.table, self.ground, rim_mm, box)
        usable = flat.seen & ~cells_on_prints(flat, self.found)
        if self.within is not None:
            at = flat.pixels
            mask = looked_up(self.within.astype(np.uint8), at, cv2.INTER_NEAREST)
            usable &= mask > 0
        index = _indexed(self.light.levelled(flat.image, flat.pixels))
        lit = self.shade.at(flat.pixels)
        on = self.surfaces.on(flat.origin_mm, flat.cell_mm, lit.shape)
        pieces = []
        for number, surface in enumerate(self.surfaces.all):
            cells = np.flatnonzero(on == number + 1)
            lit.reshape(-1)[cells] *= np.float32(1 / surface.lit)
            if len(cells):
                pieces.append((number + 1, cells))
        shades = np.searchsorted(-_SHADES[:-1], -lit).astype(np.int32)
        return _Laid(flat, index.astype(np.int32) + (shades << (3 * _BITS)), usable, tuple(pieces))

    def _wanted(self) -> tuple[int, int, int, int] | None:
        """The cells of the grid about ``within``."""
        within = self.within
        assert within is not None
        rows, columns = np.flatnonzero(within.any(axis=1)), np.flatnonzero(within.any(axis=0))
        if not len(rows):
            return None
        edge = np.linspace(0, 1, 9)
        x, y = columns[0] + edge * (columns[-1] - columns[0]), rows[0] + edge * (rows[-1] - rows[0])
        around = np.concatenate(
            [np.column_stack([x, np.full(9, v)]) for v in (y[0], y[-1])]
            + [np.column_stack([np.full(9, v), y]) for v in (x[0], x[-1])]
        )
        points = self.camera.to_plane(around, 0.0)
        return box_of(points, self.table.table, _ROOM_MM)


def _alike(index: NDArray[np.int32], paint: Paint) -> tuple[Singles, Image]:
    """How much like a paint cells (...) of the palette's colours are, and which of them seem so but are something
    else."""
    size = len(_SHADES) << (3 * _BITS)
    there = np.flatnonzero(np.bincount(index.ravel(), minlength=size))
    likeness, foreign = np.zeros(size, np.float32), np.zeros(size, np.uint8)
    colours, shades = _palette()[there & ((1 << (3 * _BITS)) - 1)], _SHADES[there >> (3 * _BITS)]
    features = features_of(paint.lit(colours, shades))
    likeness[there] = paint.likeness(features)
    foreign[there] = (likeness[there] > _SEEMS) & (paint.astray(features.astype(np.float64)) > _FOREIGN)
    return likeness[index], foreign[index]


def _wide(foreign: Image, cell_mm: float) -> Mask:
    """Where (H, W) so much is foreign (H, W, 0 or 1) over so wide an area that no bases stand there: sheets of
    paper, books, roofs."""
    height, width = foreign.shape
    size = (max(1, width // _COARSE_CELLS), max(1, height // _COARSE_CELLS))
    coarse = cv2.resize(foreign * np.uint8(255), size, interpolation=cv2.INTER_AREA)
    cells = round(_WIDE_MM / (cell_mm * _COARSE_CELLS)) | 1
    wide = cv2.blur(coarse, (cells, cells)) > _MOSTLY * 255
    if not wide.any():
        return np.zeros((height, width), dtype=np.bool_)
    return np.asarray(cv2.resize(wide.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0)


def _sheets(like: Singles, cell_mm: float) -> Mask:
    """Where (H, W) all is painted but for lines, over so wide an area that no bases stand there: printed pages.

    Of a block of bases with tops rather like their rims most is less painted than these: there the paper would be
    the lesser part.
    """
    line = round(_LINE_MM / cell_mm) | 1
    filled = cv2.morphologyEx((like > _PAINTED).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((line, line), np.uint8))
    middle = cv2.distanceTransform(filled, cv2.DIST_L2, 5) > _WIDE_MM / 2 / cell_mm
    if not middle.any():
        return np.zeros(like.shape, dtype=np.bool_)
    away = cv2.distanceTransform((~middle).astype(np.uint8), cv2.DIST_L2, 5)
    count, sheets = cv2.connectedComponents((away < (_WIDE_MM / 2 + _CORNER_MM) / cell_mm).astype(np.uint8))
    blank = np.zeros(count, dtype=np.bool_)
    for sheet in range(1, count):
        within = like[sheets == sheet]
        blank[sheet] = np.mean(within > _AS_WHITE * np.quantile(within, 0.9)) > _BLANK
    return np.asarray(blank[sheets])


def _box(mask: Mask) -> tuple[slice, slice]:
    """The rows and columns of a mask (H, W) between the first and the last that are set."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return slice(0, 0), slice(0, 0)
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


@lru_cache(maxsize=1)
def _palette() -> Singles:
    """All colours (32768, 3), coarsely, as shares of white."""
    levels = (np.arange(1 << _BITS) << (8 - _BITS)) + (1 << (7 - _BITS))
    blue, green, red = np.meshgrid(levels, levels, levels, indexing="ij")
    return np.asarray(_CURVE[np.stack([blue, green, red], axis=-1).reshape(-1, 3)], dtype=np.float32)


def _indexed(image: Image) -> NDArray[np.uint16]:
    """Which colour of the palette each pixel (H, W) of a picture (H, W, 3) is."""
    coarse = (image >> (8 - _BITS)).astype(np.uint16)
    index = (coarse[..., 0] << (2 * _BITS)) | (coarse[..., 1] << _BITS) | coarse[..., 2]
    return np.asarray(index, dtype=np.uint16)
