"""The step of the lens: photos of the board, each judged while it is taken, and the lens that they give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lenses.boardlook import ENOUGH_CELLS, BoardLook, cells_of, judged, next_photo
from calibration.lenses.boards import DEFAULT_BOARD
from calibration.lenses.lens import LEAST_VIEWS, Photo, calibrate_lens, find_boards
from calibration.pictures import decode_picture, grey_of
from calibration.reading import write_whole
from vision.simulated import SimulatedCamera
from vision.simulated.boards import POSES
from webui.errors import BadRequest, Refused
from webui.evening.bench import Workbench

__all__ = ["BoardBook"]

_MOST_PHOTOS = 40


class BoardBook:
    """The board photos taken so far; they are kept as pictures, so that `vedette calibrate` can read them too."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._photos: list[Photo] = []
        self._next_pose = 0
        self.told: dict[str, Any] | None = None
        self._read_kept()

    def view(self) -> dict[str, Any]:
        """The photos, what they cover, and what is to be done next."""
        cells = cells_of(self._photos)
        return {
            "photos": len(self._photos),
            "cells": cells,
            "enough_cells": ENOUGH_CELLS,
            "next": next_photo(self._photos),
            "can_solve": len(self._photos) >= LEAST_VIEWS,
            "result": self.told,
            "simulated": self._hands() is not None,
        }

    def look(self) -> BoardLook:
        """What the newest frame shows of the board. Raises NotReady."""
        grey = grey_of(self._bench.frame().image)
        return judged(grey, self._read("the picture", grey), self._same_size(grey))

    def take(self) -> BoardLook:
        """Takes the newest frame for a board photo. Raises Refused where it is not usable, saying what to do."""
        return self._take(self._bench.frame().image)

    def add(self, jpeg: bytes) -> BoardLook:
        """Takes a photo that somebody brought. Raises Refused, UnusableFile."""
        return self._take(decode_picture(jpeg, "the photo"))

    def forget(self, number: int | None = None) -> None:
        """Takes the photo of that number (from 1), or all, out again. Raises BadRequest where there is none."""
        with self._bench.lock:
            if number is not None and not 1 <= number <= len(self._photos):
                raise BadRequest(f"number: expected a photo from 1 to {len(self._photos)}, got {number}")
            for photo in self._photos if number is None else [self._photos[number - 1]]:
                (self._bench.files.boards / photo.name).unlink(missing_ok=True)
            self._photos = [] if number is None else [p for i, p in enumerate(self._photos, 1) if i != number]
            self.told = None

    def solve(self) -> None:
        """Works the lens out, and uses it from now on. Raises Refused where there are no photos, JobFailed where
        they do not give one."""
        with self._bench.lock:
            if not self._photos:
                raise Refused("there are no board photos yet: take ten or more")
            found = calibrate_lens(self._photos)
            self.hold(put_away=True)
            self._bench.use_lens(found.intrinsics)
            doubt = found.doubt_px
            self.told = {
                "focal_px": round(found.intrinsics.fx, 1),
                "rms_px": round(float(found.intrinsics.rms_px or 0.0), 3),
                "doubt_px": None if not np.isfinite(doubt[1]) else round(doubt[1], 2),
                "views": len(found.views),
                "warnings": list(found.warnings),
            }

    def hold(self, *, put_away: bool = False) -> None:
        """The simulated camera's hand holds the board the next way, or puts it away. Raises Refused for others."""
        hands = self._hands()
        if hands is None:
            if put_away:
                return
            raise Refused("this camera is a real one: hold the board before it yourself")
        hands.hold(None if put_away else POSES[self._next_pose % len(POSES)])
        if not put_away:
            self._next_pose += 1

    def _hands(self) -> SimulatedCamera | None:
        source = self._bench.stand.source
        return source if isinstance(source, SimulatedCamera) else None

    def _take(self, image: NDArray[np.uint8]) -> BoardLook:
        grey = grey_of(image)
        with self._bench.lock:
            if len(self._photos) >= _MOST_PHOTOS:
                raise Refused(f"{_MOST_PHOTOS} photos are enough: work the lens out, or begin anew")
            sizes = {photo.size_px for photo in self._photos}
            size = grey.shape[1], grey.shape[0]
            if sizes and size not in sizes:
                width, height = next(iter(sizes))
                raise Refused(
                    f"this photo has {size[0]} x {size[1]} pixels, the others {width} x {height}: take all by the"
                    " same camera at the same size, or begin anew"
                )
            name = f"board-{1 + max((int(p.name[6:8]) for p in self._photos), default=0):02}.png"
            photo = self._read(name, grey)
            look = judged(grey, photo, self._photos)
            if look.faults:
                raise Refused(look.faults[0], look.faults)
            self._keep(name, image)
            self._photos.append(photo)
            return look

    def _keep(self, name: str, image: NDArray[np.uint8]) -> None:
        folder = self._bench.files.boards
        folder.mkdir(parents=True, exist_ok=True)
        done, data = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 3])
        assert done
        write_whole(folder / name, bytes(data))

    def _read_kept(self) -> None:
        """The photos of an earlier start of the program."""
        from calibration.pictures import read_picture

        folder = self._bench.files.boards
        if not folder.is_dir():
            return
        for path in sorted(folder.glob("board-??.png"))[:_MOST_PHOTOS]:
            self._photos.append(self._read(path.name, grey_of(read_picture(path))))

    def _read(self, name: str, grey: NDArray[np.uint8]) -> Photo:
        (photo,) = find_boards([(name, grey)], DEFAULT_BOARD)
        return photo

    def _same_size(self, grey: NDArray[np.uint8]) -> Sequence[Photo]:
        return [photo for photo in self._photos if photo.size_px == (grey.shape[1], grey.shape[0])]
