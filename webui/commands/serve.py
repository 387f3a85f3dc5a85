"""The real thing: a table file, a camera, and perhaps a game to begin with."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from calibration.records import read_intrinsics
from webui.live import LiveTable
from webui.table.beginning import beginning, open_desk
from webui.table.keeping import Keeping, default_folder, first_revision

__all__ = ["open_table"]


def open_table(
    table_file: Path | None,
    camera: str | None,
    *,
    lens_file: Path | None,
    empty_file: Path | None = None,
    game_file: Path | None,
    ruleset: str,
    data: Path | None,
    fresh: bool,
    fps: float = 2.0,
    campaign_file: Path | None = None,
) -> LiveTable:
    """A live table over a real camera; the journal in ``data`` goes on where it ended.

    What is not given is what the first evening has kept in ``data``; where that is nothing, the page leads through
    it. ``fps`` is how many pictures of a folder are shown a second, ``campaign_file`` a campaign that a game which
    begins is a part of.

    Raises the error of whatever file or option cannot be used, before anything is changed.
    """
    from vision.sources import open_source
    from webui.evening.bench import Workbench
    from webui.evening.camera_source import CameraStand
    from webui.evening.kept import Files, new_table

    folder = data or default_folder("serve")
    files = Files(folder, table_file, lens_file, empty_file)
    kept, lens, setup = files.read()
    empty = files.read_empty()
    if lens is None and lens_file is not None:
        lens = read_intrinsics(lens_file)
    table = kept or new_table()
    game = beginning(table, ruleset, game_file, campaign_file)
    spec = camera or setup.camera
    source = None if spec is None else open_source(spec, fps=fps, mode=setup.mode)
    with ExitStack() as unless_opened:
        if source is not None:
            unless_opened.callback(source.close)
        keeping = Keeping(folder)
        desk = open_desk(keeping, table, game, ruleset, fresh=fresh)
        unless_opened.pop_all()
    desk.takes_terrain = setup.ground == "camera"
    live = LiveTable(desk, mode="serve", clock_s=time.monotonic, first_revision=first_revision(), keeping=keeping)
    stand = CameraStand(source, table, lens, live, time.monotonic, empty)
    live.eye = stand
    live.add(stand)
    setup = replace(setup, camera=spec, lens="calibrated" if lens is not None else setup.lens)
    live.bench = Workbench(live, stand, files, table, lens, setup, empty)
    return live
