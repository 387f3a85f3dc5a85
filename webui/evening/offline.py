"""An evening that no program has open, in the hands of one command: its folder, its desk, and perhaps a photo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from calibration.camera import CameraModel
from calibration.pictures import read_picture
from calibration.records import Intrinsics, Table
from vision.frames.records import Image
from vision.measure import Measurer
from vision.records import Observation
from vision.sources import Frame, Source, SourceStatus
from webui.errors import Refused, UnusableOption
from webui.evening.bench import Workbench
from webui.evening.kept import Files, new_table
from webui.shown.state import entry_view
from webui.table.beginning import open_desk
from webui.table.desk import Desk
from webui.table.keeping import JOURNAL, Keeping, default_folder

__all__ = ["Alone", "Evening", "Photo", "at_the_bench"]

T = TypeVar("T")


class Evening(Struct, frozen=True, kw_only=True):
    """Which evening a command means: the folder of `vedette serve --data`, and files that lie elsewhere."""

    data: Path | None = None
    table: Path | None = None
    lens: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder; without one, that of `vedette serve`."""
        return self.data or default_folder("serve")


class Alone:
    """The owner of a desk that nobody else works at."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def do(self, task: Callable[[Desk], T]) -> T:
        """Does it at once."""
        return task(self.desk)


class Photo:
    """A photo in the place of the camera; ``measured`` is what a look at it gave."""

    def __init__(self, image: Image | None) -> None:
        self._frame = None if image is None else Frame(number=0, t_s=0.0, image=image)
        self.measured: tuple[Image, CameraModel, Observation] | None = None

    @property
    def source(self) -> Source | None:
        """No camera is watched."""
        return None

    def frame(self) -> Frame | None:
        """The photo."""
        return self._frame

    def status(self) -> SourceStatus:
        """A photo is always there; without one it is said how to give it."""
        return SourceStatus(state="ended", detail="" if self._frame is not None else "give one with --photo")

    def use(self, source: Source) -> None:
        """A camera that is only tried is closed again."""
        source.close()

    def let_go(self) -> None:
        """Nothing is held."""

    def lay(self, table: Table, lens: Intrinsics | None, empty: Image | None) -> None:
        """The next command measures by it."""

    def share(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """A pixel as shares of the photo's width and height."""
        assert self._frame is not None
        height, width = self._frame.image.shape[:2]
        return pixel[0] / width, pixel[1] / height

    def look(self, table: Table, lens: Intrinsics | None, empty: Image | None) -> Observation | None:
        """What the photo shows. Raises CalibrationError, VisionError."""
        if self._frame is None:
            return None
        measurer = Measurer(table, lens, empty)
        seen = measurer.measure(self._frame.image)
        assert measurer.camera is not None
        self.measured = self._frame.image, measurer.camera, seen
        return seen


@contextmanager
def at_the_bench(
    evening: Evening, photo: Path | None = None, *, look: bool = True
) -> Iterator[tuple[Workbench, Desk, Photo]]:
    """The workbench of an evening, its desk, and the photo, which the desk has seen where ``look`` is wanted.

    What is done is written as the page writes it, and said. Raises UnusableOption where there is no such evening,
    or a running program has it; what the desk refuses as things stand is said with the folder's name.
    """
    folder = evening.folder
    if not (folder / JOURNAL).is_file():
        raise UnusableOption(
            f"--data {folder}: expected the folder of an evening with its {JOURNAL}, found none;"
            " 'vedette evening begin' makes one"
        )
    stand = Photo(None if photo is None else read_picture(photo))
    files = Files(folder, evening.table, evening.lens)
    table, lens, setup = files.read()
    empty = files.read_empty()
    if table is not None and look and photo is not None:
        stand.look(table, lens, empty)  # before the folder is held, for it takes a while
    keeping = Keeping(folder)
    try:
        desk = open_desk(keeping, table or new_table(), None, "muskets-mohawks", fresh=False)
    except BaseException:
        keeping.close()
        raise
    try:
        if table is None:  # a demo's, say: of its table the game alone tells
            desk.table = new_table(desk.game.table.width_mm, desk.game.table.depth_mm)
        desk.takes_terrain = setup.ground == "camera"
        if stand.measured is not None:
            desk.see(stand.measured[2])
        setup = replace(setup, lens="calibrated" if lens is not None else setup.lens)
        bench = Workbench(Alone(desk), stand, files, desk.table, lens, setup, empty)
        yield from _said(bench, desk, stand)
    finally:
        desk.journal.close()
        keeping.close()


def _said(bench: Workbench, desk: Desk, stand: Photo) -> Iterator[tuple[Workbench, Desk, Photo]]:
    """Has something done, and says what was written; what is refused as things stand is said of the folder."""
    table, entries = bench.table, len(desk.journal.entries)
    try:
        yield bench, desk, stand
    except Refused as error:
        reasons = "; ".join(error.reasons)
        raise Refused(f"{bench.files.folder}: {error}{f': {reasons}' if reasons else ''}") from error
    if bench.table != table:
        click.echo(f"{bench.files.table}: written", err=True)
    for entry in desk.journal.entries[entries:]:
        told = entry_view(desk, entry)
        click.echo("; ".join([str(told["title"]), *map(str, told["lines"])]))
        click.echo(f"{desk.journal.path}: entry {entry.number}", err=True)
