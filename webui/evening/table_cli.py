"""``vedette evening``: the game, the camera, the table and its markers, and what a photo shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from calibration.ranges import FiniteRange
from webui.evening.options import FILE, PHOTO, of_an_evening

if TYPE_CHECKING:
    from webui.evening.offline import Evening

__all__ = ["begin", "camera", "empty", "grid", "lay", "look", "rules", "show", "size", "tape"]


@click.command()
@click.argument("game_file", metavar="[GAME.json]", required=False, type=FILE)
@of_an_evening
@click.option("--ruleset", default="muskets-mohawks", show_default=True, help="The rules, where no game is given.")
@click.option("--campaign", "campaign_file", metavar="FILE.json", type=FILE, help="A campaign that it is part of.")
@click.option("--fresh", is_flag=True, help="The log of the last game is put aside.")
def begin(evening: Evening, game_file: Path | None, ruleset: str, campaign_file: Path | None, fresh: bool) -> None:
    """Begins a game in the folder: that of GAME.json, else one without units on the table that is set up.

    Where no table is set up, it is one of the game's size, else of 6 x 4 ft.
    """
    from engine.records.game import read_game
    from webui.errors import UnusableOption
    from webui.evening.kept import Files, new_table
    from webui.table.beginning import beginning, empty_game, open_desk
    from webui.table.keeping import JOURNAL, Keeping

    folder = evening.folder
    files = Files(folder, evening.table, evening.lens)
    kept = files.read()[0]
    size = None if kept is not None or game_file is None else read_game(game_file).table
    table = kept or (new_table() if size is None else new_table(size.width_mm, size.depth_mm))
    game = beginning(table, ruleset, game_file, campaign_file) or empty_game(table, ruleset)
    if (folder / JOURNAL).exists() and not fresh:
        raise UnusableOption(f"--data {folder}: a game is kept here already; --fresh puts its log aside")
    keeping = Keeping(folder)
    try:
        open_desk(keeping, table, game, ruleset, fresh=fresh).journal.close()
        if kept is None:
            files.keep_table(table)
            click.echo(f"{files.table}: written", err=True)
    finally:
        keeping.close()
    click.echo(f"{folder / JOURNAL}: {game.ruleset}, {len(game.units)} units")


@click.command()
@of_an_evening
@click.option("--photo", metavar="PHOTO", type=FILE, help="A picture of the table, to say what is seen on it.")
@click.option("--json", "as_json", is_flag=True, help="Print all of it as JSON, as GET /api/evening has it.")
def show(evening: Evening, photo: Path | None, as_json: bool) -> None:
    """Shows how every step stands: what is wrong, and what to do about it."""
    import msgspec

    from webui.evening.lenses import BoardBook
    from webui.evening.offline import at_the_bench
    from webui.evening.overview import overview

    with at_the_bench(evening, photo) as (bench, _, _):
        told = overview(bench, BoardBook(bench))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(told), indent=1))
        return
    for step in told["steps"]:
        click.echo(f"{step.title} ({step.mood}): {' '.join(step.says)}")


@click.command()
@click.argument("source")
@of_an_evening
@click.option("--size", default="1920x1080", show_default=True, help="Width and height in pixels, of a device.")
@click.option("--lock-focus", is_flag=True, help="Keep the focus as it is, of a device.")
@click.option("--lock-exposure", is_flag=True, help="Keep the exposure as it is, of a device.")
@click.option("--focus", type=FiniteRange(min=0.0, max=1023.0), help="Focus there, of a device.")
def camera(
    evening: Evening, source: str, size: str, lock_focus: bool, lock_exposure: bool, focus: float | None
) -> None:
    """Chooses the camera that `vedette serve` watches: SOURCE is what its --camera takes."""
    from vision.setup_cli import pair
    from vision.sources import Mode
    from webui.evening.offline import at_the_bench

    width, height = pair(size, "x", "--size", "1920x1080")
    if not all(one.is_integer() and 160 <= one <= 8192 for one in (width, height)):
        raise click.BadParameter(f"expected 160 to 8192 pixels a side, got {size!r}", param_hint="--size")
    mode = Mode(
        width_px=int(width), height_px=int(height), lock_focus=lock_focus, lock_exposure=lock_exposure, focus=focus
    )
    with at_the_bench(evening) as (bench, _, _):
        bench.use_camera(source.strip(), mode)
    click.echo(f"{bench.files.setup}: camera {source.strip()}")


@click.command()
@click.argument("size", metavar="WIDTHxDEPTH")
@of_an_evening
@click.option(
    "--marker",
    "marker_mm",
    type=FiniteRange(min=15, max=400),
    help="The printed markers' size in mm; as it was unless told.",
)
def size(evening: Evening, size: str, marker_mm: float | None) -> None:
    """Says how large the table is, in mm, and the printed markers: 'evening size 1830x1220 --marker 80'."""
    from vision.setup_cli import pair
    from webui.evening.layout import SIZES_MM, resize
    from webui.evening.offline import at_the_bench

    width, depth = pair(size, "x", "WIDTHxDEPTH", "1830x1220")
    least, most = SIZES_MM
    if not all(least <= side <= most for side in (width, depth)):
        raise click.BadParameter(
            f"expected {least:g} to {most:g} mm a side, got {size!r}{_in_mm(width, depth)}",
            param_hint="WIDTHxDEPTH",
        )
    with at_the_bench(evening) as (bench, _, _):
        resize(bench, width, depth, bench.table.markers.size_mm if marker_mm is None else marker_mm)


def _in_mm(width: float, depth: float) -> str:
    """What a size comes to that is meant in feet, as it seems, or in inches; nothing where it cannot be either.

    >>> _in_mm(6, 4), _in_mm(72, 48), _in_mm(5, 1200)
    ('; 6 x 4 ft are 1829x1219', '; 72 x 48 in are 1829x1219', '')
    """
    for sign, mm in (("ft", 304.8), ("in", 25.4)):
        if all(600.0 <= side * mm <= 6000.0 for side in (width, depth)):
            return f"; {width:g} x {depth:g} {sign} are {width * mm:.0f}x{depth * mm:.0f}"
    return ""


@click.command()
@of_an_evening
@PHOTO
@click.option("--near-left", metavar="PX,PY", help="The pixel of the play area's near left corner …")
@click.option("--near-right", metavar="PX,PY", help="… and of its near right one; else it lies amid the markers.")
def lay(evening: Evening, photo: Path, near_left: str | None, near_right: str | None) -> None:
    """Finds where the table markers lie, from one photo by the camera over the table."""
    from vision.setup_cli import pair
    from webui.evening.layout import lay as laid
    from webui.evening.offline import at_the_bench

    if (near_left is None) != (near_right is None):
        raise click.UsageError("give both --near-left and --near-right, or neither")
    near = None
    if near_left is not None and near_right is not None:
        near = pair(near_left, ",", "--near-left", "120,950"), pair(near_right, ",", "--near-right", "1800,950")
    with at_the_bench(evening, photo, look=False) as (bench, _, stand):
        shares = None if near is None else (stand.share(near[0]), stand.share(near[1]))
        for warning in laid(bench, shares):
            click.echo(f"warning: {warning}", err=True)
    for marker in bench.table.markers.at:
        click.echo(f"marker {marker.id}: {marker.x_mm:8.1f} {marker.y_mm:8.1f} mm")


@click.command()
@click.argument("length", metavar="A:B=MM")
@of_an_evening
@PHOTO
@click.option("--scale", is_flag=True, help="Scale the table to the tape.")
def tape(evening: Evening, length: str, photo: Path, scale: bool) -> None:
    """Checks the table with the distance between two markers' centres by tape, or scales it to that.

    Exit status 1 where they disagree.
    """
    from calibration.errors import JobFailed
    from webui.evening.layout import scale_to_tape
    from webui.evening.layout import tape as taped
    from webui.evening.offline import at_the_bench

    typed = re.fullmatch(r"(\d+):(\d+)=(\d+(?:\.\d*)?)", length)
    if typed is None:
        raise click.BadParameter(f"expected such as 0:2=2272, got {length!r}", param_hint="A:B=MM")
    first, second, mm = int(typed[1]), int(typed[2]), float(typed[3])
    with at_the_bench(evening, photo, look=False) as (bench, _, _):
        if scale:
            for warning in scale_to_tape(bench, (first, second), mm):
                click.echo(f"warning: {warning}", err=True)
            return
        found = taped(bench, (first, second), mm)
    if not found.agrees:
        raise JobFailed(found.said)
    click.echo(found.said)


@click.command()
@of_an_evening
@click.option("--photo", metavar="PHOTO", type=FILE, help="The table, terrain laid, all figures off.")
@click.option("--forget", is_flag=True, help="Look no more for bases without paint; the photo is put aside.")
def empty(evening: Evening, photo: Path | None, forget: bool) -> None:
    """Keeps a photo of the empty table, by which bases without a painted rim are found; or forgets it."""
    from webui.evening.emptied import change_empty
    from webui.evening.offline import at_the_bench

    if (photo is None) != forget:
        raise click.UsageError("expected --photo, or --forget")
    with at_the_bench(evening, photo, look=False) as (bench, _, _):
        change_empty(bench, "forget" if forget else "take")
        click.echo(f"{bench.files.empty}: {'put aside' if forget else 'written'}", err=True)


@click.command()
@click.argument("ruleset")
@of_an_evening
@click.option("--anew", is_flag=True, help="Begin a new game, without the units that there are.")
def rules(evening: Evening, ruleset: str, anew: bool) -> None:
    """Says which rules are played; where there are units, only --anew plays by others."""
    from webui.evening.offline import at_the_bench

    with at_the_bench(evening) as (bench, desk, _):
        bench.use_rules(ruleset, anew=anew)
    click.echo(desk.ruleset.title)


@click.command()
@of_an_evening
@PHOTO
def look(evening: Evening, photo: Path) -> None:
    """Takes in what a photo shows, as the camera's next picture: what has moved, terrain that is new."""
    from webui.evening.offline import at_the_bench

    with at_the_bench(evening, photo) as (_, desk, stand):
        assert stand.measured is not None
        if desk.look(stand.measured[2]) is None:
            click.echo("nothing has moved")
        for warning in stand.measured[2].warnings:
            click.echo(f"warning: {warning}", err=True)


@click.command()
@of_an_evening
@PHOTO
@click.option("--kind", type=click.Choice(["hex", "square"]), help="What is printed; both are tried unless told.")
@click.option("--size", "size_mm", type=FiniteRange(min=0.0, max=1e6, min_open=True), help="Its size in mm.")
def grid(evening: Evening, photo: Path, kind: Literal["hex", "square"] | None, size_mm: float | None) -> None:
    """Has the game played on the squares or hexes that are printed on the mat in a photo."""
    from webui.camera.mat import find_grid, grid_like, told
    from webui.evening.offline import at_the_bench

    with at_the_bench(evening, photo) as (bench, desk, stand):
        assert stand.measured is not None
        image, camera, seen = stand.measured
        found = find_grid(image, camera, seen, bench.table, grid_like(desk.game), kind=kind, size_mm=size_mm)
        desk.set_grid(found)
    click.echo(told(found))
