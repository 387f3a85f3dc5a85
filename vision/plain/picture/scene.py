"""A frame beside what it would show were nothing put down."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from msgspec.structs import replace as lens_of
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.plain.picture.backdrop import Backdrop, Picture
from vision.plain.picture.shade import Shade

__all__ = ["BLACKEST", "DIMMEST", "Scene", "scene_of", "vivid_of"]

Floats = NDArray[np.float64]

_BLUR_PX = 0.55  # the lens's blur and half a pixel's own width, one sigma
DIMMEST, _BRIGHTEST = 0.3, 1.1  # of the light that the empty table had: what is beyond is no usual shade …
BLACKEST = 0.06  # … or under a hard lamp in a dark room
_LEAST_VIVID, _VIVID = 2.5, 5.0  # sigmas
_HARDLY = 0.1  # as vivid as this a place is no more of the table's colour
_BROAD_MM, _ABOUT_MM = 15.0, 25.0  # figures are narrower; most of what is so near one is its base's flock


@dataclass(frozen=True, eq=False)
class Scene:
    """A frame (H, W, 3) as single floats, what it would show were nothing put down, its camera, and the
    shadows of bases, None where they are narrow or not known.

    ``vivid`` (H, W) is how surely a pixel shows neither the table nor the table in a shadow, but a figure or the
    like; ``feet`` (N, 2), mm, are where figures seem to stand, None where bases have none, or it is not known.
    """

    frame: Picture
    backdrop: Backdrop
    camera: CameraModel
    px_per_mm: float
    vivid: Picture
    shade: Shade | None = None
    feet: Floats | None = None

    @property
    def blur_mm(self) -> float:
        """How far an edge is blurred, one sigma."""
        return _BLUR_PX / self.px_per_mm

    def smaller(self, times: int) -> Scene:
        """The same scene with so many times fewer pixels each way."""
        if times <= 1:
            return self
        lens = self.camera.intrinsics
        height, width = (n // times for n in self.frame.shape[:2])
        seen = lens_of(
            lens, width_px=width, height_px=height, fx=lens.fx / times, fy=lens.fy / times,
            cx=(lens.cx + 0.5) / times - 0.5, cy=(lens.cy + 0.5) / times - 0.5,
        )  # fmt: skip
        back = self.backdrop
        camera = replace(self.camera, intrinsics=seen)

        def less(picture: Picture) -> Picture:
            part = picture[: height * times, : width * times]
            return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)

        known = less(back.known.astype(np.float32)) > 0.99
        small = Backdrop(less(back.then), less(back.noise) / times**0.5, known)
        return replace(
            self, frame=less(self.frame), backdrop=small, camera=camera, px_per_mm=self.px_per_mm / times,
            vivid=less(self.vivid),
        )  # fmt: skip

    def but_for(self, mask: NDArray[np.bool_]) -> Scene:
        """The same scene, of which what a mask (h, w), perhaps of a smaller one, covers tells nothing."""
        height, width = self.frame.shape[:2]
        wide = cv2.resize(mask.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0
        return replace(self, backdrop=replace(self.backdrop, known=self.backdrop.known & ~wide))

    def reduced(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """A mask (H, W) of the whole picture, for this one."""
        height, width = self.frame.shape[:2]
        if mask.shape == (height, width):
            return mask
        return np.asarray(cv2.resize(mask.astype(np.uint8), (width, height), interpolation=cv2.INTER_AREA) > 0)


def scene_of(
    frame: Picture, backdrop: Backdrop, camera: CameraModel, px_per_mm: float, mat: Picture | None = None
) -> Scene:
    """A frame (H, W, 3) beside its backdrop, with a mat of such a colour (3,); its shadows may be of any depth."""
    return Scene(frame, backdrop, camera, px_per_mm, vivid_of(frame, backdrop, px_per_mm, mat, BLACKEST))


def vivid_of(frame: Picture, backdrop: Backdrop, px_per_mm: float, mat: Picture | None, dimmest: float) -> Picture:
    """How surely (H, W) pixels of a frame show neither the table nor a shadow on it, which leaves at least such a
    share of its light.

    A shadow takes from all colours of the table alike: what no shadow makes of it is vivid. Of what is broader than
    a figure, flock of another colour or a ball, only that is which no shadow makes of it either; and off the mat,
    flock of the mat's colour (3,) is none.
    """
    smooth = np.asarray(cv2.GaussianBlur(frame, (0, 0), _BLUR_PX), dtype=np.float32)
    vivid = np.zeros(frame.shape[:2], np.float32)
    changed = (np.abs(smooth - backdrop.then) > _LEAST_VIVID * backdrop.spread).any(axis=2)
    vivid[changed] = _unlike(smooth[changed], backdrop.then[changed], backdrop.spread[changed], dimmest)
    if mat is not None:
        left = vivid > 0
        now, then, sigma = smooth[left], backdrop.then[left], backdrop.spread[left]
        surface = np.broadcast_to(mat, now.shape)
        off_it = _unlike(then, surface, sigma, dimmest) >= 1
        vivid[left] = np.where(off_it, np.minimum(vivid[left], _unlike(now, surface, sigma, dimmest)), vivid[left])
    flocked = _flocked(frame, vivid, px_per_mm)
    if flocked is not None:
        flock, broad = flocked
        broad &= vivid > 0
        vivid[broad] = np.minimum(
            vivid[broad], _unlike(smooth[broad], flock[broad], backdrop.spread[broad], dimmest)
        )
    return vivid


def _unlike(now: Picture, surface: Picture, sigma: Picture, dimmest: float) -> Picture:
    """How surely (N,), 0 to 1, pixels (N, 3) do not show a surface (N, 3) in a shade that leaves at least such a
    share of its light."""
    now, then = now / sigma, surface / sigma
    light = (now * then).sum(axis=1) / np.maximum(np.square(then).sum(axis=1), 1e-6)
    left = now - np.clip(light, dimmest, _BRIGHTEST)[:, None] * then
    sigmas = np.sqrt(np.square(left).mean(axis=1))
    return np.asarray(np.clip((sigmas - _LEAST_VIVID) / (_VIVID - _LEAST_VIVID), 0, 1), dtype=np.float32)


def _flocked(frame: Picture, vivid: Picture, px_per_mm: float) -> tuple[Picture, NDArray[np.bool_]] | None:
    """The colour (H, W, 3) that most of a broad vivid thing has about each place, and where (H, W) such things are;
    None where there are none."""
    size = 2 * max(1, round(_BROAD_MM / 2 * px_per_mm)) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    coloured = cv2.morphologyEx((vivid > _HARDLY).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    midst = cv2.erode(coloured, disc)
    if not midst.any():
        return None
    about = 2 * max(1, round(_ABOUT_MM * px_per_mm / 2)) + 1
    most = cv2.medianBlur(np.clip(frame, 0, 255).astype(np.uint8), about).astype(np.float32)
    _, nearest = cv2.distanceTransformWithLabels(
        1 - midst, cv2.DIST_L2, cv2.DIST_MASK_5, labelType=cv2.DIST_LABEL_PIXEL
    )
    colours = np.zeros((int(nearest.max()) + 1, 3), np.float32)
    colours[nearest[midst > 0]] = most[midst > 0]
    return colours[nearest], np.asarray(cv2.dilate(midst, disc) > 0)
