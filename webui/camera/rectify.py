"""The camera picture set straight: the table plane from above, the far edge up, as a JPEG."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.records import TableSize

__all__ = ["Rectifier"]

Image = NDArray[np.uint8]

#: So much of the surroundings is shown round the play area.
MARGIN_MM = 150.0
#: A camera that moves the picture by less keeps its maps.
_SAME_PX = 0.4
_QUALITY = 82
_STEP_PX = 8


class Rectifier:
    """Makes pictures of the table from above; keeps its maps as long as the camera hangs still.

    ``width_px`` is the picture's width; a table deeper than wide gets its longer side so.
    """

    def __init__(self, table: TableSize, width_px: int = 1600) -> None:
        self.bounds_mm = (
            (-MARGIN_MM, -MARGIN_MM),
            (table.width_mm + MARGIN_MM, table.depth_mm + MARGIN_MM),
        )
        (left, near), (right, far) = self.bounds_mm
        self._mm_per_px = max(right - left, far - near) / width_px
        self._size = (round((right - left) / self._mm_per_px), round((far - near) / self._mm_per_px))
        self._corners: NDArray[np.float64] | None = None
        self._maps: tuple[Any, Any] | None = None

    def picture(self, image: Image, camera: CameraModel) -> Image:
        """The table from above, (height, width, 3) BGR; black where the camera does not see."""
        corners = camera.project(self._points(np.array([0.0, 1.0]), np.array([0.0, 1.0])))
        if self._maps is None or self._corners is None or np.abs(corners - self._corners).max() > _SAME_PX:
            self._maps, self._corners = self._mapped(camera), corners
        straight: Any = cv2.remap(image, self._maps[0], self._maps[1], cv2.INTER_LINEAR)
        return np.asarray(straight, dtype=np.uint8)

    def jpeg(self, image: Image, camera: CameraModel) -> bytes:
        """The same picture as a JPEG."""
        done, data = cv2.imencode(".jpg", self.picture(image, camera), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        assert done
        return bytes(data)

    def _mapped(self, camera: CameraModel) -> tuple[Any, Any]:
        """The maps, projected at every `_STEP_PX`-th pixel and one beyond each edge, and interpolated between."""
        width, height = self._size
        columns, rows = (
            np.arange(-1, -(-length // _STEP_PX) + 1) * _STEP_PX + _STEP_PX / 2 for length in (width, height)
        )
        nodes = camera.project(self._points(columns / width, rows / height)).astype(np.float32)
        coarse = nodes.reshape(len(rows), len(columns), 2)
        fine = cv2.resize(coarse, None, fx=_STEP_PX, fy=_STEP_PX, interpolation=cv2.INTER_LINEAR)
        pixels = fine[_STEP_PX : _STEP_PX + height, _STEP_PX : _STEP_PX + width]
        return cv2.convertMaps(pixels[..., 0], pixels[..., 1], cv2.CV_16SC2)

    def _points(self, across: NDArray[np.float64], down: NDArray[np.float64]) -> NDArray[np.float64]:
        """(len(down) * len(across), 3) points of the table plane, row by row from the far left."""
        (left, near), (right, far) = self.bounds_mm
        x, y = np.meshgrid(left + across * (right - left), far - down * (far - near))
        return np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
