"""What the first evening keeps between starts: the table's file, the lens's, the photo of the empty table, and how
the camera is used."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import cv2
import msgspec
import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from calibration.pictures import read_picture
from calibration.reading import read_json, write_whole
from calibration.records import (
    MOST_SPAN_MM,
    Intrinsics,
    Markers,
    Table,
    TableSize,
    Tags,
    read_intrinsics,
    read_table,
    write_intrinsics,
    write_table,
)  # fmt: skip
from vision.sources import Mode

__all__ = ["SETUP_FORMAT", "Files", "Setup", "new_table"]

Image = NDArray[np.uint8]

SETUP_FORMAT = "vedette-setup/1"

_Pixels = Annotated[int, Meta(ge=160, le=8192)]


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the table is used: its camera, and what people said in the steps.

    ``lens``: none was chosen yet, it is guessed from the markers, or calibrated. ``corners``: the play area's
    corners were pointed at. ``tape_mm`` is the length that the table was checked with, ``tape_off_mm`` what the
    camera made it longer by. ``ground``: terrain is taken from the camera as it is seen, or was accepted and stays.
    """

    format: Literal["vedette-setup/1"] = "vedette-setup/1"
    camera: str | None = None
    width_px: _Pixels = 1920
    height_px: _Pixels = 1080
    lock_focus: bool = False
    lock_exposure: bool = False
    focus: float | None = None
    lens: Literal["none", "guessed", "calibrated"] = "none"
    corners: bool = False
    tape_mm: float | None = None
    tape_off_mm: float | None = None
    ground: Literal["camera", "accepted"] = "camera"

    @property
    def mode(self) -> Mode:
        """How the camera is asked to run."""
        return Mode(
            width_px=self.width_px, height_px=self.height_px, lock_focus=self.lock_focus,
            lock_exposure=self.lock_exposure, focus=self.focus,
        )  # fmt: skip


class Files:
    """Where it is kept: in the data folder, but for files that the command line named."""

    def __init__(
        self, folder: Path, table: Path | None = None, lens: Path | None = None, empty: Path | None = None
    ) -> None:
        self.folder = folder
        self.empty = folder / "empty.png"
        self._others_empty = empty
        self.table = table or folder / "table.toml"
        self.lens = lens or folder / "lens.json"
        self.setup = folder / "setup.json"
        self.boards = folder / "board-photos"
        self._others_table = table is not None

    def read(self) -> tuple[Table | None, Intrinsics | None, Setup]:
        """What is kept; None for files that are not there. Raises UnusableFile for one that cannot be used."""
        table = read_table(self.table) if self._others_table or self.table.exists() else None
        lens = read_intrinsics(self.lens) if self.lens.exists() else None
        setup = read_json(self.setup, Setup, SETUP_FORMAT) if self.setup.exists() else Setup()
        return table, lens, setup

    def read_empty(self) -> Image | None:
        """The photo of the empty table: the command line's, else what is kept; None where there is none.

        Raises UnusableFile for one that cannot be used.
        """
        if self._others_empty is None and not self.empty.exists():
            return None
        return read_picture(self._others_empty or self.empty)

    def empty_since_s(self) -> float | None:
        """When the photo of the empty table that is kept was taken, in seconds of the epoch."""
        if self._others_empty is not None or not self.empty.exists():
            return None
        return self.empty.stat().st_mtime

    def keep_empty(self, photo: Image | None) -> None:
        """Writes the photo of the empty table; the old one is put aside, and None puts nothing in its place.

        A file that the command line named is let be, and no longer used.
        """
        self._others_empty = None
        if self.empty.exists():
            self.empty.replace(self.empty.with_name(f"{self.empty.name}.before"))
        if photo is not None:
            done, data = cv2.imencode(".png", photo)
            assert done
            write_whole(self.empty, bytes(data))

    def keep_table(self, table: Table) -> None:
        """Writes the table; a file that the user had written himself is kept beside it once, as ``….before``."""
        before = self.table.with_name(f"{self.table.name}.before")
        if self._others_table and self.table.exists() and not before.exists():
            write_whole(before, self.table.read_bytes())
        write_table(self.table, table)

    def keep_lens(self, lens: Intrinsics | None) -> None:
        """Writes the lens; None puts the old one aside, so that the lens is guessed."""
        if lens is not None:
            write_intrinsics(self.lens, lens)
        elif self.lens.exists():
            self.lens.replace(self.lens.with_name(f"{self.lens.name}.before"))

    def keep_setup(self, setup: Setup) -> None:
        """Writes how the table is used."""
        write_whole(self.setup, msgspec.json.format(msgspec.json.encode(setup), indent=1) + b"\n")


def new_table(width_mm: float = 1828.8, depth_mm: float = 1219.2) -> Table:
    """A table of which nothing but its size in mm is known yet: 6 x 4 ft unless told.

    The table of a game may be larger than that of a camera.
    """
    return Table(
        format="vedette-table/1",
        table=TableSize(width_mm=min(width_mm, MOST_SPAN_MM), depth_mm=min(depth_mm, MOST_SPAN_MM)),
        markers=Markers(dictionary="DICT_4X4_100", size_mm=80.0),
        tags=Tags(size_mm=25.0),
    )
