"""The commands that set a table up: ``vedette sheets``, ``vedette calibrate`` and ``vedette survey``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration.telling import (
    calibration_json,
    demand_one_on_stdout,
    print_calibration,
    print_json,
    print_survey,
    survey_json,
    warn,
)
from calibration.typed import numbers_in

if TYPE_CHECKING:
    from calibration.records import Table
    from calibration.surveys.lengths import Length

__all__ = ["calibrate", "sheets", "survey"]

_FILE = click.Path(path_type=Path)
_DICTIONARY = "DICT_4X4_100"


@click.command()
@click.option("-o", "--output", type=_FILE, default=Path("vedette-sheets.pdf"), show_default=True, help="The PDF.")
@click.option("--paper", type=click.Choice(["A4", "letter"], case_sensitive=False), default="A4", show_default=True)
@click.option("--what", default="ruler,markers,tags,board", show_default=True, help="Which of these to print.")
@click.option(
    "--marker-size", "marker_mm", type=float, default=80.0, show_default=True, help="Table markers, in mm."
)
@click.option("--tag-size", "tag_mm", type=float, default=25.0, show_default=True, help="Unit tags, in mm.")
@click.option("--ids", help="Only these ids, such as 0-3,10-29: below 10 table markers, from 10 on unit tags.")
@click.option("--dictionary", default=_DICTIONARY, show_default=True, help="The dictionary of markers and tags.")
@click.option("--board", metavar="COLSxROWS:SQUARE_MM:MARKER_MM:DICT", help="Another calibration board.")
def sheets(
    output: Path,
    paper: str,
    what: str,
    marker_mm: float,
    tag_mm: float,
    ids: str | None,
    dictionary: str,
    board: str | None,
) -> None:
    """Print markers, tags and calibration board to a PDF, true to scale.

    Print it at 100 % (actual size), and check the printed ruler with a real one.
    """
    from calibration.lenses.boards import DEFAULT_BOARD, read_board
    from calibration.reading import write_whole
    from calibration.sheets import PARTS, Order, make_sheets

    parts = _parts(what, PARTS)
    for name, size in (("--marker-size", marker_mm), ("--tag-size", tag_mm)):
        if not 5 <= size <= 1000:
            raise click.BadParameter(f"expected 5 to 1000 mm, got {size:g}", param_hint=name)
    wanted = list(range(100)) if ids is None else _ids(ids)
    none_of = {name for name, some in (("markers", min(wanted) < 10), ("tags", max(wanted) >= 10)) if not some}
    if none_of.issuperset(parts):
        raise click.BadParameter(f"expected ids of {' or '.join(parts)}, got {ids}: no page", param_hint="--ids")
    order = Order(
        paper="A4" if paper.lower() == "a4" else "letter",
        parts=parts,
        dictionary=dictionary,
        marker_ids=[i for i in wanted if i < 10],
        tag_ids=[i for i in wanted if i >= 10],
        marker_mm=marker_mm,
        tag_mm=tag_mm,
        board=DEFAULT_BOARD if board is None else read_board(board),
    )
    write_whole(output, make_sheets(order))
    click.echo(f"{output}: print it at 100 % (actual size), then check its ruler with a real one", err=True)


@click.command()
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True, type=_FILE)
@click.option(
    "--board",
    metavar="COLSxROWS:SQUARE_MM:MARKER_MM:DICT",
    help="The ChArUco board on the photos, in squares and mm (that of `vedette sheets` unless told).",
)
@click.option("-o", "--output", type=_FILE, help="Where to write the lens (vedette-camera/1).")
@click.option("--json", "as_json", is_flag=True, help="Print the lens and all figures as JSON.")
def calibrate(photos: tuple[Path, ...], board: str | None, output: Path | None, as_json: bool) -> None:
    """Work out a lens from photos of the calibration board.

    Ten to twenty photos, sharp, tilted to all sides, at the size and focus that you play with. Both layouts of
    ChArUco boards are known; which one was found is said.
    """
    from calibration.lenses.boards import DEFAULT_BOARD, read_board
    from calibration.lenses.lens import calibrate_lens, find_boards
    from calibration.pictures import grey_of, read_picture
    from calibration.records import write_intrinsics

    if output is None and not as_json:
        raise click.UsageError("give -o CAM.json for the lens to be written to, or --json to print it")
    demand_one_on_stdout(output, as_json)
    wanted = DEFAULT_BOARD if board is None else read_board(board)
    pictures = [(str(path), grey_of(read_picture(path))) for path in _progress(photos)]
    found = calibrate_lens(find_boards(pictures, wanted))
    if output is not None:
        write_intrinsics(output, found.intrinsics)
    if as_json:
        print_json(calibration_json(found))
    else:
        print_calibration(found, output)
    warn(found.warnings)


@click.command()
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True, type=_FILE)
@click.option("--table", "table_file", type=_FILE, required=True, help="The table file to start from.")
@click.option("--intrinsics", "lens_file", type=_FILE, help="The lens from `vedette calibrate`.")
@click.option("-o", "--output", type=_FILE, help="Where to write the table with its markers' places.")
@click.option("--frame", default="0:1", show_default=True, help="The two markers A:B that the frame hangs on.")
@click.option(
    "--origin", help="Where the centre of A lies on the table: X,Y or X,Y,Z in mm (as in T.toml, or 0,0)."
)
@click.option(
    "--bearing", type=float, help="The bearing from A to B in degrees (as in T.toml, or 90: to the right)."
)
@click.option(
    "--length",
    "lengths",
    metavar="A:B=MM",
    multiple=True,
    help="The distance between two markers' centres, by tape; sets the scale. Long spans are best; give several.",
)
@click.option("--dictionary", help="The dictionary of the markers, if not that of T.toml.")
@click.option("--size", "size_mm", type=float, help="The size of the markers in mm, if not that of T.toml.")
@click.option(
    "--flat/--no-flat",
    default=None,
    help="All markers lie in one plane, or each at its own height (what the photos tell).",
)
@click.option("--ids", help="Which ids are table markers, such as 0-9 or all (0-9 unless --dictionary is given).")
@click.option("--json", "as_json", is_flag=True, help="Print the places and all figures as JSON.")
def survey(
    photos: tuple[Path, ...],
    table_file: Path,
    lens_file: Path | None,
    output: Path | None,
    frame: str,
    origin: str | None,
    bearing: float | None,
    lengths: tuple[str, ...],
    dictionary: str | None,
    size_mm: float | None,
    flat: bool | None,
    ids: str | None,
    as_json: bool,
) -> None:
    """Work out from photos where the table markers lie.

    Take a few photos by hand from different sides; each must share markers with others. The places are found in
    the frame of two markers (--frame) and moved to where these lie on the table (--origin, --bearing).
    """
    from calibration.records import read_intrinsics, read_table, write_table
    from calibration.surveys.surveying import Request, survey_table

    if output is None and not as_json:
        raise click.UsageError("give -o T2.toml for the table to be written to, or --json to print it")
    demand_one_on_stdout(output, as_json)
    all_ids = ids == "all" or (ids is None and dictionary is not None)
    if bearing is not None and not -36_000 <= bearing <= 36_000:
        raise click.BadParameter(f"expected degrees such as 90, got {bearing:g}", param_hint="--bearing")
    request = Request(
        table=_with_markers(read_table(table_file), dictionary, size_mm),
        lens=None if lens_file is None else read_intrinsics(lens_file),
        frame=_pair(frame, "--frame"),
        origin_mm=None if origin is None else _point(origin),
        bearing_deg=bearing,
        lengths=tuple(_length(text) for text in lengths),
        ids=None if all_ids else frozenset(_ids("0-9" if ids is None else ids)),
        flat=flat,
    )
    done = survey_table(_progress(photos), request)
    if output is not None:
        write_table(output, done.table)
    if as_json:
        print_json(survey_json(done))
    else:
        print_survey(done, output)
    warn(done.survey.warnings)


def _with_markers(table: Table, dictionary: str | None, size_mm: float | None) -> Table:
    """The table with the markers that the options tell of."""
    from msgspec import structs

    from calibration.prints.markers import marker_dictionary

    if size_mm is not None and not 0 < size_mm < 10_000:
        raise click.BadParameter(f"expected a size in mm above 0, got {size_mm:g}", param_hint="--size")
    told = {key: value for key, value in (("dictionary", dictionary), ("size_mm", size_mm)) if value is not None}
    markers = structs.replace(table.markers, **told)
    marker_dictionary(markers.dictionary)
    return structs.replace(table, markers=markers)


def _parts(what: str, known: tuple[str, ...]) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in what.split(",") if part.strip())
    unknown = [part for part in parts if part not in known]
    if unknown or not parts:
        raise click.BadParameter(
            f"expected some of {','.join(known)}, got {','.join(unknown) or 'nothing'}", param_hint="--what"
        )
    return parts


def _ids(text: str) -> list[int]:
    """Ids from a list such as 0-3,7."""
    out: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        numbers = first.isdecimal() and (last or first).isdecimal()
        if not numbers or not 0 <= int(last or first) - int(first) <= 10_000:
            raise click.BadParameter(f"expected ids such as 0-3,7, got {text!r}", param_hint="--ids")
        out.extend(range(int(first), int(last or first) + 1))
    return sorted(set(out))


def _pair(text: str, option: str) -> tuple[int, int]:
    a, _, b = text.partition(":")
    if not a.isdecimal() or not b.isdecimal() or int(a) == int(b):
        raise click.BadParameter(
            f"expected two different markers A:B, such as 0:1, got {text!r}", param_hint=option
        )
    return int(a), int(b)


def _length(text: str) -> Length:
    from calibration.records import MOST_MM
    from calibration.surveys.lengths import Length

    pair, _, length = text.partition("=")
    between = _pair(pair, "--length")
    (value,) = _numbers(length, (1,), "--length", "A:B=MM, such as 0:1=1806")
    if not 0 < value <= MOST_MM:
        raise click.BadParameter(f"expected a length of up to {MOST_MM:g} mm, got {value:g}", param_hint="--length")
    return Length(*between, value)


def _point(text: str) -> tuple[float, ...]:
    return _numbers(text, (2, 3), "--origin", "X,Y or X,Y,Z in mm")


def _numbers(text: str, counts: tuple[int, ...], option: str, expected: str) -> tuple[float, ...]:
    values = numbers_in(text)
    if len(values) not in counts:
        raise click.BadParameter(f"expected {expected}, got {text!r}", param_hint=option)
    return values


def _progress(photos: tuple[Path, ...]) -> Any:
    """The photos, with a progress bar on standard error where someone looks at it."""
    if not sys.stderr.isatty():
        return photos
    from rich.console import Console
    from rich.progress import track

    return track(photos, description="reading photos", console=Console(stderr=True), transient=True)
