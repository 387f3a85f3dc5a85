"""What the first evening does, one command a step: ``vedette photo``, ``lay``, ``tape`` and ``point``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration.ranges import FiniteRange
from calibration.typed import numbers_in

if TYPE_CHECKING:
    from calibration.camera import CameraModel
    from calibration.prints.markers import FoundMarker
    from calibration.records import Table

__all__ = ["lay", "pair", "photo", "point", "tape"]

_FILE = click.Path(path_type=Path)
_TABLE = click.option(
    "--table", "table_file", required=True, type=_FILE, help="The table's file (vedette-table/1)."
)
_LENS = click.option("--intrinsics", "lens_file", type=_FILE, help="The lens from `vedette calibrate`.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.command()
@click.argument("source")
@click.option(
    "-o", "--output", type=_FILE, default=Path("photo.png"), show_default=True, help="The picture's file."
)
@click.option("--size", default="1920x1080", show_default=True, help="Width and height in pixels, of a device.")
@click.option("--lock-focus", is_flag=True, help="Keep the focus as it is, of a device.")
@click.option("--lock-exposure", is_flag=True, help="Keep the exposure as it is, of a device.")
@click.option(
    "--within", default=20.0, show_default=True, type=FiniteRange(min=0.0, max=86_400.0),
    help="Give up after so many seconds.",
)  # fmt: skip
def photo(source: str, output: Path, size: str, lock_focus: bool, lock_exposure: bool, within: float) -> None:
    """Take one picture with a camera: SOURCE is what `vedette serve --camera` takes."""
    import cv2

    from calibration.errors import JobFailed
    from calibration.reading import write_whole
    from vision.sources import Mode, open_source

    ending = output.suffix or ".png"
    if not cv2.haveImageWriter(f"photo{ending}"):
        raise click.BadParameter(f"expected a file such as photo.png or photo.jpg, got {output}", param_hint="-o")
    width, height = pair(size, "x", "--size", "1920x1080")
    mode = Mode(width_px=int(width), height_px=int(height), lock_focus=lock_focus, lock_exposure=lock_exposure)
    until = time.monotonic() + within
    with open_source(source, mode=mode) as opened:
        frame = opened.wait(-1, 1.0)
        while frame is None and time.monotonic() < until and opened.status.state != "ended":
            frame = opened.wait(-1, 1.0)
        detail = opened.status.detail
    if frame is None:
        raise JobFailed(f"{source}: no picture came within {within:g} s{f' ({detail})' if detail else ''}")
    done, data = cv2.imencode(ending, frame.image)
    assert done
    write_whole(output, bytes(data))
    click.echo(f"{output}: {frame.image.shape[1]} x {frame.image.shape[0]} pixels", err=True)
    if detail:
        click.echo(f"{source}: {detail}", err=True)


@click.command()
@click.argument("picture", metavar="PHOTO", type=_FILE)
@_TABLE
@_LENS
@click.option(
    "-o", "--output", required=True, type=_FILE, help="Where to write the table with its markers' places."
)
@click.option("--near-left", metavar="PX,PY", help="The pixel of the play area's near left corner …")
@click.option("--near-right", metavar="PX,PY", help="… and of its near right one; else it lies amid the markers.")
def lay(
    picture: Path,
    table_file: Path,
    lens_file: Path | None,
    output: Path,
    near_left: str | None,
    near_right: str | None,
) -> None:
    """Find where the table markers lie, from one PHOTO by the camera over the table.

    The markers lie flat, anywhere round the table. `vedette survey` does it from many photos, and more exactly.
    """
    from calibration.reading import STANDARD_OUTPUT
    from calibration.records import read_intrinsics, read_table, write_table
    from calibration.surveys.laying import lay_table

    if (near_left is None) != (near_right is None):
        raise click.UsageError("give both --near-left and --near-right, or neither")
    near = None
    if near_left is not None and near_right is not None:
        near = pair(near_left, ",", "--near-left", "120,950"), pair(near_right, ",", "--near-right", "1800,950")
    table, lens = read_table(table_file), None if lens_file is None else read_intrinsics(lens_file)
    image, found = _seen(picture, table)
    markers = [marker for marker in found if marker.id < 10]
    laid = lay_table(markers, (image.shape[1], image.shape[0]), table, lens, near)
    write_table(output, laid.table)
    for marker in laid.table.markers.at:
        click.echo(f"marker {marker.id}: {marker.x_mm:8.1f} {marker.y_mm:8.1f} mm", err=output == STANDARD_OUTPUT)
    for warning in laid.warnings:
        click.echo(f"warning: {warning}", err=True)


@click.command()
@click.argument("picture", metavar="PHOTO", type=_FILE)
@_TABLE
@_LENS
@click.option(
    "--length", required=True, metavar="A:B=MM", help="The distance between two markers' centres, by tape."
)
@_JSON
def tape(picture: Path, table_file: Path, lens_file: Path | None, length: str, as_json: bool) -> None:
    """Check a table with a known length: what the camera makes of it in PHOTO, and what the tape says.

    Exit status 1 where they disagree.
    """
    import msgspec

    from calibration.errors import JobFailed
    from calibration.poses.taped import compare, ends_of
    from calibration.records import read_table

    ends, _, mm = length.partition("=")
    first, second = pair(ends, ":", "--length", "0:2=2272")
    (by_tape,) = _numbers(mm, "--length", 1, "0:2=2272")
    table = read_table(table_file)
    model, found, _ = _camera(picture, table, lens_file)
    places = {marker.id: marker.centre_px for marker in found}
    taped = compare(model, ends_of(places, int(first), int(second)), by_tape)
    if as_json:
        click.echo(msgspec.json.encode(taped))
    if not taped.agrees:
        raise JobFailed(taped.said)
    if not as_json:
        click.echo(taped.said)


@click.command()
@click.argument("picture", metavar="PHOTO", type=_FILE)
@_TABLE
@_LENS
@click.option("--at", "at", required=True, metavar="PX,PY", help="The pixel of the base's middle.")
@click.option("--army", help="Add the base to this army's on the table …")
@click.option("--kind", default="foot", show_default=True, help="… as this kind …")
@click.option("-o", "--output", type=_FILE, help="… and write the table here.")
@_JSON
def point(
    picture: Path, table_file: Path, lens_file: Path | None, at: str, army: str | None, kind: str,
    output: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Read a base off PHOTO: its colour, shape and size."""
    import msgspec

    from calibration.records import read_table, write_table
    from vision.pointing import read_base, with_kind

    if (army is None) != (output is None):
        raise click.UsageError("give both --army and -o, or neither")
    table = read_table(table_file)
    model, found, image = _camera(picture, table, lens_file)
    read = read_base(image, model, table, pair(at, ",", "--at", "960,540"), found)
    if as_json:
        click.echo(msgspec.json.encode(read))
    else:
        shape = "a round base" if read.bearing_deg is None else "a rectangular base"
        size = " x ".join(f"{one:g}" for one in read.measured_mm)
        click.echo(f"{shape} of {size} mm, painted {read.colour}, at {read.x_mm:.1f}, {read.y_mm:.1f} mm")
    if army is not None and output is not None:
        added = with_kind(table.armies, army, read.colour, msgspec.structs.replace(read.kind, name=kind))
        write_table(output, msgspec.structs.replace(table, armies=added))


def _camera(
    picture: Path, table: Table, lens_file: Path | None
) -> tuple[CameraModel, tuple[FoundMarker, ...], Any]:
    from calibration.poses.pose import solve_pose
    from calibration.records import read_intrinsics

    image, found = _seen(picture, table)
    lens = None if lens_file is None else read_intrinsics(lens_file)
    return solve_pose(found, table, lens, (image.shape[1], image.shape[0])), found, image


def _seen(picture: Path, table: Table) -> tuple[Any, tuple[FoundMarker, ...]]:
    from calibration.pictures import read_picture
    from calibration.prints.markers import find_markers

    image = read_picture(picture)
    return image, find_markers(image, table.markers.dictionary)


def pair(text: str, between: str, option: str, such: str) -> tuple[float, float]:
    """Two numbers as they are typed, ``120,950`` or ``1920x1080``. Raises BadParameter, which shows ``such``."""
    a, b = _numbers(text, option, 2, such, between)
    return a, b


def _numbers(text: str, option: str, count: int, such: str, between: str = ",") -> tuple[float, ...]:
    numbers = numbers_in(text, between)
    if len(numbers) != count:
        raise click.BadParameter(f"expected such as {such}, got {text!r}", param_hint=option)
    return numbers
