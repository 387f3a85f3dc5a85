"""The commands that look: ``vedette measure`` and ``vedette watch``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from calibration.ranges import FiniteRange

if TYPE_CHECKING:
    import rich.table

    from calibration.records import Table
    from vision.records import Observation, WatchEvent

__all__ = ["measure", "watch"]

_FILE = click.Path(path_type=Path)

_TABLE = click.option(
    "--table", "table_file", required=True, type=_FILE, help="The table's file (vedette-table/1)."
)
_LENS = click.option("--intrinsics", "lens_file", type=_FILE, help="The lens from `vedette calibrate`.")
_EMPTY = click.option(
    "--empty",
    "empty_file",
    metavar="EMPTY_PHOTO",
    type=_FILE,
    help="A photo of the table by the same camera, terrain laid but no figures yet: by it, bases without a painted"
    " rim are found too (they belong to no army).",
)


@click.command()
@click.argument("photo", type=_FILE)
@_TABLE
@_LENS
@_EMPTY
@click.option("--json", "as_json", is_flag=True, help="Print the observation as vedette-observation/1.")
def measure(photo: Path, table_file: Path, lens_file: Path | None, empty_file: Path | None, as_json: bool) -> None:
    """Measure one photo of the table: unit tags, bases and terrain, in millimetres."""
    from calibration.pictures import read_picture
    from calibration.records import read_intrinsics, read_table
    from vision.measure import measure as measured
    from vision.records import observation_json

    table = read_table(table_file)
    lens = None if lens_file is None else read_intrinsics(lens_file)
    empty = None if empty_file is None else read_picture(empty_file)
    seen = measured(read_picture(photo), table, lens, empty)
    if as_json:
        click.echo(observation_json(seen), nl=False)
    else:
        _print(seen, table)
    for warning in seen.warnings:
        _warn(warning)


@click.command()
@click.argument("source")
@_TABLE
@_LENS
@_EMPTY
@click.option(
    "--fps",
    default=2.0,
    show_default=True,
    type=FiniteRange(min=0.0, min_open=True, max=60.0),
    help="How many pictures of a folder count as one second.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def watch(
    source: str, table_file: Path, lens_file: Path | None, empty_file: Path | None, fps: float, as_json: bool
) -> None:
    """Watch SOURCE and tell what moves: a camera's number, a video, a folder, or an http:// or rtsp:// address."""
    from calibration.pictures import read_picture
    from calibration.records import read_intrinsics, read_table
    from vision.following.watching import watch as events_of
    from vision.sources import frames

    table = read_table(table_file)
    lens = None if lens_file is None else read_intrinsics(lens_file)
    empty = None if empty_file is None else read_picture(empty_file)
    for event in events_of(frames(source, fps, _warn), table, lens, empty):
        click.echo(_line(event, as_json))


def _warn(warning: str) -> None:
    click.echo(f"warning: {warning}", err=True)


def _line(event: WatchEvent, as_json: bool) -> str:
    """An event as one line."""
    import msgspec

    if as_json:
        return msgspec.json.encode(event).decode()
    said = msgspec.to_builtins(event)
    what = " ".join(str(said[key]) for key in ("army", "base") if said.get(key))
    words = [f"{event.t_s:8.2f} s", event.event, what]
    words += [
        f"{word} {said[key][0]:.0f}, {said[key][1]:.0f}"
        for word, key in (("from", "from_mm"), ("to", "to_mm"))
        if key in said
    ]
    if "distance_mm" in said:
        words.append(f"({said['distance_mm']:.1f} mm)")
    return "  ".join(word for word in words if word)


def _print(seen: Observation, table: Table) -> None:
    """The observation as tables for a person."""
    from rich.console import Console

    console = Console(markup=False)  # names are the user's, and may hold brackets
    x, y, z = seen.camera.position_mm
    console.print(
        f"Camera at {x:.0f}, {y:.0f}, {z:.0f} mm by markers {', '.join(map(str, seen.camera.markers_used))}"
        f" (they agree to {seen.camera.reprojection_rms_px:.2f} px)"
    )
    for part in (_bases(seen), _tags(seen), _terrain(seen, table)):
        if part.row_count:
            console.print(part)
        else:
            console.print(f"No {str(part.title).lower()} seen.")


def _bases(seen: Observation) -> rich.table.Table:
    from rich.table import Table as Grid

    grid = Grid("army", "base", "x mm", "y mm", "ground mm", "bearing", "± mm", "sure", title="Bases")
    for base in sorted(seen.bases, key=lambda b: (b.army or "", b.base or "", b.x_mm)):
        bearing = "?" if base.bearing_deg is None else f"{base.bearing_deg:.0f}°"
        grid.add_row(
            base.army or "?",
            base.base or "?",
            f"{base.x_mm:.1f}",
            f"{base.y_mm:.1f}",
            f"{base.z_mm:.0f}",
            bearing,
            f"{base.sigma_mm:.1f}",
            f"{base.confidence:.0%}",
        )
    return grid


def _tags(seen: Observation) -> rich.table.Table:
    from rich.table import Table as Grid

    grid = Grid("tag", "x mm", "y mm", "bearing", "± mm", title="Tags")
    for tag in seen.tags:
        grid.add_row(
            str(tag.id), f"{tag.x_mm:.1f}", f"{tag.y_mm:.1f}", f"{tag.bearing_deg:.1f}°", f"{tag.sigma_mm:.1f}"
        )
    return grid


def _terrain(seen: Observation, table: Table) -> rich.table.Table:
    import numpy as np
    from rich.table import Table as Grid

    heights = {kind.kind: kind.height_mm for kind in table.terrain_kinds}
    grid = Grid("kind", "height mm", "about x mm", "about y mm", "corners", "± mm", title="Terrain")
    for piece in seen.terrain:
        x, y = np.array(piece.polygon_mm).mean(axis=0)
        grid.add_row(
            piece.kind,
            f"{heights[piece.kind]:.0f}",
            f"{x:.0f}",
            f"{y:.0f}",
            str(len(piece.polygon_mm)),
            f"{piece.sigma_mm:.1f}",
        )
    return grid
